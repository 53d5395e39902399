"""Ties the virtual clock to the wall clock, for a person or a foreign program at the table."""

from __future__ import annotations

import time
from collections.abc import Callable

SLICE_SECONDS = 0.01
# After a pause of the machine (a laptop lid) the table goes on where it was, it does not hurry to catch up.
_LAG_US = 250_000


class Pacer:
    """Says how far the virtual clock should be. `clock` gives seconds and never goes back."""

    def __init__(self, now: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._zero = clock() - now / 1e6

    def target(self, now: int) -> int:
        """The instant, in microseconds, that corresponds to this moment; `now` is how far the simulation is."""
        target = int((self._clock() - self._zero) * 1e6)
        if target - now > _LAG_US:
            self._zero += (target - now - _LAG_US) / 1e6
            return now + _LAG_US
        return target
