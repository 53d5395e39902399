"""What the panel shows when: cards one by one, acknowledged presses, the attract screen."""

from __future__ import annotations

import json

import pytest
from tests.table.rig import MS, Rig

from holecard.table.keys import HIT, STAND

SECOND = 1_000_000
# Player 20 against a dealer's 17: nothing happens by itself.
PLAIN = "10,10,10,7,5,5,5,5"


def test_cards_appear_one_by_one() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", f'BENC:SHOE "{PLAIN}"')
    rig.rest()
    rig.command("ROUN:DEAL")
    counts = []
    while rig.front.reveal.active:
        shown = rig.front.scene.visible
        count = len(shown.dealer) + len(shown.seats[0].hands[0].cards)
        if count not in counts:
            counts.append(count)
        assert rig.board.lit == 0
        rig.step()
    assert counts == [1, 2, 3, 4]
    assert json.loads(rig.ask("TABL:STAT?"))["cards_used"] == 4


def test_the_wire_knows_at_once_what_the_panel_still_turns() -> None:
    rig = Rig()
    rig.deal("10,10,6,10,10", (10,), "sifl")
    answer = rig.ask("ROUN:ACT 0,HIT;:TABL:STAT?")
    assert json.loads(answer)["phase"] == "settled"
    assert rig.front.scene.phase == "playing"
    assert rig.front.scene.bankroll == 990 * 2
    rig.rest()
    assert rig.front.scene.phase == "settled"


def test_animation_off_is_instant() -> None:
    rig = Rig()
    rig.ok("DISP:ANIM OFF", f'BENC:SHOE "{PLAIN}"')
    rig.command("ROUN:DEAL")
    assert not rig.front.busy or rig.front.scene.visible is not None
    rig.run(5 * MS)
    assert len(rig.front.scene.visible.dealer) == 2
    assert rig.board.lit


def test_attract_then_dim_and_a_press_only_wakes() -> None:
    rig = Rig()
    rig.run(61 * SECOND)
    assert rig.front.scene.phase == "attract"
    assert rig.ask("TABL:STAT?").startswith('{"phase":"betting","page":"attract"')
    frame = rig.front.scene.frame
    rig.run(245 * SECOND)
    assert rig.front.scene.frame > frame
    assert rig.front.idle.dim
    rig.press(HIT)
    assert rig.state()["phase"] == "betting"
    assert rig.game.rounds == 0
    assert not rig.front.idle.dim
    rig.press(HIT)
    assert rig.game.rounds == 1


def test_a_press_is_acknowledged_on_the_panel_before_it_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    rig.deal("10,10,2,7,5,5,5,5", (10,))
    sent = rig.board.sent
    seen = []
    act = rig.game.act

    def watched(seat: int, code: str, amount: int = 0) -> None:
        scene = rig.front.scene
        seen.append((code, scene.pressed, scene.labels[1], rig.table.panel.pending, rig.board.sent > sent))
        act(seat, code, amount)

    monkeypatch.setattr(rig.game, "act", watched)
    rig.press(HIT)
    assert seen == [("H", HIT, "HIT", False, True)]


def test_what_was_pressed_for_the_old_state_does_not_act_on_the_new() -> None:
    rig = Rig()
    rig.deal("2,10,3,7,5,5,5,5", (10,))
    rig.board.mask = STAND  # acts on release
    rig.run(50 * MS)
    rig.ok("ROUN:ACT 0,HIT")
    rig.board.mask = 0
    rig.rest()
    assert rig.state()["phase"] == "playing"
