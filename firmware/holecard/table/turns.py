"""The rest of the button table: a round, what follows it, the text pages and the operator's menu. See phases.py."""

from holecard.table.phases import NOTHING, key, previous


def _insurance(_front):
    return (key("INSURE", "insure"), NOTHING, key("NO", "decline"), NOTHING)


def _playing(front):
    legal = front.game.visible.legal
    return (
        key("SPLIT", "split") if "P" in legal else NOTHING,
        key("HIT", "hit") if "H" in legal else NOTHING,
        key("STAND", "stand", "hint") if "S" in legal else NOTHING,
        key("DOUBLE", "double") if "D" in legal else NOTHING,
    )


def _doubling(front):
    visible = front.game.visible
    return (
        key("MORE", "more", "", True) if front.amount < visible.double_max else NOTHING,
        key("BACK", "back"),
        key("LESS", "less", "", True) if front.amount > visible.double_min else NOTHING,
        key("OK", "confirm"),
    )


def _settled(front):
    game = front.game
    ending = game.ending() >= 0
    gone = game.state(front.seat) == "away"
    return (
        NOTHING if ending else key("BET", "change_bet"),
        key("GO ON", "tell_ending") if ending else NOTHING if game.closed else key("DEAL", "again"),
        NOTHING if gone else _leave(front),
        key("HANDS", "recall"),
    )


def _leave(front):
    # The hands of several seats take turns on the panel: the first press holds the one that is meant.
    if front.game.seats == 1:
        return key("LEAVE", "leave")
    return key("LEAVE" + str(front.seat + 1), "leave") if front.frozen else key("LEAVE", "choose")


def _saved(_front):
    return (NOTHING, key("GO ON", "go_on"), NOTHING, NOTHING)


def _broke(front):
    # With one seat the player is out of the casino; with several, the others play on without one who leaves.
    leave = key("LEAVE", "give_up") if front.game.seats > 1 else NOTHING
    back = NOTHING if front.game.credits else key("RETURN", "go_on")
    return (NOTHING, back, leave, previous(front))


def _away(front):
    # With one seat there is nobody else to ask; with several, the others need not wait for an empty chair.
    skip = key("SKIP", "next_seat") if front.can_skip() else NOTHING
    return (NOTHING, key("SIT", "sit"), skip, previous(front))


# What goes on while its key is held.
_GRADUAL = ("MORE", "LESS", "+$100", "-$100")


def _menu(front):
    """The keys of the operator's menu; what the outer left ones do depends on its page."""
    first, second = front.menu.labels()
    return (
        key(first, "menu_more", "", first in _GRADUAL) if first else NOTHING,
        key("EXIT", "menu_leave"),
        key(second, "menu_less", "", second in _GRADUAL) if second else NOTHING,
        key("NEXT", "menu_next"),
    )


def _page(front):
    """The keys of a text page: back to the phase, and on, by the name of where that leads."""
    return (NOTHING, key("BACK", "close_page"), NOTHING, key(front.onward, "next_page"))


PHASES = {
    "insurance": _insurance,
    "playing": _playing,
    "doubling": _doubling,
    "settled": _settled,
    "saved": _saved,
    "broke": _broke,
    "away": _away,
    "menu": _menu,
    "page": _page,
}
