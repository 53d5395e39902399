"""Every key, alone and with others, in every situation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.table.rig import Rig
from tests.table.test_arcade import lines

from holecard.table.commands import COMMANDS
from holecard.table.composing import compose
from holecard.table.front import Front
from holecard.table.keys import DOUBLE, HIT, NAMES, STAND

SECOND = 1_000_000
# Player 20 against a dealer's 17: nothing happens by itself.
PLAIN = "10,10,10,7,5,5,5,5"
PAIR = "8,6,8,10,2,3,9,10,10,5"
ACE_UP = "10,A,9,8,5,5"


def _situations() -> dict[str, Any]:
    def betting(rig: Rig) -> None:
        rig.state()

    def settled(rig: Rig) -> None:
        rig.deal(PLAIN)
        rig.ok("ROUN:ACT 0,S")

    def doubling(rig: Rig) -> None:
        rig.deal("5,10,6,7,10,10", (12,))
        rig.press(DOUBLE)

    def broke(rig: Rig) -> None:
        rig.ok("BENC:BANK 0,0")

    def broke_among_others(rig: Rig) -> None:
        rig.ok("BENC:RUL casino;:BENC:SEAT 3;:BENC:BANK 1,0")
        rig.press(HIT)

    def several_recalled(rig: Rig) -> None:
        rig.deal("10,10,10,10,9,9,9,7", (10, 10, 10))
        rig.ok("ROUN:ACT 0,S", "ROUN:ACT 1,S", "ROUN:ACT 2,S")
        rig.rest()
        rig.press(DOUBLE)

    def left_among_others(rig: Rig) -> None:
        broke_among_others(rig)
        rig.ok("TABL:LEAV 1")

    def saved(rig: Rig) -> None:
        rig.deal("10,10,10,7", (100,), "sifl", 49_950)
        rig.ok("ROUN:ACT 0,S")
        rig.rest()
        rig.press(HIT)

    def hint(rig: Rig) -> None:
        rig.deal(PLAIN)
        rig.press(STAND, 700)

    def recall(rig: Rig) -> None:
        settled(rig)
        rig.rest()
        rig.press(DOUBLE)

    def credits_gone(rig: Rig) -> None:
        rig.table.house.change("credits", True)
        rig.ok("BENC:BANK 0,0")

    def locked(rig: Rig) -> None:
        rig.game.lock("record damaged")

    return {
        "betting": betting,
        "three seats": lambda rig: rig.ok("BENC:RUL casino;:BENC:SEAT 3"),
        "broke among others": broke_among_others,
        "left among others": left_among_others,
        "several recalled": several_recalled,
        "insurance": lambda rig: rig.deal(ACE_UP),
        "playing": lambda rig: rig.deal(PAIR),
        "doubling": doubling,
        "settled": settled,
        "saved": saved,
        "broke": broke,
        "away": lambda rig: rig.ok("TABL:LEAV 0"),
        "hint": hint,
        "recall": recall,
        "attract": lambda rig: rig.run(61 * SECOND),
        "closed": lambda rig: rig.table.house.change("play", False),
        "credits": credits_gone,
        "too rich": lambda rig: rig.table.house.change("limit", 500),
        "locked": locked,
    }


@pytest.mark.parametrize("name", _situations())
@pytest.mark.parametrize("mask", range(16))
def test_promise_19_every_mask_of_keys_is_harmless_everywhere(name: str, mask: int) -> None:
    rig = Rig()
    _situations()[name](rig)
    rig.rest()
    rig.ask("*CLS;*OPC?")
    before = rig.game.rounds
    rig.press(mask, 80)
    state = rig.state()
    assert rig.game.rounds - before <= 1
    assert rig.ask("SYST:ERR:COUN?") == "0"
    assert [bool(label) for label in state["labels"]] == [bool(state["lamps"] >> i & 1) for i in range(4)]
    assert state["lamps"] == rig.board.lit


@pytest.mark.parametrize("name", _situations())
def test_promise_28_every_command_in_every_state_leaves_a_table_whose_accounts_add_up(name: str) -> None:
    """On the bench, where commands may do something; test_arcade.py has the table where none may."""

    def ready() -> Rig:
        rig = Rig()
        _situations()[name](rig)
        rig.rest()
        return rig

    rig = ready()
    for command in COMMANDS:
        for line in lines(command):
            changes, locked = rig.game.changes, rig.game.phase == "locked"
            rig.send(b"*CLS;" + line.encode() + b"\n")
            rig.rest()
            rig.lines()
            state, audit = rig.state(), json.loads(rig.ask("TABL:AUD?"))
            assert audit["ok"], line
            assert min(state["bankrolls"]) >= 0, line
            assert [bool(label) for label in state["labels"]] == [bool(state["lamps"] >> i & 1) for i in range(4)], line
            if locked:
                assert rig.game.phase == "locked" or line == "BENCh:CLEar", line
            if rig.game.changes != changes:
                rig = ready()


@pytest.mark.parametrize("name", _situations())
def test_a_lamp_is_lit_exactly_when_its_press_does_something(name: str) -> None:
    for i in range(4):
        for ms in (60, 700):
            rig = Rig()
            _situations()[name](rig)
            rig.rest()
            before = rig.state()
            lit = before["lamps"] >> i & 1
            changes = rig.game.changes
            kept = (rig.front.scene.chip, rig.front.scene.lines, rig.front.amount, rig.front.idle.asleep)
            rig.press(1 << i, ms)
            now = (rig.front.scene.chip, rig.front.scene.lines, rig.front.amount, rig.front.idle.asleep)
            does = changes != rig.game.changes or kept != now or before["phase"] != rig.state()["phase"]
            assert does == bool(lit), (NAMES[i], ms)


@pytest.mark.parametrize("name", _situations())
def test_the_quick_answer_to_a_press_leaves_nothing_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = Front.compose
    drawn = 0

    def compared(front: Front) -> None:
        nonlocal drawn
        quick(front)
        scene = dict(vars(front.scene), labels=list(front.scene.labels))
        compose(front)
        assert vars(front.scene) == scene
        drawn += 1

    monkeypatch.setattr(Front, "compose", compared)
    for i in range(4):
        for ms in (60, 700):
            rig = Rig()
            _situations()[name](rig)
            rig.press(1 << i, ms)
    assert drawn > 8
