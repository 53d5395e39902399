"""Maps the host's clock and the device's onto one line.

The device's clock (`SYSTem:TIME?`) counts microseconds modulo 2^30, so it wraps every 18 minutes, and starts anew with
every restart. It is asked now and then; each answer says that the device read its clock between the host's send and
receipt. Two such readings far enough apart give offset and rate. As long as both clocks keep their rate, the error of
the mapping is, between two readings, at most half of the longer of their two round trips; outside them, or with one
reading only, half of its round trip and `DRIFT` of the distance: two crystals and a host whose clock is being adjusted
are never further apart. A simulated stand tells its own time; then that takes the host's place, and the rate is 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

RANGE_US = 1 << 30
DRIFT = 600e-6
"""500 ppm, by which systems slew their clock at most, and 100 ppm for the two crystals."""
# A rate from readings nearer to each other would be worse than the crystals' own.
_LEAST_SPAN_US = 10_000_000
# A reading that is further from where it was expected belongs to a clock that has been started anew.
_RESTART_US = 250_000


@dataclass(frozen=True)
class Reading:
    """The device's clock was `device` (modulo 2^30) at some instant from `sent` to `received`, all microseconds."""

    sent: float
    received: float
    device: int

    @property
    def middle(self) -> float:
        return (self.sent + self.received) / 2

    @property
    def half(self) -> float:
        return (self.received - self.sent) / 2


@dataclass(frozen=True)
class _Point:
    host: float
    device: float
    half: float


class Clock:
    """The device's time for a time of the host, from the readings so far; `restarts` of the device were noticed."""

    def __init__(self) -> None:
        self.restarts = 0
        self._first: _Point | None = None
        self._last: _Point | None = None

    @property
    def known(self) -> bool:
        """Whether there is any reading."""
        return self._first is not None

    @property
    def rate(self) -> float:
        """Microseconds of the device to one of the host."""
        first, last = self._first, self._last
        if first is None or last is None or last.host - first.host < _LEAST_SPAN_US:
            return 1.0
        return (last.device - first.device) / (last.host - first.host)

    def take(self, reading: Reading) -> None:
        """One more reading, in the order of time."""
        if self._first is None or self._last is None:
            self._first = self._last = _Point(reading.middle, reading.device, reading.half)
            return
        expected = self.device(reading.middle)
        turns = round((expected - reading.device) / RANGE_US)
        point = _Point(reading.middle, reading.device + turns * RANGE_US, reading.half)
        allowed = _RESTART_US + self.bound(reading.middle) + reading.half
        if abs(point.device - expected) > allowed:
            self.restarts += 1
            # Its time goes on counting: nothing in a transcript runs backwards.
            turns = math.ceil((self._last.device - reading.device) / RANGE_US)
            point = _Point(reading.middle, reading.device + turns * RANGE_US, reading.half)
            self._first = self._last = point
            return
        if reading.middle - self._first.host < _LEAST_SPAN_US:
            # The better of two readings that are near each other.
            if point.half <= self._first.half:
                self._first = point
            self._last = self._first
            return
        fresh = reading.middle - self._last.host >= _LEAST_SPAN_US
        if fresh or point.half <= self._last.half or self._last is self._first:
            self._last = point

    def device(self, host: float) -> float:
        """The device's microseconds at `host`, counted on over wraps. Raises ValueError without any reading."""
        if self._first is None:
            raise ValueError("no reading of the device's clock")
        return self._first.device + (host - self._first.host) * self.rate

    def extend(self, device: int, host: float) -> float:
        """A time modulo 2^30 of the device's own, counted on as `device` does; `host` is about when it was."""
        return device + round((self.device(host) - device) / RANGE_US) * RANGE_US

    def bound(self, host: float) -> float:
        """The error of `device` at `host` is at most this many microseconds."""
        first, last = self._first, self._last
        if first is None or last is None:
            raise ValueError("no reading of the device's clock")
        inside = first.host <= host <= last.host
        if inside and last is not first:
            return max(first.half, last.half)
        near = min((first, last), key=lambda point: abs(point.host - host))
        return max(first.half, last.half) + DRIFT * abs(host - near.host)
