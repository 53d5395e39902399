"""Lets others of the same user look at a table through the program that holds it.

The holder of a table's lock serves a socket, whose address stands in the lock's file. A client sends the token and one
line of JSON, and then only listens:

    {"want": ["picture", "lamps", "meters", "loop"]}    what it wants beside the lines of the wire
    {"do": "yield"}                                     leave the table, if you only watch it

and gets lines of JSON: {"t": seconds since the epoch} with {"dir": "out" or "in", "line": text} for what goes over the
wire, or {"picture": hex}, {"lamps": mask}, {"meters": {...}}, {"loop": microseconds of one pass}, {"yields": true or
false}. What is wanted is asked between two requests of the owner, and only while somebody watches.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import observe
from .errors import HolecardError, ScpiError, StandFault
from .text import Lines

if TYPE_CHECKING:
    from .locks import Holder, Lock
    from .wire import Wire

PERIODS = {"picture": 0.1, "lamps": 0.1, "loop": 1.0, "meters": 2.0}
_LONGEST_WANT = 512
# Lines that wait for a slow viewer before the oldest are dropped.
_MOST_WAITING = 1000
_LOOK_SECONDS = 0.2
_CONNECT_SECONDS = 2.0
_CLOCK_RANGE = 1 << 30
# No table can be called that: names begin with a letter or a digit.
_NAME = "_wire-"
_numbers = itertools.count(1)


class WireTap(observe.Observer):
    """Serves those who watch the wire whose lock this is. `asked_to_yield` is set when somebody wants the table."""

    def __init__(self, lock: Lock) -> None:
        # Only here: the registry belongs to the simulated tables, and a real one needs nothing else of them.
        from .twin import registry  # noqa: PLC0415

        self.asked_to_yield = threading.Event()
        self._lock = lock
        self._over = False
        self._viewers: dict[queue.Queue[str], tuple[str, ...]] = {}
        self._asked: dict[str, float] = {}
        self._told: dict[str, Any] = {}
        self._lines = {"out": Lines(), "in": Lines()}
        self._token = secrets.token_hex(16)
        self._path = ""
        self._server: socket.socket | None = None
        with contextlib.suppress(StandFault):  # then nobody can look, which is no reason not to test
            self._server, address = registry.listen(f"{_NAME}{os.getpid()}-{next(_numbers)}", "tap")
            self._path = address.partition(":")[2] if address.startswith("unix:") else ""
            lock.tell(tap=address, token=self._token)
            threading.Thread(target=self._accept, args=(self._server,), name="holecard-wire-tap", daemon=True).start()

    def sent(self, data: bytes, aside: bool) -> None:
        self._pass("out", data, aside)

    def heard(self, data: bytes, aside: bool) -> None:
        self._pass("in", data, aside)

    def rest(self, wire: Wire) -> None:
        """Ask what is wanted and due."""
        if not self._viewers:
            return
        now = time.monotonic()
        wanted = {name for wants in list(self._viewers.values()) for name in wants}
        for name in [name for name in PERIODS if name in wanted]:
            if now - self._asked.get(name, 0) >= PERIODS[name]:
                self._asked[name] = now
                with contextlib.suppress(ScpiError, ValueError):
                    self._tell(name, LOOKS[name](wire))

    def close(self) -> None:
        self._over = True
        if self._server is not None:
            with contextlib.suppress(OSError):
                self._server.shutdown(socket.SHUT_RDWR)
            self._server.close()
        if self._path:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    def _pass(self, direction: str, data: bytes, aside: bool) -> None:
        # Also while nobody looks: who comes in the middle of a line gets none that begins there.
        lines = self._lines[direction].feed(data)
        for line in lines if self._viewers else ():
            text = line.strip("\r\x18")
            if text and (not aside or text.startswith("!")):
                self._send({"dir": direction, "line": text})

    def _tell(self, name: str, value: Any) -> None:
        if name == "loop" or self._told.get(name) != value:
            self._told[name] = value
            self._send({name: value})

    def _send(self, record: dict[str, Any]) -> None:
        line = json.dumps({"t": round(time.time(), 6), **record})
        for waiting in list(self._viewers):
            if waiting.qsize() >= _MOST_WAITING:
                with contextlib.suppress(queue.Empty):
                    waiting.get_nowait()
            waiting.put(line)

    def _accept(self, server: socket.socket) -> None:
        while not self._over:
            try:
                client, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        waiting: queue.Queue[str] = queue.Queue()
        with client, contextlib.suppress(OSError, ValueError):
            client.settimeout(_CONNECT_SECONDS)
            with client.makefile("rb") as lines:
                token, order = lines.readline(64), json.loads(lines.readline(_LONGEST_WANT) or b"{}")
            if not secrets.compare_digest(token.strip(), self._token.encode()) or not isinstance(order, dict):
                return
            if order.get("do") == "yield":
                self.asked_to_yield.set()
                client.sendall(json.dumps({"yields": self._lock.holder.yields}).encode() + b"\n")
                return
            wants = tuple(name for name in order.get("want", ()) if name in PERIODS)
            self._viewers[waiting] = wants
            for name in wants:  # what a newcomer has not seen is told again, now that he hears it
                self._told.pop(name, None)
                self._asked.pop(name, None)
            try:
                self._pass_on(client, waiting)
            finally:
                self._viewers.pop(waiting, None)

    def _pass_on(self, client: socket.socket, waiting: queue.Queue[str]) -> None:
        while not self._over:
            try:
                client.sendall(waiting.get(timeout=_LOOK_SECONDS).encode() + b"\n")
            except queue.Empty:
                client.sendall(b"{}\n")  # a viewer that has gone is noticed by that


def loop_us(wire: Wire) -> int:
    """How long one pass of the table's loop takes that answers a line, in microseconds of the table's own clock.

    Two lines sent at once are answered in two passes, and each tells when its pass began.
    """
    first, second = wire.aside_pair("SYST:TIME?")
    return (int(second) - int(first)) % _CLOCK_RANGE


LOOKS = {
    "picture": lambda wire: wire.aside("DISP:DATA?"),
    "lamps": lambda wire: int(wire.aside("DIAG:LAMP?")),
    "meters": lambda wire: json.loads(wire.aside("TABL:MET?")),
    "loop": loop_us,
}


def view(holder: Holder, *want: str) -> Iterator[dict[str, Any]]:
    """What a holder lets see, until it ends; an empty record now and then when nothing happens.

    Raises StandFault when it lets nobody see.
    """
    try:
        connection = _connect(holder, {"want": want})
    except OSError:
        raise StandFault(f"{holder} lets nobody watch") from None
    with connection, connection.makefile("rb") as lines, contextlib.suppress(OSError, ValueError):
        for line in lines:
            record = json.loads(line)
            if isinstance(record, dict):
                yield record


def ask_to_yield(holder: Holder) -> bool:
    """Ask whoever only watches a table to leave it. True if it will."""
    try:
        with _connect(holder, {"do": "yield"}) as connection, connection.makefile("rb") as lines:
            return json.loads(lines.readline(_LONGEST_WANT)).get("yields") is True
    except (OSError, ValueError, AttributeError, HolecardError):
        return False


def clear_away(holder: Holder) -> None:
    """Remove the socket of a holder that was killed."""
    kind, _, place = holder.tap.partition(":")
    if kind == "unix" and _is_ours(place):
        with contextlib.suppress(OSError):
            os.unlink(place)


def _is_ours(place: str) -> bool:
    """What a lock's file says was written by somebody else: only this user's own folder is reached into."""
    from .twin import registry  # noqa: PLC0415

    folder, name = os.path.split(place)
    return folder == str(registry.runtime_dir()) and name.startswith(_NAME) and name.endswith(".tap")


def _connect(holder: Holder, order: dict[str, Any]) -> socket.socket:
    from .twin import registry  # noqa: PLC0415

    kind, _, place = holder.tap.partition(":")
    if kind not in ("unix", "tcp") or (kind == "unix" and not _is_ours(place)):
        raise OSError("no tap of this user's")
    connection = registry.connect(holder.tap, holder.token)
    connection.sendall(json.dumps(order).encode() + b"\n")
    return connection
