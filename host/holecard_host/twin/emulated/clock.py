"""The clock of the emulated chip: where sleep is skipped, and noticed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rp2040py.clock.simulation_clock import SimulationClock


class Clock(SimulationClock):
    """A clock that asks `on_sleep` before each jump over the processor's sleep; True: do not jump now.

    rp2040py's loop reads `nanos_to_next_alarm` for that purpose, and once when it begins.
    """

    on_sleep: Callable[[], bool] | None = None

    def __init__(self) -> None:
        super().__init__()
        # Every alarm in the order of its making, and when each is due in the order of its setting. An instant that is
        # over stays in `due`: nobody tells when an alarm goes off.
        self.alarms: list[Any] = []
        self.due: dict[Any, float] = {}

    def create_alarm(self, callback: Callable[[], None]) -> Any:
        self.alarms.append(super().create_alarm(callback))
        return self.alarms[-1]

    def link_alarm(self, nanos: float, alarm: Any) -> Any:
        self.due.pop(alarm, None)
        self.due[alarm] = self.nanos + nanos
        return super().link_alarm(nanos, alarm)

    def unlink_alarm(self, alarm: Any) -> Any:
        self.due.pop(alarm, None)
        return super().unlink_alarm(alarm)

    @property
    def nanos_to_next_alarm(self) -> Any:
        if self.on_sleep is not None and self.on_sleep():
            return 0.0
        return SimulationClock.nanos_to_next_alarm.__get__(self)

    def skip(self) -> None:
        """Go to the next alarm: for a processor that waits in a loop."""
        self.spend(SimulationClock.nanos_to_next_alarm.__get__(self))

    def spend(self, nanos: float) -> None:
        """Let time pass while the processor stands still."""
        SimulationClock.tick(self, nanos)
