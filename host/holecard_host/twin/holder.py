"""Keeps a simulated table running for several commands, and reaches it from them.

The holder serves two sockets. `control` takes one JSON object a line, {"do": name of a LiveTwin method, "with": [...]},
and answers {"ok": result} or {"fault": [kind, message, traceback]}. `tap` is for viewers and takes nothing: it sends
{"frame": hex, "lamps": mask, "now": microseconds} whenever that changes; a slow viewer gets only the newest. Behind
the token of a tap may stand " pins": then it sends {"pins": [records of the device]} instead, see Simulator.listeners.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from ..errors import FirmwareCrash, HolecardError, StandFault, UsageFault
from . import registry
from .live import LiveTwin
from .process import HANG_SECONDS

_TAP_SECONDS = 1 / 30
# What an order gets beside the table's own time: a holder tells of a firmware that hangs before this is over.
_PATIENCE_SECONDS = HANG_SECONDS + 5
_LONGEST_SECONDS = 365 * 86_400.0
_ALLOWED = (
    *("press", "hold", "advance", "now_us", "frame", "lamps", "cut", "restore", "powered", "health", "check", "stop"),
    *("fail_transfers", "plug_panel", "read_host", "cut_at_flash"),
)


class Holder:
    """One table under a name. `options` are those of LiveTwin. Raises StandFault when the name is taken."""

    def __init__(self, name: str, interpreter: str = "cpython", *, realtime: bool = True, **options: Any) -> None:
        registry.check_name(name)
        taken = next((entry for entry in registry.entries() if entry.name == name), None)
        if taken is not None:
            raise StandFault(f"sim://{name} runs already (process {taken.pid})")
        self._over = threading.Event()
        self._token = secrets.token_hex(16)
        self.twin = LiveTwin(interpreter, realtime=realtime, **options)
        self._sockets: list[socket.socket] = []
        try:
            control = self._serve(name, "control", self._control)
            tap = self._serve(name, "tap", self._tap)
            self.entry = registry.Entry(
                name, os.getpid(), interpreter, realtime, self.twin.port.url, control, tap, self._token
            )
            registry.publish(self.entry)
        except BaseException:
            self.close()
            raise

    def wait(self, show: Callable[[], None] | None = None) -> None:
        """Serve until `stop` comes over the control socket. Raises FirmwareCrash when the firmware ends.

        `show` is called thirty times a second meanwhile.
        """
        while not self._over.wait(0.2 if show is None else _TAP_SECONDS):
            self.twin.check()
            if show is not None:
                show()

    def close(self) -> None:
        """End the table and forget its name."""
        self._over.set()
        for connection in list(self._sockets):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits on it
            connection.close()
        if hasattr(self, "entry"):
            registry.withdraw(self.entry.name)
        self.twin.close()

    def __enter__(self) -> Holder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _serve(self, name: str, purpose: str, serve: Callable[[socket.socket, bytes], None]) -> str:
        server, address = registry.listen(name, purpose)
        self._sockets.append(server)

        def accept() -> None:
            while not self._over.is_set():
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=self._greet, args=(client, serve), daemon=True).start()

        threading.Thread(target=accept, name=f"holecard-{purpose}", daemon=True).start()
        return address

    def _greet(self, client: socket.socket, serve: Callable[[socket.socket, bytes], None]) -> None:
        self._sockets.append(client)
        try:
            self._admit(client, serve)
        finally:
            client.close()
            self._sockets.remove(client)

    def _admit(self, client: socket.socket, serve: Callable[[socket.socket, bytes], None]) -> None:
        with contextlib.suppress(OSError):
            token = b""
            while not token.endswith(b"\n") and len(token) < 64:
                byte = client.recv(1)
                if not byte:
                    return
                token += byte
            token, _, wish = token.strip().partition(b" ")
            if secrets.compare_digest(token, self._token.encode()):
                serve(client, wish)

    def _control(self, client: socket.socket, _: bytes) -> None:
        for line in client.makefile("rb"):
            if self._over.is_set():
                return
            client.sendall(json.dumps(self._obey(line)).encode() + b"\n")

    def _obey(self, line: bytes) -> dict[str, Any]:
        try:
            order = json.loads(line)
            do, arguments = order["do"], order.get("with", [])
            if do not in _ALLOWED:
                raise ValueError(f"no such order: {do}")
            if do == "stop":
                self._over.set()
                return {"ok": None}
            result = getattr(self.twin, do)(*arguments)
            return {"ok": result.hex() if isinstance(result, bytes) else result}
        except HolecardError as error:
            return {"fault": [type(error).__name__, str(error), getattr(error, "traceback", "")]}
        except (ValueError, TypeError, KeyError) as error:
            return {"fault": ["UsageFault", str(error), ""]}

    def _tap(self, client: socket.socket, wish: bytes) -> None:
        if wish == b"pins":
            self._tap_pins(client)
            return
        shown: tuple[bytes, int] | None = None
        while not self._over.is_set() and self.twin.fault is None:
            now = (self.twin.frame(), self.twin.lamps())
            if now != shown:
                shown = now
                text = json.dumps({"frame": now[0].hex(), "lamps": now[1], "now": self.twin.now_us()})
                client.sendall(text.encode() + b"\n")
            self._over.wait(_TAP_SECONDS)

    def _tap_pins(self, client: socket.socket) -> None:
        waiting: list[str] = []
        self.twin.listen(waiting.append)
        try:
            while not self._over.is_set() and self.twin.fault is None:
                with self.twin.lock:
                    records, waiting[:] = waiting[:], []
                if records:
                    client.sendall(json.dumps({"pins": records}).encode() + b"\n")
                self._over.wait(_TAP_SECONDS)
        finally:
            self.twin.forget(waiting.append)


class RemoteTwin:
    """A table that a Holder keeps, with the methods of LiveTwin. Raises StandFault when that is gone or stopped."""

    def __init__(self, entry: registry.Entry) -> None:
        self._entry = entry
        self.realtime = entry.realtime
        self.port = SimpleNamespace(url=entry.port)
        self._lock = threading.Lock()
        self._silent = False
        try:
            self._connection = registry.connect(entry.control, entry.token)
        except OSError:
            raise self._gone() from None
        self._lines = self._connection.makefile("rb")
        self._pins: list[socket.socket] = []

    def listen(self, listener: Callable[[str], None]) -> None:
        """Let `listener` hear every record of the device a little later; it is called from a thread of its own."""
        try:
            connection = registry.connect(self._entry.tap, f"{self._entry.token} pins")
        except OSError:
            raise self._gone() from None
        self._pins.append(connection)

        def pass_on() -> None:
            with connection, connection.makefile("rb") as lines, contextlib.suppress(OSError, ValueError):
                for line in lines:
                    for record in json.loads(line)["pins"]:
                        listener(record)

        threading.Thread(target=pass_on, name="holecard-pins", daemon=True).start()

    def close(self) -> None:
        """Leave the table running."""
        for pins in self._pins:
            with contextlib.suppress(OSError):
                pins.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        self._connection.close()

    def press(self, key: int, ms: int = 60, bounce_seed: int | None = None) -> None:
        self._do("press", key, ms, bounce_seed, ms=ms)

    def hold(self, down: bool, *keys: int) -> None:
        self._do("hold", down, *keys)

    def advance(self, ms: float) -> None:
        self._do("advance", ms, ms=ms)

    def now_us(self) -> int:
        return int(self._do("now_us"))

    def frame(self) -> bytes:
        return bytes.fromhex(self._do("frame"))

    def lamps(self) -> int:
        return int(self._do("lamps"))

    def cut(self) -> None:
        self._do("cut")

    def restore(self) -> None:
        self._do("restore")

    def powered(self) -> bool:
        return bool(self._do("powered"))

    def fail_transfers(self, kind: str = "nak", skip: int = 0, count: int = 1, kept: int = 0) -> None:
        self._do("fail_transfers", kind, skip, count, kept)

    def plug_panel(self, plugged: bool) -> None:
        self._do("plug_panel", plugged)

    def read_host(self, reading: bool) -> None:
        self._do("read_host", reading)

    def cut_at_flash(self, operations: int) -> None:
        self._do("cut_at_flash", operations)

    def health(self) -> None:
        self._do("check")
        if not self.powered():
            url = f"sim://{self._entry.name}"
            raise StandFault(f"{url} is switched off: `holecard power {url} on` switches it on")
        self._do("health")

    def check(self) -> None:
        self._do("check")

    def stop(self) -> None:
        """End the table."""
        self._do("stop")

    def _do(self, do: str, *arguments: object, ms: float = 0) -> Any:
        with self._lock:
            if self._silent:  # its late answer would be taken for that to the next order
                raise self._stopped()
            self._connection.settimeout(_PATIENCE_SECONDS + min(ms / 1000, _LONGEST_SECONDS))
            try:
                self._connection.sendall(json.dumps({"do": do, "with": arguments}).encode() + b"\n")
                line = self._lines.readline()
            except TimeoutError:
                self._silent = True
                raise self._stopped() from None
            except (OSError, ValueError):
                raise self._gone() from None
        if not line:
            raise self._gone()
        answer = json.loads(line)
        if "fault" in answer:
            kind, message, traceback = answer["fault"]
            if kind == "FirmwareCrash":
                raise FirmwareCrash(message, traceback)
            raise (UsageFault if kind == "UsageFault" else StandFault)(message)
        return answer["ok"]

    def _stopped(self) -> StandFault:
        return StandFault(
            f"sim://{self._entry.name}: the program that keeps this table (process {self._entry.pid}) does not answer"
        )

    def _gone(self) -> StandFault:
        return StandFault(f"sim://{self._entry.name}: the program that kept this table has ended")


@dataclass(frozen=True)
class Sight:
    """What a viewer gets: the glass as 1,024 page-major bytes, the mask of the lamps, the time in microseconds."""

    frame: bytes
    lamps: int
    now_us: int


def watch(entry: registry.Entry) -> Iterator[Sight]:
    """What a table shows, whenever that changes, until it ends, however. Raises StandFault when it is gone already."""
    try:
        connection = registry.connect(entry.tap, entry.token)
    except OSError:
        raise StandFault(f"sim://{entry.name}: the program that kept this table has ended") from None
    with connection, connection.makefile("rb") as lines, contextlib.suppress(OSError, ValueError):
        for line in lines:
            data = json.loads(line)
            yield Sight(bytes.fromhex(data["frame"]), data["lamps"], data["now"])
