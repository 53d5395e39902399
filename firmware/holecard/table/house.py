"""What the owner has decided about this table, and where it is kept: a record of its own, `op`, `bop` in bench mode.

    <counter> <failures> <play><credits><sound> <limit>

It is there from the first day of its mode on: see keeper.py. It also notices when the table comes from its other mode:
whoever had the prompt may have read the record, so the open round is void and the shoe another one. Which mode was the
last is the record `mode`, there from the first change on.
"""

from holecard.table.journal import AGE, Journal, JournalError, seal
from holecard.table.seats import LOCKED

CLOSED = "The operator has closed the table."
_NAME = "op"
_MODE = "mode"
_HOT = "hot"


class House:
    """`play`, `credits`, `sound`: flags; `limit`: half-dollars, 0 for none; `counter`: that of the last authenticated
    command; `failures`: attempts since then. `secret`: 32 bytes for nonces; `authority`: None before the first one."""

    def __init__(self, board, game, keeper, secret: bytes) -> None:
        self._mode = board.mode
        self._bench = board.mode == "bench"
        self._game = game
        self._keeper = keeper
        self._journal = Journal(board)
        self._number = 0
        # Whether the record cannot be trusted; whether `mode` has to be written once the lock is cleared.
        self._damaged = self._mode_due = False
        self.secret = secret
        self.authority = None
        self.counter = 0
        self.failures = 0
        self.play = True
        self.credits = False
        self.sound = True
        self.limit = 0
        # "" or why no round begins although the operator has nothing against it.
        self.scarce = ""
        game.arcade = not self._bench
        keeper.complete = self.mend

    def load(self) -> None:
        """Takes up what was stored. A record that cannot be trusted, or is gone, locks the table."""
        for take in (self._load, self._compare_modes):
            self._journal.frozen = not self._keeper.open_for_writing
            try:
                take()
            except OSError:
                self._keeper.distrust("the flash cannot be read")
            except ValueError as error:
                self._keeper.distrust(str(error))
        self._apply()

    def _load(self) -> None:
        name = self._name(_NAME)
        self._damaged = True
        found = self._journal.read(name)
        if found:
            self._number = found[0]
            try:
                self._take(found[1].split(" "))
            except ValueError:
                raise JournalError("record not understood")
        elif self._keeper.settled:
            raise JournalError("the record " + name + " is gone")
        self._damaged = False

    @property
    def damaged(self) -> bool:
        """Whether what the operator had set is lost."""
        return self._damaged

    def save(self) -> bool:
        """As `Journal.write`. What cannot be trusted stays as evidence until the lock is cleared."""
        if self._damaged and not self._keeper.open_for_writing:
            return True
        self._keeper.first()
        flags = "%d%d%d" % (self.play, self.credits, self.sound)
        body = "%d %d %s %d" % (self.counter, self.failures, flags, self.limit)
        self._number += 1
        return self._journal.write(self._name(_NAME), seal(self._number, body))

    def mend(self) -> None:
        """The record is written anew, on the first day or because a lock has been cleared. OSError as `save`."""
        self._journal.frozen = False
        self._number = max(self._number, self._keeper.age * AGE)
        if self._mode_due:
            self._journal.write(_MODE, seal(max(self._journal.newest(_MODE), self._number) + 1, self._mode))
            self._mode_due = False
        self.save()
        self._damaged = False

    def change(self, name: str, value) -> None:
        """Sets one of `play`, `credits`, `sound`, `limit`, durably; OSError, and nothing changed, if that fails. If
        only one copy takes it, it is changed, and the table locks."""
        before = getattr(self, name)
        setattr(self, name, value)
        try:
            if not self.save():
                self._keeper.distrust("the flash keeps no record")
        except OSError:
            setattr(self, name, before)
            raise
        self._apply()

    def run_short(self, scarce: str) -> None:
        """No round begins for this reason, until it is "" again."""
        self.scarce = scarce
        self._apply()

    def _name(self, name: str) -> str:
        return ("b" if self._bench else "") + name

    def _take(self, words: list) -> None:
        counter, failures, flags, limit = words
        numbers = [int(counter), int(failures), int(limit)]
        if len(flags) != 3 or [flag for flag in flags if flag not in "01"] or min(numbers) < 0:
            raise ValueError
        self.counter, self.failures, self.limit = numbers
        self.play, self.credits, self.sound = [flag == "1" for flag in flags]

    def _apply(self) -> None:
        self._game.run_by(self.scarce if self.play else CLOSED, self.credits, self.limit)

    def _compare_modes(self) -> None:
        self._mode_due = True
        found = self._journal.read(_MODE)
        self._mode_due = False
        if found is None and self._journal.read(_HOT if self._bench else "b" + _HOT) is None:
            return
        game = self._game
        if found and found[1] == self._mode:
            return
        if game.phase == LOCKED and not self._keeper.open_for_writing:
            self._mode_due = True
            return
        # What the last round was is not forgotten with it.
        game.unsaved = True
        self._keeper.store()
        if not self._keeper.open_for_writing:
            self._mode_due = True
            return
        void = game.in_round
        game.start_over(game.rules, game.seats)
        game.notes.append("mode changed" + (": round void" if void else ""))
        # First the new secret, then what says that there is one.
        self._keeper.store()
        self._mode_due = True
        if self._keeper.open_for_writing:
            self._journal.write(_MODE, seal(found[0] + 1 if found else 1, self._mode))
            self._mode_due = False
