"""Looks for inputs that are not dealt with, on all cores, for so many seconds: `make fuzz`.

python -m tests.fuzz [--seconds N] [--jobs N] [TARGET ...]

Exit 1 with the smallest input found for each failure, as a Python literal for the target's check.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from .targets import TARGETS, Target

# Inputs of one turn, after which a worker looks at the clock.
_TURN = 200
_WAYS = (Phase.generate, Phase.target, Phase.shrink)


def turn(name: str, number: int, until: float, broken: bool) -> tuple[str, int, str]:
    """(target, inputs that were tried, "" or what failed and for which input) of one turn with this seed."""
    target = next(one for one in TARGETS if one.name == name)
    tried = 0
    last: Any = None

    def check(example: Any) -> None:
        nonlocal tried, last
        # The time is over: what remains of the turn passes at once.
        if time.time() > until and not failed:
            return
        tried += 1
        last = example
        try:
            assert not broken, "broken on purpose"
            target.check(example)
        except BaseException:
            failed.append(example)
            raise

    failed: list[Any] = []
    rules = settings(
        max_examples=_TURN, phases=_WAYS, deadline=None, database=None, suppress_health_check=list(HealthCheck),
        derandomize=False, print_blob=False, report_multiple_bugs=False,
    )  # fmt: skip
    try:
        seed(number)(rules(given(target.inputs)(check)))()
    except Exception as error:
        # Hypothesis ends with the smallest input that it has found.
        return name, tried, f"{type(error).__name__}: {str(error).partition(chr(10))[0]}, for {last!r}"
    return name, tried, ""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(one.name for one in TARGETS))
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--break-it", action="store_true", help=argparse.SUPPRESS)
    given_ = parser.parse_args(arguments)
    chosen = [one for one in TARGETS if not given_.targets or one.name in given_.targets]
    if not chosen or len(chosen) < len(set(given_.targets)):
        parser.error(f"targets are {', '.join(one.name for one in TARGETS)}")
    return run(chosen, given_.seconds, given_.jobs, given_.break_it)


def run(chosen: list[Target], seconds: float, jobs: int, broken: bool) -> int:
    """Gives every target its turn until the time is over, and tells what came of it."""
    until = time.time() + seconds
    tried = {one.name: 0 for one in chosen}
    failures: dict[str, str] = {}
    with ProcessPoolExecutor(jobs) as pool:

        def begin(name: str) -> Any:
            return pool.submit(turn, name, random.getrandbits(60), until, broken)

        # Whoever was tried for the least time would be fairest; in turn is fair enough.
        waiting = {begin(one.name) for one in chosen}
        while waiting:
            done = next(as_completed(waiting))
            waiting.remove(done)
            name, count, failure = done.result()
            tried[name] += count
            if failure:
                print(f"{name}: {failure}", flush=True)
                failures[name] = failure
            elif time.time() < until:
                waiting.add(begin(name))
    for name, count in tried.items():
        print(f"{name:10} {count:9,} inputs{'  FAILED' if name in failures else ''}")
    print(f"{sum(tried.values()):,} inputs in {seconds:g} s on {jobs} cores, {len(failures)} failures")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
