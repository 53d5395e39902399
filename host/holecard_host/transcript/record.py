"""Writes a transcript while a table is being used."""

from __future__ import annotations

import contextlib
import datetime
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from holecard import __version__
from holecard.boards import pico_pins, raspberry_pi_pins

from .. import observe
from ..errors import HolecardError, ScpiError, UsageFault
from ..text import Lines
from .clock import Clock, Reading

if TYPE_CHECKING:
    from ..wire import Wire

VERSION = 1
_AGAIN_US = 10_000_000
# The best of so many first readings counts.
_FIRST_READINGS = 3
_EVENT = re.compile(r"!EVT \d+ (\d+) ")
_NAMES = (
    *("BET", "HIT", "STAND", "DOUBLE"),
    *("LAMP_BET", "LAMP_HIT", "LAMP_STAND", "LAMP_DOUBLE"),
    *("TAP", "WAVE"),
)


class RecordFault(HolecardError):
    """A transcript cannot be written. Exit code 74 (EX_IOERR)."""

    exit_code = 74


class Transcript:
    """A file of lines. The first failure to write ends it, and is kept in `fault`: what is recorded goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fault: RecordFault | None = None
        self.lines = 0
        self._lock = threading.Lock()
        try:
            # Line by line: whatever ends this program, what was said so far is there.
            self._file: IO[str] = path.open("w", encoding="ascii", buffering=1)
        except OSError as error:
            raise UsageFault(f"{path}: cannot be written: {error.strerror or error}") from None

    def write(self, record: dict[str, Any]) -> None:
        """Add a line."""
        with self._lock:
            if self.fault is None:
                try:
                    self._file.write(json.dumps(record, separators=(",", ":")) + "\n")
                    self.lines += 1
                except OSError as error:
                    self._fail(error)

    def close(self) -> None:
        """Harmless when repeated."""
        try:
            self._file.close()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        why = error.strerror or error
        self.fault = self.fault or RecordFault(f"{self.path}: {why}; the transcript ends after line {self.lines}")


class Recorder(observe.Observer):
    """Writes what goes over one wire, with both clocks, and what the pins of a simulated table do."""

    def __init__(self, transcript: Transcript, wire: Wire) -> None:
        self._transcript = transcript
        self._clock = Clock()
        self._own_time = wire.clock
        self._began = time.monotonic()
        self._held: list[tuple[dict[str, Any], float]] = []
        self._lines = {"out": Lines(), "in": Lines()}
        self._deaf = False
        self._read_at = 0.0
        self._instant = 0.0
        self._driven: int | None = None
        self._low: int | None = None
        self._pins: Any = pico_pins
        self._lock = threading.RLock()
        transcript.write(
            {
                "holecard_transcript": VERSION,
                "url": wire.name,
                "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds"),
                "program": __version__,
                "clock": "host" if wire.clock is None else "stand",
            }
        )
        if wire.listen is not None:
            wire.listen(self._pin)

    def sent(self, data: bytes, aside: bool) -> None:
        self._take("out", data, aside)

    def heard(self, data: bytes, aside: bool) -> None:
        self._take("in", data, aside)

    def did(self, what: str, arguments: tuple[Any, ...]) -> None:
        self._put({"dir": "do", "do": what, "with": list(arguments)}, self._axis())

    def rest(self, wire: Wire) -> None:
        """Read the device's clock now and then."""
        now = self._axis()
        if self._clock.known and now - self._read_at < _AGAIN_US:
            return
        if self._deaf:
            return
        for _ in range(1 if self._clock.known else _FIRST_READINGS):
            sent = self._axis()
            try:
                device = int(wire.aside("SYST:TIME?"))
            except (ScpiError, ValueError):
                self._deaf = True  # a table without a clock: its lines have the host's time only
                self._release()
                return
            self._clock.take(Reading(sent, self._axis(), device))
            self._release()
        self._read_at = self._axis()
        self._put({"dir": "clock", "rate": self._clock.rate, "restarts": self._clock.restarts}, self._read_at)

    def close(self) -> None:
        with self._lock:
            self._release()
        self._transcript.close()

    def _host_us(self) -> float:
        return (time.monotonic() - self._began) * 1e6

    def _axis(self) -> float:
        """The time that is mapped to the device's: the stand's own, or the host's."""
        if self._own_time is None:
            return self._host_us()
        with contextlib.suppress(HolecardError):
            self._instant = float(self._own_time())
        return self._instant

    def _take(self, direction: str, data: bytes, aside: bool) -> None:
        lines = self._lines[direction].feed(data)
        instant = self._axis() if lines else 0.0
        for line in lines:
            text = line.removesuffix("\r")
            if not text or text == "\x18":
                continue
            record: dict[str, Any] = {"dir": direction, "line": text}
            event = _EVENT.match(text)
            if event is not None:
                record["us"] = int(event[1])
            elif aside:
                record["aside"] = True
            self._put(record, instant)

    def _pin(self, record: str) -> None:
        """One record of a simulated device (twin/device/link.py)."""
        kind, _, rest = record.partition(" ")
        at, _, rest = rest.partition(" ")
        if kind in "lk":
            self._levels(int(rest), kind == "l", float(at))
        elif kind == "i":
            address, _, data = rest.partition(" ")
            self._put({"dir": "bus", "address": int(address), "data": data}, float(at))
        elif kind == "s":
            self._put({"dir": "glass", "picture": rest}, float(at))
        elif kind == "b":
            self._pins = raspberry_pi_pins if rest == "pi" else pico_pins
        elif kind == "p":
            self._put({"dir": "tone", "hertz": int(rest.split()[1])}, float(at))

    def _levels(self, mask: int, driven: bool, instant: float) -> None:
        before = self._driven if driven else self._low
        if driven:
            self._driven = mask
        else:
            self._low = mask
        pins = self._pins
        for gpio, name in zip((*pins.KEYS, *pins.LAMPS, pins.TAP, pins.WAVE), _NAMES, strict=True):
            lamp = gpio in pins.LAMPS
            if lamp == driven and (before is None or (before ^ mask) >> gpio & 1):
                # A key pulls its pin low.
                self._put({"dir": "pin", "pin": name, "level": (mask >> gpio & 1) ^ (not driven)}, instant)

    def _put(self, record: dict[str, Any], instant: float) -> None:
        with self._lock:
            stamped = {"host": round(self._host_us()), **record}
            if self._clock.known or self._deaf:
                self._transcript.write(self._timed(stamped, instant))
            else:
                self._held.append((stamped, instant))

    def _timed(self, record: dict[str, Any], instant: float) -> dict[str, Any]:
        us = record.pop("us", None)
        if not self._clock.known:
            return record
        device = self._clock.device(instant) if us is None else self._clock.extend(us, instant)
        timed = {"host": record.pop("host"), "device": round(device), **record}
        if record["dir"] == "clock":
            timed["bound"] = round(self._clock.bound(instant))
        return timed

    def _release(self) -> None:
        with self._lock:
            for record, instant in self._held:
                self._transcript.write(self._timed(record, instant))
            self._held.clear()


@contextlib.contextmanager
def recording(path: Path | None) -> Iterator[None]:
    """Record the first wire that is opened in this block into a file; None: nothing is recorded.

    Raises UsageFault when the file cannot be made; RecordFault at the end when it could not be written, unless
    something else went wrong, too.
    """
    if path is None:
        yield
        return
    transcript = Transcript(path)
    used = False

    def opener(wire: Wire) -> observe.Observer:
        nonlocal used
        if used:
            return observe.Observer()
        used = True
        return Recorder(transcript, wire)

    observe.openers.append(opener)
    try:
        yield
    finally:
        observe.openers.remove(opener)
        transcript.close()
    if transcript.fault is not None:
        raise transcript.fault
