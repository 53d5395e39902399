"""The digest of the program: computed at rest, compared with what was installed, and what follows from a difference."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.table.fake_board import FakeBoard
from tests.table.rig import Rig

from holecard.table.digest import CHANGED, INSTALLED
from holecard.table.keys import HIT
from holecard.table.menu import Menu
from holecard_host import firmware_files

PROGRAM = {"holecard/app.mpy": bytes(range(256)) * 5, "holecard/rules.mpy": b"rules", "main.py": b"start()\n"}


def sha256sum(files: dict[str, bytes]) -> str:
    """As the command of that name prints it, and of that the SHA-256."""
    printed = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return hashlib.sha256(printed.encode()).hexdigest()


def examined(program: dict[str, bytes], mode: str = "bench", **board: Any) -> Rig:
    rig = Rig(mode=mode, **board)
    rig.board.sources = program
    while rig.table.examine():
        pass
    rig.rest()
    return rig


def told(rig: Rig) -> dict[str, Any]:
    return json.loads(rig.ask("SYST:DIG?"))


def sealed(files: dict[str, bytes]) -> dict[str, bytes]:
    return {**files, INSTALLED: sha256sum(files).encode() + b"\n"}


def entries(rig: Rig) -> list[str]:
    return [json.loads(rig.ask(f"SYST:LOG? {back}"))["text"] for back in range(int(rig.ask("SYST:LOG:COUN?")))]


def test_promise_31_it_is_what_sha256sum_says_and_what_the_host_installs() -> None:
    expected = sha256sum(PROGRAM)
    assert told(examined(PROGRAM))["digest"] == expected
    there = {name if name == "main.py" else f"lib/{name}": data for name, data in PROGRAM.items()}
    assert firmware_files.digest(there) == firmware_files.digest({**there, "settings.json": b"{}"}) == expected


@pytest.mark.parametrize("mode", ["bench", "arcade"])
def test_promise_31_a_program_as_installed_is_told_and_changes_nothing(mode: str) -> None:
    rig = Rig(mode=mode)
    assert told(rig) == {"state": "computing", "digest": "", "installed": "", "match": None, "files": 0}
    rig = examined(sealed(PROGRAM), mode)
    digest = sha256sum(PROGRAM)
    assert told(rig) == {"state": "computed", "digest": digest, "installed": digest, "match": True, "files": 3}
    assert (rig.front.phase, rig.front.page, rig.command("*OPC")) == ("betting", "", '0,"No error"')
    assert not any(CHANGED in entry for entry in entries(rig))


def _changes() -> Iterator[dict[str, bytes]]:
    whole = sealed(PROGRAM)
    for name in PROGRAM:
        yield {**whole, name: whole[name] + b"x"}
        yield {**whole, name: whole[name][:-1]}
        yield {other: data for other, data in whole.items() if other != name}
    yield {**whole, "holecard/app.py": b"stale"}
    yield {**whole, "holecard/app.mpy": whole["main.py"], "main.py": whole["holecard/app.mpy"]}
    yield {**whole, INSTALLED: b"f" * 64}
    yield {**whole, INSTALLED: b"\x00\xff"}


CHANGES = list(_changes())


@pytest.mark.parametrize("files", CHANGES)
def test_promise_31_a_changed_program_locks_an_arcade_table(files: dict[str, bytes]) -> None:
    rig = examined(files, "arcade")
    assert told(rig)["match"] is False
    assert (rig.front.phase, rig.game.message) == ("locked", CHANGED)
    assert rig.command("*OPC").startswith(f'-330,"Self-test failed;{CHANGED}')
    assert any(CHANGED in entry for entry in entries(rig))
    rounds = rig.game.rounds
    rig.press(HIT)
    assert rig.game.rounds == rounds


@pytest.mark.parametrize("files", CHANGES)
def test_promise_31_on_the_bench_it_is_told_and_the_table_plays_on(files: dict[str, bytes]) -> None:
    rig = examined(files)
    assert told(rig)["match"] is False
    assert any(CHANGED in entry for entry in entries(rig))
    assert rig.state()["page"] == "program"
    assert "CHANGED" in rig.front.scene.lines
    assert rig.command("*OPC") == '0,"No error"'
    rig.press(HIT)  # reads it
    rig.press(HIT)
    assert rig.game.rounds == 1


def test_promise_31_an_open_round_waits_for_its_own_program() -> None:
    first = Rig(mode="arcade", seed=b"\x07")
    while not first.game.in_round:
        first.press(HIT)
    before, cards = first.game.bankroll(0), list(first.game.last_round.drawn)
    locked = examined({**sealed(PROGRAM), "main.py": b"other"}, "arcade", files=first.board.files, seed=b"\x08")
    assert (locked.front.phase, locked.game.message) == ("locked", CHANGED)
    mended = examined(sealed(PROGRAM), "arcade", files=locked.board.files, seed=b"\x09")
    assert mended.game.in_round
    assert (mended.game.bankroll(0), list(mended.game.last_round.drawn)) == (before, cards)


def test_promise_31_no_other_lock_hides_it() -> None:
    """The one that came first is shown; whoever clears it has been told of both."""
    files = {f"{folder}/op": b"rubbish" for folder in "ab"}
    first = Rig(mode="arcade")
    first.rest()
    locked = examined({**sealed(PROGRAM), "main.py": b"other"}, "arcade", files={**first.board.files, **files})
    assert locked.game.message == "record damaged"
    assert [locked.ask("SYST:ERR?").partition(";")[2] for _ in range(3)] == ['record damaged"', CHANGED + '"', ""]
    assert any(CHANGED in entry for entry in entries(locked))
    locked.table.clear_record()
    locked.rest()
    assert any(CHANGED in entry for entry in entries(locked))


def test_promise_31_whoever_clears_the_lock_keeps_the_bankrolls() -> None:
    first = Rig(mode="arcade")
    first.game.pay(0, 500)
    first.rest()
    locked = examined({**sealed(PROGRAM), "main.py": b"other"}, "arcade", files=first.board.files)
    assert locked.front.phase == "locked"
    locked.table.clear_record()
    locked.rest()
    assert (locked.front.phase, locked.game.bankroll(0)) == ("betting", 2500)


def test_promise_31_without_a_digest_there_is_nothing_to_compare() -> None:
    rig = examined(PROGRAM, "arcade")
    assert (told(rig)["match"], rig.front.phase) == (None, "betting")


def test_promise_31_a_frozen_program_has_no_files() -> None:
    rig = examined({}, "arcade")
    assert (told(rig)["state"], told(rig)["match"], rig.front.phase) == ("image", None, "betting")


def test_promise_31_a_flash_that_fails_meanwhile_is_a_difference() -> None:
    class Failing(FakeBoard):
        def program(self) -> Iterator[Any]:
            yield INSTALLED
            yield b"0" * 64
            yield "main.py"
            raise OSError(5)

    rig = Rig()
    rig.board.program = Failing.program.__get__(rig.board)  # type: ignore[method-assign]
    while rig.table.examine():
        pass
    assert told(rig)["match"] is False


def test_promise_31_no_memory_for_it_stops_no_table() -> None:
    class Scarce(FakeBoard):
        def program(self) -> Iterator[Any]:
            yield "main.py"
            raise MemoryError

    rig = Rig()
    rig.board.program = Scarce.program.__get__(rig.board)  # type: ignore[method-assign]
    assert rig.table.examine()
    assert not rig.table.examine()
    assert told(rig)["state"] == "computing"
    assert rig.ask("SYST:ERR?").startswith('-321,"Out of memory')


def test_promise_31_it_is_on_a_page_of_the_operators_menu() -> None:
    rig = examined(sealed(PROGRAM))
    menu = Menu(rig.table)
    while "Program" not in rig.front.lines:
        menu.next()
    assert rig.front.lines[1:3] == ["Program", "as installed"]
    assert "".join(rig.front.lines[3:7]) == sha256sum(PROGRAM)
    assert max(map(len, rig.front.lines)) <= 21
