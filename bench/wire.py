"""The wire as a host sees it: a query's round trip, beside what mpremote needs for the same; two tables at once.

Both sides of the comparison are programs of this host behind a pseudo-terminal, so what is compared is the way of
asking and the host's own cost, not a chip's speed. For mpremote it is a raw prompt in miniature
(tests/host/raw_repl.py), which answers at once: a real board compiles what it is sent, too.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from holecard_host.stands import open_stand
from holecard_host.twin.holder import Holder

from .rows import Row

FASTER = 10.0
TWO_AT_ONCE = 1.2
_QUERIES = 2000
_EXECS = 200
_QUERY = "SYST:VERS?"
_ANSWER = "1999.0"
_CASES = Path("tests/cases/sifl.json")
_MOST_CASES = 8


def measure() -> list[Row]:
    """Every row. Raises ImportError without mpremote, StandFault where no simulated table can be started."""
    return [*_round_trips(), *_two_at_once()]


def _round_trips() -> list[Row]:
    asked, executed = _ask(), _exec()
    ratio = median(executed) / median(asked)
    return [
        Row("wire: a query on a pseudo-terminal, median", round(median(asked) * 1000, 3), "ms"),
        Row("wire: the same, 99th percentile", round(quantiles(asked, n=100)[-1] * 1000, 3), "ms"),
        Row("wire: mpremote's exec of the same answer, median", round(median(executed) * 1000, 3), "ms"),
        Row("wire: exec / query", round(ratio, 1), "ratio", FASTER, ratio >= FASTER),
    ]


def _timed(do: Callable[[], object], times: int) -> list[float]:
    for _ in range(times // 10):
        do()
    taken = []
    for _ in range(times):
        began = perf_counter()
        do()
        taken.append(perf_counter() - began)
    return taken


def _ask() -> list[float]:
    """A simulated table, its own work included, in the time that it takes."""
    with open_stand("sim://cpython") as stand:
        assert stand.wire.ask(_QUERY) == _ANSWER
        return _timed(lambda: stand.wire.ask(_QUERY), _QUERIES)


def _exec() -> list[float]:
    """In the raw prompt already: what mpremote needs to get there is not counted."""
    from mpremote.transport_serial import SerialTransport  # noqa: PLC0415 - an extra
    from tests.host.raw_repl import RawRepl  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        board = RawRepl(Path(folder))
        transport = SerialTransport(board.port)
        try:
            transport.enter_raw_repl(soft_reset=False)
            code = f"print('{_ANSWER}')"
            assert transport.exec(code).strip() == _ANSWER.encode()
            return _timed(lambda: transport.exec(code), _EXECS)
        finally:
            transport.close()
            board.close()


def _two_at_once() -> list[Row]:
    """Cases on tables that follow the wall clock, as real ones do, each tested by a process of its own."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        few = Path(folder) / "few.json"
        few.write_text(json.dumps({"cases": json.loads(_CASES.read_text("utf-8"))["cases"][:_MOST_CASES]}))
        names = [f"bench-{os.getpid()}-{number}" for number in (1, 2)]
        for name in names:
            stack.enter_context(Holder(name))
        _run(names[0], few)  # what the system reads from its disk is there
        one = min(_run(names[0], few) for _ in range(2))
        with ThreadPoolExecutor(2) as both:
            two = min(max(both.map(lambda name: _run(name, few), names)) for _ in range(2))
    return [
        Row("wire: cases on a table in its own time", round(one, 2), "s"),
        Row("wire: two tables at once / one", round(two / one, 3), "ratio", TWO_AT_ONCE, two / one <= TWO_AT_ONCE),
    ]


def _run(name: str, cases: Path) -> float:
    began = perf_counter()
    command = [sys.executable, "-m", "holecard_host", "cases", str(cases), "--on", f"sim://{name}", "--json"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - began
