"""When flash is written: interrupts stop meanwhile, so never between a press and the answer to it, and not often."""

from __future__ import annotations

import pytest
from tests.table.rig import MS, Rig

from holecard.table.keys import BET, DOUBLE, HIT, STAND


def watched(rig: Rig) -> list[str]:
    """What the board does from now on: "bus", and the names of what is saved."""
    done: list[str] = []
    save, write = rig.board.save, rig.board.i2c_write

    def saving(name: str, data: bytes) -> None:
        done.append(name)
        save(name, data)

    def writing(address: int, data: bytes) -> None:
        done.append("bus")
        write(address, data)

    rig.board.save = saving  # type: ignore[method-assign]
    rig.board.i2c_write = writing  # type: ignore[method-assign]
    return done


@pytest.mark.fault(23)
@pytest.mark.parametrize("key", [HIT, STAND, DOUBLE, BET])
@pytest.mark.parametrize("where", ["betting", "playing", "settled"])
def test_fault_23_no_flash_is_written_between_a_press_and_its_answer_on_the_panel(where: str, key: int) -> None:
    rig = Rig()
    if where != "betting":
        rig.deal("8,10,8,7,5,5,5", rules="casino")
    if where == "settled":
        rig.press(STAND)
        rig.run(600 * MS)
    # The last round, the log and the record of the start may wait for longer than that; here they have been written.
    rig.rest()
    done = watched(rig)
    rig.board.mask = key
    rig.run(60 * MS)
    first = next((name for name in done if name != "bus"), None)
    if first is not None:
        assert done[0] == "bus", "the label first"
        assert first in ("a/bhot", "a/br0"), "while a key is down only what must be stored before it is shown"
    rig.board.mask = 0
    rig.rest()


@pytest.mark.fault(23)
@pytest.mark.parametrize("rules", ["sifl", "casino"])
def test_fault_23_what_a_round_writes_is_bounded(rules: str) -> None:
    """The record twice at the deal and twice at the settlement, the round for the recall twice, seldom the log."""
    rig = Rig()
    rig.ok(f"BENC:RUL {rules}")
    rig.rest()
    done = watched(rig)
    rounds = 40
    for _ in range(rounds):
        rig.press(HIT)
        while rig.game.in_round:
            rig.press(STAND)
        rig.run(600 * MS)
    assert rig.game.rounds >= rounds
    written = len([name for name in done if name != "bus"])
    assert 6 * rounds <= written <= 7 * rounds
