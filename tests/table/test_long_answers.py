"""Answers that need little room: on a heap that has been in use a large free block is rare, however much is free."""

from __future__ import annotations

import pytest
from tests.table.rig import Rig

from holecard.table.commands import COMMANDS
from holecard.table.fairness import MOST_HOST, MOST_PRESSES, Fairness, round_line
from holecard.table.instrument import Instrument

LARGEST = 512
# X24 of the worked rounds: seven seats, nine hands, twenty-five cards.
CARDS = "A,10,8,A,5,10,9,6,K,6,8,4,6,Q,9,10,10,3,10,10,6,9,A,7,2"
BETS = (5, 10, 7, 15, 5, 20, 11)
ACTIONS = ("1,H", "2,P", "2,D", "2,S", "3,H", "4,D", "5,P", "5,S")
QUERIES = [(header.replace("[:NEXT]", ""), " 0" if kinds.strip("?") else "") for header, kinds, *_ in COMMANDS
           if header.endswith("?")]  # fmt: skip


def revealed_after_two_shoes() -> Fairness:
    """With a shoe that players and host have cut, and the promise of the next."""
    fair = Fairness()
    for _ in range(2):
        fair.commit(bytes(32), "casino")
        fair.cut(bytes(MOST_PRESSES), bytes(MOST_HOST))
        fair.reveal()
    fair.commit(bytes(32), "casino")
    return fair


def test_no_answer_needs_a_large_block_of_the_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven seats in a long round, when all but one hand is over, with a round before it that can be recalled."""
    longest: dict[str, int] = {}
    queue = Instrument._queue

    def noted(self: Instrument, text: str) -> None:
        longest[asked] = max(longest.get(asked, 0), len(text))
        queue(self, text)

    monkeypatch.setattr(Instrument, "_queue", noted)
    rig, asked = Rig(), "play"
    rig.ok("DISP:ANIM OFF")
    for last in ("6,S", None):
        rig.deal(CARDS, BETS, bankroll=100)
        rig.ok(*["ROUN:ACT " + action for action in (*ACTIONS, last) if action])
    shoes = rig.game.shoes
    shoes.fair = revealed_after_two_shoes()
    shoes.left_over = round_line("2 1", rig.game.finished.line(0))
    for header, value in QUERIES:
        asked = header
        assert rig.ask(header + value + ";*OPC?")
        rig.ask("*CLS;*OPC?")
    assert longest.keys() >= {header for header, _ in QUERIES}
    assert {name: size for name, size in longest.items() if size > LARGEST} == {}
