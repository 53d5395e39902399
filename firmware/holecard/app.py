"""The one loop of the device."""

import gc

from holecard.table.table import Table


def run(board) -> None:
    """Plays for ever. An exception is left to the caller: its traceback is the best report there is.

    KeyboardInterrupt says that the byte 0x03 came to a table in bench mode: somebody wants the prompt.
    """
    table = Table(board)
    gc.collect()
    # Only MicroPython stops for 10 ms whenever its heap is full: there it is emptied when nobody waits.
    littered = True
    tidy = hasattr(gc, "threshold")
    if tidy:
        # Ends what `start` began.
        gc.threshold(-1)
    while True:
        board.feed()
        due = table.step(board.now())
        if not table.calm:
            littered = True
        elif littered and tidy:
            littered = False
            gc.collect()
        board.idle(due)
