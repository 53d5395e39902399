"""One hand of cards with its bet, kept up to date card by card."""

from .cards import VALUE


class Hand:
    """A player's hand, or the dealer's (whose bet is 0).

    ``total`` and ``soft`` are those of all its cards; ``natural`` marks a blackjack, ``split`` a hand that came from a
    split, ``done`` one that takes no more cards. ``outcome`` and ``net`` (half-dollars) stay None until settled, only a
    bust shows at once.
    """

    __slots__ = ("bet", "cards", "done", "doubled", "natural", "net", "outcome", "soft", "split", "total")

    def __init__(self, bet: int, cards: list, total: int, soft: bool):
        self.bet = bet
        self.cards = cards
        self.total = total
        self.soft = soft
        self.natural = self.split = self.doubled = self.done = False
        self.outcome = self.net = None

    def add(self, card: int) -> int:
        """Takes a card; the new total."""
        self.cards.append(card)
        value = VALUE[card]
        total = self.total + value
        if value == 1 and total <= 11:
            total += 10
            self.soft = True
        elif total > 21 and self.soft:
            total -= 10
            self.soft = False
        self.total = total
        return total


def dealt_hand(bet: int, first: int, second: int) -> Hand:
    """The hand of the first two cards."""
    one = VALUE[first]
    two = VALUE[second]
    if one == 1 or two == 1:
        return Hand(bet, [first, second], one + two + 10, True)
    return Hand(bet, [first, second], one + two, False)


def split_hand(bet: int, card: int) -> Hand:
    """A hand of one card of a split pair."""
    value = VALUE[card]
    hand = Hand(bet, [card], 11, True) if value == 1 else Hand(bet, [card], value, False)
    hand.split = True
    return hand
