"""The table's command language over a serial port: one line out, one line back, events kept apart.

Every request goes out as `<line>;:SYST:ERR?`, so that each has exactly one response line and none is left unanswered,
and every fault of the table is known at once.
"""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import serial

from .errors import ScpiError, StandFault, UsageFault
from .ports import LOST, open_port

TIMEOUT_SECONDS = 5.0
# A table throws a longer line away, and the question at its end with it.
LINE_LIMIT = 256
_NEXT_ERROR = ":SYST:ERR?"
_QUESTION = ";" + _NEXT_ERROR
# More than any error queue holds; a table that never comes to an end must not keep a request for ever.
_MOST_ERRORS = 64
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
        # A server with one client hangs up on the second; a serial port cannot tell us so, but opening it fails.
        self._over_socket = url.startswith("socket:")
        self._heard = False
        self._port = open_port(url, self.name, _SLICE_SECONDS, TIMEOUT_SECONDS)

    def close(self) -> None:
        """Close the port. Harmless when repeated."""
        self._port.close()

    def ask(self, line: str) -> str:
        """Send a line with at least one query and return the answer, without the line's end.

        Raises ScpiError when the table refused any of it, with all its errors, so that the next request is blamed for
        none; UsageFault for a line that no table takes, StandFault when the port is lost or silent, FirmwareCrash.
        """
        answer = self._request(line)
        if answer is None:
            raise StandFault(f"{self.name}: no answer to {line}")
        return answer

    def command(self, line: str) -> None:
        """Send a line of commands. Raises as `ask` does."""
        self._request(line)

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

    def _request(self, line: str) -> str | None:
        if not line.isascii() or "\n" in line or "\r" in line:
            raise UsageFault(f"{line!r}: a request is one line of ASCII characters")
        if len(line) + len(_QUESTION) > LINE_LIMIT:
            raise UsageFault(f"{line[:20]}...: a request has at most {LINE_LIMIT - len(_QUESTION)} characters")
        answer, code, text = self._exchange(line + _QUESTION)
        if code:
            raise ScpiError(code, text, line, others=self._further_errors(), answer=answer or "")
        return answer

    def _exchange(self, line: str) -> tuple[str | None, int, str]:
        """Send a line that asks for an error last: what was answered before it, the error's number and text."""
        self._write(f"{line}\n".encode())
        answer = self._line(time.monotonic() + self.timeout)
        found = _ERROR.search(answer)
        if found is None:
            raise StandFault(f"{self.name}: what answers is not a table: {answer[:60]!r}")
        return answer[: found.start()] or None, int(found[1]), found[2].replace('""', '"')

    def _further_errors(self) -> list[tuple[int, str]]:
        errors: list[tuple[int, str]] = []
        while len(errors) < _MOST_ERRORS:
            _, code, text = self._exchange(_NEXT_ERROR)
            if not code:
                break
            errors.append((code, text))
        return errors

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
        self._heard = self._heard or bool(data)
        return len(data)

    def _check(self) -> None:
        if self._health is not None:
            self._health()

    def _lost(self) -> NoReturn:
        self._check()
        if self._over_socket and not self._heard:
            raise StandFault(f"{self.name} is probably in use by another program: it hung up at once") from None
        raise StandFault(f"{self.name}: the port vanished") from None
