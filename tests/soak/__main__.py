"""Rounds by the hundred thousand over the wire of simulated tables whose hardware fails at random: `make soak`.

python -m tests.soak [--rounds N] [--on sim://cpython] [--jobs N] [--seed N]

One in thirty is played under MicroPython too, in one go without a power cut, so that its heap can be seen to stay as it
is. Exit 1 with the seed of every table that went wrong; the same seed does the same again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field

from holecard_host.errors import HolecardError

from .player import Drift, Player

_CHUNK = 1_000
_MICROPYTHON_SHARE = 30
# The first rounds bring modules in.
_WARM = 20
_LOOKS = 24
# What MicroPython holds after a collection goes up and down with its lists and tables, which have room for more than
# is in them: in 4,000 rounds the least of the last third was 6.8 KiB above that of the first. An object of 16 bytes
# for every round would make that 35 KiB in 3,333 rounds.
HEAP_SLACK = 16 * 1024


@dataclass
class Result:
    """What one table has been through; `wrong` is "" or what went wrong."""

    interpreter: str
    seed: int
    rounds: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    heap: list[tuple[int, int]] = field(default_factory=list)
    wrong: str = ""


def soak(interpreter: str, seed: int, rounds: int, cuts: bool) -> Result:
    """Plays so many rounds on one table."""
    result = Result(interpreter, seed)
    player = None
    try:
        player = Player(interpreter, seed, cuts=cuts)
        due = _WARM
        while player.rounds < rounds:
            player.play()
            if not cuts and player.rounds >= due:
                player.weigh()
                due += max((rounds - _WARM) // _LOOKS, 1)
    except (Drift, HolecardError, ValueError, KeyError, AssertionError) as error:
        result.wrong = f"{type(error).__name__}: {error}"
    if player is not None:
        result.rounds, result.faults, result.heap = player.rounds, player.faults, player.heap
        player.close()
    if grown(result.heap) > HEAP_SLACK:
        result.wrong = result.wrong or f"the heap has grown: {result.heap}"
    return result


def grown(heap: list[tuple[int, int]]) -> int:
    """Bytes by which the least of the last third of the looks (rounds, bytes) is above the least of the first third."""
    sizes = [size for _, size in heap]
    third = len(sizes) // 3
    return min(sizes[-third:]) - min(sizes[:third]) if third else 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--on", default="sim://cpython", choices=("sim://cpython", "sim://micropython"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    interpreter = given.on.removeprefix("sim://")
    began = time.monotonic()
    done: list[Result] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        work = [pool.submit(soak, "micropython", given.seed, max(given.rounds // _MICROPYTHON_SHARE, 2 * _WARM), False)]
        for number, start in enumerate(range(0, given.rounds, _CHUNK), given.seed):
            work.append(pool.submit(soak, interpreter, number, min(_CHUNK, given.rounds - start), True))
        for job in as_completed(work):
            done.append(job.result())
            rounds = sum(one.rounds for one in done)
            print(f"{rounds:7,} rounds, {time.monotonic() - began:5.0f} s", flush=True)
            if done[-1].wrong:
                print(f"WRONG on sim://{done[-1].interpreter}, seed {done[-1].seed}: {done[-1].wrong}", flush=True)
    print(json.dumps(summary(done, time.monotonic() - began), indent=1))
    return int(any(one.wrong for one in done))


def summary(done: list[Result], seconds: float) -> dict[str, object]:
    """Everything added up."""
    rounds: Counter[str] = Counter()
    for one in done:
        rounds[f"sim://{one.interpreter}"] += one.rounds
    faults = sum((one.faults for one in done), Counter())
    return {
        "rounds": dict(rounds),
        "minutes": round(seconds / 60, 1),
        "faults": dict(sorted(faults.items())),
        "heap": [one.heap for one in done if one.heap],
        "wrong": [f"{one.interpreter} {one.seed}: {one.wrong}" for one in done if one.wrong],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
