"""What the records that are there tell of those that are not. See keeper.py for the order in which they are written."""

from holecard.table.journal import AGE, JournalError

_GONE = "the records are gone"
_HOT = "hot"
_NAMES = (_HOT, "bhot", "op", "bop", "boot", "mode")


def missing(journal, letter: str, number: int, modes, kept: bool) -> None:
    """JournalError if the table's own record, or that of the start, is not there and must have been.

    `letter`: of the mode, `number` of its record (0: none), `modes` that have had one (None: the record of the start is
    not there), `kept` as the board tells.
    """
    if number > 1 and modes is None:
        raise JournalError("the record boot is gone")
    if number:
        return
    # The first day of a mode has no record; neither has a table whose file system was lost, or its files removed.
    other = journal.newest(_HOT if letter == "b" else "b" + _HOT)
    if modes is not None:
        gone = letter in modes or (modes and not other)
    elif other:
        # More than the first moments of the other mode.
        gone = other > 1
    else:
        gone = kept or max([journal.newest(name) for name in _NAMES])
    if gone:
        raise JournalError(_GONE)


def next_age(journal) -> int:
    """One more than that of any copy of any record: what lies in a backup of one folder, or of both, is older."""
    return 1 + max([journal.newest(name) // AGE for name in _NAMES])
