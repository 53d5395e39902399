"""A case's actions by the four buttons: which key means what while insurance is open and while a hand is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from holecard_host.cases.model import Action
from holecard_host.cases.money import dollars, halves
from holecard_host.stands.base import KEYS

if TYPE_CHECKING:
    from holecard_host.stands import Stand

_PRESS_MS = 60
_MOST_STEPS = 1000  # presses of more or less before the runner gives up on an amount
_MEANING = {
    "insurance": {"INS": "BET", "NOINS": "STAND"},
    "playing": {"P": "BET", "H": "HIT", "S": "STAND", "D": "DOUBLE"},
}


class ButtonFault(Exception):
    """The buttons did not do what the button table promises."""


class Buttons:
    """Presses keys on a stand; before each press its lamp must be lit, as it is exactly when a press does something."""

    def __init__(self, stand: Stand) -> None:
        self._stand = stand

    def press(self, key: str, ms: int = _PRESS_MS) -> None:
        """Press one key, and wait until the table has nothing pending."""
        self._stand.press(key, ms)
        self._stand.wire.ask("*OPC?")

    def act(self, action: Action, state: Callable[[], dict[str, Any]]) -> None:
        """Do one legal action. Raises ButtonFault when it is another seat's turn, the key is dark, or the state odd."""
        try:
            self._act(action, state)
        except (TypeError, ValueError, KeyError, IndexError) as error:
            raise ButtonFault(f"the state cannot be read ({type(error).__name__}: {error})") from None

    def _act(self, action: Action, state: Callable[[], dict[str, Any]]) -> None:
        # Lamps are dark while cards are still being turned.
        self._stand.wire.ask("*OPC?")
        now = state()
        if now.get("seat") != action.seat:
            raise ButtonFault(f"seat {now.get('seat')} is to act, not seat {action.seat}")
        key = _MEANING.get(str(now.get("phase")), {}).get(action.do)
        if key is None:
            raise ButtonFault(f"no button means {action.do} while the table is {now.get('phase')}")
        self._press_lit(key, now)
        if action.do == "D":
            self._amount(action, now, state)

    def _amount(self, action: Action, before: dict[str, Any], state: Callable[[], dict[str, Any]]) -> None:
        """After DOUBLE: where less is possible the table asks how much; otherwise it has doubled already."""
        now = state()
        limits = before.get("double")
        if now.get("phase") != "doubling":
            if action.amount is not None and limits and action.amount != halves(limits[1]):
                raise ButtonFault(f"doubled by {limits[1]:g} without asking, not by {dollars(action.amount)}")
            return
        if not now.get("double"):
            raise ButtonFault("asks for an amount but states no range for it")
        wanted = halves(now["double"][1]) if action.amount is None else action.amount
        for _ in range(_MOST_STEPS):
            step = wanted - halves(now.get("amount") or 0)
            if not step:
                self._press_lit("DOUBLE", now)
                return
            self._press_lit("BET" if step > 0 else "STAND", now)
            now = state()
        raise ButtonFault(f"{_MOST_STEPS} presses did not reach {dollars(wanted)}, the amount is {now.get('amount')}")

    def _press_lit(self, key: str, state: dict[str, Any]) -> None:
        if not int(state.get("lamps") or 0) >> KEYS.index(key) & 1:
            raise ButtonFault(f"the lamp of {key} is dark while the table is {state.get('phase')}")
        self.press(key)
