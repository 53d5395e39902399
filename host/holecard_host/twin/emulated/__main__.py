"""Runs one emulated Pico for the simulator: `python -m holecard_host.twin.emulated IMAGE`."""

import sys
from pathlib import Path

from .protocol import Protocol

Protocol(sys.stdin.buffer, sys.stdout.buffer, Path(sys.argv[1])).serve()
