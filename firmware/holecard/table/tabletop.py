"""TABLe and ROUNd: what lies on the table, and playing by name."""

from holecard.rules.ruleset import FIELDS, Refused
from holecard.rules.strategy import hint
from holecard.table import jsontext as js
from holecard.table.accounts import MODULUS, NAMES, WON
from holecard.table.game import action_name
from holecard.table.state import deal_json, state_json
from holecard.table.status import ScpiError
from holecard.table.waiting import AFTER_DEAL

# SCPI's short forms, and the letters of the case files.
_ACTIONS = {
    "H": "H",
    "HIT": "H",
    "S": "S",
    "STAN": "S",
    "STAND": "S",
    "D": "D",
    "DOUB": "D",
    "DOUBLE": "D",
    "P": "P",
    "SPL": "P",
    "SPLIT": "P",
    "I": "I",
    "INS": "I",
    "INSURE": "I",
    "N": "N",
    "NOINS": "N",
    "DECL": "N",
    "DECLINE": "N",
}


def _seat(desk, seat: int) -> int:
    if seat >= desk.game.seats:
        raise ScpiError(-222, "seats are 0 to " + str(desk.game.seats - 1))
    return seat


def _state(desk) -> list:
    desk.draw()
    return state_json(desk.game, desk.front)


def _deal_state(desk) -> list:
    if desk.game.dealt is None:
        raise Refused("nothing has been dealt")
    return deal_json(desk.game)


def _rules(desk) -> str:
    pairs = []
    for name, kind, _low, _high in FIELDS:
        value = getattr(desk.game.rules, name)
        if kind == "text":
            text = js.quote(value)
        elif kind == "bool":
            text = js.flag(value)
        elif kind == "ratio":
            text = js.array([str(part) for part in value])
        else:
            text = str(value) if kind == "int" else js.dollars(value)
        pairs.append((name, text))
    return js.record(*pairs)


def _history(desk, back: int = 0) -> str:
    finished = desk.game.finished
    if back >= len(finished):
        raise Refused("no such round is remembered")
    return finished.line(back)


def _meters(desk) -> str:
    pairs = []
    for number, name in enumerate(NAMES):
        value = desk.game.accounts.meters[number]
        text = js.money(value) if number <= WON else str(value)
        pairs.append((name, text if desk.keeper.intact else "null"))
    return js.record(*pairs)


def _audit(desk) -> str:
    """What could not be read is null; of a table that does not know its money nothing is ok."""
    game = desk.game
    known = desk.keeper.intact
    wanted, there = game.accounts.expected(), sum(game.bankrolls()) % MODULUS
    sums = [js.money(value if known else None) for value in (game.accounts.paid_in, wanted, there)]
    return js.record(
        ("known", js.flag(known)),
        ("paid_in", sums[0]),
        ("expected", sums[1]),
        ("bankrolls", sums[2]),
        ("ok", js.flag(known and wanted == there)),
        ("locked", js.quote(game.message)),
    )


def _hint(desk) -> str:
    visible = desk.game.visible
    code, reason = hint(desk.game.rules, visible) if visible else ("", "There is nothing to decide now.")
    return js.record(("do", js.quote(action_name(code))), ("reason", js.quote(reason)))


def _leave(desk, seat: int) -> None:
    desk.game.leave(_seat(desk, seat))


def _sit(desk, seat: int) -> None:
    desk.game.sit(_seat(desk, seat))


def _bet(desk, seat: int, amount: int) -> None:
    if amount % 2:
        raise ScpiError(-224, "only whole dollars")
    desk.game.bet(_seat(desk, seat), amount)


def _deal(desk) -> None:
    desk.game.deal()


def _action(desk, seat: int, word: str, amount=None) -> None:
    code = _ACTIONS.get(word)
    if code is None:
        raise ScpiError(-224, word[:20])
    if amount is not None:
        if code != "D":
            raise ScpiError(-108, "only a double takes an amount")
        if amount == 0 or amount % 2:
            raise ScpiError(-224, "only whole dollars, at least 1")
    desk.game.act(_seat(desk, seat), code, amount or 0)


def _next(desk) -> None:
    desk.game.next_round()


COMMANDS = (
    ("TABLe:STATe?", "", _state, AFTER_DEAL),
    ("TABLe:DEAL?", "", _deal_state),
    ("TABLe:RULes?", "", _rules),
    ("TABLe:HISTory?", "?n", _history, AFTER_DEAL),
    ("TABLe:METers?", "", _meters),
    ("TABLe:AUDit?", "", _audit),
    ("TABLe:HINT?", "", _hint, AFTER_DEAL),
    ("TABLe:LEAVe", "n", _leave, AFTER_DEAL),
    ("TABLe:SIT", "n", _sit, AFTER_DEAL),
    ("ROUNd:BET", "n$", _bet, AFTER_DEAL),
    ("ROUNd:DEAL", "", _deal, AFTER_DEAL),
    ("ROUNd:ACTion", "nw?$", _action, AFTER_DEAL),
    ("ROUNd:NEXT", "", _next, AFTER_DEAL),
)
