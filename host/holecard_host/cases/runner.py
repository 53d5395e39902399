"""Plays a case on a table over the wire and compares everything that it expects.

One runner for every stand, on the step engine that scripts and tests use, too. Legal actions go by name
(`ROUNd:ACTion`) or by the buttons; refused ones always by name, because a button whose lamp is dark cannot ask for
them. Money inside is in half-dollars.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from holecard_host.cases.buttons import Buttons
from holecard_host.cases.compare import Played, mismatches
from holecard_host.cases.model import Action, Case, shoe_request
from holecard_host.cases.money import dollars
from holecard_host.errors import HolecardError, ScpiError, StepFailed, UsageFault
from holecard_host.steps import Steps
from holecard_host.steps.engine import REFUSALS

if TYPE_CHECKING:
    from holecard_host.stands import Stand

WAYS = ("name", "buttons")
_COMMANDS = {"H": "HIT", "S": "STAND", "D": "DOUBle", "P": "SPLit", "INS": "INSure", "I": "INSure", "NOINS": "DECLine"}
# What time alone may change in the state: lamps and labels wake up after the dark half second that follows a round.
_NOT_FACTS = ("labels", "lamps", "page")


@dataclass(frozen=True)
class Verdict:
    """What came of one case; `detail` is one line, empty when it passed."""

    id: str
    title: str
    passed: bool
    detail: str


def run_cases(stand: Stand, cases: Iterable[Case], by: str = "name") -> Iterator[Verdict]:
    """Run each case and yield its verdict at once. Raises StandFault and FirmwareCrash as the stand does."""
    runner = Runner(stand, by)
    for case in cases:
        yield runner.run(case)


class Runner:
    """Runs cases on one stand, legal actions `by` "name" or "buttons".

    Raises UsageFault when the stand cannot press, or `by` is neither.
    """

    def __init__(self, stand: Stand, by: str = "name") -> None:
        if by not in WAYS:
            raise UsageFault(f"--by {by}: one of {', '.join(WAYS)}")
        if by == "buttons" and not stand.capabilities & {"pins", "commands"}:
            raise UsageFault(f"{stand.url} has no buttons that can be pressed from here: use --by name")
        self._steps = Steps(stand)
        self._buttons = Buttons(self._steps) if by == "buttons" else None

    def run(self, case: Case) -> Verdict:
        """Play one case. A table that behaves wrongly gives a failed verdict; a stand that is lost raises."""
        try:
            problems = self._play(case)
        except StepFailed as failure:
            problems = [str(failure)]
        return Verdict(case.id, case.title, not problems, "; ".join(problems))

    def state(self) -> dict[str, Any]:
        """The answer of `TABLe:STATe?`."""
        return self._record("TABL:STAT?")

    def _play(self, case: Case) -> list[str]:
        self._set_up(case)
        before = self.state()
        refusal = self._bet(case)
        if refusal:
            return self._rejected(case, before, refusal)
        if case.expect.rejected_bet:
            raise StepFailed("rejected_bet: the bet was taken and the round dealt")
        deal = self._record("TABL:DEAL?")
        for number, action in enumerate(case.actions, 1):
            what = f"action {number} ({action})"
            if action.refused:
                self._try_refused(action, what)
            else:
                self._act(action, what)
        after = self.state()
        if after.get("phase") in ("insurance", "playing", "doubling"):
            raise StepFailed(
                f"the round is not over after the last action: seat {after.get('seat')} is {after['phase']}"
            )
        return mismatches(case, Played(before, deal, after))

    def _set_up(self, case: Case) -> None:
        lines = [
            f"BENC:RUL {case.rules}",
            f"BENC:RUL:SET min_bet,{dollars(case.table_min)}",
            f"BENC:SEAT {len(case.bets)}",
            *(f"BENC:BANK {seat},{dollars(amount)}" for seat, amount in enumerate(case.bankrolls)),
            shoe_request(case.cards),
        ]
        for line in lines:
            self._command(line, f"set-up, {line}")

    def _bet(self, case: Case) -> str:
        """Place the bets and deal; the reason when the table refuses."""
        lines = [f"ROUN:BET {seat},{dollars(bet)}" for seat, bet in enumerate(case.bets)]
        for line in [*lines, "ROUN:DEAL"]:
            try:
                self._steps.send(line)
            except ScpiError as error:
                if error.code not in REFUSALS:
                    raise StepFailed(f"{line}: {error}") from None
                return f"{line}: {error}"
        return ""

    def _rejected(self, case: Case, before: dict[str, Any], refusal: str) -> list[str]:
        if not case.expect.rejected_bet:
            raise StepFailed(f"the bet was refused ({refusal})")
        after = self.state()
        problems = [
            f"the refused bet changed {key} from {before.get(key)} to {after.get(key)}"
            for key in ("round", "bankrolls", "cards_used", "dealer", "shoe")
            if before.get(key) != after.get(key)
        ]
        return problems + mismatches(case, Played(before, None, after))

    def _try_refused(self, action: Action, what: str) -> None:
        before = self._facts()
        self._steps.expect_refused(_by_name(action), what=what)
        after = self._facts()
        changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
        if changed:
            raise StepFailed(f"{what} was refused but changed {', '.join(changed)}")

    def _act(self, action: Action, what: str) -> None:
        if self._buttons is None:
            self._command(_by_name(action), what)
            return
        try:
            self._buttons.act(action, self.state)
        except StepFailed as fault:
            raise StepFailed(f"{what}: {fault}") from None

    def _facts(self) -> dict[str, Any]:
        return {key: value for key, value in self.state().items() if key not in _NOT_FACTS}

    def _command(self, line: str, what: str) -> None:
        try:
            self._steps.send(line)
        except ScpiError as error:
            raise StepFailed(f"{what}: {error}") from None

    def _record(self, query: str) -> dict[str, Any]:
        try:
            return self._steps.record(query)
        except ScpiError as error:
            raise StepFailed(f"{query}: {error}") from None


def _by_name(action: Action) -> str:
    amount = "" if action.amount is None else f",{dollars(action.amount)}"
    return f"ROUN:ACT {action.seat},{_COMMANDS[action.do]}{amount}"


def not_run(cases: Iterable[Case], fault: HolecardError) -> list[Verdict]:
    """Verdicts for cases that a lost stand leaves undone."""
    return [Verdict(case.id, case.title, False, f"not run: {fault}") for case in cases]
