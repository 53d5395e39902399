"""The loop of the table while nobody does anything: no memory is used up."""

from __future__ import annotations

from pathlib import Path

from tests.hardware.support import FIRMWARE, needs_micropython

from holecard_host.twin.simulator import Simulator

_SECOND = 1_000_000


def _report(simulator: Simulator, rx: bytes = b"") -> str:
    answer = simulator.grant(simulator.now + 10 * _SECOND, rx=rx, lines=1)
    assert answer.why == "lines", answer
    return simulator.take_output().decode().strip()


@needs_micropython
def test_passes_with_nothing_to_do_allocate_nothing() -> None:
    entry: Path = FIRMWARE / "quiet.py"
    simulator = Simulator("micropython", entry=entry)
    simulator.start()
    try:
        assert _report(simulator) == "betting 0 True"
        assert _report(simulator, b'BENC:SHOE "9,10,7,6,2";:ROUN:BET 0,5;:ROUN:DEAL\n') == "playing 0 True"
    finally:
        simulator.kill()
