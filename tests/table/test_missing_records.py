"""Records that are gone, cut short on the first day, or put back from a backup: never a default in their place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from tests.table.owner import OWNER, arcade, done, log, order
from tests.table.rig import Rig

from holecard.table.journal import seal
from holecard.table.keys import HIT, STAND

_GONE = "the records are gone"
_NAMES = {"arcade": ("hot", "op", "boot"), "bench": ("bhot", "bop", "boot")}


def started(mode: str, files: dict[str, bytes] | None = None, marked: bool = False) -> Rig:
    return Rig(mode=mode, operator=OWNER, files=files, marked=marked)


def a_day(mode: str, files: dict[str, bytes] | None = None) -> Rig:
    """A table in its first day, or its next one, with money that is not that of the first."""
    rig = started(mode, files, bool(files))
    done(rig, "REFILL 0,500", "LIMIT 7000")
    rig.rest()
    return rig


def without(files: dict[str, bytes], names: tuple[str, ...]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if path[2:] not in names}


def clear(rig: Rig) -> None:
    rig.ask("*CLS;*OPC?")
    if rig.board.mode == "arcade":
        done(rig, "CLEAR")
    else:
        rig.ok("BENC:CLE")
    rig.rest()


def some(names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for count in range(1, len(names) + 1):
        yield from combinations(names, count)


def locked(rig: Rig) -> str:
    state = rig.state()
    return rig.game.message if state["phase"] == "locked" else ""


# -- gone


_CASES = [(mode, gone) for mode, names in _NAMES.items() for gone in some(names)]


@pytest.mark.parametrize("days", [1, 2])
@pytest.mark.parametrize(("mode", "gone"), _CASES, ids=str)
def test_promise_15_no_record_that_is_gone_is_replaced_by_defaults(mode: str, gone: tuple[str, ...], days: int) -> None:
    rig = a_day(mode)
    if days > 1:
        rig = started(mode, dict(rig.board.files))
        rig.rest()
    files = without(rig.board.files, gone)
    # Also where nothing outlasts the file system: what is left tells enough.
    for marked in (False, True):
        after = started(mode, dict(files), marked)
        hot = _NAMES[mode][0]
        assert locked(after) == (_GONE if hot in gone else f"the record {gone[-1]} is gone")
        after.rest()
        assert after.board.files == files, "nothing is written"
        assert log(after)[-1] == f"power on, {mode}", "and the log can be read"
    money = 1000 if hot in gone else 1500
    clear(after)
    again = started(mode, dict(after.board.files), True)
    assert (locked(again), again.state()["bankrolls"]) == ("", [money])
    assert json.loads(again.ask("TABL:AUD?"))["ok"] is True
    assert again.table.house.limit == (0 if set(gone) & {"op", "bop"} else 14_000)


@pytest.mark.parametrize("mode", _NAMES)
def test_promise_15_everything_gone_locks_where_a_mark_tells_of_it(mode: str) -> None:
    assert locked(started(mode, {}, True)) == _GONE
    assert locked(started(mode, {}, False)) == ""


def test_promise_15_a_mode_has_a_first_day_and_only_one() -> None:
    files = dict(a_day("arcade").board.files)
    bench = a_day("bench", files)
    assert locked(bench) == "", "the bench's first day"
    both = dict(bench.board.files)
    for mode, other in (("arcade", "bench"), ("bench", "arcade")):
        hot = _NAMES[mode][0]
        assert locked(started(mode, dict(both), True)) == ""
        assert locked(started(mode, without(both, (hot,)), True)) == _GONE
        assert locked(started(mode, without(both, ("hot", "bhot")), True)) == _GONE
        assert locked(started(other, without(both, (hot,)), True)) == ""
    # Nor is it the first day of the bench when the others' record is gone.
    assert locked(started("bench", without(files, ("hot",)), True)) == _GONE
    assert locked(started("bench", without(files, ("boot",)), True)) == _GONE


# -- cut short


def watched(rig: Rig) -> list[dict[str, bytes]]:
    """What lies in the flash after each writing from now on; a file that is new is there empty before."""
    states: list[dict[str, bytes]] = []
    save = rig.board.save

    def noted(name: str, data: bytes) -> None:
        if name not in rig.board.files:
            states.append({**rig.board.files, name: b""})
        save(name, data)
        states.append(dict(rig.board.files))

    rig.board.save = noted  # type: ignore[method-assign]
    return states


@pytest.mark.parametrize("mode", _NAMES)
@pytest.mark.parametrize("second", [False, True])
def test_promise_15_a_first_day_that_is_cut_short_anywhere_goes_on(mode: str, second: bool) -> None:
    files = dict(a_day("bench" if mode == "arcade" else "arcade").board.files) if second else {}
    rig = Rig.__new__(Rig)
    states = first_day(rig, mode, files)
    assert len(states) > 6
    for at, state in enumerate(states):
        # The mark follows the first file.
        after = started(mode, dict(state), second or at > 0)
        assert locked(after) == "", f"after writing {at} of {len(states)}"
        after.rest()
        # And from then on everything is there.
        for name in _NAMES[mode]:
            assert locked(started(mode, without(after.board.files, (name,)), True)), name


@pytest.mark.parametrize("mode", _NAMES)
def test_promise_15_a_first_day_may_be_cut_short_again_and_again(mode: str) -> None:
    for at, state in enumerate(first_day(Rig.__new__(Rig), mode, {})[1:9]):
        for again, later in enumerate(first_day(Rig.__new__(Rig), mode, state)[:9]):
            assert locked(started(mode, dict(later), True)) == "", (at, again)


def first_day(rig: Rig, mode: str, files: dict[str, bytes]) -> list[dict[str, bytes]]:
    """A start whose writings are seen from the first one on, with a round and an order."""
    from tests.table import rig as rigs  # noqa: PLC0415

    states: list[dict[str, bytes]] = []

    class Noted(rigs.FakeBoard):
        def save(self, name: str, data: bytes) -> None:
            if name not in self.files:
                states.append({**self.files, name: b""})
            super().save(name, data)
            states.append(dict(self.files))

    made = rigs.FakeBoard
    rigs.FakeBoard = Noted  # type: ignore[misc]
    try:
        rig.__init__(mode=mode, operator=OWNER, files=files, marked=bool(files))  # type: ignore[misc]
    finally:
        rigs.FakeBoard = made  # type: ignore[misc]
    rig.press(HIT)
    rig.press(STAND)
    rig.rest()
    return states


@pytest.mark.parametrize("gone", list(some(_NAMES["arcade"])), ids=str)
def test_promise_15_a_way_out_that_is_cut_short_anywhere_is_all_or_nothing(gone: tuple[str, ...]) -> None:
    rig = a_day("arcade")
    after = started("arcade", without(rig.board.files, gone), True)
    states = watched(after)
    clear(after)
    money = 1000 if "hot" in gone else 1500
    for at, state in enumerate(states):
        again = started("arcade", dict(state), True)
        if not locked(again):
            assert again.state()["bankrolls"] == [money], f"after writing {at} of {len(states)}"
            assert "owner: CLEAR" in log(again) or at < len(states) - 1
        else:
            clear(again)
            assert locked(started("arcade", dict(again.board.files), True)) == ""


# -- put back


@pytest.mark.parametrize("folder", ["a", "b"])
@pytest.mark.parametrize("lost", [("hot",), ("hot", "boot"), ("hot", "op"), ("hot", "op", "boot"), ("all",)])
@pytest.mark.parametrize("how", ["gone", "damaged"])
def test_a_folder_from_before_the_lock_was_cleared_is_older(folder: str, lost: tuple[str, ...], how: str) -> None:
    rig = a_day("arcade")
    for _ in range(20):
        done(rig, "REFILL 0,5")
    rig.rest()
    before = dict(rig.board.files)
    names = tuple({path[2:] for path in before}) if lost == ("all",) else lost
    files = without(before, names) if how == "gone" else {p: b"x" if p[2:] in names else d for p, d in before.items()}
    after = started("arcade", files, True)
    assert locked(after)
    clear(after)
    done(after, "REFILL 0,7")
    after.rest()
    mixed = {**after.board.files, **{path: data for path, data in before.items() if path.startswith(folder)}}
    again = started("arcade", mixed, True)
    assert (locked(again), again.state()["bankrolls"], again.table.house.limit) == (
        "",
        [1007],
        0 if "op" in names else 14_000,
    )
    assert log(again)[:2] == [f"power on, {again.board.mode}", "owner: REFILL 0,7"]


# -- what is asked of a table that does not know its money


def _answers(rig: Rig) -> tuple[dict[str, Any], dict[str, Any]]:
    return json.loads(rig.ask("TABL:AUD?")), json.loads(rig.ask("TABL:MET?"))


@pytest.mark.parametrize("data", [None, b"rubbish", seal(7, "nonsense")])
def test_a_table_that_could_not_read_its_accounts_says_so(data: bytes | None) -> None:
    files = without(a_day("arcade").board.files, ("hot",))
    if data is not None:
        files.update({"a/hot": data, "b/hot": data})
    rig = started("arcade", files, True)
    audit, meters = _answers(rig)
    assert (audit["known"], audit["ok"], audit["locked"]) == (False, False, rig.game.message)
    assert [audit[name] for name in ("paid_in", "expected", "bankrolls")] == [None] * 3
    assert set(meters.values()) == {None}
    clear(rig)
    audit, meters = _answers(rig)
    assert (audit["known"], audit["ok"], audit["bankrolls"]) == (True, True, 1000)
    assert meters["wagered"] == 0


def test_a_table_that_is_locked_over_another_record_still_knows_its_money() -> None:
    rig = started("arcade", without(a_day("arcade").board.files, ("op",)), True)
    audit, meters = _answers(rig)
    assert (audit["known"], audit["ok"], audit["bankrolls"]) == (True, True, 1500)
    assert meters["resets"] == 2


@pytest.mark.parametrize(("name", "body"), [("op", "1 2"), ("op", "x 0 111 0"), ("boot", "1"), ("boot", "x - a")])
def test_a_record_that_makes_no_sense_is_told_in_our_words(name: str, body: str) -> None:
    files = dict(a_day("arcade").board.files)
    files["a/" + name] = files["b/" + name] = seal(9, body)
    rig = started("arcade", files, True)
    assert locked(rig) == "record not understood"
    rig.ask("*CLS;*OPC?")
    assert order(rig, "PLAY OFF") == '-221,"Settings conflict;the table is locked: record not understood"'
    clear(rig)
    assert rig.state()["bankrolls"] == [1500]


def test_a_record_of_the_mode_that_is_damaged_locks_once_and_not_for_ever() -> None:
    bench = a_day("bench", dict(a_day("arcade").board.files))
    files = {**bench.board.files, "a/mode": b"x", "b/mode": b"x"}
    rig = started("bench", files, True)
    assert locked(rig) == "record damaged"
    clear(rig)
    assert locked(started("bench", dict(rig.board.files), True)) == ""


def test_nothing_is_left_on_an_arcade_table_that_was_only_switched_on() -> None:
    rig = arcade()
    rig.rest()
    assert {path[2:] for path in rig.board.files} == {"hot", "op", "boot", "l0"}
