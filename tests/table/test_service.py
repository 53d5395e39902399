"""What a table tells about itself and its board, the loop's duties, and the byte that ends it."""

from __future__ import annotations

import json

import pytest
from tests.table.fake_board import FakeBoard
from tests.table.rig import MS, Rig

from holecard.app import run
from holecard.table.keys import HIT

ERROR = b"FOO\n"
PROBLEM = "settings: panel: ssd1306 or sh1106"


def test_the_loop_feeds_the_watchdog_once_a_pass() -> None:
    passes = 0

    class Counting(FakeBoard):
        def idle(self, due: int) -> None:
            nonlocal passes
            passes += 1
            if passes == 100:
                raise ZeroDivisionError
            super().idle(due)

    board = Counting()
    with pytest.raises(ZeroDivisionError):
        run(board)
    assert board.fed == passes


@pytest.mark.parametrize("data", [b"\x03", b"*IDN?\n\x03", b"ROUN:BET 0,\x03", b"\r\x03\r\x01"])
def test_ctrl_c_ends_the_loop_of_a_bench_table_and_takes_nothing_behind_it(data: bytes) -> None:
    board = FakeBoard()
    board.rx += data
    with pytest.raises(KeyboardInterrupt):
        run(board)
    assert board.rx == data.partition(b"\x03")[2]


def test_on_an_arcade_table_it_is_a_byte_like_any_other() -> None:
    rig = Rig(mode="arcade")
    rig.send(b"*IDN?\x03\n")
    assert rig.ask("SYST:ERR?") == '-101,"Invalid character"'


@pytest.mark.parametrize("mode", ["bench", "arcade"])
def test_the_mode_is_the_boards(mode: str) -> None:
    assert Rig(mode=mode).ask("SYST:MODE?") == mode


def test_errors_are_counted_whatever_is_cleared() -> None:
    rig = Rig()
    assert rig.ask("SYST:ERR:TOT?") == "0"
    for _ in range(20):  # more than the queue holds
        rig.send(ERROR)
    assert rig.ask("*CLS;:SYST:ERR:COUN?;TOT?") == "0;20"


def test_panel_memory_and_settings_are_told() -> None:
    rig = Rig()
    assert json.loads(rig.ask("DIAG:PAN?")) == {"kind": "ssd1306", "address": "0x3C", "failures": 0}
    assert json.loads(rig.ask("SYST:MEM?")) == {"heap_free": None, "heap": None, "flash_free": 65536, "flash": 131072}
    assert json.loads(rig.ask("SYST:SETT?")) == {"problem": ""}
    rig.board.panel = False
    rig.press(HIT)
    assert json.loads(rig.ask("DIAG:PAN?"))["failures"] > 0


def test_a_bad_settings_file_is_told_on_the_panel_until_somebody_has_read_it() -> None:
    rig = Rig(problem=PROBLEM)
    scene = rig.front.scene
    assert (scene.phase, scene.page, scene.labels) == ("betting", "settings", ["", "BACK", "", ""])
    assert " ".join(scene.lines).split() == ["SETTINGS", *PROBLEM.split(), "Default", "used", "instead."]
    assert all(len(line) <= 21 for line in scene.lines)
    assert json.loads(rig.ask("SYST:SETT?")) == {"problem": PROBLEM}
    events = [json.loads(rig.ask("SYST:EVEN?")) for _ in range(4)]
    assert any(event["event"] == "settings" and event["problem"] == PROBLEM for event in events)
    rig.press(HIT)
    assert (scene.page, scene.labels[1]) == ("", "DEAL")


@pytest.mark.fault(22)
def test_fault_22_a_flash_that_cannot_be_read_locks_the_table() -> None:
    rig = Rig(broken=True, problem="the flash cannot be read: 5")
    state = rig.state()
    assert (state["phase"], state["page"], state["lamps"]) == ("locked", "", 0)
    assert rig.front.scene.message == "the flash cannot be read"
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;the flash cannot be read"'
    assert rig.command("ROUN:DEAL").startswith('-221,"Settings conflict;the flash cannot be read')
    assert int(rig.ask("*TST?")) & 4
    assert rig.board.saves == 0


def test_a_file_that_is_not_there_is_a_new_table() -> None:
    rig = Rig()
    rig.run(10 * MS)
    assert rig.state()["phase"] == "betting"
