"""Whether the emulated chip can run here."""

from __future__ import annotations

import importlib.util

from ... import firmware_files
from ...errors import StandFault
from . import uf2


def missing(download: bool = True) -> str:
    """What the emulated chip lacks here, as a sentence; "" when it can run. May fetch MicroPython's image."""
    try:
        uf2.find(download=download)
        firmware_files.mpy_cross("emulator")
    except StandFault as fault:
        return str(fault)
    if importlib.util.find_spec("littlefs") is None:
        return 'rp2040:// needs littlefs-python: pip install "holecard[emulator]"'
    return ""
