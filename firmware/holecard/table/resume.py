"""The round of a record lies on the table again: the table starts in the middle of it, or somebody asks for it."""

from holecard.rules.round import Round
from holecard.rules.ruleset import Refused, parse_rules
from holecard.rules.shoe import StackedShoe
from holecard.table.accounts import POWER_CUTS
from holecard.table.restore import RecordError, parse_cards, parse_number, parse_numbers
from holecard.table.seats import DEALING, SETTLED

_DIGITS = "0123456789"


def read_round(words: list) -> tuple:
    """(the settled Round of `record.round_words`, on a shoe of its own, its place). RecordError for anything else."""
    try:
        return settled(words)[0], place_of(words)
    except (ValueError, IndexError, Refused):
        raise RecordError("record not understood")


def settled(words: list) -> tuple:
    shoe = StackedShoe(*parse_cards(words[4]))
    play, seat = replay(words, shoe)
    if play.phase != "over" or shoe.left:
        raise ValueError
    return play, seat


def show(game, play, source, taken: int, place: str, is_open: bool, waiting) -> None:
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


def replay(words: list, shoe) -> tuple:
    """(the Round, the seat that acted last); the first one with a bet, if none did."""
    bets = parse_numbers(words[3])
    play = Round(parse_rules(words[1]), parse_numbers(words[2]), bets, shoe)
    log = words[5]
    seat = [bet > 0 for bet in bets].index(True)
    at = 0
    while log != "-" and at < len(log):
        end = at + 1
        while end < len(log) and log[end] in _DIGITS:
            end += 1
        seat = play.seat
        play.act(seat, log[at], parse_number(log[at + 1 : end]) if end > at + 1 else 0)
        at = end
    return play, seat


def place_of(words: list) -> str:
    if words[6] == "-":
        return ""
    shoe, number = parse_numbers(words[6])
    return "%d %d" % (shoe, number)
