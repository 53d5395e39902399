"""The shoe: fair to every order, honest about its cut card and its refills."""

from collections import Counter
from itertools import permutations

import pytest
from tests.rules.core_sessions import Stream

from holecard.rules.cards import RANKS, card_text, parse_card, stack_ranks
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL
from holecard.rules.shoe import Shoe, ShoeEmpty, StackedShoe


class Script:
    """A stream that answers what it is told to."""

    def __init__(self, picks=()):
        self.picks = list(picks)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.picks.pop(0) if self.picks else 0


@pytest.mark.fault(35)
def test_every_order_comes_from_exactly_one_choice_of_draws():
    """All 52 * 51 * 50 ways to answer the first three draws deal all ordered triples, each once."""
    shoe = Shoe(SIFL, Script())
    picks = Script()
    shoe._below = picks.below
    dealt = set()
    for first in range(52):
        for second in range(51):
            for third in range(50):
                shoe._fill()
                picks.picks = [first, second, third]
                dealt.add((shoe.draw(), shoe.draw(), shoe.draw()))
    assert dealt == set(permutations(range(52), 3))


@pytest.mark.fault(35)
def test_each_card_in_each_place_is_equally_likely():
    """Chi-square over 52 cards in 52 places: 2,601 degrees of freedom, whose standard deviation is 72."""
    stream = Stream(7)
    shoe = Shoe(SIFL, stream)
    rounds = 5200
    counts = Counter()
    for _ in range(rounds):
        shoe.begin_round()
        counts.update(enumerate(shoe.deal(52)))
    expected = rounds / 52
    chi = sum((counts[place, card] - expected) ** 2 / expected for place in range(52) for card in range(52))
    assert 2601 - 4 * 72 < chi < 2601 + 4 * 72


def test_one_draw_per_card():
    stream = Script()
    shoe = Shoe(CASINO, stream)
    shoe.deal(4)
    shoe.draw()
    assert stream.asked == [312, 311, 310, 309, 308]
    assert shoe.left == 307


def test_deal_is_draw_repeated():
    one, other = Shoe(CASINO, Stream(3)), Shoe(CASINO, Stream(3))
    assert one.deal(300) == [other.draw() for _ in range(300)]


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_a_shoe_holds_whole_decks(decks):
    shoe = Shoe(CASINO.replace(decks=decks, max_seats=1), Stream(1))
    assert shoe.decks == decks
    assert Counter(shoe.deal(52 * decks)) == dict.fromkeys(range(52), decks)


def test_the_cut_card_ends_the_shoe_with_the_round():
    shoe = Shoe(CASINO, Stream(1))
    shoe.begin_round()
    shoe.deal(233)  # the cut card lies behind 234 of 312
    shoe.begin_round()
    assert (shoe.left, shoe.shuffles) == (79, 0)
    shoe.deal(5)
    assert (shoe.left, shoe.shuffles) == (74, 0), "the round goes on from the same shoe"
    shoe.begin_round()
    assert (shoe.left, shoe.shuffles) == (312, 1)


def test_exactly_the_cards_before_the_cut_are_enough():
    shoe = Shoe(CASINO, Stream(1))
    shoe.deal(234)
    shoe.begin_round()
    assert shoe.shuffles == 1


def test_sifl_shuffles_before_every_round():
    shoe = Shoe(SIFL, Stream(1))
    for number in range(1, 4):
        shoe.begin_round()
        assert (shoe.left, shoe.shuffles) == (52, number)
        shoe.draw()


def test_a_refill_takes_only_cards_that_are_not_on_the_table():
    shoe = Shoe(CASINO.replace(cut_percent=95), Stream(5))
    shoe.deal(295)
    shoe.begin_round()
    on_table = shoe.deal(10)
    assert shoe.refill_at == -1
    on_table += [shoe.draw() for _ in range(16)]
    assert shoe.refill_at == 17
    rest = shoe.deal(shoe.left)
    assert Counter(on_table + rest) == dict.fromkeys(range(52), 6)
    with pytest.raises(ShoeEmpty):
        shoe.draw()


def test_a_refill_inside_the_deal_is_the_same_as_card_by_card():
    shoes = [Shoe(CASINO.replace(cut_percent=95), Stream(5)) for _ in range(2)]
    for shoe in shoes:
        shoe.deal(295)
        shoe.begin_round()
    assert shoes[0].deal(25) == [shoes[1].draw() for _ in range(25)]
    assert shoes[0].refill_at == shoes[1].refill_at == 17


def test_a_refilled_shoe_is_shuffled_before_the_next_round():
    shoe = Shoe(CASINO.replace(cut_percent=95), Stream(5))
    shoe.deal(295)
    shoe.begin_round()
    shoe.deal(20)
    assert shoe.refill_at == 17
    shoe.begin_round()
    assert (shoe.left, shoe.refill_at, shoe.shuffles) == (312, -1, 1)


def test_the_order_depends_on_the_stream_alone():
    old = Shoe(SIFL, Stream(9))
    old.deal(40)
    old._below = Stream(11).below
    old.begin_round()
    assert old.deal(52) == Shoe(SIFL, Stream(11)).deal(52)


def test_stacked_shoe_deals_what_it_was_given_and_then_nothing():
    shoe = StackedShoe([1, 2, 3])
    assert [shoe.draw(), shoe.draw(), shoe.left] == [1, 2, 1]
    with pytest.raises(ShoeEmpty):
        shoe.deal(2)
    assert shoe.draw() == 3
    with pytest.raises(ShoeEmpty):
        shoe.draw()


def test_a_dry_stacked_shoe_voids_the_round_and_returns_the_bets():
    play = Round(CASINO, [100], [20], StackedShoe(stack_ranks(["8", "6", "8", "9", "2"])))
    play.act(0, "P")
    play.act(0, "H")
    assert (play.phase, play.bankrolls, play.legal(), play.seat) == ("void", [100], "", -1)


def test_stacked_ranks_repeat_a_card_only_when_its_suits_are_used_up():
    ranks = ["A", "10", "t", "j", "Q", "K", "2"] * 4
    cards = stack_ranks(ranks)
    assert [RANKS[card % 13] for card in cards] == ["A", "T", "T", "J", "Q", "K", "2"] * 4
    assert max(Counter(cards).values()) == 2
    assert [count for card, count in Counter(cards).items() if card % 13 != 9] == [1] * 20
    for bad in ("1", "11", "", "AA", "As"):
        with pytest.raises(ValueError, match="not a rank"):
            stack_ranks(["A", bad])


def test_card_text_round_trips():
    assert [parse_card(card_text(card)) for card in range(52)] == list(range(52))
    assert (card_text(0), card_text(22), card_text(-1)) == ("As", "Th", "??")
    for bad in ("", "A", "as", "1s", "Asx", "??", "sA"):
        with pytest.raises(ValueError, match="not a card"):
            parse_card(bad)
