"""Power cuts: the flash stays, the process does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.hardware.support import ECHO, Probe

from holecard_host.errors import StandFault
from holecard_host.stands import Stand, open_stand


@pytest.fixture
def stand(interpreter: str) -> Iterator[Stand]:
    with open_stand(f"sim://{interpreter}", entry=ECHO) as stand:
        yield stand


def test_saved_bytes_outlast_a_power_cut(stand: Stand) -> None:
    assert stand.wire.ask("LOAD?") == "none"
    stand.wire.command("SAVE;*CLS")
    stand.cut()
    stand.restore()
    assert stand.wire.ask("LOAD?").startswith("SAVE")


def test_without_power_everything_is_dark_and_silent(stand: Stand) -> None:
    stand.press_down("HIT")
    assert stand.lamps() == 2
    stand.cut()
    assert (stand.lamps(), stand.frame()) == (0, bytes(1024))
    with pytest.raises(StandFault, match="switched off"):
        stand.wire.ask("*IDN?")
    before = stand.now_us()
    stand.advance(50)
    assert stand.now_us() == before + 50_000


def test_a_key_that_is_held_at_power_on_is_seen(stand: Stand) -> None:
    stand.press_down("STAND")
    stand.cut()
    stand.restore()
    assert stand.wire.ask("KEYS?") == "4"


def test_a_key_pressed_and_released_without_power_is_not(stand: Stand) -> None:
    stand.cut()
    stand.press("STAND")
    stand.restore()
    assert stand.wire.ask("KEYS?") == "0"


def test_restore_when_it_is_on_does_nothing(stand: Stand) -> None:
    stand.restore()
    assert stand.faults.simulator.boots == 1


def test_a_request_that_meets_a_reset_is_reported(stand: Stand) -> None:
    with pytest.raises(StandFault, match="did not answer"):
        stand.wire.ask("RESET;KEYS?")
    assert stand.wire.ask("KEYS?") == "0"


def test_the_table_itself_comes_back(interpreter: str) -> None:
    with open_stand(f"sim://{interpreter}") as stand:
        stand.press("HIT")
        stand.cut()
        stand.advance(1000)
        stand.restore()
        assert stand.wire.ask("*IDN?").startswith("Holecard,Table-pico,")
        stand.advance(1000)
        assert stand.panel().lit > 200


@pytest.mark.fault(21)
def test_fault_21_a_cut_at_every_flash_operation_leaves_the_old_or_the_new_record(interpreter: str) -> None:
    seen = []
    for operation in range(2):
        probe = Probe(interpreter)
        probe.ask("board.save('record', b'old')")
        probe.simulator.cut_at_flash(operation)
        answer = probe.simulator.grant(probe.simulator.now + 1_000_000, rx=b"board.save('record', b'new')\n")
        seen.append((answer.why, probe.simulator.powered))
        if answer.why == "cut":
            probe.start()
        else:
            probe.simulator.take_output()
        expected = "b'old'" if operation < 1 else "b'new'"
        assert probe.ask("board.load('record')") == expected
        probe.simulator.kill()
    assert seen == [("cut", False), ("until", True)]


def test_wear_is_counted_over_power_cuts(probe: Probe) -> None:
    for _ in range(2):
        for _ in range(20):
            probe.ask("board.save('record', bytes(200))")
        probe.simulator.kill()
        probe.start()
    # One for each record, one for the new name, and one for the mark that there is one.
    assert probe.simulator.wear.programs == 42
    # About 0.07 erases for each record of 200 bytes, as measured on littlefs.
    assert 1 <= probe.simulator.wear.erases <= 5


def test_a_save_takes_the_time_of_the_flash(probe: Probe) -> None:
    before = int(probe.ask("board.now()"))
    probe.ask("board.save('record', bytes(4096))")
    assert int(probe.ask("board.now()")) - before > 45_000
