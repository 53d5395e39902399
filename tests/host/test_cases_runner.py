"""The case runner: it passes what is right, and it can fail for every field that a case may expect."""

import copy
import json
import os
from pathlib import Path

import pytest
from tests.hardware.support import MACHINES
from tests.host.fake import FakeStand

from holecard_host.cases.model import Action, Case, Expect, HandExpect, load
from holecard_host.cases.runner import Runner, Verdict, not_run, run_cases
from holecard_host.errors import ScpiError, StandFault, UsageFault
from holecard_host.stands import open_stand
from holecard_host.twin.holder import Holder

FILES = sorted((Path(__file__).parents[1] / "cases").glob("*.json"))

# One seat splits nines against an ace after insurance; money in dollars as on the wire.
CASE = Case(
    id="F01",
    title="insured, split, one lost",
    rules="casino",
    cards=("9", "A", "9", "7", "10", "2"),
    bankrolls=(200,),
    bets=(20,),
    table_min=10,
    actions=(Action(0, "INS"), Action(0, "P"), Action(0, "D", refused=True), Action(0, "S"), Action(0, "S")),
    expect=Expect(
        net=-10,
        net_x2=-10,
        seat_nets=(-10,),
        bankrolls_after=(190,),
        insurance_net=-10,
        stake=40,
        hands=(HandExpect(19, "win", 20), HandExpect(11, "lose", -20)),
        dealer_total=18,
        dealer_visible_after_deal=("A",),
        cards_used=6,
        rejected_bet=False,
        state="play",
    ),
)
AFTER = {
    "phase": "settled",
    "page": "",
    "round": 1,
    "seat": 0,
    "lamps": 0,
    "labels": ["", "", "", ""],
    "bankrolls": [95],
    "states": ["play"],
    "bets": [10],
    "dealer": {"cards": ["As", "7h"], "total": 18, "blackjack": False},
    "seats": [
        {
            "bet": 10,
            "insurance": 5,
            "insurance_net": -5,
            "net": -5,
            "hands": [
                {"cards": ["9s", "Ts"], "bet": 10, "total": 19, "outcome": "win", "net": 10},
                {"cards": ["9h", "2d"], "bet": 10, "total": 11, "outcome": "lose", "net": -10},
            ],
        }
    ],
    "cards_used": 6,
}
BEFORE = {"phase": "betting", "round": 0, "bankrolls": [100], "dealer": None, "seats": [], "cards_used": 0, "lamps": 3}
PLAYING = {**BEFORE, "phase": "playing", "seat": 0, "lamps": 15, "bankrolls": [85]}
DEAL = {"dealer": {"cards": ["As", "??"], "total": 11, "blackjack": False}}
REFUSED = ScpiError(-221, "Settings conflict;not now")


def stand_with(after=None, deal=None, before=None, states=None) -> FakeStand:
    stand = FakeStand()
    after = AFTER if after is None else after
    listed = states or [before or BEFORE, PLAYING, PLAYING, after]
    stand.wire.answers["TABL:STAT?"] = [json.dumps(state) for state in listed]
    stand.wire.answers["TABL:DEAL?"] = json.dumps(deal or DEAL)
    stand.wire.answers["ROUN:ACT 0,DOUBle"] = REFUSED
    return stand


def changed(state: dict, *where, to) -> dict:
    result = copy.deepcopy(state)
    place = result
    for step in where[:-1]:
        place = place[step]
    place[where[-1]] = to
    return result


def verdict(stand: FakeStand, case: Case = CASE, by: str = "name") -> Verdict:
    return Runner(stand, by).run(case)


def test_a_case_that_agrees_passes_and_was_really_played():
    stand = stand_with()
    assert verdict(stand) == Verdict("F01", "insured, split, one lost", True, "")
    assert [line for line in stand.wire.sent if "?" not in line] == [
        "BENC:RUL casino",
        "BENC:RUL:SET min_bet,5",
        "BENC:SEAT 1",
        "BENC:BANK 0,100",
        'BENC:SHOE "9,A,9,7,10,2"',
        "ROUN:BET 0,10",
        "ROUN:DEAL",
        "ROUN:ACT 0,INSure",
        "ROUN:ACT 0,SPLit",
        "ROUN:ACT 0,DOUBle",
        "ROUN:ACT 0,STAND",
        "ROUN:ACT 0,STAND",
    ]


SEAT = ("seats", 0)
HAND = (*SEAT, "hands", 0)
LIES = [
    ("net", ("bankrolls", 0), 96),
    ("net_x2", ("bankrolls", 0), 95.5),
    ("net", (*SEAT, "net"), 5),
    ("seat_nets", ("bankrolls", 0), 94),
    ("bankrolls_after", ("bankrolls", 0), 94),
    ("insurance_net", (*SEAT, "insurance_net"), 5),
    ("insurance_net", (*SEAT, "insurance_net"), None),
    ("stake", (*HAND, "bet"), 5),
    ("hands[0].total", (*HAND, "cards"), ["9s", "8s"]),
    ("hands", (*HAND, "total"), 18),
    ("hands[0].outcome", (*HAND, "outcome"), "push"),
    ("hands[0].net", (*HAND, "net"), 9),
    ("hands", (*HAND, "net"), None),
    ("hands", (*SEAT, "hands"), []),
    ("dealer_total", ("dealer", "cards"), ["As", "6h"]),
    ("dealer_total", ("dealer", "total"), 19),
    ("dealer_total", ("dealer", "cards"), ["As", "??"]),
    ("dealer_total", ("dealer",), None),
    ("cards_used", ("cards_used",), 7),
    ("state", ("states", 0), "broke"),
    ("state", ("states",), []),
    ("net", ("bankrolls",), [95, 95]),
]


@pytest.mark.parametrize(("field", "where", "value"), LIES, ids=[f"{lie[0]}-{i}" for i, lie in enumerate(LIES)])
def test_a_lying_table_fails(field, where, value):
    after = changed(AFTER, *where, to=value)
    if field == "hands[0].total":
        after = changed(after, *HAND, "total", to=17)
    if field == "dealer_total" and value == ["As", "6h"]:
        after = changed(after, "dealer", "total", to=17)
    result = verdict(stand_with(after))
    assert not result.passed
    assert f"{field}:" in result.detail


@pytest.mark.parametrize("cards", [["7h", "??"], ["As", "7h"], ["??", "??"], ["As"], ["As", "??", "2s"]])
def test_a_lie_about_the_deal_fails(cards):
    result = verdict(stand_with(deal={"dealer": {"cards": cards}}))
    assert not result.passed
    assert "dealer_visible_after_deal:" in result.detail


@pytest.mark.parametrize("after", [changed(AFTER, "phase", to=phase) for phase in ("playing", "insurance", "doubling")])
def test_a_round_that_is_not_over_fails(after):
    assert "the round is not over" in verdict(stand_with(after)).detail


def one_hand(outcome: str, total: int) -> dict:
    hand = {"cards": ["9s", "Ts"], "bet": 10, "total": 19, "outcome": "win", "net": 10}
    hand.update(outcome=outcome, total=total, cards=["9s", "Ts"] if total == 19 else ["9s", "9h"])
    return changed(AFTER, *SEAT, "hands", to=[hand])


@pytest.mark.parametrize(
    ("after", "field"),
    [
        (one_hand("win", 19), ""),
        (one_hand("push", 19), "outcome"),
        (one_hand("win", 18), "player_total"),
        (AFTER, "outcome"),
    ],
)
def test_the_fields_of_one_hand(after, field):
    case = Case(**{**vars(CASE), "expect": Expect(outcome="win", player_total=19)})
    assert verdict(stand_with(after), case).detail.startswith(f"{field}:" if field else "")
    assert verdict(stand_with(after), case).passed == (not field)


def test_a_refused_action_that_is_taken_fails():
    stand = stand_with()
    stand.wire.answers["ROUN:ACT 0,DOUBle"] = ""
    assert "action 3 (seat 0 D) was not refused" in verdict(stand).detail


def test_a_refusal_with_another_error_number_fails():
    stand = stand_with()
    stand.wire.answers["ROUN:ACT 0,DOUBle"] = ScpiError(-113, "Undefined header")
    assert "not with a refusal" in verdict(stand).detail


@pytest.mark.parametrize("key", ["bankrolls", "cards_used", "seat", "phase", "round"])
def test_a_refusal_that_changes_something_fails(key):
    stand = stand_with(states=[BEFORE, PLAYING, {**PLAYING, key: [84]}, AFTER])
    assert f"was refused but changed {key}" in verdict(stand).detail


def test_lamps_may_wake_up_while_something_is_refused():
    assert verdict(stand_with(states=[BEFORE, PLAYING, {**PLAYING, "lamps": 0}, AFTER])).passed


def test_a_legal_action_that_is_refused_fails():
    stand = stand_with()
    stand.wire.answers["ROUN:ACT 0,SPLit"] = REFUSED
    assert verdict(stand).detail.startswith("action 2 (seat 0 P): ")


@pytest.mark.parametrize("line", ["BENC:RUL casino", "BENC:RUL:SET min_bet,5", 'BENC:SHOE "9,A,9,7,10,2"'])
def test_a_table_that_refuses_the_set_up_fails(line):
    stand = stand_with()
    stand.wire.answers[line] = ScpiError(-203, "Command protected")
    assert verdict(stand).detail.startswith(f"set-up, {line}: ")


def test_answers_that_are_no_json_fail():
    stand = stand_with()
    stand.wire.answers["TABL:DEAL?"] = "nonsense"
    assert "TABL:DEAL? answered no JSON object" in verdict(stand).detail


REJECTED = Case(
    **{
        **vars(CASE),
        "actions": (),
        "expect": Expect(net=0, net_x2=0, rejected_bet=True, bankrolls_after=(200,), cards_used=0),
    }
)


def rejecting(line: str, after: dict) -> FakeStand:
    stand = stand_with(states=[BEFORE, after])
    stand.wire.answers[line] = ScpiError(-222, "Data out of range")
    return stand


@pytest.mark.parametrize("line", ["ROUN:BET 0,10", "ROUN:DEAL"])
def test_a_bet_may_be_rejected_when_it_is_placed_or_at_the_deal(line):
    assert verdict(rejecting(line, BEFORE), REJECTED).passed


@pytest.mark.parametrize(("key", "value"), [("bankrolls", [90]), ("cards_used", 4), ("round", 1)])
def test_a_rejected_bet_that_changes_something_fails(key, value):
    assert key in verdict(rejecting("ROUN:BET 0,10", {**BEFORE, key: value}), REJECTED).detail


def test_a_bet_that_should_have_been_rejected_fails():
    assert verdict(stand_with(), REJECTED).detail == "rejected_bet: the bet was taken and the round dealt"


def test_a_bet_that_should_have_been_taken_fails():
    assert "the bet was refused" in verdict(rejecting("ROUN:BET 0,10", BEFORE)).detail


def test_a_fault_of_the_stand_is_not_a_verdict():
    stand = stand_with()
    stand.wire.answers["ROUN:DEAL"] = StandFault("the port vanished")
    with pytest.raises(StandFault):
        list(run_cases(stand, [CASE]))
    assert not_run([CASE], StandFault("the port vanished"))[0].detail == "not run: the port vanished"


def test_ways_and_stands_that_cannot_be_are_usage_faults():
    with pytest.raises(UsageFault, match="one of name, buttons"):
        Runner(FakeStand(), "mind")
    with pytest.raises(UsageFault, match="use --by name"):
        Runner(FakeStand("wire", "framebuffer"), "buttons")


def by_buttons(*states: dict) -> FakeStand:
    return stand_with(states=[BEFORE, *states])


INSURANCE = {**PLAYING, "phase": "insurance"}
DOUBLING = {**PLAYING, "phase": "doubling", "double": [5, 10], "amount": 10}


def pressed(stand: FakeStand) -> list[str]:
    return [done[1] for done in stand.done if done[0] == "press"]


def button_case(*actions: Action) -> Case:
    return Case(**{**vars(CASE), "actions": actions, "expect": Expect(state="play")})


def test_each_action_has_its_button():
    stand = by_buttons(INSURANCE, INSURANCE, PLAYING, PLAYING, PLAYING, AFTER)
    case = button_case(*(Action(0, do) for do in ("INS", "NOINS", "P", "H", "S")))
    assert verdict(stand, case, "buttons").passed
    assert pressed(stand) == ["BET", "STAND", "BET", "HIT", "STAND"]


def test_a_double_for_less_steps_down_to_the_amount_and_confirms():
    stand = by_buttons(PLAYING, DOUBLING, {**DOUBLING, "amount": 9}, {**DOUBLING, "amount": 8}, AFTER)
    assert verdict(stand, button_case(Action(0, "D", 16)), "buttons").passed
    assert pressed(stand) == ["DOUBLE", "STAND", "STAND", "DOUBLE"]


def test_a_full_double_steps_up_where_the_table_starts_below():
    stand = by_buttons(PLAYING, {**DOUBLING, "amount": 9}, DOUBLING, AFTER)
    assert verdict(stand, button_case(Action(0, "D")), "buttons").passed
    assert pressed(stand) == ["DOUBLE", "BET", "DOUBLE"]


def test_a_double_that_asks_nothing_is_done_with_one_press():
    stand = by_buttons(PLAYING, AFTER)
    assert verdict(stand, button_case(Action(0, "D")), "buttons").passed
    assert pressed(stand) == ["DOUBLE"]


@pytest.mark.parametrize(
    ("state", "do", "why"),
    [
        ({**PLAYING, "seat": 1}, "H", "seat 1 is to act, not seat 0"),
        ({**PLAYING, "lamps": 13}, "H", "the lamp of HIT is dark"),
        (PLAYING, "INS", "no button means INS while the table is playing"),
        (INSURANCE, "S", "no button means S while the table is insurance"),
    ],
)
def test_buttons_that_do_not_fit_fail(state, do, why):
    assert why in verdict(by_buttons(state), button_case(Action(0, do)), "buttons").detail


@pytest.mark.parametrize("state", [{**PLAYING, "lamps": "all"}, {**DOUBLING, "amount": 7.3}])
def test_a_state_that_makes_no_sense_fails_the_case(state):
    case = button_case(Action(0, "D", 16))
    states = (state,) if state["phase"] == "playing" else (PLAYING, state)
    assert "the state cannot be read (ValueError" in verdict(by_buttons(*states), case, "buttons").detail


def test_refused_actions_are_tried_by_name_even_with_buttons():
    stand = by_buttons(PLAYING, PLAYING, AFTER)
    assert verdict(stand, button_case(Action(0, "D", refused=True)), "buttons").passed
    assert pressed(stand) == []
    assert "ROUN:ACT 0,DOUBle" in stand.wire.sent


@pytest.mark.parametrize("by", ["name", "buttons"])
@pytest.mark.parametrize("interpreter", MACHINES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_handed_cases_pass_on_the_simulated_tables(path, interpreter, by):
    cases = load(path)
    with open_stand(f"sim://{interpreter}") as stand:
        if interpreter == "micropython":
            # The cards are turned as on the other stand, only three times slower to simulate.
            stand.wire.command("DISP:ANIM OFF")
        verdicts = list(run_cases(stand, cases, by))
    assert [f"{v.id}: {v.detail}" for v in verdicts if not v.passed] == []
    assert [v.id for v in verdicts] == [case.id for case in cases]


def test_cases_pass_by_buttons_over_a_serial_port():
    cases = load(FILES[-1])
    with Holder(f"test-cases-{os.getpid()}", realtime=False) as holder, open_stand(holder.entry.port) as stand:
        assert "pins" not in stand.capabilities
        verdicts = list(run_cases(stand, cases, "buttons"))
    assert [f"{v.id}: {v.detail}" for v in verdicts if not v.passed] == []
