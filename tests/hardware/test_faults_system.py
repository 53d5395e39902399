"""Faults of the field 22, 24 and 25, of flash and system (docs/field-faults.md), on whole tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.faults import on_all, on_simulated, opened, same_as_wanted, settings, state
from tests.hardware.support import MACHINES, Probe

from holecard_host.errors import ScpiError
from holecard_host.twin.simulator import Simulator

FIRMWARE = Path(__file__).parents[2] / "firmware"
MAIN = FIRMWARE / "main.py"
START = "from holecard.start import start\nstart()\n"
BROKEN = """
from holecard.boards.files import Files
def no_file_system(*_):
    raise OSError(19)
Files.load = no_file_system
"""
STUCK = """
from holecard.boards.pico import Board
Board.entropy = lambda board, n: b"U" * n
"""
# The same on a Pi: its files are others, and its start.
PI_START = "from holecard.boards.raspberry_pi_main import main\nmain([])\n"
PI_BROKEN = """
from holecard.boards.raspberry_pi_files import Files
whole = Files.load
def no_disk(files, name):
    if name == "mark":
        return whole(files, name)
    raise OSError(19)
Files.load = no_disk
"""


@pytest.fixture(params=MACHINES)
def interpreter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def probe(interpreter: str) -> Iterator[Probe]:
    probe = Probe(interpreter)
    yield probe
    probe.simulator.kill()


@pytest.mark.fault(22)
@on_all
def test_fault_22_a_flash_that_cannot_be_read_is_told_and_deals_nothing(url: str, tmp_path: Path) -> None:
    entry = tmp_path / "unmounted.py"
    entry.write_text(PI_BROKEN + PI_START if url == "sim://pi" else BROKEN + START)
    with opened(url, entry=entry) as stand:
        found = state(stand)
        assert (found["phase"], found["lamps"]) == ("locked", 0)
        assert same_as_wanted(stand)
        assert int(stand.wire.ask("*TST?")) & 4
        with pytest.raises(ScpiError, match="the flash cannot be read"):
            stand.wire.command("ROUN:DEAL")
        stand.press("HIT")
        assert state(stand)["phase"] == "locked"
        assert stand.faults.simulator.wear.programs == 0


@pytest.mark.fault(22)
@pytest.mark.parametrize("record", [b"", b"HJ1 0 0 - p 10 ", b"\xff" * 64])
@on_simulated
def test_fault_22_a_record_that_was_emptied_is_told_and_left_alone(url: str, record: bytes) -> None:
    with opened(url, files={"a/bhot": record, "b/bhot": record}) as stand:
        assert state(stand)["phase"] == "locked"
        stand.press("HIT")
        with pytest.raises(ScpiError):
            stand.wire.command("ROUN:DEAL")
        assert same_as_wanted(stand)
        assert stand.faults.simulator.flash == {"a/bhot": record, "b/bhot": record}


# -- the watchdog


@pytest.fixture
def arcade(interpreter: str) -> Iterator[Probe]:
    probe = Probe(interpreter, files=settings(mode="arcade"))
    yield probe
    probe.simulator.kill()


@pytest.mark.fault(24)
def test_fault_24_an_arcade_table_that_hangs_starts_again_within_8_seconds(arcade: Probe) -> None:
    arcade.ask("board.feed()")
    fed = arcade.simulator.now
    answer = arcade.simulator.grant(fed + 60_000_000)
    assert answer.why == "watchdog"
    assert 7_900_000 < answer.now - fed <= 8_000_000
    assert arcade.simulator.boots == 2


@pytest.mark.fault(24)
def test_fault_24_one_that_is_fed_goes_on(arcade: Probe) -> None:
    for _ in range(4):
        arcade.ask("board.feed()")
        arcade.run(7_000_000)
    assert arcade.simulator.boots == 1


@pytest.mark.fault(24)
def test_fault_24_in_bench_mode_there_is_no_watchdog(probe: Probe) -> None:
    probe.ask("board.feed()")
    probe.run(60_000_000)
    assert probe.simulator.boots == 1


@pytest.mark.fault(24)
def test_fault_24_the_game_feeds_it(interpreter: str) -> None:
    entry = None if interpreter == "pi" else MAIN
    simulator = Simulator(interpreter, entry=entry, files=settings(mode="arcade"))
    simulator.start()
    assert simulator.grant(20_000_000).why == "until"
    assert simulator.boots == 1
    simulator.kill()


# -- randomness


@pytest.mark.fault(25)
@on_simulated
def test_fault_25_two_starts_deal_different_cards(url: str) -> None:
    with opened(url) as stand:
        deals = []
        for _ in range(3):
            stand.wire.command("BENC:RUL casino;SEAT 7;:DISP:ANIM OFF")
            for seat in range(7):
                stand.wire.command(f"ROUN:BET {seat},5")
            stand.wire.command("ROUN:DEAL")
            deals.append(str(stand.wire.ask_record("TABL:DEAL?")["seats"]))
            stand.cut()
            stand.restore()
    assert len(set(deals)) == 3


@pytest.mark.fault(25)
@on_simulated
def test_fault_25_a_stuck_entropy_source_is_told_and_deals_only_on_a_bench(url: str, tmp_path: Path) -> None:
    entry = tmp_path / "stuck.py"
    text = STUCK + START
    if url == "sim://pi":
        text = STUCK.replace("boards.pico ", "boards.raspberry_pi ") + PI_START
    entry.write_text(text)
    with opened(url, entry=entry) as stand:
        assert int(stand.wire.ask("*TST?")) & 16
        stand.wire.ask("*OPC?")
        assert stand.wire.ask_record("SYST:LOG?")["text"] == "ENTROPY: the source is stuck"
        stand.wire.command("ROUN:DEAL")
        assert stand.wire.ask_record("FAIR:SHOE?")["state"] == "dealing"
