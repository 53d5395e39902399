"""What the commands do, over the wire of a table on a fake board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.table.rig import Rig

from holecard.rules.replay import replay

CASES = Path(__file__).parent.parent / "cases"
ACE_UP = "10,A,9,8,5,5"


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_rules(rig: Rig) -> None:
    rig.ok("BENC:RUL casino")
    rules = json.loads(rig.ask("TABL:RUL?"))
    assert (rules["name"], rules["min_bet"], rules["max_bet"], rules["blackjack_pays"]) == ("casino", 5, 500, [3, 2])
    rig.ok("BENC:RUL:SET min_bet,10;SET dealer_hits_soft_17,OFF;SET blackjack_pays,'6:5'")
    rules = json.loads(rig.ask("TABL:RUL?"))
    assert (rules["min_bet"], rules["dealer_hits_soft_17"], rules["blackjack_pays"]) == (10, False, [6, 5])
    assert rig.command("BENC:RUL:SET max_bet,5").startswith('-224,"Illegal parameter value;max_bet')


def test_the_deal_is_remembered_even_if_the_round_ended_with_it(rig: Rig) -> None:
    state = rig.deal("A,10,K,A", (10,))
    assert state["phase"] == "settled"
    assert state["dealer"] == {"cards": ["Th", "Ah"], "total": 21, "blackjack": True}
    deal = json.loads(rig.ask("TABL:DEAL?"))
    assert deal["dealer"] == {"cards": ["Th", "??"], "total": 10, "blackjack": False}
    assert deal["seats"][0]["hands"][0]["outcome"] is None
    assert deal["seats"][0]["net"] is None
    assert (deal["bankrolls"], deal["cards_used"]) == ([990], 4)
    rig.deal("10,9,10,8", (10,), "sifl")
    assert json.loads(rig.ask("TABL:DEAL?"))["dealer"]["cards"] == ["??", "8c"]


def test_playing_by_name(rig: Rig) -> None:
    state = rig.deal(ACE_UP, (15,))
    assert (state["phase"], state["legal"]) == ("insurance", ["INSURE", "DECLINE"])
    rig.ok("ROUN:ACT 0,INS")
    state = rig.state()
    assert (state["seats"][0]["insurance"], state["bankrolls"], state["double"]) == (7.5, [977.5], [5, 15])
    rig.ok("ROUN:ACT 0,DOUB,5")
    state = rig.state()
    assert state["seats"][0]["hands"][0]["bet"] == 20
    assert state["phase"] == "settled"
    played = replay(rig.ask("TABL:HIST?"))
    assert played.phase == "over"
    assert sum(played.bankrolls) == state["bankrolls"][0] * 2
    rig.ok("ROUN:NEXT")
    assert rig.state()["dealer"] is None


@pytest.mark.parametrize("word", ["H", "hit", "HIT"])
def test_words_for_actions(rig: Rig, word: str) -> None:
    rig.deal("2,10,2,7,2,2,2", (10,))
    rig.ok(f"ROUN:ACT 0,{word}")
    assert len(rig.state()["seats"][0]["hands"][0]["cards"]) == 3


def test_no_history_of_an_open_round(rig: Rig) -> None:
    rig.deal("10,10,10,7", (10,))
    assert rig.command("TABL:HIST?").startswith("-221,")
    rig.ok("ROUN:ACT 0,S")
    first = rig.ask("TABL:HIST?")
    rig.ok("ROUN:NEXT", 'BENC:SHOE "10,10,9,7"', "ROUN:DEAL")
    assert rig.ask("TABL:HIST?") == first
    rig.ok("ROUN:ACT 0,S")
    assert rig.ask("TABL:HIST? 1") == first
    assert rig.command("TABL:HIST? 2").startswith("-221,")


def test_hint(rig: Rig) -> None:
    assert json.loads(rig.ask("TABL:HINT?"))["do"] == ""
    rig.deal("10,10,6,7", (10,))
    assert json.loads(rig.ask("TABL:HINT?"))["do"] == "HIT"
    rig.deal(ACE_UP, (10,))
    assert json.loads(rig.ask("TABL:HINT?"))["do"] == "DECLINE"


def test_a_stacked_shoe_lasts_one_round_and_its_end_voids_it(rig: Rig) -> None:
    rig.deal("10,6,2,7", (10,))
    assert rig.command("ROUN:ACT 0,HIT").startswith('-200,"Execution error;the stacked shoe has run dry')
    state = rig.state()
    assert (state["phase"], state["bankrolls"]) == ("betting", [1000])
    rig.ok("ROUN:DEAL")
    assert rig.state()["shoe"]["decks"] == 6
    rig.deal("10,10,10,7", (10,))
    assert rig.state()["shoe"]["left"] == 0


def test_a_shoe_too_short_to_deal(rig: Rig) -> None:
    rig.ok('BENC:SHOE "10,6"')
    assert rig.command("ROUN:DEAL").startswith("-200,")
    assert rig.state()["phase"] == "betting"
    assert rig.command("TABL:DEAL?").startswith("-221,")


def test_a_shoe_that_runs_dry_under_a_key(rig: Rig) -> None:
    rig.deal("10,6,2,7", (10,))
    rig.press(2)
    state = rig.state()
    assert (state["phase"], state["bankrolls"], state["page"]) == ("betting", [1000], "")


def test_seed_makes_the_cards_repeatable(rig: Rig) -> None:
    deals = []
    for _ in range(2):
        rig.ok("*RST", 'BENC:SEED "00ff10"', "ROUN:DEAL")
        deals.append(json.loads(rig.ask("TABL:DEAL?"))["seats"])
        if rig.state()["phase"] == "playing":
            rig.ok("ROUN:ACT 0,S")
        rig.ok("ROUN:NEXT")
    assert deals[0] == deals[1]


def test_reset_voids_the_round_and_unstacks_the_shoe(rig: Rig) -> None:
    rig.deal("10,10,10,7", (10,))
    rig.ok("*RST")
    state = rig.state()
    assert (state["phase"], state["bankrolls"], state["rules"]) == ("betting", [1000], "casino")
    rig.ok('BENC:SHOE "2,2"', "*RST", "ROUN:DEAL")
    assert rig.state()["shoe"]["decks"] == 6


def test_bench_commands_between_rounds_only(rig: Rig) -> None:
    rig.deal("10,10,10,7", (10,))
    for line in (
        "BENC:BANK 0,50",
        'BENC:SHOE "A"',
        'BENC:SEED "00"',
        "TABL:LEAV 0",
        "ROUN:NEXT",
        "ROUN:DEAL",
        "ROUN:BET 0,5",
    ):
        assert rig.command(line).startswith("-221,"), line


def test_presses_from_the_wire(rig: Rig) -> None:
    rig.deal("10,10,2,7,2,5,5,5", (10,))
    assert rig.ask("BENC:PRES HIT,60;*WAI;PRES STAND,60;*OPC?") == "1"
    state = rig.state()
    assert (len(state["seats"][0]["hands"][0]["cards"]), state["phase"]) == (3, "settled")


def test_pixels_and_lamps(rig: Rig) -> None:
    data = rig.ask("*OPC?;:DISP:DATA?")[2:]
    pixels = bytes.fromhex(data)
    assert len(pixels) == 1024
    assert any(pixels)
    assert pixels == b"".join(bytes(page[1:]) for page in rig.table.canvas.pages)
    assert int(rig.ask("DIAG:LAMP?")) == rig.board.lit == rig.state()["lamps"]


def test_events_queued_and_pushed(rig: Rig) -> None:
    while json.loads(rig.ask("SYST:EVEN?"))["event"] != "none":
        pass
    assert rig.ask("SYST:COMM:EVEN?;:SYST:EVEN:COUN?") == "0;0"
    rig.ok("ROUN:BET 0,7")
    event = json.loads(rig.ask("SYST:EVEN?"))
    assert (event["event"], event["seat"], event["bet"]) == ("bet", 0, 7)
    rig.ok("SYST:COMM:EVEN ON")
    assert rig.ask("SYST:COMM:EVEN?") == "1"
    rig.deal("10,10,10,7", (10,))
    rig.ok("ROUN:ACT 0,S")
    rig.rest()
    rig.lines()
    names = [json.loads(line.split(" ", 3)[3])["event"] for line in rig.events]
    assert names[-9:] == ["card"] * 4 + ["phase", "action", "card", "settled", "phase"]
    numbers = [int(line.split(" ")[1]) for line in rig.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_an_event_tells_what_was_so_when_it_happened(rig: Rig) -> None:
    rig.deal("10,10,10,7,10,10,10,7", (10,))
    rig.ok("ROUN:ACT 0,S")
    settled = rig.state()
    rig.ok("ROUN:NEXT", "BENC:BANK 0,50", "ROUN:BET 0,7", "TABL:LEAV 0", "TABL:SIT 0")
    rig.ok("*RST", "BENC:RUL sifl")
    events: dict[str, Any] = {}
    while (event := json.loads(rig.ask("SYST:EVEN?")))["event"] != "none":
        events.setdefault(event["event"], event)
    assert events["deal"]["bets"] == [10]
    assert events["settled"]["bankrolls"] == settled["bankrolls"] != [50]
    assert events["settled"]["states"] == ["play"]


def test_full_event_queue_drops_the_oldest_and_says_so(rig: Rig) -> None:
    for bet in range(1, 101):
        rig.ok(f"ROUN:BET 0,{bet}")
    assert int(rig.ask("SYST:EVEN:COUN?")) == 48
    dropped = json.loads(rig.ask("SYST:EVEN?"))
    assert dropped["event"] == "dropped"
    assert dropped["count"] == int(rig.ask("SYST:EVEN:DROP?")) > 50
    following = json.loads(rig.ask("SYST:EVEN?"))
    assert following["seq"] == dropped["seq"] + 1
    assert following["bet"] == 53


@pytest.mark.parametrize("name", ["sifl", "casino"])
def test_all_cases_by_name(rig: Rig, name: str) -> None:
    """The worked rounds through this wire; the stands' own tests compare every field."""
    words = {"INS": "INS", "NOINS": "DECL", "I": "INS"}
    for case in json.loads((CASES / f"{name}.json").read_text())["cases"]:
        rig.ok(f"BENC:RUL {case['rules']};:BENC:RUL:SET min_bet,{case['table_min']}", f"BENC:SEAT {len(case['bets'])}")
        for seat, bankroll in enumerate(case["bankrolls"]):
            rig.ok(f"BENC:BANK {seat},{bankroll}")
        rig.ok(f'BENC:SHOE "{",".join(case["cards"])}"')
        answers = [rig.command(f"ROUN:BET {seat},{bet}") for seat, bet in enumerate(case["bets"])]
        if all(answer.startswith("0,") for answer in answers):
            answers.append(rig.command("ROUN:DEAL"))
        assert any(a.startswith("-") for a in answers) == bool(case["expect"].get("rejected_bet")), case["id"]
        for action in case.get("actions", []):
            do, _, amount = action["do"].partition(":")
            line = f"ROUN:ACT {action['seat']},{words.get(do, do)}" + (f",{amount}" if amount else "")
            assert (rig.command(line) != '0,"No error"') == bool(action.get("refused")), (case["id"], line)
        if "bankrolls_after" in case["expect"]:
            assert json.loads(rig.ask("TABL:STAT?"))["bankrolls"] == case["expect"]["bankrolls_after"], case["id"]
