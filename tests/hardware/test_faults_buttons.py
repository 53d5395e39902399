"""Faults of the field 10 to 12, the buttons' (docs/field-faults.md), on the pins of whole tables."""

from __future__ import annotations

import random

import pytest
from tests.bounces import BOUNCES
from tests.hardware.faults import on_all, on_all_long, on_simulated, opened, state

from holecard.table.keys import NAMES
from holecard_host.stands import Stand

CHIP = 5
MS = 1_000


def play_levels(stand: Stand, key: str, levels: list[tuple[int, int]]) -> None:
    """Hold the pin of a key at these levels, one after the other, and let it rest."""
    simulator = stand.faults.simulator
    at = stand.now_us()
    for low, us in levels:
        simulator.schedule(at, simulator.pins.KEYS[NAMES.index(key)], bool(low))
        at += us
    simulator.schedule(at, simulator.pins.KEYS[NAMES.index(key)], False)
    stand.advance((at - stand.now_us() + 60 * MS) / MS)


def presses(stand: Stand) -> list[str]:
    """The keys that went down since the last call, as the events tell."""
    keys = []
    while (event := stand.wire.ask_record("SYST:EVEN?"))["event"] != "none":
        if event["event"] == "key" and "key" in event:
            keys.append(event["key"])
    return keys


@pytest.mark.fault(10)
@on_all
def test_fault_10_a_bouncing_contact_is_one_press_and_one_release(url: str) -> None:
    with opened(url) as stand:
        presses(stand)
        bet = state(stand)["bets"][0]
        for levels in BOUNCES:
            stand.wire.ask("*OPC?")  # on the chip a press that is shorter than the drawing under way may go unseen
            play_levels(stand, "BET", levels)  # acts when it is pressed
        assert presses(stand) == ["BET"] * len(BOUNCES)
        assert state(stand)["bets"][0] == bet + CHIP * len(BOUNCES)
        for levels in BOUNCES:
            stand.wire.ask("*OPC?")
            play_levels(stand, "STAND", levels)  # acts when it is released
        assert presses(stand) == ["STAND"] * len(BOUNCES)
        assert state(stand)["bets"][0] == bet


def bouncing(chance: random.Random, low: int) -> list[tuple[int, int]]:
    """A contact that settles at this level after up to 8 bounces."""
    bounces = 2 * chance.randrange(5)
    return [((low + index) % 2, chance.randrange(50, 900)) for index in range(bounces)]


@pytest.mark.fault(11)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("keys", "down", "up"),
    [
        # Held for longer than a pass of the loop that sends a page, let go for longer than it takes to re-arm.
        pytest.param(["BET", "STAND"], 10, 35, id="betting"),
        # A table that stores its record may erase a block of the flash, and sees nothing for 46 ms.
        pytest.param(NAMES, 55, 70, id="playing"),
    ],
)
@on_simulated
def test_fault_11_every_press_counts_once_however_quick_they_come(
    url: str, keys: list[str], down: int, up: int, seed: int
) -> None:
    chance = random.Random(seed)
    with opened(url) as stand:
        presses(stand)
        for _ in range(12):
            levels = []
            key = chance.choice(keys)
            for _ in range(5):
                levels += [*bouncing(chance, 1), (1, chance.randrange(down * MS, 120 * MS))]
                levels += [*bouncing(chance, 0), (0, chance.randrange(up * MS, 120 * MS))]
            play_levels(stand, key, levels)
            assert presses(stand) == [key] * 5


@pytest.mark.fault(11)
@on_simulated
def test_fault_11_nothing_is_held_once_it_was_let_go(url: str) -> None:
    with opened(url) as stand:
        stand.wire.command("ROUN:BET 0,50")
        for us in (560 * MS, 590 * MS, 597 * MS):  # 600 ms are a hold, which changes the chip instead
            play_levels(stand, "STAND", [(1, us), (0, 300), (1, 200), (0, 900), (1, 100)])
            stand.advance(1_000)
            assert state(stand)["bets"][0] == 50 - CHIP
            stand.press("BET")
            assert state(stand)["bets"][0] == 50
        play_levels(stand, "STAND", [(1, 700 * MS)])
        stand.press("BET")
        assert state(stand)["bets"][0] == 50 + 25


@pytest.mark.fault(12)
@on_all_long
def test_fault_12_a_key_that_is_held_at_power_on_is_told_and_does_nothing_until_it_was_let_go(url: str) -> None:
    with opened(url) as stand:
        stand.cut()
        stand.press_down("BET")
        stand.restore()
        assert stand.wire.ask("*TST?") == "8"
        events = [stand.wire.ask_record("SYST:EVEN?") for _ in range(4)]
        assert ["BET"] in [event.get("stuck") for event in events]
        stand.wire.command("ROUN:BET 0,50")
        bet = state(stand)["bets"][0]
        stand.advance(1_500)  # long enough for a hold that repeats
        assert state(stand)["bets"][0] == bet
        stand.press("STAND")
        assert state(stand)["bets"][0] < bet
        bet = state(stand)["bets"][0]
        stand.release("BET")
        assert stand.wire.ask("*TST?") == "0"
        stand.press("BET")
        assert state(stand)["bets"][0] == bet + CHIP
