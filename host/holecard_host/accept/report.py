"""What came of a run, for programs: JSON with one record per measurement, and JUnit XML. The page is in page.py."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holecard import __version__

from ..errors import UsageFault
from ..reports import junit
from .suite import Result, worst


@dataclass
class Report:
    """A run: on which table, with which seed, and all results so far."""

    url: str
    identity: str
    seed: int
    repeat: int
    capabilities: Sequence[str] = ()
    began: float = field(default_factory=time.time)
    results: list[Result] = field(default_factory=list)
    stopped: str = ""

    @property
    def outcome(self) -> str:
        """passed, failed, error or skipped; a run that was stopped is an error."""
        return "error" if self.stopped else worst(self.results)

    def as_json(self) -> dict[str, Any]:
        """The whole run; `measurements` has one flat record for each."""
        return {
            "table": self.url,
            "identity": self.identity,
            "suite": __version__,
            "host": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
            "began": time.strftime("%Y-%m-%dT%H:%M:%S%z", time.localtime(self.began)),
            "seed": self.seed,
            "repeat": self.repeat,
            "outcome": self.outcome,
            "stopped": self.stopped,
            "checks": [
                {
                    "check": result.check,
                    "turn": result.turn,
                    "outcome": result.outcome,
                    "why": result.why,
                    "seconds": round(result.seconds, 3),
                }
                for result in self.results
            ],
            "measurements": [
                {
                    "name": one.name,
                    "turn": result.turn,
                    "value": one.value,
                    "unit": one.limit.unit,
                    "min": one.limit.low,
                    "max": one.limit.high,
                    "outcome": one.outcome,
                    "detail": one.detail,
                }
                for result in self.results
                for one in result.measurements
            ],
        }


def write(folder: Path, report: Report) -> list[Path]:
    """Write all three files and return their paths. Raises UsageFault when one cannot be written."""
    from .page import page  # noqa: PLC0415 - draws pictures

    paths = [folder / "accept.json", folder / "accept.xml", folder / "accept.html"]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths[0].write_text(json.dumps(report.as_json(), indent=1), encoding="utf-8")
        paths[2].write_text(page(report), encoding="utf-8")
    except OSError as error:
        raise UsageFault(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from None
    junit.write(paths[1], "holecard accept", [_as_junit(report, result) for result in report.results])
    return paths


def _as_junit(report: Report, result: Result) -> junit.Result:
    properties = {one.name: f"{one.value:g} {one.limit.unit}".strip() for one in result.measurements}
    name = result.check if report.repeat == 1 else f"{result.check}[{report.seed + result.turn}]"
    return junit.Result(report.url, name, result.seconds, result.outcome, result.why, properties)
