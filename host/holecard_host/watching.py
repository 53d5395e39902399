"""What can be seen of a table beside whoever uses it.

A simulated table's holder shows its glass and lamps at any time. The rest comes through the program that holds the
table's lock (wiretap.py); while nobody does, this one asks the table itself, and leaves it as soon as it is wanted.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from . import locks
from .errors import HolecardError, ScpiError, StandFault, UsageFault
from .ports import socket_fault
from .stands import KEYS, is_own
from .wire import Wire
from .wiretap import LOOKS, PERIODS, view

_OWN = "this program"
_PAUSE_SECONDS = 0.05
_RETRY_SECONDS = 0.5
_SIM = "sim://"


class Watcher(threading.Thread):
    """Looks until `stop`; `deliver` gets records as in wiretap.py, {"from": who lets us see}, or what ended it."""

    def __init__(self, url: str, deliver: Callable[[dict[str, Any] | Exception], object]) -> None:
        super().__init__(name="holecard-watcher", daemon=True)
        self.url = url
        self._deliver = deliver
        self._ending = threading.Event()
        self._source = ""
        self._entry: Any = None
        self._port = url
        if is_own(url):
            raise UsageFault(f"{url} is a new table for every command: start one with `holecard sim --name NAME`")
        if url.startswith(_SIM):
            from .twin import registry  # noqa: PLC0415 - a real table needs nothing of it

            self._entry = registry.find(url.removeprefix(_SIM))
            self._port = self._entry.port
        elif url.startswith("socket://"):
            fault = socket_fault(url.removeprefix("socket://"))
            if fault:
                raise UsageFault(f"{url!r}: {fault}")
        elif "://" in url:
            raise UsageFault(f"{url} cannot be watched: only tables that several programs can reach")

    def stop(self, seconds: float = 3.0) -> None:
        """End, and wait for that at most so long."""
        self._ending.set()
        if self.is_alive():
            self.join(seconds)

    def run(self) -> None:
        """Look until `stop`, or until the table is gone."""
        if self._entry is not None:
            threading.Thread(target=self._glass, name="holecard-glass", daemon=True).start()
        try:
            while not self._ending.is_set():
                self._look()
        except Exception as error:
            self._end(error)

    def _end(self, error: Exception) -> None:
        if not self._ending.is_set():
            self._ending.set()
            self._deliver(error)

    def _glass(self) -> None:
        from .twin import holder  # noqa: PLC0415

        try:
            for sight in holder.watch(self._entry):
                if self._ending.is_set():
                    return
                self._tell({"picture": sight.frame.hex(), "lamps": sight.lamps})
            raise StandFault(f"{self.url}: the program that kept this table has ended")
        except HolecardError as fault:
            self._end(fault)

    def _wants(self) -> tuple[str, ...]:
        return tuple(name for name in PERIODS if self._entry is None or name in ("meters", "loop"))

    def _look(self) -> None:
        found = locks.look(self._port)
        if found is None:
            self._look_myself()
            return
        try:
            self._say(str(found))
            for record in view(found, *self._wants()):
                if self._ending.is_set():
                    return
                if record:
                    self._deliver(record)
            # The next test often follows at once, and comes first.
            self._ending.wait(_RETRY_SECONDS)
        except StandFault as fault:
            if self._entry is None:
                raise StandFault(f"{self.url} is in use by {fault}") from None
            self._ending.wait(_RETRY_SECONDS)

    def _look_myself(self) -> None:
        try:
            wire = Wire(self._port, self.url, yields=True)
        except StandFault:
            if locks.look(self._port) is None:
                raise  # it is not because somebody was quicker
            return
        wanted = wire.tap.asked_to_yield if wire.tap is not None else threading.Event()
        try:
            wire.sync()
            self._say(_OWN)
            pushing = wire.ask("SYST:COMM:EVEN?") == "1"
            if not pushing:
                wire.command("SYST:COMM:EVEN ON")
            try:
                self._ask(wire, wanted)
            finally:
                if not pushing:
                    with contextlib.suppress(HolecardError):
                        wire.command("SYST:COMM:EVEN OFF")
        finally:
            wire.close()
        # Whoever wanted it is let in first.
        left_at = time.monotonic()
        while wanted.is_set() and time.monotonic() - left_at < _RETRY_SECONDS:
            if self._ending.wait(_PAUSE_SECONDS / 10) or locks.look(self._port) is not None:
                return

    def _ask(self, wire: Wire, wanted: threading.Event) -> None:
        asked: dict[str, float] = {}
        told: dict[str, Any] = {}
        wants = self._wants()
        while not self._ending.is_set() and not wanted.is_set():
            for name in wants:
                now = time.monotonic()
                if now - asked.get(name, -1e9) < PERIODS[name]:
                    continue
                asked[name] = now
                with contextlib.suppress(ScpiError, ValueError):
                    value = LOOKS[name](wire)
                    if name == "loop" or told.get(name) != value:
                        told[name] = value
                        self._tell({name: value})
            for event in wire.take_events():
                self._tell({"dir": "in", "line": f"!EVT {event.seq} {event.us} {json.dumps(event.data)}"})
            if wire.tap is not None:
                wire.tap.rest(wire)  # another one watches through this one, whose own questions are all aside
            self._ending.wait(_PAUSE_SECONDS)

    def _tell(self, record: dict[str, Any]) -> None:
        self._deliver({"t": round(time.time(), 6), **record})

    def _say(self, source: str) -> None:
        if source != self._source:
            self._source = source
            self._tell({"from": source})


def lamp_names(mask: int) -> str:
    """The lamps that are lit, by name."""
    return " ".join(key for index, key in enumerate(KEYS) if mask >> index & 1) or "none"
