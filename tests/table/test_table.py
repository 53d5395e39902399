"""The whole device on a fake board: the loop, the barrier, the record, a silent host, a missing panel."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from tests.table.fake_board import FakeBoard
from tests.table.rig import MS, Rig

from holecard import app
from holecard.table import ticks
from holecard.table.instrument import _ENOUGH
from holecard.table.keys import HIT, STAND

SECOND = 1_000_000


def test_a_step_says_when_it_wants_to_run_next() -> None:
    rig = Rig()
    rig.rest()
    rig.run(100 * MS)
    due = rig.table.step(rig.board.now())
    assert 1 * MS < ticks.diff(due, rig.board.time) <= 1_000 * MS
    rig.board.mask = HIT
    due = rig.table.step(rig.board.now())
    assert ticks.diff(due, rig.board.time) <= 1 * MS


def test_complete_answers_only_when_nothing_is_pending() -> None:
    rig = Rig()
    rig.ok('BENC:SHOE "10,10,10,7"')
    start = rig.board.elapsed
    assert rig.ask("ROUN:DEAL;*OPC?") == "1"
    assert rig.board.elapsed - start > 900 * MS  # four cards
    assert not rig.table.panel.pending
    start = rig.board.elapsed
    assert rig.ask("ROUN:ACT 0,S;*OPC?") == "1"
    assert rig.board.elapsed - start > 700 * MS  # the dealer's card, then the dark half second
    assert rig.board.lit


def test_complete_waits_for_a_press_on_the_pins() -> None:
    rig = Rig()
    rig.rest()
    rig.board.mask = STAND  # acts on release
    rig.run(5 * MS)
    rig.board.rx += b"*OPC?\n"
    rig.run(300 * MS)
    assert rig.lines() == []
    rig.board.mask = 0
    rig.run(60 * MS)
    assert rig.lines() == ["1"]


def test_complete_does_not_wait_for_a_key_that_is_leant_on() -> None:
    rig = Rig()
    rig.board.mask = STAND
    rig.run(800 * MS)
    assert rig.ask("*OPC?", 200 * MS) == "1"


def test_the_clock_runs_on_while_a_key_never_comes_to_rest() -> None:
    """A broken wire that hums: what is written waits for a quiet moment, but no time may be lost meanwhile."""
    rig = Rig()
    rig.run(1_000_000)
    before, end = rig.table.keeper.seconds, rig.board.elapsed + 10_000_000
    while rig.board.elapsed < end:
        rig.board.mask = rig.board.elapsed // 10_000 & 1
        rig.step()
    assert rig.table.keeper.seconds == before + 10


def test_complete_does_not_wait_for_a_panel_that_is_not_there() -> None:
    rig = Rig()
    rig.board.panel = False
    rig.press(HIT)
    assert rig.ask("*OPC?", 5 * SECOND) == "1"
    assert int(rig.ask("*TST?")) & 1
    rig.board.panel = True
    rig.run(2 * SECOND)
    assert rig.ask("*TST?") == "0"
    assert not rig.table.panel.pending


@pytest.mark.fault(16)
def test_fault_16_a_host_that_never_reads_does_not_stop_the_game() -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    rig.board.reads = False
    for _ in range(50):
        rig.board.rx += b"TABL:STAT?;*IDN?\nDISP:DATA?\n"
        rig.run(20 * MS)
    waiting = len(rig.board.rx)
    assert waiting > 500  # further commands stay in the port
    bets = rig.game.bets[0]
    for _ in range(60):
        rig.board.mask = 1
        rig.run(60 * MS)
        rig.board.mask = 0
        rig.run(60 * MS)
    assert rig.game.bets[0] > bets + 200
    assert rig.table.wire.unsent < _ENOUGH + 3 * 2100
    assert rig.table.events.dropped > 0
    rig.board.reads = True
    rig.run(3 * SECOND)
    answers = rig.lines()
    assert rig.board.rx == b""
    assert [len(line) for line in answers].count(2048) == 50
    assert any('"event":"dropped"' in line for line in rig.events)
    assert rig.ask("*IDN?").startswith("Holecard,")


def test_long_answers_and_events_do_not_mix() -> None:
    rig = Rig()
    rig.ok("SYST:COMM:EVEN ON")
    rig.board.rx += b"ROUN:BET 0,7;:DISP:DATA?;:ROUN:BET 0,8;:DISP:DATA?;:ROUN:BET 0,9;:DISP:DATA?\n"
    rig.run(1 * SECOND)
    answers = rig.lines()
    assert len(answers) == 1
    assert [len(part) for part in answers[0].split(";")] == [2048] * 3
    assert len([event for event in rig.events if '"bet"' in event]) == 3


def test_events_that_may_be_pushed_do_not_wait_for_something_else_to_happen() -> None:
    rig = Rig()
    rig.board.packet = 128  # a port that takes a whole event leaves nothing to come back for
    rig.ok(*(f"ROUN:BET 0,{bet}" for bet in range(10, 40)))
    rig.rest()
    before = rig.board.elapsed
    assert rig.ask("SYST:COMM:EVEN ON;*OPC?") == "1"
    assert len(rig.events) >= 30
    assert rig.board.elapsed - before < 20 * MS


@pytest.mark.fault(13)
def test_fault_13_half_a_line_stops_nothing() -> None:
    rig = Rig()
    rig.send(b"TABL:ST")
    rig.press(1)
    assert rig.game.bets == [12]
    assert rig.ask("AT?").startswith("{")


def test_a_record_that_cannot_be_saved_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig()

    def fails(name: str, data: bytes) -> None:
        raise OSError(28)

    monkeypatch.setattr(rig.board, "save", fails)
    rig.ask("BENC:BANK 0,50;*OPC?")
    assert rig.ask("SYST:ERR?").startswith("-310,")
    assert rig.ask("SYST:ERR?").endswith(';the flash keeps no record"')
    assert rig.state()["bankrolls"] == [1000], "as it is after a restart"


@pytest.mark.fault(25)
def test_fault_25_a_stuck_entropy_source_deals_no_real_round() -> None:
    rig = Rig(entropy=lambda n: b"\x55" * n, mode="arcade")
    rig.rest()
    assert (rig.front.phase, rig.game.message) == ("locked", "ENTROPY: the source is stuck")
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;ENTROPY: the source is stuck"'
    assert int(rig.ask("*TST?")) & 16
    rig.press(HIT)
    assert rig.game.rounds == 0


@pytest.mark.fault(25)
def test_fault_25_a_bench_says_so_and_deals() -> None:
    rig = Rig(entropy=lambda n: b"\x55" * n)
    rig.rest()
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;ENTROPY: the source is stuck"'
    assert rig.table.front.scene.message == "ENTROPY: bench only."
    assert int(rig.ask("*TST?")) & 16
    rig.ok("ROUN:DEAL")


@pytest.mark.fault(25)
def test_fault_25_two_boots_two_decks() -> None:
    deals = []
    for seed in (b"\x01", b"\x02"):
        rig = Rig(seed=seed)
        rig.ok("ROUN:DEAL")
        deals.append(json.loads(rig.ask("TABL:DEAL?"))["seats"])
    assert deals[0] != deals[1]


def test_an_exception_leaves_the_loop() -> None:
    from holecard.app import run  # noqa: PLC0415

    class Broken(FakeBoard):
        def idle(self, due: int) -> None:
            if self.elapsed > 50 * MS:
                raise ZeroDivisionError
            super().idle(due)

    board = Broken()
    with pytest.raises(ZeroDivisionError):
        run(board)
    assert board.tx == b""


def test_the_heap_is_emptied_once_nobody_has_spoken_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    collected = []

    class Spoken(FakeBoard):
        """A host asks every 100 ms for two seconds, and is silent for two more."""

        asked = 0

        def feed(self) -> None:
            if self.elapsed > 4_000 * MS:
                raise EOFError
            if self.asked * 100 * MS <= self.elapsed < 2_000 * MS:
                self.asked += 1
                self.rx += b"*ESE?;:SYST:ERR?\n"

    board = Spoken()
    tidy = SimpleNamespace(threshold=lambda _: None, collect=lambda: collected.append(board.elapsed))
    monkeypatch.setattr(app, "gc", tidy)
    with pytest.raises(EOFError):
        app.run(board)
    assert board.tx.count(b"\n") == 20
    first, *later = collected
    assert first < 50 * MS
    # And once more behind the digest of the program.
    assert len(later) == 2
    assert 2_100 * MS < later[0] < later[1] < 2_300 * MS
