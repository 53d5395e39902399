"""Plays rounds over the wire of a simulated table whose hardware fails at random, and keeps its own books.

What it believes comes from the lines of the finished rounds (TABLe:HISTory?), which it deals again; the table's own
meters and bankrolls are what is checked against that.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from holecard.rules.replay import replay
from holecard_host.twin.simulator import Simulator

ANSWER_US = 30_000_000
CANCEL = b"\x18"
# Rounds that can be recalled: so often the books have to be brought up to date.
KEPT = 12
SECOND_US = 1_000_000
# Of the moments at which something may go wrong, one before every round and now and then one within it.
OFTEN = 0.25
ACTIONS = {"HIT": 6, "STAND": 5, "DOUBLE": 2, "SPLIT": 3, "INSURE": 1, "DECLINE": 2}


class Drift(AssertionError):
    """The table's money is not what the rounds make of it, or a table that should play does not."""


@dataclass
class Books:
    """Half-dollars: what the rounds make of the money. `rounds` counts those that are in the books."""

    bankrolls: list[int] = field(default_factory=list)
    paid_in: int = 0
    wagered: int = 0
    won: int = 0
    rounds: int = 0

    def enter(self, line: str) -> None:
        """A finished round: it began with what the seats had, or with what somebody has paid in since."""
        play = replay(line)
        for seat, start in enumerate(play.start):
            if start != self.bankrolls[seat]:
                self.pay(seat, start)
        for seat, hands in enumerate(play.hands):
            stake = sum(hand.bet for hand in hands) + play.insurance[seat]
            net = play.bankrolls[seat] - play.start[seat]
            self.wagered += stake
            self.won += stake + net
            self.bankrolls[seat] += net
        self.rounds += 1

    def pay(self, seat: int, amount: int) -> None:
        """The seat has so much now, by other means than a round: only who is broke gets a new bankroll."""
        before = self.bankrolls[seat]
        if not 0 <= before < 10 or amount != 2000:
            raise Drift(f"seat {seat} has {amount} and had {before}")
        self.paid_in += amount - before
        self.bankrolls[seat] = amount


class Player:
    """One table and one player. `faults` and `rounds` are what has happened so far; `heap` what MicroPython held."""

    def __init__(self, interpreter: str, seed: int, *, cuts: bool = True) -> None:
        self.random = random.Random(seed)
        self.simulator = Simulator(interpreter, seed=str(seed))
        self.cuts = cuts
        self.faults: Counter[str] = Counter()
        self.heap: list[tuple[int, int]] = []
        self.books = Books()
        self.rounds = 0
        self._panel = True
        self._on()
        self.seats = 1 + seed % 3
        self.command(f"BENC:RUL casino;SEAT {self.seats}")
        self._open_books()

    def close(self) -> None:
        self.simulator.kill()

    # -- the wire

    def ask(self, line: str) -> str:
        """The answer, events left out. A power cut on the way is mended, and the line then asked again: so only
        questions may come this way."""
        while True:
            answer = self._line(line)
            if answer is not None:
                return answer

    def command(self, line: str) -> bool:
        """Whether the line was carried out, whatever the table said to it; False if the power failed meanwhile."""
        return self._line(f"{line};*OPC?") is not None

    def _line(self, line: str) -> str | None:
        simulator = self.simulator
        simulator.tones.clear()
        data = line.encode() + b"\n"
        deadline = simulator.now + ANSWER_US
        while True:
            answer = simulator.grant(deadline, rx=data, lines=1)
            if answer.why in ("cut", "off"):
                self._on()
                return None
            if answer.why != "lines":
                raise Drift(f"{line}: no answer, {answer.why}")
            last = simulator.take_output().decode("ascii").splitlines()[-1]
            if not last.startswith("!"):
                return last
            data = b""

    def state(self, after: str = "") -> dict[str, Any]:
        """How things stand, behind commands that are carried out as far as the power lasts."""
        # To wait for the end of everything, the dark moment after a settlement too, takes longest: only now and then.
        question = "*OPC?;:TABL:STAT?" if self.random.random() < 0.05 else "*ESE?;:TABL:STAT?"
        answer = self._line(f"{after};{question}") if after else None
        return dict(json.loads((answer or self.ask(question)).partition(";")[2]))

    def _on(self) -> None:
        # The power may have failed while nobody read.
        self.simulator.read_host(True)
        self.simulator.start()
        self.simulator.grant(self.simulator.now + ANSWER_US, idle=True)
        self.simulator.take_output()
        self._line("DISP:ANIM OFF;*OPC?")

    # -- a round

    def play(self) -> None:
        """One round to its end, whatever happens on the way, and a look at the money."""
        state = self.state()
        self._fault()
        if state["phase"] in ("settled", "saved", "broke", "away", "betting"):
            bets = [5 * self.random.choice((0, 1, 1, 2, 2, 3, 5, 10, 20)) for _ in range(self.seats)]
            line = ";".join(f"BET {seat},{bet}" for seat, bet in enumerate(bets))
            state = self.state(f"ROUN:NEXT;{line};DEAL")
        while state["phase"] in ("dealing", "insurance", "playing"):
            if self.random.random() < 0.1:
                self._fault()
            legal = [one for one in state["legal"] if one in ACTIONS] or ["STAND"]
            action = self.random.choices(legal, [ACTIONS[one] for one in legal])[0]
            state = self.state(f"ROUN:ACT {state['seat']},{action}")
        if state["phase"] == "locked":
            raise Drift(f"locked: {self.ask('TABL:AUD?')}")
        self.check()

    def check(self) -> None:
        """Every finished round goes into the books; then bankrolls, meters and audit have to agree with them."""
        meters = json.loads(self.ask("TABL:MET?"))
        new = meters["rounds"] - self.books.rounds
        if not 0 <= new <= KEPT:
            raise Drift(f"{new} rounds at once")
        for back in reversed(range(new)):
            self.books.enter(self.ask(f"TABL:HIST? {back}"))
        self.rounds += new
        state, audit = map(json.loads, self.ask("TABL:STAT?;AUD?").split(";"))
        if state["phase"] in ("dealing", "insurance", "playing"):
            raise Drift("a round is open")
        there = [round(2 * dollars) for dollars in state["bankrolls"]]
        for seat, amount in enumerate(there):
            if amount != self.books.bankrolls[seat]:
                self.books.pay(seat, amount)
        books = self.books
        told = {name: round(2 * meters[name]) for name in ("wagered", "won")}
        if told != {"wagered": books.wagered, "won": books.won}:
            raise Drift(f"the meters say {told}, the rounds {books.wagered} and {books.won}")
        if sum(there) != books.paid_in + books.won - books.wagered:
            raise Drift(f"{sum(there)} is not {books.paid_in} + {books.won} - {books.wagered}")
        if not audit["ok"] or audit["locked"]:
            raise Drift(f"audit: {audit}")

    def _open_books(self) -> None:
        there = [round(2 * dollars) for dollars in self.state()["bankrolls"]]
        rounds = json.loads(self.ask("TABL:MET?"))["rounds"]
        self.books = Books(there, sum(there), rounds=rounds)

    def weigh(self) -> None:
        """What the heap holds after a collection; nothing where the machine does not tell."""
        memory = json.loads(self.ask("*CLS;:SYST:MEM?"))
        if memory["heap"] is not None:
            self.heap.append((self.rounds, memory["heap"] - memory["heap_free"]))

    # -- what goes wrong

    def _fault(self) -> None:
        if self.random.random() < OFTEN:
            kinds = [self._half_line, self._flood, self._panel_away, self._write_error, self._reopen, self._bus] * 3
            # These take as long as fifty rounds, because the table starts anew.
            kinds += [self._cut, self._cut_at_flash] if self.cuts else []
            chosen = self.random.choice(kinds)
            self.faults[chosen.__name__[1:].replace("_", " ")] += 1
            chosen()

    def _cut(self) -> None:
        self.simulator.grant(self.simulator.now + self.random.randrange(50_000))
        self.simulator.kill()
        self._on()

    def _cut_at_flash(self) -> None:
        # It comes with one of the operations that the next commands cause.
        self.simulator.cut_at_flash(self.random.randrange(12))

    def _write_error(self) -> None:
        self.simulator.refuse_flash(self.random.randrange(8))

    def _half_line(self) -> None:
        line = self.random.choice((b"ROUN:DE", b"BENC:BANK 0,1", b"TABL:STAT?", b"*", b"ROUN:BET 0,5;DEAL"))
        self._send(line + CANCEL)

    def _flood(self) -> None:
        """Noise, or questions by the hundred, to a table whose host does not read; 0x03 would end the bench."""
        if self.random.random() < 0.5:
            data = self.random.randbytes(self.random.randrange(2_000)).replace(b"\x03", b"") + b"\n"
        else:
            data = b"*IDN?;:TABL:STAT?\n" * self.random.randrange(20)
        self.simulator.read_host(False)
        self._send(data)
        self.simulator.read_host(True)
        self._send(CANCEL)
        # What it had to say is out once it has nothing more to do.
        self._quiet()

    def _reopen(self) -> None:
        """Another program takes the port, in the middle of a line of the first one."""
        self._send(b"TABL:STAT?;*IDN?\nROUN:BET 0,")
        self.simulator.drop_input()
        self._send(CANCEL)
        self._quiet()

    def _panel_away(self) -> None:
        self._panel = not self._panel
        self.simulator.plug_panel(self._panel)

    def _bus(self) -> None:
        kind = self.random.choice(("nak", "timeout"))
        self.simulator.fail_transfers(kind, skip=self.random.randrange(20), count=self.random.randrange(1, 4))

    def _send(self, data: bytes) -> None:
        answer = self.simulator.grant(self.simulator.now + 20_000, rx=data)
        if answer.why == "cut":
            self._on()

    def _quiet(self) -> None:
        """Until nothing has come out for half a second."""
        while True:
            self.simulator.take_output()
            answer = self.simulator.grant(self.simulator.now + SECOND_US // 2)
            if answer.why == "cut":
                self._on()
            if not self.simulator.take_output():
                return
