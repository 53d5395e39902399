"""Case files: the handed ones load, and every kind of slip is told with its place."""

import copy
import json
from dataclasses import fields
from pathlib import Path

import pytest

from holecard_host.cases.compare import READERS
from holecard_host.cases.fields import CaseFault
from holecard_host.cases.model import Action, Expect, HandExpect, load

CASES = Path(__file__).parents[1] / "cases"
GOOD = {
    "id": "T01",
    "title": "double for less",
    "rules": "casino",
    "table_min": 5,
    "bankrolls": [100.5],
    "bets": [20],
    "cards": ["6", "9", "5", "10", "2", "8"],
    "actions": [{"seat": 0, "do": "D:7.5", "refused": True}, {"seat": 0, "do": "D:5"}],
    "expect": {"net": -25, "net_x2": -50, "hands": [{"total": 13, "outcome": "lose", "net": -25}]},
}
MISSING = object()


def write(tmp_path: Path, document: object) -> Path:
    path = tmp_path / "some.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def changed(where: tuple, value: object) -> dict:
    case = copy.deepcopy(GOOD)
    place = case
    for step in where[:-1]:
        place = place[step]
    if value is MISSING:
        del place[where[-1]]
    else:
        place[where[-1]] = value
    return case


def fault(tmp_path: Path, document: object) -> str:
    path = write(tmp_path, document)
    with pytest.raises(CaseFault) as caught:
        load(path)
    assert caught.value.exit_code == 2
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(f"{path}: ")
    return text.removeprefix(f"{path}: ")


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_handed_files_load(path):
    cases = load(path)
    assert len(cases) == len(json.loads(path.read_text(encoding="utf-8"))["cases"])
    assert {case.rules for case in cases} == {path.stem}


def test_money_is_in_half_dollars_and_actions_are_read(tmp_path):
    (case,) = load(write(tmp_path, {"cases": [GOOD]}))
    assert case.bankrolls == (201,)
    assert case.table_min == 10
    assert case.actions == (Action(0, "D", 15, refused=True), Action(0, "D", 10))
    assert case.expect == Expect(net=-50, net_x2=-50, hands=(HandExpect(13, "lose", -50),))


def test_every_field_that_can_be_expected_is_compared():
    assert set(READERS) == {field.name for field in fields(Expect)}


def test_a_byte_order_mark_is_no_fault(tmp_path):
    assert load(write(tmp_path, "\ufeff" + json.dumps({"about": "", "cases": [GOOD]})))


SLIPS = [
    (("id",), MISSING, "case #1: id: is missing"),
    (("id",), 7, "case #1: id: must be a string, not a number"),
    (("id",), " ", "case #1: id: is empty"),
    (("title",), MISSING, "case T01: title: is missing"),
    (("title",), None, "case T01: title: must be a string, not null"),
    (("rules",), "vegas", "case T01: rules: unknown rules 'vegas', one of sifl, casino"),
    (("rules",), ["casino"], "case T01: rules: must be a string, not a list"),
    (("cards",), MISSING, "case T01: cards: is missing"),
    (("cards",), "A,10", "case T01: cards: must be a list, not a string"),
    (("cards",), [], "case T01: cards: is empty"),
    (("cards", 2), "11", "case T01: cards[2]: unknown rank '11'"),
    (("cards", 2), "a", "case T01: cards[2]: unknown rank 'a'"),
    (("cards", 2), "As", "case T01: cards[2]: unknown rank 'As'"),
    (("cards", 2), 5, "case T01: cards[2]: must be a string, not a number"),
    (("bankrolls",), [], "case T01: bankrolls: has 0 seats; casino has 1 to 7"),
    (("bankrolls",), [100] * 8, "case T01: bankrolls: has 8 seats"),
    (("bankrolls", 0), "100", "case T01: bankrolls[0]: must be a number of dollars, not a string"),
    (("bankrolls", 0), True, "case T01: bankrolls[0]: must be a number of dollars, not true"),
    (("bankrolls", 0), 10.25, "case T01: bankrolls[0]: must be dollars that end in .0 or .5, not 10.25"),
    (("bankrolls", 0), -1, "case T01: bankrolls[0]: must not be negative"),
    (("bankrolls", 0), 1e300, "case T01: bankrolls[0]: must be at most 1000000000"),
    (("bankrolls", 0), 10**400, "case T01: bankrolls[0]: must be at most 1000000000"),
    (("expect", "cards_used"), 1.5, "case T01: expect.cards_used: must be a whole number, not 1.5"),
    (("bets",), [5, 5], "case T01: bets: has 2 entries for 1 bankrolls"),
    (("bets",), {"0": 5}, "case T01: bets: must be a list, not an object"),
    (("table_min",), 0, "case T01: table_min: must be more than 0"),
    (("table_min",), None, "case T01: table_min: must be a number of dollars, not null"),
    (("actions",), None, "case T01: actions: must be a list, not null"),
    (("actions", 0), "H", "case T01: actions[0]: must be an object, not a string"),
    (("actions", 1, "seat"), 1, "case T01: actions[1].seat: 1 is out of range, the case has seats 0 to 0"),
    (("actions", 1, "seat"), -1, "case T01: actions[1].seat: -1 is out of range"),
    (("actions", 1, "seat"), "0", "case T01: actions[1].seat: must be a whole number, not a string"),
    (("actions", 1, "seat"), 0.5, "case T01: actions[1].seat: must be a whole number, not 0.5"),
    (("actions", 1, "seat"), MISSING, "case T01: actions[1].seat: is missing"),
    (("actions", 1, "do"), MISSING, "case T01: actions[1].do: is missing"),
    (("actions", 1, "do"), "HIT", "case T01: actions[1].do: unknown action 'HIT', one of H, S, D"),
    (("actions", 1, "do"), "D:", "case T01: actions[1].do: unknown action 'D:'"),
    (("actions", 1, "do"), "D:-5", "case T01: actions[1].do: unknown action"),
    (("actions", 1, "do"), "D:5.25", "case T01: actions[1].do: unknown action"),
    (("actions", 1, "do"), "D:5\n", "case T01: actions[1].do: unknown action"),
    (("actions", 1, "do"), "I", "case T01: actions[1].do: 'I' is an attempt"),
    (("actions", 0, "refused"), "yes", "case T01: actions[0].refused: must be true or false, not a string"),
    (("actions", 0, "refuse"), True, "case T01: actions[0].refuse: unknown field"),
    (("dealer",), 1, "case T01: dealer: unknown field"),
    (("expect",), {}, "case T01: expect: is empty"),
    (("expect",), [], "case T01: expect: must be an object, not a list"),
    (("expect",), MISSING, "case T01: expect: is missing"),
    (("expect", "nett"), 5, "case T01: expect.nett: unknown field"),
    (("expect", "net"), "5", "case T01: expect.net: must be a number of dollars, not a string"),
    (("expect", "net_x2"), 0.5, "case T01: expect.net_x2: must be a whole number, not 0.5"),
    (("expect", "stake"), -5, "case T01: expect.stake: must not be negative"),
    (("expect", "seat_nets"), [1, 2], "case T01: expect.seat_nets: has 2 entries for 1 seats"),
    (("expect", "bankrolls_after"), [], "case T01: expect.bankrolls_after: has 0 entries for 1 seats"),
    (("expect", "bankrolls_after"), [-1], "case T01: expect.bankrolls_after[0]: must not be negative"),
    (("expect", "outcome"), "won", "case T01: expect.outcome: unknown outcome 'won', one of win, lose"),
    (("expect", "state"), "rich", "case T01: expect.state: unknown state 'rich', one of play, saved, broke"),
    (("expect", "rejected_bet"), 1, "case T01: expect.rejected_bet: must be true or false, not a number"),
    (("expect", "rejected_bet"), True, "case T01: actions: a rejected bet leaves no legal action"),
    (("expect", "cards_used"), -1, "case T01: expect.cards_used: must be at least 0"),
    (("expect", "dealer_total"), None, "case T01: expect.dealer_total: must be a whole number, not null"),
    (("expect", "dealer_visible_after_deal"), ["?"], "case T01: expect.dealer_visible_after_deal[0]: unknown rank"),
    (("expect", "hands"), [], "case T01: expect.hands: is empty"),
    (("expect", "hands"), [{}], "case T01: expect.hands[0]: is empty"),
    (("expect", "hands", 0, "total"), "21", "case T01: expect.hands[0].total: must be a whole number, not a string"),
    (("expect", "hands", 0, "outcome"), None, "case T01: expect.hands[0].outcome: must be a string, not null"),
    (("expect", "hands", 0, "stake"), 5, "case T01: expect.hands[0].stake: unknown field"),
]


@pytest.mark.parametrize(("where", "value", "message"), SLIPS, ids=[message[:60] for *_, message in SLIPS])
def test_a_slip_in_a_case_is_told_with_its_place(tmp_path, where, value, message):
    assert fault(tmp_path, {"cases": [changed(where, value)]}).startswith(message)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "line 1 column 1: not JSON"),
        ('{"cases": [\n  {"id": }]}', "line 2 column 10: not JSON"),
        ('{"cases": [NaN]}', "not JSON: NaN is not a JSON number"),
        ('{"cases": ' + "[" * 100_000, "not JSON that can be read"),
        ('{"cases": [' + "9" * 5000 + "]}", "not JSON that can be read"),
        ("[]", "must be an object, not a list"),
        ("null", "must be an object, not null"),
        ({}, "cases: is missing"),
        ({"cases": {}}, "cases: must be a list, not an object"),
        ({"cases": []}, "cases: is empty"),
        ({"cases": [1]}, "case #1: must be an object, not a number"),
        ({"cases": [GOOD, [GOOD]]}, "case #2: must be an object, not a list"),
        ({"cases": [GOOD], "abuot": ""}, "abuot: unknown field"),
        ({"cases": [GOOD], "about": 1}, "about: must be a string, not a number"),
        ({"cases": [GOOD, GOOD]}, "case T01: id: already used by case 1 of this file (this is 2)"),
        ('{"cases": [{"id": "T9", "bets": [1], "bets": [2]}]}', "case T9: bets: given twice in one object"),
        ('{"cases": [], "cases": []}', "cases: given twice in one object"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_file_of_another_shape_is_told(tmp_path, document, message):
    assert fault(tmp_path, document).startswith(message)


def test_fields_of_one_seat_are_refused_with_two(tmp_path):
    two = {**GOOD, "bankrolls": [100, 100], "bets": [5, 5], "expect": {"state": "play"}}
    assert fault(tmp_path, {"cases": [two]}).startswith("case T01: expect.state: is for one seat only")


def test_sifl_has_one_seat(tmp_path):
    two = {**GOOD, "rules": "sifl", "bankrolls": [100, 100], "bets": [5, 5]}
    assert fault(tmp_path, {"cases": [two]}).startswith("case T01: bankrolls: sifl has exactly 1 seat")


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    for path in (tmp_path, tmp_path / "none.json", "a\0b"):
        with pytest.raises(CaseFault, match="cannot be read: "):
            load(path)
    latin = tmp_path / "latin.json"
    latin.write_bytes(b'{"cases": "\xe9"}')
    with pytest.raises(CaseFault, match="not UTF-8"):
        load(latin)


def test_a_message_stays_one_short_line_whatever_the_file_holds(tmp_path):
    text = fault(tmp_path, {"cases": [{**GOOD, "id": "a\nb\x1b[31m", "rules": "x" * 10_000}]})
    assert "\x1b" not in text
    assert len(text) <= 400
