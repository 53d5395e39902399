"""The one loop of the device."""

import gc

from holecard.table import ticks
from holecard.table.table import Table

_REST_US = 250_000
# How soon the room that is left is looked at, and how often then. It takes twice as long as only to make some.
_FIRST_LOOK_US = 1_000_000
_LOOK_US = 60_000_000


def run(board) -> None:
    """Plays for ever, or until the board wants to end (see `feed`) and nothing is left to be written.

    An exception is left to the caller: its traceback is the best report there is.

    KeyboardInterrupt says that the byte 0x03 came to a table in bench mode: somebody wants the prompt.
    """
    table = Table(board)
    gc.collect()
    # Only MicroPython stops for up to 20 ms whenever its heap is full: there it is emptied once nobody has been waiting
    # for a while. Not sooner: behind one line of a host often comes the next, and it would wait that long.
    littered = True
    # What runs here is compared with what was installed once the table has come to rest.
    unknown = True
    rested = board.now()
    look_at = ticks.add(rested, _FIRST_LOOK_US)
    tidy = hasattr(gc, "threshold")
    if tidy:
        # Ends what `start` began.
        gc.threshold(-1)
    while True:
        if board.feed() and not (table.front.busy or table.keeper.pending):
            return
        now = board.now()
        due = table.step(now)
        if not table.calm:
            littered = True
            rested = ticks.add(now, _REST_US)
        elif littered:
            if ticks.diff(now, rested) >= 0:
                littered = False
                if tidy:
                    gc.collect()
            elif ticks.diff(rested, due) < 0:
                due = rested
        elif unknown:
            unknown = table.examine()
            # What it has left behind is swept out too.
            littered = not unknown
            due = now
        if ticks.diff(now, look_at) >= 0:
            look_at = ticks.add(now, _LOOK_US)
            table.take_stock()
        board.idle(due)
