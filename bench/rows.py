"""What a benchmark says: one row per measured quantity, as JSON and as a table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

_MARKS = ("<!-- written by make bench -->", "<!-- end -->")


class Row(NamedTuple):
    """One quantity. budget: the bound or exact value it is held against, None for information only; ok: it holds."""

    name: str
    value: float
    unit: str
    budget: float | None = None
    ok: bool = True


def write(rows: list[Row], path: Path) -> None:
    """Write the rows as a JSON list of objects, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row._asdict()) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def put(rows: list[Row], path: Path, prefix: str) -> None:
    """Write the rows whose name begins with `prefix` as a table into a Markdown file, between the two lines _MARKS."""
    before, _, rest = path.read_text(encoding="utf-8").partition(_MARKS[0])
    _, _, after = rest.partition(_MARKS[1])
    lines = ["| what | measured | budget | |", "|---|---|---|---|"]
    for row in rows:
        if row.name.startswith(prefix):
            bound = "" if row.budget is None else f"{_number(row.budget)} {row.unit}"
            verdict = "" if row.budget is None else "kept" if row.ok else "**missed**"
            lines.append(f"| {row.name.removeprefix(prefix)} | {_number(row.value)} {row.unit} | {bound} | {verdict} |")
    path.write_text(f"{before}{_MARKS[0]}\n" + "\n".join(lines) + f"\n{_MARKS[1]}{after}", encoding="utf-8")


def show(rows: list[Row], console: Console) -> None:
    """Print the rows as a table."""
    table = Table("measured", "", title="Holecard, measured")
    for heading in ("value", "budget or exact"):
        table.add_column(heading, justify="right")
    table.add_column("unit")
    for row in rows:
        verdict = "" if row.budget is None else "[green]ok[/]" if row.ok else "[red]missed[/]"
        budget = "" if row.budget is None else _number(row.budget)
        table.add_row(row.name, verdict, _number(row.value), budget, row.unit)
    console.print(table)


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.4f}".rstrip("0").rstrip(".")
