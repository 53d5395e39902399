"""The four buttons."""

from __future__ import annotations

from typing import Any

from ...errors import StepFailed
from ..suite import Bench

_PRESSES = 25
# Dollars: the chip that a fresh table begins with, and those that follow.
_CHIP = 5
_NEXT_CHIPS = (25, 100, 500)


def keys(bench: Bench) -> None:
    """Presses of random length, bouncing where the stand can; each is counted by the table and seen in its effect."""
    steps, dice = bench.steps, bench.dice
    lost = doubled = wrong = 0
    said: list[str] = []
    for number in range(_PRESSES):
        key, does = ("BET", "raise_bet") if number < 5 or dice.random() < 0.5 else ("STAND", "lower_bet")
        before = steps.state()["bets"][0]
        bounce = dice.randrange(1 << 30) if bench.has("bounce") else None
        steps.stand.take_events()
        steps.press(key, dice.randrange(40, 200), bounce)
        told = [event for event in _told(bench) if event.get("key") == key]
        after = steps.state()["bets"][0]
        lost += not told
        doubled += max(len(told) - 1, 0)
        expected = before + _CHIP if key == "BET" else max(before - _CHIP, 1)
        if [event.get("does") for event in told] != [does] or after != expected:
            wrong += 1
            said.append(f"press {number + 1}, {key}, took the bet from {before:g} to {after:g}, told as {told}")
    bench.measure("lost", lost, said[0] if lost and said else "")
    bench.measure("doubled", doubled, said[0] if doubled and said else "")
    bench.measure("wrong", wrong, said[0] if said else "")
    _long(bench)
    if bench.has("pins"):
        _chord(bench)
    if bench.has("pins", "power"):
        _stuck(bench)


def _told(bench: Bench) -> list[dict[str, Any]]:
    return [event.data for event in bench.stand.take_events() if event.data.get("event") == "key"]


def _long(bench: Bench) -> None:
    """STAND held means the next chip: the bet stays, and BET then raises it by more."""
    meant, said = 0, ""
    bench.steps.fresh()
    for chip in _NEXT_CHIPS:
        bets = [bench.steps.state()["bets"][0]]
        for do in (lambda: bench.steps.hold("STAND"), lambda: bench.steps.press("BET")):
            do()
            bets.append(bench.steps.state()["bets"][0])
        good = bets == [bets[0], bets[0], bets[0] + chip]
        meant += good
        said = said if good else f"held for the chip of {chip}, then BET: the bet went {bets}"
    bench.measure("long", meant, said)


def _chord(bench: Bench) -> None:
    bench.stand.take_events()
    bench.steps.chord(["STAND", "DOUBLE"])
    told = [f"{event.get('key')} {event.get('does')}" for event in _told(bench)]
    bench.measure("chord", told == ["STAND lower_bet"], ", ".join(told) or "nothing")


def _stuck(bench: Bench) -> None:
    steps, stand = bench.steps, bench.stand
    stand.cut()
    stand.press_down("HIT")
    stand.restore()
    good, why = 1, ""
    try:
        steps.expect_event("key", 3000, stuck=["HIT"])
        steps.expect_state(phase="betting")
        stand.release("HIT")
        steps.wait(100)
        steps.press("HIT")
        steps.expect_event("key", 2000, key="HIT", does="deal")
    except StepFailed as failed:
        good, why = 0, str(failed)
    finally:
        stand.release("HIT")
    bench.measure("stuck", good, why)
