"""A snapshot of the table with everything that players may see, and nothing else."""

from .cards import HIDDEN, hand_total


class HandView:
    """One hand. ``outcome`` and ``net`` are None until settled (a bust shows at once); money in half-dollars."""

    __slots__ = ("bet", "cards", "done", "doubled", "net", "outcome", "soft", "total")

    def __init__(self, cards, bet: int, doubled: bool, outcome, net, done: bool):
        self.cards = tuple(cards)
        self.bet = bet
        self.total, self.soft = hand_total(self.cards)
        self.doubled = doubled
        self.outcome = outcome
        self.net = net
        self.done = done


class SeatView:
    """One seat: ``bankroll``, first ``bet``, ``insurance`` stake, ``hands``; ``net`` (insurance included) and ``insurance_net`` are
    None until the round is over. All money in half-dollars."""

    __slots__ = ("bankroll", "bet", "hands", "insurance", "insurance_net", "net", "sits_out")

    def __init__(self, bankroll: int, bet: int, insurance: int, hands, net, insurance_net):
        self.bankroll = bankroll
        self.bet = bet
        self.insurance = insurance
        self.hands = tuple(hands)
        self.net = net
        self.insurance_net = insurance_net
        self.sits_out = not bet


class Visible:
    """The table as everyone at it sees it.

    ``phase`` as in Round, or "dealt"; ``seat``, ``hand``: whose turn (-1: nobody's); ``legal``: action codes; ``double_min``,
    ``double_max``: 0 = no double now; ``insurance_cost``: of the seat that is asked, else 0; ``dealer``: cards, HIDDEN for the hole card
    until it may be shown; ``dealer_total``, ``dealer_soft`` of what is shown; ``dealer_blackjack`` only once shown.
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

    def __init__(self, play, phase: str, dealer, seats):
        self.rules_name = play.rules.name
        self.phase = phase
        self.dealer = tuple(dealer)
        self.dealer_total, self.dealer_soft = hand_total(self.dealer)
        self.dealer_blackjack = phase == "over" and play.dealer.natural
        self.seats = tuple(seats)
        self.seat = self.hand = -1
        self.legal = ""
        self.double_min = self.double_max = self.insurance_cost = 0


def see(play) -> Visible:
    """What may be seen of the round `play` now. The hole card shows only when the round is over: the dealer draws after it, at once."""
    over = play.phase == "over"
    dealer = list(play.dealer.cards) if play.dealer else []
    if dealer and not over:
        dealer[play.hole_index] = HIDDEN
    nets = play.result if over else None
    seats = []
    for seat, hands in enumerate(play.hands):
        views = [HandView(hand.cards, hand.bet, hand.doubled, hand.outcome, hand.net, hand.done) for hand in hands]
        net = nets.nets[seat] if nets else None
        insurance_net = nets.insurance_nets[seat] if nets else None
        seats.append(SeatView(play.bankrolls[seat], play.bets[seat], play.insurance[seat], views, net, insurance_net))
    view = Visible(play, play.phase, dealer, seats)
    view.seat = play.seat
    view.hand = play.hand
    view.legal = play.legal()
    view.double_min, view.double_max = play.double_range()
    if play.phase == "insurance":
        view.insurance_cost = play.bets[play.seat] // 2
    return view


def see_deal(play) -> Visible:
    """The table right after the deal (phase "dealt"), at any later time; `play` must have been dealt."""
    players = len([bet for bet in play.bets if bet])
    dealer = list(play.dealer.cards[:2])
    dealer[play.hole_index] = HIDDEN
    seats = []
    first = 0
    for seat, bet in enumerate(play.bets):
        views = []
        if bet:
            views.append(HandView((play.drawn[first], play.drawn[first + players + 1]), bet, False, None, None, False))
            first += 1
        seats.append(SeatView(play.start[seat] - bet, bet, 0, views, None, None))
    return Visible(play, "dealt", dealer, seats)
