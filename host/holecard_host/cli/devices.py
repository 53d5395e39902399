"""`holecard devices`: where tables can be reached."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holecard_host.devices import TABLE, Found, Named, find
from holecard_host.twin import registry

_COLORS = {TABLE: "green", "other": "yellow", "silent": "dim", "not asked": "dim"}


def devices(
    ask_all: Annotated[bool, typer.Option("--all", help="Ask every port, not only known USB ids.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list and nothing else.")] = False,
) -> None:
    """List serial ports, and simulated tables that run under a name, with what answers [bold]*IDN?[/] on each."""
    found = find(ask_all, _named())
    if as_json:
        print(json.dumps([_record(item) for item in found], indent=1))
        return
    if not found:
        print("No serial ports and no simulated tables. Start one with: holecard sim --name table")
        return
    table = Table()
    for heading in ("port", "id", "what", "status", "answer"):
        table.add_column(heading, no_wrap=heading in ("port", "id", "status"), overflow="fold")
    for item in found:
        color = _COLORS.get(item.status, "red")
        row = (item.port, _ids(item), item.description, item.status, item.answer)
        table.add_row(*(escape(text) for text in row[:3]), f"[{color}]{row[3]}[/]", escape(row[4]))
    console = Console()
    console.print(table)
    if any(item.status == "not asked" for item in found):
        console.print("Ports with other USB ids are not asked; --all asks them too.", style="dim")


def _named() -> list[Named]:
    return [
        Named(f"sim://{entry.name}", entry.port, f"simulated ({entry.interpreter})") for entry in registry.entries()
    ]


def _ids(item: Found) -> str:
    return "" if item.vid is None or item.pid is None else f"{item.vid:04x}:{item.pid:04x}"


def _record(item: Found) -> dict[str, object]:
    return {
        "port": item.port,
        "description": item.description,
        "vid": item.vid,
        "pid": item.pid,
        "status": item.status,
        "answer": item.answer,
    }
