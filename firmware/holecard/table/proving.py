"""FAIRness: what a host needs to prove that no shoe was chosen; docs/fairness.md tells what that is."""

from holecard.rules.ruleset import Refused
from holecard.table import jsontext as js
from holecard.table.fairness import MOST_HOST, parse_hex, round_line, to_hex
from holecard.table.status import ScpiError
from holecard.table.waiting import AFTER_DEAL


def _shoe(desk) -> str:
    shoes = desk.game.shoes
    current = shoes.fair.current
    return js.record(
        ("shoe", str(shoes.fair.number)),
        ("state", js.quote(shoes.fair.state)),
        ("commitment", js.quote(to_hex(shoes.fair.commitment))),
        ("rounds", str(current.rounds if current else 0)),
        ("recalled", str(len(desk.game.finished))),
        ("host", js.quote(to_hex(shoes.host if shoes.uncut else current.host if current else b""))),
    )


def _log(desk) -> list:
    return js.strings(desk.game.shoes.fair.head() + desk.game.shoes.lines())


def _round(desk, back: int = 0) -> str:
    finished = desk.game.finished
    if back >= len(finished):
        raise Refused("no such round is remembered")
    place = finished.place(back)
    if not place:
        raise Refused("the cards of that round were stacked")
    return round_line(place, finished.line(back))


def _cut(desk, text: str) -> None:
    try:
        data = parse_hex(text.lower(), 1, MOST_HOST)
    except ValueError:
        raise ScpiError(-224, "1 to 16 bytes in hex")
    desk.game.shoes.add(data)


COMMANDS = (
    ("FAIRness:SHOE?", "", _shoe),
    ("FAIRness:LOG?", "", _log),
    ("FAIRness:ROUNd?", "?n", _round, AFTER_DEAL),
    ("FAIRness:CUT", "s", _cut),
)
