"""What the rules tests share: settings, random rule sets, deep snapshots, an independent reading of the score."""

from types import MethodType

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from holecard.rules.cards import RANKS, hand_total
from holecard.rules.ruleset import CASINO, SIFL, RuleError

careful = settings(
    derandomize=True,
    deadline=None,
    max_examples=250,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@st.composite
def rule_sets(draw):
    """The presets, and sets between them with every switch thrown at random."""
    base = draw(st.sampled_from([SIFL, CASINO, None]))
    if base is not None:
        return base
    switches = {name: draw(st.booleans()) for name, value in CASINO.items() if isinstance(value, bool)}
    max_cards = draw(st.sampled_from([0, 3, 5]))
    switches["max_cards_win"] = switches["max_cards_win"] and max_cards > 0
    seats = draw(st.integers(1, 7))
    for decks in range(1, 9):
        try:
            return CASINO.replace(
                name="mixed",
                decks=decks,
                cut_percent=draw(st.sampled_from([0, 50, 95])),
                blackjack_pays=draw(st.sampled_from([(3, 2), (6, 5), (1, 1)])),
                max_cards=max_cards,
                dealer_max_cards=draw(st.sampled_from([0, 5])),
                max_hands=draw(st.integers(1, 4)),
                max_seats=seats,
                **switches,
            )
        except RuleError as error:
            assert error.field == "decks"
    raise AssertionError("eight decks must do")


def deep(thing):
    """A comparable copy of everything reachable from a round: lists, hands, shoe and stream, private parts included."""
    if isinstance(thing, (list, tuple, bytearray)):
        return [deep(item) for item in thing]
    if isinstance(thing, MethodType):  # the shoe's hold on its stream
        return thing.__self__.state
    names = getattr(type(thing), "__slots__", None)
    if names is None:
        return thing
    return {name: deep(getattr(thing, name)) for name in names if name != "rules" and hasattr(thing, name)}


def game_state(play) -> dict:
    """deep() of a round without its shoe: what a replay must reproduce."""
    state = deep(play)
    state["refill_at"] = play.refill_at
    for name in ("shoe", "_refill_at"):
        del state[name]
    return state


def brute_total(cards) -> tuple[int, bool]:
    """The best total by trying every way to count the aces, and whether an ace counts 11 in it."""
    totals = {0}
    aces = 0
    for card in cards:
        rank = RANKS[card % 13]
        aces += rank == "A"
        values = (1, 11) if rank == "A" else (10,) if rank in "TJQK" else (int(rank),)
        totals = {total + value for total in totals for value in values}
    fitting = [total for total in totals if total <= 21]
    best = max(fitting) if fitting else min(totals)
    hard = sum(min(card % 13 + 1, 10) for card in cards)
    return best, best != hard


def scored(rules, hand, dealer_cards) -> int:
    """The net of a settled hand in half-dollars, read off the cards on the table without the core's running totals."""

    def natural(cards, from_split) -> bool:
        faces = [RANKS[card % 13] for card in cards]
        tens = "JQK" if rules.royal_blackjack else "TJQK"
        return len(cards) == 2 and not from_split and "A" in faces and any(face in tens for face in faces)

    mine, theirs = hand_total(hand.cards)[0], hand_total(dealer_cards)[0]
    if mine > 21:
        return -hand.bet
    if natural(hand.cards, hand.split):
        return 0 if natural(dealer_cards, False) else hand.bet * rules.blackjack_pays[0] // rules.blackjack_pays[1]
    if natural(dealer_cards, False):
        return -hand.bet
    if rules.max_cards_win and len(hand.cards) == rules.max_cards:
        return hand.bet
    if theirs > 21 or mine > theirs:
        return hand.bet
    return 0 if mine == theirs else -hand.bet
