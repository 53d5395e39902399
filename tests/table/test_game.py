"""The button table: every phase, every key, several seats, the endings, the clocks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.table.rig import MS, Rig

from holecard.table.keys import BET, DOUBLE, HIT, NAMES, STAND

SECOND = 1_000_000
# Player 20 against a dealer's 17: nothing happens by itself.
PLAIN = "10,10,10,7,5,5,5,5"
PAIR = "8,6,8,10,2,3,9,10,10,5"
ACE_UP = "10,A,9,8,5,5"


def labels(rig: Rig) -> list[str]:
    return rig.state()["labels"]


def test_power_on_is_ready_to_bet() -> None:
    rig = Rig()
    state = rig.state()
    assert state["phase"] == "betting"
    assert state["bankrolls"] == [1000]
    assert state["labels"] == ["RAISE", "DEAL", "CHIP", ""]


def test_betting_keys() -> None:
    rig = Rig()
    rig.press(BET)
    assert rig.state()["bets"] == [6]
    rig.press(BET)
    assert rig.state()["bets"] == [11]
    rig.press(STAND)
    assert rig.state()["bets"] == [6]
    rig.press(STAND)
    rig.press(STAND)
    assert rig.state()["bets"] == [1]
    assert rig.front.scene.chip == 50  # the last press found nothing to lower and changed the chip: CHIP


def test_holding_stand_changes_the_chip_and_not_the_bet() -> None:
    rig = Rig()
    rig.press(BET)
    chips = []
    for _ in range(5):
        rig.press(STAND, 700)
        chips.append(rig.front.scene.chip // 2)
    assert chips == [25, 100, 500, 1, 5]
    assert rig.state()["bets"] == [6]


def test_casino_chips_start_at_the_minimum() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino")
    chips = []
    for _ in range(4):
        rig.press(STAND, 700)
        chips.append(rig.front.scene.chip // 2)
    assert chips == [25, 100, 500, 5]


def test_holding_bet_repeats() -> None:
    rig = Rig()
    rig.press(BET, 1500)
    # One at once, one when held, then every 120 ms until 1,500 ms.
    assert 35 <= rig.state()["bets"][0] <= 46
    assert rig.front.scene.pressed == 0


def test_bets_stay_within_the_limits() -> None:
    rig = Rig()
    rig.ok("BENC:BANK 0,8.5")
    rig.press(BET, 2000)
    assert rig.state()["bets"] == [8]
    assert labels(rig)[0] == ""
    rig.ok("BENC:RUL casino")
    for _ in range(3):
        rig.press(STAND, 700)
    rig.press(BET, 1500)
    assert rig.state()["bets"] == [500]


def test_last_bet_again() -> None:
    rig = Rig()
    rig.deal(PLAIN, (40,), "sifl")
    rig.press(STAND)
    rig.press(BET)
    assert rig.state()["phase"] == "betting"
    rig.ok("ROUN:BET 0,3")
    assert labels(rig)[3] == "AGAIN"
    rig.press(DOUBLE)
    assert rig.state()["bets"] == [40]
    assert labels(rig)[3] == ""


def test_playing_keys() -> None:
    rig = Rig()
    state = rig.deal(PAIR)
    assert state["labels"] == ["SPLIT", "HIT", "STAND", "DOUBLE"]
    rig.press(BET)
    state = rig.state()
    assert [hand["cards"][0][0] for hand in state["seats"][0]["hands"]] == ["8", "8"]
    rig.press(HIT)
    assert len(rig.state()["seats"][0]["hands"][0]["cards"]) == 3
    rig.press(STAND)
    assert rig.state()["hand"] == 1
    assert rig.front.scene.hand == 1


def test_sifl_doubles_at_once() -> None:
    rig = Rig()
    rig.deal("5,10,6,7,10", (10,), "sifl")
    rig.press(DOUBLE)
    state = rig.state()
    assert state["phase"] == "settled"
    assert state["seats"][0]["hands"][0]["bet"] == 20


def test_doubling_for_less() -> None:
    rig = Rig()
    rig.deal("5,10,6,7,10,10", (12,))
    rig.press(DOUBLE)
    state = rig.state()
    assert (state["phase"], state["amount"], state["double"]) == ("doubling", 12, [5, 12])
    assert state["labels"] == ["", "BACK", "LESS", "OK"]
    for _ in range(3):
        rig.press(STAND)
    assert rig.state()["amount"] == 9
    rig.press(BET)
    assert rig.state()["amount"] == 10
    rig.press(HIT)
    assert rig.state()["phase"] == "playing"
    rig.press(DOUBLE)
    rig.press(STAND, 3000)
    state = rig.state()
    assert state["amount"] == 5
    assert state["labels"] == ["MORE", "BACK", "", "OK"]
    rig.press(DOUBLE)
    assert rig.state()["seats"][0]["hands"][0]["bet"] == 17


def test_insurance_keys() -> None:
    rig = Rig()
    assert rig.deal(ACE_UP)["labels"] == ["INSURE", "", "NO", ""]
    rig.press(BET)
    assert rig.state()["seats"][0]["insurance"] == 5
    rig.deal(ACE_UP)
    rig.press(STAND)
    state = rig.state()
    assert (state["phase"], state["seats"][0]["insurance"]) == ("playing", 0)


def test_insurance_closes_by_itself() -> None:
    rig = Rig()
    rig.deal("10,10,A,9,9,8,5,5", (10, 10))
    assert rig.front.scene.insurance_left == 30
    rig.run(29 * SECOND)
    assert rig.state()["phase"] == "insurance"
    assert rig.front.scene.insurance_left == 1
    rig.run(1_100 * MS)
    state = rig.state()
    assert state["phase"] == "playing"
    assert [seat["insurance"] for seat in state["seats"]] == [0, 0]
    assert " T" in rig.command("ROUN:ACT 0,S;:ROUN:ACT 1,S;:TABL:HIST?")


def test_insurance_that_never_closes() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:RUL:SET insurance_seconds,0", f'BENC:SHOE "{ACE_UP}"', "ROUN:DEAL")
    rig.run(120 * SECOND)
    assert rig.state()["phase"] == "insurance"


def test_settled_keys_and_the_dark_moment() -> None:
    rig = Rig()
    rig.deal(PLAIN, (10,), "sifl")
    rig.command("ROUN:ACT 0,S")
    while rig.front._reveal.active:
        rig.step()
    rig.run(10 * MS)
    assert rig.board.lit == 0
    rounds = rig.game.rounds
    rig.board.mask = HIT  # too late for the last round, too early for the next
    rig.run(100 * MS)
    rig.board.mask = 0
    rig.run(300 * MS)
    assert rig.game.rounds == rounds
    rig.rest()
    assert labels(rig) == ["BET", "DEAL", "LEAVE", "HANDS"]
    assert rig.board.lit == 15
    rig.press(HIT)
    assert rig.game.rounds == rounds + 1
    assert rig.state()["bets"] == [10]


def test_the_dark_moment_lasts_half_a_second() -> None:
    rig = Rig()
    rig.deal(PLAIN, (10,), "sifl")
    rig.ok("DISP:ANIM OFF")
    rig.command("ROUN:ACT 0,S")
    start = rig.board.elapsed
    while not rig.board.lit:
        rig.step()
    assert 480 * MS < rig.board.elapsed - start < 560 * MS


def test_next_round_with_less_money() -> None:
    rig = Rig()
    rig.deal("10,10,6,10,10,2,2,2,2,2,2,2,2", (100,), "sifl", 150)
    rig.press(STAND)
    rig.press(HIT)
    assert rig.state()["bets"] == [50]


def test_leave_and_come_back() -> None:
    rig = Rig()
    rig.deal(PLAIN, (10,), "sifl")
    rig.press(STAND)
    bankroll = rig.state()["bankrolls"]
    rig.press(STAND)
    state = rig.state()
    assert (state["phase"], state["states"], state["labels"]) == ("away", ["away"], ["", "SIT", "", ""])
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["bankrolls"]) == ("betting", bankroll)


def test_saved() -> None:
    rig = Rig()
    rig.deal("10,10,10,7,10,10,10,7", (100,), "sifl", 49_950)
    rig.press(STAND)
    state = rig.state()
    assert (state["phase"], state["states"]) == ("settled", ["saved"])
    assert state["labels"] == ["", "GO ON", "LEAVE", "HANDS"]
    rig.press(HIT)
    assert rig.state()["phase"] == "saved"
    assert labels(rig) == ["", "GO ON", "", ""]
    rig.press(HIT)
    assert rig.state()["phase"] == "betting"
    rig.ok(f'BENC:SHOE "{PLAIN}"', "ROUN:DEAL")
    rig.press(STAND)
    assert rig.state()["labels"][1] == "DEAL"  # told once


def test_broke() -> None:
    rig = Rig()
    rig.deal("10,10,6,10", (100,), "sifl", 100)
    rig.press(STAND)
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["labels"]) == ("broke", ["", "RETURN", "", ""])
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["bankrolls"]) == ("betting", [1000])


def test_below_the_table_minimum_is_broke() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:BANK 0,4.5")
    state = rig.state()
    assert (state["phase"], state["labels"]) == ("broke", ["", "RETURN", "", ""])
    rig.press(HIT)
    assert rig.state()["bankrolls"] == [1000]


def test_hint_and_pages_while_playing() -> None:
    rig = Rig()
    rig.deal(PLAIN)
    rig.press(STAND, 700)
    assert rig.state()["page"] == "hint"
    assert rig.front.scene.lines[0] == "HINT: STAND"
    assert labels(rig) == ["", "BACK", "", "NEXT"]
    for page in ("seats", "rules", "hint"):
        rig.press(DOUBLE)
        assert rig.state()["page"] == page
        assert len(rig.front.scene.lines) <= 8
        assert all(len(line) <= 21 for line in rig.front.scene.lines)
    rig.press(HIT)
    state = rig.state()
    assert (state["page"], state["phase"], len(state["seats"][0]["hands"][0]["cards"])) == ("", "playing", 2)
    rig.press(STAND, 2_500)
    assert rig.state()["page"] == "seats"


def test_last_hands() -> None:
    rig = Rig()
    for _ in range(7):
        rig.deal(PLAIN, (10,), "sifl") if rig.game.rounds == 0 else rig.ok(
            "ROUN:NEXT", f'BENC:SHOE "{PLAIN}"', "ROUN:DEAL"
        )
        rig.press(STAND)
    rig.press(DOUBLE)
    titles = []
    for _ in range(7):
        titles.append(rig.front.scene.lines[0])
        rig.press(DOUBLE)
    assert titles == [f"LAST HANDS {n}/5" for n in range(1, 6)] + ["SEATS", "RULES: sifl"]
    assert rig.front.scene.lines[0] == "LAST HANDS 1/5"
    assert rig.front.scene.lines[1:] == ["D 17 T 7", "20 T T", "win +$10"]


def test_seats_bet_in_order_and_may_sit_out() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 3")
    assert labels(rig) == ["RAISE", "NEXT", "LOWER", ""]
    rig.press(BET)
    rig.press(HIT)
    assert rig.front.scene.seat == 1
    rig.press(STAND)  # from the minimum to sitting out
    rig.press(HIT)
    assert labels(rig)[1] == "DEAL"
    rig.ok('BENC:SHOE "10,9,10,9,9,7,5,5"')
    rig.state()
    rig.press(HIT)
    rig.press(HIT)
    rig.press(HIT)
    state = rig.state()
    assert state["bets"] == [10, 0, 5]
    assert state["seats"][1]["hands"] == []


def test_nobody_bets_nothing_is_dealt() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 2", "ROUN:BET 0,0", "ROUN:BET 1,0")
    assert labels(rig)[1] == ""
    assert rig.command("ROUN:DEAL").startswith("-221")


def test_several_seats_play_in_turn_and_stay_reachable() -> None:
    rig = Rig()
    state = rig.deal("10,9,10,10,7,8,5,5,5", (10, 20))
    assert (state["seat"], rig.front.scene.seat) == (0, 0)
    rig.press(STAND)
    assert rig.front.scene.seat == 1
    rig.press(STAND, 700)
    rig.press(DOUBLE)
    assert rig.front.scene.lines[1].startswith(" 1 $10 20") or rig.front.scene.lines[1].startswith(" 1 $10 17")
    assert rig.front.scene.lines[2].startswith(">2 $20")
    rig.press(HIT)
    rig.press(STAND)
    assert rig.state()["phase"] == "settled"
    shown = set()
    for _ in range(60):
        rig.run(100 * MS)
        shown.add(rig.front.scene.seat)
    assert shown == {0, 1}


def test_every_hand_is_shown_after_the_settlement() -> None:
    rig = Rig()
    rig.deal("10,8,10,9,8,7,3,2,10,10,10,10", (10, 10))
    rig.press(STAND)
    rig.press(BET)
    while rig.game.in_round:
        rig.press(STAND)
    shown = set()
    for _ in range(100):
        rig.run(100 * MS)
        shown.add((rig.front.scene.seat, rig.front.scene.hand))
    assert shown == {(0, 0), (1, 0), (1, 1)}


def test_pages_fit_with_seven_seats_and_split_hands() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 7", "TABL:LEAV 3")
    rig.deal("8,8,8,8,8,8,8,6,8,8,8,8,8,8,8,10" + ",2" * 60, (500,) * 7)
    rig.press(BET)
    rig.press(STAND, 700)
    for _ in range(3):
        assert 2 <= len(rig.front.scene.lines) <= 8
        assert all(len(line) <= 21 for line in rig.front.scene.lines)
        rig.press(DOUBLE)


def test_a_seat_that_left_is_asked_and_may_be_skipped() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 2", "TABL:LEAV 0")
    state = rig.state()
    assert (state["phase"], state["labels"]) == ("away", ["", "SIT", "SKIP", ""])
    rig.press(STAND)
    assert (rig.state()["phase"], rig.front.scene.seat) == ("betting", 1)
    rig.ok("TABL:LEAV 1")
    assert rig.state()["phase"] == "away"
    rig.press(HIT)
    assert rig.state()["states"] == ["away", "play"]


def test_endings_are_told_seat_by_seat() -> None:
    rig = Rig()
    rig.deal("10,9,10,7,7,8,5,5,5", (10, 10), bankroll=10)
    rig.ok("ROUN:ACT 0,S", "ROUN:ACT 1,S")
    assert rig.state()["states"] == ["broke", "broke"]
    told = []
    for _ in range(2):
        rig.press(HIT)
        told.append((rig.state()["phase"], rig.front.scene.seat))
    assert told == [("broke", 0), ("broke", 1)]
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["bankrolls"]) == ("betting", [1000, 1000])


def test_cards_appear_one_by_one() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", f'BENC:SHOE "{PLAIN}"')
    rig.rest()
    rig.command("ROUN:DEAL")
    counts = []
    while rig.front._reveal.active:
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
    assert rig.front.dim
    rig.press(HIT)
    assert rig.state()["phase"] == "betting"
    assert rig.game.rounds == 0
    assert not rig.front.dim
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
        seen.append((code, scene.pressed, scene.labels[1], rig.table._panel.pending, rig.board.sent > sent))
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


def test_stuck_key_is_reported_and_does_nothing() -> None:
    rig = Rig(held=BET)
    rig.run(3 * SECOND)
    assert rig.game.bets == [2]
    assert rig.ask("*TST?") == "8"
    queued = [rig.ask("SYST:EVEN?") for _ in range(4)]
    assert any('"stuck":["BET"]' in event for event in queued)
    rig.board.mask = 0
    rig.run(60 * MS)
    assert rig.ask("*TST?") == "0"
    rig.press(BET)
    assert rig.game.bets == [12]


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

    def locked(rig: Rig) -> None:
        rig.game.lock("record damaged")

    return {
        "betting": betting,
        "three seats": lambda rig: rig.ok("BENC:RUL casino;:BENC:SEAT 3"),
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
        "locked": locked,
    }


@pytest.mark.parametrize("name", _situations())
@pytest.mark.parametrize("mask", range(16))
def test_every_mask_of_keys_is_harmless_everywhere(name: str, mask: int) -> None:
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
def test_a_lamp_is_lit_exactly_when_its_press_does_something(name: str) -> None:
    for i in range(4):
        for ms in (60, 700):
            rig = Rig()
            _situations()[name](rig)
            rig.rest()
            before = rig.state()
            lit = before["lamps"] >> i & 1
            changes = rig.game.changes
            kept = (rig.front.scene.chip, rig.front.scene.page, rig.front.amount, rig.front.asleep)
            rig.press(1 << i, ms)
            now = (rig.front.scene.chip, rig.front.scene.page, rig.front.amount, rig.front.asleep)
            does = changes != rig.game.changes or kept != now or before["phase"] != rig.state()["phase"]
            assert does == bool(lit), (NAMES[i], ms)
