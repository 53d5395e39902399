"""Debounce: recorded and random traces give exactly one gesture per physical press."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bounces import BOUNCES

from holecard.table import keys, ticks
from holecard.table.keys import BET, DOUBLE, HIT, HOLD, LONG, PRESS, RELEASE, REPEAT, STAND, STUCK, Keys

# Shortly before the wrap: every trace crosses it.
START = (1 << 30) - 30_000
MS = 1_000


class Trace:
    """Feeds samples and notes the gestures with the microsecond in which they came."""

    def __init__(self, start: int = START) -> None:
        self.keys = Keys()
        self.start = start
        self.us = 0
        self.found: list[tuple[int, str, int]] = []
        self.sample(0)

    def sample(self, mask: int) -> None:
        found = self.keys.feed(mask, ticks.add(self.start, self.us))
        names = {PRESS: "press", HOLD: "hold", RELEASE: "release", REPEAT: "repeat", LONG: "long", STUCK: "stuck"}
        for shift, name in names.items():
            if found >> shift & 15:
                self.found.append((self.us, name, found >> shift & 15))

    def level(self, mask: int, us: int, every: int = 500) -> None:
        """The same levels for `us`, sampled `every` so often."""
        for _ in range(0, us, every):
            self.us += every
            self.sample(mask)

    def kinds(self) -> list[tuple[str, int]]:
        return [(name, key) for _, name, key in self.found]


def test_ticks_wrap() -> None:
    last = (1 << 30) - 1
    assert ticks.add(last, 1) == 0
    assert ticks.add(0, -1) == last
    assert ticks.diff(5, last) == 6
    assert ticks.diff(last, 5) == -6


@given(st.integers(0, (1 << 30) - 1), st.integers(-(1 << 29) + 1, (1 << 29) - 1))
def test_diff_undoes_add(instant: int, us: int) -> None:
    moved = ticks.add(instant, us)
    assert 0 <= moved < 1 << 30
    assert ticks.diff(moved, instant) == us


def test_a_clean_press() -> None:
    trace = Trace()
    trace.level(HIT, 50 * MS)
    trace.level(0, 50 * MS)
    assert trace.kinds() == [("press", HIT), ("release", HIT)]
    assert trace.found[0][0] <= 2 * MS


@pytest.mark.fault(10)
@pytest.mark.parametrize("levels", BOUNCES)
@pytest.mark.parametrize("every", [100, 250, 1000])
def test_fault_10_bouncing_contacts_give_one_press_and_one_release(levels: list[tuple[int, int]], every: int) -> None:
    trace = Trace()
    for low, us in levels:
        trace.level(HIT if low else 0, us, min(every, us))
    trace.level(0, 50 * MS, every)
    assert trace.kinds() == [("press", HIT), ("release", HIT)]


@pytest.mark.fault(11)
@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(50, 900), max_size=8),  # bounces on closing
            st.integers(3, 200),  # ms held
            st.lists(st.integers(50, 900), max_size=8),  # bounces on opening
            st.integers(25, 200),  # ms open
        ),
        max_size=6,
    ),
    st.integers(100, 1_000),
)
@settings(max_examples=150, deadline=None)
def test_fault_11_one_gesture_per_physical_press(
    presses: list[tuple[list[int], int, list[int], int]], every: int
) -> None:
    trace = Trace()
    for closing, held, opening, apart in presses:
        for i, us in enumerate(closing):
            trace.level(HIT if i % 2 == 0 else 0, us, min(every, us))
        trace.level(HIT, held * MS, every)
        for i, us in enumerate(opening):
            trace.level(0 if i % 2 == 0 else HIT, us, min(every, us))
        trace.level(0, apart * MS, every)
    assert trace.kinds() == [("press", HIT), ("release", HIT)] * len(presses)


@pytest.mark.fault(11)
def test_fault_11_quick_presses_are_not_lost() -> None:
    trace = Trace()
    for _ in range(20):
        trace.level(BET, 3 * MS)
        trace.level(0, 22 * MS)
    assert trace.kinds() == [("press", BET), ("release", BET)] * 20


def test_noise_shorter_than_a_millisecond_is_no_press() -> None:
    trace = Trace()
    for _ in range(200):
        trace.level(DOUBLE, 900, 300)
        trace.level(0, 600, 300)
    assert not trace.found


def test_hold_repeat_and_long() -> None:
    trace = Trace()
    trace.level(STAND, 2_200 * MS)
    trace.level(0, 50 * MS)
    kinds = [name for name, _ in trace.kinds()]
    assert kinds[:2] == ["press", "hold"]
    assert kinds.count("hold") == kinds.count("long") == kinds.count("release") == 1
    assert kinds.count("repeat") == 13
    assert 600 * MS <= trace.found[1][0] <= 604 * MS


@pytest.mark.fault(11)
def test_fault_11_no_hold_after_the_release() -> None:
    trace = Trace()
    trace.level(STAND, 595 * MS)
    trace.level(0, 400, 100)
    trace.level(0, 100 * MS)
    assert trace.kinds() == [("press", STAND), ("release", STAND)]


@pytest.mark.fault(11)
def test_fault_11_no_hold_when_a_long_pass_hides_the_release() -> None:
    """Writing flash can take 400 ms: the sample after it counts, not the time that went by."""
    trace = Trace()
    trace.level(STAND, 300 * MS)
    trace.us += 400 * MS
    trace.level(0, 50 * MS)
    assert trace.kinds() == [("press", STAND), ("release", STAND)]


def test_held_for_longer_than_the_clock_can_compare() -> None:
    trace = Trace()
    trace.level(BET, 700 * MS)
    before = len(trace.found)
    trace.level(BET, 700_000 * MS, 50 * MS)  # eleven minutes: past the half of 2^30 us
    trace.level(0, 50 * MS)
    assert [name for _, name, _ in trace.found[before:]].count("hold") == 0
    assert trace.kinds()[-1] == ("release", BET)


@pytest.mark.fault(12)
def test_fault_12_a_stuck_key_is_ignored_until_released() -> None:
    trace = Trace.__new__(Trace)
    trace.keys, trace.start, trace.us, trace.found = Keys(), START, 0, []
    trace.level(BET | STAND, 3_000 * MS)
    assert trace.kinds() == [("stuck", BET | STAND)]
    assert trace.keys.stuck == BET | STAND
    assert not trace.keys.busy
    trace.level(STAND | HIT, 60 * MS)
    trace.level(STAND, 60 * MS)
    assert trace.kinds()[1:] == [("press", HIT), ("release", HIT)]
    assert trace.keys.stuck == STAND
    trace.level(0, 60 * MS)
    trace.level(STAND, 60 * MS)
    trace.level(0, 60 * MS)
    assert trace.kinds()[3:] == [("press", STAND), ("release", STAND)]


@pytest.mark.parametrize("mask", range(1, 16))
def test_simultaneous_presses_have_a_fixed_priority(mask: int) -> None:
    winner = next(key for key in (STAND, HIT, DOUBLE, BET) if mask & key)
    for order in (range(4), range(3, -1, -1)):
        trace = Trace()
        level = 0
        for i in order:  # contacts close a fraction of a millisecond apart, in either order
            level |= mask & (1 << i)
            trace.level(level, 300, 100)
        trace.level(mask, 60 * MS)
        trace.level(0, 60 * MS)
        assert trace.kinds() == [("press", winner), ("release", winner)]


def test_a_finger_that_rolls_on_is_a_press_of_its_own() -> None:
    trace = Trace()
    trace.level(HIT, 60 * MS)
    trace.level(HIT | BET, 30 * MS)
    trace.level(BET, 60 * MS)
    trace.level(0, 60 * MS)
    assert [kind for kind in trace.kinds() if kind[0] == "press"] == [("press", HIT), ("press", BET)]


def test_quiet_again_after_everything() -> None:
    trace = Trace()
    trace.level(15, 60 * MS)
    assert not trace.keys.quiet
    trace.level(0, 60 * MS)
    assert trace.keys.quiet
    assert not trace.keys.busy
    assert keys.NAMES == ("BET", "HIT", "STAND", "DOUBLE")
