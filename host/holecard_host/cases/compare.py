"""What came out of a round against what a case expects, field by field. Money in half-dollars.

Sums are taken twice where the table states both: from the bankrolls and from its own nets, from the cards and from
its own totals. A table that contradicts itself fails too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from holecard.rules.cards import hand_total, parse_card
from holecard_host.cases.model import Case, HandExpect
from holecard_host.cases.money import dollars, halves


@dataclass(frozen=True)
class Played:
    """`TABLe:STATe?` before the bet and after the last action, `TABLe:DEAL?` (None: nothing was dealt)."""

    before: dict[str, Any]
    deal: dict[str, Any] | None
    after: dict[str, Any]


class _Contradiction(Exception):
    """The table states one thing in two ways that differ."""


def mismatches(case: Case, played: Played) -> list[str]:
    """One short text for every field of `case.expect` that differs; empty when all agree."""
    result = []
    for name, read in READERS.items():
        wanted = getattr(case.expect, name)
        if wanted is None:
            continue
        try:
            got = read(case, played)
        except _Contradiction as contradiction:
            result.append(f"{name}: {contradiction}")
            continue
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            result.append(f"{name}: cannot be read from the state ({type(error).__name__}: {error})")
            continue
        if name == "hands":
            result.extend(_hand_mismatches(wanted, got))
        elif got != wanted:
            result.append(f"{name}: expected {_show(name, wanted)}, got {_show(name, got)}")
    return result


def _bankroll_changes(case: Case, played: Played) -> tuple[int, ...]:
    return tuple(halves(b) - a for a, b in zip(case.bankrolls, played.after["bankrolls"], strict=True))


def _seat_nets(case: Case, played: Played) -> tuple[int, ...]:
    moved = _bankroll_changes(case, played)
    if played.deal is not None:
        for seat, (state, change) in enumerate(zip(played.after["seats"], moved, strict=True)):
            stated = halves(state["net"] or 0)
            if stated != change:
                raise _Contradiction(
                    f"seat {seat} states {dollars(stated)} but its bankroll moved by {dollars(change)}"
                )
    return moved


def _net(case: Case, played: Played) -> int:
    return sum(_seat_nets(case, played))


def _bankrolls(case: Case, played: Played) -> tuple[int, ...]:
    return tuple(halves(amount) for amount in played.after["bankrolls"])


def _insurance_net(case: Case, played: Played) -> int:
    return sum(halves(seat["insurance_net"] or 0) for seat in played.after["seats"])


def _all_hands(played: Played) -> list[dict[str, Any]]:
    return [hand for seat in played.after["seats"] for hand in seat["hands"]]


def _stake(case: Case, played: Played) -> int:
    return sum(halves(hand["bet"]) for hand in _all_hands(played))


def _only_hand(played: Played) -> dict[str, Any]:
    hands = _all_hands(played)
    if len(hands) != 1:
        raise _Contradiction(f"is for one hand, the seat has {len(hands)}")
    return hands[0]


def _checked_total(owner: dict[str, Any]) -> int:
    total = hand_total([parse_card(card) for card in owner["cards"]])[0]
    if owner["total"] != total:
        raise _Contradiction(f"states {owner['total']} for {' '.join(owner['cards'])}, which is {total}")
    return total


def _hands(case: Case, played: Played) -> list[HandExpect]:
    return [HandExpect(_checked_total(hand), hand["outcome"], halves(hand["net"])) for hand in _all_hands(played)]


def _dealer_total(case: Case, played: Played) -> int:
    if "??" in played.after["dealer"]["cards"]:
        raise _Contradiction("the hidden card is still hidden")
    return _checked_total(played.after["dealer"])


def _dealer_up(case: Case, played: Played) -> tuple[str, ...]:
    if played.deal is None:
        raise _Contradiction("nothing was dealt")
    cards = played.deal["dealer"]["cards"]
    if len(cards) != 2:
        raise _Contradiction(f"the dealer has {len(cards)} cards after the deal, not 2")
    return tuple(card[0].replace("T", "10") for card in cards if card != "??")


READERS: dict[str, Callable[[Case, Played], Any]] = {
    "net": _net,
    "net_x2": _net,
    "seat_nets": _seat_nets,
    "bankrolls_after": _bankrolls,
    "insurance_net": _insurance_net,
    "stake": _stake,
    "outcome": lambda case, played: _only_hand(played)["outcome"],
    "player_total": lambda case, played: _checked_total(_only_hand(played)),
    "hands": _hands,
    "dealer_total": _dealer_total,
    "dealer_visible_after_deal": _dealer_up,
    "cards_used": lambda case, played: played.after["cards_used"],
    "rejected_bet": lambda case, played: played.deal is None,
    "state": lambda case, played: played.after["states"][0],
}
_MONEY = ("net", "seat_nets", "bankrolls_after", "insurance_net", "stake")


def _show(name: str, value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_show(name, entry) for entry in value) + "]"
    if name in _MONEY:
        return dollars(value)
    return str(value)


def _hand_mismatches(wanted: tuple[HandExpect, ...], got: list[HandExpect]) -> list[str]:
    if len(wanted) != len(got):
        return [f"hands: expected {len(wanted)}, got {len(got)}"]
    result = []
    for index, (want, have) in enumerate(zip(wanted, got, strict=True)):
        for name in ("total", "outcome", "net"):
            expected, found = getattr(want, name), getattr(have, name)
            if expected is not None and expected != found:
                shown = (_show(name, expected), _show(name, found))
                result.append(f"hands[{index}].{name}: expected {shown[0]}, got {shown[1]}")
    return result
