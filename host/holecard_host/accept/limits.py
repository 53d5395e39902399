"""What each measurement may be: limits.toml in this package, and a user's own file over it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageFault

OWN = Path(__file__).with_name("limits.toml")
_FIELDS: dict[str, Any] = {"what": str, "unit": str, "min": (int, float), "max": (int, float)}


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

    def __str__(self) -> str:
        low, high = (f"{end:g}" if end is not None else "" for end in (self.low, self.high))
        unit = f" {self.unit}" if self.unit else ""
        if low and low == high:
            return f"{low}{unit}"
        return f"{low}..{high}{unit}" if low and high else f"at least {low}{unit}" if low else f"at most {high}{unit}"


def load(path: Path | None = None) -> dict[str, Limit]:
    """All limits by the name of their measurement. A user's file changes what it names, field by field.

    Raises UsageFault for a file that cannot be read, or that names what is not measured.
    """
    own = _entries(OWN)
    for name, fields in (_entries(path) if path is not None else {}).items():
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


def _entries(path: Path) -> dict[str, dict[str, Any]]:
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageFault(f"{path}: {error}") from None
    result = {}
    for check, measurements in document.items():
        if not isinstance(measurements, dict):
            raise UsageFault(f"{path}: {check} must be a table such as [{check}.NAME]")
        for name, fields in measurements.items():
            full = f"{check}.{name}"
            if not isinstance(fields, dict):
                raise UsageFault(f"{path}: {full} must be a table [{full}] with min, max")
            for field, value in fields.items():
                if field not in _FIELDS or not isinstance(value, _FIELDS[field]) or isinstance(value, bool):
                    raise UsageFault(
                        f"{path}: {full}: {field} = {value!r} is none of what, unit (texts), min, max (numbers)"
                    )
            result[full] = fields
    return result
