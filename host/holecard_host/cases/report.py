"""Verdicts for people (a table) and for machines (a JSON list)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from holecard_host.cases.fields import printable
from holecard_host.cases.runner import Verdict


def as_json(verdicts: Sequence[Verdict]) -> str:
    """`[{"id", "passed", "detail"}...]`."""
    return json.dumps([{"id": v.id, "passed": v.passed, "detail": v.detail} for v in verdicts], indent=1)


def _shown(text: str) -> str:
    return escape(printable(text))


def show(verdicts: Sequence[Verdict], console: Console, where: str) -> None:
    """Print one row for every case, failures with their reason, and a line with the sums. `where` names the stand."""
    table = Table(title=f"Cases on {escape(where)}", title_justify="left", expand=False)
    table.add_column("case", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("what")
    for verdict in verdicts:
        result = "[green]passed[/]" if verdict.passed else "[bold red]FAILED[/]"
        detail = "" if verdict.passed else f"\n[red]{_shown(verdict.detail)}[/]"
        table.add_row(_shown(verdict.id), result, _shown(verdict.title) + detail)
    console.print(table)
    failed = sum(not verdict.passed for verdict in verdicts)
    passed = len(verdicts) - failed
    console.print(f"[bold]{passed} passed[/]" + (f", [bold red]{failed} failed[/]" if failed else ""))
