"""A hot record becomes the table again. Needed once, when the table starts; resume.py takes up its round."""

from holecard.rules.ruleset import Refused, parse_rules
from holecard.rules.seating import Seating
from holecard.rules.shoe import Shoe, StackedShoe
from holecard.table import fairness
from holecard.table.accounts import MODULUS, NAMES, POWER_CUTS, WAGERED, WON
from holecard.table.recall import KEPT
from holecard.table.record import cards_word

# The asterisk, as a byte.
_REFILL = 42


class RecordError(ValueError):
    """A record that is whole and makes no sense all the same; the reason is short enough for the panel."""


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
    bankrolls = parse_numbers(start)
    count = parse_number(count)
    meters = parse_numbers(meters)
    paid_in = parse_number(paid_in)
    rounds = parse_number(rounds)
    promise, _, left_over = promise.partition(";")
    fair = fairness.restore(promise, name)
    taken = parse_number(taken)
    waiting = None if stack in ("-", "!") else parse_cards(stack[1:] or "-")[0]
    if waiting is not None and stack[0] != "+":
        raise ValueError
    if kind not in ("O", "S", "-") or len(meters) != len(NAMES) or count > KEPT or bench not in ("0", "1", "2"):
        raise ValueError
    if len(letters) != len(bankrolls) or [letter for letter in letters if letter not in "pac"]:
        raise ValueError
    shoe = Shoe(rules, fair.stream() if fair.state == fairness.DEALING else None)
    play = None
    seat = 0
    place = ""
    if kind != "-":
        from holecard.table import resume  # noqa: PLC0415 - most tables start between two rounds

        place = resume.place_of(words[11:]) if kind == "S" else ""
    own = stack == "-"
    if kind == "O" and stack != "!":
        if own and fair.state != fairness.DEALING:
            raise ValueError
        shoe.resume(taken, own)
        source = shoe if own else StackedShoe(parse_cards(words[15])[0] + (waiting or []))
        play, seat = resume.replay(words[11:], source)
        if cards_word(play.drawn) != words[15] or play.phase == "void":
            raise RecordError("the cards do not match")
    else:
        shoe.resume(taken, False)
        source = shoe
        if kind == "S":
            play, seat = resume.settled(words[11:])
    session = Seating(rules, shoe, bankrolls)
    session_bets = parse_numbers(words[14]) if kind != "-" else [0] * len(bankrolls)
    bets = list(session_bets) if bets == "=" else parse_numbers(bets)
    if len(bets) != len(bankrolls):
        raise ValueError
    # A round that is open is counted once it is settled.
    there = sum(play.bankrolls if play and kind == "S" else bankrolls)
    adds_up = there % MODULUS == (paid_in + meters[WON] - meters[WAGERED]) % MODULUS
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
    game._clear_table()
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
        resume.show(game, play, source, taken, place, kind == "O", waiting)
    if locked != "-":
        game.lock(locked.replace("_", " "))
    elif not adds_up:
        game.lock("accounts do not add up")


def parse_cards(word: str) -> tuple:
    """(cards, after how many of them the shoe was refilled, -1 if it was not)."""
    if word == "-":
        return [], -1
    refill_at = word.find("*")
    cards = [code - 48 for code in word.encode() if code != _REFILL]
    if cards and not 0 <= min(cards) <= max(cards) < 52:
        raise ValueError
    return cards, refill_at


def parse_numbers(word: str) -> list:
    return [parse_number(part) for part in word.split(",")]


def parse_number(text: str) -> int:
    if len(text) > 12 or not text.isdigit():
        raise ValueError
    return int(text)
