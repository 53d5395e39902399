"""`holecard devices`: where tables can be reached."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from functools import partial
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from holecard_host.devices import OFF, TABLE, Found, Named, find
from holecard_host.errors import HolecardError
from holecard_host.text import printable
from holecard_host.twin import registry

_COLORS = {TABLE: "green", "other": "yellow", "silent": "dim", "not asked": "dim", OFF: "dim"}


def devices(
    ask_all: Annotated[bool, typer.Option("--all", help="Ask every port, not only known USB ids.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list and nothing else.")] = False,
) -> None:
    """List serial ports, and simulated tables with a name: what answers [bold]*IDN?[/] there, or who has it."""
    found = find(ask_all, _named())
    if as_json:
        print(json.dumps([_record(item) for item in found], indent=1))
        return
    if not found:
        print("No serial ports and no simulated tables. Start one with: holecard sim --name table")
        return
    console = Console()
    for line in _lines(found):
        # Never cut or broken: what wraps on a narrow terminal can still be copied.
        console.print(line, soft_wrap=True, highlight=False)
    if any(item.status == "not asked" for item in found):
        console.print("Ports with other USB ids are not asked; --all asks them too.", style="dim")


def _lines(found: list[Found]) -> Iterator[Text]:
    """Two lines for each port: what it is, and below what it answers; one where there is no answer."""
    rows = [[printable(text) for text in (item.port, _ids(item), item.status)] for item in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for item, row in zip(found, rows, strict=True):
        port, ids, status = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        yield Text.assemble(
            (port, "bold"),
            f"  {ids}" if widths[1] else "",
            "  ",
            (status, _COLORS.get(item.status, "red")),
            f"  {printable(item.description)}".rstrip(),
        )
        if item.answer:
            yield Text(f"    {printable(item.answer)}")


def _named() -> list[Named]:
    return [
        Named(f"sim://{entry.name}", entry.port, f"simulated ({entry.interpreter})", partial(_is_off, entry))
        for entry in registry.entries()
    ]


def _is_off(entry: registry.Entry) -> bool:
    from holecard_host.twin.holder import RemoteTwin  # noqa: PLC0415

    try:
        with contextlib.closing(RemoteTwin(entry)) as twin:
            return not twin.powered()
    except HolecardError:  # it has ended by now
        return False


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
        "lock": None if item.lock is None else item.lock.public(),
    }
