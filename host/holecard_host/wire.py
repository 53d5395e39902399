"""The table's command language over a serial port: one line out, one line back, events kept apart.

Every request goes out as `<line>;:SYST:ERR?`, so that each has exactly one response line and none is left unanswered,
and every fault of the table is known at once.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import serial

from . import locks, observe
from .errors import ScpiError, StandFault, UsageFault
from .ports import LOST, open_port
from .wiretap import WireTap

TIMEOUT_SECONDS = 5.0
# A table throws a longer line away, and the question at its end with it.
LINE_LIMIT = 256
_NEXT_ERROR = ":SYST:ERR?"
_QUESTION = ";" + _NEXT_ERROR
# Characters that a request may have.
REQUEST_LIMIT = LINE_LIMIT - len(_QUESTION)
# More than any error queue holds; a table that never comes to an end must not keep a request for ever.
_MOST_ERRORS = 64
# How often a wait looks whether the table is still there.
_SLICE_SECONDS = 0.1
# A table that was in the middle of something else, or whose answer ran into old output, is asked again after this.
_AGAIN_SECONDS = 1.5
_MOST_ASKED = 8
_IDENTITY = "Holecard,"
# Bytes without a line's end that are no answer of a table any more; its longest one has a few thousand.
_LONGEST_ANSWER = 65_536
# The number of a pseudo-terminal is used again: whoever still knows it from a table that has ended may look in at this
# program's own one, and goes when it is none of his. Seconds.
_OWN_SECONDS = 5.0
# Characters of a strange answer that a message repeats.
_SHOWN = 60
# Nobody has to take events; the numbers of those that are kept show the gap.
_MOST_EVENTS = 10_000
_ERROR = re.compile(r'(?:^|;)([+-]?\d+),"((?:[^"]|"")*)"$')
EVENT = re.compile(r"!EVT (\d+) (\d+) (\{.*\})$")
"""A pushed event as it comes: its number, the device's clock, what happened as JSON."""


@dataclass(frozen=True)
class Event:
    """One pushed event: its number, the device's clock (microseconds modulo 2^30), and what happened."""

    seq: int
    us: int
    data: dict[str, Any]


def essence(line: str) -> str:
    """A line of the wire for people: without the question that ends each request, and without "no error"."""
    return line.removesuffix(_QUESTION).removesuffix('0,"No error"').removesuffix(";")


class Wire:
    """Speaks with the table on `url`: a path of a serial port, a pseudo-terminal, or socket://host:port.

    `name` is what messages call the stand; `health` raises what is wrong with it when that is known from elsewhere.
    `clock` tells the stand's own time in microseconds where there is one, `listen` lets observers hear its pins. Others
    can reach the port too, so it is locked for this program alone; one that is not `shared` needs no lock,
    and with `yields` whoever else wants it gets it, see `WireTap.asked_to_yield`. `port` is one that is open already.
    """

    def __init__(
        self,
        url: str,
        name: str = "",
        *,
        health: Callable[[], None] | None = None,
        clock: Callable[[], int] | None = None,
        listen: Callable[[Callable[[str], None]], None] | None = None,
        shared: bool = True,
        yields: bool = False,
        port: Any = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self.name = name or url
        self.clock = clock
        self.listen = listen
        self.timeout = timeout
        self._health = health
        self._buffer = bytearray()
        self._events: deque[Event] = deque(maxlen=_MOST_EVENTS)
        # A server with one client hangs up on the second; a serial port cannot tell us so, but opening it fails.
        self._over_socket = url.startswith("socket:")
        self._heard_at = -math.inf
        self._aside = False
        self._url = url
        self._observers: list[observe.Observer] = []
        self.tap: WireTap | None = None
        self.lock = locks.hold(url, self.name, yields=yields) if shared else None
        try:
            self._port = port or self._open()
        except BaseException:
            self._let_go()
            raise
        self._observers += [opener(self) for opener in observe.openers]
        if self.lock is not None:
            self.tap = WireTap(self.lock)
            self._observers.append(self.tap)

    def hang_up(self) -> None:
        """Close the port for a while, until `reopen`; the table stays this program's."""
        self._port.close()

    def send_raw(self, data: bytes) -> None:
        """Send bytes that need be no line, as a faulty program does; `sync` finds the way back. Raises StandFault."""
        self._write(data)

    def reopen(self) -> None:
        """Open the port anew, as after a power cut; what was on its way is lost. Raises StandFault."""
        self._port.close()
        self._buffer.clear()
        self._heard_at = -math.inf
        self._port = self._open()

    def _open(self) -> Any:
        patience = _OWN_SECONDS if self.lock is None else 0
        return open_port(self._url, self.name, _SLICE_SECONDS, TIMEOUT_SECONDS, patience)

    def close(self) -> None:
        """Close the port. Harmless when repeated."""
        for observer in self._observers:
            observer.close()
        self._observers.clear()
        self._port.close()
        self._let_go()

    def _let_go(self) -> None:
        if self.lock is not None:
            self.lock.release()

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

    def ask_json(self, line: str) -> Any:
        """`ask` for a query that is answered in JSON. Raises StandFault for an answer that is none."""
        answer = self.ask(line)
        try:
            return json.loads(answer)
        except (ValueError, RecursionError):
            raise self._odd(line, answer, "JSON") from None

    def ask_record(self, line: str) -> dict[str, Any]:
        """The same for a query that is answered with a JSON object."""
        record = self.ask_json(line)
        if not isinstance(record, dict):
            raise self._odd(line, json.dumps(record), "JSON object")
        return record

    def ask_int(self, line: str) -> int:
        """`ask` for a query that is answered with a whole number. Raises StandFault for an answer that is none."""
        answer = self.ask(line)
        if re.fullmatch(r"[+-]?[0-9]{1,18}", answer) is None:
            raise self._odd(line, answer, "whole number")
        return int(answer)

    def exchange(self, line: str) -> str:
        """Send a line as it is, which must be one that is answered, and return the answer as it comes.

        Raises StandFault when there is none.
        """
        if self.lock is not None:
            self.lock.renew()
        self._write(f"{line}\n".encode())
        answer = self._line(time.monotonic() + self.timeout)
        if answer is None:
            raise self._silent()
        self._rest()
        return answer

    def aside(self, line: str) -> str:
        """`ask` for an observer: its owner did not want this. Raises as `ask` does."""
        self._aside = True
        try:
            return self.ask(line)
        finally:
            self._aside = False

    def aside_pair(self, line: str) -> tuple[str, str]:
        """The same line twice in one piece, and both answers: the table answers each in a pass of its own."""
        self._aside = True
        try:
            self._write(f"{line}\n{line}\n".encode())
            answers = [self._line(time.monotonic() + self.timeout) for _ in range(2)]
        finally:
            self._aside = False
        if answers[0] is None or answers[1] is None:
            raise self._silent()
        return answers[0], answers[1]

    def did(self, what: str, *arguments: Any) -> None:
        """Tell the observers of what is done to the table in another way, as a finger's press."""
        for observer in self._observers:
            observer.did(what, arguments)

    def sync(self) -> str:
        """Find the beginning of a line, whatever was on the wire before, and return the table's identity.

        Raises StandFault when no table answers, also when something else there never stops talking.
        """
        if not self._over_socket:  # a socket is read to its end by that, which may never come
            try:
                self._port.reset_input_buffer()
            except LOST:
                self._lost()
        self._buffer.clear()
        deadline = time.monotonic() + self.timeout
        patience = max(_AGAIN_SECONDS, self.timeout / _MOST_ASKED)
        strange = False
        for times in range(1, _MOST_ASKED + 1):
            # CAN takes back what an earlier program left unfinished; the empty line ends it where CAN means nothing. An
            # answer tells by how many identities it holds which request it belongs to: none is left to come late.
            self._write(f"\x18\n*CLS{';*IDN?' * times}{_QUESTION}\n".encode())
            again = min(deadline, time.monotonic() + patience)
            while (line := self._line(again)) is not None:
                if line.count(_IDENTITY) == times and _ERROR.search(line):
                    if line.startswith(_IDENTITY):
                        return line.partition(";")[0]
                    strange = True
                    break  # behind the rest of something older: its error may be wrong, too
                strange = True
                if time.monotonic() > again:
                    break
            if time.monotonic() >= deadline:
                break
        if (strange or self._buffer) and time.monotonic() - self._heard_at < patience:
            raise self._no_table()
        raise self._silent()

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
        if len(line) > REQUEST_LIMIT:
            raise UsageFault(f"{line[:20]}...: a request has at most {REQUEST_LIMIT} characters")
        if self.lock is not None:
            self.lock.renew()
        answer, code, text = self._exchange(line + _QUESTION)
        others = self._further_errors() if code else []
        self._rest()
        if code:
            raise ScpiError(code, text, line, others=others, answer=answer or "")
        return answer

    def _rest(self) -> None:
        if not self._aside:
            for observer in self._observers:
                observer.rest(self)

    def _exchange(self, line: str) -> tuple[str | None, int, str]:
        """Send a line that asks for an error last: what was answered before it, the error's number and text."""
        self._write(f"{line}\n".encode())
        answer = self._line(time.monotonic() + self.timeout)
        if answer is None:
            raise self._silent()
        found = _ERROR.search(answer)
        if found is None:
            raise StandFault(f"{self.name}: what answers is not a table: {answer[:_SHOWN]!r}")
        return answer[: found.start()] or None, int(found[1]), found[2].replace('""', '"')

    def _further_errors(self) -> list[tuple[int, str]]:
        errors: list[tuple[int, str]] = []
        while len(errors) < _MOST_ERRORS:
            _, code, text = self._exchange(_NEXT_ERROR)
            if not code:
                break
            errors.append((code, text))
        return errors

    def _line(self, deadline: float) -> str | None:
        """The next line that is no event; None when there is none by the deadline, whatever else came."""
        late = False
        while True:
            while (line := self._next_line()) is not None:
                if not self._keep_event(line):
                    return line
            if late:
                return None
            # What has come by the deadline counts, also when this program was not awake to read it.
            late = time.monotonic() > deadline
            if not self._pull(0 if late else _SLICE_SECONDS):
                self._check()

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
        found = EVENT.match(line)
        if found is not None:
            try:
                self._events.append(Event(int(found[1]), int(found[2]), json.loads(found[3])))
            except ValueError:
                return True  # cut short by a host that did not read; the numbers show the gap
        return True

    def _write(self, data: bytes) -> None:
        for observer in self._observers:
            observer.sent(data, self._aside)
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
        if data:
            self._heard_at = time.monotonic()
            for observer in self._observers:
                observer.heard(data, self._aside)
            self._buffer += data
            if len(self._buffer) > _LONGEST_ANSWER and b"\n" not in self._buffer:
                self._buffer.clear()
                raise self._no_table()
        return len(data)

    def _check(self) -> None:
        if self._health is not None:
            self._health()

    def _silent(self) -> StandFault:
        return StandFault(f"{self.name}: no answer in {self.timeout:g} s; does a table run there?")

    def _no_table(self) -> StandFault:
        return StandFault(f"{self.name} keeps talking, but not as a Holecard table")

    def _odd(self, line: str, answer: str, what: str) -> StandFault:
        shown = answer if len(answer) <= _SHOWN else answer[: _SHOWN - 3] + "..."
        return StandFault(f"{self.name} answered {shown!r} to {line}, which is no {what}")

    def _lost(self) -> NoReturn:
        self._check()
        if self._over_socket and self._heard_at < 0:
            raise StandFault(f"{self.name} is probably in use by another program: it hung up at once") from None
        raise StandFault(f"{self.name}: the port vanished") from None
