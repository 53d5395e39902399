"""Cards appear one by one: what the panel shows of a `Visible` while the rest still waits to be turned."""

from holecard.rules.cards import HIDDEN, hand_total
from holecard.rules.ruleset import RuleSet
from holecard.rules.visible import SeatView, Visible
from holecard.table.presses import Unrevealed

CARD_US = 250_000
# A hand that is finished stays for a moment before the next one takes its place.
HAND_US = 700_000


class Reveal(Unrevealed):
    """Follows the truth card by card. It only ever takes away from a `Visible`, so it cannot show what is hidden.

    `shown` is what the panel may draw, `seat` and `hand` tell which hand it is about, `active` that more is to come.
    """

    def __init__(self, target: Visible, rules: RuleSet, seat: int) -> None:
        """A fresh deal, told from `seat`, which has a bet."""
        super().__init__()
        self.rules = rules
        self._target = target
        self._counts = [[0] * len(seat.hands) for seat in target.seats]
        self._dealer = 0
        self._turned = False
        self.seat = seat
        self.hand = 0
        self.active = True

    def follow(self, target) -> None:
        """The same round has moved on."""
        old = self._target
        for seat, view in enumerate(target.seats):
            counts = self._counts[seat]
            if len(view.hands) > len(counts):
                split = max(old.hand, 0)
                counts[split : split + 1] = [1, 1]
                while len(counts) < len(view.hands):
                    counts.append(1)
        self._target = target
        self.active = True

    def finish(self) -> None:
        """Everything at once."""
        while self._next_card():
            pass
        self._complete()

    def step(self) -> int:
        """Turns the next card. Returns how long (us) it stays alone; 0 when the truth is complete."""
        pause = self._next_card()
        if pause:
            self.shown = self._clipped()
        else:
            self._complete()
        return pause

    def _complete(self) -> None:
        target = self._target
        self.active = False
        self.shown = target
        if target.seat >= 0:
            self.seat = target.seat
            self.hand = target.hand
        for seat, view in enumerate(target.seats):
            self._counts[seat] = [len(hand.cards) for hand in view.hands]
        self._dealer = len(target.dealer)

    def _next_card(self) -> int:
        target = self._target
        if self._dealer < 2:
            # The deal: every seat's card together, so that seven seats do not take four seconds.
            wanted = self._dealer + 1
            if self._counts[self.seat][0] >= wanted:
                self._dealer += 1
            else:
                for seat, view in enumerate(target.seats):
                    if view.hands:
                        self._counts[seat][0] = wanted
            return CARD_US
        for seat, view in enumerate(target.seats):
            for hand, shown in enumerate(view.hands):
                if self._counts[seat][hand] < len(shown.cards):
                    self._counts[seat][hand] += 1
                    self.seat = seat
                    self.hand = hand
                    moves_on = (seat, hand) != (target.seat, target.hand)
                    return HAND_US if moves_on and self._counts[seat][hand] == len(shown.cards) else CARD_US
        hole = 0 if self.rules.hole_first else 1
        if not self._turned and target.dealer[hole] != HIDDEN:
            self._turned = True
            return CARD_US
        if self._dealer < len(target.dealer):
            self._dealer += 1
            return CARD_US
        return 0

    def _clipped(self) -> Visible:
        target = self._target
        hole = 0 if self.rules.hole_first else 1
        dealer = list(target.dealer[: self._dealer])
        if hole < len(dealer) and not self._turned:
            dealer[hole] = HIDDEN
        seats = []
        for seat, view in enumerate(target.seats):
            # Before the settlement is shown, so is the bankroll: without what lies on the table.
            bankroll = view.bankroll
            if view.net is not None:
                bankroll -= view.net + view.insurance + sum([hand.bet for hand in view.hands])
            part = SeatView(bankroll, view.bet, view.insurance, view.hands)
            for index, hand in enumerate(part.hands):
                _clip(hand, self._counts[seat][index])
            seats.append(part)
        shown = Visible(self.rules, "playing", dealer, seats)
        shown.seat = self.seat
        shown.hand = self.hand
        return shown


def _clip(hand, count: int) -> None:
    """Leaves `count` cards of a HandView; what it came to shows only if it busted with all of them."""
    hand.net = None
    if count == len(hand.cards) and hand.outcome == "bust":
        return
    hand.outcome = None
    hand.done = hand.done and count == len(hand.cards)
    hand.cards = hand.cards[:count]
    hand.total, hand.soft = hand_total(hand.cards)
