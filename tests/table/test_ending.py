"""The table ends when its board wants to, and not before everything is written."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.table.fake_board import FakeBoard

from holecard.app import run
from holecard.start import play
from holecard.table import ahead, table


class Ending(FakeBoard):
    """Wants to end from the first pass on, or fails there."""

    closed = 0
    error: BaseException | None = None

    def feed(self) -> bool:
        super().feed()
        if self.error is not None:
            raise self.error
        return True

    def close(self) -> None:
        self.closed += 1


def test_it_ends_once_the_records_of_the_start_are_written() -> None:
    board = Ending()
    run(board)
    assert {"a/bhot", "b/bhot", "a/boot", "b/boot"} <= board.files.keys()
    assert 2 < board.fed < 200


def test_a_board_that_wants_nothing_is_played_on() -> None:
    board = Ending()
    passes = iter([None] * 500 + [KeyboardInterrupt()])
    board.feed = lambda: (_ for _ in ()).throw(error) if (error := next(passes)) else None  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        run(board)


def test_the_board_is_closed_however_the_table_ends() -> None:
    board = Ending()
    assert play(board) is False
    assert board.closed == 1
    board.error = KeyboardInterrupt()
    assert play(board) is True
    board.error = OSError(5)
    with pytest.raises(OSError):
        play(board)
    assert board.closed == 3


class Arcade(Ending):
    """Says so when it is reset."""

    def __init__(self) -> None:
        super().__init__(mode="arcade")
        self.error = MemoryError()

    def reset(self) -> None:
        raise SystemExit


def _fails(*_: object) -> None:
    raise MemoryError


def test_an_arcade_table_restarts_though_it_cannot_tell_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its prompt would come."""
    monkeypatch.setattr("builtins.print", _fails)
    with pytest.raises(SystemExit):
        play(Arcade())


def test_an_arcade_table_restarts_though_a_file_of_its_program_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "holecard.app", None)
    with pytest.raises(SystemExit):
        play(Arcade())


@pytest.mark.parametrize("error", [ImportError, MemoryError, OSError, ValueError])
def test_what_cannot_be_loaded_ahead_stops_no_table(error: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is to live long enough to find that its program is not the one that was installed."""

    def pieces() -> Iterator[None]:
        yield None
        raise error

    monkeypatch.setattr(table, "pieces", pieces)
    board = FakeBoard(mode="arcade")
    board.sources = {"holecard/program.sha256": b"0" * 64, "main.py": b""}
    seen: list[str] = []
    monkeypatch.setattr("holecard.table.keeper.Keeper.distrust", lambda _keeper, reason: seen.append(reason))
    passes = iter([None] * 20_000)
    board.feed = lambda: bool(seen) or next(passes)  # type: ignore[method-assign]
    run(board)
    assert seen == ["program changed"]


def test_whatever_a_player_comes_upon_is_loaded_ahead() -> None:
    """On the chip a heap that was played on may have no room left for the largest piece of a module."""

    def late(name: str) -> set[str]:
        path = Path(ahead.__file__).with_name(f"{name}.py")
        inside = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.FunctionDef)]
        imports = [one for function in inside for one in ast.walk(function) if isinstance(one, ast.ImportFrom)]
        packages = ("holecard.rules", "holecard.table")
        return {
            f"{one.module}.{alias.name}" if one.module in packages else str(one.module)
            for one in imports
            for alias in one.names
        }

    wanted = set().union(*map(late, ("front", "game", "phases", "presses", "turns", "verbs", "view")))
    assert "holecard.table.leafing" in wanted and wanted <= late("ahead")
