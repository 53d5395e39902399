"""Results as JUnit XML, as the schema of Jenkins' xunit plugin (junit-10.xsd, pytest's "xunit2") has it.

It knows no properties of a single test: what a test has measured is its output.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from .. import outfile
from ..text import printable

OUTCOMES = ("passed", "failed", "error", "skipped")


@dataclass(frozen=True)
class Result:
    """One test: what it belongs to, its name, how long it took, its outcome (one of OUTCOMES), and why."""

    group: str
    name: str
    seconds: float
    outcome: str
    why: str = ""
    output: str = ""


def write(path: Path, suite: str, results: Sequence[Result], properties: Mapping[str, str] | None = None) -> None:
    """Write a file; `properties` belong to all results. Raises UsageFault or OutputFault when it cannot be written."""
    counted = {outcome: sum(result.outcome == outcome for result in results) for outcome in OUTCOMES}
    sums = {
        "name": _fit(suite),
        "tests": str(len(results)),
        "failures": str(counted["failed"]),
        "errors": str(counted["error"]),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
    root = ElementTree.Element("testsuites", sums)
    element = ElementTree.SubElement(root, "testsuite", {**sums, "skipped": str(counted["skipped"])})
    if properties:
        listed = ElementTree.SubElement(element, "properties")
        for name, value in properties.items():
            ElementTree.SubElement(listed, "property", {"name": _fit(name), "value": _fit(value)})
    for result in results:
        element.append(_case(result))
    ElementTree.indent(root)
    file = io.BytesIO()
    ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    outfile.write(path, file.getvalue())


def _case(result: Result) -> ElementTree.Element:
    attributes = {"classname": _fit(result.group), "name": _fit(result.name), "time": f"{result.seconds:.3f}"}
    case = ElementTree.Element("testcase", attributes)
    tag = {"failed": "failure", "error": "error", "skipped": "skipped"}.get(result.outcome)
    if tag is not None:
        first = result.why.partition("\n")[0]
        ElementTree.SubElement(case, tag, {"message": _fit(first)}).text = _lines(result.why)
    if result.output:
        ElementTree.SubElement(case, "system-out").text = _lines(result.output)
    return case


def _lines(text: str) -> str:
    return "\n".join(map(_fit, text.splitlines()))


def _fit(text: str) -> str:
    """XML has no place for control characters, nor for halves of a surrogate pair."""
    return printable(" ".join(text.splitlines())).encode("utf-8", "replace").decode("utf-8")
