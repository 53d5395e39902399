"""What goes wrong on the emulated chip: the power, the firmware, its image."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hardware.emulated import URL, needs_chip, needs_emulator
from tests.hardware.support import ECHO

from holecard_host.errors import FirmwareCrash, StandFault
from holecard_host.stands import Stand, open_stand
from holecard_host.twin.emulated import uf2

TRIED_ON = URL


@pytest.fixture
def echo() -> Iterator[Stand]:
    with open_stand(URL, entry=ECHO) as stand:
        yield stand


@needs_chip
def test_saved_bytes_outlast_a_power_cut(echo: Stand) -> None:
    assert echo.wire.ask("LOAD?") == "none"
    echo.wire.command("SAVE;*CLS")
    assert echo.faults.simulator.wear.programs
    echo.cut()
    assert (echo.lamps(), echo.frame()) == (0, bytes(1024))
    echo.restore()
    assert echo.wire.ask("LOAD?").startswith("SAVE")


@pytest.mark.fault(21)
@needs_chip
@pytest.mark.long
@pytest.mark.parametrize("operation", range(8))
def test_fault_21_a_cut_at_every_flash_operation_leaves_the_old_or_the_new_bytes(echo: Stand, operation: int) -> None:
    echo.wire.command("SAVE;*CLS")
    echo.faults.cut_at_flash(operation)
    # Later operations than there are leave it running: then there is an answer.
    with contextlib.suppress(StandFault):
        echo.wire.command("SAVE;SAVE;*CLS")
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
