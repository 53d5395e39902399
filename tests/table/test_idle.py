"""Clocks: wherever they start, seconds tick; an idle panel dims, goes dark and is set up again now and then."""

from __future__ import annotations

import pytest
from tests.table.fake_board import START
from tests.table.rig import MS, Rig

from holecard.table.keys import BET, HIT, STAND

SECOND = 1_000_000
HALF = 1 << 29
ACE_UP = "10,A,9,8,5,5"
STARTS = (0, 1, HALF - 1, HALF, HALF + 1, (1 << 30) - 1, START)


@pytest.mark.parametrize("start", STARTS)
def test_seconds_tick_wherever_the_clock_starts(start: int) -> None:
    rig = Rig(start=start)
    rig.run(61 * SECOND)
    assert rig.front.scene.phase == "attract"
    frame = rig.front.scene.frame
    rig.run(3 * SECOND)
    assert 2 <= rig.front.scene.frame - frame <= 4


@pytest.mark.parametrize("start", STARTS)
def test_the_first_event_has_the_time_of_power_on(start: int) -> None:
    rig = Rig(start=start)
    rig.ok("SYST:COMM:EVEN ON")
    rig.run(10 * MS)
    rig.lines()
    for line in rig.events[:2]:
        assert (int(line.split(" ")[2]) - start) % (1 << 30) < 10 * MS


@pytest.mark.parametrize("start", STARTS)
def test_a_round_with_insurance_wherever_the_clock_starts(start: int) -> None:
    rig = Rig(start=start)
    rig.deal(ACE_UP, (10,))
    assert rig.front.scene.insurance_left == 30
    rig.run(31 * SECOND)
    assert rig.state()["phase"] == "playing"
    rig.press(STAND)
    assert rig.board.lit
    rig.press(HIT)
    assert rig.game.rounds == 2


def test_an_answer_in_the_last_moment_of_insurance_counts() -> None:
    """The press has been acknowledged when the time runs out, but its label is still on the way to the panel."""
    for early in range(0, 40_000, 500):
        rig = Rig()
        rig.ok("DISP:ANIM OFF")
        rig.deal(ACE_UP, (10,))
        while rig.front.closing > 1:
            rig.run(100 * MS)
        rig.run(950 * MS - early)
        rig.board.mask = BET
        while not rig.front.committing and rig.game.phase == "insurance":
            rig.step()
            rig.front._second_at = rig.board.time  # the second is over in every pass from here on
            if rig.front.pressed:
                break
        acknowledged = rig.front.pressed == BET
        rig.board.mask = 0
        rig.rest()
        assert not acknowledged or rig.state()["seats"][0]["insurance"] == 5
        if acknowledged:
            return
    pytest.fail("no press met the end of insurance")


def test_a_pending_press_is_not_overwritten_by_the_clock() -> None:
    rig = Rig()
    rig.deal(ACE_UP, (10,))
    rig.front.closing = 1
    rig.front.verb = "insure"
    rig.front._tick()
    assert (rig.front.verb, rig.front.closing) == ("insure", 1)
    rig.rest()
    assert rig.state()["seats"][0]["insurance"] == 5


class Listening:
    """What the panel is told besides pixels."""

    def __init__(self, rig: Rig) -> None:
        self.levels: list[int] = []
        self.switches: list[int] = []
        self.starts = 0
        write = rig.board.i2c_write

        def watched(address: int, data: bytes) -> None:
            data = bytes(data)
            if data[:2] == b"\x00\x81":
                self.levels.append(data[2])
            elif data in (b"\x00\xae", b"\x00\xaf"):
                self.switches.append(data[1])
            elif data[:2] == b"\x00\xd5":
                self.starts += 1
            write(address, data)

        rig.board.i2c_write = watched  # type: ignore[method-assign]


@pytest.mark.fault(9)
@pytest.mark.parametrize("where", ["betting", "playing", "settled"])
def test_fault_09_dimming_reaches_the_panel_in_every_phase(where: str) -> None:
    rig = Rig()
    rig.deal("10,10,9,7", (10,))
    if where == "settled":
        rig.press(STAND)
    elif where == "betting":
        rig.ok("*RST")
    rig.rest()
    told = Listening(rig)
    rig.run(305 * SECOND)
    assert told.levels[-1] == 0x08
    rig.board.mask = BET  # while playing this key means nothing here: it is still somebody at the table
    rig.run(20 * MS)
    rig.board.mask = 0
    rig.rest()
    assert told.levels[-1] == 0xCF
    assert rig.game.phase == where


@pytest.mark.long
@pytest.mark.fault(9)
def test_fault_09_after_half_an_hour_the_panel_is_dark_until_a_press() -> None:
    rig = Rig()
    told = Listening(rig)
    rig.run(1790 * SECOND)
    assert 0xAE not in told.switches
    rig.run(20 * SECOND)
    assert told.switches[-1] == 0xAE
    sent = rig.board.sent
    rig.run(200 * SECOND)
    assert rig.board.sent == sent
    rig.press(HIT)
    assert told.switches[-1] == 0xAF
    assert (rig.game.rounds, rig.state()["page"]) == (0, "")


@pytest.mark.fault(9)
@pytest.mark.parametrize("where", ["playing", "locked"])
def test_fault_09_a_waiting_round_and_a_locked_table_go_dark_too(where: str) -> None:
    """What was pressed in the dark was not meant: it lights the panel and does nothing else."""
    rig = Rig()
    rig.deal("10,10,10,7,5", (10,))
    if where == "locked":
        rig.game.lock("a test")
    told = Listening(rig)
    rig.run(1900 * SECOND)
    assert told.switches[-1] == 0xAE
    before = rig.game.visible
    rig.press(HIT)
    assert told.switches[-1] == 0xAF
    assert (rig.front.scene.phase, rig.game.visible) == (where, before)
    rig.press(HIT)
    assert (rig.game.visible is before) == (where == "locked")


@pytest.mark.parametrize("where", ["betting", "playing"])
def test_an_idle_panel_is_set_up_again_every_minute(where: str) -> None:
    """One that lost its power between two transfers acknowledges everything and stays dark."""
    rig = Rig()
    if where == "playing":
        rig.deal("10,10,10,7", (10,))
    rig.rest()
    told = Listening(rig)
    rig.run(55 * SECOND)
    assert told.starts == 0
    rig.run(10 * SECOND)
    assert told.starts == 1
    rig.rest()
    assert not rig.table.panel.pending
    rig.run(300 * SECOND)
    assert told.starts == 6
    assert rig.ask("*TST?") == "0"


def test_nobody_who_plays_waits_for_that() -> None:
    rig = Rig()
    rig.rest()
    told = Listening(rig)
    for _ in range(70):
        rig.press(BET)
        rig.run(2 * SECOND)
    assert told.starts == 0
