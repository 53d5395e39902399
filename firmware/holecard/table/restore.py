"""A hot record becomes the table again. Needed once, when the table starts, and for rounds of long ago."""

from holecard.rules.round import Round
from holecard.rules.ruleset import Refused, parse_rules
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe, StackedShoe
from holecard.table import fairness
from holecard.table.accounts import NAMES, POWER_CUTS
from holecard.table.recall import KEPT
from holecard.table.record import cards_word
from holecard.table.seats import DEALING, SETTLED

_DIGITS = "0123456789"


class RecordError(ValueError):
    """A record that is whole and makes no sense all the same; the reason is short enough for the panel."""


def read_round(words: list) -> tuple:
    """(the settled Round of `record.round_words`, on a shoe of its own, its place). RecordError for anything else."""
    try:
        return _settled(words)[0], _place(words)
    except (ValueError, IndexError, Refused):
        raise RecordError("record not understood")


def _settled(words: list) -> tuple:
    shoe = StackedShoe(*_cards(words[4]))
    play, seat = _replay(words, shoe)
    if play.phase != "over" or shoe.left:
        raise ValueError
    return play, seat


def take_up(game, body: str) -> None:
    """RecordError, with the game as it was, unless `body` is what `pack` makes of a table."""
    try:
        _take_up(game, body.split(" "))
    except RecordError:
        raise
    except (ValueError, IndexError, Refused):
        raise RecordError("record not understood")


def _take_up(game, words: list) -> None:
    rounds, bench, locked, letters, bets, promise, taken, stack, meters, paid_in, count = words[:11]
    kind, name, start = words[11:14]
    rules = parse_rules(name)
    bankrolls = _numbers(start)
    count = _number(count)
    meters = _numbers(meters)
    paid_in = _number(paid_in)
    rounds = _number(rounds)
    promise, _, left_over = promise.partition(";")
    fair = fairness.restore(promise, name)
    taken = _number(taken)
    waiting = None if stack in ("-", "!") else _cards(stack[1:] or "-")[0]
    if waiting is not None and stack[0] != "+":
        raise ValueError
    if kind not in ("O", "S", "-") or len(meters) != len(NAMES) or count > KEPT or bench not in ("0", "1", "2"):
        raise ValueError
    if len(letters) != len(bankrolls) or [letter for letter in letters if letter not in "pac"]:
        raise ValueError
    shoe = Shoe(rules, fair.stream() if fair.state == fairness.DEALING else None)
    play = None
    seat = 0
    place = _place(words[11:]) if kind == "S" else ""
    own = stack == "-"
    if kind == "O" and stack != "!":
        if own and fair.state != fairness.DEALING:
            raise ValueError
        shoe.resume(taken, own)
        source = shoe if own else StackedShoe(_cards(words[15])[0] + (waiting or []))
        play, seat = _replay(words[11:], source)
        if cards_word(play.drawn) != words[15] or play.phase == "void":
            raise RecordError("the cards do not match")
    else:
        shoe.resume(taken, False)
        source = shoe
        if kind == "S":
            play, seat = _settled(words[11:])
    session = Session(rules, shoe, bankrolls)
    session_bets = _numbers(words[14]) if kind != "-" else [0] * len(bankrolls)
    bets = list(session_bets) if bets == "=" else _numbers(bets)
    if len(bets) != len(bankrolls):
        raise ValueError
    # From here on nothing is refused.
    for number in range(len(letters)):
        if letters[number] == "a":
            session.leave(number)
    game.rules = rules
    game.bench = bench != "0"
    game.shoes.seeded = bench == "2"
    game.shoes.fair = fair
    game.shoes.left_over = left_over.replace("~", " ")
    game.rounds = rounds
    game.bets = bets
    game.seat = seat
    game.last_bets = list(session_bets)
    game.accounts.meters = meters
    game.accounts.paid_in = paid_in
    game.finished.count = count
    game._celebrated = [letter == "c" for letter in letters]
    game._session = session
    game.shoe = game._shoe = shoe
    if play is None:
        game._stacked = waiting
        game._enter_between_rounds()
        if kind == "O":
            game.accounts.count(POWER_CUTS)
            game._note("power cut: round void")
    else:
        _show(game, play, source, taken, place, kind == "O", waiting)
    if locked != "-":
        game.lock(locked.replace("_", " "))


def _show(game, play, source, taken: int, place: str, is_open: bool, waiting) -> None:
    """The round lies on the table again as it did, without what is only of the moment of the deal."""
    game._session.resume(play)
    game.dealt = None
    game.visible = play.visible()
    if is_open:
        game.accounts.count(POWER_CUTS)
        game._note("power cut: round resumed")
        game._taken = taken
        game._round = play
        game.shoe = source
        # A round that its deal has ended is settled here: nobody had been told.
        game.phase = DEALING
        game._follow(play, game.visible)
        return
    game._session.settle()
    game._stacked = waiting
    if game.finished.count:
        game.finished.again(play, game.visible, place)
    game._enter(SETTLED)


def _replay(words: list, shoe) -> tuple:
    """(the Round, the seat that acted last); the first one with a bet, if none did."""
    bets = _numbers(words[3])
    play = Round(parse_rules(words[1]), _numbers(words[2]), bets, shoe)
    log = words[5]
    seat = [bet > 0 for bet in bets].index(True)
    at = 0
    while log != "-" and at < len(log):
        end = at + 1
        while end < len(log) and log[end] in _DIGITS:
            end += 1
        seat = play.seat
        play.act(seat, log[at], _number(log[at + 1 : end]) if end > at + 1 else 0)
        at = end
    return play, seat


def _place(words: list) -> str:
    if words[6] == "-":
        return ""
    shoe, number = _numbers(words[6])
    return "%d %d" % (shoe, number)


def _cards(word: str) -> tuple:
    """(cards, after how many of them the shoe was refilled, -1 if it was not)."""
    if word == "-":
        return [], -1
    refill_at = word.find("*")
    cards = [ord(letter) - 48 for letter in word if letter != "*"]
    if cards and not 0 <= min(cards) <= max(cards) < 52:
        raise ValueError
    return cards, refill_at


def _numbers(word: str) -> list:
    return [_number(part) for part in word.split(",")]


def _number(text: str) -> int:
    if not 0 < len(text) <= 12 or [digit for digit in text if digit not in _DIGITS]:
        raise ValueError
    return int(text)
