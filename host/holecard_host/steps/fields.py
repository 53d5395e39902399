"""What a field of a step may be. Each check returns the value to use, or raises UsageFault with the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from holecard.rules.ruleset import FIELDS, PRESETS
from holecard.table import telling

from ..cases.model import shoe_request
from ..errors import UsageFault
from ..golden import check_name
from ..stands.base import KEYS, LONGEST_WAIT_MS, key_index
from ..wire import REQUEST_LIMIT
from .compare import check_path, check_wanted, shown
from .engine import LONGEST_PRESS_MS, parameter

Check = Callable[[Any], Any]
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?(ms|s|m)")
_UNITS = {"ms": 1, "s": 1000, "m": 60_000}
_RULES = tuple(field[0] for field in FIELDS)
_MOST_SEATS = next(high for name, _, _, high in FIELDS if name == "max_seats")
# What ROUNd:ACTion takes: the words of docs/wire.md in SCPI's two forms, and the letters of the case files.
_ACTIONS = ("HIT", "STAND", "DOUBle", "SPLit", "INSure", "DECLine")
_ACTION = re.compile("H(IT)?|S|STAND?|D|DOUB(LE)?|P|SPL(IT)?|I(NS(URE)?)?|N(OINS)?|DECL(INE)?", re.IGNORECASE)
_EVENTS: dict[str, set[str]] = {}
for _kind in vars(telling).values():
    if isinstance(_kind, tuple):
        _EVENTS.setdefault(_kind[0], set()).update(_kind[1:])


def wanted(value: Any) -> Any:
    check_wanted(value)
    return value


def text(value: Any) -> str:
    # YAML makes numbers and booleans of some words; which ones is nobody's business here.
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        raise UsageFault(f"must be a text, not {shown(value)} (put it into quotes)")
    return str(value)


def line(value: Any) -> str:
    if not text(value).isascii() or "\n" in str(value) or "\r" in str(value):
        raise UsageFault(f"must be one line of ASCII characters, not {shown(value)}")
    if len(str(value)) > REQUEST_LIMIT:
        raise UsageFault(f"has {len(str(value))} characters, a request to the table at most {REQUEST_LIMIT}")
    return str(value)


def query(value: Any) -> str:
    if "?" not in line(value):
        raise UsageFault(f"must be a question, such as *IDN?, not {shown(value)}")
    return str(value)


def count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageFault(f"must be a whole number, not {shown(value)}")
    return value


def seats(value: Any) -> int:
    if not 1 <= count(value) <= _MOST_SEATS:
        raise UsageFault(f"must be 1 to {_MOST_SEATS}, not {value}")
    return value


def seat(value: Any) -> int:
    if count(value) >= _MOST_SEATS:
        raise UsageFault(f"must be 0 to {_MOST_SEATS - 1}, not {value}")
    return value


def dollars(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise UsageFault(f"must be a number of dollars, not {shown(value)}")
    return value


def duration(value: Any) -> int:
    """Whole milliseconds of "500ms", "1.5s" or "2m"."""
    found = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise UsageFault(f"must be a time with its unit, such as 500ms or 2s, not {shown(value)}")
    ms = round(float(found[1]) * _UNITS[found[2]])
    if ms > LONGEST_WAIT_MS:
        raise UsageFault(f"is longer than {LONGEST_WAIT_MS // 1000}s")
    return ms


def press(value: Any) -> int:
    ms = duration(value)
    if not 1 <= ms <= LONGEST_PRESS_MS:
        raise UsageFault(f"a press takes 1 to {LONGEST_PRESS_MS} ms, not {shown(value)}")
    return ms


def action(value: Any) -> str:
    if _ACTION.fullmatch(text(value)) is None:
        raise UsageFault(f"there is no action {shown(value)}: one of {', '.join(_ACTIONS)}")
    return str(value)


def rules(value: Any) -> str:
    if text(value).lower() not in PRESETS:
        raise UsageFault(f"there are no rules {shown(value)}: one of {', '.join(PRESETS)}")
    return str(value)


def event(value: Any) -> str:
    if text(value) not in _EVENTS:
        raise UsageFault(f"there is no event {shown(value)}: one of {', '.join(_EVENTS)}")
    return str(value)


def one_of(*known: Any) -> Check:
    def check(value: Any) -> Any:
        if isinstance(value, bool) or value not in known:
            raise UsageFault(f"must be {' or '.join(map(str, known))}, not {shown(value)}")
        return value

    return check


def keys(value: Any) -> list[int]:
    listed = value if isinstance(value, list) else str(value).replace(",", " ").split()
    pressed = [key_index(key) for key in listed]
    if len(set(pressed)) < max(len(pressed), 2):
        raise UsageFault("needs at least two keys, each of them once")
    return pressed


def lamps(value: Any) -> list[str]:
    listed = value if isinstance(value, list) else text(value).split()
    return [] if listed == ["none"] else [KEYS[key_index(key)] for key in listed]


def cards(value: Any) -> list[str]:
    listed = value if isinstance(value, list) else str(value).replace(",", " ").split()
    for card in listed:
        if not re.fullmatch(r"A|[2-9]|10|T|J|Q|K", str(card).upper()):
            raise UsageFault(f"must be ranks such as A, 10 or 7, not {shown(card)}")
    ranks = [str(card).upper() for card in listed]
    line(shoe_request(ranks))
    return ranks


def boxes(value: Any) -> list[tuple[int, int, int, int]]:
    listed = value if isinstance(value, list) else []
    if not listed or any(not isinstance(box, list) or len(box) != 4 for box in listed):
        raise UsageFault("must be a list of boxes, each [left, top, right, bottom]")
    return [(count(a), count(b), count(c), count(d)) for a, b, c, d in listed]


def screen(value: Any) -> str:
    check_name(text(value))
    return str(value)


def png(value: Any) -> str:
    name = text(value)
    if not name.lower().endswith(".png"):
        raise UsageFault(f"must be a file whose name ends in .png, not {name}")
    return name


# Fields that a step takes beside its own: each check gets the step's own fields and those.


def of_state(own: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    check_wanted(fields)
    for name in fields:
        check_path(name)


def of_event(own: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    known = _EVENTS[own["event"]]
    for name in fields:
        if name not in known:
            raise UsageFault(f"the event {own['event']} has no field {name!r}: one of {', '.join(sorted(known))}")


def of_rules(own: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    for name, value in fields.items():
        if name.lower() not in _RULES:
            raise UsageFault(f"there is no rule {name!r}: one of {', '.join(_RULES)}")
        parameter(value)
