"""The operator's orders in words, the same from the wire and from the menu.

    PLAY ON|OFF          RULES name     BETS least,most      REFILL seat,dollars    CLEAR
    CREDITS ON|OFF       SEATS n        LIMIT dollars        PAYOUT seat,dollars    MODE bench|arcade
    SOUND ON|OFF

Each is entered in the log, with who gave it, then carried out and stored, and only then seen.
"""

from holecard.rules.ruleset import MOST_MONEY, PRESETS, Refused, RuleError
from holecard.table import telling
from holecard.table.commands import convert
from holecard.table.money import money
from holecard.table.scpi import arguments
from holecard.table.seats import LOCKED
from holecard.table.status import ScpiError


def obey(desk, who: str, text: str) -> None:
    """ScpiError or Refused, with nothing changed, if it cannot be done now; `who` gave the order. What the flash takes
    in one copy only is done, and locks the table."""
    cut = text.find(" ")
    name = (text if cut < 0 else text[:cut]).upper()
    if name not in _ORDERS:
        raise ScpiError(-224, (name[:20] or "nothing") + ": no such order")
    _check_open(desk, name)
    kinds, prepare = _ORDERS[name]
    values = convert(kinds, arguments(text[len(name) :]))
    text = text.upper()
    entry = who + ": " + text
    game = desk.game
    audit, game.audit = game.audit, False
    try:
        carry_out = prepare(desk, *values)
        # Whenever the power fails: no order without its entry.
        if carry_out:
            desk.keeper.enter(entry)
            _check_open(desk, name)
            carry_out()
        else:
            desk.clear_record(entry)
        desk.store()
    except OSError:
        raise ScpiError(-310, "the record was not saved")
    finally:
        game.audit = audit
    if desk.keeper.open_for_writing or name == "MODE":
        desk.events.put(desk.now, telling.OPERATOR, who, text)


def _check_open(desk, name: str) -> None:
    """Refused while nothing is written, as no order may be without its entry in the log."""
    if not desk.keeper.open_for_writing and name not in ("CLEAR", "MODE"):
        raise Refused("the table is locked: " + desk.game.message)


# Each of these refuses what cannot be done, changes nothing, and gives back what carries it out.


def _play(desk, on: bool):
    return lambda: desk.house.change("play", on)


def _credits(desk, on: bool):
    return lambda: desk.house.change("credits", on)


def _sound(desk, on: bool):
    return lambda: desk.house.change("sound", on)


def _limit(desk, amount: int):
    least = desk.game.rules.min_bet
    if amount and (amount % 2 or not least <= amount <= MOST_MONEY):
        between = money(least) + " to " + money(MOST_MONEY)
        raise ScpiError(-222, "0 for none, or whole dollars from " + between)
    return lambda: desk.house.change("limit", amount)


def _between_rounds(game) -> None:
    if game.phase == LOCKED:
        raise Refused(game.message)
    if game.in_round:
        raise Refused("a round is open")


def _rules(desk, word: str):
    rules = PRESETS.get(word.lower())
    if rules is None:
        raise ScpiError(-224, word[:20])
    _between_rounds(desk.game)
    _below_limit(desk, rules)
    return lambda: desk.game.start_over(rules, min(desk.game.seats, rules.max_seats))


def _below_limit(desk, rules) -> None:
    limit = desk.house.limit
    if limit and rules.min_bet > limit:
        raise Refused("the lowest bet would be above the bankroll limit of " + money(limit))


def _seats(desk, count: int):
    game = desk.game
    if not 1 <= count <= game.rules.max_seats:
        raise ScpiError(-222, "these rules seat 1 to " + str(game.rules.max_seats))
    _between_rounds(game)
    return lambda: game.start_over(game.rules, count)


def _bets(desk, least: int, most: int):
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
    return lambda: game.start_over(rules, game.seats)


def _pay(desk, seat: int, amount: int):
    if seat >= desk.game.seats:
        raise ScpiError(-222, "seats are 0 to " + str(desk.game.seats - 1))
    desk.game.check_payment(seat, amount)
    return lambda: desk.game.pay(seat, amount)


def _some(amount: int) -> int:
    if not amount:
        raise ScpiError(-222, "give an amount above $0")
    return amount


def _refill(desk, seat: int, amount: int):
    return _pay(desk, seat, _some(amount))


def _pay_out(desk, seat: int, amount: int):
    return _pay(desk, seat, -_some(amount))


def _clear(desk) -> None:
    """What a locked table writes first has the entry in it: see `obey`."""
    if desk.game.phase != LOCKED:
        raise Refused("the table is not locked")


def _mode(desk, word: str):
    mode = word.lower()
    if mode not in ("bench", "arcade"):
        raise ScpiError(-224, word[:20])
    if mode == desk.board.mode:
        raise Refused("the table is in that mode")
    return lambda: _turn(desk, mode)


def _turn(desk, mode: str) -> None:
    problem = desk.board.choose_mode(mode)
    if problem:
        raise Refused(problem)
    # What is open here is void when the table comes back from that mode: see house.py.
    desk.restart()


# Name: (parameters, function).
_ORDERS: dict = {
    "PLAY": ("b", _play),
    "CREDITS": ("b", _credits),
    "SOUND": ("b", _sound),
    "LIMIT": ("$", _limit),
    "RULES": ("w", _rules),
    "SEATS": ("n", _seats),
    "BETS": ("$$", _bets),
    "REFILL": ("n$", _refill),
    "PAYOUT": ("n$", _pay_out),
    "CLEAR": ("", _clear),
    "MODE": ("w", _mode),
}
