"""A table on a fake board, with the verbs that tests use: run, press, ask."""

from __future__ import annotations

import json
from typing import Any

from tests.table.fake_board import FakeBoard

from holecard.table import keys
from holecard.table.table import Table

MS = 1_000


class Rig:
    """`Table` plus `FakeBoard`, shortly after power-on with the keys in `held` down; time moves only in its methods."""

    def __init__(self, held: int = 0, **board: Any) -> None:
        self.board = FakeBoard(**board)
        self.board.mask = held
        self.table = Table(self.board)
        self.front = self.table.front
        self.game = self.table.game
        self.events: list[str] = []
        self.run(10 * MS)

    def step(self) -> None:
        self.board.idle(self.table.step(self.board.now()))

    def run(self, us: int) -> None:
        """Lets so much time pass."""
        end = self.board.elapsed + us
        while self.board.elapsed < end:
            self.step()

    def press(self, key: int, ms: int = 60) -> None:
        """Presses real keys (a mask) while nothing else is going on, and waits until everything has come to rest."""
        self.rest()
        self.board.mask = key
        self.run(ms * MS)
        self.board.mask = 0
        self.run(30 * MS)
        self.rest()

    def press_name(self, name: str, ms: int = 60) -> None:
        self.press(1 << keys.NAMES.index(name), ms)

    def rest(self, limit_us: int = 20_000_000) -> None:
        """Until nothing is under way, commands that wait for something included."""
        end = self.board.elapsed + limit_us
        while self.table.pending() or self.board.rx or self.table.wire.active:
            assert self.board.elapsed < end, "the table does not come to rest"
            self.step()

    def send(self, data: bytes, us: int = 20_000) -> None:
        self.board.rx += data
        self.run(us)

    def ask(self, line: str, limit_us: int = 60_000_000) -> str:
        """One line, one answer line, events left out."""
        self.board.rx += line.encode() + b"\n"
        end = self.board.elapsed + limit_us
        while True:
            lines = self.lines()
            if lines:
                assert len(lines) == 1, lines
                return lines[0]
            assert self.board.elapsed < end, f"no answer to {line}"
            self.step()

    def lines(self) -> list[str]:
        """Takes the complete answer lines that have arrived; events stay in `self.events`."""
        whole, _, rest = bytes(self.board.tx).rpartition(b"\n")
        self.board.tx = bytearray(rest)
        answers = []
        for line in whole.decode().splitlines():
            if line.startswith("!EVT "):
                self.events.append(line)
            else:
                answers.append(line)
        return answers

    def command(self, line: str) -> str:
        """A command with the error that it leaves behind."""
        return self.ask(line + ";:SYST:ERR?")

    def ok(self, *lines: str) -> None:
        for line in lines:
            assert self.command(line) == '0,"No error"', line

    def state(self) -> dict[str, Any]:
        return json.loads(self.ask("*OPC?;:TABL:STAT?")[2:])

    def deal(
        self, cards: str, bets: tuple[int, ...] = (10,), rules: str = "casino", bankroll: int = 0
    ) -> dict[str, Any]:
        """A fresh session, a stacked shoe, the bets, the deal."""
        self.ok(f"BENC:RUL {rules}")
        if len(bets) > 1:
            self.ok(f"BENC:SEAT {len(bets)}")
        for seat, bet in enumerate(bets):
            if bankroll:
                self.ok(f"BENC:BANK {seat},{bankroll}")
            self.ok(f"ROUN:BET {seat},{bet}")
        self.ok(f'BENC:SHOE "{cards}"')
        self.ok("ROUN:DEAL")
        return self.state()
