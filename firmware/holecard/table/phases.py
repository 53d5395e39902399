"""The button table: what each key means in each phase.

One function per phase, which answers four meanings in the order of the keys: (label, verb, verb when held, repeats).
A label is there exactly when a press does something. A key with a verb when held acts on release; one that repeats acts
at once and again while it is held.
"""

NOTHING = ("", "", "", False)
NOTHINGS = (NOTHING, NOTHING, NOTHING, NOTHING)


def _key(label: str, verb: str, held: str = "", repeats: bool = False):
    return (label, verb, held, repeats)


def _betting(front):
    """With several seats HIT asks the next one and DOUBLE the one before, whose bet can so be corrected; the last seat
    deals. The last bet again is for a single seat: at a table of several the bets stay from round to round anyway."""
    game = front.game
    bettor = front.bettor
    seat = game.seat
    bet = game.bets[seat]
    up = _key("RAISE", "raise_bet", "", True) if bettor.raised(seat) != bet else NOTHING
    chip = "next_chip" if len(bettor.chips()) > 1 else ""
    if bettor.lowered(seat) != bet:
        down = _key("LOWER", "lower_bet", chip)
    else:
        down = _key("CHIP", chip, chip) if chip else NOTHING
    if seat + 1 < game.seats:
        deal = _key("NEXT", "next_seat")
    else:
        deal = _key("DEAL", "deal") if bettor.can_deal() else NOTHING
    if game.seats > 1:
        return (up, deal, down, _previous(front))
    last = _key("AGAIN", "last_bet") if bettor.last(seat) != bet else NOTHING
    return (up, deal, down, last)


def _previous(front):
    return _key("PREV", "previous_seat") if front.can_go_back() else NOTHING


def _insurance(_front):
    return (_key("INSURE", "insure"), NOTHING, _key("NO", "decline"), NOTHING)


def _playing(front):
    legal = front.game.visible.legal
    return (
        _key("SPLIT", "split") if "P" in legal else NOTHING,
        _key("HIT", "hit") if "H" in legal else NOTHING,
        _key("STAND", "stand", "hint") if "S" in legal else NOTHING,
        _key("DOUBLE", "double") if "D" in legal else NOTHING,
    )


def _doubling(front):
    visible = front.game.visible
    return (
        _key("MORE", "more", "", True) if front.amount < visible.double_max else NOTHING,
        _key("BACK", "back"),
        _key("LESS", "less", "", True) if front.amount > visible.double_min else NOTHING,
        _key("OK", "confirm"),
    )


def _settled(front):
    game = front.game
    ending = game.ending() >= 0
    gone = game.state(front.seat) == "away"
    return (
        NOTHING if ending else _key("BET", "change_bet"),
        _key("GO ON", "tell_ending") if ending else NOTHING if game.closed else _key("DEAL", "again"),
        NOTHING if gone else _leave(front),
        _key("HANDS", "recall"),
    )


def _leave(front):
    # The hands of several seats take turns on the panel: the first press holds the one that is meant.
    if front.game.seats == 1:
        return _key("LEAVE", "leave")
    return _key("LEAVE" + str(front.seat + 1), "leave") if front.frozen else _key("LEAVE", "choose")


def _saved(_front):
    return (NOTHING, _key("GO ON", "go_on"), NOTHING, NOTHING)


def _broke(front):
    # With one seat the player is out of the casino; with several, the others play on without one who leaves.
    leave = _key("LEAVE", "give_up") if front.game.seats > 1 else NOTHING
    back = NOTHING if front.game.credits else _key("RETURN", "go_on")
    return (NOTHING, back, leave, _previous(front))


def _away(front):
    # With one seat there is nobody else to ask; with several, the others need not wait for an empty chair.
    skip = _key("SKIP", "next_seat") if front.can_skip() else NOTHING
    return (NOTHING, _key("SIT", "sit"), skip, _previous(front))


def _attract(_front):
    wake = _key("PLAY", "wake")
    return (wake, wake, wake, wake)


def _nothing(_front):
    return NOTHINGS


# What goes on while its key is held.
_GRADUAL = ("MORE", "LESS", "+$100", "-$100")


def menu(front):
    """The keys of the operator's menu; what the outer left ones do depends on its page."""
    first, second = front.menu.labels()
    return (
        _key(first, "menu_more", "", first in _GRADUAL) if first else NOTHING,
        _key("EXIT", "menu_leave"),
        _key(second, "menu_less", "", second in _GRADUAL) if second else NOTHING,
        _key("NEXT", "menu_next"),
    )


def page(front):
    """The keys of a text page: back to the phase, and on, by the name of where that leads."""
    return (NOTHING, _key("BACK", "close_page"), NOTHING, _key(front.onward, "next_page"))


PHASES = {
    "attract": _attract,
    "betting": _betting,
    "dealing": _nothing,
    "insurance": _insurance,
    "playing": _playing,
    "doubling": _doubling,
    "settled": _settled,
    "saved": _saved,
    "broke": _broke,
    "away": _away,
    "locked": _nothing,
}
