"""`holecard cases`: worked rounds from files, played on a table over the wire."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from holecard_host.cases import report
from holecard_host.cases.model import load
from holecard_host.cases.runner import WAYS, Verdict, not_run, run_cases
from holecard_host.cases.several import run_on_several
from holecard_host.cli.files import check_apart
from holecard_host.cli.record import Record
from holecard_host.errors import HolecardError, UsageFault
from holecard_host.stands import EMULATED, afterwards, open_stand
from holecard_host.transcript.record import recording

if TYPE_CHECKING:
    from holecard_host.stands import Stand

EXIT_FAILED = 1


def cases(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Case files (JSON).")],
    on: Annotated[str, typer.Option(metavar="URL", help="The table to test.")] = "sim://cpython",
    by: Annotated[str, typer.Option(metavar="name|buttons", help="How legal actions are done.")] = "name",
    animation: Annotated[bool, typer.Option(help="Watch the cards being turned, or be quicker.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of the results and nothing else.")] = False,
    record: Record = None,
) -> None:
    """Run case files on a table. Exit 0 only if every case passes, 1 if some fail, 2 for a malformed file."""
    if by not in WAYS:
        raise UsageFault(f"--by {by}: one of {', '.join(WAYS)}")
    check_apart([*files, on], [record])
    todo = [case for file in files for case in load(file)]
    verdicts: list[Verdict] = []
    fault: HolecardError | None = None
    try:
        # One by one into the list: what a lost stand left behind is still reported.
        with recording(record):
            if on == EMULATED:
                # A transcript is of one table, so one has to play them all.
                count = None if record is None else 1
                verdicts.extend(run_on_several(lambda: open_stand(on), todo, by, count))
            else:
                with open_stand(on) as stand, _animation(stand, animation):
                    verdicts.extend(run_cases(stand, todo, by))
    except HolecardError as error:
        fault = error
    started = bool(verdicts)
    if fault is not None:
        verdicts += not_run(todo[len(verdicts) :], fault)
    if as_json:
        print(report.as_json(verdicts))
    elif started:
        report.show(verdicts, Console(), f"{on}, by {by}")
    if fault is not None:
        raise fault
    if not all(verdict.passed for verdict in verdicts):
        raise typer.Exit(EXIT_FAILED)


@contextlib.contextmanager
def _animation(stand: Stand, wanted: bool) -> Iterator[None]:
    """Without animation for a while, if that is wanted; afterwards as it was."""
    if wanted or stand.wire.ask("DISP:ANIM?") == "0":
        yield
        return
    with afterwards(stand, "DISP:ANIM ON"):
        stand.wire.command("DISP:ANIM OFF")
        yield
