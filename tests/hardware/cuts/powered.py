"""A real `Table` on a board whose load and save go through the board's own code and littlefs to the model of the flash.

It lives from power-on to the cut; the flash stays. Runs under CPython and MicroPython alike.
"""

import json

from tests.table.fake_board import FakeBoard

from holecard.rules.ruleset import rules_text
from holecard.table.table import Table
from holecard.table.ticks import diff

from . import disk

_LIMIT_US = 60_000_000
_PRESS_US = 60_000
_REARM_US = 30_000
# What the state says beyond what the player sees of the game, or what is of the moment only.
_PASSING = ("page", "round", "amount", "labels", "lamps", "cards_used", "shoe")


class CutBoard(FakeBoard):
    """The fake board, with files. Everything raises PowerCut once the flash has stopped.

    `saved`: the newest bytes of each name.
    """

    def __init__(self, flash):
        super().__init__()
        self.flash = flash
        disk.mount(flash)
        flash.alive()
        self.saved = {}
        self._files = disk.files.Files(disk.pico_mark.found, disk.pico_mark.leave)

    def now(self):
        self.flash.alive()
        return super().now()

    def keys(self):
        self.flash.alive()
        return self.mask

    def load(self, name):
        self._mounted()
        try:
            data = self._files.load(name)
        except OSError:
            # The table has its own way with a flash that fails; a machine without power has none.
            self.flash.alive()
            raise
        self.flash.alive()
        return data

    def save(self, name, data):
        self._mounted()
        self.saved[name] = bytes(data)
        self.saves += 1
        try:
            self._files.save(name, data)
        except OSError:
            self.flash.alive()
            raise
        self.flash.alive()

    def _mounted(self):
        self.flash.alive()
        if disk.mounted() is not self.flash:
            raise AssertionError("another machine has been switched on since")

    def kept(self):
        return self._files.kept()

    def idle(self, due):
        self.skip(max(0, diff(due, self.time)))


class Machine:
    """Power-on, until all is at rest. `reveal`: the cards are turned over one by one, as a player sees them."""

    def __init__(self, flash, reveal=False, board=CutBoard):
        self.board = board(flash)
        self.table = Table(self.board)
        if not reveal:
            self.ask("DISP:ANIM OFF;*OPC?")
        self.rest()

    def run(self, us):
        end = self.board.elapsed + us
        while self.board.elapsed < end:
            self.step()

    def step(self):
        self.board.idle(self.table.step(self.board.now()))

    def rest(self):
        end = self.board.elapsed + _LIMIT_US
        while self.table.pending() or self.board.rx or self.table.wire.active:
            if self.board.elapsed > end:
                raise AssertionError("the table does not come to rest")
            self.step()

    def ask(self, line):
        """The answers to one line."""
        self.board.tx = bytearray()
        self.board.rx += line.encode() + b"\n"
        end = self.board.elapsed + _LIMIT_US
        while True:
            due = self.table.step(self.board.now())
            if b"\n" in self.board.tx:
                break
            if self.board.elapsed > end:
                raise AssertionError("no answer to " + line)
            self.board.idle(due)
        return bytes(self.board.tx).decode().strip()

    def do(self, step):
        """A step of a script: a line for the wire, `key MASK`, `wait SECONDS`, or `if PHASE` and one of these, which
        is left out in another phase. AssertionError when a line is refused."""
        word, _, rest = step.partition(" ")
        if word == "if":
            phase, _, step = rest.partition(" ")
            if self.table.front.phase != phase:
                return
            word, _, rest = step.partition(" ")
        if word == "wait":
            self.run(int(rest) * 1_000_000)
        elif word == "key":
            self.board.mask = int(rest)
            self.run(_PRESS_US)
            self.board.mask = 0
            self.run(_REARM_US)
        else:
            answer = self.ask(step + ";:SYST:ERR?")
            if not answer.startswith("0,"):
                raise AssertionError(step + ": " + answer)
        self.rest()

    def state(self):
        """What the player sees, without what is of the moment only."""
        state = json.loads(self.ask("TABL:STAT?"))
        if state["phase"] == "doubling":
            state["phase"] = "playing"
        for name in _PASSING:
            del state[name]
        if not self.table.game.in_round:
            # Whose bet the panel asks for, or whose turn was the last one.
            del state["seat"]
        state["rules"] = rules_text(self.table.game.rules)
        return state

    def history(self):
        """The line of the last finished round, "" if none is remembered."""
        answer = self.ask("TABL:HIST?;:SYST:ERR?")
        self.ask("*CLS;*OPC?")
        return answer.split(";")[0] if answer.startswith("HC") else ""
