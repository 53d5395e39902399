"""Rounds per second: all engines in turn, again and again, so that a slow moment of the machine hits them alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

from .engines import Play
from .rows import Row

BUDGET = 2.0
"""Our core against the fastest other engine, through `Session` and `Round`."""

_SEED = 21


def measure(
    ours: Mapping[str, Callable[[int], Play]],
    others: Mapping[str, Callable[[int], Play]],
    rounds: int,
    repetitions: int,
) -> list[Row]:
    """Medians of `repetitions` runs of `rounds` rounds each, and the ratios of our medians to the fastest other's.

    The first of `ours` is held against the budget. MissingEngine if one of the others is not installed.
    """
    players = {name: engine(_SEED) for name, engine in {**ours, **others}.items()}
    speeds: dict[str, list[float]] = {name: [] for name in players}
    for play in players.values():
        play(max(rounds // 10, 1))  # caches and specialised bytecode are warm before the clock runs
    for _ in range(repetitions):
        for name, play in players.items():
            start = perf_counter()
            play(rounds)
            speeds[name].append(rounds / (perf_counter() - start))
    medians = {name: median(found) for name, found in speeds.items()}
    rows = [Row(name, round(value), "rounds/s") for name, value in medians.items()]
    fastest = max(others, key=lambda name: medians[name])
    for place, name in enumerate(ours):
        ratio = round(medians[name] / medians[fastest], 2)
        budget = None if place else BUDGET
        rows.append(Row(f"{name} / {fastest}", ratio, "ratio", budget, budget is None or ratio >= budget))
    return rows
