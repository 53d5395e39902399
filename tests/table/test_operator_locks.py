"""A table that has locked itself, and its operator: what can be read, what can be ordered, the way out."""

from __future__ import annotations

import json

import pytest
from tests.table.fake_board import FakeBoard
from tests.table.owner import REFUSED, SECOND, arcade, done, house, log, order, reborn, send
from tests.table.rig import Rig

from holecard.table.keys import HIT


def test_the_way_out_of_a_lock_is_in_the_log_and_survives() -> None:
    rig = arcade()
    rig.game.lock("a bankroll jumped")
    rig.game.unsaved = True
    rig.rest()
    rig = reborn(rig)
    assert rig.state()["phase"] == "locked"
    assert house(rig)["locked"] == "a bankroll jumped"
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;a bankroll jumped"'
    done(rig, "CLEAR")
    assert "owner: CLEAR" in log(rig)
    assert reborn(rig).state()["phase"] == "betting"


def test_a_house_record_that_cannot_be_trusted_locks_and_stays_as_evidence() -> None:
    rig = arcade()
    done(rig, "PLAY OFF")
    files = dict(rig.board.files)
    files["a/op"] = files["b/op"] = b"rubbish"
    rig = arcade(files=files, marked=True)
    assert rig.state()["phase"] == "locked"
    assert rig.ask("SYST:ERR?") == '-330,"Self-test failed;record damaged"'
    assert send(rig, "PLAY ON", 1, "00" * 32) == REFUSED
    rig.rest()
    assert rig.board.files["a/op"] == b"rubbish"
    rig.run(3 * SECOND)
    done(rig, "CLEAR")
    assert reborn(rig).state()["phase"] == "betting"


@pytest.mark.parametrize("copy", ["a/op", "b/op"])
def test_one_copy_of_the_house_record_is_enough(copy: str) -> None:
    rig = arcade()
    done(rig, "PLAY OFF", "LIMIT 700")
    files = dict(rig.board.files)
    files[copy] = b"rubbish"
    rig = arcade(files=files, marked=True)
    assert (house(rig)["play"], house(rig)["limit"], house(rig)["counter"]) == (False, 700, 2)


@pytest.mark.parametrize("damaged", ["boot", "op"])
def test_promise_15_another_record_that_is_damaged_costs_no_money(damaged: str) -> None:
    """It locks the table; but the table's own record is whole, so its bankrolls and meters go on after the lock."""
    rig = arcade()
    done(rig, "REFILL 0,500", "LIMIT 7000")
    rig.rest()
    for folder in ("a/", "b/"):
        rig.board.files[folder + damaged] = rig.board.files[folder + damaged][:-1] + b"x"
    after = reborn(rig)
    assert after.state()["phase"] == "locked"
    assert after.ask("SYST:ERR?") == '-330,"Self-test failed;record damaged"'
    done(after, "CLEAR")
    assert after.state()["bankrolls"] == [1500]
    again = reborn(after)
    assert (again.state()["phase"], again.state()["bankrolls"]) == ("betting", [1500])
    assert json.loads(again.ask("TABL:AUD?"))["ok"] is True


def in_a_round(rig: Rig) -> Rig:
    """The same table with a round open from its own shoe, at rest."""
    while True:
        rig.press(HIT)
        if rig.game.in_round:
            return rig


def test_an_order_on_a_locked_table_tells_nothing_that_is_not_stored() -> None:
    """The open round is still in the record, and so is the secret of its shoe."""
    rig = in_a_round(arcade())
    rig.table.keeper.distrust("program changed")
    rig.ask("*CLS;*OPC?")
    told = rig.ask("FAIR:LOG?")
    rig.board.choose_mode = lambda mode: ""
    assert order(rig, "MODE bench") == '0,"No error"'
    assert rig.ask("FAIR:LOG?") == told
    assert rig.game.closed


def test_a_change_of_mode_that_was_not_stored_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody plays on with cards that could be read on the bench."""
    files = in_a_round(arcade()).board.files
    bench = Rig(files=dict(files), marked=True)
    bench.rest()
    files = dict(bench.board.files)
    secret = files["a/hot"]
    save = FakeBoard.save

    def fails(board: FakeBoard, name: str, data: bytes) -> None:
        if name == "a/hot":
            raise OSError(5)
        save(board, name, data)

    monkeypatch.setattr(FakeBoard, "save", fails)
    rig = arcade(files=files, marked=True)
    rig.rest()
    assert rig.board.files["a/hot"] == secret
    assert (rig.game.phase, rig.game.message) == ("locked", "the flash keeps no record")
    monkeypatch.undo()
    again = arcade(files=dict(rig.board.files), marked=True)
    again.rest()
    assert not again.game.in_round
    assert "mode changed: round void" in log(again)


def test_a_change_of_mode_is_made_once_though_its_record_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever clears the lock over it plays on in that mode: no later start takes it for another change."""
    bench = Rig(files=in_a_round(arcade()).board.files, marked=True)
    bench.rest()
    save = FakeBoard.save

    def fails(board: FakeBoard, name: str, data: bytes) -> None:
        if name == "a/mode":
            raise OSError(5)
        save(board, name, data)

    with monkeypatch.context() as patch:
        patch.setattr(FakeBoard, "save", fails)
        rig = arcade(files=bench.board.files, marked=True)
    rig.ask("*CLS;*OPC?")
    done(rig, "CLEAR")
    in_a_round(rig).rest()
    again = reborn(rig)
    again.rest()
    assert again.game.in_round
