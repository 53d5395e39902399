"""The steps of a test, on any stand.

Each returns when the table has nothing pending (`*OPC?`), so that the next finds what this one did. What the table does
not do as expected raises StepFailed, what it refuses ScpiError, what the stand lacks Unsupported, a lost stand
StandFault or FirmwareCrash. Times are the table's own milliseconds, money is dollars, seats count from 0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..cases.model import shoe_request
from ..errors import ScpiError, StepFailed, UsageFault
from ..stands.base import KEYS, PRESS_MS, Stand, key_index
from .compare import check_wanted, differences, shown

if TYPE_CHECKING:
    from ..picture import Picture
    from ..wire import Event

# Longer than every hold of the table, and than its repetition needs to begin.
HOLD_MS = 1000
# The wire takes no longer ones.
LONGEST_PRESS_MS = 10_000
# SCPI's words for "not now" and "not this value": settings conflict, data out of range, illegal parameter value.
REFUSALS = (-221, -222, -224)


class Steps:
    """Drives the table on `stand`."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self.wire = stand.wire

    # Asking and telling

    def send(self, line: str) -> None:
        """Send a line of commands."""
        self.wire.command(line)

    def ask(self, line: str) -> str:
        """Send a query and return its answer."""
        return self.wire.ask(line)

    def record(self, query: str) -> dict[str, Any]:
        """The answer to a query, which has to be a JSON object."""
        answer = self.wire.ask(query)
        try:
            value = json.loads(answer)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise StepFailed(f"{query} answered no JSON object: {answer[:80]!r}")
        return value

    def state(self) -> dict[str, Any]:
        """What can be seen of the round: `TABLe:STATe?`."""
        return self.record("TABL:STAT?")

    def history(self) -> str:
        """The line that replays the last finished round."""
        return self.wire.ask("TABL:HIST?")

    def settle(self) -> None:
        """Wait until the table has nothing pending: no press, card, picture or record."""
        self.wire.ask("*OPC?")

    # Hands

    def press(self, key: str | int, ms: int = PRESS_MS, bounce: int | None = None) -> None:
        """Press a key for so many whole milliseconds; `bounce` is the seed of a bounce pattern."""
        if not isinstance(ms, int) or not 1 <= ms <= LONGEST_PRESS_MS:
            raise UsageFault(f"a press takes 1 to {LONGEST_PRESS_MS} whole milliseconds, not {ms}")
        self.stand.press(key, ms, bounce)
        self.settle()

    def hold(self, key: str | int, ms: int = HOLD_MS) -> None:
        """Press a key for long enough to mean something else."""
        self.press(key, ms)

    def chord(self, keys: Iterable[str | int], ms: int = PRESS_MS) -> None:
        """Press several keys at the same instant, and let go of them at the same instant."""
        self.stand.require("pins")
        pressed = [key_index(key) for key in keys]
        self.stand.press_down(*pressed)
        self.stand.advance(ms)
        self.stand.release(*pressed)
        self.stand.advance(PRESS_MS)
        self.settle()

    def press_lit(self, key: str, state: Mapping[str, Any]) -> None:
        """Press a key whose lamp has to be lit in this state, as it is exactly when a press does something."""
        if not int(state.get("lamps") or 0) >> key_index(key) & 1:
            raise StepFailed(f"the lamp of {key} is dark while the table is {state.get('phase')}")
        self.press(key)

    # Playing by name

    def rules(self, name: str, **fields: object) -> None:
        """A new table under these rules, with these fields of them changed: `rules("casino", min_bet=10)`."""
        self.send(f"BENC:RUL {name}")
        for field, value in fields.items():
            self.send(f"BENC:RUL:SET {field},{parameter(value)}")

    def seats(self, count: int) -> None:
        """A new table with so many seats."""
        self.send(f"BENC:SEAT {count}")

    def bankroll(self, dollars: float, seat: int = 0) -> None:
        """Set a bankroll."""
        self.send(f"BENC:BANK {seat},{dollars:.10g}")

    def shoe(self, *cards: str | int) -> None:
        """Stack the next round: ranks in the order in which the cards leave the shoe, such as "A", "K", 9."""
        self.send(shoe_request([str(card) for card in cards]))

    def bet(self, dollars: float, seat: int = 0) -> None:
        """Set a bet; 0 sits out."""
        self.send(f"ROUN:BET {seat},{dollars:.10g}")

    def deal(self) -> None:
        """Take the bets and deal; returns when the cards lie on the table."""
        self.send("ROUN:DEAL")
        self.settle()

    def act(self, do: str, seat: int = 0, dollars: float | None = None) -> None:
        """HIT, STAND, DOUBle (with dollars: for less), SPLit, INSure or DECLine, by name."""
        self.send(f"ROUN:ACT {seat},{do}{'' if dollars is None else f',{dollars:.10g}'}")
        self.settle()

    def next_round(self) -> None:
        """Back to betting."""
        self.send("ROUN:NEXT")
        self.settle()

    # Time and power

    def wait(self, ms: float) -> None:
        """Let time pass."""
        self.stand.advance(ms)

    def listen(self) -> None:
        """From now on events are kept for `expect_event`; what happened before is forgotten."""
        self.stand.listen()

    def cut_power(self, ms: float = 500) -> None:
        """Switch the table off for this long, and on again; returns when it answers."""
        self.stand.require("power")
        self.stand.cut()
        self.stand.advance(ms)
        self.stand.restore()
        self.settle()

    def fresh(self) -> None:
        """A new table as on its first day: Sifl & Olly's rules, one seat, nothing bet, nothing in any queue."""
        if "pins" in self.stand.capabilities:
            self.stand.release(*KEYS)
        for line in ("*CLS", "BENC:RUL sifl", "BENC:SEAT 1", "BENC:CLE", "DISP:ANIM ON"):
            self.send(line)
        self.listen()

    # Eyes

    def picture(self) -> Picture:
        """What the panel shows now."""
        self.settle()
        return self.stand.panel()

    def lamps(self) -> set[str]:
        """The names of the keys whose lamps are lit."""
        mask = self.stand.lamps()
        return {key for index, key in enumerate(KEYS) if mask >> index & 1}

    def expect_state(self, wanted: Mapping[str, Any] | None = None, within_ms: float = 0, **fields: Any) -> None:
        """The state has these fields, now or by the deadline; a field may be a path as in `seats[0].net`."""
        self._expect_record("TABL:STAT?", {**(wanted or {}), **fields}, within_ms)

    def expect_lamps(self, keys: str | Iterable[str], within_ms: float = 0) -> None:
        """Exactly these lamps are lit: "BET HIT", or a list."""
        names = keys.replace(",", " ").split() if isinstance(keys, str) else list(keys)
        wanted = {KEYS[key_index(name)] for name in names}

        def missed() -> str:
            return f"lamps: expected {_names(wanted)}, lit are {_names(self.lamps())}"

        self.settle()
        self.stand.wait_until(lambda: True if self.lamps() == wanted else None, within_ms, _by(within_ms, missed))

    def expect_answer(self, query: str, wanted: Any, within_ms: float = 0) -> None:
        """A query's answer is this: a text, a number, a compiled pattern for the whole of it, or the fields of JSON."""
        if isinstance(wanted, Mapping | list | tuple):
            self._expect_record(query, wanted, within_ms)
            return
        answer = ""

        def look() -> bool | None:
            nonlocal answer
            answer = self.wire.ask(query)
            return _answers(wanted, answer) or None

        def missed() -> str:
            what = f"to match {wanted.pattern!r}" if isinstance(wanted, re.Pattern) else shown(wanted)
            return f"{query}: expected {what}, got {shown(answer)}"

        self.stand.wait_until(look, within_ms, _by(within_ms, missed))

    def expect_refused(self, line: str, codes: Iterable[int] = REFUSALS, what: str = "") -> ScpiError:
        """The table refuses this line with one of these error numbers, and that is returned. Messages say `what`."""
        try:
            self.send(line)
        except ScpiError as error:
            if error.code in codes:
                return error
            raise StepFailed(f"{what or line} was answered with {error}, not with a refusal") from None
        raise StepFailed(f"{what or line} was not refused")

    def expect_event(self, kind: str, within_ms: float = 2000, **fields: Any) -> Event:
        """An event comes by the deadline; see Stand.wait_event."""
        return self.stand.wait_event(kind, within_ms, **fields)

    def _expect_record(self, query: str, wanted: Any, within_ms: float) -> None:
        check_wanted(wanted)
        problems: list[str] = []

        def look() -> bool | None:
            try:
                found = json.loads(self.wire.ask(query))
            except ValueError:
                problems[:] = ["no JSON"]
            else:
                problems[:] = differences(wanted, found)
            return None if problems else True

        self.stand.wait_until(look, within_ms, _by(within_ms, lambda: f"{query}: {'; '.join(problems)}"))


def _by(within_ms: float, missed: Any) -> Any:
    return (lambda: f"{missed()} (after {within_ms:g} ms)") if within_ms else missed


def _answers(wanted: Any, answer: str) -> bool:
    if isinstance(wanted, re.Pattern):
        return wanted.fullmatch(answer) is not None
    if isinstance(wanted, str):
        return answer == wanted
    try:
        return not list(differences(wanted, json.loads(answer)))
    except ValueError:
        return False


def _names(keys: set[str]) -> str:
    return " ".join(key for key in KEYS if key in keys) or "none"


def parameter(value: object) -> str:
    """A rule as the table takes it. Raises UsageFault."""
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    if isinstance(value, str) and ":" in value:
        return f'"{value}"'
    if isinstance(value, str | int | float):
        return str(value)
    raise UsageFault(f"a rule is a number, True or False, or a text, not {value!r}")
