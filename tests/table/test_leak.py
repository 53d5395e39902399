"""Nothing that leaves the table depends on the hole card before it may be shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.rig import Rig

from holecard.rules.cards import stack_ranks
from holecard.table.keys import NAMES

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
QUERIES = "TABL:STAT?;DEAL?;HINT?;RUL?;:SYST:ERR:COUN?;:SYST:EVEN:COUN?;:DIAG:LAMP?;:DISP:DATA?"


class Twins:
    """Two tables whose shoes differ in the hole card alone."""

    def __init__(self, rules: str, cards: list[str], hole: int, first: str, second: str, bets: list[int]) -> None:
        self.tables = [Rig(), Rig()]
        for rig, rank in zip(self.tables, (first, second), strict=True):
            # By card: stacking by rank would count the hole card into the choice of the other suits.
            stacked = stack_ranks(cards)
            stacked[hole] = stack_ranks([rank])[0]
            rig.ok(f"BENC:RUL {rules}")
            if len(bets) > 1:
                rig.ok(f"BENC:SEAT {len(bets)}")
            for seat, bet in enumerate(bets):
                rig.ok(f"ROUN:BET {seat},{bet}")
            rig.ok("SYST:COMM:EVEN ON")
            rig.game.stack(stacked)
            rig.ask("*OPC?")
            rig.events.clear()

    def both(self, line: str) -> list[str]:
        return [rig.ask(line) for rig in self.tables]

    @property
    def hidden(self) -> bool:
        """Whether both rounds are still open, so that the hole card has not been shown on either."""
        return all(rig.game.in_round for rig in self.tables)

    def assert_alike(self) -> None:
        answers = self.both(QUERIES)
        assert answers[0] == answers[1]
        one, two = self.tables
        assert one.events == two.events
        assert one.board.lit == two.board.lit
        assert one.board.sent == two.board.sent
        assert one.board.elapsed == two.board.elapsed


# A hole card that gives no blackjack, whatever lies open: a round that ends at the peek has shown it.
@pytest.mark.parametrize(("rules", "hole"), [("casino", 3), ("sifl", 1)])
@given(
    st.lists(st.sampled_from(RANKS), min_size=24, max_size=24),
    st.sampled_from(RANKS[1:9]),
    st.sampled_from(RANKS[1:9]),
    st.lists(st.sampled_from(NAMES), max_size=6),
)
@settings(max_examples=20, deadline=None)
def test_tables_that_differ_in_the_hole_card_look_alike(
    rules: str, hole: int, cards: list[str], first: str, second: str, presses: list[str]
) -> None:
    twins = Twins(rules, cards, hole, first, second, [10])
    twins.both("ROUN:DEAL;*OPC?")
    if twins.hidden:
        twins.assert_alike()
    for name in presses:
        if not twins.hidden:
            return
        twins.both(f"BENC:PRES {name},60;*OPC?")
        if twins.hidden:
            twins.assert_alike()


def test_an_insurance_question_tells_nothing() -> None:
    """Ace up: a ten in the hole is a blackjack, which must not show before insurance has closed."""
    twins = Twins("casino", ["10", "A", "9", "10", "5", "5"], 3, "K", "2", [10])
    twins.both("ROUN:DEAL;*OPC?")
    assert twins.tables[0].state()["phase"] == "insurance"
    twins.tables[1].state()
    twins.assert_alike()


def test_several_seats_look_alike_until_the_dealer_plays() -> None:
    cards = ["10", "8", "6", "9", "5", "8", "7", "2", "3", "9", "10", "10", "4"]
    twins = Twins("casino", cards, 5, "7", "2", [10, 20])
    twins.both("ROUN:DEAL;*OPC?")
    twins.assert_alike()
    for line in ("ROUN:ACT 0,HIT;*OPC?", "ROUN:ACT 0,S;*OPC?", "BENC:PRES STAND,700;*OPC?", "ROUN:ACT 1,HIT;*OPC?"):
        if twins.hidden:
            twins.both(line)
    assert twins.hidden
    twins.assert_alike()


def test_nor_while_the_cards_are_being_dealt() -> None:
    """Sample by sample during the reveal, where the panel shows less than the wire."""
    twins = Twins("casino", ["10", "9", "6", "10", "5", "5"], 3, "8", "3", [10])
    for rig in twins.tables:
        rig.board.rx += b"ROUN:DEAL\n"
    for _ in range(1500):
        for rig in twins.tables:
            rig.step()
        one, two = twins.tables
        assert bytes(one.table.canvas.buf) == bytes(two.table.canvas.buf)
        assert (one.board.elapsed, one.board.sent, one.board.lit) == (two.board.elapsed, two.board.sent, two.board.lit)
