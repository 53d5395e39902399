"""Whoever writes down what must survive, and takes it up again: the records of a table, when, and in which order.

    hot         the table with its open round (record.py), before anything of it is shown or told
    r0 .. r11   the last rounds, by the number of rounds before them
    boot        how often the table was started, how many entries the log had then, the seed for the next start
    l0 .. l15   the log (log.py)

The records of a table in bench mode have a `b` in front: what the bench does with them changes nothing of the others.
`boot` and the log belong to the machine. While the record is one that cannot be trusted, nothing is written at all: it
is evidence.
"""

from binascii import a2b_base64, b2a_base64

from holecard.rules.ruleset import Refused
from holecard.table import record, ticks
from holecard.table.accounts import ERRORS, RESETS, ROUNDS
from holecard.table.journal import Journal, JournalError, seal
from holecard.table.log import Log
from holecard.table.recall import KEPT
from holecard.table.seats import LOCKED

_SECOND = 1_000_000
# Protocol errors can come by the thousand: one entry for all of so many seconds.
_ERRORS_EVERY = 10
_NUMBERS = 1_000_000_000
_COUNTER = 8
_SEED = 32
_BOOT = "boot"
_ENTROPY = "ENTROPY: "


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
        self._seed = b""
        self._chance: "object | None" = None
        self._promised = False
        self._errors = 0
        self._errors_at = -_ERRORS_EVERY
        self.seconds = 0
        self.boots = 0
        self.log = Log(self._journal)
        game.finished.fetch = self._fetch
        game.shoes.source = self._secret

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
        boot = self._journal.read(_BOOT)
        if boot:
            entries, seed = boot[1].split(" ")
            self._seed = boot[0].to_bytes(_COUNTER, "big") + a2b_base64(seed)
            if len(self._seed) != _COUNTER + _SEED:
                raise ValueError("record not understood")
            self.boots = boot[0]
            self.log.find(int(entries))
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
        sound = self._intact if self._closed else self._game.message.startswith(_ENTROPY)
        if self._closed:
            self._closed = False
            self._start()
        if self._chance and self.chance.fault:
            # The source may have been mended.
            self._chance = None
            self._boot_due = True
        return sound

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
        if self._boot_due or self._hot_due or not (self._checked and self._promised):
            return True
        return self._chance is not None and self.chance.due

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
                self._recall = record.round_words("S", game.last_round, game.finished.place(0))
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
                if self.chance.test():
                    self._write_boot()
                    self._heed()
            elif not self._promised:
                # On the first day; not before the picture is there.
                self._promised = True
                self._game.promise()
            elif self._checked:
                self.chance.ahead()
            else:
                self._checked = True
                if self._journal.mend(self._prefix + record.NAME, self._hot):
                    self.log.add(self.boots, self.seconds, "record mended")
        except OSError:
            self._recall = ""
            self._refused()
        except JournalError as error:
            self._close(str(error))
        except Refused:
            self._heed()
        return True

    def _refused(self) -> None:
        self._status.error(-310, "the record was not saved")

    # -- the start, and chance ---------------------------------------------------------------------------------------

    @property
    def chance(self):
        """The `Chance` of this start."""
        if self._chance is None:
            from holecard.table.chance import Chance  # noqa: PLC0415 - a table that starts between two shoes needs none yet

            self._chance = Chance(self._board, self._seed, self._board.mode == "arcade")
        return self._chance

    def _write_boot(self) -> None:
        """The record of this start. The seed's successor is in it, and in flash, before anything comes of the seed."""
        self._boot_due = False
        chance = self.chance
        begun = chance.ready
        record = self._seed if begun else chance.prepare()
        body = "%d %s" % (self.log.count, b2a_base64(record[_COUNTER:]).decode().strip())
        self._journal.write(_BOOT, seal(self.boots, body))
        if not begun:
            found = self._journal.read(_BOOT)
            if found is None or found[1] != body:
                raise JournalError("the flash keeps no record")
            self._seed = record
            chance.begin(record)

    def healthy(self) -> bool:
        """Whether the entropy source has passed its tests, the start-up test included."""
        while not self.chance.test():
            pass
        return not self.chance.fault

    def _secret(self, stirred: bytes) -> bytes:
        """For the next shoe; Refused, with the table locked where it must be, if there can be none."""
        try:
            if not self.chance.ready:
                if self._closed:
                    raise Refused("the records are closed")
                while not self.chance.test():
                    pass
                if not self._number:
                    # The table's own record comes first: one that has others and not this one has lost it.
                    self._game.unsaved = True
                    self.store()
                self._write_boot()
            return self.chance.secret(stirred)
        except OSError:
            self._refused()
            raise Refused("the record was not saved")
        except JournalError as error:
            self._close(str(error))
            raise Refused(str(error))
        finally:
            self._heed()

    def _heed(self) -> None:
        """An entropy source that has failed ends real play, though not in the middle of a round."""
        fault = self.chance.fault
        game = self._game
        if not fault or game.in_round or game.warning or game.phase == LOCKED:
            return
        text = _ENTROPY + "the source " + fault
        if self._board.mode == "arcade":
            game.lock(text)
            return
        game.warning = _ENTROPY + "bench only."
        game.changes += 1
        game.notes.append(text)
        self._status.error(-330, text)

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
