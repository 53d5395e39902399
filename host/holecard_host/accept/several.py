"""The suite on one table, or on several at once: then each in a process of its own, so that none waits for another."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from ..errors import HolecardError, StandFault
from ..signals import NAMES
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

    After Ctrl-C what they still have to say is passed on first, whatever the caller was doing when it came.
    """
    context = multiprocessing.get_context("spawn")
    names = [check.name for check in checks]
    open_ends: dict[Any, int] = {}
    workers: list[Any] = []
    with _kept_signals(workers) as asked:
        with _deaf_to_ctrl_c():
            for place, url in enumerate(urls):
                ours, theirs = context.Pipe(duplex=False)
                worker = context.Process(target=_work, args=(theirs, url, names, limits, seed, repeat), daemon=True)
                worker.start()
                theirs.close()
                workers.append(worker)
                open_ends[ours] = place
                if asked:
                    worker.terminate()
        end = float("inf")
        while open_ends and time.monotonic() < end:
            for ready in wait(list(open_ends), 0.5):
                yield from _received(ready, open_ends, urls, bool(asked))
            if asked and end == float("inf"):
                end = time.monotonic() + _STOP_SECONDS


@contextlib.contextmanager
def _kept_signals(workers: list[Any]) -> Iterator[list[int]]:
    """A signal that would end this program ends the workers first; what it does here, it does when this is left.

    An exception would come wherever the caller is just then, and cost what the tables have still to say.
    """
    asked: list[int] = []

    def stop(number: int, _: object) -> None:
        asked.append(number)
        for worker in workers:
            worker.terminate()

    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    handlers = {number: handler for number, handler in before.items() if callable(handler)}
    for number in handlers:
        signal.signal(number, stop)
    try:
        yield asked
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for worker in workers:
            worker.terminate()
            worker.join(_STOP_SECONDS)
            worker.kill()  # Python would wait for it at its own end, without an end
        if asked:
            handlers[asked[0]](asked[0], None)


def _received(ours: Any, open_ends: dict[Any, int], urls: Sequence[str], ending: bool) -> Iterator[tuple[int, Item]]:
    try:
        item = ours.recv()
    except (EOFError, OSError):
        place = open_ends.pop(ours)
        # One that was ended from here before it could listen has no fault.
        if not ending:
            yield place, StandFault(f"{urls[place]}: the program that tested it was killed")
        return
    if item is None:
        del open_ends[ours]
    else:
        yield open_ends[ours], HolecardError(*item) if isinstance(item, tuple) else item


def _work(theirs: Connection, url: str, names: list[str], limits: Path | None, seed: int, repeat: int) -> None:
    """In the other process: sends items, and None at the end."""
    sending = asked = False

    def stop(*_: object) -> None:
        nonlocal asked
        if not asked:
            asked = True
            if not sending:
                raise KeyboardInterrupt

    def send(item: object) -> None:
        nonlocal sending
        sending = True  # half an item would end the conversation
        theirs.send(item)
        sending = False

    signal.signal(signal.SIGTERM, stop)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # nobody is left to tell; told already
        try:
            for item in examine(url, [check for check in CHECKS if check.name in names], limits, seed, repeat):
                send(item)
                if asked:
                    break
        except HolecardError as error:
            send((str(error), error.exit_code))
        finally:
            sending = True
            theirs.send(None)


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """What is started here leaves Ctrl-C to this program, which then tells the others."""
    if hasattr(signal, "pthread_sigmask"):
        # Blocked, not ignored: what comes meanwhile waits for the end of this. multiprocessing's own helper would lift
        # it when it starts, so that is there before.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    else:
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)
