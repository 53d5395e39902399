"""Starts that were seen before, in the user's cache: the same firmware, board and inputs lead to the same state."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import snapshot
from .disk import cache_folder, keep

if TYPE_CHECKING:
    from .chip import Chip

# Old ones go when there are more: one for each state of the firmware that was ever tried, about 200 KB each.
_MOST = 40


class Start:
    """Snapshots of one kind of start: "early", before anything random happened, and "whole", when the table waits."""

    def __init__(self, chip: Chip, seed: str, machine: tuple[Any, ...]) -> None:
        self._chip = chip
        self._seed = seed
        digest = hashlib.sha256(snapshot.source_digest().encode())
        digest.update(repr((machine, chip.uid)).encode() + chip.first_flash)
        self._digest = digest

    def told(self, grant: dict[str, Any]) -> None:
        """What the first grant says about the outside."""
        self._digest.update(json.dumps({**grant, "until": 0}, sort_keys=True).encode())

    def find(self) -> tuple[snapshot.Records | None, bool]:
        """Bring the chip as far as is known; what it told until then, and whether that is the whole start.

        Nothing happens, and the first answer is None, when no such start is known.
        """
        for path, whole in ((self._path(self._seed), True), (self._path(None), False)):
            with contextlib.suppress(OSError, snapshot.Unusable):
                data = path.read_bytes()
                path.touch()
                return snapshot.load(self._chip, data), whole
        return None, False

    def mark_entropy(self, stop: Callable[[], None]) -> None:
        """Let the chip stop at the first random bit, which is the same whatever the seed."""
        self._chip.entropy.on_first = stop

    def keep_early(self, records: snapshot.Records) -> None:
        """Remember this state for other seeds."""
        self._chip.entropy.on_first = None
        if self._chip.entropy.drawn == 1:
            keep(self._path(None), snapshot.save(self._chip, records))

    def keep_whole(self, records: snapshot.Records) -> None:
        """Remember this state for this seed, and forget the starts that nobody used for longest."""
        keep(self._path(self._seed), snapshot.save(self._chip, records))
        with contextlib.suppress(OSError):
            found = sorted(cache_folder().glob("start-*"), key=lambda path: path.stat().st_mtime)
            for path in found[:-_MOST]:
                path.unlink()

    def _path(self, seed: str | None) -> Path:
        digest = self._digest.copy()
        digest.update(repr(seed).encode())
        return cache_folder() / f"start-{digest.hexdigest()[:32]}"
