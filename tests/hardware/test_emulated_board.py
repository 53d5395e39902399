"""The board contract on the emulated chip: the same tests as on the simulated one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.hardware.emulated import needs_chip
from tests.hardware.support import Probe
from tests.hardware.test_contract import *  # noqa: F403
from tests.hardware.test_contract import WRAP, number

pytestmark = needs_chip
TRIED_ON = "rp2040://"


@pytest.fixture
def interpreter() -> str:
    return "rp2040"


@pytest.fixture
def probe() -> Iterator[Probe]:
    probe = Probe("rp2040")
    yield probe
    probe.simulator.kill()


def test_the_clock_counts_microseconds_and_wraps_at_2_to_30(interpreter: str) -> None:
    # MicroPython has started, and the board asks for the time, about a second after power-on.
    probe = Probe(interpreter, ticks=WRAP - 2_000_000)
    before = number(probe, "board.now()")
    probe.run(2_000_000)
    after = number(probe, "board.now()")
    assert 0 <= after < before < WRAP
    assert 2_000_000 <= (after - before) % WRAP < 2_020_000
    probe.simulator.kill()


@pytest.mark.fault(16)
def test_fault_16_writing_never_waits_for_a_host_that_does_not_read(probe: Probe) -> None:
    probe.ask("1")
    probe.simulator.read_host(False)
    probe.simulator.grant(probe.simulator.now + 400_000, rx=b"kept.update(r=offer(40, 40))\n")
    probe.simulator.read_host(True)
    probe.run(10_000)
    probe.simulator.take_output()
    took, longest = (int(part) for part in probe.ask("kept['r']").strip("()").split(","))
    assert 0 < took <= 1024
    assert longest < 10_000
