"""The operator's menu: the chord that opens it, what its keys do, and that nothing is played meanwhile."""

from __future__ import annotations

import json

import pytest
from tests.table.failing import Flash
from tests.table.owner import log
from tests.table.rig import MS, Rig

from holecard.rules.ruleset import CASINO
from holecard.table.keys import BET, DOUBLE, HIT, STAND
from holecard.table.money import money

SECOND = 1_000_000
CHORD = HIT | STAND


def opened(rig: Rig) -> bool:
    return rig.front.menu is not None


def menu(**board: object) -> Rig:
    """A table in whose hands the chord was held at power-on."""
    rig = Rig(held=CHORD, **{"mode": "arcade", **board})
    rig.run(2_100 * MS)
    rig.board.mask = 0
    rig.run(100 * MS)
    rig.rest()
    assert opened(rig)
    return rig


def go(rig: Rig, text: str) -> None:
    """Turns to the page with this text."""
    for _ in range(30):
        if any(text in line for line in rig.front.lines):
            return
        rig.press(DOUBLE)
    raise AssertionError(f"no page with {text}")


@pytest.mark.parametrize("mode", ["arcade", "bench"])
def test_the_chord_has_to_be_held_from_power_on_for_two_seconds(mode: str) -> None:
    rig = Rig(held=CHORD, mode=mode)
    rig.run(1_900 * MS)
    assert not opened(rig)
    rig.board.mask = 0
    rig.run(5 * SECOND)
    assert not opened(rig), "too short"
    rig = Rig(mode=mode)
    rig.board.mask = CHORD
    rig.run(5 * SECOND)
    assert not opened(rig), "too late"
    for mask in range(16):
        rig = Rig(held=mask, mode=mode)
        rig.run(3 * SECOND)
        assert opened(rig) == (mask == CHORD), mask
    rig = Rig(held=CHORD, mode=mode)
    rig.run(1 * SECOND)
    rig.board.mask = CHORD | BET
    rig.run(10 * MS)
    rig.board.mask = CHORD
    rig.run(3 * SECOND)
    assert not opened(rig), "with another key in between"


def test_every_page_has_its_labels_and_its_keys_do_what_they_say() -> None:
    rig = menu()
    first = list(rig.front.lines)
    seen = []
    for _ in range(40):
        lines = list(rig.front.lines)
        labels = list(rig.front.scene.labels)
        seen.append(lines)
        assert rig.board.lit == sum(1 << i for i in range(4) if labels[i])
        for key, label in ((BET, labels[0]), (STAND, labels[2])):
            before = list(rig.front.lines)
            changes = rig.game.changes
            rig.press(key)
            assert ((before, changes) != (rig.front.lines, rig.game.changes)) == bool(label), (lines, label)
            if rig.front.lines != before and label == "MORE" and labels[2] == "":
                rig.press(STAND)
        rig.press(DOUBLE)
        if rig.front.lines[0] == first[0]:
            break
    assert len(seen) >= 12


def test_promise_37_rules_decks_and_payouts_are_on_the_screen() -> None:
    """Of the operator's rules, from the page that a player opens."""
    rig = menu()
    go(rig, "Rules: sifl")
    rig.press(BET)
    assert "Rules: casino" in rig.front.lines[2]
    go(rig, "Lowest bet")
    rig.press(BET)
    assert "Lowest bet: $10" in rig.front.lines[2]
    rig.press(HIT)
    assert not opened(rig)
    rig.press(HIT)
    while rig.game.in_round:
        rig.press(STAND)
    for _ in range(8):
        rig.press(DOUBLE)
        if rig.state()["page"] == "rules":
            break
    text = " ".join(rig.front.lines)
    assert "Decks 6" in text
    assert "Blackjack pays 3:2" in text
    assert "Bet $10 to $500" in text


def test_it_gives_the_same_orders_as_the_wire_and_they_survive() -> None:
    rig = menu()
    go(rig, "Play: on")
    rig.press(BET)
    assert "Play: off" in rig.front.lines[2]
    go(rig, "Money: free play")
    rig.press(BET)
    go(rig, "Seat 1: $1,000")
    rig.press(BET)
    rig.press(STAND)
    rig.press(STAND)
    assert "Seat 1: $900" in rig.front.lines[2]
    go(rig, "Bankroll limit: none")
    rig.press(BET)
    go(rig, "Sound: on")
    rig.press(BET)
    rig.press(HIT)
    assert not opened(rig)
    told = log(rig)
    assert told[:2] == ["panel: MENU CLOSED", "panel: SOUND OFF"]
    assert {"panel: PLAY OFF", "panel: CREDITS ON", "panel: PAYOUT 0,100", "panel: MENU OPENED"} <= set(told)
    rig = Rig(mode="arcade", files=dict(rig.board.files), marked=True)
    house = rig.table.house
    assert (house.play, house.credits, house.limit, house.sound) == (False, True, 2000, False)
    assert rig.state()["bankrolls"] == [900]


@pytest.mark.parametrize(("first", "bankroll"), [(2, 1000), (3, 1100)])
def test_a_payment_that_the_flash_does_not_take_is_shown_as_it_is(first: int, bankroll: int) -> None:
    """The entry of the log is written; then the first copy of the record fails, or the second one."""
    rig = menu()
    go(rig, "Seat 1")
    flash = Flash(rig, first, 10_000, "old")
    rig.press(BET)
    assert flash.count > first
    page = " ".join(rig.front.scene.lines)
    assert "Locked: the flash keeps no record" in page
    go(rig, f"Seat 1: ${bankroll:,}")
    rig = Rig(files=dict(rig.board.files), marked=True, mode=rig.board.mode)
    assert rig.state()["bankrolls"] == [bankroll]


def test_promise_28_nothing_is_played_while_the_menu_is_open() -> None:
    rig = menu(mode="bench")
    before = rig.state()
    for line in ("ROUN:BET 0,5", "ROUN:DEAL", "ROUN:NEXT", "TABL:LEAV 0", "BENC:BANK 0,5", "BENC:RUL casino",
                 "BENC:SEAT 1", 'BENC:SHOE "A,K"', 'BENC:SEED "00"', "ROUN:ACT 0,HIT"):  # fmt: skip
        assert rig.command(line) == '-221,"Settings conflict;the operator\'s menu is open"', line
    rig.ok("*RST")
    assert rig.state() == before
    rig.press(HIT)
    rig.ok("ROUN:BET 0,5", "ROUN:DEAL")


def test_promise_28_an_open_round_waits_for_the_menu_to_close() -> None:
    rig = Rig()
    rig.deal("10,A,9,8,5,5")
    assert rig.state()["phase"] == "insurance"
    rig.rest()
    again = menu(mode="bench", files=dict(rig.board.files), marked=True)
    assert again.state()["phase"] == "insurance"
    again.run(40 * SECOND)
    for _ in range(14):
        again.press(BET)
        again.press(DOUBLE)
    go(again, "A round is open.")
    assert again.state()["phase"] == "insurance", "its clock stands still"
    assert again.state()["bankrolls"] == rig.state()["bankrolls"]
    go(again, "Play: ")
    again.press(HIT)
    assert not opened(again)
    again.run(31 * SECOND)
    assert again.state()["phase"] != "insurance"


@pytest.mark.parametrize("mask", range(16))
def test_promise_28_no_key_of_a_locked_table_does_anything(mask: int) -> None:
    rig = Rig(mode="arcade")
    rig.game.lock("record damaged")
    rig.rest()
    changes = rig.game.changes
    rig.press(mask)
    rig.press(mask, 700)
    assert rig.game.changes == changes
    assert rig.state()["phase"] == "locked"


def test_the_way_out_of_a_lock_asks_twice() -> None:
    rig = Rig(mode="arcade")
    rig.rest()
    files = {**rig.board.files, "a/hot": b"rubbish", "b/hot": b"rubbish"}
    rig = menu(files=files, marked=True)
    go(rig, "Locked:")
    rig.press(BET, 2_000)
    assert "Start afresh?" in rig.front.lines[1], "a key that is held says yes to nothing"
    rig.press(STAND)
    assert "Locked:" in rig.front.lines[1]
    rig.press(BET)
    rig.press(BET)
    assert rig.game.phase == "betting"
    rig.press(HIT)
    assert "panel: CLEAR" in log(rig)
    assert Rig(mode="arcade", files=dict(rig.board.files), marked=True).state()["phase"] == "betting"


def test_meters_and_last_hands_can_be_read() -> None:
    rig = Rig(mode="arcade")
    for _ in range(3):
        rig.press(HIT)
        while rig.game.in_round:
            rig.press(STAND)
    rig.rest()
    wagered = rig.game.accounts.meters[0]
    again = menu(files=dict(rig.board.files), marked=True)
    go(again, "wagered")
    assert again.front.lines[1].split() == ["wagered", money(wagered)]
    go(again, "LAST HANDS 1/")
    again.press(BET)
    assert "LAST HANDS 2/" in again.front.lines[1]
    again.press(STAND)
    assert "LAST HANDS 1/" in again.front.lines[1]


def test_a_menu_that_was_left_open_closes_by_itself() -> None:
    rig = menu()
    rig.run(70 * SECOND)
    assert not opened(rig)
    rig.press(BET)
    rig.press(HIT)
    assert rig.game.rounds == 1


@pytest.mark.parametrize("mask", range(16))
def test_promise_19_every_mask_of_keys_is_harmless_on_every_page(mask: int) -> None:
    rig = menu()
    rig.game.start_over(CASINO, 2)
    rig.rest()
    for _ in range(16):
        rounds = rig.game.rounds
        rig.press(mask)
        rig.press(mask, 700)
        assert rig.game.rounds == rounds
        if not opened(rig):
            return
        state = rig.state()
        assert [bool(label) for label in state["labels"]] == [bool(state["lamps"] >> i & 1) for i in range(4)]
        rig.press(DOUBLE)
    assert json.loads(rig.ask("TABL:MET?"))["rounds"] == 0


@pytest.mark.parametrize("gone", ["hot", "op", "boot"])
@pytest.mark.parametrize("credits", [False, True])
def test_the_question_says_what_clearing_the_lock_will_do(gone: str, credits: bool) -> None:
    rig = Rig(mode="arcade")
    rig.table.house.change("credits", credits)
    rig.game.pay(0, 500)
    rig.press(HIT)
    while rig.game.in_round:
        rig.press(STAND)
    rig.rest()
    money_before, wagered = rig.game.bankroll(0), rig.game.accounts.meters[0]
    files = {path: data for path, data in rig.board.files.items() if path[2:] != gone}
    rig = menu(files=files, marked=True)
    go(rig, "Locked:")
    rig.press(BET)
    text = " ".join(rig.front.lines)
    assert max(map(len, rig.front.lines)) <= 21
    assert len(rig.front.lines) <= 7
    rig.press(BET)
    rig.press(HIT)
    rig.rest()
    bankroll, meter = rig.game.bankroll(0), rig.game.accounts.meters[0]
    assert ("Bankrolls and meters stay" in text) == ((bankroll, meter) == (money_before, wagered))
    assert (f"Bankrolls begin anew at {money(bankroll)}, meters at 0" in text) == (gone == "hot")
    assert (
        ("Play, money, limit and sound begin anew" in text)
        == (gone == "op")
        == (credits != rig.table.house.credits or gone == "op")
    )


def test_a_lock_over_the_accounts_keeps_the_meters_and_the_question_says_so() -> None:
    rig = Rig(mode="arcade")
    rig.press(HIT)
    rig.game.accounts.paid_in += 2
    while rig.game.in_round:
        rig.press(STAND)
    rig.rest()
    rig = menu(files=dict(rig.board.files), marked=True)
    go(rig, "Locked:")
    rig.press(BET)
    assert "Bankrolls begin anew at $1,000, meters stay." in " ".join(rig.front.lines)
    rig.press(BET)
    assert rig.game.bankroll(0) == 2000
    assert rig.game.accounts.meters[2] == 1


def test_no_page_of_a_locked_table_offers_what_is_refused() -> None:
    rig = menu(files={"a/hot": b"x", "b/hot": b"x"}, marked=True)
    for _ in range(16):
        if not any("Locked:" in line for line in rig.front.lines):
            for key, label in ((BET, rig.front.scene.labels[0]), (STAND, rig.front.scene.labels[2])):
                if label:
                    rig.press(key)
                    assert not any("locked" in line for line in rig.front.lines), rig.front.lines
        rig.press(DOUBLE)
