"""Faults of the field 1 to 9, the display's (docs/field-faults.md), on whole tables: what the bus carries and the glass
shows. What concerns the driver alone is in test_panel_driver.py and test_panel_stream.py.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.hardware.emulated import URL, needs_chip
from tests.hardware.faults import (
    DARK,
    EMULATED_LONG,
    FOUND_MS,
    Transfer,
    mark,
    on_all,
    on_all_long,
    on_simulated,
    on_simulated_picos,
    opened,
    play_a_round,
    same_as_wanted,
    settings,
    state,
    transfers,
)

from holecard.boards import pico_pins
from holecard_host.stands import Stand

PANELS = [("ssd1306", 0), ("sh1106", 0), ("sh1106", 2), ("sh1106", 4)]
on_every_panel = pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel[0]}-{panel[1]}")
# MicroPython's default, which the board leaves alone.
TIMEOUT_US = 50_000
PAGE = 129  # a page and its control byte
CHIP = 5  # of a table at power-on


def with_panel(url: str, panel: tuple[str, int]) -> Stand:
    return opened(url, panel=panel, files=settings(panel=panel[0], offset=panel[1]))


def is_start(transfer: Transfer) -> bool:
    """Whether this sets a panel up: it begins with the clock, on both controllers."""
    return transfer.data[:2] == b"\x00\xd5"


def starts_and_pages(sent: list[Transfer]) -> tuple[int, int]:
    """How often the panel was set up, and how many whole pages were sent since the last time."""
    starts = [index for index, transfer in enumerate(sent) if is_start(transfer)]
    since = sent[starts[-1] :] if starts else []
    return len(starts), sum(1 for transfer in since if len(transfer.data) == PAGE)


@pytest.mark.fault(1)
@on_all_long
def test_fault_01_no_transfer_takes_longer_than_half_its_timeout(url: str) -> None:
    for panel in PANELS if url != URL else PANELS[:1]:
        with with_panel(url, panel) as stand:
            play_a_round(stand)
            sent = transfers(stand)
        assert len(sent) > 60
        longest = max(len(transfer.data) for transfer in sent) + 1  # and the address
        # The bus as it is configured, and the slowest one that anybody wires.
        for hertz in (pico_pins.I2C_HZ, 100_000):
            assert longest * 9 * 1_000_000 / hertz <= TIMEOUT_US / 2


@pytest.mark.fault(2)
@on_all
def test_fault_02_a_panel_that_refuses_its_first_command_is_drawn_all_the_same(url: str) -> None:
    with opened(url) as stand:
        stand.cut()
        stand.faults.fail_transfers("nak")
        stand.restore()
        stand.advance(FOUND_MS)
        assert stand.wire.ask_record("DIAG:PAN?")["failures"] == 1
        assert same_as_wanted(stand)


@pytest.mark.fault(2)
@on_simulated
def test_fault_02_a_table_plays_without_a_panel_and_draws_everything_once_there_is_one(url: str) -> None:
    with opened(url) as stand:
        stand.cut()
        stand.faults.plug_panel(False)
        stand.restore()
        play_a_round(stand)
        assert stand.lamps()
        assert stand.frame() == DARK
        before = mark(stand)
        stand.faults.plug_panel(True)
        stand.advance(FOUND_MS)
        assert same_as_wanted(stand)
        assert starts_and_pages(transfers(stand, before)) == (1, 8)


def press_and_fail(stand: Stand, kind: str, skip: int, kept: int) -> int:
    """Let one transfer of a press fail; how many failures the driver has counted by then."""
    key = ("BET", "STAND")[skip % 2]
    bet = state(stand)["bets"][0]
    before = mark(stand)
    failures = int(stand.wire.ask_record("DIAG:PAN?")["failures"])
    stand.faults.fail_transfers(kind, skip, 1, kept)
    stand.press(key)
    stand.advance(FOUND_MS)
    assert state(stand)["bets"][0] == bet + (CHIP if key == "BET" else -CHIP)
    assert same_as_wanted(stand)
    failed = int(stand.wire.ask_record("DIAG:PAN?")["failures"]) - failures
    # It may be another panel, or one without a memory: it is set up, and every page is sent again.
    assert starts_and_pages(transfers(stand, before)) == ((1, 8) if failed else (0, 0))
    return failed


@pytest.mark.fault(3)
@pytest.mark.parametrize("kind", ["nak", "timeout"])
@on_simulated
def test_fault_03_the_game_outlives_a_transfer_that_fails_wherever_that_is(url: str, kind: str) -> None:
    with opened(url) as stand:
        stand.press("BET")
        failed = [press_and_fail(stand, kind, skip, kept) for skip in range(8) for kept in (0, 1, 5)]
        assert failed.count(1) >= 12
        assert set(failed) <= {0, 1}


@pytest.mark.fault(3)
@pytest.mark.parametrize(("url", "kind"), [pytest.param(URL, "nak", marks=needs_chip)])
def test_fault_03_the_game_outlives_a_transfer_that_fails(url: str, kind: str) -> None:
    with opened(url) as stand:
        stand.press("BET")
        assert press_and_fail(stand, kind, 2, 1) == 1


@pytest.mark.fault(3)
@on_all_long
def test_fault_03_a_panel_is_unplugged_and_plugged_in_again(url: str) -> None:
    with opened(url) as stand:
        bet = state(stand)["bets"][0]
        stand.faults.plug_panel(False)
        stand.press("BET")
        assert stand.frame() == DARK
        stand.faults.plug_panel(True)
        stand.advance(FOUND_MS)
        assert same_as_wanted(stand)
        assert state(stand)["bets"][0] == bet + CHIP


@pytest.mark.fault(3)
@pytest.mark.parametrize("playing", [False, True])
@on_simulated
def test_fault_03_a_panel_that_was_swapped_unseen_comes_back_by_itself(url: str, playing: bool) -> None:
    with opened(url) as stand:
        if playing:
            stand.wire.command('BENC:SHOE "10,10,9,7"')
            stand.wire.command("ROUN:DEAL")
        stand.wire.ask("*OPC?")
        stand.faults.plug_panel(False)
        stand.faults.plug_panel(True)
        assert stand.frame() == DARK
        stand.advance(62_000)
        assert same_as_wanted(stand)


@pytest.mark.fault(4)
@pytest.mark.parametrize("address", [0x3C, 0x3D])
@on_simulated
def test_fault_04_a_panel_is_found_at_either_address(url: str, address: int) -> None:
    for configured in ("0x3C", "0x3D"):
        with opened(url, panel_address=address, files=settings(address=configured)) as stand:
            assert stand.wire.ask_record("DIAG:PAN?")["address"] == f"0x{address:02X}"
            assert same_as_wanted(stand)


@pytest.mark.fault(4)
@pytest.mark.parametrize("url", [EMULATED_LONG])
def test_fault_04_a_panel_is_found_at_the_other_address(url: str) -> None:
    with opened(url, panel_address=0x3D) as stand:
        stand.advance(FOUND_MS)
        assert same_as_wanted(stand)


@pytest.mark.fault(4)
@pytest.mark.parametrize(("printed", "real"), [("0x78", "0x3C"), ("0x7A", "0x3D")])
@on_simulated
def test_fault_04_the_address_that_is_printed_on_the_board_is_refused_with_a_hint(
    url: str, printed: str, real: str
) -> None:
    with opened(url, files=settings(address=printed)) as stand:
        assert f"{printed} is the 8-bit form: use {real}" in stand.wire.ask_record("SYST:SETT?")["problem"]
        assert state(stand)["page"] == "settings"
        assert same_as_wanted(stand)


@pytest.mark.fault(5)
@pytest.mark.parametrize("offset", [0, 2, 4])
@on_simulated
def test_fault_05_an_sh1106_shows_its_picture_where_the_glass_is(url: str, offset: int) -> None:
    with with_panel(url, ("sh1106", offset)) as stand:
        assert same_as_wanted(stand)
        play_a_round(stand)
        assert same_as_wanted(stand)


@pytest.mark.fault(6)
@pytest.mark.parametrize("offset", [0, 2, 4])
@on_simulated
def test_fault_06_an_sh1106_gets_no_windows_and_a_place_for_every_piece(url: str, offset: int) -> None:
    with with_panel(url, ("sh1106", offset)) as stand:
        play_a_round(stand)
        stand.faults.fail_transfers("nak", 1, 2)
        stand.press("HIT")
        stand.advance(FOUND_MS)
        sent = transfers(stand)
        assert stand.faults.simulator.panel.unknown == []
    pieces = 0
    for place, piece in itertools.pairwise(sent):
        if piece.data[:1] == b"\x40":
            pieces += 1
            page, low, high = place.data[1:4]
            assert (page & 0xF8, low & 0xF0, high & 0xF0) == (0xB0, 0x00, 0x10)
            assert ((high & 0x0F) << 4 | low) + len(piece.data) - 1 <= 132
    assert pieces > 40


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes a panel forget its pointers and windows before each command that it gets."""

    def make(stand: Stand) -> None:
        panel = stand.faults.simulator.panel
        write = panel.write
        chance = random.Random(7)

        def forget(data: bytes) -> None:
            if data[:1] == b"\x00":
                panel.column, panel.page = chance.randrange(128), chance.randrange(8)
                panel._first_column, panel._last_column, panel._first_page, panel._last_page = 9, 40, 2, 3
            write(data)

        monkeypatch.setattr(panel, "write", forget)

    return make


@pytest.mark.fault(7)
@on_every_panel
@on_simulated
def test_fault_07_no_picture_depends_on_what_the_panel_remembers(
    url: str, panel: tuple[str, int], forgetful: Any
) -> None:
    with with_panel(url, panel) as stand:
        forgetful(stand)
        play_a_round(stand)
        assert same_as_wanted(stand)
        for key in ("HIT", "HIT", "BET", "STAND"):
            stand.press(key)
            assert same_as_wanted(stand)


@pytest.mark.fault(7)
@pytest.mark.parametrize("url", [EMULATED_LONG])
def test_fault_07_a_press_does_not_depend_on_what_the_panel_remembers(url: str, forgetful: Any) -> None:
    with opened(url) as stand:
        forgetful(stand)
        stand.press("BET")
        assert same_as_wanted(stand)


@pytest.mark.fault(7)
@on_every_panel
@on_simulated
def test_fault_07_a_controller_that_was_reset_alone_is_set_up_again_within_a_minute(
    url: str, panel: tuple[str, int]
) -> None:
    with with_panel(url, panel) as stand:
        stand.faults.simulator.panel.reset()
        assert stand.frame() == DARK
        stand.advance(62_000)
        assert same_as_wanted(stand)


@pytest.mark.fault(8)
@pytest.mark.parametrize("seed", range(4))
@on_every_panel
@on_simulated_picos
def test_fault_08_the_glass_shows_the_picture_whatever_is_pressed_and_whatever_fails(
    url: str, panel: tuple[str, int], seed: int
) -> None:
    chance = random.Random(seed)
    with with_panel(url, panel) as stand:
        stand.wire.command("BENC:RUL casino")
        for _ in range(40):
            what = chance.randrange(12)
            if what == 0:
                stand.faults.plug_panel(chance.random() < 0.5)
            elif what < 4:
                kind = chance.choice(("nak", "timeout"))
                stand.faults.fail_transfers(kind, chance.randrange(9), chance.randrange(1, 4), chance.randrange(9))
            stand.press(chance.choice(("BET", "HIT", "HIT", "STAND", "STAND", "DOUBLE")), chance.choice((40, 40, 900)))
            if what > 8:
                stand.faults.fail_transfers(count=0)
                stand.faults.plug_panel(True)
                stand.advance(FOUND_MS)
                assert same_as_wanted(stand)


@pytest.mark.long
@pytest.mark.fault(9)
@on_simulated_picos
def test_fault_09_a_table_that_nobody_touches_moves_dims_and_goes_dark(url: str) -> None:
    with opened(url) as stand:
        panel = stand.faults.simulator.panel
        before = state(stand)
        stand.advance(62_000)
        # No pixel glows all the time.
        always = int.from_bytes(b"\xff" * len(DARK), "big")
        for _ in range(100):
            stand.advance(2_000)
            assert stand.frame() != DARK
            always &= int.from_bytes(stand.frame(), "big")
        assert always == 0
        bright = panel.contrast
        stand.advance(100_000)
        assert panel.contrast <= bright // 10
        stand.advance(1_500_000)
        assert (stand.frame(), panel.lit) == (DARK, False)
        # A press wakes it, and does nothing else.
        stand.press("BET")
        assert same_as_wanted(stand)
        assert panel.contrast == bright
        assert state(stand) == before
