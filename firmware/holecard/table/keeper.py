"""Whoever writes down what must survive, and takes it up again: the records of a table, when, and in which order.

    hot         the table with its open round (record.py), before anything of it is shown or told
    r0 .. r11   the last rounds, by the number of rounds before them
    boot        how often the table was started, how many entries the log had then, the seed for the next start, the
                modes that have records
    l0 .. l15   the log (log.py)

The records of a table in bench mode have a `b` in front: what the bench does with them changes nothing of the others.
`boot` and the log belong to the machine. While the record is one that cannot be trusted, nothing is written at all: it
is evidence.

On the first day of a mode comes `hot`, with the number 1, then what the operator sets (house.py), then the mode's
letter in `boot`. So from then on each of them must be there: one that is gone locks the table.
"""

from binascii import a2b_base64, b2a_base64

from holecard.rules.ruleset import Refused
from holecard.table import record, ticks
from holecard.table.accounts import ERRORS, RESETS, ROUNDS
from holecard.table.journal import AGE, Journal, JournalError, seal
from holecard.table.log import Log, Tally
from holecard.table.recall import KEPT
from holecard.table.seats import LOCKED

_SECOND = 1_000_000
# Protocol errors can come by the thousand: they are counted together every so many seconds.
_ERRORS_EVERY = 10
_COUNTER = 8
_SEED = 32
_BOOT = "boot"
_ENTROPY = "ENTROPY: "
_NONE = "-"


def _nothing() -> None:
    """Nobody else has a record."""


class Keeper:
    """`boots` counts the starts, this one included; `seconds` since the last one; `log`: a `Log`; `refusals`: a `Tally`
    of the orders that were not obeyed; `complete` is called to write the operator's record; `age`: see journal.py."""

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
        self._started = self._booted = False
        # The modes that have had records, by their first letters.
        self._letter = board.mode[0]
        self._modes = ""
        self._seed = b""
        self._chance = None
        self._errors = 0
        self._errors_at = -_ERRORS_EVERY
        self._garbled = Tally()
        self.refusals = Tally()
        self.complete = _nothing
        self.age = 0
        self.seconds = 0
        self.boots = 0
        self.log = Log(self._journal)
        game.finished.fetch = self._fetch
        game.shoes.source = self._secret

    # -- the start ---------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Takes up what was stored. What cannot be trusted, or is not there, locks the game."""
        problem = _problem(self._load)
        # Beside a record that cannot be trusted the others are read and left as they are.
        self._journal.frozen = bool(problem)
        problem = _problem(self._load_boot) or problem or _problem(self._missing)
        self.boots += 1
        self.log.add(self.boots, self.seconds, "power on, " + self._board.mode)
        if problem:
            # Never a fresh bankroll in place of one that cannot be read: somebody has to decide.
            self._close(problem)
        else:
            self._start()

    def _load(self) -> None:
        game = self._game
        found = self._journal.read(self._prefix + record.NAME)
        if found:
            from holecard.table import restore  # noqa: PLC0415 - needed once

            self._number = found[0]
            restore.take_up(game, found[1])
            game.unsaved = False
            self._intact = True
            self._rounds = game.accounts.meters[ROUNDS]
            if len(game.finished) and game.shown and not game.in_round and not self._in_ring(self._rounds):
                self._rounds -= 1

    def _load_boot(self) -> None:
        try:
            boot = self._journal.read(_BOOT)
            if boot:
                entries, seed, modes = boot[1].split(" ")
                if seed != _NONE:
                    self._seed = boot[0].to_bytes(_COUNTER, "big") + a2b_base64(seed)
                    if len(self._seed) != _COUNTER + _SEED:
                        raise ValueError("record not understood")
                self.age, self.boots = divmod(boot[0], AGE)
                self._modes = modes
                self._booted = True
                self.log.find(int(entries))
        finally:
            if not self._booted:
                self.log.search()
                self.boots = self.log.last_start()

    def _missing(self) -> None:
        """JournalError if a record is not there that must have been."""
        if not (self._number and self._booted):
            from holecard.table import evidence  # noqa: PLC0415 - hardly ever needed

            kept = self._board.kept()
            evidence.missing(self._journal, self._letter, self._number, self._modes if self._booted else None, kept)

    @property
    def settled(self) -> bool:
        """Whether this mode has had its first day, so that it must have all its records."""
        return self._letter in self._modes or self._number > 1

    @property
    def intact(self) -> bool:
        """Whether the table is what was stored, so that its money is known."""
        return self._intact

    def _start(self) -> None:
        self._boot_due = self._hot_due = self._intact = True
        if not self._started:
            self._started = True
            self._game.accounts.count(RESETS)

    @property
    def open_for_writing(self) -> bool:
        return not self._closed

    def distrust(self, reason: str) -> None:
        """Locks the table over what was stored and writes nothing more, until `open`."""
        if not self._closed:
            self._close(reason)

    def _close(self, reason: str) -> None:
        self._closed = self._journal.frozen = True
        self._game.lock(reason)

    @property
    def sound(self) -> bool:
        """Whether `open` would keep the bankrolls."""
        return self._intact if self._closed else self._game.message.startswith(_ENTROPY)

    def open(self) -> bool:
        """Somebody has decided: from now on records are written again, whatever was there. OSError, and it stays as it
        was, when the flash does not take them.

        True if it was not the table's own record that could not be trusted, so that its bankrolls still can.
        """
        sound = self.sound
        if self._closed:
            from holecard.table import evidence  # noqa: PLC0415 - hardly ever needed

            self._closed = self._journal.frozen = False
            try:
                self._begin(evidence.next_age(self._journal))
            except OSError:
                self._closed = self._journal.frozen = True
                raise
            self._start()
        if self._chance and self._chance.fault:
            # The source may have been mended.
            self._chance = None
            self._boot_due = True
        return sound

    def _begin(self, age: int) -> None:
        """Writes the records beside the table's own with numbers of this `age`, above all that were there."""
        self.age = age
        self._number = max(self._number, age * AGE)
        if not self.log.count:
            self.log.count = age * AGE
        self._note()
        self.log.write()
        self.complete()
        self._put_boot(self._seed)

    def enter(self, text: str) -> None:
        """An entry of the log that is durable before what it tells of; OSError when the flash does not take it."""
        self.first()
        self._note()
        self.log.add(self.boots, self.seconds, text)
        if not self._closed:
            self.log.write()

    def first(self) -> None:
        """On the first day the table's own record comes before every other one."""
        if not self._number and not self._closed:
            self._game.unsaved = True
            self.store()

    def _note(self) -> None:
        """What the game has to say goes into the log."""
        for note in self._game.notes:
            self.log.add(self.boots, self.seconds, note)
        self._game.notes = []

    @property
    def told(self) -> Log:
        """The log with everything that has happened, written or not."""
        self._note()
        return self.log

    # -- writing -----------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True while something is still to be written or looked at."""
        if self._closed:
            return False
        if self._game.unsaved or self._recall or self._due():
            return True
        return self._boot_due or self._hot_due or not self._checked or (self._chance is not None and self._chance.due)

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
            if self._number:
                self._register()
            if rounds != self._rounds:
                self._rounds = rounds
                self._recall = record.round_words("S", game.last_round, game.finished.place(0))
            self._number += 1
            self._hot = seal(self._number, record.pack(game))
            self._journal.write(self._prefix + record.NAME, self._hot)
            self._register()
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
            self._garbled.add(new)
        self._tell(self._garbled, "errors: ")
        self._tell(self.refusals, "orders refused: ")
        return self.pending and self._tidy()

    def _tell(self, tally: Tally, what: str) -> None:
        if tally.due(self.seconds):
            self.log.add(self.boots, self.seconds, what + str(tally.new) + tally.last)
            tally.new = 0

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
                self._note()
                self.log.write()
            elif self._boot_due:
                if self.chance.test():
                    self._write_boot()
                    self._heed()
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

    def _register(self) -> None:
        """Now that the table's own record is there, the others, and that from now on they have to be."""
        if self._letter not in self._modes:
            self.complete()
            self._put_boot(self._seed)

    def _put_boot(self, seed: bytes) -> str:
        """Writes the record of this start, with that seed behind its counter; its body."""
        modes = self._modes if self._letter in self._modes else self._modes + self._letter
        text = b2a_base64(seed[_COUNTER:]).decode().strip() or _NONE
        body = "%d %s %s" % (self.log.count, text, modes)
        self._journal.write(_BOOT, seal(self.age * AGE + self.boots, body))
        self._modes = modes
        return body

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
        body = self._put_boot(record)
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
        self._journal.write(self._name(self._rounds), seal(self._number // AGE * AGE + self._rounds % AGE, words))

    def _in_ring(self, number: int) -> bool:
        found = self._journal.read(self._name(number))
        return found is not None and found[0] % AGE == number % AGE

    def _fetch(self, back: int):
        from holecard.table import restore  # noqa: PLC0415 - for rounds of long ago only

        number = self._game.accounts.meters[ROUNDS] - back
        try:
            found = self._journal.read(self._name(number))
            if found and found[0] % AGE == number % AGE:
                return restore.read_round(found[1].split(" "))
        except (OSError, ValueError):
            pass
        raise Refused("that round cannot be read")


def _problem(do) -> str:
    """Does it; "" or what was wrong with the records."""
    try:
        do()
    except OSError:
        return "the flash cannot be read"
    except ValueError as error:
        return str(error)
    return ""
