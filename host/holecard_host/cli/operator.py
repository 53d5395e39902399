"""`holecard operator`: orders to a table that proves who gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from holecard_host import operator as orders
from holecard_host.errors import UsageFault
from holecard_host.stands import open_stand

NEW_KEY = "new-key"
_ORDERS = """

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
    key_id: Annotated[str, typer.Option("--id", help="With new-key: what the table's log calls the key.")] = "owner",
) -> None:
    """Give orders to a table with the operator's key, or make a key: holecard operator new-key FILE."""
    if url == NEW_KEY:
        _make(commands or [], key_id)
        return
    if commands and key_file is None:
        raise UsageFault("orders need --key-file FILE; `holecard operator new-key FILE` makes a key")
    if commands and any(command.upper().split()[:1] == ["MODE"] for command in commands[:-1]):
        raise UsageFault("MODE restarts the table: it has to be the last order")
    key = orders.read_key(key_file) if key_file is not None else None
    with open_stand(url) as stand:
        if not commands or key is None:
            print(json.dumps(orders.state(stand.wire), indent=1))
            return
        for command in commands:
            orders.order(stand.wire, key, command)
            print(f"done: {command}", flush=True)


operator.__doc__ = (operator.__doc__ or "") + _ORDERS


def _make(arguments: list[str], key_id: str) -> None:
    if len(arguments) != 1:
        raise UsageFault("new-key needs one FILE")
    orders.new_key(Path(arguments[0]), key_id)
    print(f"{arguments[0]}: a new key. Put its two lines into the table's settings (docs/operator.md), keep the file.")
