"""The rule sets: the two presets, the validator, and the text form of a field."""

import pytest

from holecard.rules.round import Round
from holecard.rules.ruleset import CASINO, FIELDS, PRESETS, SIFL, RuleError, RuleSet, field_text, parse_field
from holecard.rules.shoe import Shoe

NAMES = [field[0] for field in FIELDS]


def test_fields_are_the_whole_rule_set():
    for rules in PRESETS.values():
        assert [name for name, _ in rules.items()] == NAMES
        assert RuleSet(**dict(rules.items())) == rules
    assert set(RuleSet.__annotations__) == set(NAMES)
    assert all(kind in ("text", "bool", "int", "money", "bet", "ratio") for _, kind, _, _ in FIELDS)


def test_presets():
    assert (SIFL.decks, SIFL.max_cards, SIFL.max_hands, SIFL.goal, SIFL.start_bankroll) == (1, 5, 1, 100_000, 2000)
    assert (CASINO.decks, CASINO.cut_percent, CASINO.min_bet, CASINO.max_bet) == (6, 75, 10, 1000)
    assert SIFL.blackjack_pays == CASINO.blackjack_pays == (3, 2)
    assert [name for name, rules in PRESETS.items() if rules.dealer_hits_soft_17] == ["casino"]


def test_replace_makes_a_new_set():
    changed = CASINO.replace(decks=8, peek=False)
    assert (changed.decks, changed.peek, changed.max_bet) == (8, False, CASINO.max_bet)
    assert (CASINO.decks, CASINO.peek) == (6, True)
    assert changed != CASINO
    assert changed.replace(decks=6, peek=True) == CASINO
    assert hash(changed.replace(decks=6, peek=True)) == hash(CASINO)


@pytest.mark.parametrize(("name", "kind", "low", "high"), [field[:4] for field in FIELDS])
def test_every_field_has_bounds_and_a_type(name, kind, low, high):
    wrong = {
        "text": ["", "x" * (high + 1), "Casino", "a b", "a/b", 5],
        "ratio": [(0, 1), (high + 1, 1), (3,), (3, 2, 1), "3:2", 3, (1, 2)],
    }.get(kind, [low - 1, high + 1, "1", 1.5, None])
    if kind == "bet":
        wrong.append(low + 11)
    for value in wrong:
        with pytest.raises(RuleError) as error:
            CASINO.replace(**{name: value})
        assert error.value.field == name
        assert error.value.reason


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"decks": 2}, "decks"),
        ({"decks": 2, "max_seats": 7, "max_hands": 4}, "decks"),
        ({"max_cards": 2}, "max_cards"),
        ({"dealer_max_cards": 1}, "dealer_max_cards"),
        ({"max_cards_win": True}, "max_cards_win"),
        ({"min_bet": 20, "max_bet": 18}, "max_bet"),
        ({"start_bankroll": 8}, "start_bankroll"),
        ({"goal": 2000}, "goal"),
        ({"jokers": 2}, "jokers"),
    ],
)
def test_nonsense_is_refused_with_the_field_to_blame(changes, field):
    with pytest.raises(RuleError) as error:
        CASINO.replace(**changes)
    assert error.value.field == field
    assert str(error.value).startswith(field + ": ")


def test_a_missing_field_is_named():
    fields = dict(CASINO.items())
    del fields["peek"]
    with pytest.raises(RuleError) as error:
        RuleSet(**fields)
    assert error.value.field == "peek"


def test_text_form_round_trips():
    for rules in PRESETS.values():
        for name, value in rules.items():
            text = field_text(name, value)
            assert " " not in text
            assert parse_field(name, text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("decks", ""),
        ("decks", "six"),
        ("decks", "-1"),
        ("decks", "²"),
        ("decks", "9" * 5000),
        ("jokers", "1"),
        ("blackjack_pays", "3:x"),
        ("blackjack_pays", ":"),
    ],
)
def test_text_that_is_no_value_is_refused(name, text):
    with pytest.raises(RuleError) as error:
        parse_field(name, text)
    assert error.value.field == name


class LowCardsFirst:
    """A stream that always picks the smallest card left: the most cards that hands can swallow."""

    shoe: Shoe

    def below(self, n: int) -> int:
        cards = self.shoe._cards
        return min(range(n), key=lambda at: min(cards[at] % 13, 9))


@pytest.mark.parametrize(
    "changes",
    [{"decks": 3}, {"decks": 1, "max_seats": 2}, {"decks": 1, "max_seats": 5, "max_hands": 1, "stands_on_21": False}],
)
def test_the_smallest_valid_shoe_never_runs_dry(changes):
    rules = CASINO.replace(insurance=False, **changes)
    stream = LowCardsFirst()
    stream.shoe = Shoe(rules, stream)
    seats = rules.max_seats
    play = Round(rules, [1000] * seats, [rules.min_bet] * seats, stream.shoe)
    while play.legal():
        play.act(play.seat, "P" if "P" in play.legal() else "H")
    assert play.phase == "over"
    assert max(sum(min(card % 13 + 1, 10) for card in hand.cards) for hands in play.hands for hand in hands) <= 31
