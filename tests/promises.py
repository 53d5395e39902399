"""A table at the end of a run: which entry of a list was tried, on which stands, and with what result.

A list is a document with one table row an entry, `| 7 | **Short title.** What ... | ... | `test_a` `test_b` |`. A test
says with the list's marker what it shows, `@pytest.mark.fault(7)`, or by its name, `test_fault_07_...`. An entry
without a test, or whose tests were all skipped, stands out.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
_ROW = re.compile(r"\| (\d+) \| \*\*(.+?)\.?\*\*.*\| ([^|]*) \|")
_BAD = ("failed", "error")


@dataclass(frozen=True)
class Entry:
    """One row of a document: its number, its short title, and the tests that it names."""

    number: int
    title: str
    tests: frozenset[str]


@dataclass(frozen=True)
class Promises:
    """A list: the marker of its tests, the heading of its table, and the document."""

    marker: str
    heading: str
    document: Path

    def entries(self) -> list[Entry]:
        rows = map(_ROW.fullmatch, self.document.read_text(encoding="utf-8").splitlines())
        return [Entry(int(row[1]), row[2], frozenset(re.findall(r"`(test_\w+)`", row[3]))) for row in rows if row]


DOCS = TESTS.parent / "docs"
LISTS = (
    Promises("fault", "FIELD_FAULTS", DOCS / "field-faults.md"),
    Promises("promise", "PROMISES", DOCS / "promises.md"),
)


def marked(marker: str) -> Iterator[tuple[Path, str, int]]:
    """(file, test, number) for every test with this marker, read from the source: also of what is not collected."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (number := _named(marker, node.name)):
                yield path, node.name, number
            for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{marker}":
                    for argument in decorator.args:
                        yield path, node.name, ast.literal_eval(argument)  # type: ignore[union-attr]


def _named(marker: str, test: str) -> int:
    """The number in a test's name, 0 if there is none."""
    found = re.match(rf"test_{marker}_(\d\d)_", test)
    return int(found[1]) if found else 0


def shown_by(item: Any) -> list[tuple[str, int, str]]:
    """(marker, number, stand) for everything that a test shows."""
    shown = []
    for promises in LISTS:
        numbers = {number for mark in item.iter_markers(promises.marker) for number in mark.args}
        numbers.add(_named(promises.marker, getattr(item, "originalname", "") or ""))
        shown += [(promises.marker, number, _stand(item)) for number in sorted(numbers - {0})]
    return shown


def _stand(item: Any) -> str:
    """Where a test runs: its parameter `url` or `interpreter`, else TRIED_ON of its module, else its folder."""
    values = {**getattr(item, "funcargs", {}), **getattr(getattr(item, "callspec", None), "params", {})}
    if "url" in values:
        return str(values["url"])
    if isinstance(values.get("interpreter"), str):
        return "sim://" + values["interpreter"] if values["interpreter"] != "rp2040" else "rp2040://"
    return str(getattr(item.module, "TRIED_ON", item.path.parent.name))


def summary(stats: Mapping[str, Iterable[Any]], complete: bool) -> Iterator[str]:
    """The lines of every table with at least one result; with `complete` also the entries that nothing shows."""
    found: dict[tuple[str, int], dict[str, Counter[str]]] = {}
    for outcome, reports in stats.items():
        for report in reports:
            for marker, number, stand in getattr(report, "shows", ()):
                found.setdefault((marker, number), {}).setdefault(stand, Counter())[outcome] += 1
    for promises in LISTS:
        if any(marker == promises.marker for marker, _ in found):
            yield f"{promises.heading}: number, stands, result"
            for entry in promises.entries():
                stands = found.get((promises.marker, entry.number), {})
                if stands or complete:
                    yield _line(entry, stands)


def _line(entry: Entry, stands: dict[str, Counter[str]]) -> str:
    places = ", ".join(
        stand if _verdict(counts) == "passed" else f"{stand} ({_verdict(counts)})"
        for stand, counts in sorted(stands.items())
    )
    total = sum(stands.values(), Counter())
    return f"{entry.number:3} {entry.title[:44]:44} {places or '-'}: {_verdict(total)}"


def _verdict(counts: Counter[str]) -> str:
    if any(counts[bad] for bad in _BAD):
        return "FAILED"
    return "passed" if counts["passed"] else "SKIPPED" if counts else "NO TEST"
