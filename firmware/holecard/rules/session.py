"""Seats, bankrolls and one shoe over many rounds."""

from .round import Round
from .seating import Seating


class Session(Seating):
    """A table's evening: a `Seating` that deals."""

    def deal(self, bets, shoe=None):
        """See `deal`."""
        return deal(self, bets, shoe)


def deal(seating, bets, shoe=None):
    """Starts the next Round with one bet per seat (0 = sits out); a `shoe` replaces the table's own for this round.

    Refused, with nothing changed, if a round is open or a bet is not allowed.
    """
    seating.check_deal(bets)
    play = Round(seating.rules, seating.bankrolls, bets, seating.shoe if shoe is None else shoe)
    seating.resume(play)
    return play
