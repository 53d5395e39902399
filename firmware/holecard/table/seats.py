"""The table between rounds: rules, seats, bankrolls, whose ending is being told, and what the bench may change.

It knows no key, no time and no screen. Everything that can be refused raises `Refused` with a reason and changes
nothing; everything that happens is an event and a step of `changes`.
"""

from holecard.rules.ruleset import SIFL, Refused, rules_text
from holecard.rules.seating import Seating
from holecard.rules.shoe import Shoe, StackedShoe
from holecard.table import telling
from holecard.table.accounts import Accounts
from holecard.table.betting import FIRST_CHIP
from holecard.table.fairness import Fairness
from holecard.table.money import rules_words
from holecard.table.shoes import Shoes

BETTING = "betting"
DEALING = "dealing"
INSURANCE = "insurance"
PLAYING = "playing"
SETTLED = "settled"
SAVED = "saved"
BROKE = "broke"
AWAY = "away"
LOCKED = "locked"


def _silent(reason: str) -> None:
    """Nobody is there yet."""


class Seats:
    """What `Game` is while no round is open. `now` (us) is set by its owner before each step and stamps the events.

    phase     BETTING, DEALING, INSURANCE, PLAYING, SETTLED, SAVED, BROKE, AWAY or LOCKED
    visible   `Visible` of the open or last round, None before the deal
    bets      the next round's, per seat; `last_bets`: those of the last round; `chip`: a step of them; half-dollars
    shoe      the one that the open or last round was dealt from; its `decks` and `left` are public
    shoes     the promises about the table's own, see `Shoes`
    bench     True while a command of the bench has had its hand in money or cards
    changes   counts every change, so that others see that there is one
    unsaved   True until the record has been stored
    accounts  the meters
    notes     what is to go into the log, in words
    closed    "" or why no round begins; `credits`: who is broke waits for the operator instead of starting again;
              `limit`: half-dollars above which a seat has to be paid before it bets again, 0 for none. See house.py
    audit     True while the operator's menu is open: nothing is played
    arcade    True on a table without a bench
    alarm     called with the reason when the table locks itself
    warning   what everybody who bets should know
    """

    shoe: "Shoe | StackedShoe"
    notes: list
    _shoe: Shoe
    _session: Seating

    def __init__(self, events, now: int) -> None:
        self._events = events
        self.now = now
        self.changes = 0
        self.rounds = 0
        self.message = ""
        self.seat = 0
        self.unsaved = False
        self.bench = False
        self.accounts = Accounts()
        self.notes = []
        self.closed = ""
        self.credits = False
        self.limit = 0
        self.audit = False
        self.arcade = False
        self.alarm = _silent
        self.warning = ""
        self.shoes = Shoes(self._put)
        self._round = None
        self._open(SIFL, 1, None)
        self.notes = []
        self.unsaved = False

    # -- set-up ------------------------------------------------------------------------------------------------------

    def _open(self, rules, seats: int, bankrolls, other_shoe: bool = False) -> None:
        """A new table; a shoe that is promised and not cut stays, unless there has to be an `other_shoe`."""
        if bankrolls is None:
            bankrolls = [0 if self.credits else rules.start_bankroll] * seats
        self.rules = rules
        self._give_up_shoe(other_shoe)
        self._clear_table()
        # The old shoe goes first: a small heap has no room for two.
        self.shoe = self._shoe = self._session = None  # type: ignore[assignment]
        self.shoe = self._shoe = Shoe(rules, None)
        self._session = Seating(rules, self._shoe, bankrolls)
        # A rule that was changed is money that was changed: what a blackjack pays, what a seat starts with.
        self.bench = not self.arcade and "/" in rules_text(rules)
        self.bets = [min(rules.min_bet, self.most(seat)) for seat in range(seats)]
        self.last_bets = [0] * seats
        self.chip = FIRST_CHIP
        self._celebrated = [False] * seats
        self.seat = 0
        self.accounts.open(bankrolls)
        self._note("new table: " + rules_words(rules) + ", seats " + str(seats))
        self._enter(BETTING)
        self.unsaved = True
        self.promise()

    def _give_up_shoe(self, other: bool) -> None:
        shoes = self.shoes
        if other or shoes.seeded or not shoes.uncut or shoes.rules != rules_text(self.rules):
            shoes.abandon(self._round if self._round is not None and self.shoe is self._shoe else None)
        shoes.seeded = False

    def promise(self) -> None:
        """Promises the next shoe unless one is promised; without a secret for it, `deal` tries again."""
        before = self.shoes.fair.number
        try:
            self.shoes.promise(rules_text(self.rules))
        except Refused:
            return
        if self.shoes.fair.number != before:
            self.unsaved = True
            self.changes += 1

    def _clear_table(self) -> None:
        """Nothing lies on the table, nothing is stacked or remembered."""
        self._round = None
        self.visible = None

    def set_rules(self, rules) -> None:
        """A new table under these rules; the open round is void, the seats start afresh."""
        self._guard()
        self._open(rules, min(self.seats, rules.max_seats), None)

    def set_seats(self, seats: int) -> None:
        """A new table with that many seats; Refused above the rules' limit."""
        self._guard()
        if not 1 <= seats <= self.rules.max_seats:
            raise Refused("these rules seat 1 to " + str(self.rules.max_seats))
        self._open(self.rules, seats, None)

    def reset(self) -> None:
        """*RST: start bankrolls, nothing stacked, the board's own cards, the open round void."""
        if self.phase != LOCKED and not self.audit:
            self._open(self.rules, self.seats, None)

    def lock(self, message: str) -> None:
        """Out of service until `unlock`: the bankrolls cannot be trusted."""
        self.message = message
        self.unsaved = True
        self._note("locked: " + message)
        self._enter(LOCKED)
        self.alarm(message)

    def unlock(self) -> None:
        """Starts afresh under the current rules; the way out of LOCKED."""
        self.message = ""
        self._note("unlocked")
        self._open(self.rules, self.seats, None, True)

    def set_bankroll(self, seat: int, amount: int) -> None:
        self._between_rounds()
        before = self._session.bankrolls[self._checked(seat)]
        self._session.set_bankroll(seat, amount)
        self.accounts.pay_in(amount - before)
        self._touched()
        self._celebrated[seat] = False
        self.bets[seat] = min(self.bets[seat] or self.rules.min_bet, self.most(seat))
        self._to_betting()

    def seed(self, seed: bytes) -> None:
        """All further shoes follow from `seed`, until the table is opened anew."""
        self._between_rounds()
        self.shoes.seed(seed, rules_text(self.rules))
        self._take_shoe(None)
        self._touched()

    def _take_shoe(self, stream) -> None:
        """A new shoe of the table's own. The old one goes first: a small heap has no room for two."""
        self.shoe = self._shoe = self._session.shoe = None  # type: ignore[assignment]
        self.shoe = self._shoe = self._session.shoe = Shoe(self.rules, stream)

    def _touched(self) -> None:
        """The bench has had its hand in; that the banner is due survives a power cut."""
        if not self.bench:
            self.bench = True
            self._note("bench")
        self.unsaved = True
        self.changes += 1

    # -- what is so --------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> int:
        return len(self.bets)

    @property
    def in_round(self) -> bool:
        return self._round is not None

    @property
    def shown(self):
        """The Round that is open, or settled and still shown; None if there is none."""
        current = self._session.round
        if self._round is not None or current is None or self.visible is None or self.phase in (BETTING, AWAY):
            return self._round
        return current if current.bankrolls == self._session.bankrolls else None

    @property
    def last_round(self):
        """The Round that was begun last."""
        return self._session.round

    def bankrolls(self) -> list:
        """Between rounds."""
        return self._session.bankrolls

    def told(self, seat: int) -> bool:
        """Whether the seat has been told that it is saved."""
        return self._celebrated[seat]

    def bankroll(self, seat: int) -> int:
        """Half-dollars of a seat, without what it has on the table."""
        if self._round is not None:
            return self.visible.seats[seat].bankroll
        return self._session.bankrolls[seat]

    def state(self, seat: int) -> str:
        """ "play", "saved", "broke" or "away"."""
        return self._session.state(seat)

    def most(self, seat: int) -> int:
        """The highest bet that the seat may place, 0 if it may place none."""
        if self._session.state(seat) in (AWAY, BROKE) or self._rich(seat):
            return 0
        most = min(self._session.bankrolls[seat], self.rules.bet_limit) // 2 * 2
        return most if most >= self.rules.min_bet else 0

    def says(self, seat: int) -> str:
        """What a player at that seat has to know before the next bet; "" if nothing."""
        if self.message or self.closed:
            return self.message or self.closed
        if self.credits and self.state(seat) == BROKE:
            return "Ask for more credit."
        return "Limit reached: ask to be paid." if self._rich(seat) else self.warning

    def ending(self) -> int:
        """The first seat that has just been saved or gone broke and has not been told; -1 if there is none."""
        for seat in range(self.seats):
            state = self._session.state(seat)
            if state == BROKE or (state == SAVED and not self._celebrated[seat]):
                return seat
        return -1

    # -- verbs -------------------------------------------------------------------------------------------------------

    def next_round(self) -> None:
        """Back to betting, from wherever there is no open round; whoever is broke gets a new bankroll."""
        self._between_rounds()
        for seat in range(self.seats):
            if self.phase == AWAY:
                self._session.sit(seat)
            self._go_on(seat)
        self._to_betting()

    def go_on(self) -> None:
        """Ends the telling of the current seat's ending: who is broke comes back with a new bankroll."""
        self._between_rounds()
        self._go_on(self.seat)
        self._next_ending()

    def give_up(self) -> None:
        """The current seat is broke and leaves; the others play on without it."""
        self._between_rounds()
        self._leave(self.seat)
        if self.phase == BETTING and self.seat + 1 < self.seats:
            self.seat += 1
        self._next_ending()

    def tell_ending(self) -> None:
        """To the phase SAVED or BROKE of the first seat that has one to be told, else to betting."""
        seat = self.ending()
        if seat < 0:
            self._to_betting()
            return
        self.seat = seat
        self._enter(self._session.state(seat))

    def leave(self, seat: int) -> None:
        """The player of that seat goes; the bankroll stays with the seat."""
        self._between_rounds()
        self._leave(self._checked(seat))
        if self.phase != SETTLED or self._all_away():
            self._enter_between_rounds()

    def sit(self, seat: int) -> None:
        """Somebody takes the seat again, with a new bankroll if it had been left with too little for any bet."""
        self._between_rounds()
        self._session.sit(self._checked(seat))
        if self._session.state(seat) == BROKE:
            self._go_on(seat)
        self.bets[seat] = min(self.rules.min_bet, self.most(seat))
        self.unsaved = True
        self._put(telling.SEAT, seat, self.state(seat))
        if self.phase != SETTLED:
            self._enter(BETTING)

    def select(self, seat: int) -> None:
        """The seat whose bet the panel asks for."""
        self.seat = self._checked(seat)
        self.changes += 1

    # -- inside ------------------------------------------------------------------------------------------------------

    def _guard(self) -> None:
        if self.phase == LOCKED:
            raise Refused(self.message)
        if self.audit:
            raise Refused("the operator's menu is open")

    def _rich(self, seat: int) -> bool:
        return 0 < self.limit < self._session.bankrolls[seat]

    def _between_rounds(self) -> None:
        self._guard()
        if self._round is not None:
            raise Refused("a round is open")

    def _checked(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise Refused("no such seat")
        return seat

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def tell_error(self, code: int, text: str) -> None:
        """Something that concerns nobody's command has gone wrong."""
        self._put(telling.ERROR, code, text)

    def take_back(self, known: bool) -> None:
        """What has happened since the last record tells nobody of itself; where that record is not `known` either,
        nothing lies on the table any more."""
        self._events.take_back()
        if not known:
            self._clear_table()
            self._session.bankrolls = [self.rules.start_bankroll] * self.seats
            self.accounts = Accounts()
            self.shoes.fair = Fairness()

    def _put(self, kind: tuple, *values) -> None:
        self._events.put(self.now, kind, *values)

    def _enter(self, phase: str) -> None:
        self.phase = phase
        self.changes += 1
        self._put(telling.PHASE, phase, self.seat)

    def _all_away(self) -> bool:
        return all(self._session.state(seat) == AWAY for seat in range(self.seats))

    def _to_betting(self) -> None:
        self.seat = 0
        self.visible = None
        self._cap_bets()
        self._enter_between_rounds()

    def _cap_bets(self) -> None:
        for seat in range(self.seats):
            self.bets[seat] = min(self.bets[seat], self.most(seat))

    def _enter_between_rounds(self) -> None:
        self._enter(AWAY if self._all_away() else BETTING)

    def _next_ending(self) -> None:
        """The next ending, or betting; where a broke seat was met among the bets, those go on from there."""
        if self.phase == BETTING:
            self._enter_between_rounds()
        else:
            self.tell_ending()

    def _leave(self, seat: int) -> None:
        self._session.leave(seat)
        self.bets[seat] = 0
        self.unsaved = True
        self.changes += 1
        self._put(telling.SEAT, seat, self.state(seat))

    def _go_on(self, seat: int) -> None:
        state = self._session.state(seat)
        if state == SAVED:
            self._celebrated[seat] = True
        elif state == BROKE and not self.credits:
            before = self._session.bankrolls[seat]
            self._session.come_back(seat)
            self.accounts.pay_in(self._session.bankrolls[seat] - before)
            self._celebrated[seat] = False
            self.bets[seat] = min(self.rules.min_bet, self.most(seat))
            self.unsaved = True
