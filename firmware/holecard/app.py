"""The one loop of the device."""

import gc

# While modules load, what stays lies between what does not. Collecting often keeps the heap in one piece, so that a
# long answer finds room later. CPython has no such setting, and no such worry.
_threshold = getattr(gc, "threshold", None)
if _threshold:
    _threshold(32768)

from holecard.table.table import Table  # noqa: E402 - only useful before the modules load


def run(board) -> None:
    """Plays for ever. An exception is left to the caller: its traceback is the best report there is.

    KeyboardInterrupt says that the byte 0x03 came to a table in bench mode: somebody wants the prompt.
    """
    table = Table(board)
    gc.collect()
    if _threshold:
        _threshold(-1)
    while True:
        board.feed()
        board.idle(table.step(board.now()))
