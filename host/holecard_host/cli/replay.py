"""`holecard replay`: does another table say the same?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holecard_host.cli.files import check_apart
from holecard_host.cli.record import Record
from holecard_host.errors import UsageFault
from holecard_host.stands import open_stand
from holecard_host.transcript.masks import Masks
from holecard_host.transcript.read import load
from holecard_host.transcript.record import recording
from holecard_host.transcript.replay import as_record
from holecard_host.transcript.replay import replay as repeat

EXIT_DIFFERENT = 1


def replay(
    transcript: Annotated[Path, typer.Argument(metavar="TRANSCRIPT", help="What --record has written.")],
    url: Annotated[str, typer.Argument(metavar="URL", help="The table that is to do the same.")],
    mask: Annotated[
        list[str] | None, typer.Option(metavar="REGEX", help="What may differ, beside times and serial numbers.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="FIELD", help="A field of JSON that may differ, wherever it is.")
    ] = None,
    timed: Annotated[bool, typer.Option("--timed/--fast", help="Keep the pauses between requests, or not.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
    record: Record = None,
) -> None:
    """Do to a table what a transcript says. Exit 0 if it says the same, 1 at the first difference, which is shown."""
    check_apart([transcript, url], [record])
    script = load(transcript, hardware=False)
    if not script.deeds:
        raise UsageFault(f"{transcript}: nothing was asked or done in it, so nothing would be compared")
    masks = Masks.of(mask or (), ignore or ())
    with recording(record), open_stand(url) as stand:
        outcome = repeat(script, stand, masks, timed=timed)
    if as_json:
        print(json.dumps(as_record(outcome), indent=1))
    elif outcome.difference is not None:
        Console().print(str(outcome.difference), highlight=False, markup=False, soft_wrap=True)
    else:
        did = f", {outcome.deeds} other deeds" if outcome.deeds else ""
        print(f"The same: {outcome.requests} requests{did}, {outcome.events} events.")
    if outcome.difference is not None:
        raise typer.Exit(EXIT_DIFFERENT)
