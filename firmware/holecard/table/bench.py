"""BENCh: what only a table on a test bench allows."""

from holecard.rules.cards import stack_ranks
from holecard.rules.ruleset import FIELDS, PRESETS, RuleError
from holecard.table.keys import NAMES
from holecard.table.scpi import number
from holecard.table.status import ScpiError
from holecard.table.waiting import AFTER_DEAL, WAIT

_LONGEST_MS = 10_000
_SEED_BYTES = 32


def _rules(desk, word: str) -> None:
    rules = PRESETS.get(word.lower())
    if rules is None:
        raise ScpiError(-224, word[:20])
    desk.game.set_rules(rules)


def _set_rule(desk, name: str, text: str) -> None:
    name = name.lower()
    try:
        desk.game.set_rules(desk.game.rules.replace(**{name: _field_value(name, text)}))
    except RuleError as error:
        raise ScpiError(-224, str(error))


def _field_value(name: str, text: str):
    """Money in dollars, a ratio as "3:2", a flag as ON or OFF."""
    for field in FIELDS:
        if field[0] == name:
            kind = field[1]
            if kind == "text":
                return text.lower()
            if kind == "bool" and text.upper() in ("ON", "OFF", "TRUE", "FALSE"):
                return text.upper() in ("ON", "TRUE")
            if kind == "ratio":
                return tuple([number(part) for part in text.split(":")])
            return number(text, 2 if kind in ("money", "bet") else 1)
    raise ScpiError(-224, name[:20] + ": no such rule")


def _seats(desk, count: int) -> None:
    if not 1 <= count <= desk.game.rules.max_seats:
        raise ScpiError(-222, "these rules seat 1 to " + str(desk.game.rules.max_seats))
    desk.game.set_seats(count)


def _bankroll(desk, seat: int, amount: int) -> None:
    if seat >= desk.game.seats:
        raise ScpiError(-222, "seats are 0 to " + str(desk.game.seats - 1))
    desk.game.set_bankroll(seat, amount)


def _shoe(desk, text: str) -> None:
    try:
        cards = stack_ranks([rank.strip() for rank in text.split(",")])
    except ValueError as error:
        raise ScpiError(-224, str(error)[:40])
    desk.game.stack(cards)


def _press(desk, name: str, ms: int):
    if name not in NAMES:
        raise ScpiError(-224, name[:20])
    if not 1 <= ms <= _LONGEST_MS:
        raise ScpiError(-222, "1 to " + str(_LONGEST_MS) + " ms")
    return None if desk.press(1 << NAMES.index(name), ms) else WAIT


def _seed(desk, text: str) -> None:
    if not text or len(text) % 2 or len(text) > 2 * _SEED_BYTES:
        raise ScpiError(-224, "1 to 32 bytes in hex")
    try:
        seed = bytes([int(text[i : i + 2], 16) for i in range(0, len(text), 2)])
    except ValueError:
        raise ScpiError(-224, "1 to 32 bytes in hex")
    desk.game.seed(seed)


def _clear(desk) -> None:
    desk.clear_record()


COMMANDS = (
    ("BENCh:RULes", "w", _rules),
    ("BENCh:RULes:SET", "tx", _set_rule),
    ("BENCh:SEATs", "n", _seats),
    ("BENCh:BANKroll", "n$", _bankroll, AFTER_DEAL),
    ("BENCh:SHOE", "s", _shoe, AFTER_DEAL),
    ("BENCh:PRESs", "wn", _press),
    ("BENCh:SEED", "s", _seed, AFTER_DEAL),
    ("BENCh:CLEar", "", _clear),
)
