"""Results as JUnit XML, in the form that Jenkins, GitLab and most others read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from ..errors import UsageFault
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
    properties: Mapping[str, str] = field(default_factory=dict)
    output: str = ""


def write(path: Path, suite: str, results: Sequence[Result]) -> None:
    """Write a file. Raises UsageFault when it cannot be written."""
    counted = {outcome: sum(result.outcome == outcome for result in results) for outcome in OUTCOMES}
    sums = {
        "tests": str(len(results)),
        "failures": str(counted["failed"]),
        "errors": str(counted["error"]),
        "skipped": str(counted["skipped"]),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
    root = ElementTree.Element("testsuites", {"name": _fit(suite), **sums})
    element = ElementTree.SubElement(root, "testsuite", {"name": _fit(suite), **sums})
    for result in results:
        element.append(_case(result))
    ElementTree.indent(root)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise UsageFault(f"{path}: cannot be written: {error.strerror or error}") from None


def _case(result: Result) -> ElementTree.Element:
    attributes = {"classname": _fit(result.group), "name": _fit(result.name), "time": f"{result.seconds:.3f}"}
    case = ElementTree.Element("testcase", attributes)
    if result.properties:
        listed = ElementTree.SubElement(case, "properties")
        for name, value in result.properties.items():
            ElementTree.SubElement(listed, "property", {"name": _fit(name), "value": _fit(value)})
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
