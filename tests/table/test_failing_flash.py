"""A flash that fails at any writing of an order, of a round, of the log: what is told is what a restart finds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tests.table.failing import Flash
from tests.table.owner import arcade, deal, log, order, reborn
from tests.table.rig import Rig

from holecard.rules.ruleset import Refused
from holecard.table import orders
from holecard.table.accounts import ROUNDS
from holecard.table.keys import HIT, STAND
from holecard.table.status import ScpiError

# How many writings in a row fail, and what each of them leaves in its file.
_WAYS = ((1, "old"), (2, "torn"), (2, "whole"), (10_000, "old"))
_DEAD = (10_000, "nothing")
# A log of so many entries more: the next one begins a piece, ends one, or neither.
_ENTRIES = (0, 5, 7)


def facts(rig: Rig) -> dict[str, Any]:
    """All that an order may change, as the table has it in memory."""
    game, house = rig.game, rig.table.house
    return {
        "bankrolls": list(game.bankrolls()),
        "rules": (game.rules.name, game.rules.min_bet, game.rules.max_bet),
        "house": (house.play, house.credits, house.sound, house.limit),
        "run": (game.credits, game.limit),
        "mode": rig.board.chosen,
        "paid in": game.accounts.expected(),
    }


def errors(rig: Rig) -> list[str]:
    """The error queue, emptied."""
    status = rig.table.status
    return [status.next_error() for _ in range(status.error_count())]


def by_wire(rig: Rig, command: str) -> list[str]:
    rig.rest()
    errors(rig)
    first = order(rig, command)
    return ([] if first.startswith("0,") else [first]) + errors(rig)


def by_panel(rig: Rig, command: str) -> list[str]:
    """As the menu gives it, in the first moments after the start."""
    errors(rig)
    told = []
    try:
        orders.obey(rig.table, "panel", command)
    except ScpiError as error:
        told = [f"{error.code},{error.detail}"]
    except Refused as refusal:
        told = [f"-221,{refusal.reason}"]
    return told + errors(rig)


def restarted(rig: Rig) -> Rig:
    """A restart with a flash that works; bench or arcade, the records are those of the arcade."""
    return reborn(rig, mode="arcade")


_COMMANDS = (
    "PLAY OFF", "CREDITS ON", "SOUND OFF", "LIMIT 5000", "RULES sifl", "SEATS 3", "BETS 10,100", "REFILL 0,100",
    "PAYOUT 1,100", "MODE bench", "CLEAR", "CLEAR op", "CLEAR boot", "CLEAR hot",
)  # fmt: skip


@cache
def _base(entries: int) -> dict[str, bytes]:
    rig = arcade()
    for command in ("RULES casino", "SEATS 2", "REFILL 0,500", "LIMIT 8000"):
        assert by_wire(rig, command) == []
    rig.rest()
    while rig.table.keeper.log.count % 8 != entries:
        rig.game.notes.append(f"test {rig.table.keeper.log.count}")
        rig.rest()
    return dict(rig.board.files)


def before(command: str, entries: int) -> Rig:
    """A table at which the command can be given."""
    rig = arcade(files=dict(_base(entries)), marked=True)
    name, _, damaged = command.partition(" ")
    if name == "CLEAR":
        rig.rest()
        if not damaged:
            rig.game.lock("a bankroll jumped")
            rig.game.unsaved = True
            rig.rest()
        for folder in "ab" if damaged else "":
            rig.board.files[f"{folder}/{damaged}"] = b"rubbish"
        rig = restarted(rig)
    return rig


def trials(command: str, give: Any, entries: int) -> Iterator[tuple[str, Rig, Flash, list[str]]]:
    """Every failing writing of that order, in every way; the table after it."""
    text = command if command[:5] != "CLEAR" else "CLEAR"
    for times, leaves in _WAYS:
        first = 0
        while True:
            rig = before(command, entries)
            flash = Flash(rig, first, times, leaves)
            told = give(rig, text)
            if flash.count <= first:
                break
            yield f"{command}: {times} x {leaves} from writing {first}: {told}", rig, flash, told
            first += 1


@pytest.mark.parametrize("give", [by_wire, by_panel])
@pytest.mark.parametrize("command", _COMMANDS)
def test_promise_36_an_order_is_told_as_a_restart_finds_it_whichever_writing_fails(command: str, give: Any) -> None:
    """`-310`: nothing has changed, so who repeats it pays once; a lock says its name; else it is done."""
    entries = _ENTRIES[_COMMANDS.index(command) % len(_ENTRIES)]
    text = command if command[:5] != "CLEAR" else "CLEAR"
    clean = before(command, entries)
    old = facts(clean)
    assert give(clean, text) == []
    new = facts(clean)
    assert facts(restarted(clean)) == {**new, "mode": facts(restarted(clean))["mode"]}
    tried = 0
    for what, rig, flash, told in trials(command, give, entries):
        tried += 1
        after = restarted(rig)
        found = {**facts(after), "mode": rig.board.chosen}
        locked = rig.game.phase == "locked"
        if not told:
            assert facts(rig) == new, what
            assert found == new, what
            if command != "MODE bench":
                assert not locked, what
            if not locked:
                assert any(text.upper() in line for line in log(after)), what
        elif told[0].startswith("-330,"):
            assert locked, what
            assert any(rig.game.message in error for error in told), what
            if after.game.phase != "locked":
                assert facts(rig) == found, what
        else:
            assert told[0].startswith(("-310,", "-221,")), what
            assert facts(rig) == old, what
            assert (found == old) or (command.startswith("CLEAR") and locked), what
            flash.mend()
            again = after if locked and not command.startswith("CLEAR") else rig
            assert give(again, text) == [], what
            assert facts(again) == new, what
        flash.mend()
        if rig.board.chosen == "arcade":
            rig.rest()
    assert tried >= 2


# -- what is told of a round

_ROUNDS = {
    "deal": ("ROUN:DEAL",),
    "hit": ("ROUN:DEAL", "ROUN:ACT 0,HIT"),
    "double": ("ROUN:DEAL", "ROUN:ACT 0,DOUB"),
    "stand": ("ROUN:DEAL", "ROUN:ACT 0,STAND"),
    "rules": ("BENC:RUL sifl",),
    "reset": ("ROUN:DEAL", "*RST"),
    "money": ("BENC:BANK 0,50",),
}


def cards(rig: Rig) -> list[int]:
    """Those of the round that lies on the table."""
    play = rig.game.shown
    return list(play.drawn) if play else []


def _same(rig: Rig, after: Rig, what: str) -> None:
    """Both tell the same."""
    assert rig.game.bankrolls() == after.game.bankrolls(), what
    assert cards(rig) == cards(after), what
    assert rig.game.accounts.expected() == after.game.accounts.expected(), what
    for question in ("TABL:HIST?", "TABL:HIST? 1"):
        answers = []
        for one in (rig, after):
            one.ask("*CLS;*OPC?")
            answers.append(one.command(question))
        assert answers[0] == answers[1], what
    assert rig.state()["dealer"] == after.state()["dealer"], what


def _silent(rig: Rig, what: str) -> None:
    """What is stored cannot be read any more: no card, no money, no round is told."""
    state = rig.state()
    assert state["dealer"] is None and not any(seat["hands"] for seat in state["seats"]), what
    assert rig.game.bankrolls() == [rig.game.rules.start_bankroll], what
    rig.ask("*CLS;*OPC?")
    assert rig.command("TABL:HIST?").startswith("-221,"), what
    assert not any(rig.game.accounts.meters), what


def test_a_round_of_the_ring_that_is_torn_locks_no_table() -> None:
    """Its place in the ring was empty, so there is no other copy; but the table's own record has that round."""
    rig = arcade()
    deal(rig)
    while rig.game.in_round:
        rig.press(STAND)
    rig.rest()
    line = rig.ask("TABL:HIST?")
    files = rig.board.files
    number = rig.game.accounts.meters[ROUNDS]
    name = f"a/r{number}"
    files[name] = files[name][:20]
    del files["b" + name[1:]]
    after = reborn(rig)
    after.rest()
    assert after.game.phase == "settled"
    assert files[name] != after.board.files[name] == after.board.files["b" + name[1:]]
    for _ in range(5):
        while not after.game.in_round:
            after.press(HIT)
        while after.game.in_round:
            after.press(STAND)
    # By now memory has lost it.
    assert after.ask(f"TABL:HIST? {after.game.accounts.meters[ROUNDS] - number}") == line


@pytest.mark.parametrize("name", _ROUNDS)
def test_promise_16_nothing_is_told_of_what_could_not_be_stored(name: str) -> None:
    """Events, the state, the last rounds, the fair shoe: a restart finds what was told, whichever writing fails."""
    tried = 0
    for times, leaves in (*_WAYS, _DEAD):
        first = 0
        while True:
            rig = Rig()
            rig.ok("BENC:RUL casino", 'BENC:SEED "0badcafe"', "ROUN:BET 0,10", "SYST:COMM:EVEN ON")
            for line in _ROUNDS[name][:-1]:
                rig.ok(line)
                rig.rest()
            rig.rest()
            rig.lines()
            rig.events.clear()
            flash = Flash(rig, first, times, leaves)
            rig.ask(_ROUNDS[name][-1] + ";*OPC?")
            rig.rest()
            rig.lines()
            if flash.count <= first:
                break
            what = f"{name}: {times} x {leaves} from writing {first}: {rig.events}"
            tried += 1
            first += 1
            after = Rig(files=dict(rig.board.files), marked=True)
            told = "".join(rig.events)
            if rig.game.phase != "locked":
                continue
            if rig.table.keeper.intact:
                _same(rig, after, what)
            else:
                _silent(rig, what)
            assert told.count('"event":"settled"') <= (after.game.phase == "settled"), what
            assert told.count('"event":"card"') <= len(cards(after)), what
            assert after.game.shoes.fair.current.secret.hex() not in told + rig.ask("FAIR:LOG?"), what
            numbers = [int(event.split(" ")[1]) for event in rig.events]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "none is missing"
    assert tried >= 8
