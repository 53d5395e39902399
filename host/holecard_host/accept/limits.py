"""What each measurement may be: limits.toml in this package, and a user's own file over it."""

from __future__ import annotations

import fnmatch
import math
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageFault
from ..infile import read
from ..text import printable

OWN = Path(__file__).with_name("limits.toml")
_STANDS = "on"
_FIELDS: dict[str, Any] = {"what": str, "unit": str, "min": (int, float), "max": (int, float)}
_NO_END = {"min": -math.inf, "max": math.inf}


@dataclass(frozen=True)
class Limit:
    """The range of a measurement, both ends belong to it; None: no end on that side."""

    what: str
    unit: str = ""
    low: float | None = None
    high: float | None = None

    def keeps(self, value: float) -> bool:
        """Whether a value lies within."""
        return not ((self.low is not None and value < self.low) or (self.high is not None and value > self.high))

    def used(self, value: float) -> float | None:
        """Which part of what is allowed a value uses, 1 at the limit; None where the range has two ends, or none."""
        if self.low is None and self.high:
            return value / self.high
        if self.high is None and self.low:
            return self.low / value if value else math.inf
        return None

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "any"
        if self.low == self.high or self.high is None or self.low is None:
            word = "" if self.low == self.high else "at least " if self.high is None else "at most "
            return word + self.shown(self.high if self.low is None else self.low)
        return f"{number(self.low)} to {self.shown(self.high)}"

    def shown(self, value: float | None) -> str:
        """A value with the unit."""
        return f"{number(value or 0)} {self.unit}".rstrip()


def number(value: float) -> str:
    """As people read it: without an exponent, and with no more digits than mean something."""
    return f"{value:,.0f}" if 1000 <= abs(value) < math.inf else f"{value:.4g}"


def load(path: Path | None = None, url: str = "") -> dict[str, Limit]:
    """All limits for the stand at `url` by the name of their measurement.

    A user's file changes what it names, field by field, and what a file says of this stand goes before what it says of
    all. Raises UsageFault for a file that cannot be read, or that names what is not measured.
    """
    own = _entries(OWN, url)
    for name, fields in (_entries(path, url) if path is not None else {}).items():
        if name not in own:
            raise UsageFault(f"{path}: {name}: there is no such measurement; {OWN} lists them")
        own[name] = {**own[name], **fields}
    result = {}
    for name, fields in own.items():
        low, high = fields.get("min"), fields.get("max")
        if low is not None and high is not None and low > high:
            raise UsageFault(f"{path}: {name}: min {low:g} is above max {high:g}")
        result[name] = Limit(fields.get("what", name), fields.get("unit", ""), low, high)
    return result


def _entries(path: Path, url: str) -> dict[str, dict[str, Any]]:
    try:
        document = tomllib.loads(read(path).decode())
    except (ValueError, RecursionError) as error:  # ValueError also for bytes that are no UTF-8 and for too many digits
        raise UsageFault(f"{path}: {printable(str(error))}") from None
    stands = document.pop(_STANDS, {})
    if not isinstance(stands, dict):
        raise UsageFault(f'{path}: {_STANDS} must be a table such as [{_STANDS}."/dev/tty*".CHECK]')
    result = _measurements(path, document)
    for pattern, checks in stands.items():
        if not isinstance(checks, dict):
            raise UsageFault(f"{path}: {_STANDS}.{pattern!r} must be a table such as [{_STANDS}.{pattern!r}.CHECK]")
        for name, fields in _measurements(path, checks).items():
            if fnmatch.fnmatchcase(url, pattern):
                result[name] = {**result.get(name, {}), **fields}
            else:
                result.setdefault(name, {})  # so that a wrong name is found whatever the stand
    return result


def _measurements(path: Path, checks: dict[str, Any]) -> dict[str, dict[str, Any]]:
    result = {}
    for check, measurements in checks.items():
        if not isinstance(measurements, dict):
            raise UsageFault(f"{path}: {check} must be a table such as [{check}.NAME]")
        for name, fields in measurements.items():
            full = f"{check}.{name}"
            if not isinstance(fields, dict):
                raise UsageFault(f"{path}: {full} must be a table [{full}] with min, max")
            for field, value in fields.items():
                if field not in _FIELDS or not _fits(field, value):
                    raise UsageFault(
                        f"{path}: {full}: {field} = {value!r} is none of what, unit (texts), min, max (numbers)"
                    )
            result[full] = {field: None if _NO_END.get(field) == value else value for field, value in fields.items()}
    return result


def _fits(field: str, value: Any) -> bool:
    if not isinstance(value, _FIELDS[field]) or isinstance(value, bool):
        return False
    # Neither what is no number nor what is too large for one.
    return isinstance(value, str) or abs(value) <= sys.float_info.max or value == _NO_END[field]
