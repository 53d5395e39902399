"""Reads transcripts back: requests with their answers, and what was done to the table beside them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageFault
from ..infile import read
from ..wire import EVENT
from .record import VERSION

# What belongs to a line by its `dir`; whatever else it has is not looked at.
_FIELDS: dict[str, dict[str, type]] = {
    "out": {"line": str},
    "in": {"line": str},
    "do": {"do": str, "with": list},
    "pin": {"pin": str, "level": int},
    "bus": {"address": int, "data": str},
    "tone": {"hertz": int},
    "glass": {"picture": str},
}


@dataclass
class Deed:
    """A request (`do` is "", `line` what was sent) or something that was done to the stand (`do` its name).

    `number` is its line in the file, counted from 1; `answers` are the lines that came back, events are elsewhere.
    `raw` is both in the order in which they came, `records` what pins and bus did meanwhile.
    `at` and `until` are microseconds of the table's time where that is known, else of the host's.
    """

    number: int
    line: str = ""
    do: str = ""
    arguments: list[Any] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    at: float = 0.0
    until: float = 0.0
    events: list[dict[str, Any]] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)


@dataclass
class Script:
    """A transcript as a sequence of deeds.

    `records` is every line but the first, as it stands; `opening` holds those pins and transfers that came before the
    first deed; `identity` is what the table called itself.
    """

    path: Path
    url: str
    identity: str
    deeds: list[Deed]
    records: list[dict[str, Any]]
    opening: list[dict[str, Any]]
    stand_time: bool = False


def load(path: Path) -> Script:
    """Read a transcript. Raises UsageFault, with the line's number, for what is none."""
    rows = _rows(path)
    head = rows[0][1] if rows else {}
    if head.get("holecard_transcript") != VERSION:
        raise UsageFault(f"{path}: this is no transcript of version {VERSION}")
    script = Script(path, str(head.get("url", "")), "", [], [], [])
    script.stand_time = head.get("clock") == "stand"
    syncing = False
    for number, record in rows[1:]:
        script.records.append(record)
        kind = record.get("dir")
        try:
            at = float(record.get("device", record.get("host", 0)))
            _check(kind, record, at)
            if kind == "out":
                line = str(record["line"])
                # The search for a line's beginning, which every program does for itself.
                syncing = line.startswith("*CLS;*IDN?") or "\x18" in line
                if not syncing and not record.get("aside"):
                    script.deeds.append(Deed(number, line, at=at, until=at))
            elif kind == "in":
                line = str(record["line"])
                event = EVENT.match(line)
                if event is not None:
                    if script.deeds:
                        script.deeds[-1].events.append(json.loads(event[3]))
                        script.deeds[-1].raw.append(line)
                elif syncing:
                    script.identity = line.partition(";")[0]
                elif not record.get("aside") and script.deeds:
                    script.deeds[-1].answers.append(line)
                    script.deeds[-1].raw.append(line)
                    script.deeds[-1].until = at
            elif kind == "do":
                script.deeds.append(Deed(number, do=str(record["do"]), arguments=list(record["with"]), at=at, until=at))
            elif kind in ("bus", "pin", "glass"):
                (script.deeds[-1].records if script.deeds else script.opening).append(record)
        except (KeyError, ValueError, TypeError) as error:
            raise UsageFault(f"{path}:{number}: this line cannot be understood: {error}") from None
    return script


def _check(kind: Any, record: dict[str, Any], at: float) -> None:
    """Raises KeyError or ValueError for a line whose fields are not what is written there."""
    if not math.isfinite(at):
        raise ValueError(f"its time is {at}")
    for name, what in _FIELDS.get(str(kind), {}).items():
        if not isinstance(record[name], what):
            raise ValueError(f"{name} is {record[name]!r}")
    for name in ("data", "picture"):
        if name in _FIELDS.get(str(kind), {}):
            bytes.fromhex(record[name])


def _rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    try:
        text = read(path).decode("ascii")
    except UnicodeDecodeError:
        raise UsageFault(f"{path}: this is no transcript of version {VERSION}") from None
    lines = text.splitlines()
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            if number == len(lines) and number > 1 and not text.endswith("\n"):
                break  # a program that was killed, or a full disk, cut it short
            if number == 1:
                raise UsageFault(f"{path}: this is no transcript of version {VERSION}") from None
            raise UsageFault(f"{path}:{number}: this line is no JSON") from None
        if not isinstance(record, dict):
            raise UsageFault(f"{path}:{number}: this line is no JSON object")
        rows.append((number, record))
    return rows
