"""What a field of a step may be. Each check returns the value to use, or raises UsageFault with the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from ..errors import UsageFault
from ..golden import check_name
from ..stands.base import KEYS, LONGEST_WAIT_MS, key_index
from .compare import check_wanted, shown

Check = Callable[[Any], Any]
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?(ms|s|m)")
_UNITS = {"ms": 1, "s": 1000, "m": 60_000}


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
    return str(value)


def query(value: Any) -> str:
    if "?" not in line(value):
        raise UsageFault(f"must be a question, such as *IDN?, not {shown(value)}")
    return str(value)


def count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UsageFault(f"must be a whole number, not {shown(value)}")
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
    return [str(card).upper() for card in listed]


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
