"""`holecard accept`: the acceptance suite, on one table or on several at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holecard_host.accept.checks import CHECKS
from holecard_host.accept.limits import load
from holecard_host.accept.report import Report, write
from holecard_host.accept.several import Item, examine, examine_all
from holecard_host.accept.suite import Check, Measurement, Result
from holecard_host.cli.files import check_apart, check_folder
from holecard_host.cli.record import Record
from holecard_host.errors import OutputFault, StandFault, Unsupported, UsageFault
from holecard_host.text import printable
from holecard_host.transcript.record import recording

# The worst of several tables counts; skipped: nothing at all could be measured there.
_EXITS = {"error": StandFault.exit_code, "failed": 1, "skipped": Unsupported.exit_code}
_STYLES = {"passed": "green", "failed": "bold red", "error": "bold red", "skipped": "yellow"}


def accept(
    urls: Annotated[
        list[str],
        typer.Argument(metavar="URL...", help="Where the table is, e.g. /dev/ttyACM0; several are tested at once."),
    ],
    report_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write accept.html, accept.xml (JUnit) and accept.json there; of several tables, each into a folder.",
        ),
    ] = None,
    limits: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Limits that differ from the suite's.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="CHECK", help="Only this check; may be given several times.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Run everything so often, with the next seed each time.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="What random presses, noise and cuts come from.")] = 0,
    record: Record = None,
) -> None:
    """Measure whether a table is as it should be. Exit 0 if every limit is kept, 1 if not, 3 if the table was lost."""
    checks = _chosen(only or [])
    check_apart([limits, *urls], [record])
    for url in urls:
        load(limits, url)
    if record is not None and len(urls) > 1:
        raise UsageFault("--record: a transcript is of one table, and here are several")
    if report_dir is not None:
        check_folder(report_dir)
    console = Console(highlight=False, soft_wrap=True)
    reports: dict[int, Report] = {}
    faults: list[BaseException] = []
    with recording(record):
        try:
            for place, item in _items(urls, checks, limits, seed, repeat):
                label = f"{urls[place]}: " if len(urls) > 1 else ""
                if isinstance(item, Report):
                    reports[place] = item
                    console.print(
                        f"{label}{printable(item.identity)} on {printable(item.url)}, seed {seed}", style="bold"
                    )
                elif isinstance(item, Result):
                    reports[place].results.append(item)
                    _tell(console, label, item)
                else:
                    faults.append(item)
                    if place in reports:
                        reports[place].stopped = str(item)
        except (KeyboardInterrupt, SystemExit) as error:
            faults.append(error)
            for report in reports.values():
                report.stopped = "interrupted"
        for place, report in reports.items():
            _table(console, report)
            if report_dir is not None:
                try:
                    for path in write(report_dir / _folder(urls, place), report):
                        console.print(printable(str(path)))
                except (UsageFault, OutputFault) as fault:
                    faults.insert(0, fault)
    for other in faults[:-1]:
        console.print(printable(str(other)), style="bold red", markup=False)
    if faults:
        raise faults[-1]
    outcomes = {report.outcome for report in reports.values()}
    for outcome, code in _EXITS.items():
        if outcome in outcomes:
            raise typer.Exit(code)


def _items(
    urls: Sequence[str], checks: Sequence[Check], limits: Path | None, seed: int, repeat: int
) -> Iterator[tuple[int, Item]]:
    if len(urls) > 1:
        yield from examine_all(urls, checks, limits, seed, repeat)
        return
    for item in examine(urls[0], checks, limits, seed, repeat):
        yield 0, item


def _folder(urls: Sequence[str], place: int) -> str:
    """Where the reports of a table are; "" for the only one."""
    if len(urls) == 1:
        return ""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", urls[place]).strip("-.") or "table"
    return name if urls.count(urls[place]) == 1 else f"{name}-{place + 1}"


def _chosen(names: Sequence[str]) -> list[Check]:
    known = {check.name: check for check in CHECKS}
    for name in names:
        if name not in known:
            raise UsageFault(f"--only {name}: one of {', '.join(known)}")
    return [check for check in CHECKS if not names or check.name in names]


def _tell(console: Console, label: str, result: Result) -> None:
    style = _STYLES[result.outcome]
    console.print(
        f"{escape(printable(label))}  [{style}]{result.outcome:7}[/]  {result.check:11} {result.title}"
        f"  [dim]{result.seconds:.1f} s[/]"
    )
    if result.why:
        console.print(f"{printable(label)}           {printable(result.why)}", style=style, markup=False)


def _table(console: Console, report: Report) -> None:
    """All measurements; of several turns the worst outcome with the last value that had it."""
    rows: dict[str, Measurement] = {}
    for result in report.results:
        for one in result.measurements:
            if one.name not in rows or one.outcome == "failed" or rows[one.name].outcome == "passed":
                rows[one.name] = one
    if not report.results:
        return
    table = Table(title=printable(report.url), title_justify="left", box=None, pad_edge=False, header_style="dim")
    for title, justify in (("measurement", "left"), ("measured", "right"), ("limit", "right"), ("", "left")):
        table.add_column(title, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for name, one in rows.items():
        table.add_row(name, one.limit.shown(one.value), str(one.limit), f"[{_STYLES[one.outcome]}]{one.outcome}[/]")
    console.print(table)
    counts: dict[str, int] = {}
    for result in report.results:
        counts[result.outcome] = counts.get(result.outcome, 0) + 1
    told = ", ".join(f"[{_STYLES[name]}]{count} {name}[/]" for name, count in counts.items())
    console.print(f"[bold]{report.outcome}[/]: {told}" if told else f"[bold]{report.outcome}[/]")
    if report.missing:
        console.print(f"not measured: {', '.join(report.missing)}", style="yellow")
