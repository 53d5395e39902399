"""The button table: what each key means in each phase.

One function per phase, which answers four meanings in the order of the keys: (label, verb, verb when held, repeats).
A label is there exactly when a press does something. A key with a verb when held acts on release; one that repeats acts
at once and again while it is held. What a start does not need is in turns.py.
"""

NOTHING = ("", "", "", False)
NOTHINGS = (NOTHING, NOTHING, NOTHING, NOTHING)


def key(label: str, verb: str, held: str = "", repeats: bool = False):
    return (label, verb, held, repeats)


def _betting(front):
    """With several seats HIT asks the next one and DOUBLE the one before, whose bet can so be corrected; the last seat
    deals. The last bet again is for a single seat: at a table of several the bets stay from round to round anyway."""
    game = front.game
    bettor = front.bettor
    seat = game.seat
    bet = game.bets[seat]
    up = key("RAISE", "raise_bet", "", True) if bettor.raised(seat) != bet else NOTHING
    chip = "next_chip" if len(bettor.chips()) > 1 else ""
    if bettor.lowered(seat) != bet:
        down = key("LOWER", "lower_bet", chip)
    else:
        down = key("CHIP", chip, chip) if chip else NOTHING
    deal = key("DEAL", "deal") if bettor.can_deal() else NOTHING
    if seat + 1 < game.seats:
        deal = key("NEXT", "next_seat")
    if game.seats > 1:
        return (up, deal, down, previous(front))
    last = key("AGAIN", "last_bet") if bettor.last(seat) != bet else NOTHING
    return (up, deal, down, last)


def previous(front):
    return key("PREV", "previous_seat") if front.can_go_back() else NOTHING


def _attract(_front):
    wake = key("PLAY", "wake")
    return (wake, wake, wake, wake)


def _nothing(_front):
    return NOTHINGS


PHASES = {
    "attract": _attract,
    "betting": _betting,
    "dealing": _nothing,
    "locked": _nothing,
}


def meanings(phase: str, front) -> tuple:
    """In that phase; "menu" and "page" count as phases too."""
    if phase not in PHASES:
        from holecard.table import turns  # noqa: PLC0415 - see ahead.py

        PHASES.update(turns.PHASES)
    return PHASES[phase](front)
