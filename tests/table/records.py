"""What the tests of records have in common: a power cut, and what can be seen of a table before and after it."""

from __future__ import annotations

from typing import Any

from tests.table.rig import Rig

from holecard.table.journal import seal, unseal
from holecard.table.keys import HIT

SECOND = 1_000_000
HOT = "bhot"
# What the state says of the moment only: what the panel asks, what a press does just now.
_PASSING = ("labels", "lamps", "page", "amount")


def deal_by_key(rig: Rig) -> None:
    """Deals until a round is open."""
    while not rig.game.in_round:
        rig.press(HIT)


def hot(rig: Rig, prefix: str = "b") -> str:
    return unseal(rig.board.files["a/" + prefix + "hot"])[1]


def reborn(rig: Rig, **board: Any) -> Rig:
    """The power goes and comes back."""
    return Rig(files=dict(rig.board.files), marked=True, **board)


def table(rig: Rig) -> dict[str, Any]:
    """What can be seen of the game, the history included."""
    state = rig.state()
    for name in _PASSING:
        del state[name]
    if state["phase"] == "settled":
        del state["shoe"]  # a stack is forgotten once its round is over
    state["history"] = rig.ask("TABL:HIST?;:SYST:ERR?").split(";")[0]
    rig.ask("*CLS;*OPC?")
    return state


def with_hot(*bodies: str | bytes | None) -> dict[str, bytes]:
    """Files whose copies of the hot record are these."""
    copies = {}
    for folder, body in zip("ab", bodies, strict=False):
        if body is not None:
            copies[f"{folder}/{HOT}"] = seal(5, body) if isinstance(body, str) else body
    return copies


def pack_of(*lines: str) -> str:
    rig = Rig()
    rig.ok(*lines)
    rig.rest()
    return hot(rig)
