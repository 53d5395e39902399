"""Runs under CPython and MicroPython alike: every command, and every mask of the keys, in every state of a bench table,
and in every state of an arcade table; prints what became of each.

Arguments: the folders to import from; then `every`, or `some`: a quarter of the commands and of the masks in each
state, others in the next one.
"""

import sys

sys.path[:0] = sys.argv[1:3]

from fake_board import FakeBoard  # noqa: E402 - the folder comes from the command line

from holecard.rules.ruleset import CASINO  # noqa: E402
from holecard.table.commands import COMMANDS  # noqa: E402
from holecard.table.menu import Menu  # noqa: E402
from holecard.table.table import Table  # noqa: E402

VALUES = {"w": "CASINO", "t": "decks", "s": '"A,K,Q,J"', "x": "2", "n": "0", "$": "25", "b": "ON"}
SECOND = 1_000_000
STEP = 1 if sys.argv[3] == "every" else 4
ACE_UP = "10,A,9,8,5,5"
PAIR = "8,6,8,10,2,3,9,10,10,5"
SMALL = "5,10,6,7,10,10"


class Bench:
    """A table that has been brought into a state."""

    def __init__(self, arcade, name):
        self.board = FakeBoard(mode="arcade" if arcade else "bench", operator=("owner", bytes(32)))
        self.table = Table(self.board)
        self.game = self.table.game
        self.run(20_000)
        STATES[name](self)

    def run(self, us):
        end = self.board.elapsed + us
        while self.board.elapsed < end:
            self.board.idle(self.table.step(self.board.now()))

    def rest(self):
        end = self.board.elapsed + 20 * SECOND
        while self.table.pending() or self.board.rx or self.table.wire.active:
            if self.board.elapsed > end:
                raise Exception("the table does not come to rest")
            self.board.idle(self.table.step(self.board.now()))
        self.board.tx = bytearray()
        self.board.sounds.clear()

    def press(self, mask):
        self.board.mask = mask
        self.run(80_000)
        self.board.mask = 0
        self.run(30_000)

    def dealt(self, cards, bet):
        """A round over these cards, dealt by the game itself: an arcade table obeys no command for it."""
        game = self.game
        game.start_over(CASINO, 1)
        game.stack([card(word) for word in cards.split(",")])
        game.bet(0, bet)
        game.deal()

    def told(self):
        """What can be seen of it, in a few words; the money has to be right, whatever that is."""
        game = self.game
        there = [game.bankroll(seat) for seat in range(game.seats)]
        if min(there) < 0:
            raise Exception("less than nothing")
        if not game.in_round and sum(there) != game.accounts.expected():
            raise Exception("the accounts do not add up")
        return " ".join([self.table.front.phase, str(there), self.table.status.next_error(), str(self.board.lit)])


def card(word):
    return ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K").index(word)


def betting(bench):
    bench.rest()


def dealing(bench):
    bench.dealt(PAIR, 20)
    bench.run(5_000)


def insurance(bench):
    bench.dealt(ACE_UP, 20)
    bench.rest()


def playing(bench):
    bench.dealt(PAIR, 20)
    bench.rest()


def doubling(bench):
    bench.dealt(SMALL, 24)
    bench.rest()
    bench.press(8)
    bench.rest()


def dark(bench):
    playing(bench)
    while bench.game.in_round:
        bench.game.act(0, "S", 0)
    while not bench.table.front.dark:
        bench.run(1_000)


def settled(bench):
    dark(bench)
    bench.rest()


def saved(bench):
    bench.game.pay(0, 200_000)
    bench.game.tell_ending()
    bench.rest()


def broke(bench):
    bench.game.pay(0, -bench.game.bankroll(0))
    bench.rest()


def away(bench):
    bench.game.leave(0)
    bench.rest()


def asleep(bench):
    bench.run(61 * SECOND)


def locked(bench):
    bench.game.lock("record damaged")
    bench.rest()


def menu(bench):
    Menu(bench.table)
    bench.rest()


def menu_in_round(bench):
    playing(bench)
    menu(bench)


def waiting(bench):
    """A command waits for the deal to lie there, the next one for it."""
    bench.dealt(PAIR, 20)
    bench.board.rx += b"*WAI;:TABL:HINT?;:TABL:STAT?\n"
    bench.run(5_000)


def low(bench):
    bench.board.space = (0, 1, 0, 1)
    bench.table.take_stock()
    bench.rest()


STATES = {
    "betting": betting,
    "dealing": dealing,
    "insurance": insurance,
    "playing": playing,
    "doubling": doubling,
    "dark": dark,
    "settled": settled,
    "saved": saved,
    "broke": broke,
    "away": away,
    "asleep": asleep,
    "locked": locked,
    "menu": menu,
    "menu in a round": menu_in_round,
    "waiting": waiting,
    "low": low,
}


def line(command):
    kinds = command[1].replace("?", "")
    return command[0].replace("[:NEXT]", "") + (" " + ",".join([VALUES[kind] for kind in kinds]) if kinds else "")


def main():
    for arcade in (False, True):
        for number, name in enumerate(sorted(STATES)):
            bench = None
            for command in [COMMANDS[i] for i in range((number + arcade) % STEP, len(COMMANDS), STEP)]:
                if bench is None:
                    bench = Bench(arcade, name)
                changes = bench.game.changes
                before = bench.told()
                bench.board.rx += line(command).encode() + b"\n"
                bench.rest()
                after = bench.told()
                print(arcade, name, command[0], after)
                passing = name in ("dealing", "dark", "waiting")
                if arcade and not passing and before.split(" ")[:2] != after.split(" ")[:2]:
                    raise Exception("a command has reached the game")
                if bench.game.changes != changes or passing:
                    bench = None
            for mask in range(number % STEP, 16, STEP):
                bench = Bench(arcade, name)
                bench.press(mask)
                bench.rest()
                print(arcade, name, mask, bench.told())


main()
