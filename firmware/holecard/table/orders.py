"""The operator's orders in words, the same from the wire and from the menu.

    PLAY ON|OFF          RULES name     BETS least,most      REFILL seat,dollars    CLEAR
    CREDITS ON|OFF       SEATS n        LIMIT dollars        PAYOUT seat,dollars    MODE bench|arcade
    SOUND ON|OFF

Each is stored before it can be seen, and entered in the log with who gave it.
"""

from holecard.rules.ruleset import MOST_MONEY, PRESETS, Refused, RuleError
from holecard.table import telling
from holecard.table.commands import convert
from holecard.table.money import money
from holecard.table.scpi import arguments
from holecard.table.seats import LOCKED
from holecard.table.status import ScpiError


def obey(desk, who: str, text: str) -> None:
    """ScpiError or Refused, with nothing changed, if it cannot be done now; `who` gave the order."""
    cut = text.find(" ")
    name = (text if cut < 0 else text[:cut]).upper()
    if name not in _ORDERS:
        raise ScpiError(-224, (name[:20] or "nothing") + ": no such order")
    if not desk.keeper.open_for_writing and name not in ("CLEAR", "MODE"):
        # Nothing is written then, and no order may be without its entry in the log.
        raise Refused("the table is locked: " + desk.game.message)
    kinds, give, durable = _ORDERS[name]
    values = convert(kinds, arguments(text[len(name) :]))
    # Before the entry of an order that is stored at once.
    if name in _CHECKS:
        _CHECKS[name](desk, *values)
    text = text.upper()
    entry = who + ": " + text
    game = desk.game
    audit, game.audit = game.audit, False
    try:
        # Whenever the power fails: no order without its entry.
        if durable:
            desk.keeper.enter(entry)
        give(desk, *values)
        if not durable:
            desk.keeper.enter(entry)
    except OSError:
        raise ScpiError(-310, "the record was not saved")
    finally:
        game.audit = audit
    desk.events.put(desk.now, telling.OPERATOR, who, text)


def _play(desk, on: bool) -> None:
    desk.house.change("play", on)


def _credits(desk, on: bool) -> None:
    desk.house.change("credits", on)


def _sound(desk, on: bool) -> None:
    desk.house.change("sound", on)


def _check_limit(desk, amount: int) -> None:
    least = desk.game.rules.min_bet
    if amount and (amount % 2 or not least <= amount <= MOST_MONEY):
        between = money(least) + " to " + money(MOST_MONEY)
        raise ScpiError(-222, "0 for none, or whole dollars from " + between)


def _limit(desk, amount: int) -> None:
    desk.house.change("limit", amount)


def _between_rounds(game) -> None:
    if game.phase == LOCKED:
        raise Refused(game.message)
    if game.in_round:
        raise Refused("a round is open")


def _rules(desk, word: str) -> None:
    rules = PRESETS.get(word.lower())
    if rules is None:
        raise ScpiError(-224, word[:20])
    _between_rounds(desk.game)
    _below_limit(desk, rules)
    desk.game.start_over(rules, min(desk.game.seats, rules.max_seats))


def _below_limit(desk, rules) -> None:
    limit = desk.house.limit
    if limit and rules.min_bet > limit:
        raise Refused("the lowest bet would be above the bankroll limit of " + money(limit))


def _seats(desk, count: int) -> None:
    game = desk.game
    if not 1 <= count <= game.rules.max_seats:
        raise ScpiError(-222, "these rules seat 1 to " + str(game.rules.max_seats))
    _between_rounds(game)
    game.start_over(game.rules, count)


def _bets(desk, least: int, most: int) -> None:
    game = desk.game
    start = game.rules.start_bankroll
    if least > start:
        raise ScpiError(-222, "the lowest bet is above the start bankroll of " + money(start))
    if most and most < least:
        raise ScpiError(-222, "the highest bet is below the lowest one; 0 for none")
    try:
        rules = game.rules.replace(min_bet=least, max_bet=most)
    except RuleError as error:
        raise ScpiError(-222, ("lowest bet " if error.field == "min_bet" else "highest bet ") + error.reason)
    _between_rounds(game)
    _below_limit(desk, rules)
    game.start_over(rules, game.seats)


def _seat(desk, seat: int) -> int:
    if seat >= desk.game.seats:
        raise ScpiError(-222, "seats are 0 to " + str(desk.game.seats - 1))
    return seat


def _some(amount: int) -> int:
    if not amount:
        raise ScpiError(-222, "give an amount above $0")
    return amount


def _refill(desk, seat: int, amount: int) -> None:
    desk.game.pay(_seat(desk, seat), _some(amount))


def _pay_out(desk, seat: int, amount: int) -> None:
    desk.game.pay(_seat(desk, seat), -_some(amount))


def _clear(desk) -> None:
    if desk.game.phase != LOCKED:
        raise Refused("the table is not locked")
    desk.clear_record()


def _mode(desk, word: str) -> None:
    mode = word.lower()
    if mode not in ("bench", "arcade"):
        raise ScpiError(-224, word[:20])
    if mode == desk.board.mode:
        raise Refused("the table is in that mode")
    problem = desk.board.choose_mode(mode)
    if problem:
        raise Refused(problem)
    # What was open here is void here, even if the power fails before the restart. A locked table that writes nothing
    # must tell nothing of it either: its round is void when it comes back from the other mode.
    if desk.game.in_round and desk.keeper.open_for_writing:
        desk.game.start_over(desk.game.rules, desk.game.seats)
    desk.restart()


# Name: (parameters, function, whether that makes the change durable at once; the others are stored after it).
_ORDERS: dict = {
    "PLAY": ("b", _play, True),
    "CREDITS": ("b", _credits, True),
    "SOUND": ("b", _sound, True),
    "LIMIT": ("$", _limit, True),
    "RULES": ("w", _rules, False),
    "SEATS": ("n", _seats, False),
    "BETS": ("$$", _bets, False),
    "REFILL": ("n$", _refill, False),
    "PAYOUT": ("n$", _pay_out, False),
    "CLEAR": ("", _clear, False),
    "MODE": ("w", _mode, False),
}
_CHECKS = {"LIMIT": _check_limit}
