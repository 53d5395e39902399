"""Seats, bankrolls and one shoe, for as long as no round is played: see `session`."""

from .ruleset import MOST_MONEY, Refused, check_bet


class Seating:
    """A table between two rounds: who sits where with how much.

    ``bankrolls`` are those between rounds: while a round is open they are as before its bets; settle() brings them up
    to date. ``round`` is the open or the last round, None before the first.
    """

    def __init__(self, rules, shoe, bankrolls=None):
        """`bankrolls`: half-dollars per seat (default: one start bankroll); Refused if there are too many seats."""
        self.rules = rules
        self.shoe = shoe
        self.bankrolls = [rules.start_bankroll] if bankrolls is None else list(bankrolls)
        if not 1 <= len(self.bankrolls) <= rules.max_seats:
            raise Refused("wrong number of seats")
        self.round = None
        self._open = False
        self._away = []  # seats that were left

    def state(self, seat: int) -> str:
        """ "play", "saved" (goal reached; may play on), "broke" (less than the smallest bet) or "away" (seat left)."""
        if seat in self._away:
            return "away"
        bankroll = self.bankrolls[seat]
        if bankroll < self.rules.min_bet:
            return "broke"
        if self.rules.goal and bankroll >= self.rules.goal:
            return "saved"
        return "play"

    def check_bet(self, seat: int, bet: int) -> None:
        """Refused, with the reason, unless the seat may bet so much in the next round; 0 (sits out) it always may."""
        if bet:
            if seat in self._away:
                raise Refused("nobody sits there")
            check_bet(self.rules, self.bankrolls[seat], bet)

    def check_deal(self, bets) -> None:
        """Refused if a round is open, or one of the `bets` is from a seat that was left."""
        if self._open:
            raise Refused("a round is open")
        for seat in self._away:
            if seat < len(bets) and bets[seat]:
                raise Refused("nobody sits there")

    def resume(self, play) -> None:
        """Takes up a Round that was begun, or played to its end, from these bankrolls."""
        self.round = play
        self._open = True

    def settle(self) -> None:
        """Takes over the bankrolls of the finished (or void) round; Refused while there is none."""
        play = self.round
        if play is None or not self._open:
            raise Refused("no round to settle")
        if play.phase not in ("over", "void"):
            raise Refused("a round is open")
        self.bankrolls = list(play.bankrolls)
        self._open = False

    def come_back(self, seat: int) -> None:
        """A broke seat starts again: a new start bankroll replaces what was left. Refused unless it is broke."""
        self._check_free(seat)
        if self.state(seat) != "broke":
            raise Refused("only who is broke starts again")
        self.bankrolls[seat] = self.rules.start_bankroll

    def leave(self, seat: int) -> None:
        """The seat is given up, its bankroll kept for sit(). Refused while a round is open."""
        self._check_free(seat)
        if seat in self._away:
            raise Refused("nobody sits there")
        self._away.append(seat)

    def sit(self, seat: int) -> None:
        """The seat is taken again, with the bankroll it was left with."""
        if seat not in self._away:
            raise Refused("the seat is taken")
        self._away.remove(seat)

    def set_bankroll(self, seat: int, bankroll: int) -> None:
        """Sets a bankroll (half-dollars, 0 to MOST_MONEY) by decree. Refused while a round is open."""
        self._check_free(seat)
        if not 0 <= bankroll <= MOST_MONEY:
            raise Refused("no such bankroll")
        self.bankrolls[seat] = bankroll

    def _check_free(self, seat: int) -> None:
        # A seat that sits out counts too: settle() would take over its bankroll from before the change.
        if self._open:
            raise Refused("a round is open")
