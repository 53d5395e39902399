"""Worked cases played on the rules core alone; runs on CPython and on MicroPython."""

from holecard.rules.cards import HIDDEN, RANKS, stack_ranks
from holecard.rules.ruleset import PRESETS, Refused
from holecard.rules.session import Session
from holecard.rules.shoe import StackedShoe
from holecard.rules.visible import see

CODES = {"INS": "I", "NOINS": "N"}


def half(dollars) -> int:
    return int(dollars * 2)


def ranks_of(cards) -> list:
    return [{"T": "10"}.get(RANKS[card % 13], RANKS[card % 13]) for card in cards if card != HIDDEN]


def snapshot(play) -> tuple:
    """Everything a refused action must leave alone."""
    hands = [
        [(hand.cards[:], hand.bet, hand.total, hand.soft, hand.done, hand.outcome) for hand in seat]
        for seat in play.hands
    ]
    turn = (play.phase, play.seat, play.hand, play.legal(), play.double_range())
    return (
        turn,
        hands,
        play.bankrolls[:],
        play.insurance[:],
        play.drawn[:],
        play.log[:],
        play.dealer.cards[:],
        play.shoe.left,
    )


def run_case(case) -> list:
    """The faults found, each ``(what, expected, found)``; empty when the case holds."""
    expect = case["expect"]
    rules = PRESETS[case["rules"]].replace(min_bet=half(case["table_min"]))
    table = Session(rules, StackedShoe(stack_ranks(case["cards"])), [half(money) for money in case["bankrolls"]])
    faults = []
    try:
        play = table.deal([half(bet) for bet in case["bets"]])
    except Refused:
        _compare(faults, "rejected_bet", True, expect.get("rejected_bet", False))
        _compare(faults, "bankrolls_after", [half(money) for money in expect["bankrolls_after"]], table.bankrolls)
        return faults
    _compare(faults, "rejected_bet", False, expect.get("rejected_bet", False))
    for number, action in enumerate(case["actions"]):
        _compare(faults, "action " + str(number), action.get("refused", False), _refuses(play, action, faults))
    _compare(faults, "phase", "over", play.phase)
    if play.phase == "over":
        table.settle()
        _compare_end(faults, expect, table, play)
    return faults


def _refuses(play, action, faults) -> bool:
    code, _, dollars = action["do"].partition(":")
    before = snapshot(play)
    try:
        play.act(action["seat"], CODES.get(code, code), half(float(dollars)) if dollars else 0)
    except Refused as refusal:
        _compare(faults, "refused " + refusal.reason, before, snapshot(play))
        return True
    return False


def _compare_end(faults, expect, table, play) -> None:
    result = play.result
    hands = [hand for seat in result.hands for hand in seat]
    found = {
        "net": result.net,
        "net_x2": result.net,
        "seat_nets": result.nets,
        "bankrolls_after": table.bankrolls,
        "insurance_net": sum(result.insurance_nets),
        "stake": sum([hand.bet for seat in play.hands for hand in seat]),
        "outcome": hands[0][1],
        "player_total": hands[0][0],
        "hands": [{"total": total, "outcome": outcome, "net": net} for total, outcome, net in hands],
        "dealer_total": see(play).dealer_total,
        "dealer_visible_after_deal": ranks_of(play.visible_after_deal().dealer),
        "cards_used": len(play.drawn),
        "state": table.state(0),
    }
    for name, value in expect.items():
        _compare(faults, name, _in_half_dollars(name, value), found[name])


def _in_half_dollars(name, value):
    if name in ("net", "insurance_net", "stake"):
        return half(value)
    if name in ("seat_nets", "bankrolls_after"):
        return [half(money) for money in value]
    if name == "hands":
        return [{"total": hand["total"], "outcome": hand["outcome"], "net": half(hand["net"])} for hand in value]
    return value


def _compare(faults, what, expected, found) -> None:
    if expected != found:
        faults.append((what, expected, found))
