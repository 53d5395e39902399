"""Checks of single JSON values that can say where in a case file they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from holecard_host.cases.money import halves
from holecard_host.errors import UsageFault

_MOST_DOLLARS = 10**9
_LONGEST = 400  # characters of a message; a file may hold anything


def printable(text: str) -> str:
    """Text from a file or a table without what would move a terminal's cursor or break a line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


class CaseFault(UsageFault):
    """A case file that is malformed: `FILE: case ID: field: what is wrong`."""


def kind(value: Any) -> str:
    """JSON's name for the type of a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    names = {dict: "an object", list: "a list", str: "a string", int: "a number", float: "a number"}
    return names.get(type(value), type(value).__name__)


class Spot:
    """A place in a case file: the file, perhaps a case, perhaps a field. Every check fails with this place."""

    def __init__(self, file: str, case: str = "", field: str = "") -> None:
        self._file = file
        self._case = case
        self._field = field

    def case(self, name: str) -> Spot:
        """The case called `name` in this file."""
        return Spot(self._file, name)

    def at(self, field: str | int) -> Spot:
        """A field, or an entry of a list, below this place."""
        inner = f"{self._field}[{field}]" if isinstance(field, int) else f"{self._field}.{field}".lstrip(".")
        return Spot(self._file, self._case, inner)

    def fail(self, message: str) -> NoReturn:
        """Raise CaseFault for this place."""
        where = [self._file, f"case {self._case}" if self._case else "", self._field]
        # A message is one line, whatever is in the file.
        line = ": ".join(part for part in [*where, message] if part)
        line = line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
        raise CaseFault(printable(line))

    def record(self, value: Any, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
        """An object with all of the required and nothing but the known fields."""
        if not isinstance(value, dict):
            self.fail(f"must be an object, not {kind(value)}")
        known = [*required, *optional]
        for name in value:
            if name not in known:
                self.at(name).fail(f"unknown field, one of {', '.join(known)}")
        for name in required:
            if name not in value:
                self.at(name).fail("is missing")
        return value

    def items(self, value: Any) -> list[Any]:
        """A list."""
        if not isinstance(value, list):
            self.fail(f"must be a list, not {kind(value)}")
        return value

    def each(self, value: Any) -> Iterator[tuple[Spot, Any]]:
        """The entries of a list, each with its place."""
        for index, entry in enumerate(self.items(value)):
            yield self.at(index), entry

    def text(self, value: Any, empty: bool = False) -> str:
        """A string, not blank unless `empty`."""
        if not isinstance(value, str):
            self.fail(f"must be a string, not {kind(value)}")
        if not empty and not value.strip():
            self.fail("is empty")
        return value

    def choice(self, value: Any, known: Sequence[str], what: str = "value") -> str:
        """One of the known strings."""
        if not isinstance(value, str):
            self.fail(f"must be a string, not {kind(value)}")
        if value not in known:
            self.fail(f"unknown {what} {value!r}, one of {', '.join(known)}")
        return value

    def boolean(self, value: Any) -> bool:
        """true or false."""
        if not isinstance(value, bool):
            self.fail(f"must be true or false, not {kind(value)}")
        return value

    def integer(self, value: Any, low: int | None = None) -> int:
        """A whole number, at least `low`."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(f"must be a whole number, not {kind(value)}")
        if isinstance(value, float) and not value.is_integer():
            self.fail(f"must be a whole number, not {value!r}")
        if low is not None and value < low:
            self.fail(f"must be at least {low}, not {value!r}")
        return int(value)

    def money(self, value: Any, signed: bool = False) -> int:
        """Dollars that may end in .5, as half-dollars; not negative unless `signed`."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(f"must be a number of dollars, not {kind(value)}")
        try:
            amount = halves(value)
        except ValueError:
            self.fail(f"must be dollars that end in .0 or .5, not {value!r}")
        if abs(value) > _MOST_DOLLARS:
            self.fail(f"must be at most {_MOST_DOLLARS}, not {value!r}")
        if not signed and value < 0:
            self.fail(f"must not be negative, not {value!r}")
        return amount
