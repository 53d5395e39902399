"""A short soak; `make soak` is the long one."""

from __future__ import annotations

import pytest
from tests.hardware.support import INTERPRETERS
from tests.soak.__main__ import HEAP_SLACK, grown, soak
from tests.soak.player import Books, Drift, Player


@pytest.mark.promise(23)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_faults_at_random_lose_no_money(seed: int) -> None:
    result = soak("cpython", seed, 60, cuts=True)
    assert result.wrong == ""
    assert result.rounds >= 60 and len(result.faults) >= 4


@pytest.mark.promise(23)
@pytest.mark.parametrize("interpreter", INTERPRETERS[1:])
def test_rounds_leave_nothing_in_the_heap(interpreter: str) -> None:
    result = soak(interpreter, 1, 200, cuts=False)
    assert result.wrong == ""
    assert len(result.heap) >= 20 and grown(result.heap) < HEAP_SLACK


def test_a_leak_is_seen_in_the_waves_of_a_heap() -> None:
    waves = [(100 * look, 374_000 + 6_000 * (look % 4)) for look in range(24)]
    assert grown(waves) == 0
    assert grown([(rounds, size + 16 * rounds) for rounds, size in waves]) > HEAP_SLACK


def test_money_that_no_round_explains_is_seen() -> None:
    player = Player("cpython", 4, cuts=False)
    player.play()
    player.command("ROUN:NEXT;:BENC:BANK 0,777")
    with pytest.raises(Drift, match="seat 0 has 1554"):
        player.check()
    player.close()


def test_a_new_bankroll_is_for_who_is_broke() -> None:
    books = Books([4, 2000], 2004)
    books.pay(0, 2000)
    assert (books.bankrolls, books.paid_in) == ([2000, 2000], 4000)
    with pytest.raises(Drift):
        books.pay(1, 2000)
