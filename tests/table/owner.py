"""Whoever has the operator's key, in the tests: a table with that key, orders as the host gives them, the log."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

from tests.table.rig import Rig

from holecard.table.keys import HIT

KEY = bytes(range(32))
OWNER = ("owner", KEY)
SECOND = 1_000_000
REFUSED = '-203,"Command protected;not authenticated"'


def arcade(**board: Any) -> Rig:
    return Rig(mode="arcade", operator=OWNER, **board)


def reborn(rig: Rig, **board: Any) -> Rig:
    """The power goes and comes back."""
    fields = {"mode": rig.board.chosen, "operator": rig.board.operator, **board}
    return Rig(files=dict(rig.board.files), marked=True, **fields)


def house(rig: Rig) -> dict[str, Any]:
    return json.loads(rig.ask("OPER:STAT?"))


def mac(nonce: str, counter: int, command: str, key: bytes = KEY) -> str:
    return hmac.new(key, f"{nonce}{counter}{command}".encode(), hashlib.sha256).hexdigest()


def send(rig: Rig, command: str, counter: int, digest: str) -> str:
    return rig.command(f'OPER:DO "{command}",{counter},"{digest}"')


def order(rig: Rig, command: str) -> str:
    """The order as the host gives it; the error that it leaves behind."""
    counter = house(rig)["counter"] + 1
    return send(rig, command, counter, mac(rig.ask("OPER:NONC?"), counter, command))


def done(rig: Rig, *commands: str) -> None:
    for command in commands:
        assert order(rig, command) == '0,"No error"', command


def log(rig: Rig) -> list[str]:
    rig.rest()
    return [json.loads(rig.ask(f"SYST:LOG? {back}"))["text"] for back in range(int(rig.ask("SYST:LOG:COUN?")))]


def deal(rig: Rig) -> None:
    """Deals by key until a round is open: now and then one ends as it is dealt."""
    for _ in range(20):
        if rig.game.in_round:
            return
        rig.press(HIT)
    raise AssertionError("no round can be opened")
