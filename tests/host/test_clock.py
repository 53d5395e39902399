"""The host's clock and the device's on one line, with a bound that holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard_host.transcript.clock import DRIFT, RANGE_US, Clock, Reading

SECOND = 1_000_000


def readings(rate: float, start: int, moments: list[tuple[float, float, float]]) -> tuple[Clock, list[Reading]]:
    """A clock that was read: `moments` are (host instant, round trip, where in it the device read its clock)."""
    clock = Clock()
    taken = []
    for host, trip, part in moments:
        device = int(start + rate * (host + trip * part)) % RANGE_US
        taken.append(Reading(host, host + trip, device))
        clock.take(taken[-1])
    return clock, taken


@given(
    ppm=st.integers(-400, 400),
    start=st.integers(0, RANGE_US - 1),
    gaps=st.lists(st.floats(0.1 * SECOND, 200 * SECOND), min_size=1, max_size=30),
    trips=st.lists(st.floats(100, 20_000), min_size=31, max_size=31),
    parts=st.lists(st.floats(0, 1), min_size=31, max_size=31),
    where=st.floats(-0.2, 1.2),
)
def test_the_mapping_is_never_further_off_than_its_bound(
    ppm: int, start: int, gaps: list[float], trips: list[float], parts: list[float], where: float
) -> None:
    rate = 1 + ppm / 1e6
    host, moments = 0.0, []
    for gap, trip, part in zip(gaps, trips, parts, strict=False):
        host += gap
        moments.append((host, trip, part))
    clock, _ = readings(rate, start, moments)
    assert clock.restarts == 0
    first, last = moments[0][0], moments[-1][0]
    asked = first + (last - first) * where
    true = start + rate * asked
    off = (clock.device(asked) - true + RANGE_US / 2) % RANGE_US - RANGE_US / 2
    # One microsecond: the device tells whole ones.
    assert abs(off) <= clock.bound(asked) + 1


def test_the_bound_is_the_half_round_trip_between_two_readings() -> None:
    clock, _ = readings(1.0001, 5, [(0, 1000, 0.5), (60 * SECOND, 3000, 0.5)])
    assert clock.bound(30 * SECOND) == 1500
    assert clock.rate == pytest.approx(1.0001, abs=1e-7)
    assert clock.bound(-SECOND) == pytest.approx(1500 + DRIFT * (SECOND + 500))


def test_a_wrap_is_no_restart() -> None:
    start = RANGE_US - 30 * SECOND
    clock, _ = readings(1.0, start, [(0, 1000, 0.5), (60 * SECOND, 1000, 0.5), (2500 * SECOND, 1000, 0.5)])
    assert clock.restarts == 0
    assert clock.device(2500 * SECOND) == pytest.approx(start + 2500 * SECOND, abs=600)
    assert clock.extend(20 * SECOND, 50 * SECOND) == RANGE_US + 20 * SECOND


def test_a_restart_is_noticed_and_time_goes_on() -> None:
    clock, _ = readings(1.0, 500 * SECOND, [(0, 1000, 0.5), (20 * SECOND, 1000, 0.5)])
    before = clock.device(20 * SECOND)
    clock.take(Reading(30 * SECOND, 30 * SECOND + 1000, 2 * SECOND))
    assert clock.restarts == 1
    assert clock.device(30 * SECOND) >= before
    assert clock.device(31 * SECOND) % RANGE_US == pytest.approx(3 * SECOND, abs=600)


def test_nothing_is_mapped_without_a_reading() -> None:
    with pytest.raises(ValueError, match="no reading"):
        Clock().device(0)
