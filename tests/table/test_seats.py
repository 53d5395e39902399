"""The button table with several seats."""

from __future__ import annotations

from tests.table.rig import MS, Rig

from holecard.table.keys import BET, DOUBLE, HIT, STAND


def labels(rig: Rig) -> list[str]:
    return rig.state()["labels"]


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


def test_a_broke_seat_leaves_the_others_play_on_and_it_comes_back_later() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 3;:BENC:BANK 1,10;BANK 2,10")
    for seat in range(3):
        rig.ok(f"ROUN:BET {seat},10")
    rig.ok('BENC:SHOE "10,9,10,10,10,7,7,8"', "ROUN:DEAL", "ROUN:ACT 0,S", "ROUN:ACT 1,S", "ROUN:ACT 2,S")
    assert rig.state()["states"] == ["play", "broke", "broke"]
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["seat"], state["labels"]) == ("broke", 1, ["", "RETURN", "LEAVE", ""])
    rig.press(STAND)
    state = rig.state()
    assert (state["phase"], state["seat"], state["states"]) == ("broke", 2, ["play", "away", "broke"])
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["seat"], state["states"]) == ("betting", 0, ["play", "away", "play"])
    assert (state["bankrolls"][1:], state["bets"]) == ([0, 1000], [10, 0, 5])
    rig.press(HIT)
    assert (rig.state()["phase"], labels(rig)) == ("away", ["", "SIT", "SKIP", "PREV"])
    rig.press(STAND)
    rig.ok('BENC:SHOE "10,9,10,10,7,8"')
    rig.state()
    rig.press(HIT)
    rig.press(STAND)
    rig.press(STAND)
    state = rig.state()
    assert (state["phase"], state["seats"][1]["hands"]) == ("settled", [])
    rig.press(BET)
    rig.press(HIT)
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["seat"], state["states"]) == ("betting", 1, ["play"] * 3)
    assert (state["bankrolls"][1], state["bets"][1]) == (1000, 5)


def test_a_broke_seat_met_among_the_bets_does_not_start_them_anew() -> None:
    for key, bankroll, shown in ((HIT, 1000, 1), (STAND, 0, 2)):
        rig = Rig()
        rig.ok("BENC:RUL casino;:BENC:SEAT 3;:BENC:BANK 1,0")
        rig.press(HIT)
        state = rig.state()
        assert (state["phase"], state["seat"], state["labels"]) == ("broke", 1, ["", "RETURN", "LEAVE", "PREV"])
        rig.press(key)
        state = rig.state()
        assert (state["phase"], state["seat"], state["bankrolls"][1]) == ("betting", shown, bankroll)


def test_the_last_seat_that_is_broke_leaves_an_empty_table() -> None:
    rig = Rig()
    rig.deal("10,9,10,7,7,8", (10, 10), bankroll=10)
    rig.ok("ROUN:ACT 0,S", "ROUN:ACT 1,S")
    for key in (HIT, STAND, STAND):
        rig.press(key)
    assert (rig.state()["phase"], labels(rig)) == ("away", ["", "SIT", "", ""])
    rig.press(HIT)
    state = rig.state()
    assert (state["phase"], state["states"], state["bankrolls"]) == ("betting", ["play", "away"], [1000, 0])


def test_everybody_returns_to_an_empty_table_by_wire() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 2;:BENC:BANK 1,0", "TABL:LEAV 0", "TABL:LEAV 1", "ROUN:NEXT")
    state = rig.state()
    assert (state["phase"], state["states"], state["bankrolls"]) == ("betting", ["play", "play"], [1000, 1000])


def test_an_earlier_bet_can_be_corrected() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino;:BENC:SEAT 3")
    rig.press(HIT)
    assert labels(rig) == ["RAISE", "NEXT", "LOWER", "PREV"]
    rig.press(HIT)
    assert labels(rig) == ["RAISE", "DEAL", "LOWER", "PREV"]
    rig.press(DOUBLE)
    rig.press(DOUBLE)
    state = rig.state()
    assert (state["seat"], state["labels"]) == (0, ["RAISE", "NEXT", "LOWER", ""])
    rig.press(BET)
    assert rig.state()["bets"] == [10, 5, 5]


def recalled(rig: Rig) -> list[list[str]]:
    """Every page from LAST HANDS up to SEATS."""
    rig.press(DOUBLE)
    found = []
    while rig.front.page == "recall":
        lines = list(rig.front.scene.lines)
        assert 2 <= len(lines) <= 7
        assert all(len(line) <= 21 for line in lines)
        found.append(lines)
        assert labels(rig)[3] in ("NEXT", "SEATS")
        rig.press(DOUBLE)
    assert rig.front.page == "seats"
    return found


def test_every_hand_of_seven_seats_can_be_recalled() -> None:
    rig = Rig()
    rig.deal("10,9,8,7,6,9,10,6,10,10,10,10,10,9,9,8,10", (10, 20, 30, 40, 50, 60, 70))
    while rig.game.in_round:
        rig.press(STAND)
    rig.ok("ROUN:NEXT", 'BENC:SHOE "' + "8," * 7 + "6," + "8," * 7 + "10," + "8,8,10,10,10,10," * 7 + '5"', "ROUN:DEAL")
    while rig.game.in_round:
        rig.press(BET if labels(rig)[0] == "SPLIT" else STAND)
    state = rig.state()
    assert sum(len(seat["hands"]) for seat in state["seats"]) == 28
    found = recalled(rig)
    last = [lines for lines in found if lines[0].startswith("LAST HANDS 1/2")]
    before = [lines for lines in found if lines[0].startswith("LAST HANDS 2/2")]
    assert found == last + before
    for pages in (last, before):
        assert [lines[0][14:] for lines in pages] == [f": {n + 1}/{len(pages)}" for n in range(len(pages))]
    text = [line for lines in last for line in lines[1:]]
    assert text[0] == "Dealer: 6 10 5 (21)"
    for seat, view in enumerate(state["seats"]):
        for number, hand in enumerate(view["hands"]):
            cards = " ".join(card[0].replace("T", "10") for card in hand["cards"])
            at = text.index(f"Seat {seat + 1}/{number + 1}: {cards} ({hand['total']})")
            assert text[at + 1] == f"${hand['bet']} LOSE -${hand['bet']}"
    text = [line for lines in before for line in lines[1:]]
    assert text[0] == "Dealer: 6 8 10 (24)"
    for seat in range(7):
        assert sum(line.startswith(f"Seat {seat + 1}: ") for line in text) == 1
        assert sum(line.startswith(f"${10 * seat + 10} ") for line in text) == 1


def test_a_long_hand_and_insurance_are_recalled_in_full() -> None:
    rig = Rig()
    rig.deal("A,A,A,9" + ",A" * 8 + ",2" * 5 + ",10", (10,))
    rig.press(BET)
    while rig.game.in_round:
        rig.press(HIT)
    shown = " ".join(" ".join(lines[1:]) for lines in recalled(rig))
    hand = rig.state()["seats"][0]["hands"][0]
    cards = " ".join(card[0].replace("T", "10") for card in hand["cards"])
    assert len(hand["cards"]) > 12
    assert f"You: {cards} ({hand['total']})" in shown
    assert "You: insurance -$5" in shown


def test_a_press_holds_the_seat_that_is_shown_and_the_next_one_leaves_it() -> None:
    for wait in range(0, 9_000, 700):
        rig = Rig()
        rig.deal("10,9,8,10,9,8,7,7", (10, 10, 10))
        for seat in range(3):
            rig.ok(f"ROUN:ACT {seat},S")
        rig.rest()
        assert labels(rig)[2] == "LEAVE"
        rig.run(wait * MS)
        shown = rig.front.scene.seat
        rig.press(STAND)
        assert rig.state()["states"] == ["play"] * 3
        held = rig.front.scene.seat
        assert held == shown or wait % 2000 > 1800 or wait % 2000 < 200
        assert labels(rig)[2] == f"LEAVE{held + 1}"
        rig.run(5_000 * MS)
        assert rig.front.scene.seat == held
        rig.press(STAND)
        assert [state == "away" for state in rig.state()["states"]] == [seat == held for seat in range(3)]


def test_a_seat_that_was_held_and_not_left_goes_on() -> None:
    rig = Rig()
    rig.deal("10,9,10,9,7,7", (10, 10))
    rig.ok("ROUN:ACT 0,S", "ROUN:ACT 1,S")
    rig.rest()
    rig.press(STAND)
    rig.run(12_000 * MS)
    assert labels(rig)[2] == "LEAVE"
    shown = set()
    for _ in range(50):
        rig.run(100 * MS)
        shown.add(rig.front.scene.seat)
    assert shown == {0, 1}
