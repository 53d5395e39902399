"""Random sessions from a seed, as printable lines; the same lines on CPython and on MicroPython."""

from holecard.rules.history import encode
from holecard.rules.ruleset import CASINO, SIFL
from holecard.rules.session import Session
from holecard.rules.shoe import Shoe


class Stream:
    """A small generator of 31 bits: good enough to wander through the rules, the same on every Python."""

    def __init__(self, seed: int):
        self.state = seed & 0x7FFFFFFF

    def below(self, n: int) -> int:
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % n


def choose_bets(table, chance) -> list:
    """Random bets that the table takes, at least one of them not 0 if anyone can bet."""
    bets = []
    for seat, bankroll in enumerate(table.bankrolls):
        most = min(bankroll, 2 * 60, table.rules.bet_limit) // 2
        least = table.rules.min_bet // 2
        plays = table.state(seat) in ("play", "saved") and (chance.below(4) or not any(bets))
        bets.append(2 * (least + chance.below(most - least + 1)) if plays else 0)
    return bets


def random_action(play, chance) -> tuple:
    """``(seat, code, amount)``, legal; now and then the end of the insurance time."""
    if play.phase == "insurance" and not chance.below(5):
        return (play.seat, "T", 0)
    legal = play.legal()
    code = legal[chance.below(len(legal))]
    amount = 0
    if code == "D":
        low, high = play.double_range()
        amount = low + 2 * chance.below((high - low) // 2 + 1)
    return (play.seat, code, amount)


def session_lines(seed: int, rounds: int, replay=None) -> list:
    """One line per round: its history and what it changed; replayed on the way, at its end and at a random point.

    Without `replay`, which the joined firmware leaves out as long as nothing on the device reads a history, it is not.
    """
    chance = Stream(seed)
    rules = SIFL if seed % 3 == 0 else CASINO.replace(cut_percent=95)
    seats = 1 + chance.below(rules.max_seats)
    table = Session(rules, Shoe(rules, Stream(seed + 1)), [400] * seats)
    lines = []
    for _ in range(rounds):
        for seat in range(seats):
            if table.state(seat) == "broke":
                table.come_back(seat)
        play = table.deal(choose_bets(table, chance))
        while play.legal():
            if not chance.below(4) and replay and encode(replay(encode(play))) != encode(play):
                raise ValueError("open round replays differently")
            play.act(*random_action(play, chance))
        table.settle()
        line = encode(play)
        again = replay(line) if replay else play
        if encode(again) != line or again.bankrolls != play.bankrolls:
            raise ValueError("round replays differently")
        lines.append(line + " " + str([play.result.nets, play.result.hands, play.refill_at]))
    return lines
