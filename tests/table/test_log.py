"""The log of the machine: what it tells, in whole sentences and dollars, how much of it can be read, what floods it."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import pytest
from tests.table.fake_board import FakeBoard
from tests.table.owner import REFUSED, SECOND, arcade, done, house, log, mac, order, send
from tests.table.rig import MS, Rig

from holecard.table.journal import Journal, seal
from holecard.table.log import Log, Tally


def entries(rig: Rig) -> list[dict[str, Any]]:
    """All that the count promises; and nothing lies behind."""
    count = int(rig.ask("SYST:LOG:COUN?"))
    found = [json.loads(rig.ask(f"SYST:LOG? {back}")) for back in range(count)]
    assert rig.command(f"SYST:LOG? {count}").startswith("-221,")
    return found


# -- what can be read


@pytest.mark.parametrize("seed", range(12))
def test_the_count_and_the_entries_agree_whatever_is_damaged(seed: int) -> None:
    chance = random.Random(seed)
    rig = Rig()
    total = chance.randint(1, 200)
    for number in range(total):
        rig.game.notes.append(f"test {number}")
        rig.rest()
    files = dict(rig.board.files)
    pieces = sorted({path[2:] for path in files if path[2:].startswith("l")})
    for name in chance.sample(pieces, chance.randint(0, len(pieces))):
        files["a/" + name] = files["b/" + name] = chance.choice([b"", b"rubbish", seal(3, "0,0,of another round")])
        if chance.random() < 0.3:
            del files["a/" + name], files["b/" + name]
    after = Rig(files=files, marked=True)
    after.rest()
    found = entries(after)
    texts = [entry["text"] for entry in found if entry["text"].startswith("test ")]
    assert texts == sorted(texts, key=lambda text: -int(text[5:]))
    assert found[0]["text"] == "power on, bench"
    for entry in found:
        assert (entry["start"] is None) == (entry["text"] == "entries that cannot be read")


def test_a_hole_in_the_log_is_an_entry_that_says_so() -> None:
    rig = Rig()
    for number in range(30):
        rig.game.notes.append(f"test {number}")
        rig.rest()
    files = {**rig.board.files, "a/l2": b"x", "b/l2": b"x"}
    after = Rig(files=files, marked=True)
    after.rest()
    texts = [entry["text"] for entry in entries(after)]
    hole = texts.index("entries that cannot be read")
    assert texts.count("entries that cannot be read") == 1
    assert int(texts[hole - 1][5:]) - int(texts[hole + 1][5:]) == 9, "eight lie in between"


def test_a_locked_table_tells_its_log_and_writes_nothing() -> None:
    rig = arcade()
    done(rig, "REFILL 0,5")
    rig.rest()
    files = {**rig.board.files, "a/hot": b"x", "b/hot": b"x", "b/l0": b"stale"}
    after = arcade(files=dict(files), marked=True)
    after.ask("*CLS;*OPC?")
    texts = [entry["text"] for entry in entries(after)]
    assert texts[:3] == ["locked: record damaged", "power on, arcade", "owner: REFILL 0,5"]
    after.run(30 * SECOND)
    assert after.board.files == files, "not even what reading would mend"


def test_a_locked_table_under_fire_does_not_fill_its_memory() -> None:
    rig = arcade(files={"a/hot": b"x", "b/hot": b"x"}, marked=True)
    for _ in range(400):
        rig.table.keeper.seconds += 3600
        rig.send(b"FOO\n", 20 * MS)
    assert len(rig.table.keeper.log._waiting) <= 16
    rig.ask("*CLS;*OPC?")
    done(rig, "CLEAR")
    assert "owner: CLEAR" in log(rig)


# -- what it says


_LONGEST = (
    "BETS 1000,1000000", "LIMIT 1000000", "REFILL 0,999.5", "PAYOUT 0,999.5", "RULES casino", "SEATS 7", "CREDITS OFF",
)  # fmt: skip


def test_every_order_is_told_whole_and_in_dollars() -> None:
    rig = arcade()
    rig.board.operator = ("o" * 8, rig.board.operator[1])
    for command in _LONGEST:
        done(rig, command)
        assert f"oooooooo: {command.upper()}" in log(rig)
    told = log(rig)
    assert "new table: sifl, min_bet $1,000, max_bet $1,000,000, seats 1" in told
    assert not [text for text in told if "..." in text or "2000" in text], "half-dollars"


@pytest.mark.parametrize("seed", range(8))
def test_no_entry_is_lost_doubled_or_misnumbered_when_the_flash_fails(seed: int) -> None:
    """Any of its writings may fail, the first or the second copy, and leave the old or the new one."""
    chance = random.Random(seed)
    board = FakeBoard()
    save = board.save
    broken = ""

    def failing(name: str, data: bytes) -> None:
        if name[0] not in broken:
            save(name, data)
            return
        if chance.random() < 0.5:
            save(name, data)
        raise OSError(5)

    board.save = failing  # type: ignore[method-assign]
    told = Log(Journal(board))
    wanted: list[str] = []
    for number in range(100):
        text = f"test {number}"
        broken = chance.choice(("", "", "a", "b", "ab"))
        if chance.random() < 0.5:
            try:
                told.enter(1, 2, text)
                wanted.append(text)
            except OSError:
                pass
        else:
            told.add(1, 2, text)
            wanted.append(text)
        if broken and chance.random() < 0.5:
            with suppress(OSError):
                told.write()
        if len(told._waiting) > 8 or chance.random() < 0.1:
            broken = ""
            told.write()
            assert told.count == len(wanted)
            after = Log(Journal(board))
            after.find(0)
            for log_ in (told, after):
                assert [log_.entry(back)[2] for back in range(len(log_))] == wanted[::-1][: len(log_)]
                assert len(log_) >= min(len(wanted), 112)
        broken = ""
        assert [told.entry(back)[2] for back in range(len(told))] == wanted[::-1][: len(told)]


def test_a_text_that_is_too_long_says_that_it_goes_on() -> None:
    class Nowhere:
        def write(self, name: str, data: bytes) -> None:
            assert len(data) < 400

    told = Log(Nowhere())
    told.add(1, 2, "x" * 1000)
    told.write()
    assert told.entry(0)[2].endswith("x...")


# -- what was refused


def test_promise_36_what_was_refused_leaves_a_trace() -> None:
    rig = arcade()
    nonce = rig.ask("OPER:NONC?")
    digest = mac(nonce, 1, "PLAY OFF")
    assert send(rig, "PLAY OFF", 1, digest) == '0,"No error"'
    assert send(rig, "PLAY OFF", 1, digest) == REFUSED
    assert "orders refused: 1, last not authenticated" in log(rig)
    rig.run(11 * SECOND)
    assert order(rig, "REFILL 0,2000000") == '-221,"Settings conflict;above the bankroll limit"'
    rig.run(11 * SECOND)
    assert "orders refused: 1, last owner: REFILL 0,2000000: above the bankroll limit" in log(rig)
    rig.run(40 * SECOND)
    assert order(rig, "x" * 90).startswith("-224,")
    rig.run(20 * SECOND)
    newest = log(rig)[0]
    assert newest.startswith(f"orders refused: 1, last owner: {'X' * 40}: ")
    assert "X" * 41 not in newest


@pytest.mark.long
def test_promise_36_an_hour_of_refusals_is_a_few_entries_that_count_them_all() -> None:
    rig = arcade()
    done(rig, "PLAY OFF")
    sent = 0
    for _ in range(1200):
        send(rig, "PLAY ON", 9, "00" * 32)
        sent += 1
        rig.run(SECOND // 2)
    rig.run(3600 * SECOND)
    told = [text for text in log(rig) if text.startswith("orders refused: ")]
    assert 4 <= len(told) <= 12
    assert sum(int(text.split(" ")[2].rstrip(",")) for text in told) == sent
    assert "owner: PLAY OFF" in log(rig)
    assert house(rig)["play"] is False


def test_a_tally_tells_at_once_then_seldom_and_after_a_pause_at_once_again() -> None:
    tally = Tally()
    told = []
    for second in range(40_000):
        if second < 20_000 or second == 39_000:
            tally.add()
        if tally.due(second):
            told.append(second)
            tally.new = 0
    assert told[:5] == [0, 10, 30, 70, 150]
    assert told[-1] == 39_000
    assert len(told) < 20
