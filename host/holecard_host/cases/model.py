"""Case files: worked rounds with what must come out of them.

A file is one JSON object: `{"about": "...", "cases": [...]}`. Loading checks everything that can be checked without
playing, so that a slip of the pen is never taken for a fault of the table. Money is in half-dollars from here on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holecard.rules.ruleset import MOST_MONEY, PRESETS
from holecard_host.cases.fields import CaseFault, Spot
from holecard_host.cases.money import dollars, halves
from holecard_host.errors import UsageFault
from holecard_host.infile import read
from holecard_host.wire import REQUEST_LIMIT

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
OUTCOMES = ("win", "lose", "push", "bust", "blackjack", "push_bj", "dealer_blackjack", "dealer_bust")
STATES = ("play", "saved", "broke")
MAX_SEATS = 7
_DOUBLE_FOR = re.compile(r"D:([0-9]{1,7}(?:\.[05])?)\Z")
_WORDS = ("H", "S", "D", "P", "INS", "NOINS", "I")


@dataclass(frozen=True)
class Action:
    """One thing that a seat (counted from 0) does; `amount` (half-dollars) only for a double by name."""

    seat: int
    do: str
    amount: int | None = None
    refused: bool = False

    def __str__(self) -> str:
        amount = "" if self.amount is None else f":{dollars(self.amount)}"
        return f"seat {self.seat} {self.do}{amount}"


@dataclass(frozen=True)
class HandExpect:
    """What one hand must end as; None is not compared. `net` in half-dollars, without insurance."""

    total: int | None = None
    outcome: str | None = None
    net: int | None = None


@dataclass(frozen=True)
class Expect:
    """What must come out. None is not compared; money in half-dollars."""

    net: int | None = None
    net_x2: int | None = None
    seat_nets: tuple[int, ...] | None = None
    bankrolls_after: tuple[int, ...] | None = None
    insurance_net: int | None = None
    stake: int | None = None
    outcome: str | None = None
    player_total: int | None = None
    hands: tuple[HandExpect, ...] | None = None
    dealer_total: int | None = None
    dealer_visible_after_deal: tuple[str, ...] | None = None
    cards_used: int | None = None
    rejected_bet: bool | None = None
    state: str | None = None


@dataclass(frozen=True)
class Case:
    """One round: what is set up, what is done, what must come out. Money in half-dollars, cards are ranks."""

    id: str
    title: str
    rules: str
    cards: tuple[str, ...]
    bankrolls: tuple[int, ...]
    bets: tuple[int, ...]
    table_min: int
    actions: tuple[Action, ...]
    expect: Expect


def shoe_request(cards: Sequence[str]) -> str:
    """The request that stacks the shoe with these ranks."""
    return f'BENC:SHOE "{",".join(cards)}"'


def load(path: str | Path) -> list[Case]:
    """Read and check a case file.

    Raises CaseFault, whose message is `FILE: case ID: field: what is wrong`; for JSON that does not parse it is
    `FILE: line L column C: what is wrong`.
    """
    spot = Spot(str(path))
    document = spot.record(_parse(spot, _read(spot, path)), required=("cases",), optional=("about",))
    if "about" in document:
        spot.at("about").text(document["about"], empty=True)
    cases = []
    seen: dict[str, int] = {}
    listed = spot.at("cases")
    for number, item in enumerate(listed.items(document["cases"]), 1):
        case = _case(spot, number, item)
        if case.id in seen:
            spot.case(case.id).at("id").fail(f"already used by case {seen[case.id]} of this file (this is {number})")
        seen[case.id] = number
        cases.append(case)
    if not cases:
        listed.fail("is empty, so nothing would be tested")
    return cases


def _read(spot: Spot, path: str | Path) -> str:
    try:
        return read(Path(path)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return spot.fail(f"not UTF-8 text (byte {error.start})")
    except UsageFault as fault:
        return spot.fail(str(fault).removeprefix(f"{path}: "))


def _parse(spot: Spot, text: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in pairs:
            if key in result:
                owner = next((v for k, v in pairs if k == "id" and isinstance(v, str)), None)
                (spot if owner is None else spot.case(owner)).at(key).fail("given twice in one object")
            result[key] = value
        return result

    def constant(word: str) -> Any:
        spot.fail(f"not JSON: {word} is not a JSON number")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=constant)
    except json.JSONDecodeError as error:
        return spot.fail(f"line {error.lineno} column {error.colno}: not JSON: {error.msg}")
    except RecursionError:
        return spot.fail("not JSON that can be read: nested too deeply")
    except ValueError as error:
        return spot.fail(f"not JSON that can be read: {error}")


_CASE_FIELDS = ("id", "title", "rules", "cards", "bankrolls", "bets", "table_min", "actions", "expect")


def _case(spot: Spot, number: int, item: Any) -> Case:
    here = spot.case(f"#{number}")
    if isinstance(item, dict) and isinstance(item.get("id"), str) and item["id"].strip():
        here = spot.case(item["id"])
    fields = here.record(item, required=_CASE_FIELDS)
    identity = here.at("id").text(fields["id"])
    title = here.at("title").text(fields["title"])
    rules = here.at("rules").choice(fields["rules"], tuple(PRESETS), "rules")
    at = here.at("cards")
    cards = tuple(s.choice(card, RANKS, "rank") for s, card in at.each(fields["cards"]))
    if not cards:
        at.fail("is empty")
    longer = len(shoe_request(cards)) - REQUEST_LIMIT
    if longer > 0:
        at.fail(f"has {len(cards)} cards: {longer} characters more than a request to the table can have")
    at = here.at("bankrolls")
    bankrolls = tuple(s.money(value, most=MOST_MONEY // 2) for s, value in at.each(fields["bankrolls"]))
    most = min(MAX_SEATS, PRESETS[rules].max_seats)
    if not 1 <= len(bankrolls) <= most:
        at.fail(f"has {len(bankrolls)} seats; {rules} has 1 to {most}" if most > 1 else f"{rules} has exactly 1 seat")
    at = here.at("bets")
    bets = tuple(s.money(value) for s, value in at.each(fields["bets"]))
    if len(bets) != len(bankrolls):
        at.fail(f"has {len(bets)} entries for {len(bankrolls)} bankrolls")
    table_min = here.at("table_min").money(fields["table_min"])
    if table_min < 1:
        here.at("table_min").fail("must be more than 0")
    actions = tuple(_action(s, value, len(bets)) for s, value in here.at("actions").each(fields["actions"]))
    expect = _expect(here.at("expect"), fields["expect"], len(bets))
    if expect.rejected_bet and any(not action.refused for action in actions):
        here.at("actions").fail("a rejected bet leaves no legal action")
    return Case(identity, title, rules, cards, bankrolls, bets, table_min, actions, expect)


def _action(spot: Spot, item: Any, seats: int) -> Action:
    fields = spot.record(item, required=("seat", "do"), optional=("refused",))
    seat = spot.at("seat").integer(fields["seat"])
    if not 0 <= seat < seats:
        spot.at("seat").fail(f"{seat} is out of range, the case has seats 0 to {seats - 1}")
    refused = spot.at("refused").boolean(fields.get("refused", False))
    do = spot.at("do").text(fields["do"])
    amount = None
    double = _DOUBLE_FOR.match(do)
    if double:
        do, amount = "D", halves(float(double[1]))
    elif do not in _WORDS:
        spot.at("do").fail(f"unknown action {do!r}, one of {', '.join(_WORDS)} or D:n with n in dollars")
    if do == "I" and not refused:
        spot.at("do").fail("'I' is an attempt to insure where there is none, so it must be refused")
    return Action(seat, do, amount, refused)


def _expect(spot: Spot, item: Any, seats: int) -> Expect:
    fields = spot.record(item, required=(), optional=tuple(Expect.__dataclass_fields__))
    if not fields:
        spot.fail("is empty, so nothing would be compared")
    one_seat = ("outcome", "player_total", "state")
    for name in one_seat:
        if name in fields and seats != 1:
            spot.at(name).fail(f"is for one seat only, the case has {seats}")
    found: dict[str, Any] = {}
    for name, value in fields.items():
        found[name] = _expected(spot.at(name), name, value, seats)
    return Expect(**found)


def _expected(at: Spot, name: str, value: Any, seats: int) -> Any:
    if name in ("net", "insurance_net", "stake"):
        return at.money(value, signed=name != "stake")
    if name in ("net_x2", "player_total", "dealer_total", "cards_used"):
        return at.integer(value, low=None if name == "net_x2" else 0)
    if name in ("seat_nets", "bankrolls_after"):
        amounts = tuple(s.money(entry, signed=name == "seat_nets") for s, entry in at.each(value))
        if len(amounts) != seats:
            at.fail(f"has {len(amounts)} entries for {seats} seats")
        return amounts
    if name == "outcome":
        return None if value is None else at.choice(value, OUTCOMES, "outcome")
    if name == "state":
        return at.choice(value, STATES, "state")
    if name == "rejected_bet":
        return at.boolean(value)
    if name == "dealer_visible_after_deal":
        return tuple(s.choice(card, RANKS, "rank") for s, card in at.each(value))
    hands = tuple(_hand(s, entry) for s, entry in at.each(value))
    if not hands:
        at.fail("is empty, so nothing would be compared")
    return hands


def _hand(spot: Spot, item: Any) -> HandExpect:
    fields = spot.record(item, required=(), optional=("total", "outcome", "net"))
    if not fields:
        spot.fail("is empty, so nothing would be compared")
    total = spot.at("total").integer(fields["total"], low=0) if "total" in fields else None
    outcome = spot.at("outcome").choice(fields["outcome"], OUTCOMES, "outcome") if "outcome" in fields else None
    net = spot.at("net").money(fields["net"], signed=True) if "net" in fields else None
    return HandExpect(total, outcome, net)


__all__ = ["Action", "Case", "CaseFault", "Expect", "HandExpect", "load", "shoe_request"]
