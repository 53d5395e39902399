"""The shoe over its generator: fair in every place, complete, and the only thing that decides a round."""

from collections import Counter
from itertools import permutations, product
from math import sqrt

import pytest
from tests.rules.core_sessions import Stream, random_action

from holecard.rules.history import encode
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL, rules_text
from holecard.rules.shoe import Shoe, StackedShoe
from holecard.table.fairness import shoe_stream

SHUFFLES = 20_800  # 400 times each card in each place


def chi_square_limit(freedom: int, z: float) -> float:
    """The value that chi-square exceeds as often as a normal variable exceeds `z` (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + z * sqrt(part)) ** 3


def test_promise_01_chi_square_by_position():
    """The whole table of 52 cards in 52 places at 99%, and no single place beyond what 52 tries allow."""
    shoe = Shoe(SIFL, shoe_stream(b"p" * 32, b"1", b"", "sifl"))
    counts = [[0] * 52 for _ in range(52)]
    for _ in range(SHUFFLES):
        shoe.begin_round()
        for row, card in zip(counts, shoe.deal(52), strict=True):
            row[card] += 1
    expected = SHUFFLES / 52
    places = [sum((count - expected) ** 2 for count in row) / expected for row in counts]
    assert sum(places) < chi_square_limit(51 * 51, 2.326)
    assert max(places) < chi_square_limit(51, 3.551)  # 0.01 / 52
    assert sum(places) > chi_square_limit(51 * 51, -2.326), "too even to be chance"


class Script:
    """A stream that answers what it is told to."""

    def __init__(self, picks):
        self.picks = list(picks)

    def below(self, n: int) -> int:
        pick = self.picks.pop(0)
        assert pick < n
        return pick


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_promise_07_every_order_comes_from_exactly_one_stream(n):
    """All n! ways to answer n draws deal all n! orders, each once."""
    dealt = Counter()
    for picks in product(*(range(left) for left in range(n, 0, -1))):
        shoe = Shoe(SIFL, Script(picks))
        shoe._cards = bytearray(range(n))
        shoe.left = n
        dealt[tuple(shoe.deal(n))] += 1
    assert dealt == dict.fromkeys(permutations(range(n)), 1)


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_promise_07_no_card_twice(decks):
    rules = CASINO.replace(decks=decks, max_seats=1)
    for seed in range(20):
        shoe = Shoe(rules, shoe_stream(bytes(32), bytes([seed]), b"", "casino"))
        assert Counter(shoe.deal(52 * decks)) == dict.fromkeys(range(52), decks)


def test_promise_08_a_round_is_a_function_of_shoe_bets_and_actions():
    """The order is settled before the first action: the same cards, laid out beforehand, give the same round."""
    for seed in range(60):
        chance = Stream(seed)
        rules = SIFL if seed % 3 == 0 else CASINO
        source = (bytes([seed]) * 32, b"cut", b"", rules_text(rules))
        order = Shoe(rules, shoe_stream(*source)).deal(52)
        laid, drawn = (
            Round(rules, [4000], [20], shoe) for shoe in (StackedShoe(order), Shoe(rules, shoe_stream(*source)))
        )
        while laid.phase not in ("over", "void"):
            seat, code, amount = random_action(laid, chance)
            laid.act(seat, code, amount)
            drawn.act(seat, code, amount)
        assert encode(drawn) == encode(laid)
        assert drawn.bankrolls == laid.bankrolls
