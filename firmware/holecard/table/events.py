"""The queue of events: what happened, in order, for a host that may or may not listen."""

from holecard.table import telling

LIMIT = 48


class Events:
    """Numbered events, kept until they are read.

    When the queue is full the oldest event is dropped whole and counted; the next one that is read then says how many
    are missing. `pushing` (SYSTem:COMMunicate:EVENt ON) makes the wire send them by itself.
    """

    def __init__(self) -> None:
        self._queue: list = []
        self._seq = 0
        self._lost = 0
        self._held = 0
        self.pushing = False
        self.dropped = 0

    def __len__(self) -> int:
        return len(self._queue)

    def put(self, now: int, kind: tuple, *values) -> None:
        """Adds an event of the instant `now` (us): one of the kinds in `telling`, and the values of its fields.

        Most events are never read, so they are stored as they come: `values` must not change later.
        """
        self._seq += 1
        queue = self._queue
        if len(queue) >= LIMIT:
            queue.pop(0)
            self._lost += 1
            self.dropped += 1
        queue.append((self._seq, now, kind, values))

    def hold(self) -> None:
        """What was put until now is stored: it may be told."""
        self._held = self._seq

    def take_back(self) -> None:
        """What was put since `hold` could not be stored: it has never happened."""
        while self._queue and self._queue[-1][0] > self._held:
            self._queue.pop()
        self._seq = self._held

    def take(self):
        """The next event as (sequence number, us, JSON text), or None."""
        if not self._queue:
            return None
        if self._lost:
            lost, self._lost = self._lost, 0
            seq, now, _, _ = self._queue[0]
            return (seq - 1, now, _text(telling.DROPPED, (lost,)))
        seq, now, kind, values = self._queue.pop(0)
        return (seq, now, _text(kind, values))

    def line(self):
        """The next event as the line that is pushed, without its end; None if there is none."""
        event = self.take()
        return None if event is None else "!EVT " + str(event[0]) + " " + str(event[1]) + " " + event[2]

    def clear(self) -> None:
        self._queue = []
        self._lost = 0


def _text(kind: tuple, values: tuple) -> str:
    from holecard.table import retelling  # noqa: PLC0415 - for a host only

    return retelling.text(kind, values)
