"""The table's command language over a serial port: one line out, one line back, events kept apart.

Every request goes out as `<line>;:SYST:ERR?`, so that each has exactly one response line and none is left unanswered,
and every fault of the table is known at once.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import serial

from .errors import ScpiError, StandFault, UsageFault

try:
    from termios import error as TerminalError
except ImportError:  # Windows
    TerminalError = OSError  # type: ignore[assignment, misc]

TIMEOUT_SECONDS = 5.0
# What pyserial lets through when a port vanishes; TypeError from a read that another thread's close() cuts short.
LOST = (OSError, TypeError, TerminalError, serial.SerialException)
# A table throws a longer line away, and the question at its end with it.
LINE_LIMIT = 256
_QUESTION = ";:SYST:ERR?"
# How often a wait looks whether the table is still there.
_SLICE_SECONDS = 0.1
_ERROR = re.compile(r'(?:^|;)([+-]?\d+),"((?:[^"]|"")*)"$')
_EVENT = re.compile(r"!EVT (\d+) (\d+) (\{.*\})$")


@dataclass(frozen=True)
class Event:
    """One pushed event: its number, the device's clock (microseconds modulo 2^30), and what happened."""

    seq: int
    us: int
    data: dict[str, Any]


class Wire:
    """Speaks with the table on `url`: a path of a serial port, a pseudo-terminal, or socket://host:port.

    `name` is what messages call the stand; `health` raises what is wrong with it when that is known from elsewhere.
    """

    def __init__(
        self,
        url: str,
        name: str = "",
        *,
        health: Callable[[], None] | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self.name = name or url
        self.timeout = timeout
        self._health = health
        self._buffer = bytearray()
        self._events: deque[Event] = deque()
        self._port = open_port(url, self.name)

    def close(self) -> None:
        """Close the port. Harmless when repeated."""
        self._port.close()

    def ask(self, line: str) -> str:
        """Send a line with at least one query and return the answer, without the line's end.

        Raises ScpiError when the table refused it, UsageFault for a line that no table takes, StandFault when the port
        is lost or silent, FirmwareCrash.
        """
        answer, code, text = self._request(line)
        if code:
            raise ScpiError(code, text, line)
        if answer is None:
            raise StandFault(f"{self.name}: no answer to {line}")
        return answer

    def command(self, line: str) -> None:
        """Send a line of commands. Raises as `ask` does."""
        _, code, text = self._request(line)
        if code:
            raise ScpiError(code, text, line)

    def sync(self) -> str:
        """Find the beginning of a line, whatever was on the wire before, and return the table's identity."""
        try:
            self._port.reset_input_buffer()
        except LOST:
            self._lost()
        self._buffer.clear()
        # The empty line ends whatever an earlier program left unfinished; old answers are passed over.
        self._write(b"\n*CLS;*IDN?\n")
        deadline = time.monotonic() + self.timeout
        while True:
            line = self._line(deadline)
            if line.startswith("Holecard,"):
                return line

    def take_events(self) -> list[Event]:
        """The events that have come so far; never waits."""
        self._pull(0)
        while (line := self._next_line()) is not None:
            self._keep_event(line)
        events = list(self._events)
        self._events.clear()
        return events

    def _request(self, line: str) -> tuple[str | None, int, str]:
        if not line.isascii() or "\n" in line or "\r" in line:
            raise UsageFault(f"{line!r}: a request is one line of ASCII characters")
        if len(line) + len(_QUESTION) > LINE_LIMIT:
            raise UsageFault(f"{line[:20]}...: a request has at most {LINE_LIMIT - len(_QUESTION)} characters")
        self._write(f"{line}{_QUESTION}\n".encode())
        deadline = time.monotonic() + self.timeout
        while True:
            answer = self._line(deadline)
            found = _ERROR.search(answer)
            if found is None:
                raise StandFault(f"{self.name}: what answers is not a table: {answer[:60]!r}")
            before = answer[: found.start()]
            return before or None, int(found[1]), found[2].replace('""', '"')

    def _line(self, deadline: float) -> str:
        while True:
            line = self._next_line()
            if line is not None:
                if not self._keep_event(line):
                    return line
                continue
            if not self._pull(_SLICE_SECONDS):
                if self._health is not None:
                    self._health()
                if time.monotonic() > deadline:
                    raise StandFault(f"{self.name}: no answer in {self.timeout:g} s; does a table run there?")

    def _next_line(self) -> str | None:
        end = self._buffer.find(b"\n")
        if end < 0:
            return None
        line = self._buffer[:end].decode("ascii", "replace").strip()
        del self._buffer[: end + 1]
        return line

    def _keep_event(self, line: str) -> bool:
        if not line.startswith("!"):
            return not line
        found = _EVENT.match(line)
        if found is not None:
            try:
                self._events.append(Event(int(found[1]), int(found[2]), json.loads(found[3])))
            except ValueError:
                return True  # cut short by a host that did not read; the numbers show the gap
        return True

    def _write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except serial.SerialTimeoutException:
            self._check()
            raise StandFault(f"{self.name}: the port takes no data") from None
        except LOST:
            self._lost()

    def _pull(self, seconds: float) -> int:
        try:
            self._port.timeout = seconds
            data = self._port.read(self._port.in_waiting or (1 if seconds else 0))
        except LOST:
            self._lost()
        self._buffer += data
        return len(data)

    def _check(self) -> None:
        if self._health is not None:
            self._health()

    def _lost(self) -> Any:
        self._check()
        raise StandFault(f"{self.name}: the port vanished") from None


def open_port(url: str, name: str) -> Any:
    """The port, opened. Raises StandFault that says why not, and who has it where the system tells."""
    options: dict[str, Any] = {"timeout": _SLICE_SECONDS, "write_timeout": TIMEOUT_SECONDS}
    try:
        if "://" in url:
            port = serial.serial_for_url(url, **options)
        else:
            if os.name == "posix":
                options["exclusive"] = True
            # A table without DTR stays silent (tinyusb#1548); pyserial sets it unless told otherwise.
            port = serial.Serial(url, 115200, **options)
    except (OSError, ValueError, serial.SerialException) as error:
        raise StandFault(_why(url, name, error)) from None
    return port


def _why(url: str, name: str, error: Exception) -> str:
    text = str(error).lower()
    number = getattr(error, "errno", None)
    if "exclusively lock" in text or "busy" in text or number == 16:
        return f"{name} is in use by {holder_of(url) or 'another program'}"
    if isinstance(error, PermissionError) or "permission" in text or "denied" in text or number == 13:
        return f"{name}: no permission to open the port (on Linux: join the group that owns it, often dialout)"
    if number == 2 or "no such file" in text or "filenotfound" in text:
        return f"{name}: there is no such port"
    return f"{name}: {' '.join(str(error).split())}"


def holder_of(path: str) -> str:
    """Which process has locked a port, as "process 123 (minicom)"; "" where the system does not tell (Linux only)."""
    try:
        status = os.stat(path)
        wanted = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
        with open("/proc/locks", encoding="ascii") as locks:
            rows = [row.split() for row in locks]
    except (OSError, AttributeError):
        return ""
    for row in rows:
        # "1: FLOCK ADVISORY WRITE 4242 00:1b:5 0 EOF"
        if len(row) > 5 and row[1] == "FLOCK" and row[5] == wanted:
            return _named(row[4])
    return ""


def _named(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as comm:
            return f"process {pid} ({comm.read().strip()})"
    except OSError:
        return f"process {pid}"
