"""A case's actions by the four buttons: which key means what while insurance is open and while a hand is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holecard_host.cases.model import Action
from holecard_host.cases.money import dollars, halves
from holecard_host.errors import StepFailed
from holecard_host.steps import Steps

_MOST_STEPS = 1000  # presses of more or less before the runner gives up on an amount
_MEANING = {
    "insurance": {"INS": "BET", "NOINS": "STAND"},
    "playing": {"P": "BET", "H": "HIT", "S": "STAND", "D": "DOUBLE"},
}


class Buttons:
    """Presses the keys that do what a case asks for; before each press its lamp must be lit."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def act(self, action: Action, state: Callable[[], dict[str, Any]]) -> None:
        """Do one legal action. Raises StepFailed when it is another seat's turn, the key is dark, or the state odd."""
        try:
            self._act(action, state)
        except (TypeError, ValueError, KeyError, IndexError) as error:
            raise StepFailed(f"the state cannot be read ({type(error).__name__}: {error})") from None

    def _act(self, action: Action, state: Callable[[], dict[str, Any]]) -> None:
        # Lamps are dark while cards are still being turned.
        self._steps.settle()
        now = state()
        if now.get("seat") != action.seat:
            raise StepFailed(f"seat {now.get('seat')} is to act, not seat {action.seat}")
        key = _MEANING.get(str(now.get("phase")), {}).get(action.do)
        if key is None:
            raise StepFailed(f"no button means {action.do} while the table is {now.get('phase')}")
        self._steps.press_lit(key, now)
        if action.do == "D":
            self._amount(action, now, state)

    def _amount(self, action: Action, before: dict[str, Any], state: Callable[[], dict[str, Any]]) -> None:
        """After DOUBLE: where less is possible the table asks how much; otherwise it has doubled already."""
        now = state()
        limits = before.get("double")
        if now.get("phase") != "doubling":
            if action.amount is not None and limits and action.amount != halves(limits[1]):
                raise StepFailed(f"doubled by {limits[1]:g} without asking, not by {dollars(action.amount)}")
            return
        if not now.get("double"):
            raise StepFailed("asks for an amount but states no range for it")
        wanted = halves(now["double"][1]) if action.amount is None else action.amount
        for _ in range(_MOST_STEPS):
            step = wanted - halves(now.get("amount") or 0)
            if not step:
                self._steps.press_lit("DOUBLE", now)
                return
            self._steps.press_lit("BET" if step > 0 else "STAND", now)
            now = state()
        raise StepFailed(f"{_MOST_STEPS} presses did not reach {dollars(wanted)}, the amount is {now.get('amount')}")
