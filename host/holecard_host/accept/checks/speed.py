"""How long a table takes: by its own clock, and where a host waits by this machine's, unless the table is simulated."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from ...picture import SIZE
from ...wiretap import loop_us
from ..suite import Bench

_PRESSES = 9
_QUERIES = 200
_LOOPS = 15
_PICTURES = 20
_WRAP = 1 << 30


def latency(bench: Bench) -> None:
    steps, wire = bench.steps, bench.stand.wire
    # First: a loop that is too slow also loses presses.
    bench.measure("loop", statistics.median(loop_us(wire) for _ in range(_LOOPS)) / 1000)
    presses, cards = [], []
    for _ in range(_PRESSES):
        steps.fresh()
        steps.shoe(2, "K", 3, 7, 4, 9, 10, 10, 10)
        steps.deal()
        steps.listen()
        began = wire.ask_int("SYST:TIME?")
        steps.press("HIT", 60)
        presses.append((steps.expect_event("key", key="HIT").us - began) % _WRAP / 1000)
        cards.append((steps.expect_event("card").us - began) % _WRAP / 1000)
    bench.measure("press", statistics.median(presses), f"{min(presses):.3g} to {max(presses):.3g} ms")
    bench.measure("card", statistics.median(cards), f"{min(cards):.3g} to {max(cards):.3g} ms")
    times = [_seconds(bench, lambda: wire.ask("*IDN?")) * 1000 for _ in range(_QUERIES)]
    bench.measure("query", statistics.median(times))
    bench.measure("query_99", statistics.quantiles(times, n=100)[-1])


def throughput(bench: Bench) -> None:
    wire = bench.stand.wire
    pictures = _seconds(bench, lambda: [wire.ask("DISP:DATA?") for _ in range(_PICTURES)])
    bench.measure("bytes", _PICTURES * SIZE * 2 / pictures)
    bench.measure("queries", _QUERIES / _seconds(bench, lambda: [wire.ask("*STB?") for _ in range(_QUERIES)]))


def _seconds(bench: Bench, do: Callable[[], object]) -> float:
    """How long it takes; on a simulated table in its time, which passes at another speed than this machine's."""
    virtual = bench.has("clock")
    start = bench.stand.now_us() if virtual else time.perf_counter()
    do()
    if virtual:
        return max((bench.stand.now_us() - int(start)) % _WRAP, 1) / 1e6
    return time.perf_counter() - start
