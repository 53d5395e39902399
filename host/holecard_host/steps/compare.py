"""What is expected of a structured answer against what it holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import UsageFault

_PART = re.compile(r"\.?([A-Za-z_][A-Za-z0-9_]*)|\[([0-9]+)\]")


def differences(wanted: Any, found: Any, at: str = "") -> Iterator[str]:
    """One short text for each difference; none when all agree.

    Of an object only the fields that are named count, of a list every entry. A field may be a path, as in
    `seats[0].net`. Numbers are equal by value, and true is no number.
    """
    if isinstance(wanted, Mapping):
        if not isinstance(found, Mapping):
            yield f"{at or 'answer'}: expected an object, got {shown(found)}"
            return
        for path, value in wanted.items():
            where = f"{at}.{path}" if at else str(path)
            try:
                got = follow(found, str(path))
            except LookupError as missing:
                yield f"{where}: {missing.args[0]}"
            else:
                yield from differences(value, got, where)
    elif isinstance(wanted, list | tuple):
        if not isinstance(found, list) or len(found) != len(wanted):
            yield f"{at or 'answer'}: expected {shown(wanted)}, got {shown(found)}"
            return
        for index, (want, have) in enumerate(zip(wanted, found, strict=True)):
            yield from differences(want, have, f"{at}[{index}]")
    elif wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        yield f"{at or 'answer'}: expected {shown(wanted)}, got {shown(found)}"


def check_wanted(wanted: Any) -> None:
    """Raises UsageFault for an expectation that everything would fulfil: an object without fields, however deep."""
    if isinstance(wanted, Mapping):
        if not wanted:
            raise UsageFault("expects nothing: name the fields that are to be compared")
        wanted = list(wanted.values())
    for inner in wanted if isinstance(wanted, list | tuple) else ():
        check_wanted(inner)


def check_path(path: str) -> None:
    """Raises UsageFault for what is no path."""
    if re.fullmatch(rf"(?:{_PART.pattern})+", path) is None:
        raise UsageFault(f"{path!r} is no path such as seats[0].net")


def follow(record: Any, path: str) -> Any:
    """The value at a path such as `seats[0].net`. Raises LookupError with a reason, UsageFault for what is no path."""
    end = 0
    while end < len(path):
        part = _PART.match(path, end)
        if part is None:
            raise UsageFault(f"{path!r} is no path such as seats[0].net")
        name, index = part.groups()
        if name is not None:
            if not isinstance(record, Mapping) or name not in record:
                known = f", only {', '.join(record)}" if isinstance(record, Mapping) else ""
                raise LookupError(f"there is no {name}{known}")
            record = record[name]
        else:
            if not isinstance(record, list) or int(index) >= len(record):
                held = f"{len(record)} entries" if isinstance(record, list) else shown(record)
                raise LookupError(f"there is no entry [{index}], only {held}")
            record = record[int(index)]
        end = part.end()
    return record


def shown(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 100 else text[:97] + "..."
