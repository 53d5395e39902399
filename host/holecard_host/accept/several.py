"""The suite on one table, or on several at once: then each in a process of its own, so that none waits for another."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ..errors import HolecardError, StandFault
from ..stands import open_stand
from .checks import CHECKS
from .limits import load
from .report import Report
from .suite import Check, Result, run

# What a table gets to stop in the middle of a check.
_STOP_SECONDS = 10.0

Item = Report | Result | HolecardError


def examine(url: str, checks: Sequence[Check], limits: Path | None, seed: int, repeat: int) -> Iterator[Item]:
    """A report that has no results yet, as soon as the table answers, then one result after the other.

    Raises what `load` and `open_stand` raise, and KeyboardInterrupt after the result of the check that it ended.
    """
    allowed = load(limits, url)
    with open_stand(url) as stand:
        wanted = [name for name in allowed if name.partition(".")[0] in {check.name for check in checks}]
        yield Report(url, stand.identity, seed, repeat, sorted(stand.capabilities), wanted)
        yield from run(stand, checks, allowed, seed=seed, repeat=repeat)


def examine_all(
    urls: Sequence[str], checks: Sequence[Check], limits: Path | None, seed: int, repeat: int
) -> Iterator[tuple[int, Item]]:
    """The same for several tables at once, with the place of the table in `urls`; what it raised is its last item.

    After Ctrl-C what they still have to say is passed on first.
    """
    context = multiprocessing.get_context("spawn")
    names = [check.name for check in checks]
    open_ends: dict[Any, int] = {}
    workers = []
    with _deaf_to_ctrl_c():
        for place, url in enumerate(urls):
            ours, theirs = context.Pipe(duplex=False)
            worker = context.Process(target=_work, args=(theirs, url, names, limits, seed, repeat), daemon=True)
            worker.start()
            theirs.close()
            workers.append(worker)
            open_ends[ours] = place
    interrupted: BaseException | None = None
    end = float("inf")
    try:
        while open_ends and time.monotonic() < end:
            try:
                for ready in wait(list(open_ends), 0.5):
                    yield from _received(ready, open_ends, urls)
            except (KeyboardInterrupt, SystemExit) as error:
                interrupted = error
                end = time.monotonic() + _STOP_SECONDS
                for worker in workers:
                    worker.terminate()
    finally:
        for worker in workers:
            worker.terminate()
            worker.join(_STOP_SECONDS)
    if interrupted is not None:
        raise interrupted


def _received(ours: Any, open_ends: dict[Any, int], urls: Sequence[str]) -> Iterator[tuple[int, Item]]:
    try:
        item = ours.recv()
    except (EOFError, OSError):
        place = open_ends.pop(ours)
        yield place, StandFault(f"{urls[place]}: the program that tested it was killed")
        return
    if item is None:
        del open_ends[ours]
    else:
        yield open_ends[ours], HolecardError(*item) if isinstance(item, tuple) else item


def _work(theirs: Connection, url: str, names: list[str], limits: Path | None, seed: int, repeat: int) -> None:
    """In the other process: sends items, and None at the end."""

    def stop(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # nobody is left to tell; told already
        try:
            for item in examine(url, [check for check in CHECKS if check.name in names], limits, seed, repeat):
                theirs.send(item)
        except HolecardError as error:
            theirs.send((str(error), error.exit_code))
        finally:
            theirs.send(None)


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """What is started here leaves Ctrl-C to this program, which then tells the others."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
