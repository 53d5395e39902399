"""Virtual time: whatever happens depends on the grants alone, and is the same on both interpreters."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from tests.hardware.faults import on_all_long
from tests.hardware.support import ECHO, Probe, needs_micropython

from holecard.boards import pico_pins
from holecard_host.stands import open_stand
from holecard_host.stands.sim import SimStand
from holecard_host.steps import Steps
from holecard_host.twin.pacer import Pacer
from holecard_host.twin.simulator import Simulator

WRAP = 1 << 30


def evening(url: str, ticks: int = 0, events: bool = True) -> tuple[list[str], list[str], int]:
    """A little play with bouncing contacts on the real table: the device's records, the answers, the end's instant."""
    with open_stand(url, trace=True, ticks=ticks) as stand:
        assert isinstance(stand, SimStand)
        answers = []
        # The moments of the presses, on the device's clock, would cut a shoe of its own.
        stand.wire.command('BENC:SEED "00"')
        if events:
            stand.wire.command("SYST:COMM:EVEN ON")
        for turn in range(24):
            stand.press(("BET", "HIT", "STAND", "DOUBLE")[turn * 7 % 4], 40 + turn % 5 * 20, bounce_seed=turn)
            answers.append(stand.wire.ask("TABL:STAT?"))
            stand.advance(250)
        answers.append(str(stand.wire.take_events()))
        assert stand.twin.simulator.trace is not None
        return list(stand.twin.simulator.trace), answers, stand.now_us()


def test_the_same_presses_and_requests_give_the_same_bytes_on_the_bus_and_the_wire() -> None:
    assert evening("sim://cpython") == evening("sim://cpython")


@needs_micropython
def test_cpython_and_micropython_give_the_same_bytes() -> None:
    assert evening("sim://cpython") == evening("sim://micropython")


def test_nothing_changes_when_the_device_clock_wraps_in_the_middle() -> None:
    # Without events: they carry the device's clock.
    _, answers, end = evening("sim://cpython", events=False)
    _, wrapped, wrapped_end = evening("sim://cpython", ticks=WRAP - end // 2, events=False)
    assert wrapped == answers
    # What happens once a second is in another phase.
    assert abs(wrapped_end - end) < 20_000


@on_all_long
def test_every_stands_clock_starts_just_before_its_wrap(url: str) -> None:
    with open_stand(url) as stand:
        before = stand.wire.ask_int("SYST:TIME?")
        assert WRAP - 2_500_000 < before < WRAP
        stand.advance((WRAP - before) / 1000 + 10)
        assert 0 <= stand.wire.ask_int("SYST:TIME?") < 1_000_000


def test_a_run_in_many_small_grants_is_the_same_as_in_one(interpreter: str) -> None:
    def run(step: int) -> list[str]:
        simulator = Simulator(interpreter, entry=ECHO, trace=True)
        simulator.start()
        for key in range(4):
            simulator.schedule(100_000 + key * 7_000, pico_pins.KEYS[key], True)
            simulator.schedule(150_000 + key * 9_000, pico_pins.KEYS[key], False)
        while simulator.now < 300_000:
            simulator.grant(min(simulator.now + step, 300_000))
        simulator.kill()
        assert simulator.trace is not None
        return [record for record in simulator.trace if not record.startswith("a ")]

    assert run(300_000) == run(777) != []


def test_a_grant_ends_exactly_at_its_instant(probe: Probe) -> None:
    for until in (probe.simulator.now + 1, probe.simulator.now + 12_345):
        assert probe.simulator.grant(until).now == until


def test_virtual_time_takes_no_time(probe: Probe) -> None:
    began = time.monotonic()
    probe.run(20_000_000)
    assert time.monotonic() - began < 2


def stopped(now: list[float]) -> Callable[[], float]:
    return lambda: now[0]


def test_the_pacer_follows_the_wall_clock() -> None:
    wall = [100.0]
    pacer = Pacer(5_000, stopped(wall))
    assert pacer.target(5_000) == pytest.approx(5_000, abs=1)
    wall[0] += 0.010
    assert pacer.target(5_000) == pytest.approx(15_000, abs=1)


def test_the_pacer_does_not_make_up_for_a_long_pause() -> None:
    wall = [100.0]
    pacer = Pacer(0, stopped(wall))
    wall[0] += 3600
    now = pacer.target(0)
    assert now <= 250_000
    wall[0] += 0.010
    assert pacer.target(now) == pytest.approx(now + 10_000, abs=1)


def test_realtime_follows_the_wall_clock_and_idles_cheaply() -> None:
    with open_stand("sim://cpython", realtime=True, entry=ECHO) as stand:
        assert "clock" not in stand.capabilities
        wall, cpu, device = time.monotonic(), time.process_time(), stand.now_us()
        stand.advance(300)
        elapsed = time.monotonic() - wall
        assert 0.25 < elapsed < 3
        assert abs((stand.now_us() - device) / 1e6 - elapsed) < 0.3
        assert (time.process_time() - cpu) / elapsed < 0.5
        stand.press_down("HIT")
        stand.advance(50)
        assert stand.lamps() == 2
        stand.release("HIT")
        stand.advance(50)
        assert stand.lamps() == 0
        assert stand.wire.ask("*IDN?").startswith("Holecard,")


def test_in_real_time_no_edge_gets_lost_between_those_that_are_on_their_way() -> None:
    with open_stand("sim://cpython", realtime=True) as stand:
        steps = Steps(stand)
        for _ in range(8):
            steps.fresh()
            # The device knows of these already.
            with stand.twin.lock:
                simulator = stand.twin.simulator
                for key in range(4):
                    simulator.schedule(simulator.now + 40_000, simulator.pins.KEYS[key], False)
                simulator.grant(simulator.now + 50_000, idle=True)
            stand.press("BET")
            steps.expect_event("key", key="BET")


@pytest.mark.parametrize("realtime", [True, False])
def test_of_moves_without_a_pause_the_last_one_counts_and_each_is_seen(realtime: bool) -> None:
    with open_stand("sim://cpython", realtime=realtime) as stand:
        stand.wire.command("SYST:COMM:EVEN ON")
        for _ in range(3):
            stand.press_down("HIT")
            stand.release("HIT")
        stand.press("HIT")
        stand.advance(300)
        seen = [event.data["event"] for event in stand.take_events() if event.data.get("key") == "HIT"]
        assert seen == ["key"] * 4


def test_in_real_time_what_is_pressed_in_the_dark_is_stuck_at_power_on() -> None:
    with open_stand("sim://cpython", realtime=True) as stand:
        stand.cut()
        stand.press_down("HIT", "BET")
        stand.restore()
        assert stand.wait_event("key", 3000, stuck=["BET", "HIT"])
