"""The rounds of the table: bets, the deal, the actions, the end.

What the dealer finds under his ace or ten is nobody's to know before the deal lies on the table. So a round is DEALING
until `peek`: until then everything that leaves the table is the same whatever the hole card is. The record, which holds
the cards, never leaves it.
"""

from holecard.rules.ruleset import Refused, rules_text
from holecard.rules.shoe import Shoe, StackedShoe
from holecard.table import telling
from holecard.table.premises import Premises
from holecard.table.recall import Recall
from holecard.table.seats import BETTING, DEALING, SAVED, SETTLED

# Action codes of `Round.act` with the names that the wire uses.
ACTIONS = (("H", "HIT"), ("S", "STAND"), ("D", "DOUBLE"), ("P", "SPLIT"), ("I", "INSURE"), ("N", "DECLINE"))


def action_name(code: str) -> str:
    for short, name in ACTIONS:
        if short == code:
            return name
    return "TIMEOUT" if code == "T" else code


class RoundVoid(Exception):
    """A stacked shoe ran dry: the round is void and every bankroll as it was before it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Deal:
    """The table right after a deal: `visible`, the `states` of the seats before their bets, the shoe's figures."""

    def __init__(self, visible, states: list, decks: int, left: int) -> None:
        self.visible = visible
        self.states = states
        self.decks = decks
        self.left = left


class Game(Premises):
    """One table; see `Seats` for what it is between rounds.

    dealt     the last `Deal`, None before the first
    finished  the last rounds, a `Recall`
    """

    dealt: "Deal | None"
    _stacked: "list | None"

    def __init__(self, events, now: int) -> None:
        self.finished = Recall()
        super().__init__(events, now)

    def _clear_table(self) -> None:
        super()._clear_table()
        self._stacked = None
        # Cards that had left the shoe when the open round began.
        self._taken = 0
        self.dealt = None
        self.finished.clear()

    @property
    def dealing(self) -> bool:
        """True from the deal until `peek`."""
        return self.phase == DEALING

    def start_over(self, rules, seats: int) -> None:
        # The ring of the last rounds outlasts a change of the rules.
        remembered = len(self.finished)
        super().start_over(rules, seats)
        self.finished.count = remembered

    def stack(self, cards) -> None:
        """The next round is dealt from exactly these cards."""
        self._between_rounds()
        self._stacked = list(cards)
        self._touched()

    def stack_left(self):
        """The cards that the bench has chosen and that are still to come, None if they are not the bench's."""
        if self._round is None:
            return self._stacked
        return None if self.shoe is self._shoe else self.shoe.rest()

    def taken(self) -> int:
        """How many cards had left the table's own shoe; when the round began, if it is dealt from it and still open."""
        return self._taken if self._round is not None and self.shoe is self._shoe else self._shoe.taken

    # -- verbs -------------------------------------------------------------------------------------------------------

    def bet(self, seat: int, amount: int) -> None:
        """Sets a bet (half-dollars, 0 = sit out) without dealing."""
        self._guard()
        if self.phase != BETTING:
            raise Refused("bets are closed")
        self._checked(seat)
        self._check_bet(seat, amount)
        self.bets[seat] = amount
        self.seat = seat
        self.changes += 1
        self._put(telling.BET, seat, amount)

    def deal(self) -> None:
        """Takes the bets and deals; `peek` ends it. Raises Refused, or RoundVoid when the stacked shoe is too short."""
        self._guard()
        if self.phase != BETTING:
            raise Refused("no bets are open")
        if self.closed:
            raise Refused(self.closed)
        for seat, bet in enumerate(self.bets):
            self._check_bet(seat, bet)
        if not any(self.bets):
            raise Refused("no bet")
        shoe = self._own_shoe() if self._stacked is None else StackedShoe(self._stacked)
        states = [self._session.state(seat) for seat in range(self.seats)]
        from holecard.rules import session  # noqa: PLC0415 - see ahead.py

        current = session.deal(self._session, self.bets, shoe)
        self._begin(current, shoe, states)

    def _own_shoe(self) -> Shoe:
        """The table's own shoe, cut if it was only promised."""
        shoes = self.shoes
        if shoes.fair.current is None:
            shoes.promise(rules_text(self.rules))
            self.unsaved = True
            self.changes += 1
            # Who bets has to see the promise first.
            raise Refused("the next shoe is ready now")
        if shoes.uncut:
            self._take_shoe(shoes.cut())
        self._taken = self._shoe.taken
        return self._shoe

    def _begin(self, current, shoe, states: list) -> None:
        self._stacked = None
        self.shoe = shoe
        self._round = current
        self.unsaved = True
        self.rounds += 1
        self.last_bets = list(self.bets)
        self._put(telling.DEAL, self.rounds, current.bets)
        self.dealt = None
        self.visible = visible = current.visible_after_deal()
        self.seat = next(seat for seat, bet in enumerate(self.bets) if bet)
        if current.phase != "void":
            self._enter(DEALING)
        if visible is not None:
            self.dealt = Deal(visible, states, shoe.decks, _left_after_deal(current, shoe))
            telling.cards(self._put, None, visible)
        if current.phase == "void":
            self._void()

    def peek(self) -> None:
        """The deal lies on the table: insurance, the first decision, or the end of the round becomes public."""
        if self.phase == DEALING:
            self._follow(self._round, self.visible)

    def act(self, seat: int, code: str, amount: int = 0) -> None:
        """Applies an action of `Round.act`, with `amount` half-dollars for a double. Raises Refused or RoundVoid."""
        self._guard()
        if self._round is None:
            raise Refused("no round is open")
        if self.phase == DEALING:
            raise Refused("the cards are being dealt")
        before = self.visible
        hand = before.hand
        self._round.act(seat, code, amount)
        self.unsaved = True
        if code == "D":
            self._put(telling.DOUBLE, seat, hand, "DOUBLE", amount or before.seats[seat].hands[hand].bet)
        else:
            self._put(telling.ACTION, seat, hand, action_name(code))
        self._follow(self._round, before)

    def again(self) -> None:
        """The next round at once, with the last bets as far as each seat's money goes."""
        self._guard()
        if self.phase != SETTLED:
            raise Refused("no round has been settled")
        if self.closed:
            raise Refused(self.closed)
        self._to_betting()
        if any(self.bets):
            self.deal()

    # -- inside ------------------------------------------------------------------------------------------------------

    def _check_bet(self, seat: int, bet: int) -> None:
        if bet:
            self._session.check_bet(seat, bet)
            if self._rich(seat):
                raise Refused("the bankroll limit is reached")

    def _follow(self, current, before) -> None:
        """After the Round `current` has moved: what can be seen now, its events, and the end if there is one."""
        if current.phase == "void":
            self._void()
        self.visible = visible = current.visible()
        telling.cards(self._put, before, visible)
        if visible.phase != "over":
            self.seat = visible.seat
            if self.phase == visible.phase:
                self.changes += 1
            else:
                self._enter(visible.phase)
            return
        self._session.settle()
        self._round = None
        self.unsaved = True
        problem = self.accounts.settle(current, self._session.bankrolls)
        own = self.shoe is self._shoe
        self.finished.add(current, visible, self.shoes.fair.count() if own else "")
        for seat in range(self.seats):
            if self._session.state(seat) != SAVED:
                self._celebrated[seat] = False
        nets = tuple([seat.net for seat in visible.seats])
        states = tuple([self._session.state(seat) for seat in range(self.seats)])
        self._put(telling.SETTLED, self.rounds, nets, tuple(self._session.bankrolls), states)
        self._enter(SETTLED)
        if problem:
            self.lock(problem)
        elif own and self._shoe.due:
            self.shoes.abandon(None)
            self.promise()

    def _void(self) -> None:
        self._session.settle()
        self._round = None
        self.unsaved = True
        self._to_betting()
        reason = "the stacked shoe has run dry, the round is void"
        self._put(telling.ERROR, -200, reason)
        raise RoundVoid(reason)


def _left_after_deal(current, shoe) -> int:
    """Cards left in the shoe after the deal, though the dealer may have drawn since: nobody had a decision to make."""
    dealt = 2 * len([bet for bet in current.bets if bet]) + 2
    if current.refill_at >= dealt:
        return current.refill_at - dealt
    return shoe.left + len(current.drawn) - dealt
