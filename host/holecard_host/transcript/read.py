"""Reads transcripts back: requests with their answers, and what was done to the table beside them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageFault
from ..infile import read
from ..picture import SIZE
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
# What a simulated table's pins and buses did: of these a transcript has many.
_HARDWARE = ("pin", "bus", "tone", "glass")
# The table's piezo has 2,093 Hz at most; a wave of what an edited file says would have no end.
_MOST_HERTZ = 100_000
_MOST_US = 1e15
# Characters of a strange value that a message repeats.
_SHOWN = 60


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

    `records` is what pins and buses did, with `dir`, `device` where that is known, and what belongs to it; `opening`
    holds those of them that came before the first deed; `identity` is what the table called itself.
    """

    path: Path
    url: str
    identity: str
    deeds: list[Deed]
    records: list[dict[str, Any]]
    opening: list[dict[str, Any]]
    stand_time: bool = False


def load(path: Path, *, hardware: bool = True) -> Script:
    """Read a transcript, without what pins and buses did unless `hardware`: a long one has little else.

    Raises UsageFault, with the line's number, for what is none.
    """
    rows = _rows(path)
    head = next(rows, (0, {}))[1]
    if head.get("holecard_transcript") != VERSION:
        raise UsageFault(f"{path}: this is no transcript of version {VERSION}")
    script = Script(path, str(head.get("url", "")), "", [], [], [])
    script.stand_time = head.get("clock") == "stand"
    syncing = False
    for number, record in rows:
        kind = record.get("dir")
        try:
            at = _time(record)
            _check(kind, record)
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
            elif hardware and kind in _HARDWARE:
                kept = {"dir": kind, **{name: record[name] for name in ("device", *_FIELDS[kind]) if name in record}}
                script.records.append(kept)
                if kind != "tone":
                    (script.deeds[-1].records if script.deeds else script.opening).append(kept)
        except (KeyError, ValueError, TypeError, RecursionError) as error:
            raise UsageFault(f"{path}:{number}: this line cannot be understood: {error}") from None
    return script


def _time(record: dict[str, Any]) -> float:
    """When a line was written. Raises ValueError for what is no time."""
    for name in ("host", "device"):
        at = record.get(name, 0)
        if isinstance(at, bool) or not isinstance(at, (int, float)) or not abs(at) <= _MOST_US:
            raise ValueError(f"{name} is {at!r}")
    return float(record.get("device", record.get("host", 0)))


def _check(kind: Any, record: dict[str, Any]) -> None:
    """Raises KeyError or ValueError for a line whose fields are not what is written there."""
    for name, what in _FIELDS.get(str(kind), {}).items():
        value = record[name]
        if isinstance(value, bool) or not isinstance(value, what) or not _possible(name, value):
            raise ValueError(f"{name} is {str(value)[:_SHOWN]!r}")


def _possible(name: str, value: Any) -> bool:
    if name == "line":  # one character for each byte
        return value != "" and "\n" not in value and max(value) <= "\xff"
    if name == "data":
        bytes.fromhex(value)
    elif name == "picture":
        return len(bytes.fromhex(value)) == SIZE
    most = {"level": 1, "address": 0x7F, "hertz": _MOST_HERTZ}.get(name)
    return most is None or 0 <= value <= most


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The lines of a file and their numbers, one after the other: there may be a great many."""
    for number, line in enumerate(io.BytesIO(read(path)), 1):
        try:
            record = json.loads(line.decode("ascii"))
        except (ValueError, RecursionError):
            if number == 1:
                raise UsageFault(f"{path}: this is no transcript of version {VERSION}") from None
            if not line.endswith(b"\n"):
                return  # a program that was killed, or a full disk, cut it short
            raise UsageFault(f"{path}:{number}: this line is no JSON") from None
        if not isinstance(record, dict):
            raise UsageFault(f"{path}:{number}: this line is no JSON object")
        yield number, record
