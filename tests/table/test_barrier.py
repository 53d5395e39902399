"""`*OPC?`, `*WAI` and the loop: nothing waits for what can only come after it, and nothing spins meanwhile."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.rig import MS, Rig

from holecard.table import ticks

SECOND = 1_000_000
# Each answers more than a line may hold back, so its line is begun before the rest of it has been carried out.
LONG = ("DISP:DATA?", "SYST:HELP:HEAD?;:TABL:STAT?;:TABL:STAT?", "TABL:STAT?;STAT?;STAT?;STAT?")


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("change", ["ROUN:BET 0,7", "BENC:PRES BET,60", "ROUN:DEAL", "BENC:RUL casino", "*RST"])
@pytest.mark.parametrize(("barrier", "rest"), [("*OPC?", ";1"), ("*WAI;*OPC?", ";1"), ("*WAI", "")])
def test_a_barrier_behind_a_long_answer_answers(long: str, change: str, barrier: str, rest: str) -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    answer = rig.ask(f"{long};:{change};{barrier}", 10 * SECOND)
    assert answer.endswith(rest)
    assert len(answer) > 1024
    rig.rest()
    rig.run(20 * MS)
    rig.lines()
    assert any(f'"event":"{word}"' in event for event in rig.events for word in ("bet", "key", "deal", "phase"))


def test_every_command_of_a_press_behind_a_long_answer_has_its_turn() -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    assert rig.ask("DISP:DATA?;:BENC:PRES BET,60;PRES BET,60;PRES BET,60;*OPC?", 10 * SECOND).endswith(";1")
    assert rig.game.bets == [2 + 3 * 10]


def test_complete_sets_its_bit_behind_a_long_answer() -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    rig.ask("*CLS;*ESR?")
    rig.ask("DISP:DATA?;:ROUN:BET 0,7;*OPC;:TABL:STAT?")
    rig.run(50 * MS)
    rig.lines()
    assert rig.ask("*ESR?") == "1"


_UNITS = (
    *("*IDN?", "*OPC?", "*WAI", "*OPC", "*RST", "*CLS", "*STB?", "*ESR?", "FOO", "DISP:DATA?", "TABL:STAT?", "DEAL?"),
    *("TABL:HINT?", "TABL:HIST?", "TABL:RUL?", "SYST:ERR?", "SYST:EVEN?", "SYST:HELP:HEAD?", "SYST:COMM:EVEN ON"),
    *("SYST:COMM:EVEN OFF", "ROUN:BET 0,7", "ROUN:BET 0,x", "ROUN:DEAL", "ROUN:ACT 0,HIT", "ROUN:ACT 0,S", "ROUN:NEXT"),
    *("BENC:PRES HIT,60", "BENC:PRES STAND,700", "BENC:PRES BET,9", "BENC:RUL casino", "BENC:SEAT 3", "BENC:BANK 0,3"),
    *("TABL:LEAV 0", "TABL:SIT 0", "DISP:ANIM OFF", "DISP:ANIM ON", 'BENC:SHOE "A,A,K,K,5,5,5,5"', "BENC:CLE"),
)


@given(st.lists(st.lists(st.sampled_from(_UNITS), min_size=1, max_size=10), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_mixture_of_commands_comes_to_an_end(lines: list[list[str]]) -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    for units in lines:
        line = ";:".join(unit for unit in units)
        rig.ask(line[:200].replace(":*", "*") + ";:SYST:ERR:COUN?", 60 * SECOND)
    assert rig.ask("*OPC?", 10 * SECOND) == "1"
    rig.rest()


@pytest.mark.parametrize("line", ["", "*OPC?", "*WAI;*IDN?", "TABL:STAT?", "BENC:PRES BET,60;PRES BET,60"])
def test_the_loop_sleeps_through_reveals_and_while_a_command_waits(line: str) -> None:
    rig = Rig()
    rig.rest()
    # Keys would be sampled every millisecond, so this deal comes from the wire.
    rig.board.rx += f"ROUN:DEAL;{line}\n".encode()
    start = rig.board.elapsed
    steps = 0
    while rig.table.pending() or steps < 10:
        due = rig.table.step(rig.board.now())
        rig.board.skip(max(0, ticks.diff(due, rig.board.time)))
        steps += 1
    took = rig.board.elapsed - start
    assert took > 900 * MS
    # Five turns, each a few spans of the panel and a few pieces of the answer, a key pressed twice at most.
    assert steps < 450 if "PRES" in line else steps < 200


def test_the_loop_sleeps_while_a_host_does_not_read() -> None:
    rig = Rig()
    rig.rest()
    rig.board.reads = False
    rig.send(b"DISP:DATA?\n", 100 * MS)
    due = rig.table.step(rig.board.now())
    assert 0 < ticks.diff(due, rig.board.time) <= 1 * MS
    rig.board.reads = True
    rig.run(100 * MS)
    assert len(rig.lines()[0]) == 2048


def test_the_loop_sleeps_through_the_dark_moment() -> None:
    rig = Rig()
    rig.deal("10,10,10,7", (10,))
    rig.ok("DISP:ANIM OFF", "ROUN:ACT 0,S")
    rig.run(100 * MS)
    assert rig.front.dark
    due = rig.table.step(rig.board.now())
    assert ticks.diff(due, rig.board.time) > 100 * MS
