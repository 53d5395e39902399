"""The step engine: what it does on a table, and that each expectation can fail, with a message that says why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hardware.support import INTERPRETERS

from holecard.table import tabletop, telling
from holecard_host.errors import ScpiError, StepFailed, UsageFault
from holecard_host.golden import Screens
from holecard_host.stands import open_stand
from holecard_host.steps import STEPS, Step, Steps, perform
from holecard_host.steps.compare import differences
from holecard_host.steps.step import Place


@pytest.fixture(params=INTERPRETERS)
def table(request: pytest.FixtureRequest) -> Iterator[Steps]:
    with open_stand(f"sim://{request.param}") as stand:
        steps = Steps(stand)
        steps.fresh()
        yield steps


def blackjack(table: Steps) -> None:
    table.shoe("A", 9, "K", 8)
    table.bet(25)
    table.press("HIT", bounce=7)


def test_a_round_by_keys(table: Steps) -> None:
    blackjack(table)
    table.expect_state(phase="settled", bankrolls=[1037.5])
    table.expect_state({"seats[0].net": 37.5, "seats[0].hands[0].outcome": "blackjack"})
    assert table.expect_event("settled").data["nets"] == [37.5]
    table.expect_lamps("BET HIT STAND DOUBLE", within_ms=1000)
    table.expect_answer("TABL:HIST?", re.compile("HC1 sifl 2000 50 As9sKs8c - [0-9A-F]{8}"))
    assert table.history().startswith("HC1 sifl 2000 50 As9sKs8c")


def test_a_round_by_name(table: Steps) -> None:
    table.rules("casino", min_bet=10, blackjack_pays="6:5", peek=True)
    table.seats(2)
    table.bankroll(300, seat=1)
    table.shoe(9, 9, 10, 10, 10, 8)
    table.bet(10)
    table.bet(20, seat=1)
    table.deal()
    assert table.expect_refused("ROUN:ACT 1,HIT").code == -221
    table.act("STAND")
    table.act("STAND", seat=1)
    table.expect_state(phase="settled", bankrolls=[1010, 320])
    table.next_round()
    table.expect_state(phase="betting")


def test_power_comes_back_with_the_round_as_it_was(table: Steps) -> None:
    blackjack(table)
    table.expect_event("settled")
    table.cut_power(200)
    table.expect_state(phase="settled", bankrolls=[1037.5])
    assert table.expect_event("power").data["phase"] == "settled"


def test_fresh_leaves_nothing_of_what_was_before(table: Steps) -> None:
    blackjack(table)
    table.stand.press_down("STAND")
    table.fresh()
    table.stand.advance(2000)
    table.expect_state(phase="betting", bankrolls=[1000], bets=[1])
    with pytest.raises(StepFailed, match="no event key within 300 ms; events that came: none"):
        table.expect_event("key", within_ms=300)


def test_of_a_chord_the_key_that_stakes_least_counts(table: Steps) -> None:
    table.chord(["HIT", "STAND", "DOUBLE"])
    keys = [event.data for event in table.stand.take_events() if event.data["event"] == "key"]
    assert [event["key"] for event in keys] == ["STAND"]


FAILING: list[tuple[Callable[[Steps], object], str]] = [
    (lambda t: t.expect_state(phase="playing"), 'TABL:STAT?: phase: expected "playing", got "betting"'),
    (lambda t: t.expect_state(bets=[2], rules="sifl"), "TABL:STAT?: bets[0]: expected 2, got 1"),
    (lambda t: t.expect_state(bets=[1, 1]), "TABL:STAT?: bets: expected [1, 1], got [1]"),
    (lambda t: t.expect_state({"seats[1].net": 1}), "TABL:STAT?: seats[1].net: there is no entry [1], only 1 entries"),
    (lambda t: t.expect_state(phase="x", within_ms=50), 'phase: expected "x", got "betting" (after 50 ms)'),
    (lambda t: t.expect_lamps("BET"), "lamps: expected BET, lit are BET HIT STAND"),
    (lambda t: t.expect_lamps([], within_ms=10), "lamps: expected none, lit are BET HIT STAND"),
    (lambda t: t.expect_answer("*OPC?", "2"), '*OPC?: expected "2", got "1"'),
    (lambda t: t.expect_answer("*OPC?", 2), '*OPC?: expected 2, got "1"'),
    (lambda t: t.expect_answer("*OPC?", re.compile("[2-9]")), "*OPC?: expected to match '[2-9]', got \"1\""),
    (lambda t: t.expect_answer("*IDN?", {"a": 1}), "*IDN?: no JSON"),
    (lambda t: t.expect_refused("*CLS"), "*CLS was not refused"),
    (lambda t: t.expect_refused("ROUN:ACT 0,HIT", codes=(-222,)), "not with a refusal"),
    (lambda t: t.record("*IDN?"), "*IDN? answered no JSON object: 'Holecard,"),
    (lambda t: [t.press("HIT"), t.expect_event("x", 9)], "no event x within 9 ms; the last 6 of"),
    (lambda t: t.press_lit("DOUBLE", t.state()), "the lamp of DOUBLE is dark while the table is betting"),
]


@pytest.mark.parametrize("number", range(len(FAILING)))
def test_what_is_not_as_expected_fails_and_says_why(number: int) -> None:
    do, words = FAILING[number]
    with open_stand("sim://cpython") as stand:
        steps = Steps(stand)
        steps.fresh()
        with pytest.raises(StepFailed) as failed:
            do(steps)
        assert words in str(failed.value)


def test_a_refusal_is_no_failed_expectation(table: Steps) -> None:
    with pytest.raises(ScpiError, match="-221"):
        table.act("HIT")


def test_a_deadline_is_the_tables_own(table: Steps) -> None:
    before = table.stand.now_us()
    with pytest.raises(StepFailed, match="no event nothing a=1 within 3000 ms"):
        table.expect_event("nothing", within_ms=3000, a=1)
    assert 3_000_000 <= table.stand.now_us() - before < 3_100_000


@pytest.mark.parametrize(
    "expect",
    [
        lambda t: t.expect_state(),
        lambda t: t.expect_state({}, within_ms=10),
        lambda t: t.expect_state(shoe={}),
        lambda t: t.expect_answer("TABL:STAT?", {}),
        lambda t: t.expect_answer("TABL:STAT?", {"seats": [{}]}),
    ],
)
def test_an_expectation_that_expects_nothing_is_refused(table: Steps, expect: Callable[[Steps], object]) -> None:
    with pytest.raises(UsageFault, match="expects nothing"):
        expect(table)


def test_an_action_is_known_here_when_the_table_knows_it() -> None:
    for word in tabletop._ACTIONS:
        assert Step.of("act", word.lower()).fields["do"] == word.lower()


def test_every_event_of_a_table_can_be_waited_for() -> None:
    kinds = [kind for kind in vars(telling).values() if isinstance(kind, tuple)]
    assert len(kinds) > 20
    for name, *fields in kinds:
        Step.of("wait-event", {"event": name, **dict.fromkeys(fields, 1)})


def test_dark_lamps_and_an_empty_list_are_expectations() -> None:
    assert Step.of("expect-lamps", "none").fields["lamps"] == []
    assert Step.of("expect-lamps", {"lamps": []}).fields["lamps"] == []
    assert Step.of("expect-state", {"legal": []}).fields["fields"] == {"legal": []}


@pytest.mark.parametrize("ms", [0, 10_001, 60.5])
def test_a_press_that_no_table_knows(table: Steps, ms: int) -> None:
    with pytest.raises(UsageFault, match="1 to 10000 whole milliseconds"):
        table.press("HIT", ms)


@pytest.mark.parametrize("ms", [-1, 500_001])
def test_a_deadline_that_the_clock_cannot_tell(table: Steps, ms: int) -> None:
    with pytest.raises(UsageFault, match="0 to 500000 ms"):
        table.expect_state(phase="nothing", within_ms=ms)


def test_events_that_come_later_are_kept(table: Steps) -> None:
    blackjack(table)
    table.expect_event("deal")
    assert table.expect_event("card", to="dealer").data["index"] == 0
    with pytest.raises(StepFailed, match=r"no event deal within 10 ms; events that came: .*settled round=1"):
        table.expect_event("deal", within_ms=10)


@pytest.mark.parametrize(
    ("wanted", "found", "said"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": 1.0}, {"a": 1}, []),
        ({"a": True}, {"a": 1}, ["a: expected true, got 1"]),
        ({"a": 0}, {"a": False}, ["a: expected 0, got false"]),
        ({"a": None}, {"a": None}, []),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, ["a.b[1].c: expected 2, got 3"]),
        ({"a.b[1].c": 2}, {"a": {"b": [1, {"c": 3}]}}, ["a.b[1].c: expected 2, got 3"]),
        ({"a.x": 2}, {"a": {"b": 1}}, ["a.x: there is no x, only b"]),
        ({"a[1]": 2}, {"a": [1]}, ["a[1]: there is no entry [1], only 1 entries"]),
        ({"a": {"b": 1}}, {"a": 5}, ["a: expected an object, got 5"]),
        ([1, 2], [1, 2], []),
        ([1, 2], [2, 1], ["[0]: expected 1, got 2", "[1]: expected 2, got 1"]),
        ({}, [], ["answer: expected an object, got []"]),
    ],
)
def test_differences(wanted: Any, found: Any, said: list[str]) -> None:
    assert list(differences(wanted, found)) == said


@pytest.mark.parametrize("path", ["a..b", "", "a[", "a[-1]", "7"])
def test_what_is_no_path(path: str) -> None:
    with pytest.raises(UsageFault, match="no path"):
        list(differences({path or "?": 1}, {"a": 1}))


EACH = {
    "press": "HIT",
    "hold": {"key": "STAND", "for": "900ms"},
    "chord": ["BET", "STAND"],
    "set-control": {"part-id": "BET", "control": "pressed", "value": 0},
    "delay": "20ms",
    "write-serial": "*IDN?;*STB?",
    "wait-serial": "Holecard",
    "wait-event": {"event": "phase", "phase": "betting", "within": "1s"},
    "expect-state": {"rules": "sifl", "within": "1s"},
    "expect-lamps": {"lamps": ["BET", "HIT", "STAND"], "within": "1s"},
    "expect-answer": {"query": "*OPC?", "answer": 1},
    "expect-refused": "ROUN:ACT 0,HIT",
    "expect-pin": {"part-id": "HIT", "pin": "lamp", "value": 1},
    "expect-screen": {"name": "start", "ignore": [[0, 0, 128, 64]]},
    "take-screenshot": {"save-to": "shots/a.png", "part-id": "oled"},
    "power-cut": None,
    "rules": {"name": "sifl", "min_bet": 1},
    "seats": 1,
    "bankroll": {"dollars": 12.5, "seat": 0},
    "shoe": "A 10 K 9",
    "bet": 5,
    "deal": None,
    "act": {"do": "DOUBle", "seat": 0, "dollars": 5},
    "next-round": None,
}
BEFORE = {
    "wait-serial": [("write-serial", "*IDN?")],
    "act": [("shoe", [5, 9, 6, 8, 9]), ("bet", 5), ("deal", None)],
    "wait-event": [("power-cut", "50ms")],
    "next-round": [("shoe", ["A", 9, "K", 8]), ("deal", None)],
}


@pytest.mark.parametrize("name", list(STEPS))
def test_each_step_as_data(name: str, tmp_path: Path) -> None:
    place = Place(tmp_path, Screens(tmp_path))
    with open_stand("sim://cpython") as stand:
        steps = Steps(stand)
        steps.fresh()
        if name == "expect-screen":
            Screens(tmp_path, update=True).check("start", steps.picture())
        for do, value in [*BEFORE.get(name, []), (name, EACH[name])]:
            perform(steps, Step.of(do, value), place)
        assert stand.wire.ask("SYST:ERR:COUN?") == "0"
    assert (tmp_path / "shots/a.png").exists() == (name == "take-screenshot")


def test_a_press_may_be_long_and_may_bounce() -> None:
    with open_stand("sim://cpython", trace=True) as stand:
        steps, place = Steps(stand), Place(Path(), Screens(Path()))
        steps.fresh()
        perform(steps, Step.of("press", {"key": "STAND", "for": "700ms", "bounce": 3}), place)
        event = steps.expect_event("key")
        assert event.data["key"] == "STAND"
        assert event.data["does"] != "lower"
