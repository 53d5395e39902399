"""The thread between a terminal and a table: keys one way; pictures, lamps and events the other.

Talking to a table can block (a port, a pipe), a user interface must not. All dealings with the stand happen here.
"""

from __future__ import annotations

import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holecard_host.condition import PLAYABLE, PROTECTED, Condition, can_press, condition
from holecard_host.errors import LOST, HolecardError, ScpiError
from holecard_host.picture import Picture
from holecard_host.wire import Event

if TYPE_CHECKING:
    from holecard_host.stands import Stand

EVENTS_ON, EVENTS_OFF = "SYST:COMM:EVEN ON", "SYST:COMM:EVEN OFF"
FRAME_SECONDS = 1 / 30
# Over a serial line each look costs the table two answers, one of 2 KB.
SLOW_FRAME_SECONDS = 1 / 10
TAP_MS = 60
HOLD_MS = 900  # longer than the table's hold time of 600 ms
_LONGEST_PRESS_MS = 10_000  # that BENCh:PRESs takes
_LONGEST_BACKLOG = 2  # taps; a key that repeats in the terminal must not play on after it is let go


@dataclass(frozen=True)
class Update:
    """What changed since the last one: None where nothing did. `found` is what was learnt of the table's condition."""

    picture: Picture | None = None
    lamps: int | None = None
    events: tuple[Event, ...] = ()
    found: Condition | None = None


class Feed(threading.Thread):
    """Polls the stand (30 times a second, 10 over a serial line) and presses its keys.

    `deliver` gets an Update, or the exception that ended the thread; it is called from this thread.
    """

    def __init__(
        self, stand: Stand, deliver: Callable[[Update | Exception], object], found: Condition = PLAYABLE
    ) -> None:
        super().__init__(name="holecard-feed", daemon=True)
        self._stand = stand
        self._deliver = deliver
        self._orders: queue.Queue[tuple[str, str, int]] = queue.Queue()
        self._ending = threading.Event()
        self._pins = "pins" in stand.capabilities
        self._watching = not can_press(stand, found)
        self._locked = bool(found.locked)
        self._period = FRAME_SECONDS if "panel" in stand.capabilities else SLOW_FRAME_SECONDS
        self._releases: dict[str, float] = {}  # key: when its tap ends
        self._pressed_at: dict[str, float] = {}
        self._picture: Picture | None = None
        self._lamps: int | None = None

    def tap(self, key: str, ms: int = TAP_MS) -> None:
        """Press a key ("BET", "HIT", "STAND" or "DOUBLE") for `ms` milliseconds."""
        if self._orders.qsize() < _LONGEST_BACKLOG and not self._watching:
            self._orders.put(("tap", key, ms))

    def down(self, key: str) -> None:
        """Press a key until `up`."""
        if not self._watching:
            self._orders.put(("down", key, 0))

    def up(self, key: str) -> None:
        """Let a key go."""
        self._orders.put(("up", key, 0))

    def stop(self, seconds: float = 2.0) -> None:
        """End the thread and wait for it, at most `seconds`."""
        self._ending.set()
        if self.is_alive():
            self.join(seconds)

    def run(self) -> None:
        """Serve until `stop`, or until the stand is lost; keys that are still down are let go."""
        try:
            while not self._ending.is_set():
                started = time.monotonic()
                self._obey(started)
                self._look()
                self._ending.wait(max(0.001, self._period - (time.monotonic() - started)))
        # Whatever it is: a game whose screen stands still without a word would be worse.
        except Exception as error:
            self._deliver(error)
            if isinstance(error, LOST):
                return
        with contextlib.suppress(HolecardError):
            for key in list(self._pressed_at):
                self._release(key)

    def _obey(self, now: float) -> None:
        for key, end in list(self._releases.items()):
            if now >= end:
                self._release(key)
        # While a tap is down the next one waits, so that two quick presses stay two.
        while not self._releases:
            try:
                order, key, ms = self._orders.get_nowait()
            except queue.Empty:
                return
            if order == "up":
                self._let_go(key, now)
            elif order == "tap" and not self._pins:
                self._command_press(key, ms)
            elif key not in self._pressed_at:
                self._press(key, now)
                if order == "tap":
                    self._releases[key] = now + ms / 1000

    def _press(self, key: str, now: float) -> None:
        self._pressed_at[key] = now
        if self._pins:
            self._stand.press_down(key)

    def _let_go(self, key: str, now: float) -> None:
        """No sooner than after a tap's time: a click can be over before this thread has seen it begin."""
        end = self._pressed_at.get(key, -math.inf) + TAP_MS / 1000
        if self._pins and now < end:
            self._releases[key] = end
        else:
            self._release(key)

    def _release(self, key: str) -> None:
        self._releases.pop(key, None)
        pressed_at = self._pressed_at.pop(key, None)
        if pressed_at is None:
            return
        if self._pins:
            self._stand.release(key)
        else:
            # No pins to hold down: the table is told afterwards how long the press was.
            self._command_press(key, max(TAP_MS, round((time.monotonic() - pressed_at) * 1000)))

    def _command_press(self, key: str, ms: int) -> None:
        # Not Stand.press, which waits for the cards to be dealt: the player wants to watch them.
        try:
            self._stand.wire.command(f"BENC:PRES {key},{min(ms, _LONGEST_PRESS_MS)}")
        except ScpiError as error:
            if error.code != PROTECTED:
                raise
            # It was an arcade table all of a sudden: its owner can change that at any time.
            self._watching = True
            self._deliver(Update(found=condition(self._stand.wire)))

    def _look(self) -> None:
        picture = self._stand.panel()
        lamps = self._stand.lamps()
        events = tuple(self._stand.wire.take_events())
        locked = [event.data.get("phase") == "locked" for event in events if event.data.get("event") == "phase"]
        found = condition(self._stand.wire) if locked and locked[-1] != self._locked else None
        if found is not None:
            self._locked = bool(found.locked)
        update = Update(
            picture if picture != self._picture else None,
            lamps if lamps != self._lamps else None,
            events,
            found,
        )
        if self._picture is not None and picture.lit and not self._picture.lit:
            # It may have been without power, and then it does not push its events any more.
            self._stand.wire.command(EVENTS_ON)
        self._picture, self._lamps = picture, lamps
        if update != Update():
            self._deliver(update)
