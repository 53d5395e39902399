"""Nothing that leaves the table depends on the hole card before it may be shown.

Two tables whose shoes differ in the hole card alone run side by side, pass by pass: pixels, lamps, labels, bytes on
both buses, events with their times, the sizes of what is stored. They may part when a round is over on one of them: at
the peek, which is made when the deal lies on the panel, or when the last player has acted.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.rig import MS, Rig

from holecard.rules.cards import stack_ranks
from holecard.table.keys import BET, DOUBLE, HIT, NAMES, STAND
from holecard.table.scene import Scene

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
QUERIES = "TABL:STAT?;DEAL?;HINT?;RUL?;:SYST:ERR:COUN?;:SYST:EVEN:COUN?;:DIAG:LAMP?;:DISP:DATA?"


class Parted(Exception):
    """The round is over on one of the tables: what differs now is public."""


class Twins:
    """The two tables, ready to deal; the hole card's place in the shoe follows from rules and bets."""

    def __init__(self, rules: str, cards: list[str], holes: tuple[str, str], bets: tuple[int, ...] = (10,)) -> None:
        self.tables = [Rig(), Rig()]
        self.place = 1 if rules == "sifl" else 2 * sum(1 for bet in bets if bet) + 1
        for rig, rank in zip(self.tables, holes, strict=True):
            # By card: stacking by rank would count the hole card into the choice of the other suits.
            stacked = stack_ranks(cards)
            stacked[self.place] = stack_ranks([rank])[0]
            rig.ok(f"BENC:RUL {rules}")
            if len(bets) > 1:
                rig.ok(f"BENC:SEAT {len(bets)}")
            # The last seat's bet comes last: there the key means DEAL.
            for seat, bet in enumerate(bets):
                rig.ok(f"ROUN:BET {seat},{bet}")
            rig.game.stack(stacked)
            rig.ask("*OPC?")
            rig.ok("SYST:COMM:EVEN ON")
            rig.rest()
            rig.lines()

    def run(self, ms: int, mask: int = 0) -> None:
        """Both tables side by side, with these keys down; Parted once the hole card may be known."""
        end = self.tables[0].board.elapsed + ms * MS
        while self.tables[0].board.elapsed < end:
            before = self.tables[0].front.scene.visible
            for rig in self.tables:
                rig.board.mask = mask
                rig.step()
            if not all(rig.game.in_round for rig in self.tables) and any(rig.game.rounds for rig in self.tables):
                # Not a single pass earlier, and not on one of them only.
                assert not any(rig.game.dealing for rig in self.tables)
                assert len(before.dealer) == 2
                raise Parted
            assert seen(self.tables[0]) == seen(self.tables[1])

    def send(self, line: str) -> None:
        for rig in self.tables:
            rig.board.rx += line.encode() + b"\n"

    def play(self, line: str, *script: tuple[int, int]) -> None:
        """Sends `line`, then plays (mask, ms) after (mask, ms), until the tables may part."""
        try:
            self.send(line)
            for mask, ms in script:
                self.run(ms, mask)
        except Parted:
            pass


def seen(rig: Rig) -> tuple[Any, ...]:
    board = rig.board
    scene = rig.front.scene
    events = list(rig.table.events._queue)
    picture = (bytes(rig.table.canvas.buf), scene.phase, scene.seat, list(scene.labels), scene.pressed, scene.lamps)
    heard = list(board.sounds)
    # The records hold the cards and never leave the table; what their sizes were, the flash could tell.
    stored = {name: len(data) for name, data in board.files.items()}
    return (board.elapsed, board.sent, board.lit, heard, bytes(board.tx), stored, board.saves, events, picture)


_WIRE = ("TABL:DEAL?;:DISP:DATA?;:SYST:EVEN:COUN?;:DIAG:LAMP?", "*OPC?", "*OPC;*STB?", QUERIES, "BENC:PRES HIT,60;*WAI")
_WIRE += ("TABL:STAT?;HIST?", "ROUN:ACT 0,HIT;:SYST:ERR?", "ROUN:NEXT;:SYST:ERR?", "BENC:BANK 0,5;:SYST:ERR?", "*TST?")
# Many aces and tens: blackjacks of either side, insurance, seats that are done at the deal.
_CARDS = st.lists(st.sampled_from((*RANKS, "A", "A", "A", "10", "K", "K")), min_size=40, max_size=40)


@pytest.mark.fault(36)
@pytest.mark.parametrize("rules", ["casino", "sifl"])
@given(
    _CARDS,
    st.tuples(st.sampled_from((*RANKS, "A", "A", "K", "K")), st.sampled_from(RANKS)),
    st.sampled_from([(10,), (10, 10), (0, 10), (10, 0, 25), (5, 6, 7)]),
    st.sampled_from(["", *_WIRE]),
    st.integers(5, 2500),
    st.lists(
        st.tuples(st.sampled_from([BET, HIT, STAND, DOUBLE]), st.integers(5, 900), st.integers(30, 900)), max_size=6
    ),
)
@settings(max_examples=40, deadline=None)
def test_tables_that_differ_in_the_hole_card_look_alike(
    rules: str,
    cards: list[str],
    holes: tuple[str, str],
    bets: tuple[int, ...],
    line: str,
    rest: int,
    presses: list[tuple[int, int, int]],
) -> None:
    """Dealt by a real key that rests for a while, then played by real keys, while the wire asks."""
    twins = Twins(rules, cards, holes, bets if rules == "casino" else bets[-1:])
    script = [(HIT, 20)]
    twins.play("", *script)
    assert all(rig.game.dealing for rig in twins.tables)
    script = [(HIT, rest)]
    for key, held, pause in presses:
        script += [(0, pause), (key, held)]
    twins.play(line, *script, (0, 2500))


@pytest.mark.parametrize("line", _WIRE)
@pytest.mark.parametrize(
    ("rules", "cards", "holes", "bets"),
    [
        ("casino", "9 10 7 ? 5 5 5 5 5 5 5 5", ("A", "9"), (10,)),  # blackjack behind a ten
        ("casino", "9 A 7 ? 5 5 5 5 5 5 5 5", ("K", "9"), (10,)),  # behind an ace: insurance first
        ("casino", "A 10 K ? 5 5 5 5 5 5 5 5", ("A", "9"), (10,)),  # against a blackjack
        ("casino", "A 9 10 K 8 ? 5 5 5 5 5 5 5", ("A", "9"), (10, 10)),  # seat 0 is done at the deal
        ("casino", "9 A 10 8 K ? 5 5 5 5 5 5 5", ("A", "9"), (10, 10)),
        ("sifl", "9 ? 7 A 5 5 5 5 5 5 5 5 5", ("K", "10"), (10,)),  # ace and ten are no blackjack there
        ("sifl", "A ? K K 5 5 5 5 5 5 5 5 5", ("A", "2"), (10,)),
    ],
)
def test_a_blackjack_of_the_dealer_is_news_only_when_the_deal_lies_there(
    line: str, rules: str, cards: str, holes: tuple[str, str], bets: tuple[int, ...]
) -> None:
    for how in ("key", "name"):
        twins = Twins(rules, cards.replace("?", "2").split(), holes, bets)
        if how == "key":
            twins.play("", (HIT, 20))
            twins.play(line, (HIT, 3500))
        else:
            twins.play("ROUN:DEAL;:" + line.lstrip(":") if line[0] != "*" else "ROUN:DEAL;" + line, (0, 3500))
        assert not any(rig.game.dealing for rig in twins.tables)


def test_the_seat_on_the_panel_tells_nothing() -> None:
    """Seat 0 is done at the deal: the panel must not turn to seat 1 before that is so on either table."""
    for hole in ("A", "9"):
        twins = Twins("casino", ["A", "9", "10", "K", "8", "2", "5", "5", "5"], (hole, hole), (10, 10))
        twins.send("ROUN:DEAL")
        rig = twins.tables[0]
        rig.run(30 * MS)
        while rig.game.dealing:
            rig.step()
            assert rig.front.scene.seat == 0 or not rig.game.dealing


def test_a_key_that_rests_keeps_the_word_that_was_pressed() -> None:
    for hole in ("A", "9"):
        twins = Twins("casino", ["9", "10", "7", "2", "5", "5"], (hole, hole))
        rig = twins.tables[0]
        rig.board.mask = HIT
        rig.run(20 * MS)
        while rig.front.quiet:
            if rig.front.reveal.active:
                assert rig.front.scene.labels == ["", "DEAL", "", ""]
                assert rig.front.scene.pressed == HIT
            rig.step()


@pytest.mark.parametrize(("key", "word", "cards"), [(HIT, "HIT", "10 10 6 7 10"), (DOUBLE, "DOUBLE", "5 10 6 7 10")])
def test_nor_does_its_word_run_ahead_of_any_other_card(key: int, word: str, cards: str) -> None:
    rig = Rig()
    rig.deal(cards.replace(" ", ","), (10,), "sifl")
    rig.board.mask = key
    rig.run(20 * MS)
    assert rig.game.phase == "settled"
    while rig.front.reveal.active:
        assert rig.front.scene.labels[NAMES.index(word)] == word
        assert rig.front.scene.phase == "playing"
        rig.step()


def test_an_insurance_question_tells_nothing() -> None:
    """Ace up: a ten in the hole is a blackjack, which must not show before insurance has closed."""
    twins = Twins("casino", ["10", "A", "9", "2", "5", "5"], ("K", "2"))
    twins.play("ROUN:DEAL;*OPC?", (0, 3000))
    assert [rig.game.phase for rig in twins.tables] == ["insurance"] * 2
    twins.play("*OPC?;:" + QUERIES, (0, 28_000))


def test_insurance_is_asked_when_the_cards_lie_there_and_at_its_price() -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10", 'BENC:SHOE "10,A,9,8,5,5"')
    rig.rest()
    rig.board.rx += b"ROUN:DEAL\n"
    phases = []
    while rig.table.pending() or not phases:
        rig.step()
        scene = rig.front.scene
        if (rig.game.rounds and not phases) or (phases and scene.phase != phases[-1]):
            phases.append(scene.phase)
        if scene.phase == "insurance":
            assert scene.visible.insurance_cost == 10
            assert len(scene.visible.dealer) == 2
    assert phases[-2:] == ["playing", "insurance"]


def test_a_picture_asked_for_between_two_passes_is_of_one_moment() -> None:
    """A press is carried out after the panel's turn and before the wire's: the wire must not draw half of it."""
    rig = Rig()
    rig.deal("10,10,6,7,10", (10,), "sifl")
    # One command a pass, each of which brings the picture up to date.
    rig.board.rx += (b"DIAG:LAMP?" + b";LAMP?" * 30 + b"\n") * 20
    while not rig.table.wire.active:
        rig.step()
    rig.board.mask = HIT
    moments = set()
    while rig.board.rx or rig.front.quiet:
        rig.step()
        scene = rig.front.scene
        moments.add((scene.phase, scene.visible.seats[0].net is not None))
    assert moments == {("playing", False), ("settled", True)}


def test_a_deal_and_its_end_are_written_down_before_they_show(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()
    rig.ok("BENC:RUL casino", "ROUN:BET 0,10", 'BENC:SHOE "9,10,7,A"')
    rig.rest()
    numbers = [rig.table.keeper._number]
    draw = rig.table._view.draw

    def watched(scene: Scene) -> None:
        assert not rig.game.unsaved
        draw(scene)

    monkeypatch.setattr(rig.table._view, "draw", watched)
    rig.board.rx += b"ROUN:DEAL\n"
    rig.run(30 * MS)
    assert rig.game.dealing
    numbers.append(rig.table.keeper._number)
    while rig.game.dealing:
        assert rig.table.keeper._number == numbers[1]
        rig.step()
    numbers.append(rig.table.keeper._number)
    assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2], "once for the deal, once for its end"
    assert b" S casino 2000 20 " in rig.board.files["a/bhot"]
    assert rig.front.scene.phase == "playing"
