"""Rules at their edges, where the worked cases do not look: funds, order of hands, the switches of other houses."""

import pytest
from tests.rules.core_cases import ranks_of
from tests.rules.core_sessions import Stream

from holecard.rules.cards import HIDDEN, stack_ranks
from holecard.rules.history import encode
from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, SIFL, Refused
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe, StackedShoe


def play(rules, ranks: str, *actions: str, money=(200,), bets=(20,)) -> Round:
    """A round on stacked ranks ("A 10 8"); each action is a code, with an amount in half-dollars where one belongs."""
    stacked = Round(rules, money, bets, StackedShoe(stack_ranks(ranks.split())))
    for action in actions:
        stacked.act(stacked.seat, action[0], int(action[1:] or 0))
    return stacked


def hands(stacked: Round, seat: int = 0) -> list:
    return [ranks_of(hand.cards) for hand in stacked.hands[seat]]


# -- funds


@pytest.mark.fault(31)
def test_a_split_needs_exactly_the_bet():
    assert play(CASINO, "8 6 8 10", money=(40,)).legal() == "HSDP"
    assert play(CASINO, "8 6 8 10", money=(39,)).legal() == "HSD"
    assert play(CASINO, "8 6 8 10", money=(29,)).legal() == "HS"


@pytest.mark.fault(31)
def test_a_full_double_needs_exactly_the_bet():
    assert play(SIFL, "6 9 5 10", money=(40,)).legal() == "HSD"
    assert play(SIFL, "6 9 5 10", money=(39,)).legal() == "HS"


def test_a_double_for_less_reaches_as_far_as_whole_dollars_do():
    for left, limits in ((9, (0, 0)), (10, (10, 10)), (15, (10, 14)), (20, (10, 20)), (99, (10, 20))):
        stacked = play(CASINO, "6 9 5 10", money=(20 + left,))
        assert stacked.double_range() == limits
        view = stacked.visible()
        assert (view.double_min, view.double_max) == limits
        assert ("D" in view.legal) == (limits != (0, 0))


def test_a_full_amount_is_a_full_double():
    assert play(CASINO, "6 9 5 10 10", "D20").log == play(CASINO, "6 9 5 10 10", "D").log == ["D"]


# -- hands and turns


def test_a_split_hand_comes_right_after_the_hand_it_came_from():
    stacked = play(CASINO, "K 6 Q 10 J 2 3 4 5 9", "P", "P", "S", "H", "S", "S")
    assert hands(stacked) == [["K", "2"], ["J", "3", "4"], ["Q", "5"]]


def test_a_hand_gets_its_second_card_when_its_turn_comes():
    stacked = play(CASINO, "8 6 8 10 9", "P")
    assert hands(stacked) == [["8", "9"], ["8"]]
    assert [hand.total for hand in stacked.visible().seats[0].hands] == [17, 8]
    assert (stacked.hand, stacked.total()) == (0, 17)


def test_split_tens_with_an_ace_stand_at_once_and_pay_even_money():
    stacked = play(CASINO, "K 6 10 10 A A 10", "P")
    assert stacked.result.hands == [((21, "dealer_bust", 20), (21, "dealer_bust", 20))]


@pytest.mark.fault(34)
def test_aces_are_split_once():
    stacked = play(CASINO, "A 6 A 10 A A 10", "P")
    assert hands(stacked) == [["A", "A"], ["A", "A"]]
    assert (stacked.phase, [hand.total for hand in stacked.hands[0]]) == ("over", [12, 12])


def test_a_blackjack_has_no_turn():
    stacked = play(CASINO, "A 10 5 K 8 6", money=(200, 200), bets=(20, 20))
    assert (stacked.seat, stacked.hand, stacked.legal()) == (1, 0, "HSD")


# -- insurance


@pytest.mark.fault(32)
def test_insurance_is_asked_in_seat_order_and_costs_half_the_bet():
    stacked = play(CASINO, "10 9 8 A 9 8 7 8", money=(200, 10, 200, 29), bets=(20, 10, 0, 20))
    assert [stacked.seat, stacked.visible().insurance_cost, stacked.visible().legal] == [0, 10, "IN"]
    stacked.act(0, "I")
    assert (stacked.phase, stacked.seat) == ("playing", 0), "two seats cannot pay, one sits out"
    assert (stacked.insurance, stacked.bankrolls) == ([10, 0, 0, 0], [170, 0, 200, 9])


def test_when_time_is_up_answers_given_before_stay():
    stacked = play(CASINO, "10 9 8 A 9 8 7 K", "I", "T", money=(200,) * 3, bets=(20,) * 3)
    assert stacked.result.insurance_nets == [20, 0, 0]
    assert stacked.result.nets == [0, -20, -20]


def test_nobody_answers_for_another_seat():
    stacked = play(CASINO, "10 9 A 9 8 K", money=(200,) * 2, bets=(20,) * 2)
    for seat, code in ((1, "I"), (1, "N"), (0, "H")):
        with pytest.raises(Refused):
            stacked.act(seat, code)
    assert stacked.log == []


# -- what is seen


def test_nets_and_the_hole_card_show_only_at_the_end():
    stacked = play(CASINO, "10 A 6 9", "I")
    view = stacked.visible()
    assert (view.dealer, view.dealer_total, view.dealer_soft) == ((stacked.up_card, HIDDEN), 11, True)
    assert (view.seats[0].net, view.seats[0].insurance, view.seats[0].insurance_net) == (None, 10, None)
    stacked.act(0, "S")
    view = stacked.visible()
    assert (view.dealer_total, view.seats[0].net, view.seats[0].insurance_net) == (20, -30, -10)
    assert (view.legal, view.seat, view.hand, view.insurance_cost) == ("", -1, -1, 0)


def test_a_bust_shows_at_once():
    stacked = play(CASINO, "10 10 6 2 9 8 2 10", "H", money=(200,) * 2, bets=(20,) * 2)
    first = stacked.visible().seats[0].hands[0]
    assert (first.outcome, first.net, first.done, stacked.seat) == (None, None, False, 0)
    stacked.act(0, "H")
    first = stacked.visible().seats[0].hands[0]
    assert (first.outcome, first.net, first.done, stacked.seat) == ("bust", None, True, 1)


def test_the_deal_can_be_seen_again_after_a_round_that_ended_at_once():
    stacked = play(CASINO, "A K Q A")
    view = stacked.visible_after_deal()
    assert (view.phase, ranks_of(view.dealer), view.dealer_blackjack) == ("dealt", ["K"], False)
    assert (view.seats[0].bankroll, view.seats[0].bet, ranks_of(view.seats[0].hands[0].cards)) == (180, 20, ["A", "Q"])
    assert stacked.visible().dealer_blackjack


def test_an_old_round_still_tells_its_own_refill():
    rules = CASINO.replace(cut_percent=95, insurance=False)
    shoe = Shoe(rules, Stream(1))
    shoe.deal(295)
    table = Session(rules, shoe, [400] * 7)
    first = table.deal([20] * 7)
    while first.legal():
        first.act(first.seat, "H")
    line = encode(first)
    table.settle()
    table.deal([10] * 7)
    assert "*" in line
    assert encode(first) == line


# -- other houses


def test_without_a_peek_the_dealer_takes_the_doubled_bet_too():
    ranks = "6 K 5 A 10"
    assert play(CASINO, ranks).result.nets == [-20]
    stacked = play(CASINO.replace(peek=False), ranks, "D")
    assert stacked.result.hands == [((21, "dealer_blackjack", -40),)]


def test_without_a_peek_a_bust_stays_a_bust_and_insurance_is_paid_at_the_end():
    stacked = play(CASINO.replace(peek=False), "10 A 6 K 10", "I", "H")
    assert stacked.result.hands == [((26, "bust", -20),)]
    assert stacked.result.insurance_nets == [20]


def test_no_double_after_a_split_where_the_house_says_so():
    rules = CASINO.replace(double_after_split=False)
    stacked = play(rules, "8 6 8 10 3 10 10", "P")
    assert stacked.legal() == "HS"
    with pytest.raises(Refused) as refusal:
        stacked.act(0, "D")
    assert refusal.value.reason == "no double after a split"


def test_an_ace_and_a_ten_stand_by_themselves_where_21_does():
    rules = CASINO.replace(royal_blackjack=True)
    assert play(rules, "A 9 10 10").result.hands == [((21, "win", 20),)]
    assert play(rules, "A 9 J 10").result.hands == [((21, "blackjack", 30),)]


def test_a_full_hand_wins_where_the_house_says_so():
    ranks = "2 10 3 10 2 3 2"
    assert play(SIFL, ranks, "H", "H", "H").result.hands == [((12, "lose", -20),)]
    charlie = play(SIFL.replace(max_cards_win=True), ranks, "H", "H", "H")
    assert charlie.result.hands == [((12, "win", 20),)]


def test_the_dealer_may_be_bound_by_a_card_limit_too():
    ranks = "10 2 J 3 2 4 5 5"
    assert play(SIFL, ranks, "S").result.dealer_total == 21
    assert play(SIFL.replace(dealer_max_cards=5), ranks, "S").result.dealer_total == 16


@pytest.mark.fault(30)
@pytest.mark.parametrize(("always", "cards"), [(False, 5), (True, 6)])
def test_the_dealer_draws_after_a_bust_only_where_he_always_plays(always, cards):
    stacked = play(CASINO.replace(dealer_always_plays=always), "10 6 6 10 10 2", "H")
    assert (len(stacked.drawn), stacked.result.nets) == (cards, [-20])


def test_the_hole_card_may_come_first_at_a_full_table():
    rules = CASINO.replace(hole_first=True)
    stacked = play(rules, "10 9 A 9 8 7", money=(200,) * 2, bets=(20,) * 2)
    assert stacked.phase == "playing", "the ace is the hole card, nobody is asked about insurance"
    assert ranks_of(stacked.visible().dealer) == ["7"]
    assert stacked.visible().dealer[0] == HIDDEN


def test_six_to_five_is_rounded_down_to_half_dollars():
    rules = CASINO.replace(blackjack_pays=(6, 5))
    for bet, net in ((10, 12), (12, 14), (14, 16), (20, 24)):
        assert play(rules, "A 9 K 7", bets=(bet,)).result.nets == [net]
