"""Money between the wire and the cases: dollars that may end in .5 there, whole half-dollars here."""

from __future__ import annotations

import math
from typing import Any


def halves(value: Any) -> int:
    """Dollars, as JSON gives them, as half-dollars. Raises ValueError for what is no such amount."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is no amount of money")
    # A whole number may be longer than any float.
    if isinstance(value, float) and (not math.isfinite(value) or value * 2 != int(value * 2)):
        raise ValueError(f"{value!r} is no amount that ends in .0 or .5")
    return int(value * 2)


def dollars(amount: int) -> str:
    """Half-dollars as the wire writes money: `10` or `7.5`."""
    whole, half = divmod(abs(amount), 2)
    return ("-" if amount < 0 else "") + str(whole) + (".5" if half else "")
