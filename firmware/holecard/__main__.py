"""`python -m holecard`: the table on a Raspberry Pi. A Pico starts with main.py instead."""

import sys

from holecard.boards.raspberry_pi_main import main

sys.exit(main(sys.argv[1:]))
