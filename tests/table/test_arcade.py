"""Arcade mode: no byte over serial stops the game, moves money, or influences cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.rig import MS, Rig

from holecard.rules.ruleset import CASINO
from holecard.table.commands import _HARMLESS, COMMANDS
from holecard.table.keys import BET, DOUBLE, HIT, STAND
from holecard.table.menu import Menu

KEY = bytes(range(32))
SECOND = 1_000_000
# A value for each kind of parameter, and another one.
_VALUES = ({"w": "CASINO", "t": "decks", "s": '"A,K,Q,J"', "x": "2", "n": "0", "$": "25", "b": "ON"},
           {"w": "HIT", "t": "'goal'", "s": '"00"', "x": "'3:2'", "n": "1", "$": "5", "b": "OFF"})  # fmt: skip


def lines(command: tuple[Any, ...]) -> list[str]:
    """The command with every number of parameters that it takes, and with one too few."""
    header, kinds = command[0].replace("[:NEXT]", ""), command[1].replace("?", "")
    found = [header]
    for values in _VALUES:
        found += [header + " " + ",".join(values[kind] for kind in kinds[: i + 1]) for i in range(len(kinds))]
    return found


def playing(rig: Rig) -> None:
    while not rig.game.in_round:
        rig.press(HIT)


def settled(rig: Rig) -> None:
    playing(rig)
    while rig.game.in_round:
        rig.press(STAND)


def casino(rig: Rig) -> None:
    rig.game.start_over(CASINO, 2)


def insurance(rig: Rig) -> None:
    casino(rig)
    for _ in range(200):
        rig.press(HIT)
        if rig.state()["phase"] == "insurance":
            return
        while rig.state()["phase"] in ("playing", "insurance"):
            rig.press(STAND)
    raise AssertionError("no ace came up")


def doubling(rig: Rig) -> None:
    rig.game.start_over(CASINO, 1)
    rig.press(BET)
    for _ in range(200):
        rig.press(HIT)
        # After a round that the deal has ended this key would open a page.
        if rig.state()["phase"] == "playing":
            rig.press(DOUBLE)
        if rig.state()["phase"] == "doubling":
            return
        while rig.state()["phase"] in ("playing", "insurance"):
            rig.press(STAND)
    raise AssertionError("never asked how much")


def broke(rig: Rig) -> None:
    rig.game.pay(0, -2000)


def saved(rig: Rig) -> None:
    rig.game.pay(0, 200_000)
    rig.game.tell_ending()


def menu(rig: Rig) -> None:
    Menu(rig.table)


SITUATIONS: dict[str, Callable[[Rig], None]] = {
    "betting": lambda rig: None,
    "several seats": casino,
    "insurance": insurance,
    "playing": playing,
    "doubling": doubling,
    "settled": settled,
    "saved": saved,
    "broke": broke,
    "away": lambda rig: rig.game.leave(0),
    "attract": lambda rig: rig.run(61 * SECOND),
    "locked": lambda rig: rig.game.lock("record damaged"),
    "menu": menu,
}


def game(rig: Rig) -> dict[str, Any]:
    """Everything that the wire must not reach, hidden cards and the shoe included."""
    current = rig.game.last_round
    return {
        "phase": rig.front.phase,
        "bankrolls": [rig.game.bankroll(seat) for seat in range(rig.game.seats)],
        "states": [rig.game.state(seat) for seat in range(rig.game.seats)],
        "bets": list(rig.game.bets),
        "cards": list(current.drawn) if current else None,
        "actions": list(current.log) if current else None,
        "promise": rig.game.shoes.fair.save(),
        "taken": rig.game.taken(),
        "rules": rig.game.rules.items(),
        "rounds": rig.game.rounds,
        "meters": rig.game.accounts.meters[:9],  # the last one counts errors
        "panel": bytes(rig.table.canvas.buf),
        "lamps": rig.board.lit,
        "animated": rig.front.animated,
        "house": (rig.table.house.play, rig.table.house.credits, rig.table.house.limit, rig.table.house.sound),
        "bench": rig.game.bench,
        "chosen": rig.board.chosen,
    }


@pytest.mark.parametrize("name", SITUATIONS)
def test_promise_28_no_command_of_an_arcade_table_reaches_the_game(name: str) -> None:
    rig = Rig(mode="arcade", operator=("owner", KEY))
    SITUATIONS[name](rig)
    rig.rest()
    before = game(rig)
    for command in COMMANDS:
        for line in lines(command):
            rig.send(line.encode() + b"\n", 2 * MS)
            rig.rest()
            assert game(rig) == before, line
    # The wire still answers.
    rig.lines()
    assert rig.ask("*CLS;*IDN?").startswith("Holecard,")
    # And who plays, plays on.
    if name == "playing":
        rig.press(STAND)
        assert game(rig) != before


def test_an_arcade_table_refuses_by_one_number_whatever_changes_something() -> None:
    rig = Rig(mode="arcade")
    for command in COMMANDS:
        if command[0].endswith("?") or command[0] in _HARMLESS:
            continue
        for line in lines(command):
            told = rig.command(line)
            assert told == '-203,"Command protected;arcade mode: use the keys, or orders with OPERator:DO"', line


def test_a_bench_table_refuses_none_of_it_for_that() -> None:
    rig = Rig()
    for command in COMMANDS:
        if not command[0].startswith("OPER"):
            for line in lines(command):
                assert "-203" not in rig.command(line) if not command[0].endswith("?") else True
                rig.send(b"\x18")


def _noise() -> st.SearchStrategy[bytes]:
    """Everything but the host's part of a cut, which is what a host may add (test_proving.py)."""
    headers = [line for command in COMMANDS if command[0] != "FAIRness:CUT" for line in lines(command)]
    whole = st.sampled_from(headers).map(lambda line: line.encode() + b"\n")
    joined = st.lists(st.sampled_from(headers), max_size=3).map(lambda some: ";:".join(some).encode() + b"\n")
    return st.one_of(whole, joined, st.binary(max_size=40), st.just(b"\x03"), st.just(b"\x03\x03\r\n\x01\x04"))


@settings(max_examples=25)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, BET, HIT, HIT, STAND, STAND, DOUBLE]),
            st.sampled_from([30, 60, 700, 1500]),
            st.lists(_noise(), max_size=4),
        ),
        min_size=4,
        max_size=25,
    )
)
def test_promise_08_a_table_with_noise_on_its_wire_plays_as_its_twin_without(
    story: list[tuple[int, int, list[bytes]]],
) -> None:
    quiet = Rig(mode="arcade", operator=("owner", KEY))
    noisy = Rig(mode="arcade", operator=("owner", KEY))
    for rig in (quiet, noisy):
        # A busy wire shifts the moments at which presses are seen by microseconds, and they go into the cut; so nobody
        # can choose anything, but the twins would part.
        rig.game.shoes.press = lambda now: None  # type: ignore[method-assign]
    for key, ms, noise in story:
        for rig in (quiet, noisy):
            rig.board.mask = key
            for piece in noise if rig is noisy else ():
                rig.board.rx += piece
            # What is asked meanwhile may cost a few passes, no more.
            rig.run(ms * MS)
            rig.board.mask = 0
            rig.run(60 * MS)
            rig.rest()
            rig.board.tx = bytearray()
        # Neither may be ahead of the other: what nobody does changes with time.
        now = max(noisy.board.elapsed, quiet.board.elapsed) + 100 * MS
        for rig in (quiet, noisy):
            rig.run(now - rig.board.elapsed)
        ours, theirs = game(noisy), game(quiet)
        assert ours == theirs
