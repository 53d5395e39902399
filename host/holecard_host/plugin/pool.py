"""Which test gets which table. A table stays open between tests, and is opened again when it was lost."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import pytest

from .. import observe
from ..errors import LOST, HolecardError
from ..stands import CAPABILITIES, Stand, is_own, open_stand
from ..wire import Wire
from . import TAKEN
from .tail import Tail


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

    def take(self, item: pytest.Item, url: str | None = None) -> Stand:
        """The next table, or the one at `url`, that has what the test needs; skips the test when none has."""
        needs: list[str] = []
        for mark in item.iter_markers("needs"):
            # `mark.kwargs` and a mark without anything in it would let a test run on a table that cannot do it.
            wrong = [name for name in mark.args if not isinstance(name, str) or name not in CAPABILITIES]
            if wrong or mark.kwargs or not mark.args:
                given = repr(wrong[0]) if wrong else "".join(mark.kwargs)
                pytest.fail(f"needs({given}): no such capability, one of {', '.join(CAPABILITIES)}", pytrace=False)
            needs += mark.args
        reasons = []
        for place in [url] if url else [*self.urls[self._turn :], *self.urls[: self._turn]]:
            taken = self._ready(place)
            lacking = taken.stand.missing(*needs)
            if not lacking:
                if url is None:
                    self._turn = (self.urls.index(place) + 1) % len(self.urls)
                item.stash[TAKEN] = taken
                taken.tail.clear()
                if taken.stand.wire.lock is not None:
                    taken.stand.wire.lock.tell(purpose=item.nodeid)
                return taken.stand
            reasons.append(f"{place} does not have {', '.join(lacking)}")
        pytest.skip("; ".join(reasons))

    def close(self) -> None:
        """Give all tables back."""
        for taken in self._open.values():
            with contextlib.suppress(HolecardError):
                taken.stand.close()
        self._open.clear()

    def _ready(self, url: str) -> Taken:
        taken = self._open.get(url)
        if taken is not None:
            if _answers(taken.stand):
                return taken
            del self._open[url]
            with contextlib.suppress(HolecardError):
                taken.stand.close()
        tail = Tail()

        def opener(wire: Wire) -> Tail:
            return tail

        observe.openers.append(opener)
        try:
            stand = open_stand(url)
        finally:
            observe.openers.remove(opener)
        self._open[url] = Taken(stand, tail)
        return self._open[url]


def exclusive(url: str) -> bool:
    """Whether there is only one of this table: every process can start a simulated one of its own."""
    return not is_own(url)


def _answers(stand: Stand) -> bool:
    """Whether a table is still there, with its power on again if a test has cut that."""
    with contextlib.suppress(*LOST):
        stand.wire.sync()
        return True
    if "power" in stand.capabilities:
        with contextlib.suppress(*LOST):
            stand.restore()
            return True
    return False
