"""One round of blackjack: the deal, insurance, the players' actions, the dealer, the money.

A round is a pure function of its rules, bankrolls, bets, cards and actions; `history` writes exactly those down. Money
is in half-dollars, seats and hands count from 0.
"""

from .cards import VALUE, is_royal
from .hand import Hand, dealt_hand, split_hand
from .ruleset import Refused, check_bet
from .settle import Result, play_dealer, settle_hand
from .shoe import ShoeEmpty
from .visible import see, see_deal

_NOBODY = Hand(0, [], 0, False)  # the active hand when it is nobody's turn to play


def _is_natural(rules, cards) -> bool:
    """Whether two dealt cards that make 21 are a blackjack: with royal rules, an ace and a ten are not."""
    return not rules.royal_blackjack or is_royal(cards[0]) or is_royal(cards[1])


class Round:
    """A round from the moment the bets are on the table.

    ``phase``            "insurance", "playing", "over", or "void" (a stacked shoe ran dry; every bet is returned)
    ``seat hand``        whose turn it is; -1 when it is nobody's
    ``start``            bankrolls before the bets
    ``bankrolls``        bankrolls without what lies on the table
    ``bets insurance``   per seat, the first bet (0 = sits out) and the insurance stake
    ``hands``            per seat a list of Hand, empty if it sits out
    ``dealer``           his Hand
    ``drawn``            every card in the order drawn
    ``log``              every action in the order taken; "D14" = doubled for 14 half-dollars

    The hole card is in here: show players and wires only what visible() returns.
    """

    __slots__ = (
        "_active",
        "_live",
        "_refill_at",
        "bankrolls",
        "bets",
        "dealer",
        "drawn",
        "hand",
        "hands",
        "insurance",
        "log",
        "phase",
        "rules",
        "seat",
        "shoe",
        "start",
    )

    def __init__(self, rules, bankrolls, bets, shoe):
        """Takes `bets` (0 = sits out) from `bankrolls` and deals; Refused, with no card drawn, if one is wrong."""
        if len(bets) != len(bankrolls) or len(bets) > rules.max_seats:
            raise Refused("wrong number of seats")
        left = list(bankrolls)
        players = 0
        for seat, bet in enumerate(bets):
            if bet:
                check_bet(rules, left[seat], bet)
                left[seat] -= bet
                players += 1
        if not players:
            raise Refused("no bet")
        self.rules = rules
        self.shoe = shoe
        self.start = bankrolls = tuple(bankrolls)
        self.bankrolls = left
        self.bets = tuple(bets)
        self.insurance = [0] * len(left)
        self.drawn: list = []
        self.hands: list = []
        self.log = []
        self._active = _NOBODY
        self._refill_at = -1
        self.seat = self.hand = -1
        shoe.begin_round()
        try:
            self._deal(players)
        except ShoeEmpty:
            if not self.drawn:  # not even the deal was complete
                self.hands = [[] for _ in bets]
                self.dealer = Hand(0, [], 0, False)
            self._void()

    def _deal(self, players: int) -> None:
        self.drawn = drawn = self.shoe.deal(2 * players + 2)
        rules = self.rules
        hands = self.hands
        first = 0
        second = players + 1
        live = 0
        for bet in self.bets:
            if not bet:
                hands.append([])
                continue
            hand = dealt_hand(bet, drawn[first], drawn[second])
            if hand.total >= rules.stop_at:
                hand.done = True
            if hand.total == 21 and _is_natural(rules, hand.cards):
                hand.natural = hand.done = True
            else:
                live += 1
            hands.append([hand])
            first += 1
            second += 1
        self._live = live
        self.dealer = dealer = dealt_hand(0, drawn[first], drawn[second])
        if dealer.total == 21:
            dealer.natural = _is_natural(rules, dealer.cards)
        if rules.insurance and VALUE[self.up_card] == 1:
            self.phase = "insurance"
            self._ask_from(0)
        else:
            self._peek()

    # -- whose turn

    def _ask_from(self, seat: int) -> None:
        """Insurance: the next seat that has a bet and can pay half of it; after the last, the peek."""
        while seat < len(self.bets):
            bet = self.bets[seat]
            if bet and self.bankrolls[seat] >= bet // 2:
                self.seat = seat
                self.hand = 0
                return
            seat += 1
        self._peek()

    def _peek(self) -> None:
        if self.dealer.natural and self.rules.peek:
            self._settle()
        else:
            self.phase = "playing"
            self._advance(0, 0)

    def _advance(self, seat: int, index: int) -> None:
        """The turn goes to the first hand from here on that is not done; after the last, to the dealer."""
        all_hands = self.hands
        while seat < len(all_hands):
            hands = all_hands[seat]
            while index < len(hands):
                hand = hands[index]
                if len(hand.cards) == 1:  # a split hand gets its second card only when it becomes active
                    self._draw(hand)
                    if VALUE[hand.cards[0]] == 1:
                        hand.done = True
                if not hand.done:
                    self.seat = seat
                    self.hand = index
                    self._active = hand
                    return
                index += 1
            seat += 1
            index = 0
        rules = self.rules
        if self._live or rules.dealer_always_plays:
            play_dealer(rules, self.dealer, self.shoe, self.drawn)
        self._settle()

    # -- actions

    def act(self, seat: int, code: str, amount: int = 0) -> None:
        """Applies an action, or raises Refused and changes nothing.

        H hit, S stand, D double (by `amount` half-dollars; 0 = the full bet), P split; while insurance is open, I
        insure, N decline and, whatever the seat, T: the time is up, a "no" of every seat that has not answered.
        """
        try:
            if self.phase == "playing" and seat == self.seat:
                hand = self._active
                if code == "H":
                    self.log.append("H")
                    self._draw(hand)
                elif code == "S":
                    self.log.append("S")
                    hand.done = True
                elif code == "D":
                    self._double(hand, amount)
                elif code == "P":
                    self._split(hand)
                else:
                    raise Refused(self._why_not(code))
                if hand.done:
                    self._advance(seat, self.hand)
            elif self.phase == "insurance" and (code == "T" or (seat == self.seat and code in ("I", "N"))):
                self.log.append(code)
                if code == "I":
                    stake = self.bets[seat] // 2
                    self.bankrolls[seat] -= stake
                    self.insurance[seat] = stake
                self._ask_from(len(self.bets) if code == "T" else seat + 1)
            else:
                raise Refused(self._why_not(code))
        except ShoeEmpty:
            self._void()

    def _draw(self, hand) -> None:
        card = self.shoe.draw()
        self.drawn.append(card)
        total = hand.add(card)
        rules = self.rules
        if total >= rules.stop_at or len(hand.cards) == rules.card_limit:
            hand.done = True
            if total > 21:
                hand.outcome = "bust"
                self._live -= 1

    def _double(self, hand, amount: int) -> None:
        low, high = self.double_range()
        if not high:
            raise Refused(self._why_no_double(hand))
        more = amount or hand.bet
        if more > high:
            raise Refused("the bankroll does not cover it" if more <= hand.bet else "more than the bet")
        if more < low:
            raise Refused("less than the minimum")
        if more & 1:
            raise Refused("only whole dollars")
        self.log.append("D" if more == hand.bet else "D" + str(more))
        self.bankrolls[self.seat] -= more
        hand.bet += more
        hand.doubled = True
        self._draw(hand)
        hand.done = True

    def _split(self, hand) -> None:
        reason = self._why_no_split(hand)
        if reason:
            raise Refused(reason)
        self.log.append("P")
        self.bankrolls[self.seat] -= hand.bet
        self._live += 1
        first, second = hand.cards
        hands = self.hands[self.seat]
        hands[self.hand] = split_hand(hand.bet, first)
        hands.insert(self.hand + 1, split_hand(hand.bet, second))
        self._advance(self.seat, self.hand)

    # -- what is allowed

    def legal(self) -> str:
        """The codes the seat whose turn it is may use now, of "HSDPIN" in that order; "" when it is nobody's turn."""
        if self.phase == "insurance":
            return "IN"
        if self.phase != "playing":
            return ""
        codes = "HS"
        if self.double_range()[1]:
            codes += "D"
        if not self._why_no_split(self._active):
            codes += "P"
        return codes

    def double_range(self) -> tuple:
        """``(low, high)`` half-dollars by which the active hand's bet may be doubled; ``(0, 0)`` if it may not."""
        hand = self._active
        if self._why_no_double(hand):
            return (0, 0)
        high = min(hand.bet, self.bankrolls[self.seat] & ~1)
        return (self.rules.min_bet if self.rules.double_less else hand.bet, high)

    def _why_no_double(self, hand) -> str:
        if len(hand.cards) != 2:
            return "double only on two cards"
        if hand.split and not self.rules.double_after_split:
            return "no double after a split"
        if self.bankrolls[self.seat] < (self.rules.min_bet if self.rules.double_less else hand.bet):
            return "the bankroll does not cover it"
        return ""

    def _why_no_split(self, hand) -> str:
        cards = hand.cards
        if self.rules.max_hands == 1:
            return "no splitting here"
        if len(cards) != 2 or VALUE[cards[0]] != VALUE[cards[1]]:
            return "split only two cards of equal value"
        if len(self.hands[self.seat]) >= self.rules.max_hands:
            return "no more hands"
        if self.bankrolls[self.seat] < hand.bet:
            return "the bankroll does not cover it"
        return ""

    def _why_not(self, code: str) -> str:
        if self.phase in ("over", "void"):
            return "the round is over"
        if code in ("H", "S", "D", "P"):
            return "insurance is open" if self.phase == "insurance" else "not this seat's turn"
        if code in ("I", "N", "T"):
            return "not this seat's turn" if self.phase == "insurance" else "insurance is not open"
        return "no such action"

    # -- the end

    def _settle(self) -> None:
        rules = self.rules
        dealer = self.dealer
        bankrolls = self.bankrolls
        for seat, hands in enumerate(self.hands):
            for hand in hands:
                bankrolls[seat] += settle_hand(rules, hand, dealer)
                hand.done = True
            if dealer.natural:
                bankrolls[seat] += 3 * self.insurance[seat]
        self._close("over")

    def _void(self) -> None:
        self.bankrolls = list(self.start)
        self._close("void")

    def _close(self, phase: str) -> None:
        self.phase = phase
        self.seat = self.hand = -1
        self._active = _NOBODY
        self._refill_at = self.shoe.refill_at

    # -- what it looks like

    def total(self) -> int:
        """The total of the active hand; 0 when it is nobody's turn to play."""
        return self._active.total

    @property
    def hole_index(self) -> int:
        """Which of the dealer's cards lies face down."""
        return 0 if self.rules.hole_first else 1

    @property
    def up_card(self) -> int:
        """The dealer's face-up card of the first two."""
        return self.dealer.cards[1 if self.rules.hole_first else 0]

    @property
    def refill_at(self) -> int:
        """After how many cards of this round the shoe was refilled; -1 = it was not."""
        return self._refill_at if self.phase in ("over", "void") else self.shoe.refill_at

    @property
    def result(self):
        """The Result once the round is over, else None."""
        return Result(self) if self.phase == "over" else None

    def visible(self):
        """A Visible: all that players may see now."""
        return see(self)

    def visible_after_deal(self):
        """A Visible of the table right after the deal, before insurance, peek and end; None if there was no deal."""
        return see_deal(self) if self.drawn else None
