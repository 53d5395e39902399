"""What the four keys do to a bet: chips, steps and limits. Money in half-dollars."""

CHIPS = (2, 10, 50, 200, 1000)
FIRST_CHIP = 10


class Bettor:
    """Works on the bets of a `Game`; one chip size for the whole panel."""

    def __init__(self, game) -> None:
        self._game = game
        self._rules = None
        self._chips: list = []

    def chips(self) -> list:
        """The chip sizes that these rules have a use for: none below the table minimum or above its maximum."""
        rules = self._game.rules
        if rules is not self._rules:
            self._rules = rules
            fitting = [chip for chip in CHIPS if rules.min_bet <= chip <= rules.bet_limit]
            self._chips = fitting or [rules.min_bet]
        return self._chips

    @property
    def chip(self) -> int:
        chips = self.chips()
        chip = self._game.chip
        return chip if chip in chips else chips[0]

    def next_chip(self) -> None:
        chips = self.chips()
        self._game.chip = chips[(chips.index(self.chip) + 1) % len(chips)]

    def raised(self, seat: int) -> int:
        """The bet one chip higher, as far as the limits reach."""
        bet = self._game.bets[seat]
        most = self._game.most(seat)
        return min(bet + self.chip if bet else self._game.rules.min_bet, most) if bet < most else bet

    def lowered(self, seat: int) -> int:
        """The bet one chip lower; below the minimum it is the minimum, and then, with several seats, sitting out."""
        bet = self._game.bets[seat]
        least = self._game.rules.min_bet
        if bet > least:
            return max(bet - self.chip, least)
        return 0 if self._game.seats > 1 else bet

    def last(self, seat: int) -> int:
        """The last round's bet as far as the money goes; the present one if there was none."""
        last = min(self._game.last_bets[seat], self._game.most(seat))
        return last or self._game.bets[seat]

    def can_deal(self) -> bool:
        return any(self._game.bets) and not self._game.closed
