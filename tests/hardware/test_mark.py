"""The mark outside the file system: a table whose records are gone says so, and starts no fresh bankroll by itself."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.hardware.emulated import URL, needs_chip
from tests.hardware.support import Probe

from holecard.boards.settings import latch, parse
from holecard_host.firmware_files import FS_BLOCK, FS_START
from holecard_host.stands import Stand, open_stand

FIRST = FS_START // FS_BLOCK
MARK = "before-the-files"
SECTOR = f"sector-{FIRST - 1}"


def state(stand: Stand) -> tuple[str, float]:
    told = json.loads(stand.wire.ask("*CLS;:TABL:STAT?"))
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


# -- the mode


def restarted(probe: Probe, change: Callable[[dict[str, bytes]], object] = lambda flash: None) -> str:
    """The mode after the power was cut and `change` has happened to the flash."""
    probe.simulator.kill()
    change(probe.simulator.flash)
    probe.start()
    return probe.ask("board.mode")


def settings(mode: str) -> Callable[[dict[str, bytes]], object]:
    return lambda flash: flash.update({"settings.json": b'{"mode": "%s"}' % mode.encode()})


def test_an_arcade_table_without_its_settings_stays_closed(interpreter: str) -> None:
    probe = Probe(interpreter, files={"settings.json": b'{"mode": "arcade"}'})
    assert probe.ask("board.mode") == "arcade"
    assert restarted(probe, lambda flash: flash.pop("settings.json")) == "arcade"
    assert probe.ask("board.problem") == "settings: the file is gone"
    assert restarted(probe, lambda flash: flash.update({"settings.json": b"{"})) == "arcade"
    assert restarted(probe, settings("Bench")) == "arcade"
    assert restarted(probe, settings("bench")) == "bench"
    assert restarted(probe, lambda flash: flash.pop("settings.json")) == "bench"
    # The mark of the records is found and left as ever.
    probe.ask("board.save('record', b'one')")
    assert probe.ask("board.kept()") == "True"
    for mode in ("arcade", "bench", "arcade", "arcade", "bench") * 4:
        assert restarted(probe, settings(mode)) == mode
    assert restarted(probe, settings("arcade")) == "arcade"
    assert restarted(probe, lose_files) == "arcade"
    assert probe.ask("board.kept()") == "True"
    probe.simulator.kill()


def test_a_bench_table_that_was_never_closed_stays_open(interpreter: str) -> None:
    probe = Probe(interpreter)
    for data in (b"{", b'{"mode": "Arcade"}', b"[]"):
        assert restarted(probe, lambda flash, data=data: flash.update({"settings.json": data})) == "bench"
    assert MARK not in probe.simulator.flash
    probe.simulator.kill()


def test_where_nothing_can_be_marked_only_what_cannot_be_read_closes() -> None:

    assert latch(parse(None), True, None) == ("bench", "")
    assert latch(parse(None), False, None)[0] == "arcade"
    assert latch(parse(None), False, "bench")[0] == "bench"
    assert latch(parse(None), False, "arcade")[0] == "arcade"
    assert latch(parse(b'{"mode": "arcade"}'), True, None)[0] == "arcade"
    assert latch(parse(b'{"sound": 5}'), True, "arcade") == ("bench", "settings: sound: true or false")


def test_the_chosen_mode_is_the_one_of_the_next_start(probe: Probe) -> None:
    key = b'{"operator_key": "' + b"ab" * 32 + b'", "sound": false}'
    restarted(probe, lambda flash: flash.update({"settings.json": key}))
    assert probe.ask("(board.choose_mode('arcade'), board.mode)") == "('', 'bench')"
    assert restarted(probe) == "arcade"
    assert probe.ask("board.operator") == str(("key", bytes.fromhex("ab" * 32)))
    restarted(probe, lambda flash: flash.update({"settings.json": b"{"}))
    assert probe.ask("board.choose_mode('bench')") == "the settings cannot be read"


def test_a_key_that_is_none_is_named_and_not_repeated() -> None:

    for key in ('"abc"', "5", "null", '"' + "g" * 64 + '"', '"' + "ab" * 31 + '"'):
        found = parse(b'{"operator_key": %s}' % key.encode())
        assert (found.operator_key, found.problem) == (b"", "settings: operator_key: 64 hex digits")
    assert parse(b'{"operator_id": "a b"}').problem == "settings: operator_id: 1 to 8 letters, digits, -"
