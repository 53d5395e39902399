"""Whoever writes down what must survive, and takes it up again: the records of a table, when, and in which order.

    hot         the table with its open round (record.py), before anything of it is shown or told
    r0 .. r11   the last rounds, by the number of rounds before them
    boot        how often the table was started, how many entries the log had then, the seed for the next start, the
                modes that have records
    l0 .. l15   the log (log.py)

The records of a table in bench mode have a `b` in front: what the bench does with them changes nothing of the others.
`boot` and the log belong to the machine. While the record is one that cannot be trusted, nothing is written at all: it
is evidence.
"""

from holecard.rules.ruleset import Refused
from holecard.table import record, ticks
from holecard.table.accounts import ERRORS, RESETS, ROUNDS
from holecard.table.journal import AGE, JournalError, seal
from holecard.table.log import Tally
from holecard.table.seats import LOCKED
from holecard.table.taking import BOOT, ENTROPY, ERRORS_EVERY, SECOND, Taking, problem_of


class Keeper(Taking):
    """`boots` counts the starts, this one included; `seconds` since the last one; `log`: a `Log`; `refusals`: a `Tally`
    of the orders that were not obeyed; `complete` is called to write the operator's record; `age`: see journal.py."""

    def __init__(self, board, game, status) -> None:
        super().__init__(board, game, status)
        self._chance: "object | None" = None
        game.finished.fetch = self._fetch
        game.shoes.source = self._secret

    def open(self, entry: str) -> bool:
        sound = super().open(entry)
        if self._chance and self.chance.fault:
            # The source may have been mended.
            self._chance = None
            self._boot_due = True
            self._game.warning = ""
        return sound

    def enter(self, text: str) -> None:
        """An entry of the log that is durable before what it tells of; OSError, and it is not there, when the flash
        does not take it. A table that writes nothing remembers it."""
        self.first()
        if self._closed:
            self.log.add(self.boots, self.seconds, text)
        else:
            self._enter(text)

    def first(self) -> None:
        """On the first day the table's own record comes before every other one."""
        if not self._number and not self._closed:
            self._game.unsaved = True
            self.store()

    # -- writing -----------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True while something is still to be written or looked at."""
        if self._closed:
            return False
        if self._game.unsaved or self._recall or self._due():
            return True
        if self._boot_due or self._hot_due or not self._checked:
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
        problem = ""
        try:
            if self._write_hot():
                # What it tells of is stored.
                self._note()
                return True
        except OSError:
            # It was tried twice (journal.py).
            problem = self._fall_back()
            if not problem:
                self._status.error(-310, "the record was not saved")
        self._close(problem or "the flash keeps no record")
        return True

    def _fall_back(self) -> str:
        """The table becomes what a restart would find: nothing else may be seen of it or told. "" or what is wrong."""
        self._journal.frozen = True
        self._recall = ""
        self._intact = False
        self._rounds = 0
        game = self._game
        # Starts, power cuts and errors: reading the record is none of them, and what it does not know yet was one.
        counted = game.accounts.meters[RESETS:]
        problem = problem_of(self._load)
        game.notes = []
        game.take_back(self._intact)
        if self._intact:
            game.accounts.meters[RESETS:] = counted
        return problem

    def _write_hot(self) -> bool:
        game = self._game
        rounds = game.accounts.meters[ROUNDS]
        if self._recall:
            self._write_recall()
        if self._number:
            self._register()
        if rounds != self._rounds:
            self._rounds = rounds
            self._recall = record.round_words("S", game.last_round, game.finished.place(0))
        self._number += 1
        self._hot = seal(self._number, record.pack(game))
        kept = self._journal.write(self._prefix + record.NAME, self._hot)
        self._register()
        # Looked at in rest, both copies, before the next round.
        self._checked = game.in_round
        return kept

    def tick(self, now: int) -> None:
        """Counts the seconds; to be called even while nothing may be written, or a key that never comes to rest stops
        them, and with them whatever waits for its time."""
        while ticks.diff(now, self._second_at) >= 0:
            self._second_at = ticks.add(self._second_at, SECOND)
            self.seconds += 1

    def rest(self) -> bool:
        """Counts the errors of the protocol; writes one piece of what may wait. True if it did."""
        new = self._status.garbled - self._errors
        if new and self.seconds - self._errors_at >= ERRORS_EVERY:
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
                # What was found while a round was open.
                self._heed()
        except OSError:
            self._recall = ""
            # No error in the queue: whoever has just given an order would take it for refused.
            self._game.tell_error(-310, "a record of the past was not saved")
        except JournalError as error:
            self._close(str(error))
        except Refused:
            self._heed()
        return True

    def _register(self) -> None:
        """Now that the table's own record is there, the others, and that from now on they have to be."""
        if self._letter not in self._modes:
            self.complete()
            self._put_boot(self._seed, self._modes + self._letter)

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
        body = self._put_boot(record, self._modes)
        if not begun:
            found = self._journal.read(BOOT)
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
        if not self.boots:
            # A round that its deal has ended is settled while the records are read, and the seed may not be there yet.
            raise Refused("the table is starting")
        try:
            if not self.chance.ready:
                # The table's own record comes first: one that has others and not this one has lost it.
                self.first()
                if self._closed:
                    raise Refused("the records are closed")
                while not self.chance.test():
                    pass
                self._write_boot()
            return self.chance.secret(stirred)
        except OSError:
            raise Refused("the record was not saved")
        except JournalError as error:
            # The table locks in rest, if it is so then: not in the middle of what needs the secret.
            self._boot_due = True
            raise Refused(str(error))
        finally:
            self._heed()

    def _heed(self) -> None:
        """An entropy source that has failed ends real play, though not in the middle of a round."""
        fault = self.chance.fault
        game = self._game
        if not fault or game.in_round or game.warning or game.phase == LOCKED:
            return
        text = ENTROPY + "the source " + fault
        if self._board.mode == "arcade":
            game.lock(text)
            return
        game.warning = ENTROPY + "bench only."
        game.changes += 1
        game.notes.append(text)
        self._status.error(-330, text)

    # -- the ring of rounds ------------------------------------------------------------------------------------------

    def _write_recall(self) -> None:
        number = self._number // AGE * AGE + self._rounds % AGE
        self._journal.write(self._name(self._rounds), seal(number, self._recall))
        self._recall = ""

    def _fetch(self, back: int):
        from holecard.table import resume  # noqa: PLC0415 - for rounds of long ago only

        number = self._game.accounts.meters[ROUNDS] - back
        try:
            found = self._journal.read(self._name(number))
            if found and found[0] % AGE == number % AGE:
                return resume.read_round(found[1].split(" "))
        except (OSError, ValueError):
            pass
        raise Refused("that round cannot be read")
