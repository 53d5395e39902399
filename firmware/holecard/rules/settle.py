"""The end of a round: the dealer's hand, and who gets what.

Outcomes: ``blackjack`` (paid as the rules say), ``win``, ``dealer_bust`` (both even money), ``push``, ``push_bj`` (both
sides hold a blackjack), ``lose``, ``bust``, ``dealer_blackjack``.
"""


def play_dealer(rules, dealer, shoe, drawn) -> None:
    """Draws for the dealer until he must stand; the cards go onto his hand and onto `drawn`."""
    hits_soft_17 = rules.dealer_hits_soft_17
    limit = rules.dealer_max_cards
    while dealer.total < 17 or (dealer.total == 17 and dealer.soft and hits_soft_17):
        if limit and len(dealer.cards) >= limit:
            return
        card = shoe.draw()
        drawn.append(card)
        dealer.add(card)


def settle_hand(rules, hand, dealer) -> int:
    """Writes the hand's outcome and net; returns what goes back to the bankroll, the stake included (half-dollars)."""
    bet = hand.bet
    net = -bet
    if hand.outcome == "bust":
        outcome = "bust"
    elif hand.natural:
        if dealer.natural:
            outcome = "push_bj"
            net = 0
        else:
            outcome = "blackjack"
            pays = rules.blackjack_pays
            net = bet * pays[0] // pays[1]
    elif dealer.natural:
        outcome = "dealer_blackjack"
    elif rules.max_cards_win and len(hand.cards) == rules.max_cards:
        outcome = "win"
        net = bet
    elif dealer.total > 21:
        outcome = "dealer_bust"
        net = bet
    elif hand.total > dealer.total:
        outcome = "win"
        net = bet
    elif hand.total == dealer.total:
        outcome = "push"
        net = 0
    else:
        outcome = "lose"
    hand.outcome = outcome
    hand.net = net
    return bet + net


class Result:
    """What a finished round changed, in half-dollars.

    ``net`` (all seats), ``nets`` (per seat, insurance included), ``insurance_nets`` (per seat), ``hands`` (per seat a
    tuple of ``(total, outcome, net)``, insurance not included), ``dealer_total`` (the hole card included) and
    ``dealer_blackjack``.
    """

    __slots__ = ("dealer_blackjack", "dealer_total", "hands", "insurance_nets", "net", "nets")

    def __init__(self, play):
        self.nets = [play.bankrolls[seat] - play.start[seat] for seat in range(len(play.start))]
        self.net = sum(self.nets)
        won = play.dealer.natural
        self.insurance_nets = [2 * stake if won else -stake for stake in play.insurance]
        self.hands = [tuple([(hand.total, hand.outcome, hand.net) for hand in hands]) for hands in play.hands]
        self.dealer_total = play.dealer.total
        self.dealer_blackjack = won
