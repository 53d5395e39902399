"""The log of the machine: a ring of significant events, each with the number of the start and the seconds since then.

It is kept in pieces of a few entries, so that a new entry writes a small record only.
"""

from holecard.table.journal import JournalError, seal

# The oldest piece is being overwritten: at least 112 entries are there.
_PIECES = 16
_ENTRIES = 8
_LONGEST = 36


class Log:
    """`count`: entries that were ever written. The newest piece is in memory, the others in the journal."""

    def __init__(self, journal) -> None:
        self._journal = journal
        self.count = 0
        self._piece: list = []
        self._waiting: list = []

    def __len__(self) -> int:
        """How many entries can be read."""
        return min(self.count, (_PIECES - 1) * _ENTRIES + len(self._piece))

    @property
    def waiting(self) -> bool:
        """Whether there is something to write."""
        return bool(self._waiting)

    def find(self, count: int) -> None:
        """Goes on behind the last entry; at least `count` were written."""
        for _ in range(_PIECES):
            self.count = count
            self._piece = []
            number = count // _ENTRIES
            try:
                found = self._journal.read(_name(number))
            except (JournalError, OSError):
                # What cannot be read is passed over, so that it stays as it is for a whole round of the ring.
                count = (number + 1) * _ENTRIES
                continue
            if found is None or (found[0] - 1) // _ENTRIES != number:
                return
            self._piece = found[1].split(";")
            count = self.count = found[0]
            if len(self._piece) < _ENTRIES:
                return

    def add(self, boots: int, seconds: int, text: str) -> None:
        text = "".join([char if " " <= char <= "~" and char not in ';"\\' else "'" for char in text[:_LONGEST]])
        self._waiting.append("%d,%d,%s" % (boots, seconds, text))

    def write(self) -> None:
        """Writes what waits; OSError when the flash does not take it."""
        while self._waiting:
            if len(self._piece) == _ENTRIES:
                self._piece = []
            self._piece.append(self._waiting.pop(0))
            self.count += 1
            if len(self._piece) == _ENTRIES or not self._waiting:
                data = seal(self.count, ";".join(self._piece))
                self._journal.write(_name((self.count - 1) // _ENTRIES), data)

    def entry(self, back: int):
        """(start, seconds, text) of the entry so many before the newest; None if it cannot be read."""
        at = self.count - 1 - back
        number = at // _ENTRIES
        piece = self._piece
        if number != (self.count - 1) // _ENTRIES:
            try:
                found = self._journal.read(_name(number))
            except (JournalError, OSError):
                return None
            if found is None or (found[0] - 1) // _ENTRIES != number:
                return None
            piece = found[1].split(";")
        if at % _ENTRIES >= len(piece):
            return None
        boots, seconds, text = piece[at % _ENTRIES].split(",", 2)
        return int(boots), int(seconds), text


def _name(number: int) -> str:
    return "l%d" % (number % _PIECES)
