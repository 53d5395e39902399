"""What has to be known when the file system is lost: that this board has stored something, and its mode.

It lies in the last sector before the file system. MicroPython's image for the Pico ends at 0x51A00 and the file system
begins at 0xA0000, so that sector is free; rp2.Flash counts its blocks from the file system on and takes -1 for the one
before (1.23 to 1.29). Nothing is ever erased for it: the first page is programmed once, of the second one more bit for
every change of the mode, and only where the rest of the sector is blank; what else may lie there, stays.
"""

import rp2

_BEFORE = -1
_PAGE = 256
_PAGES = 16
_TEXT = b"Holecard has stored a record on this board.\n"
# Of the second page: the text, then bits that have been cleared, an odd number of them for arcade mode.
_MODE = b"Holecard's mode.\n"


def found() -> bool:
    """Whether the mark is there."""
    return _starts(_page(0), _TEXT)


def leave() -> None:
    """Puts the mark where nothing is yet. Where something else lies there will be none."""
    if _blank(_page(0)) and mode() is not None:
        _program(0, _TEXT + _page(0)[len(_TEXT) :])


def mode():
    """The mode of the last start, "bench" if none is known; None where something else lies."""
    page = _page(1)
    if not (_starts(page, _MODE) or _blank(page)) or not (found() or _blank(_page(0))):
        return None
    for number in range(2, _PAGES):
        if not _blank(_page(number)):
            return None
    return "arcade" if _starts(page, _MODE) and _turns(page) % 2 else "bench"


def turn() -> None:
    """From now on it is the other mode. After 1,912 times nothing is left to write on, and nothing happens."""
    page = _page(1)
    turns = _turns(page) if _starts(page, _MODE) else 0
    at = len(_MODE) + turns // 8
    if at < _PAGE:
        page[: len(_MODE)] = _MODE
        page[at] &= 0xFF << (turns % 8 + 1) & 0xFF
        _program(1, page)


def _turns(page) -> int:
    """How many bits behind the text have been cleared."""
    count = 0
    for value in page[len(_MODE) :]:
        for bit in range(8):
            count += 1 - (value >> bit & 1)
    return count


def _starts(page, text: bytes) -> bool:
    return page[: len(text)] == text


def _blank(page) -> bool:
    return page == b"\xff" * _PAGE


def _program(number: int, page) -> None:
    try:
        rp2.Flash().writeblocks(_BEFORE, bytearray(page), number * _PAGE)
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
