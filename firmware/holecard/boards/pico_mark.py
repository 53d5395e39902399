"""A mark that says "this board has stored something", where the loss of the file system does not reach it.

It lies in the last sector before the file system. MicroPython's image for the Pico ends at 0x51A00 and the file system
begins at 0xA0000, so that sector is free; rp2.Flash counts its blocks from the file system on and takes -1 for the one
before (1.23 to 1.29). The mark is one page, only ever programmed into a blank sector: nothing is erased for it, and
what else may lie there, stays.
"""

import rp2

_BEFORE = -1
_PAGE = 256
_PAGES = 16
_TEXT = b"Holecard has stored a record on this board.\n"


def found() -> bool:
    """Whether the mark is there."""
    return _page(0)[: len(_TEXT)] == _TEXT


def leave() -> None:
    """Puts the mark where nothing is yet. Where something else lies there will be none."""
    blank = b"\xff" * _PAGE
    for number in range(_PAGES):
        if _page(number) != blank:
            return
    page = bytearray(_TEXT + blank[len(_TEXT) :])
    try:
        rp2.Flash().writeblocks(_BEFORE, page, 0)
    except (OSError, ValueError):
        pass


def _page(number: int) -> bytearray:
    """A page of the sector; full of zeros where MicroPython does not reach it."""
    page = bytearray(_PAGE)
    try:
        rp2.Flash().readblocks(_BEFORE, page, number * _PAGE)
    except (OSError, ValueError):
        pass
    return page
