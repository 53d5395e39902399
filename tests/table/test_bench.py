"""The bench banner: it shows while a command of the bench has had its hand in money or cards."""

from __future__ import annotations

import json

import pytest
from tests.table.rig import Rig

TOUCHES = (
    "BENC:BANK 0,50",
    'BENC:SHOE "10,10,10,7"',
    'BENC:SEED "00ff"',
    "BENC:RUL:SET start_bankroll,1000000",
    "BENC:RUL:SET blackjack_pays,'20:1'",
    "BENC:RUL:SET name,sifl",
)
OPENS = ("*RST", "BENC:CLE", "BENC:RUL casino", "BENC:RUL sifl", "BENC:SEAT 1")


def banner(rig: Rig) -> bool:
    rig.rest()
    return rig.front.scene.bench


def first_deal(rig: Rig) -> str:
    rig.ok("ROUN:BET 0,5", "ROUN:DEAL")
    return json.dumps(json.loads(rig.ask("TABL:DEAL?"))["seats"])


def is_a_change_of_rules(line: str) -> bool:
    return ":SET" in line


@pytest.mark.parametrize("touch", TOUCHES)
def test_whatever_touches_money_or_cards_shows_the_banner(touch: str) -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino")
    assert not banner(rig)
    rig.ok(touch)
    assert banner(rig)
    rig.ok("ROUN:BET 0,10", "ROUN:DEAL")
    assert banner(rig)
    assert banner(Rig(files=rig.board.files))


@pytest.mark.parametrize("opens", OPENS)
@pytest.mark.parametrize("touch", TOUCHES)
def test_the_banner_goes_when_nothing_of_it_is_left(touch: str, opens: str) -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", touch, opens)
    keeps = is_a_change_of_rules(touch) and opens not in ("BENC:RUL casino", "BENC:RUL sifl")
    assert banner(rig) == keeps
    state = rig.state()
    assert keeps or state["bankrolls"] == [1000]


@pytest.mark.parametrize("opens", OPENS)
def test_a_chosen_seed_lasts_until_the_table_is_opened_anew(opens: str) -> None:
    deals = []
    for seed in (b"\x01", b"\x02"):
        rig = Rig(seed=seed)
        rig.ok('BENC:SEED "00ff10"', opens)
        deals.append(first_deal(rig))
    assert deals[0] != deals[1]


def test_a_chosen_seed_does_not_heal_a_stuck_source_for_ever() -> None:
    rig = Rig(entropy=bytes)
    rig.rest()
    rig.ok("*CLS", 'BENC:SEED "00ff10"', "ROUN:DEAL", "*RST")
    assert rig.game.says(0) == "ENTROPY: bench only."
    assert int(rig.ask("*TST?")) & 16


def test_whoever_mends_the_source_is_warned_of_it_no_more() -> None:
    good = Rig()
    sources = [good.board.entropy, good.board.entropy, bytes]

    def source(count: int) -> bytes:
        return sources[-1](count)

    rig = Rig(entropy=source)
    for warning, wrong in (("ENTROPY: bench only.", 16), ("", 0)):
        rig.rest()
        rig.ask("*CLS;*OPC?")
        rig.command("BENC:CLE")
        rig.rest()
        assert rig.game.says(0) == warning
        assert int(rig.ask("*TST?")) & 16 == wrong
        sources.pop()
    assert rig.ask("*CLS;:SYST:ERR?") == '0,"No error"'


def test_what_was_dealt_is_told_as_it_was_then() -> None:
    """`TABLe:DEAL?` after the round, after what happened since."""
    rig = Rig()
    rig.ok("BENC:RUL casino", "BENC:SEAT 2", "BENC:BANK 0,10", "ROUN:BET 0,10", "ROUN:BET 1,10")
    rig.ok('BENC:SHOE "10,10,9,6,10,7,10,5,5,5"', "ROUN:DEAL")
    dealt = rig.ask("TABL:DEAL?")
    told = json.loads(dealt)
    assert (told["states"], told["shoe"]) == (["play", "play"], {"decks": 0, "left": 4})
    rig.ok("ROUN:ACT 0,HIT", "ROUN:ACT 1,S")
    assert rig.state()["states"] == ["broke", "play"]
    assert rig.ask("TABL:DEAL?") == dealt
    rig.ok("TABL:LEAV 1", 'BENC:SEED "00"')
    assert rig.ask("TABL:DEAL?") == dealt


@pytest.mark.parametrize("hole", ["9", "6"])
def test_nor_does_a_deal_that_ends_by_itself_tell_how_many_cards_the_dealer_took(hole: str) -> None:
    """The only hand is done at the deal, so the dealer plays at once, with more cards or fewer."""
    rig = Rig()
    rig.ok("BENC:RUL casino", "BENC:RUL:SET royal_blackjack,ON", "ROUN:BET 0,10")
    rig.ok(f'BENC:SHOE "A,9,10,{hole},2,2,2,2,2,2"', "ROUN:DEAL")
    assert rig.game.dealing
    told = json.loads(rig.ask("TABL:DEAL?"))
    assert (told["cards_used"], told["shoe"]["left"]) == (4, 6)
    assert rig.state()["phase"] == "settled"


@pytest.mark.parametrize("opens", OPENS)
def test_a_new_table_has_the_first_chip_in_its_hand(opens: str) -> None:
    rig = Rig()
    first = rig.front.bettor.chip
    rig.front.bettor.next_chip()
    assert rig.front.bettor.chip != first
    rig.ok(opens)
    assert rig.front.bettor.chip == (first if "casino" not in opens else 10)
