"""A snapshot of the table with everything that players may see, and nothing else."""

from .cards import HIDDEN, hand_total
from .hand import dealt_hand


class HandView:
    """One hand. ``outcome`` and ``net`` are None until settled (a bust shows at once); money in half-dollars."""

    __slots__ = ("bet", "cards", "done", "doubled", "net", "outcome", "soft", "total")

    def __init__(self, hand):
        self.cards = tuple(hand.cards)
        self.bet = hand.bet
        self.total = hand.total
        self.soft = hand.soft
        self.doubled = hand.doubled
        self.outcome = hand.outcome
        self.net = hand.net
        self.done = hand.done


class SeatView:
    """One seat: ``bankroll``, first ``bet``, ``insurance`` stake, ``hands``; all money in half-dollars.

    ``net`` (insurance included) and ``insurance_net`` are None until the round is over.
    """

    __slots__ = ("bankroll", "bet", "hands", "insurance", "insurance_net", "net", "sits_out")

    def __init__(self, bankroll: int, bet: int, insurance: int, hands):
        self.bankroll = bankroll
        self.bet = bet
        self.insurance = insurance
        self.hands = tuple([HandView(hand) for hand in hands])
        self.net = self.insurance_net = None
        self.sits_out = not bet


class Visible:
    """The table as everyone at it sees it.

    ``phase`` as in Round, or "dealt"; ``seat``, ``hand``: whose turn (-1: nobody's); ``legal``: action codes;
    ``double_min``, ``double_max``: 0 = no double now; ``insurance_cost``: of the seat that is asked, else 0;
    ``dealer``: cards, HIDDEN for the hole card until it may be shown; ``dealer_total``, ``dealer_soft``: of what is
    shown; ``dealer_blackjack`` only once shown; ``seats``: SeatViews.
    """

    __slots__ = (
        "dealer",
        "dealer_blackjack",
        "dealer_soft",
        "dealer_total",
        "double_max",
        "double_min",
        "hand",
        "insurance_cost",
        "legal",
        "phase",
        "rules_name",
        "seat",
        "seats",
    )

    def __init__(self, rules, phase: str, dealer, seats):
        self.rules_name = rules.name
        self.phase = phase
        self.dealer = tuple(dealer)
        self.dealer_total, self.dealer_soft = hand_total(dealer)
        self.dealer_blackjack = False
        self.seats = tuple(seats)
        self.seat = self.hand = -1
        self.legal = ""
        self.double_min = self.double_max = self.insurance_cost = 0


def see(play) -> Visible:
    """What may be seen of the Round `play` now; the hole card shows once it is over: only then does the dealer play."""
    dealer = list(play.dealer.cards)
    seats = []
    for seat, hands in enumerate(play.hands):
        seats.append(SeatView(play.bankrolls[seat], play.bets[seat], play.insurance[seat], hands))
    if play.phase == "over":
        result = play.result
        for seat, view in enumerate(seats):
            view.net = result.nets[seat]
            view.insurance_net = result.insurance_nets[seat]
    elif dealer:
        dealer[play.hole_index] = HIDDEN
    table = Visible(play.rules, play.phase, dealer, seats)
    table.dealer_blackjack = play.phase == "over" and play.dealer.natural
    table.seat = play.seat
    table.hand = play.hand
    table.legal = play.legal()
    table.double_min, table.double_max = play.double_range()
    if play.phase == "insurance":
        table.insurance_cost = play.bets[play.seat] // 2
    return table


def see_deal(play) -> Visible:
    """The table right after the deal (phase "dealt"), at any later time; the Round `play` must have been dealt."""
    players = len([bet for bet in play.bets if bet])
    dealer = play.dealer.cards[:2]
    dealer[play.hole_index] = HIDDEN
    seats = []
    first = 0
    for seat, bet in enumerate(play.bets):
        hands = []
        if bet:
            hands.append(dealt_hand(bet, play.drawn[first], play.drawn[first + players + 1]))
            first += 1
        seats.append(SeatView(play.start[seat] - bet, bet, 0, hands))
    return Visible(play.rules, "dealt", dealer, seats)
