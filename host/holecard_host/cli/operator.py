"""`holecard operator`: orders to a table that proves who gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from holecard_host import operator as orders
from holecard_host.errors import UsageFault
from holecard_host.stands import open_stand
from holecard_host.text import dollars, printable

NEW_KEY = "new-key"
_ORDERS = """

Without an order it tells what is set, and needs no key.

Orders: PLAY ON|OFF, RULES sifl|casino, SEATS n, BETS least,most, LIMIT dollars, CREDITS ON|OFF, REFILL seat,dollars,
PAYOUT seat,dollars, SOUND ON|OFF, CLEAR, MODE bench|arcade. Seats count from 0; see docs/operator.md.
"""


def operator(
    url: Annotated[str, typer.Argument(metavar="URL|new-key", help="Where the table is; or new-key, then a file.")],
    commands: Annotated[
        list[str] | None,
        typer.Argument(metavar="'ORDER'...|FILE", help="Orders, e.g. 'PLAY OFF'; none: tell the state."),
    ] = None,
    key_file: Annotated[Path | None, typer.Option(metavar="FILE", help="The key; made by new-key FILE.")] = None,
    key_id: Annotated[
        str | None, typer.Option("--id", help="With new-key: what the table's log calls the key (default: owner).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell the state as JSON and nothing else.")] = False,
) -> None:
    """Give orders to a table with the operator's key, or make a key: holecard operator new-key FILE."""
    if url == NEW_KEY:
        _make(commands or [], "owner" if key_id is None else key_id)
        return
    if key_id is not None:
        raise UsageFault("--id goes with new-key: holecard operator new-key FILE --id NAME")
    if commands and key_file is None:
        raise UsageFault("orders need --key-file FILE; `holecard operator new-key FILE` makes a key")
    if commands and any(command.upper().split()[:1] == ["MODE"] for command in commands[:-1]):
        raise UsageFault("MODE restarts the table: it has to be the last order")
    key = orders.read_key(key_file) if key_file is not None else None
    with open_stand(url) as stand:
        if not commands or key is None:
            state = orders.state(stand.wire)
            print(json.dumps(state, indent=1) if as_json else "\n".join(_told(state)))
            return
        for command in commands:
            orders.order(stand.wire, key, command)
            print(f"done: {command}", flush=True)


operator.__doc__ = (operator.__doc__ or "") + _ORDERS


def _told(state: dict[str, Any]) -> list[str]:
    """A line for each thing that is set, with the order that changes it."""
    limit = state.get("limit")
    rows = [
        ("play", _choice(state.get("play"), "on", "off: no round begins"), "PLAY ON|OFF"),
        ("rules", _known(state.get("rules")), "RULES sifl|casino"),
        ("seats", _known(state.get("seats")), "SEATS n"),
        ("bets", _bets(state.get("bets")), "BETS least,most"),
        ("limit", "none" if limit == 0 else dollars(_known(limit)), "LIMIT dollars"),
        ("money", _choice(state.get("credits"), "credits: only you refill", "free play"), "CREDITS ON|OFF"),
        ("sound", _choice(state.get("sound"), "on", "off"), "SOUND ON|OFF"),
        ("key", state.get("key") or "none: no order is obeyed", ""),
    ]
    if state.get("wait"):
        rows.append(("wait", f"{state['wait']} s, after a refusal", ""))
    if state.get("locked"):
        rows.insert(0, ("LOCKED", state["locked"], "CLEAR"))
    return [_row(name, printable(str(value)), order) for name, value, order in rows]


def _known(value: Any) -> Any:
    return "not read" if value is None else value


def _choice(flag: Any, on: str, off: str) -> str:
    return "not read" if flag is None else on if flag else off


def _bets(bets: Any) -> str:
    if not isinstance(bets, list) or len(bets) != 2:
        return "not read"
    return f"{dollars(bets[0])} to {dollars(bets[1]) if bets[1] else 'the bankroll'}"


def _row(name: str, value: str, order: str) -> str:
    return f"{name:7} {value:24} {order}".rstrip() if order else f"{name:7} {value}"


def _make(arguments: list[str], key_id: str) -> None:
    if len(arguments) != 1:
        raise UsageFault("new-key needs one FILE")
    orders.new_key(Path(arguments[0]), key_id)
    print(f"{arguments[0]}: a new key, the only copy: keep it. Next, put its two lines into the table's settings.json:")
    print("holecard flash PORT --settings FILE copies one (docs/operator.md).")
