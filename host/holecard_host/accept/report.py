"""What came of a run, for programs: JSON with one record per measurement, and JUnit XML. The page is in page.py."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holecard import __version__

from .. import outfile
from ..errors import HolecardError, OutputFault, UsageFault
from ..reports import junit
from .suite import Result, worst


@dataclass
class Report:
    """A run: on which table, with which seed, all results so far, and the names of what should be measured."""

    url: str
    identity: str
    seed: int
    repeat: int
    capabilities: Sequence[str] = ()
    wanted: Sequence[str] = ()
    began: float = field(default_factory=time.time)
    results: list[Result] = field(default_factory=list)
    stopped: str = ""

    @property
    def outcome(self) -> str:
        """passed, failed, error or skipped; a run that was stopped is an error."""
        return "error" if self.stopped else worst(self.results)

    @property
    def missing(self) -> list[str]:
        """What could not be measured on this stand, or not any more."""
        measured = {one.name for result in self.results for one in result.measurements}
        return [name for name in self.wanted if name not in measured]

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
            "not_measured": self.missing,
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
    """Write all three files and return their paths.

    Raises UsageFault or OutputFault when one cannot be written, after it has tried the others.
    """
    from .page import page  # noqa: PLC0415 - draws pictures

    paths = [folder / "accept.json", folder / "accept.xml", folder / "accept.html"]
    facts = {"identity": report.identity, "seed": str(report.seed), "outcome": report.outcome}
    jobs: list[Callable[[], None]] = [
        lambda: outfile.write(paths[0], json.dumps(report.as_json(), indent=1).encode()),
        lambda: junit.write(paths[1], "holecard accept", [_as_junit(report, one) for one in report.results], facts),
        lambda: outfile.write(paths[2], page(report).encode()),
    ]
    faults: list[HolecardError] = []
    for job in jobs:
        try:
            job()
        except (UsageFault, OutputFault) as fault:
            faults.append(fault)
    if faults:
        raise faults[0]
    return paths


def _as_junit(report: Report, result: Result) -> junit.Result:
    output = "\n".join(f"{one}, limit {one.limit}: {one.outcome}" for one in result.measurements)
    name = result.check if report.repeat == 1 else f"{result.check}[{report.seed + result.turn}]"
    return junit.Result(report.url, name, result.seconds, result.outcome, result.why, output)
