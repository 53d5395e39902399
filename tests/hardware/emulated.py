"""What the tests of the emulated chip share: whether it can run here."""

from __future__ import annotations

import importlib.util

import pytest

from holecard_host import firmware_files
from holecard_host.errors import StandFault
from holecard_host.twin.emulated import uf2

URL = "rp2040://"


def missing() -> str:
    """What the emulated chip lacks on this machine, "" when it can run. Downloads nothing."""
    try:
        uf2.find(download=False)
        firmware_files.mpy_cross()
    except StandFault as fault:
        return str(fault)
    if importlib.util.find_spec("littlefs") is None:
        return "rp2040:// needs littlefs-python: pip install 'holecard[emulator]'"
    return ""


_MISSING = missing()
needs_chip = pytest.mark.skipif(bool(_MISSING), reason=_MISSING or "-")
needs_emulator = pytest.mark.skipif(
    importlib.util.find_spec("rp2040py") is None, reason="the emulated chip is not installed: holecard[emulator]"
)
