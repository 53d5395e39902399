"""The text pages that a player opens and turns, each a verb of the button table."""

from holecard.rules.strategy import hint as advice
from holecard.table import pages
from holecard.table.game import action_name


def hint(front) -> None:
    code, reason = advice(front.game.rules, front.game.visible)
    front.open_page("hint", pages.hint_page(action_name(code), reason), "SEATS")


def recall(front) -> None:
    _recall(front, 0, 0)


def _recall(front, back: int, leaf: int) -> None:
    """Opens page `leaf` of the round `back` rounds ago."""
    finished = front.game.finished
    count = len(finished)
    leaves = pages.recall_pages(finished.visible(back) if count else None, back, count)
    front.recalled = (back, leaf, len(leaves))
    more = leaf + 1 < len(leaves) or back + 1 < count
    front.open_page("recall", leaves[leaf], "NEXT" if more else "SEATS")


def next_page(front) -> None:
    """hint -> seats -> rules -> shoe -> hint while playing; recall (every page of each round) -> seats -> rules -> shoe
    -> recall when settled."""
    if front.page == "seats":
        front.open_page("rules", pages.rules_page(front.game.rules), "SHOE")
    elif front.page == "rules":
        fair = front.game.shoes.fair
        onward = "SECRET" if fair.last else _first(front)
        front.open_page("shoe", pages.shoe_page(fair.number, "Promised:", fair.commitment), onward)
    elif front.onward == "SECRET":
        last = front.game.shoes.fair.last
        front.open_page("shoe", pages.shoe_page(last.number, "Its secret was:", last.secret), _first(front))
    elif front.page == "shoe":
        if front.game.in_round:
            hint(front)
        else:
            recall(front)
    elif front.onward == "NEXT":
        back, leaf, leaves = front.recalled
        if leaf + 1 < leaves:
            _recall(front, back, leaf + 1)
        else:
            _recall(front, back + 1, 0)
    else:
        seats(front)


def _first(front) -> str:
    return "HINT" if front.game.in_round else "HANDS"


def seats(front) -> None:
    front.open_page("seats", pages.seats_page(front.game), "RULES")
