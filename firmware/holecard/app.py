"""The one loop of the device."""

import gc

from holecard.table.table import Table


def run(board) -> None:
    """Plays for ever. An exception is left to the caller: its traceback is the best report there is.

    KeyboardInterrupt says that the byte 0x03 came to a table in bench mode: somebody wants the prompt.
    """
    table = Table(board)
    gc.collect()
    # Ends what `start` began; CPython has no such setting.
    if hasattr(gc, "threshold"):
        gc.threshold(-1)
    while True:
        board.feed()
        board.idle(table.step(board.now()))
