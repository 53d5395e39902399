"""What is fuzzed: for each target a strategy for its input, and a check that raises for an input that it found wrong.

Whatever the input is, a reader answers with what it has read or with its own error, and a table stands afterwards.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
from binascii import crc32
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.table.core_chance import log_lines
from tests.table.rig import MS, Rig
from tests.table.test_arcade import lines

from holecard.boards import settings as device
from holecard.rules.history import encode
from holecard.rules.replay import HistoryError, replay
from holecard.rules.ruleset import Refused
from holecard.table import journal, orders
from holecard.table.commands import COMMANDS, Tree
from holecard.table.scpi import units
from holecard.table.status import ScpiError
from holecard_host import verify as log
from holecard_host.errors import UsageFault

KEY = bytes(range(32))
_HISTORIES = (
    "HC1 sifl 2000 50 As9sTh8c2h HS ",
    "HC1 casino 2000,200 20,10 8h9dKc7s6hTdThJc SS ",
    "HC1 casino/decks=8 2000 20 - - ",
    "HC1 casino 4000 20 8h6s8dTc2h3s9dTsTc5d PHSHS ",
)
_BODIES = (
    "3 0 - pa 20,0 AAAA 17 - 40,60,1,0,0,0,0,2,0,0 2000 1 - casino 2020,11",
    "2 1 - p = d5h270Fy2rvzQQB7KG8xO+7dLXXF0nAmv5l3jUUm+Ek= 0 +^8LZ 0,0,0,0,0,0,0,1,0,0 2000 0 O casino 2000 50 F4SP -",
    "3 1 - pp = AAAA 15 - 60,0,3,0,0,0,0,13,7,0 4000 3 S casino 1980,1980 10,10 ;QVIP= -",
    "1 0 locked p 20 AAAA 0 - 0,0,0,0,0,0,0,1,0,0 2000 0 - sifl 2000",
    "7 3 100 0",
    "arcade",
    "1,2,power on, arcade;1,9,errors: 3",
)
_RECORDS = ("bhot", "hot", "bop", "op", "mode", "boot", "l0", "br0", "r0")
_ORDERS = ("PLAY OFF", "CREDITS ON", "SOUND OFF", "LIMIT 5000", "RULES casino", "SEATS 3", "BETS 5,100",
           "REFILL 0,25", "PAYOUT 0,100", "CLEAR", "MODE arcade")  # fmt: skip
_SETTINGS = (
    {"panel": "sh1106", "offset": 2, "address": "0x3C", "sound": False, "mode": "arcade", "tap": True, "wave": True},
    {"operator_key": KEY.hex(), "operator_id": "owner"},
    {"address": 61, "offset": -1, "mode": None, "panel": [], "sound": 1e400, "x": {}},
)
_COMMAND_LINES = [line for command in COMMANDS for line in lines(command)]


@dataclass(frozen=True)
class Target:
    """`name` for reports, `inputs`: what Hypothesis draws, `check`: raises when it is not dealt with."""

    name: str
    inputs: st.SearchStrategy[Any]
    check: Callable[[Any], None]


def mutated(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """One of the seeds with up to six pieces replaced, inserted, removed, doubled or swapped, or any bytes at all."""
    edit = st.tuples(st.sampled_from("rixds"), st.floats(0, 1), st.floats(0, 1), st.binary(max_size=6))

    def edited(seed: bytes, edits: list[tuple[str, float, float, bytes]]) -> bytes:
        data = seed
        for kind, first, second, piece in edits:
            at, end = sorted((int(first * len(data)), int(second * len(data))))
            if kind == "r":
                data = data[:at] + piece + data[at + len(piece) :]
            elif kind == "i":
                data = data[:at] + piece + data[at:]
            elif kind == "x":
                data = data[:at] + data[min(end, at + 12) :]
            elif kind == "d":
                data = data[:end] + data[at:]
            else:
                data = data[end:] + data[at:end] + data[:at]
        return data[:4096]

    changed = st.builds(edited, st.sampled_from(seeds), st.lists(edit, max_size=6))
    return st.one_of(changed, changed, st.binary(max_size=80))


def _texts(seeds: list[str]) -> st.SearchStrategy[str]:
    return mutated([seed.encode() for seed in seeds]).map(lambda data: data.decode("latin-1"))


def _stands(rig: Rig, audited: bool = True) -> None:
    """The table answers, nobody owes it anything, and unless its money was made up its accounts add up."""
    rig.send(b"\x18\n", 100 * MS)
    rig.rest()
    rig.lines()
    assert rig.ask("*CLS;*IDN?").startswith("Holecard,")
    audit = json.loads(rig.ask("TABL:AUD?"))
    assert audit["ok"] or not audited, audit
    assert all(rig.game.bankroll(seat) >= 0 for seat in range(rig.game.seats))


def _wire(example: tuple[bool, list[bytes]]) -> None:
    arcade, pieces = example
    rig = Rig(mode="arcade" if arcade else "bench", operator=("owner", KEY))
    for piece in pieces:
        # In bench mode 0x03 is for whoever wants the prompt.
        rig.send(piece if arcade else piece.replace(b"\x03", b""), 30 * MS)
        rig.board.tx = bytearray()
    _stands(rig)


def _parser(text: str) -> None:
    tree = Tree()
    path: list[str] = []
    for unit in units(text):
        with contextlib.suppress(ScpiError):
            call = tree.read(unit, path)
            path = call[2]
            assert tree.read(unit, path if call[0] is None else call[2]) is not None


def _journal(copies: tuple[bytes | None, bytes | None]) -> None:
    for data in copies:
        if data is not None:
            with contextlib.suppress(journal.JournalError):
                number, body = journal.unseal(data)
                assert journal.seal(number, body) == data or data[:-9].rstrip(b"0123456789") != data[:-9]
    files = {folder + "hot": data for folder, data in zip(journal.FOLDERS, copies, strict=True) if data is not None}
    board = Rig().board
    board.files = dict(files)
    try:
        found = journal.Journal(board).read("hot")
    except journal.JournalError:
        assert board.files == files, "evidence has been touched"
        return
    if found is not None:
        assert board.files["a/hot"] == board.files["b/hot"]
        assert journal.unseal(board.files["a/hot"]) == found


def _record(example: tuple[str, str, int, bool]) -> None:
    name, body, number, arcade = example
    data = journal.seal(number, body) if body.isascii() and body.isprintable() else body.encode("latin-1")
    files = {"a/" + name: data, "b/" + name: data}
    rig = Rig(files=files, mode="arcade" if arcade else "bench")
    rig.rest()
    _stands(rig, audited=False)
    # What was taken up is understood again, by a table that starts anew.
    again = Rig(files=rig.board.files, mode=rig.board.mode)
    again.rest()
    _stands(again, audited=False)
    if rig.game.phase == "locked":
        assert again.game.message == rig.game.message
    else:
        assert again.game.phase != "locked", again.game.message
        assert again.game.bankrolls() == rig.game.bankrolls()


def _settings(data: bytes) -> None:
    found = device.parse(data)
    assert found.mode in device.MODES and len(found.problem) < 100
    assert len(found.operator_key) in (0, 32) and KEY.hex() not in found.problem
    with contextlib.suppress(ValueError):
        changed = device.with_mode(data, "arcade")
        assert device.parse(changed).mode == "arcade"


def _history(body: str) -> None:
    """With a check sum that fits, so that what is behind it is reached."""
    for line in (body, f"{body}{crc32(body.encode('latin-1')):08X}"):
        with contextlib.suppress(HistoryError):
            play = replay(line)
            assert encode(play) == line
            assert min(play.bankrolls) >= 0


def _verify(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(data)
        with contextlib.suppress(UsageFault):
            report = log.verify(path)
            assert report.wrong is None or 0 < report.wrong.line <= data.count(b"\n") + 1


def _order(texts: list[str]) -> None:
    rig = Rig(operator=("owner", KEY))
    for text in texts:
        before = rig.game.bankrolls() if not rig.game.in_round else None
        try:
            orders.obey(rig.table, "owner", text)
        except (ScpiError, Refused):
            assert before is None or rig.game.bankrolls() == before, text
        rig.run(20 * MS)
        if rig.board.chosen != rig.board.mode:
            return  # it restarts
    _stands(rig)


_PIECES = st.one_of(
    st.sampled_from(_COMMAND_LINES).map(lambda line: line.encode() + b"\n"),
    st.lists(st.sampled_from(_COMMAND_LINES), max_size=4).map(lambda some: ";:".join(some).encode() + b"\n"),
    mutated([line.encode() + b"\n" for line in _COMMAND_LINES]),
)
_COPY = st.one_of(st.none(), mutated([journal.seal(number, body) for number, body in enumerate(_BODIES)]))
_LOG = ["\n".join(log_lines(seed, 2)).encode() + b"\n" for seed in (1, 2)]

TARGETS = (
    Target("wire", st.tuples(st.booleans(), st.lists(_PIECES, max_size=10)), _wire),
    Target("parser", _texts([*_COMMAND_LINES, "SYST:ERR?;ERR?;:ROUN:BET 0,7.5;ACT 0,'H'"]), _parser),
    Target("journal", st.tuples(_COPY, _COPY), _journal),
    Target(
        "record",
        st.tuples(st.sampled_from(_RECORDS), _texts(list(_BODIES)), st.integers(0, 999_999_999), st.booleans()),
        _record,
    ),
    Target("settings", mutated([json.dumps(one).encode() for one in _SETTINGS]), _settings),
    Target("history", _texts(list(_HISTORIES)), _history),
    Target("verify", mutated(_LOG), _verify),
    Target("orders", st.lists(st.one_of(st.sampled_from(_ORDERS), _texts(list(_ORDERS))), max_size=6), _order),
)
