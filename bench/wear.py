"""What play costs the flash: programs, erases, and the years that they allow.

A player with four keys and basic strategy plays at the real table, over the real littlefs, on a model of the flash that
counts (tests/hardware/cuts). littlefs stays with a pair of blocks for a hundred erases and then moves on, so a short
run would show a few worn blocks and nothing of how they take turns: what the table saved is therefore saved again and
again, without the table, until the first block has its second turn.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from tests.hardware.cuts.cutting import aged
from tests.hardware.cuts.flash import BLOCKS, Flash
from tests.hardware.cuts.powered import CutBoard, Machine

from holecard.rules.strategy import hint

from .rows import Row

CYCLES = 100_000
"""Erases that every block of the flash stands."""
ROUNDS_A_DAY = 3600
BUDGET_YEARS = 20.0

_ROUNDS = 1000
_SEED = "0bad"
# littlefs moves a pair once its revision has grown by block_cycles, which makes one erase more.
_STINT = 101
_MOST_SAVES = 1_000_000
_BET, _HIT, _STAND, _DOUBLE = 1, 2, 4, 8
_KEYS = {"H": _HIT, "S": _STAND, "D": _DOUBLE, "P": _BET, "N": _STAND}


class Wear(NamedTuple):
    """What a round costs: saves, programs of a page, erases, and saves of a record whose both copies erased; how many
    blocks' worth of erases the most used block stands for (352 would be perfect levelling)."""

    saves: float
    programs: float
    erases: float
    twice: float
    levelled: float


class Recorder(CutBoard):
    """Remembers what was saved, in order; `twice`: how often both copies of a record took an erase."""

    def __init__(self, flash: Flash) -> None:
        super().__init__(flash)
        self.log: list[tuple[str, bytes]] = []
        self.twice = 0
        self._first = ""

    def save(self, name: str, data: bytes) -> None:
        self.log.append((name, bytes(data)))
        before = _total(self.flash.erases)
        super().save(name, data)
        erased = _total(self.flash.erases) > before
        self.twice += erased and name == f"b{self._first[1:]}"
        self._first = name if erased else ""


def _key(machine: Machine) -> int:
    """What a typical player presses now."""
    phase = machine.table.front.phase
    if phase in ("playing", "insurance"):
        return _KEYS[hint(machine.table.game.rules, machine.table.game.visible)[0]]
    # DEAL, GO ON and RETURN are all one key; a double is for the full bet.
    return _DOUBLE if phase == "doubling" else _HIT


def play(rules: str, rounds: int) -> Wear:
    """So many rounds of one seat under these rules, then the same saves until the wear has gone round the flash."""
    flash = Flash(aged())
    machine = Machine(flash, board=Recorder)
    machine.do(f"BENC:RUL {rules}")
    machine.do(f'BENC:SEED "{_SEED}"')
    machine.do("ROUN:BET 0,10")
    board = machine.board
    start = machine.table.game.rounds
    board.log.clear()
    board.twice = 0
    before = flash.operations
    erases = _total(flash.erases)
    while machine.table.game.rounds < start + rounds or machine.table.game.in_round:
        machine.do(f"key {_key(machine)}")
    erases = _total(flash.erases) - erases
    programs = flash.operations - before - erases
    counts = (len(board.log), programs, erases, board.twice)
    return Wear(*(count / rounds for count in counts), _levelled(flash, board))


def _levelled(flash: Flash, board: Recorder) -> float:
    log = list(board.log)
    for number in range(_MOST_SAVES):
        if max(flash.erases.values()) > _STINT:
            break
        board.save(*log[number % len(log)])
        board.log.clear()
    return _total(flash.erases) / max(flash.erases.values())


def _total(counts: dict[int, int]) -> int:
    return sum(counts.values())


def years(erases_a_round: float, blocks: float) -> float:
    """Until the first block has been erased CYCLES times."""
    return CYCLES * blocks / (erases_a_round * ROUNDS_A_DAY * 365)


def measure(rounds: int = _ROUNDS) -> list[Row]:
    """Both games, one process each."""
    names = ("sifl", "casino")
    with ProcessPoolExecutor(len(names), get_context("spawn")) as pool:
        found = list(pool.map(play, names, [rounds] * len(names)))
    rows = []
    for name, wear in zip(names, found, strict=True):
        prefix = f"flash, {name}: "
        ideal = years(wear.erases, BLOCKS)
        worst = years(wear.erases, wear.levelled)
        rows += [
            Row(prefix + "saves", round(1000 * wear.saves), "per 1,000 rounds"),
            Row(prefix + "programs of a page", round(1000 * wear.programs), "per 1,000 rounds"),
            Row(prefix + "erases of a block", round(1000 * wear.erases, 1), "per 1,000 rounds"),
            Row(prefix + "saves that erase in both folders", round(1000 * wear.twice), "per 1,000 rounds"),
            Row(prefix + "if all 352 blocks wore alike", round(ideal, 1), "years", BUDGET_YEARS, ideal >= BUDGET_YEARS),
            Row(prefix + "by the most used block", round(worst, 1), "years", BUDGET_YEARS, worst >= BUDGET_YEARS),
        ]
    return rows
