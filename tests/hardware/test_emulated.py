"""The emulated Pico: MicroPython's own image, our compiled firmware, the panel on its bus, its USB."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.emulated import URL, needs_chip
from tests.hardware.support import Probe

from holecard.boards import pico_pins
from holecard_host.cases.model import load
from holecard_host.cases.runner import run_cases
from holecard_host.stands import CAPABILITIES, Stand, open_stand

pytestmark = needs_chip
TRIED_ON = URL
CASES = Path(__file__).parent.parent / "cases"
ALL_CASES = [case for file in sorted(CASES.glob("*.json")) for case in load(file)]
CHOSEN = ("C02", "S15")


@pytest.fixture
def table() -> Iterator[Stand]:
    with open_stand(URL, trace=True) as stand:
        stand.wire.command("DISP:ANIM OFF")
        yield stand


def test_it_is_a_table_with_everything(table: Stand) -> None:
    assert table.wire.ask("*IDN?").startswith("Holecard,Table-pico,e660484f4c450001,")
    assert table.capabilities == frozenset(CAPABILITIES)
    assert table.lamps() & 2


def without_promise(frame: bytes) -> bytes:
    """No two stands have the same secrets: without the digits of a promise, and what stands beside them."""
    pages = bytearray(frame)
    for page, first, last in ((0, 24, 128), (4, 84, 128), (5, 84, 128)):
        pages[page * 128 + first : page * 128 + last] = bytes(last - first)
    return bytes(pages)


def play(url: str) -> list[bytes]:
    """The glass at each step of a round over stacked cards: bet, dealt, hit, stood, settled."""
    glass = []
    with open_stand(url) as table:
        table.wire.command("DISP:ANIM OFF")
        table.wire.command("BENC:RUL casino")
        table.wire.command('BENC:SHOE "5,10,6,7,4,9,2"')
        table.wire.command("ROUN:BET 0,25")
        for step in ("", "DEAL", "ACT 0,HIT", "ACT 0,STAND"):
            if step:
                table.wire.command(f"ROUN:{step}")
            table.wire.ask("*OPC?")
            glass.append(without_promise(table.frame()))
        assert json.loads(table.wire.ask("TABL:STAT?"))["phase"] == "settled"
    return glass


def test_a_round_looks_the_same_as_on_the_simulated_stand() -> None:
    emulated, simulated = play(URL), play("sim://cpython")
    assert len(set(simulated)) == len(simulated)
    assert [frame.hex() for frame in emulated] == [frame.hex() for frame in simulated]


@pytest.mark.parametrize("case", CHOSEN)
def test_a_case(case: str) -> None:
    with open_stand(URL) as stand:
        stand.wire.command("DISP:ANIM OFF")
        (verdict,) = run_cases(stand, [one for one in ALL_CASES if one.id == case])
    assert verdict.passed, verdict.detail


@pytest.mark.long
@pytest.mark.parametrize("by", ["name", "buttons"])
@pytest.mark.parametrize("case", [case.id for case in ALL_CASES])
def test_every_case(case: str, by: str) -> None:
    with open_stand(URL) as stand:
        stand.wire.command("DISP:ANIM OFF")
        (verdict,) = run_cases(stand, [one for one in ALL_CASES if one.id == case], by)
    assert verdict.passed, verdict.detail


def trace_of_a_press() -> list[str]:
    with open_stand(URL, trace=True) as table:
        table.press("BET", bounce_seed=9)
        table.wire.ask("*OPC?")
        return list(table.faults.simulator.trace)


def test_every_run_is_the_same_and_a_known_start_is_a_real_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = trace_of_a_press()
    assert trace_of_a_press() == known
    # With an empty cache the chip runs from power-on.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert trace_of_a_press() == known
    assert sorted(path.name[:5] for path in (tmp_path / "holecard").iterdir()) == ["disk-", "start", "start"]


def test_a_full_page_takes_its_time_on_the_bus() -> None:
    probe = Probe("rp2040")
    line = "(board.now(), board.i2c_write(0x3C, b'\\x40' + bytes(128)), board.now())"
    before, _, after = eval(probe.ask(line))
    probe.simulator.kill()
    on_the_bus = 130 * 9 * 1_000_000 / pico_pins.I2C_HZ
    assert on_the_bus < after - before < on_the_bus + 300


def test_sleep_is_cheap() -> None:
    probe = Probe("rp2040")
    began = time.monotonic()
    assert int(probe.ask("waited(9000000)[0]")) >= 9_000_000
    assert time.monotonic() - began < 60
    probe.simulator.kill()


@pytest.mark.fault(25)
def test_fault_25_what_a_stuck_oscillator_gives_is_noticed() -> None:
    with open_stand(URL, seed="stuck") as table:
        assert int(table.wire.ask("*TST?")) & 16
