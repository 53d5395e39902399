"""What must hold for every rule set, every shoe and every way to play."""

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.core_sessions import Stream, choose_bets, random_action
from tests.rules.support import brute_total, careful, deep, game_state, rule_sets, scored

from holecard.rules.cards import HIDDEN, hand_total
from holecard.rules.hand import Hand, dealt_hand
from holecard.rules.history import encode
from holecard.rules.replay import replay
from holecard.rules.round import Round
from holecard.rules.ruleset import Refused
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe, StackedShoe

seeds = st.integers(0, 2**31 - 1)


def new_table(rules, seed: int, bankroll: int = 300) -> tuple[Session, Stream]:
    chance = Stream(seed)
    seats = 1 + chance.below(rules.max_seats)
    return Session(rules, Shoe(rules, Stream(seed ^ 0x5A5A5A)), [bankroll] * seats), chance


def deal(table: Session, chance: Stream) -> Round:
    for seat in range(len(table.bankrolls)):
        if table.state(seat) == "broke":
            table.come_back(seat)
    return table.deal(choose_bets(table, chance))


@pytest.mark.fault(29)
@pytest.mark.parametrize("size", range(1, 8))
def test_totals_of_every_multiset_of_ranks(size):
    for cards in combinations_with_replacement(range(13), size):
        expected = brute_total(cards)
        assert hand_total(cards) == expected
        for order in (cards, cards[::-1]):
            hand = Hand(0, [], 0, False) if size < 2 else dealt_hand(0, *order[:2])
            for card in order[len(hand.cards) :]:
                assert hand.add(card) == hand.total
            assert (hand.total, hand.soft) == expected


@pytest.mark.fault(33)
@careful
@given(rule_sets(), seeds)
def test_money_is_conserved_over_whole_sessions(rules, seed):
    table, chance = new_table(rules, seed)
    for _ in range(25):
        play = deal(table, chance)
        before = list(table.bankrolls)
        while play.legal():
            play.act(*random_action(play, chance))
            assert min(play.bankrolls) >= 0
        table.settle()
        result = play.result
        assert [after - was for after, was in zip(table.bankrolls, before, strict=True)] == result.nets
        assert min(table.bankrolls) >= 0
        house = 0
        for seat, hands in enumerate(play.hands):
            nets = [scored(rules, hand, play.dealer.cards) for hand in hands]
            assert nets == [hand.net for hand in hands] == [net for _, _, net in result.hands[seat]]
            stake = play.insurance[seat]
            insured = 2 * stake if play.dealer.natural else -stake
            assert result.insurance_nets[seat] == insured
            assert result.nets[seat] == sum(nets) + insured
            house -= sum(nets) + insured
        assert result.net == -house


@careful
@given(rule_sets(), seeds)
def test_an_illegal_action_changes_nothing_and_a_legal_one_is_taken(rules, seed):
    table, chance = new_table(rules, seed, bankroll=60 + seed % 60)
    for _ in range(4):
        play = deal(table, chance)
        while play.legal():
            refuse_all_illegal(play)
            play.act(*random_action(play, chance))
        refuse_all_illegal(play)
        table.settle()


def refuse_all_illegal(play: Round) -> None:
    before = deep(play)
    low, high = play.double_range()
    for seat in range(-1, len(play.bets) + 1):
        mine = play.legal() if seat == play.seat else ""
        for code in ("H", "S", "D", "P", "I", "N", "T", "", "HS", "x"):
            if code and code in mine and code != "D":
                continue
            if code == "T" and play.phase == "insurance":
                continue
            for amount in (0, 1, low - 2, low + 1, high + 1, high + 2) if code == "D" else (0,):
                if code == "D" and code in mine and low <= (amount or play._active.bet) <= high and amount % 2 == 0:
                    continue
                with pytest.raises(Refused) as refusal:
                    play.act(seat, code, amount)
                assert 0 < len(refusal.value.reason) <= 40
    assert deep(play) == before


@careful
@given(rule_sets(), seeds)
def test_replay_gives_the_same_state_at_every_step(rules, seed):
    table, chance = new_table(rules, seed)
    for _ in range(6):
        play = deal(table, chance)
        while True:
            again = replay(encode(play))
            assert game_state(again) == game_state(play)
            assert deep(again.visible()) == deep(play.visible())
            assert deep(again.visible_after_deal()) == deep(play.visible_after_deal())
            if not play.legal():
                break
            play.act(*random_action(play, chance))
        assert again.result.nets == play.result.nets
        table.settle()


@pytest.mark.fault(36)
@careful
@given(rule_sets(), seeds, st.integers(0, 51))
def test_nothing_visible_depends_on_the_hole_card(rules, seed, other):
    """Twin rounds that differ only in the hole card look alike for as long as both go on."""
    chance = Stream(seed)
    seats = 1 + chance.below(rules.max_seats)
    cards = [chance.below(52) for _ in range(150)]
    twin_cards = list(cards)
    twin_cards[seats if rules.hole_first else 2 * seats + 1] = other
    bets = [rules.min_bet + 2 * chance.below(20) for _ in range(seats)]
    money = [100 + chance.below(100) for _ in range(seats)]
    play, twin = (Round(rules, money, bets, StackedShoe(stack)) for stack in (cards, twin_cards))
    assert deep(play.visible_after_deal()) == deep(twin.visible_after_deal())
    while play.legal() and twin.legal():
        seen = play.visible()
        assert seen.dealer.count(HIDDEN) == 1
        assert deep(seen) == deep(twin.visible())
        for code in "HSDPINT":
            assert refusal_of(play, code) == refusal_of(twin, code)
        action = random_action(play, chance)
        play.act(*action)
        twin.act(*action)
    if rules.peek is False:
        assert play.phase == twin.phase


def refusal_of(play: Round, code: str) -> str:
    if code in play.legal() or (code == "T" and play.phase == "insurance"):
        return ""
    with pytest.raises(Refused) as refusal:
        play.act(play.seat, code)
    return refusal.value.reason


@careful
@given(rule_sets(), seeds, st.integers(0, 30))
def test_a_stacked_shoe_that_runs_dry_voids_the_round(rules, seed, length):
    chance = Stream(seed)
    seats = 1 + chance.below(min(3, rules.max_seats))
    money = [200] * seats
    play = Round(rules, money, [rules.min_bet] * seats, StackedShoe([chance.below(52) for _ in range(length)]))
    while play.legal():
        play.act(*random_action(play, chance))
    if play.phase == "void":
        assert play.bankrolls == money
        assert play.result is None
        assert play.visible().dealer.count(HIDDEN) == (1 if play.drawn else 0)
    again = replay(encode(play))
    assert game_state(again) == game_state(play)
