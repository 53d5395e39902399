"""The button table with one seat: every phase, every key, the endings."""

from __future__ import annotations

from tests.table.rig import MS, Rig

from holecard.table.keys import BET, DOUBLE, HIT, STAND

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
    while rig.front.reveal.active:
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
    assert labels(rig) == ["", "BACK", "", "SEATS"]
    for page, onward in (
        ("seats", "RULES"),
        ("rules", "SHOE"),
        ("shoe", "SECRET"),
        ("shoe", "HINT"),
        ("hint", "SEATS"),
    ):
        rig.press(DOUBLE)
        assert rig.state()["page"] == page
        assert labels(rig) == ["", "BACK", "", onward]
        assert len(rig.front.scene.lines) <= 8
        assert all(len(line) <= 21 for line in rig.front.scene.lines)
    rig.press(HIT)
    state = rig.state()
    assert (state["page"], state["phase"], len(state["seats"][0]["hands"][0]["cards"])) == ("", "playing", 2)
    rig.press(STAND, 2_500)
    assert rig.state()["page"] == "seats"


def test_last_hands() -> None:
    rig = Rig()
    for _ in range(14):
        rig.deal(PLAIN, (10,), "sifl") if rig.game.rounds == 0 else rig.ok(
            "ROUN:NEXT", f'BENC:SHOE "{PLAIN}"', "ROUN:DEAL"
        )
        rig.press(STAND)
    rig.press(DOUBLE)
    titles, onward = [], []
    for _ in range(15):
        titles.append(rig.front.scene.lines[0])
        onward.append(labels(rig)[3])
        rig.press(DOUBLE)
    assert titles == [f"LAST HANDS {n}/12" for n in range(1, 13)] + ["SEATS", "RULES: sifl", "SHOE 1"]
    assert rig.front.scene.lines[0] == "LAST HANDS 1/12"
    assert rig.front.scene.lines[1:] == ["Dealer: 10 7 (17)", "You: 10 10 (20)", "$10 WIN +$10"]
    assert onward == ["NEXT"] * 11 + ["SEATS", "RULES", "SHOE", "HANDS"]
