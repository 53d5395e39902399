"""A table over many rounds: who may bet, who is out, who is saved."""

import pytest
from tests.rules.core_sessions import Stream

from holecard.rules.cards import stack_ranks
from holecard.rules.ruleset import CASINO, SIFL, Refused
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe, StackedShoe

LOSE = ["10", "10", "8", "9"]
WIN = ["10", "10", "9", "8"]


def table(rules, *bankrolls) -> Session:
    return Session(rules, Shoe(rules, Stream(1)), bankrolls or None)


def play_stacked(session: Session, bets, ranks) -> None:
    """One round on stacked cards, in which every seat declines and stands."""
    play = session.deal(bets, StackedShoe(stack_ranks(ranks)))
    while play.legal():
        play.act(play.seat, "N" if play.phase == "insurance" else "S")
    session.settle()


def refused(function, *arguments) -> str:
    with pytest.raises(Refused) as refusal:
        function(*arguments)
    return refusal.value.reason


def test_starts_with_the_start_bankroll():
    assert table(SIFL).bankrolls == [2000]
    assert table(SIFL).state(0) == "play"


def test_too_many_seats():
    assert refused(table, SIFL, 100, 100) == "wrong number of seats"
    assert refused(table, CASINO, *[100] * 8) == "wrong number of seats"


@pytest.mark.parametrize(
    ("rules", "bankroll", "bet", "reason"),
    [
        (SIFL, 100, 102, "bet is more than the bankroll"),
        (SIFL, 100, 1, "bet is below the minimum"),
        (SIFL, 100, 5, "only whole dollars"),
        (SIFL, 100, -2, "bet is below the minimum"),
        (CASINO, 100, 8, "bet is below the minimum"),
        (CASINO, 9000, 1002, "bet is above the maximum"),
        (CASINO, 9, 10, "bet is more than the bankroll"),
    ],
)
def test_bets_that_are_refused(rules, bankroll, bet, reason):
    session = table(rules, bankroll)
    assert refused(session.check_bet, 0, bet) == reason
    left = session.shoe.left
    assert refused(session.deal, [bet]) == reason
    assert (session.bankrolls, session.round, session.shoe.left) == ([bankroll], None, left)


def test_bets_at_their_limits():
    for rules, bankroll, bet in ((SIFL, 101, 100), (SIFL, 90_000, 90_000), (CASINO, 10, 10), (CASINO, 1000, 1000)):
        table(rules, bankroll).check_bet(0, bet)
    table(CASINO, 4).check_bet(0, 0)


def test_one_round_at_a_time():
    session = table(CASINO, 200)
    assert refused(session.settle) == "no round to settle"
    play = session.deal([20], StackedShoe(stack_ranks(LOSE)))
    assert session.bankrolls == [200], "as before the bets until settled"
    for change in (session.settle, session.come_back, session.leave):
        assert refused(change, *([] if change == session.settle else [0])) == "a round is open"
    assert refused(session.deal, [20]) == "a round is open"
    assert refused(session.set_bankroll, 0, 100) == "a round is open"
    play.act(0, "S")
    session.settle()
    assert (session.bankrolls, session.round) == ([180], play)
    assert refused(session.settle) == "no round to settle"


def test_the_bankrolls_of_a_settled_round_stay_its_own():
    session = table(CASINO, 200)
    play_stacked(session, [20], WIN)
    session.set_bankroll(0, 50)
    assert session.round.bankrolls == [220]


def test_broke_and_back_with_a_new_bankroll_that_replaces_the_rest():
    session = table(CASINO, 28)
    assert refused(session.come_back, 0) == "only who is broke starts again"
    play_stacked(session, [20], LOSE)
    assert (session.bankrolls, session.state(0)) == ([8], "broke")
    assert refused(session.deal, [10]) == "bet is more than the bankroll"
    session.come_back(0)
    assert (session.bankrolls, session.state(0)) == ([2000], "play")


def test_saved_may_play_on():
    session = table(SIFL, 99_990)
    play_stacked(session, [20], WIN)
    assert (session.bankrolls, session.state(0)) == ([100_010], "saved")
    play_stacked(session, [20], LOSE)
    assert session.state(0) == "play"


def test_half_a_dollar_short_of_the_goal_is_not_saved():
    assert table(SIFL, 99_999).state(0) == "play"
    assert table(SIFL, 100_000).state(0) == "saved"


def test_seats_sit_out_a_round():
    session = table(CASINO, 100, 100, 100)
    play_stacked(session, [0, 20, 0], LOSE)
    assert session.bankrolls == [100, 80, 100]
    assert [seat.sits_out for seat in session.round.visible().seats] == [True, False, True]
    assert refused(session.deal, [0, 0, 0]) == "no bet"
    assert refused(session.deal, [20, 20]) == "wrong number of seats"


def test_a_seat_is_left_and_taken_again():
    session = table(CASINO, 100, 100)
    session.leave(0)
    assert session.state(0) == "away"
    assert refused(session.leave, 0) == "nobody sits there"
    assert refused(session.check_bet, 0, 20) == "nobody sits there"
    assert refused(session.deal, [20, 20]) == "nobody sits there"
    assert refused(session.come_back, 0) == "only who is broke starts again"
    play_stacked(session, [0, 20], LOSE)
    session.sit(0)
    assert refused(session.sit, 0) == "the seat is taken"
    assert (session.state(0), session.bankrolls) == ("play", [100, 80])


def test_a_bankroll_is_set_by_decree():
    session = table(CASINO, 100)
    session.set_bankroll(0, 15)
    assert session.bankrolls == [15]
    for wrong in (-1, 2_000_001):
        assert refused(session.set_bankroll, 0, wrong) == "no such bankroll"


def test_a_void_round_leaves_the_bankrolls_alone():
    session = table(CASINO, 100)
    play = session.deal([20], StackedShoe(stack_ranks(["10", "6"])))
    assert play.phase == "void"
    assert play.visible().seats[0].hands == ()
    assert play.visible_after_deal() is None
    session.settle()
    assert session.bankrolls == [100]


def test_a_stacked_round_leaves_the_tables_own_shoe_alone():
    session = table(CASINO, 100)
    play_stacked(session, [20], LOSE)
    assert session.shoe.left == 312


def test_the_cut_card_counts_over_rounds():
    session = table(CASINO, 100)
    used = 0
    for _ in range(200):
        session.set_bankroll(0, 100)
        before = session.shoe.shuffles
        play = session.deal([20])
        assert (session.shoe.shuffles > before) == (used >= 234)
        while play.legal():
            play.act(play.seat, "N" if play.phase == "insurance" else "S")
        session.settle()
        used = len(play.drawn) if session.shoe.shuffles > before else used + len(play.drawn)
    assert session.shoe.shuffles >= 3
