"""What the operator does with a table between rounds: see orders.py for who may, house.py for what is kept of it."""

from holecard.rules.ruleset import MOST_MONEY, Refused
from holecard.table.money import money
from holecard.table.seats import AWAY, BETTING, LOCKED, Seats


class Premises(Seats):
    """`Seats` whose rules, places and money an operator may change."""

    def unlock(self, keep: bool = False) -> None:
        """The way out of LOCKED; with the bankrolls that are there if they are to `keep`, and an open round void."""
        if not keep:
            super().unlock()
            return
        self.message = ""
        self._note("unlocked")
        self.start_over(self.rules, self.seats)

    def start_over(self, rules, seats: int) -> None:
        """Other rules or seats by the operator, or only another shoe: seats keep their money, an open round is void.

        RuleSet and number of seats have to fit. A seat that is new starts with a bankroll, unless there are credits.
        """
        message = self.message if self.phase == LOCKED else ""
        new = [0 if self.credits else rules.start_bankroll] * seats
        bankrolls = self._session.bankrolls[:seats]
        bankrolls += new[len(bankrolls) :]
        told = self._celebrated[:seats]
        away = [seat for seat in range(min(seats, self.seats)) if self.state(seat) == AWAY]
        bench = self.bench
        self._open(rules, seats, bankrolls, True)
        self.bench = bench
        self._celebrated[: len(told)] = told
        for seat in away:
            self._leave(seat)
        if self.phase != LOCKED:
            self._enter_between_rounds()
        if message:
            self.lock(message)

    def run_by(self, closed: str, credits: bool, limit: int) -> None:
        """How the operator wants the table to be run: see the attributes of these names."""
        self.closed = closed
        self.credits = credits
        self.limit = limit
        if self.phase == BETTING:
            self._cap_bets()
        self.changes += 1

    def check_payment(self, seat: int, amount: int) -> int:
        """What the seat would have after `pay`; Refused if that cannot be."""
        self._between_rounds()
        after = self._session.bankrolls[self._checked(seat)] + amount
        if after < 0:
            raise Refused("the seat has " + money(after - amount))
        if amount > 0 and after > (self.limit or MOST_MONEY):
            raise Refused("above the bankroll limit")
        return after

    def pay(self, seat: int, amount: int) -> None:
        """The operator pays half-dollars in at a seat, or out (negative)."""
        self._session.set_bankroll(seat, self.check_payment(seat, amount))
        self.accounts.pay_in(amount)
        self.unsaved = True
        self.bets[seat] = self.bets[seat] or min(self.rules.min_bet, self.most(seat))
        self._to_betting()
