"""The mark outside the file system: a table whose records are gone says so, and starts no fresh bankroll by itself."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.hardware.emulated import URL, needs_chip
from tests.hardware.support import Probe

from holecard_host.firmware_files import FS_BLOCK, FS_START
from holecard_host.stands import Stand, open_stand

FIRST = FS_START // FS_BLOCK
MARK = "before-the-files"
SECTOR = f"sector-{FIRST - 1}"


def state(stand: Stand) -> tuple[str, float]:
    told = json.loads(stand.wire.ask("TABL:STAT?"))
    return told["phase"], told["bankrolls"][0]


def lose_files(flash: dict[str, bytes]) -> None:
    for name in list(flash):
        if name != MARK:
            del flash[name]


def lose_file_system(flash: dict[str, bytes]) -> None:
    """As MicroPython leaves it that has formatted the flash, when somebody has put the firmware there again."""
    for name in list(flash):
        if name != SECTOR:
            del flash[name]


def tell(url: str, lose: Callable[[dict[str, bytes]], None]) -> None:
    with open_stand(url) as stand:
        flash = stand.faults.simulator.flash
        assert state(stand) == ("betting", 1000)
        stand.wire.command("BENC:BANK 0,777")
        stand.wire.ask("*OPC?")
        stand.cut()
        stand.restore()
        assert state(stand) == ("betting", 777)
        stand.cut()
        lose(flash)
        stand.restore()
        assert state(stand)[0] == "locked"
        assert "the records are gone" in stand.wire.ask("ROUN:BET 0,5;:SYST:ERR?")
        # Not once either, when it is switched off and on again.
        stand.cut()
        stand.restore()
        assert state(stand)[0] == "locked"
        assert int(stand.wire.ask("*TST?")) & 4
        stand.wire.command("BENC:CLE")
        stand.wire.ask("*OPC?")
        stand.cut()
        stand.restore()
        assert state(stand) == ("betting", 1000)


@pytest.mark.fault(22)
def test_fault_22_a_table_whose_records_are_gone_says_so(interpreter: str) -> None:
    tell(f"sim://{interpreter}", lose_files)


@needs_chip
def test_it_is_found_on_the_emulated_chip() -> None:
    mark = b"Holecard has stored a record on this board.\n"
    with open_stand(URL, files={SECTOR: mark.ljust(FS_BLOCK, b"\xff")}) as stand:
        assert "the records are gone" in stand.wire.ask("ROUN:BET 0,5;:SYST:ERR?")


@pytest.mark.fault(22)
@needs_chip
@pytest.mark.long
def test_fault_22_so_it_does_on_the_emulated_chip() -> None:
    tell(URL, lose_file_system)


def test_a_board_knows_that_it_has_saved(probe: Probe) -> None:
    assert probe.ask("board.kept()") == "False"
    probe.ask("board.load('record')")
    assert MARK not in probe.simulator.flash
    probe.ask("board.save('record', b'one')")
    assert probe.ask("board.kept()") == "True"
    probe.simulator.kill()
    del probe.simulator.flash["record"]
    probe.start()
    assert probe.ask("(board.kept(), board.load('record'))") == "(True, None)"


def test_it_is_written_once(probe: Probe) -> None:
    for _ in range(2):
        probe.ask("board.save('record', b'one')")
        probe.simulator.kill()
        probe.start()
    assert probe.simulator.wear.programs == 1 + 2 + 1


def test_a_power_cut_before_it_tells_of_no_record_that_never_was(probe: Probe) -> None:
    kept = []
    for operation in range(3):
        probe.simulator.kill()
        probe.simulator.flash.clear()
        probe.start()
        probe.simulator.cut_at_flash(operation)
        answer = probe.simulator.grant(probe.simulator.now + 1_000_000, rx=b"board.save('record', b'new')\n")
        assert answer.why == "cut"
        probe.start()
        kept.append(probe.ask("(board.load('record'), board.kept())"))
    assert kept == ["(None, False)", "(b'', False)", "(b'new', False)"]
    probe.ask("board.save('record', b'new')")
    assert MARK in probe.simulator.flash


def test_what_else_lies_there_stays(interpreter: str) -> None:
    other = bytes(range(256))
    probe = Probe(interpreter, files={MARK: other})
    assert probe.ask("board.kept()") == "False"
    probe.ask("board.save('record', b'one')")
    probe.simulator.kill()
    assert probe.simulator.flash[MARK] == other
    probe.start()
    assert probe.ask("(board.kept(), board.load('record'))") == "(False, b'one')"
    probe.simulator.kill()
