"""The log of the machine: a ring of significant events, each with the number of the start and the seconds since then.

It is kept in pieces of a few entries, so that a new entry writes a small record only.
"""

from holecard.table.journal import JournalError, seal

# The oldest piece is being overwritten: at least 112 entries are there.
_PIECES = 16
_ENTRIES = 8
# Longer than any text of the table's own; what a bench makes of its rules may be cut, and says so.
_LONGEST = 160
# Of a table that writes nothing: the first ones tell most.
_MOST_WAITING = 16
_LOST = "entries that cannot be read"
# " ; and the backslash would end an entry, or the answer that tells it: an apostrophe takes their place.
_SPECIAL = (34, 59, 92)
# Seconds.
_EVERY = 10
_SELDOM = 3600
_QUIET = 600


class Log:
    """`count`: entries that were ever written. The newest piece is in memory, the others in the journal.

    Entries are counted backwards from the newest, 0: what waits to be written, the newest piece, those before it. A
    piece between others that cannot be read is an entry that says so; what may lie behind the last good one is not
    counted.
    """

    def __init__(self, journal) -> None:
        self._journal = journal
        self.count = 0
        self._piece: list = []
        self._waiting: list = []
        # Whether it is time to write what waits: what could not be written goes with the next entry.
        self._due = False
        # Entries of each piece before the newest one, -1 for one that cannot be read; and the piece that they precede.
        self._sizes: list = []
        self._sized = -1

    def __len__(self) -> int:
        """How many entries can be read."""
        self._survey()
        return len(self._waiting) + len(self._piece) + sum([abs(size) for size in self._sizes])

    @property
    def waiting(self) -> bool:
        """Whether there is something to write."""
        return self._due

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

    def search(self) -> None:
        """Goes on behind the last entry that can be read, when nobody knows how many there were."""
        most = 0
        for number in range(_PIECES):
            most = max(most, self._journal.newest(_name(number)))
        self.find(max(most - 1, 0))

    def last_start(self) -> int:
        """The number of the start that the newest entry tells of, 0 if there is none."""
        return int(self._piece[-1].split(",", 1)[0]) if self._piece else 0

    def add(self, boots: int, seconds: int, text: str) -> None:
        if len(self._waiting) >= _MOST_WAITING:
            return
        self._due = True
        if len(text) > _LONGEST:
            text = text[: _LONGEST - 3] + "..."
        # Bytes: see `Font`.
        text = bytes([code if 32 <= code <= 126 and code not in _SPECIAL else 39 for code in text.encode()]).decode()
        self._waiting.append("%d,%d,%s" % (boots, seconds, text))

    def enter(self, boots: int, seconds: int, text: str) -> None:
        """Adds an entry and writes it; OSError, and it is not there, when the flash does not take it."""
        if len(self._waiting) >= _MOST_WAITING:
            self.write()
        self.add(boots, seconds, text)
        try:
            self.write()
        except OSError:
            self._waiting.pop()
            raise

    def write(self) -> None:
        """Writes what waits; OSError, and the rest of it goes on waiting, when the flash does not take it."""
        self._due = False
        while self._waiting:
            piece = [] if len(self._piece) == _ENTRIES else self._piece
            more = self._waiting[: _ENTRIES - len(piece)]
            count = self.count + len(more)
            piece = piece + more
            self._journal.write(_name((count - 1) // _ENTRIES), seal(count, ";".join(piece)))
            self._piece = piece
            self.count = count
            self._waiting = self._waiting[len(more) :]

    def entry(self, back: int):
        """(start, seconds, text) of the entry so many before the newest, None where there is none; start and seconds
        are None for what cannot be read."""
        self._survey()
        for piece in (self._waiting, self._piece):
            if back < len(piece):
                return _entry(piece[-1 - back])
            back -= len(piece)
        number = self._newest()
        for size in self._sizes:
            number -= 1
            if back < abs(size):
                piece = self._read(number) if size > 0 else []
                return _entry(piece[-1 - back]) if back < len(piece) else (None, None, _LOST)
            back -= abs(size)
        return None

    def _newest(self) -> int:
        """The number of the piece in memory."""
        return (self.count - 1) // _ENTRIES if self._piece else self.count // _ENTRIES

    def _survey(self) -> None:
        """Looks what can be read of the pieces before the newest, once for each newest one."""
        newest = self._newest()
        if newest != self._sized:
            self._sized = newest
            self._sizes = [len(self._read(newest - back)) or -1 for back in range(1, _PIECES)]
            while self._sizes and self._sizes[-1] < 0:
                self._sizes.pop()

    def _read(self, number: int) -> list:
        """The entries of a piece, none if it cannot be read."""
        try:
            found = self._journal.read(_name(number)) if number >= 0 else None
        except (JournalError, OSError):
            return []
        return found[1].split(";") if found and (found[0] - 1) // _ENTRIES == number else []


class Tally:
    """What can come by the thousand and is few entries: at once, then after 10 s, 20 s ... an hour while it goes on.
    Who keeps at it for days must not push everything else out of the ring.

    `new`: how many there were since the last entry; `last`: what the newest one was.
    """

    def __init__(self) -> None:
        self.new = 0
        self.last = ""
        self._due_at = -_QUIET
        self._wait = _EVERY

    def add(self, more: int = 1, last: str = "") -> None:
        self.new += more
        self.last = last

    def due(self, seconds: int) -> bool:
        """Whether it is time for an entry, `seconds` since the start; it is taken for written then."""
        if not self.new or seconds < self._due_at:
            return False
        quiet = seconds >= self._due_at + max(self._wait, _QUIET)
        self._wait = _EVERY if quiet else min(2 * self._wait, _SELDOM)
        self._due_at = seconds + self._wait
        return True


def _entry(text: str) -> tuple:
    boots, seconds, words = text.split(",", 2)
    return int(boots), int(seconds), words


def _name(number: int) -> str:
    return "l%d" % (number % _PIECES)
