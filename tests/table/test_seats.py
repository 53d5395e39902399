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
