"""`holecard accept`: the acceptance suite, on any table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from holecard_host.accept.checks import CHECKS
from holecard_host.accept.limits import load
from holecard_host.accept.report import Report, write
from holecard_host.accept.suite import Check, Measurement, Result, run
from holecard_host.errors import HolecardError, UsageFault
from holecard_host.stands import open_stand
from holecard_host.text import printable

EXIT_FAILED = 1
EXIT_LOST = 3
_STYLES = {"passed": "green", "failed": "bold red", "error": "bold red", "skipped": "yellow"}


def accept(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where the table is, e.g. sim://cpython or /dev/ttyACM0.")],
    report_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write accept.html, accept.xml (JUnit) and accept.json there.")
    ] = None,
    limits: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Limits that differ from the suite's.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="CHECK", help="Only this check; may be given several times.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Run everything so often, with the next seed each time.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="What random presses, noise and cuts come from.")] = 0,
) -> None:
    """Measure whether a table is as it should be. Exit 0 if every limit is kept, 1 if not, 3 if the table was lost."""
    allowed = load(limits)
    checks = _chosen(only or [])
    console = Console(highlight=False)
    fault: BaseException | None = None
    with open_stand(url) as stand:
        report = Report(url, stand.identity, seed, repeat, sorted(stand.capabilities))
        console.print(f"[bold]{printable(stand.identity)}[/] on {printable(url)}, seed {seed}")
        try:
            for result in run(stand, checks, allowed, seed=seed, repeat=repeat):
                report.results.append(result)
                _tell(console, result)
        except (HolecardError, KeyboardInterrupt, SystemExit) as error:
            fault = error
            report.stopped = str(error) if isinstance(error, HolecardError) else "interrupted"
    _table(console, report)
    if report_dir is not None:
        for path in write(report_dir, report):
            console.print(printable(str(path)), soft_wrap=True)
    if fault is not None:
        raise fault
    if report.outcome == "error":
        raise typer.Exit(EXIT_LOST)
    if report.outcome != "passed":
        raise typer.Exit(EXIT_FAILED)


def _chosen(names: Sequence[str]) -> list[Check]:
    known = {check.name: check for check in CHECKS}
    for name in names:
        if name not in known:
            raise UsageFault(f"--only {name}: one of {', '.join(known)}")
    return [check for check in CHECKS if not names or check.name in names]


def _tell(console: Console, result: Result) -> None:
    style = _STYLES[result.outcome]
    console.print(f"  [{style}]{result.outcome:7}[/]  {result.check:11} {result.title}  [dim]{result.seconds:.1f} s[/]")
    if result.why:
        console.print(f"           {printable(result.why)}", style=style, markup=False, soft_wrap=True)


def _table(console: Console, report: Report) -> None:
    """All measurements; of several turns the worst outcome with the last value that had it."""
    rows: dict[str, Measurement] = {}
    for result in report.results:
        for one in result.measurements:
            if one.name not in rows or one.outcome == "failed" or rows[one.name].outcome == "passed":
                rows[one.name] = one
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title, justify in (("measurement", "left"), ("measured", "right"), ("limit", "right"), ("", "left")):
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for name, one in rows.items():
        value = f"{one.value:.5g} {one.limit.unit}".strip()
        table.add_row(name, value, str(one.limit), f"[{_STYLES[one.outcome]}]{one.outcome}[/]")
    console.print(table)
    counts: dict[str, int] = {}
    for result in report.results:
        counts[result.outcome] = counts.get(result.outcome, 0) + 1
    told = ", ".join(f"[{_STYLES[name]}]{count} {name}[/]" for name, count in counts.items())
    console.print(f"[bold]{report.outcome}[/]: {told}" if told else f"[bold]{report.outcome}[/]")
