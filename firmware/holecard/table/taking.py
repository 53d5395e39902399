"""What a table takes up at its start, what must have been there, and the way on after a lock over the records.

On the first day of a mode comes `hot`, with the number 1, then what the operator sets (house.py), then the mode's
letter in `boot`. So from then on each of them must be there: one that is gone locks the table.
"""

from binascii import a2b_base64, b2a_base64

from holecard.table import record, ticks
from holecard.table.accounts import RESETS, ROUNDS
from holecard.table.journal import AGE, Journal, JournalError, seal
from holecard.table.log import Log, Tally
from holecard.table.recall import KEPT
from holecard.table.seats import LOCKED

SECOND = 1_000_000
# Protocol errors can come by the thousand: they are counted together every so many seconds.
ERRORS_EVERY = 10
COUNTER = 8
BOOT = "boot"
ENTROPY = "ENTROPY: "
_SEED = 32
_NONE = "-"


def _nothing() -> None:
    """Nobody else has a record."""


class Taking:
    """What a `Keeper` is before it writes anything of the game; see there."""

    def __init__(self, board, game, status) -> None:
        self._board = board
        self._game = game
        self._status = status
        self._journal = Journal(board)
        self._prefix = "b" if board.mode == "bench" else ""
        self._second_at = ticks.add(game.now, SECOND)
        self._closed = self._doubted = False
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
        self._errors = 0
        self._errors_at = -ERRORS_EVERY
        self._garbled = Tally()
        self.refusals = Tally()
        self.complete = _nothing
        self.age = 0
        self.seconds = 0
        self.boots = 0
        self.log = Log(self._journal)

    # -- the start ---------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Takes up what was stored. What cannot be trusted, or is not there, locks the game."""
        problem = problem_of(self._load)
        # Beside a record that cannot be trusted the others are read and left as they are.
        self._journal.frozen = bool(problem)
        beside = problem_of(self._load_boot)
        problem = problem or beside or problem_of(self._missing)
        self.boots += 1
        self.log.add(self.boots, self.seconds, "power on, " + self._board.mode)
        if problem:
            # Never a fresh bankroll in place of one that cannot be read: somebody has to decide.
            self._close(problem)
            self.distrust(beside or problem)
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
            boot = self._journal.read(BOOT)
            if boot:
                self._take_boot(boot[0], boot[1].split(" "))
        except JournalError:
            raise
        except ValueError:
            raise JournalError("record not understood")
        finally:
            if not self._booted:
                self.log.search()
                self.boots = self.log.last_start()

    def _take_boot(self, number: int, words: list) -> None:
        entries, seed, modes = words
        count = int(entries)
        if seed != _NONE:
            self._seed = number.to_bytes(COUNTER, "big") + a2b_base64(seed)
        if len(self._seed) not in (0, COUNTER + _SEED):
            self._seed = b""
            raise ValueError
        self.age, self.boots = divmod(number, AGE)
        self._modes = modes.replace(_NONE, "")
        self._booted = True
        self.log.find(count)

    def _missing(self) -> None:
        """JournalError if a record is not there that must have been."""
        if not (self._number and self._booted):
            from holecard.table import evidence  # noqa: PLC0415 - hardly ever needed

            kept = self._board.kept() or self.log.count > 0
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
        """Locks the table over what was stored and writes nothing more, until `open`. A lock that is there already
        stays the one that is shown."""
        if not self._closed:
            self._close(reason)
        elif reason != self._game.message:
            self._game.alarm(reason)

    def _close(self, reason: str) -> None:
        self._closed = self._journal.frozen = True
        # What was locked over its money is no better for a record that fails too.
        self._doubted = self._game.phase == LOCKED and not self._game.message.startswith(ENTROPY)
        self._game.lock(reason)

    @property
    def sound(self) -> bool:
        """Whether `open` would keep the bankrolls."""
        if self._closed:
            return self._intact and not self._doubted
        return self._game.message.startswith(ENTROPY)

    def open(self, entry: str) -> bool:
        """Somebody has decided, as `entry` tells: from now on records are written again, whatever was there. OSError,
        and it stays as it was, when the flash does not take them.

        True if it was not the table's own record that could not be trusted, so that its bankrolls still can.
        """
        sound = self.sound
        if self._closed:
            from holecard.table import evidence  # noqa: PLC0415 - hardly ever needed

            self._closed = self._journal.frozen = False
            try:
                self._begin(evidence.next_age(self._journal), entry)
            except OSError:
                self._closed = self._journal.frozen = True
                raise
            self._start()
        elif entry:
            self._enter(entry)
        return sound

    def _begin(self, age: int, entry: str) -> None:
        """Writes the records beside the table's own with numbers of this `age`, above all that were there."""
        self.age = age
        self._number = max(self._number, age * AGE)
        if not self.log.count:
            self.log.count = age * AGE
        self._enter(entry)
        # The one that could not be trusted last: until it is there a restart finds the lock again.
        if not self._booted:
            self.complete()
        self._put_boot(self._seed, self._modes.replace(self._letter, "") + self._letter)
        if self._booted:
            self.complete()
        self._booted = True

    def _enter(self, text: str) -> None:
        """Writes what the log is to tell, and `text`, "" for no more; OSError, and that is not there, if it fails."""
        self._note()
        if text:
            self.log.enter(self.boots, self.seconds, text)
        else:
            self.log.write()

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

    def _name(self, number: int) -> str:
        return "%sr%d" % (self._prefix, number % KEPT)

    def _in_ring(self, number: int) -> bool:
        try:
            found = self._journal.read(self._name(number))
        except JournalError:
            # The table's own record has that round too: it is written anew.
            return False
        return found is not None and found[0] % AGE == number % AGE

    def _put_boot(self, seed: bytes, modes: str) -> str:
        """Writes the record of this start, with that seed behind its counter; its body."""
        text = b2a_base64(seed[COUNTER:]).decode().strip() or _NONE
        body = "%d %s %s" % (self.log.count, text, modes or _NONE)
        self._journal.write(BOOT, seal(self.age * AGE + self.boots, body))
        self._modes = modes
        return body


def problem_of(do) -> str:
    """Does it; "" or what was wrong with the records."""
    try:
        do()
    except OSError:
        return "the flash cannot be read"
    except ValueError as error:
        return str(error)
    return ""
