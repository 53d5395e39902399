"""What is wired to the GPIOs: contacts that short them to ground, and lamps that show what they drive."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .clock import Clock

_HIGH = 1


class Pins:
    """`on_drive(mask)` gets the mask of the GPIOs driven high whenever it changes, unless `quiet`."""

    not_state = ("quiet",)

    def __init__(self, mcu: Any, clock: Clock, on_drive: Callable[[int], None]) -> None:
        self.low = 0
        self.quiet = False
        self._gpio = mcu.gpio
        self._clock = clock
        self._drive = on_drive
        self._high = 0
        self._edges: deque[tuple[float, int]] = deque()
        self._alarm = clock.create_alarm(self._edge)
        for number, pin in enumerate(self._gpio):
            pin.add_listener(self._listener(1 << number))

    def expect(self, edges: Iterable[tuple[float, int]]) -> None:
        """Let outside hardware hold these masks of GPIOs low, each from its instant on (chip's nanoseconds)."""
        self._edges.extend(edges)
        self._schedule()

    def hold(self, low: int) -> None:
        """Hold exactly these GPIOs low, from now on."""
        changed = self.low ^ low
        self.low = low
        for number, pin in enumerate(self._gpio):
            if changed >> number & 1:
                if low >> number & 1:
                    pin.set_input_value(False)
                else:
                    # An open contact drives nothing: the pull-up of the pin does.
                    pin.release_input()

    def _schedule(self) -> None:
        while self._edges and self._edges[0][0] <= self._clock.nanos:
            self.hold(self._edges.popleft()[1])
        if self._edges:
            self._alarm.schedule(self._edges[0][0] - self._clock.nanos)

    def _edge(self) -> None:
        self._schedule()

    def _listener(self, bit: int) -> Callable[[Any, Any], None]:
        def changed(state: Any, _: Any) -> None:
            high = self._high | bit if int(state) == _HIGH else self._high & ~bit
            if high != self._high:
                self._high = high
                if not self.quiet:
                    self._drive(high)

        return changed
