"""The piezo tells what the panel tells, when it tells it; tap and hand wave play a hand and do nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.table.rig import MS, Rig

from holecard.table.keys import BET, HIT, STAND

# The board knows a machine that is not here; its names are what counts.
_PIEZO = Path(__file__).parents[2] / "firmware" / "holecard" / "boards" / "piezo.py"
SOUNDS = re.findall(r'^    "([a-z]+)": ', _PIEZO.read_text(encoding="utf-8"), re.MULTILINE)
TAP = 16
WAVE = 32
DEALT = ["card"] * 4


def heard(rig: Rig) -> list[str]:
    sounds, rig.board.sounds = rig.board.sounds, []
    assert set(sounds) <= set(SOUNDS)
    return sounds


@pytest.fixture
def rig() -> Rig:
    return Rig()


@pytest.mark.parametrize(
    ("cards", "sound"),
    [("10,10,10,7", "win"), ("10,10,7,10", "lose"), ("10,10,10,10", "push"), ("A,10,K,7", "blackjack")],
)
def test_a_round_sounds_as_it_ends(rig: Rig, cards: str, sound: str) -> None:
    rig.deal(cards)
    sounds = heard(rig)
    if sound != "blackjack":
        assert sounds == DEALT
        rig.press(STAND)
        sounds = heard(rig)
        assert sounds[0] == "press"
    assert sounds[-1] == sound
    assert sounds.count(sound) == 1
    rig.run(5_000 * MS)
    assert heard(rig) == []


def test_a_press_that_does_nothing_is_silent(rig: Rig) -> None:
    rig.press(BET)
    assert heard(rig) == ["press"]
    rig.deal("10,10,9,7")
    heard(rig)
    rig.press(BET)  # nothing to split
    assert heard(rig) == []


def test_a_refused_press_sounds_so(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rig.game, "closed", "The table is closed.")
    rig.press(HIT)
    assert heard(rig)[-1] == "refused"


def test_no_sound_before_the_panel_has_caught_up(rig: Rig) -> None:
    """The result is known at the stand, the card that makes it takes its time."""
    rig.deal("10,10,6,10")
    heard(rig)
    rig.command("ROUN:ACT 0,S")
    assert "lose" not in heard(rig)
    rig.rest()
    assert "lose" in heard(rig)


def tap(rig: Rig, sensor: int, ms: int = 60) -> list[str]:
    rig.ask("*CLS;*OPC?")
    while rig.table.events.take():
        pass
    rig.press(sensor, ms)
    events = []
    while event := rig.table.events.take():
        events.append(json.loads(event[2]))
    return [event["do"] for event in events if event["event"] == "action"]


def test_a_tap_hits_and_a_wave_stands(rig: Rig) -> None:
    rig.deal("5,10,6,10,2,3", rules="casino")
    assert tap(rig, TAP) == ["HIT"]
    assert tap(rig, WAVE) == ["STAND"]


def test_a_long_wave_stands_and_asks_for_no_hint(rig: Rig) -> None:
    rig.deal("5,10,6,10")
    rig.board.mask = WAVE
    rig.run(800 * MS)
    assert rig.front.page == ""
    assert not rig.game.in_round
    rig.board.mask = 0
    rig.rest()
    assert rig.state()["phase"] == "settled"


@pytest.mark.parametrize("sensor", [TAP, WAVE, TAP | WAVE])
def test_they_do_nothing_where_no_hand_is_played(rig: Rig, sensor: int) -> None:
    before = rig.state()
    assert tap(rig, sensor, 700) == []
    assert rig.state() == before
    rig.deal("10,A,9,8")  # insurance is open
    before = rig.state()
    assert tap(rig, sensor) == []
    assert rig.state() == before
    rig.command("ROUN:ACT 0,NOINS")
    rig.press(STAND)
    before = rig.state()
    assert before["phase"] == "settled"
    assert tap(rig, sensor) == []
    assert rig.state() == before


def test_they_do_nothing_on_a_page_and_while_a_double_is_asked_for(rig: Rig) -> None:
    rig.deal("5,10,6,10,2", (25,))
    rig.press(STAND, 700)
    assert rig.front.page == "hint"
    assert tap(rig, TAP) == tap(rig, WAVE) == []
    rig.press(HIT)
    rig.press(8)
    assert rig.state()["phase"] == "doubling"
    assert tap(rig, TAP) == tap(rig, WAVE) == []
    assert rig.state()["phase"] == "doubling"


def test_they_are_debounced(rig: Rig) -> None:
    rig.deal("5,10,6,10,2,2,2,2")
    while rig.table.events.take():
        pass
    for _ in range(6):
        rig.board.mask ^= TAP
        rig.table.step(rig.board.now())
    rig.board.mask = TAP
    rig.run(60 * MS)
    for _ in range(10):
        rig.board.mask ^= TAP
        rig.run(2 * MS)
    rig.board.mask = 0
    rig.rest()
    assert len(rig.state()["seats"][0]["hands"][0]["cards"]) == 3


def test_of_tap_and_wave_together_the_wave_counts(rig: Rig) -> None:
    rig.deal("5,10,6,10,2")
    assert tap(rig, TAP | WAVE) == ["STAND"]


def test_a_sensor_that_feels_something_at_power_on_waits_until_it_does_not() -> None:
    rig = Rig(held=TAP)
    assert int(rig.ask("*TST?")) == 8
    rig.deal("5,10,6,10,2")
    rig.run(200 * MS)
    assert len(rig.state()["seats"][0]["hands"][0]["cards"]) == 2
    rig.board.mask = 0
    rig.run(50 * MS)
    assert int(rig.ask("*TST?")) == 0
    assert tap(rig, TAP) == ["HIT"]


def test_keys_and_sensors_do_not_mix(rig: Rig) -> None:
    """No bit of a key reaches the sensors, no bit of a sensor the keys."""
    rig.deal("8,10,8,10,2")
    rig.press(8 | 1)
    assert not rig.table._sensors.busy
    rig.board.mask = TAP | WAVE
    rig.table.step(rig.board.now())
    assert rig.table._keys.quiet
