"""Too little room is noticed before it is fatal: the open round is played to its end, and no other begins."""

from holecard.table import telling

HEAP = "Memory is low: no new round."
FLASH = "The flash is full: no new round."
# Bytes below which there is too little, and from which there is enough again. Heap: the longest answer and the largest
# shoe, twice over; in one piece: the longest record or part of an answer, twice over. Flash: a block for every record
# that littlefs may be moving at once, and for itself.
_HEAP = (12 * 1024, 16 * 1024)
_PIECE = 1024
_FLASH = (32 * 1024, 48 * 1024)


def judge(desk, heap, flash) -> None:
    """Takes what is free, in bytes, None where the machine does not tell."""
    before = desk.house.scarce
    low = _short(heap, _HEAP, before == HEAP) or not _in_one_piece()
    now = HEAP if low else FLASH if _short(flash, _FLASH, before == FLASH) else ""
    if now == before:
        return
    desk.house.run_short(now)
    what = "heap" if now == HEAP else "flash" if now else ""
    desk.events.put(desk.now, telling.SCARCE, what)
    desk.keeper.log.add(desk.keeper.boots, desk.keeper.seconds, "low: " + what if what else "enough room again")
    if now == HEAP:
        desk.status.error(-321, "no new round before there is room")
    elif now:
        desk.status.error(-254, "no new round before there is room")


def _in_one_piece() -> bool:
    """Whether what is free is of any use: it may lie in a thousand holes."""
    try:
        bytearray(_PIECE)
    except MemoryError:
        return False
    return True


def _short(free, bounds: tuple, already: bool) -> bool:
    return free is not None and free < bounds[1 if already else 0]
