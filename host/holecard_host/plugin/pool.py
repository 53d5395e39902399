"""Which test gets which table. A table stays open between tests, and is opened again when it was lost."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence

import pytest

from .. import observe
from ..errors import LOST, HolecardError, StandFault
from ..stands import CAPABILITIES, Stand, is_own, open_stand
from ..wire import Wire
from . import TAKEN
from .tail import Tail

# A table that could not be opened is left alone for so many times as long as it took to find that out, and at most so
# many seconds; where that took no longer than this, as with one that somebody else has, it is asked for each test.
_REST = 10
_LONGEST_REST = 60.0
_QUICK_SECONDS = 1.0


class Taken:
    """The table that a test got, and the last lines of its wire."""

    def __init__(self, stand: Stand, tail: Tail) -> None:
        self.stand = stand
        self.tail = tail


class Pool:
    """The tables of this process. `urls` are all of its own; tests take turns on them."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.urls = tuple(urls)
        self._turn = 0
        self._open: dict[str, Taken] = {}
        # What was wrong with a table that could not be opened, when that was found, and when it is asked again.
        self._lost: dict[str, tuple[HolecardError, float, float]] = {}

    def take(self, item: pytest.Item, url: str | None = None) -> Stand:
        """The next table, or the one at `url`, that has what the test needs; skips the test when none has.

        Raises what `open_stand` raises: in the test that finds a table lost, and where no other one will do.
        """
        needs: list[str] = []
        for mark in item.iter_markers("needs"):
            # `mark.kwargs` and a mark without anything in it would let a test run on a table that cannot do it.
            wrong = [name for name in mark.args if not isinstance(name, str) or name not in CAPABILITIES]
            if wrong or mark.kwargs or not mark.args:
                given = repr(wrong[0]) if wrong else "".join(mark.kwargs)
                pytest.fail(f"needs({given}): no such capability, one of {', '.join(CAPABILITIES)}", pytrace=False)
            needs += mark.args
        reasons = []
        fault: HolecardError | None = None
        for place in [url] if url else [*self.urls[self._turn :], *self.urls[: self._turn]]:
            known = place in self._lost
            if url is None:
                self._turn = (self.urls.index(place) + 1) % len(self.urls)
            try:
                taken = self._ready(place, item.nodeid)
            except HolecardError as error:
                if not known:
                    raise
                fault = error
                continue
            lacking = taken.stand.missing(*needs)
            if not lacking:
                item.stash[TAKEN] = taken
                taken.tail.clear()
                return taken.stand
            reasons.append(f"{place} does not have {', '.join(lacking)}")
        if fault is not None:
            raise fault
        pytest.skip("; ".join(reasons))

    def close(self) -> None:
        """Give all tables back."""
        for taken in self._open.values():
            with contextlib.suppress(HolecardError):
                taken.stand.close()
        self._open.clear()

    def _ready(self, url: str, purpose: str) -> Taken:
        taken = self._open.get(url)
        if taken is not None:
            if _answers(taken.stand, purpose):
                return taken
            del self._open[url]
            with contextlib.suppress(HolecardError):
                taken.stand.close()
        began = time.monotonic()
        if url in self._lost:
            fault, found, again = self._lost[url]
            if began < again:
                raise StandFault(f"{fault} (asked {began - found:.0f} s ago, again in {again - began:.0f} s)")
        try:
            self._open[url] = _opened(url, purpose)
        except HolecardError as error:
            found = time.monotonic()
            took = found - began
            rest = min(_REST * took, _LONGEST_REST) if took > _QUICK_SECONDS else 0
            self._lost[url] = error, found, found + rest
            raise
        self._lost.pop(url, None)
        return self._open[url]


def _opened(url: str, purpose: str) -> Taken:
    tail = Tail()

    def opener(wire: Wire) -> Tail:
        return tail

    observe.openers.append(opener)
    try:
        stand = open_stand(url)
    finally:
        observe.openers.remove(opener)
    try:
        _tell(stand, purpose)
    except BaseException:
        stand.close()
        raise
    return Taken(stand, tail)


def _tell(stand: Stand, purpose: str) -> None:
    """Say in the lock what the table is used for. Raises StandFault when the lock belongs to somebody else by now."""
    if stand.wire.lock is not None:
        stand.wire.lock.tell(purpose=purpose)


def exclusive(url: str) -> bool:
    """Whether there is only one of this table: every process can start a simulated one of its own."""
    return not is_own(url)


def _answers(stand: Stand, purpose: str) -> bool:
    """Whether a table is still there and ours, with its power on again if a test has cut that."""
    try:
        _tell(stand, purpose)
    except StandFault:
        return False  # and nothing may be done to it any more
    with contextlib.suppress(*LOST):
        stand.wire.sync()
        return True
    if "power" in stand.capabilities:
        with contextlib.suppress(*LOST):
            stand.restore()
            return True
    return False
