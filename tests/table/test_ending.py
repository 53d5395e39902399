"""The table ends when its board wants to, and not before everything is written."""

from __future__ import annotations

import pytest
from tests.table.fake_board import FakeBoard

from holecard.app import run
from holecard.start import play


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
