"""Field faults on the emulated chip: the panel's, the host's, the power's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.emulated import URL, needs_chip, needs_emulator
from tests.hardware.support import ECHO

from holecard_host.errors import FirmwareCrash, StandFault
from holecard_host.stands import Stand, open_stand
from holecard_host.twin.emulated import uf2


@pytest.fixture
def table() -> Iterator[Stand]:
    with open_stand(URL) as stand:
        stand.wire.command("DISP:ANIM OFF")
        yield stand


@pytest.fixture
def echo() -> Iterator[Stand]:
    with open_stand(URL, entry=ECHO) as stand:
        yield stand


def same_as_wanted(table: Stand) -> bool:
    table.wire.ask("*OPC?")
    return table.frame().hex() == table.wire.ask("DISP:DATA?").strip('"').lower()


@needs_chip
@pytest.mark.parametrize("kind", ["nak", "timeout"])
def test_the_table_goes_on_when_a_transfer_fails(table: Stand, kind: str) -> None:
    table.faults.fail_transfers(kind, 1, 2, 3)
    table.press("BET")
    # Twice 50 ms until the bus gives up, and each retry waits for the loop's next turn.
    table.advance(2500)
    assert same_as_wanted(table)


@needs_chip
def test_the_panel_can_be_unplugged(table: Stand) -> None:
    table.faults.plug_panel(False)
    table.press("BET")
    assert table.frame() == bytes(1024)
    table.faults.plug_panel(True)
    table.advance(1200)
    assert table.frame() != bytes(1024)
    assert same_as_wanted(table)


@needs_chip
def test_without_a_panel_at_power_on_it_answers() -> None:
    with open_stand(URL, panel_address=0x20) as table:
        assert table.wire.ask("*IDN?").startswith("Holecard,")


@needs_chip
def test_a_host_that_never_reads_stalls_nothing(table: Stand) -> None:
    table.faults.read_host(False)
    port = table.wire._port
    port.write(b"TABL:STAT?\n" * 3)
    table.advance(300)
    before = table.frame()
    table.press("BET")
    table.advance(100)
    assert table.frame() != before
    table.faults.read_host(True)
    table.advance(500)
    assert table.wire.sync().startswith("Holecard,")


@needs_chip
def test_half_a_line_stops_nothing(table: Stand) -> None:
    before = table.frame()
    table.wire._port.write(b"*ID")
    table.press("BET")
    table.advance(100)
    assert table.frame() != before
    table.wire._port.timeout = 60
    table.wire._port.write(b"N?\n")
    assert table.wire._port.read_until(b"\n").startswith(b"Holecard,")


@needs_chip
def test_binary_noise_is_survived(table: Stand) -> None:
    # On a test bench 0x03 asks for the prompt.
    table.wire._port.write(bytes(range(256)).replace(b"\x03", b"") * 2)
    table.advance(300)
    assert table.wire.sync().startswith("Holecard,")


@needs_chip
def test_saved_bytes_outlast_a_power_cut(echo: Stand) -> None:
    assert echo.wire.ask("LOAD?") == "none"
    echo.wire.command("SAVE;*CLS")
    assert echo.faults.simulator.wear.programs
    echo.cut()
    assert (echo.lamps(), echo.frame()) == (0, bytes(1024))
    echo.restore()
    assert echo.wire.ask("LOAD?").startswith("SAVE")


@needs_chip
@pytest.mark.long
@pytest.mark.parametrize("operation", range(8))
def test_a_cut_at_every_flash_operation_leaves_the_old_or_the_new_bytes(echo: Stand, operation: int) -> None:
    echo.wire.command("SAVE;*CLS")
    echo.faults.cut_at_flash(operation)
    echo.wire._port.write(b"SAVE;SAVE;*CLS;:SYST:ERR?\n")
    echo.advance(500)
    echo.restore()
    assert echo.wire.sync().startswith("Holecard,")
    assert echo.wire.ask("LOAD?").startswith(("SAVE *CLS", "SAVE SAVE"))


@needs_chip
def test_a_reset_starts_again(echo: Stand) -> None:
    with pytest.raises(StandFault, match="did not answer"):
        echo.wire.ask("RESET;KEYS?")
    assert echo.wire.ask("KEYS?") == "0"
    assert echo.faults.simulator.boots == 2


@needs_chip
def test_a_crash_is_told_with_its_traceback(echo: Stand) -> None:
    with pytest.raises(FirmwareCrash, match="rp2040:// crashed: ValueError: asked for") as crash:
        echo.wire.ask("CRASH;KEYS?")
    assert "main.py" in crash.value.traceback


@needs_emulator
def test_without_an_image_the_user_is_told_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(uf2.VARIABLE, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    with pytest.raises(StandFault, match=r"micropython\.org/download/RPI_PICO.*HOLECARD_UF2"):
        uf2.find(download=False)


@needs_emulator
def test_an_image_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(uf2.VARIABLE, "/nowhere/image.uf2")
    with pytest.raises(StandFault, match=r"HOLECARD_UF2 names /nowhere/image\.uf2"):
        open_stand(URL)
