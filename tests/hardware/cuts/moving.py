"""Cuts while littlefs moves a directory to fresh blocks, which it does after every hundred erases of the old ones: its
parent and its neighbours change too. A scripted round hardly ever meets that, so here one is looked for."""

from .cutting import Failed
from .flash import ERASE, Flash
from .powered import Machine

_MOST_SAVES = 60_000


def cut_moves(trace, counts, moves, ways):
    """The newest records are saved again and again until so many moves have been met; each of their operations is cut
    in so many ways. Failed if there are no moves."""
    flash = Flash(trace.blocks)
    board = Machine(flash).board
    records = sorted(trace.saved.items())
    for number in range(_MOST_SAVES):
        operations = []
        flash.watch = operations.append
        board.save(*records[number % len(records)])
        if any(one.kind == ERASE and one.block not in one.blocks for one in operations):
            counts.operations += len(operations)
            for at, operation in enumerate(operations):
                possible = operation.cuts()
                for way in range(min(ways, len(possible))):
                    _cut(trace, operation, possible[(at + way) % len(possible)], records, counts)
            moves -= 1
            if not moves:
                return
            # There is one mount at a time, and the restarts have had it.
            flash.watch = None
            board = Machine(flash).board
    raise Failed("littlefs has moved nothing in " + str(_MOST_SAVES) + " saves")


def _cut(trace, operation, how, records, counts):
    kind = "moving: " + operation.kind + ", " + how
    counts.cuts[kind] = counts.cuts.get(kind, 0) + 1
    label = str(counts.cuts[kind]).encode()
    try:
        flash = Flash(operation.cut(how, label))
        _compare(trace, flash)
        # The first save after a cut is what repairs the file system.
        board = Machine(flash).board
        for name, data in records:
            board.save(name, data)
        _compare(trace, flash)
        if flash.faults:
            raise Failed(flash.faults[0])
    except Exception as error:
        counts.failures.append(kind + ": " + repr(error))


def _compare(trace, flash):
    machine = Machine(Flash(flash.blocks))
    trace.place(machine.state(), machine.history(), (len(trace.states) - 1,))
