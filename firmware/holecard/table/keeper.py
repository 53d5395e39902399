"""Whoever writes down what must survive, and takes it up again: the records of a table, when, and in which order.

    hot         the table with its open round (record.py), before anything of it is shown or told
    r0 .. r11   the last rounds, by the number of rounds before them
    boot        how often the table was started, and how many entries the log had then
    l0 .. l15   the log (log.py)

The records of a table in bench mode have a `b` in front: what the bench does with them changes nothing of the others.
`boot` and the log belong to the machine. While the record is one that cannot be trusted, nothing is written at all: it
is evidence.
"""

from holecard.rules.ruleset import Refused
from holecard.table import record, ticks
from holecard.table.accounts import ERRORS, RESETS, ROUNDS
from holecard.table.journal import Journal, JournalError, seal
from holecard.table.log import Log
from holecard.table.recall import KEPT

_SECOND = 1_000_000
# Protocol errors can come by the thousand: one entry for all of so many seconds.
_ERRORS_EVERY = 10
_NUMBERS = 1_000_000_000


class Keeper:
    """`boots` counts the starts, this one included; `seconds` since the last one; `log`: a `Log`."""

    def __init__(self, board, game, status) -> None:
        self._board = board
        self._game = game
        self._status = status
        self._journal = Journal(board)
        self._prefix = "b" if board.mode == "bench" else ""
        self._second_at = ticks.add(game.now, _SECOND)
        self._closed = False
        # Whether the table itself was read, so that it can go on when another record was the one that could not.
        self._intact = False
        # The hot record: its number, its bytes, whether both copies were read since they were written.
        self._number = 0
        self._hot = b""
        self._checked = True
        # The settled round that the ring does not have yet, "" if there is none; the rounds that it has.
        self._recall = ""
        self._rounds = 0
        self._boot_due = self._hot_due = False
        self._errors = 0
        self._errors_at = -_ERRORS_EVERY
        self.seconds = 0
        self.boots = 0
        self.log = Log(self._journal)
        game.finished.fetch = self._fetch

    # -- the start ---------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Takes up what was stored. What cannot be trusted locks the game."""
        try:
            self._load()
        except OSError:
            self._close("the flash cannot be read")
        except ValueError as error:
            # Never a fresh bankroll in place of one that cannot be read: somebody has to decide.
            self._close(str(error))

    def _load(self) -> None:
        game = self._game
        found = self._journal.read(self._prefix + record.NAME)
        if found is None and self._board.kept() and not self._other_mode():
            # The first day has no record, and neither has a table whose file system was lost.
            self._close("the records are gone")
            return
        if found:
            from holecard.table import restore  # noqa: PLC0415 - needed once

            self._number = found[0]
            restore.take_up(game, found[1])
            game.unsaved = False
            self._intact = True
            self._rounds = game.accounts.meters[ROUNDS]
            if len(game.finished) and game.shown and not game.in_round and not self._in_ring(self._rounds):
                self._rounds -= 1
        boot = self._journal.read("boot")
        if boot:
            self.boots = boot[0]
            self.log.find(int(boot[1]))
        self._start()

    def _other_mode(self) -> bool:
        """Whether the table has records of its other mode."""
        return self._journal.read(record.NAME if self._prefix else "b" + record.NAME) is not None

    def _start(self) -> None:
        self.boots += 1
        self._boot_due = self._hot_due = True
        self._game.accounts.count(RESETS)
        self.log.add(self.boots, self.seconds, "power on, " + self._board.mode)

    @property
    def open_for_writing(self) -> bool:
        return not self._closed

    def distrust(self, reason: str) -> None:
        """Locks the table over what was stored and writes nothing more, until `open`."""
        if not self._closed:
            self._close(reason)

    def _close(self, reason: str) -> None:
        self._closed = True
        self._game.lock(reason)

    def open(self) -> bool:
        """Somebody has decided: from now on records are written again, whatever was there.

        True if it was not the table's own record that could not be trusted, so that its bankrolls still can.
        """
        if not self._closed:
            return False
        self._closed = False
        self._start()
        return self._intact

    def enter(self, text: str) -> None:
        """An entry of the log that is durable before what it tells of; OSError when the flash does not take it."""
        for note in self._game.notes:
            self.log.add(self.boots, self.seconds, note)
        self._game.notes = []
        self.log.add(self.boots, self.seconds, text)
        if not self._closed:
            self.log.write()

    # -- writing -----------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True while something is still to be written or looked at."""
        if self._closed:
            return False
        if self._game.unsaved or self._recall or self._due():
            return True
        return self._boot_due or self._hot_due or not self._checked

    def _due(self) -> bool:
        return self.log.waiting or bool(self._game.notes)

    def store(self) -> bool:
        """Writes the hot record if there is anything new; True if it was. To be called before that can be seen."""
        game = self._game
        if not game.unsaved or self._closed:
            return False
        game.unsaved = self._hot_due = False
        rounds = game.accounts.meters[ROUNDS]
        try:
            if self._recall:
                self._write_recall()
            if rounds != self._rounds:
                self._rounds = rounds
                self._recall = record.round_words("S", game.last_round)
            self._number += 1
            self._hot = seal(self._number, record.pack(game))
            self._journal.write(self._prefix + record.NAME, self._hot)
            self._checked = game.in_round
        except OSError:
            # It is tried once more when both copies are looked at; if that fails too, the table is locked.
            self._checked = False
            self._refused()
        return True

    def rest(self, now: int) -> bool:
        """Counts the seconds, and the errors of the protocol; writes one piece of what may wait. True if it did."""
        while ticks.diff(now, self._second_at) >= 0:
            self._second_at = ticks.add(self._second_at, _SECOND)
            self.seconds += 1
        new = self._status.garbled - self._errors
        if new and self.seconds - self._errors_at >= _ERRORS_EVERY:
            self._errors += new
            self._errors_at = self.seconds
            self._game.accounts.count(ERRORS, new)
            self._game.unsaved = True
            self.log.add(self.boots, self.seconds, "errors: " + str(new))
        return self.pending and self._tidy()

    def _tidy(self) -> bool:
        """The record of the start, the ring of rounds, the log, a look at both copies of the record."""
        if self._hot_due or self._game.unsaved:
            # What a start changes may wait until the picture is there: the next start would change the same.
            self._game.unsaved = True
            return self.store()
        try:
            if self._recall:
                self._write_recall()
            elif self._due():
                for note in self._game.notes:
                    self.log.add(self.boots, self.seconds, note)
                self._game.notes = []
                self.log.write()
            elif self._boot_due:
                self._boot_due = False
                self._journal.write("boot", seal(self.boots, str(self.log.count)))
            else:
                self._checked = True
                if self._journal.mend(self._prefix + record.NAME, self._hot):
                    self.log.add(self.boots, self.seconds, "record mended")
        except OSError:
            self._recall = ""
            self._refused()
        except JournalError as error:
            self._close(str(error))
        return True

    def _refused(self) -> None:
        self._status.error(-310, "the record was not saved")

    # -- the ring of rounds ------------------------------------------------------------------------------------------

    def _name(self, number: int) -> str:
        return "%sr%d" % (self._prefix, number % KEPT)

    def _write_recall(self) -> None:
        words, self._recall = self._recall, ""
        self._journal.write(self._name(self._rounds), seal(self._rounds % _NUMBERS, words))

    def _in_ring(self, number: int) -> bool:
        found = self._journal.read(self._name(number))
        return found is not None and found[0] == number % _NUMBERS

    def _fetch(self, back: int):
        from holecard.table import restore  # noqa: PLC0415 - for rounds of long ago only

        number = self._game.accounts.meters[ROUNDS] - back
        try:
            found = self._journal.read(self._name(number))
            if found and found[0] == number % _NUMBERS:
                return restore.read_round(found[1].split(" "))
        except (OSError, ValueError):
            pass
        raise Refused("that round cannot be read")
