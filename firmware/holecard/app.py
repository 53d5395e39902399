"""The one loop of the device."""

from holecard.table.table import Table


def run(board) -> None:
    """Plays for ever. An exception is left to the caller: its traceback is the best report there is."""
    table = Table(board)
    while True:
        board.idle(table.step(board.now()))
