"""`holecard doctor`: what is right and wrong with a table, and what to do about it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from holecard_host.stands import open_stand

if TYPE_CHECKING:
    from holecard_host.checkup import Finding

EXIT_BAD = 1
_COLORS = {"good": "green", "warning": "yellow", "bad": "red", "unknown": "dim"}


class Step(StrEnum):
    """The steps of the build guide, as `guide.STEPS` has them."""

    PANEL = "panel"
    BUTTONS = "buttons"
    LAMPS = "lamps"
    SOUND = "sound"


def doctor(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. /dev/ttyACM0 or sim://cpython.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list and nothing else.")] = False,
    step: Annotated[
        Step | None, typer.Option(help="Check only what was wired last; asks whoever sits there, in a terminal.")
    ] = None,
) -> None:
    """Examine a table, or a Pico that is still without one. Exit 0 when nothing is bad, 1 when something is."""
    from holecard_host.checkup import BAD  # noqa: PLC0415

    found = examine(url) if step is None else guided(url, step, quiet=as_json)
    if as_json:
        print(json.dumps([asdict(finding) for finding in found], indent=1))
    else:
        _show(found)
    if any(finding.state == BAD for finding in found):
        raise typer.Exit(EXIT_BAD)


def _show(found: list[Finding]) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.markup import escape  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(show_header=False, box=None)
    for finding in found:
        color = _COLORS[finding.state]
        table.add_row(escape(finding.what), f"[{color}]{finding.state}[/]", escape(finding.text))
    Console().print(table)


def examine(url: str) -> list[Finding]:
    """What there is to say about the table, or about MicroPython's prompt, at `url`. Raises StandFault for neither."""
    from holecard_host import devices  # noqa: PLC0415
    from holecard_host.checkup import at_the_prompt, await_digest, over_the_wire  # noqa: PLC0415
    from holecard_host.deploy import open_prompt  # noqa: PLC0415

    if "://" not in url or url.startswith("socket://"):
        status, _ = devices.identify(url)
        # The prompt takes a question that ends with LF for an unfinished line, and seems silent.
        if status in (devices.OTHER, devices.SILENT):
            with open_prompt(url) as board:
                return at_the_prompt(board)
    with open_stand(url) as stand:
        await_digest(stand)
        return over_the_wire(stand.wire)


def guided(url: str, step: str, quiet: bool = False) -> list[Finding]:
    """One step of the build guide, with the person at the terminal if there is one. Raises StandFault, UsageFault."""
    from holecard_host import guide  # noqa: PLC0415

    person = None if quiet or not (sys.stdin.isatty() and sys.stdout.isatty()) else guide.Person(print, _ask)
    with open_stand(url) as stand:
        return guide.examine(step, stand, person)


def _ask(question: str) -> str:
    try:
        return input(f"{question} ").strip().lower()
    except EOFError:  # Ctrl-D
        raise KeyboardInterrupt from None
