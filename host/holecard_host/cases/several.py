"""Plays cases on several tables at once: for stands that are slow and can be had more than once."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from holecard_host.cases.model import Case
from holecard_host.cases.runner import Runner, Verdict

if TYPE_CHECKING:
    from holecard_host.stands import Stand

# Of more, each would have too little to do to be worth its start.
MOST = 8


def run_on_several(
    open_one: Callable[[], Stand], cases: Sequence[Case], by: str = "name", count: int | None = None
) -> Iterator[Verdict]:
    """Run the cases on `count` stands (as many as there are processors) and yield the verdicts in their order.

    Nobody watches these tables, so they do not animate. Raises what a stand raises that is lost.
    """
    futures: list[Future[Verdict]] = [Future() for _ in cases]
    waiting = iter(zip(cases, futures, strict=True))
    lock = threading.Lock()
    over = threading.Event()

    def take() -> tuple[Case, Future[Verdict]] | None:
        with lock:
            return None if over.is_set() else next(waiting, None)

    def work() -> None:
        job = take()
        try:
            if job is None:
                return
            with open_one() as stand:
                stand.wire.command("DISP:ANIM OFF")
                runner = Runner(stand, by)
                while job is not None:
                    job[1].set_result(runner.run(job[0]))
                    job = take()
        except BaseException as error:
            # A case that this stand leaves undone, and with it the whole run: the others stop after theirs.
            over.set()
            if job is not None and not job[1].done():
                job[1].set_exception(error)

    count = min(count or os.cpu_count() or 1, MOST, max(len(cases), 1))
    workers = [threading.Thread(target=work, name=f"holecard-cases-{number}") for number in range(count)]
    for worker in workers:
        worker.start()
    try:
        for future in futures:
            yield future.result()
    finally:
        over.set()
        for worker in workers:
            worker.join()
