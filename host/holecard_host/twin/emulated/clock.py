"""The clock of the emulated chip: where sleep is skipped, and noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rp2040py.clock.simulation_clock import SimulationClock


class Clock(SimulationClock):  # type: ignore[misc]  # a compiled class
    """A clock that asks `on_sleep` before each jump over the processor's sleep; True: do not jump now.

    rp2040py's loop reads `nanos_to_next_alarm` for exactly that purpose and no other.
    """

    on_sleep: Callable[[], bool] | None = None

    @property
    def nanos_to_next_alarm(self) -> Any:
        if self.on_sleep is not None and self.on_sleep():
            return 0.0
        return SimulationClock.nanos_to_next_alarm.__get__(self)

    def skip(self) -> None:
        """Go to the next alarm: for a processor that waits in a loop."""
        self.tick(SimulationClock.nanos_to_next_alarm.__get__(self))
