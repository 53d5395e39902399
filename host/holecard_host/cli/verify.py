"""`holecard verify`: were the cards of a log the ones that were promised?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from holecard_host import verify as log
from holecard_host.errors import UsageFault

EXIT_FAILED = 1
_FEWEST_DIGITS = 8


def verify(
    file: Annotated[Path, typer.Argument(metavar="LOG", help="A table's public log (docs/fairness.md).")],
    seen: Annotated[
        list[str] | None,
        typer.Option(metavar="HEX", help="A commitment that you saw, or its first 8 digits or more; may be repeated."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
) -> None:
    """Deal every shoe of a log again. Exit 0 if every card is right, 1 if a record is wrong, 2 if there is no log."""
    for digits in seen or ():
        if len(digits) < _FEWEST_DIGITS or set(digits.lower()) - set("0123456789abcdef"):
            raise UsageFault(f"--seen {digits}: at least {_FEWEST_DIGITS} hexadecimal digits")
    report = log.verify(file)
    missing = [digits for digits in seen or () if not _holds(report, digits)]
    if as_json:
        print(json.dumps({**log.as_dict(report), "missing": missing, "ok": not (report.wrong or missing)}))
    else:
        _tell(report, missing)
    if report.wrong or missing:
        raise typer.Exit(EXIT_FAILED)


def _holds(report: log.Report, digits: str) -> bool:
    return any(shoe.commitment.startswith(digits.lower()) for shoe in report.shoes)


def _tell(report: log.Report, missing: list[str]) -> None:
    if report.after:
        print(f"The log goes on from shoe {report.after}; what was before is taken on trust.")
    for shoe in report.shoes:
        size = f"{_many(shoe.rounds, 'round')}, {_many(shoe.cards, 'card')}"
        print(f"shoe {shoe.number}, {shoe.rules}: {size}, {shoe.state}")
    for digits in missing:
        print(f"The commitment {digits} that you saw is not in this log.")
    if report.wrong is not None:
        print(f"WRONG: {report.wrong}")
        return
    settled = [shoe for shoe in report.shoes if shoe.state != log.OPEN]
    cards = sum(shoe.cards for shoe in settled)
    print(f"{_many(cards, 'card')} in {_many(len(settled), 'revealed shoe')}: each is the one that was promised.")
    if len(settled) < len(report.shoes):
        print("The last shoe is not yet revealed: ask again when it is.")


def _many(count: int, name: str) -> str:
    return f"{count} {name}" + ("" if count == 1 else "s")
