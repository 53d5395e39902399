"""The serial port of the simulated table, as other programs see it: a pseudo-terminal, or TCP on Windows.

Both kinds offer `url` (what a client opens), `sockets` and `outlets` (what to wait on for reading and writing),
`patience` (for how many seconds at most; None for ever), `read`, `write`, `arrived` and `close`. Nothing blocks: `read`
gives what has come, `write` takes what fits, and all of it while there is no client: without DTR the chip drops what it
has to send. `arrived` tells, once, that a client has come; it finds nothing that was meant for the one before.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import sys
from typing import Protocol

# On Linux the system tells at this side whether somebody has the other side of a pseudo-terminal open.
_TELLS = sys.platform == "linux"
# A client that comes can only be noticed by looking.
_LOOK_SECONDS = 0.01


class Port(Protocol):
    """What the pump needs of a port."""

    url: str

    @property
    def patience(self) -> float | None: ...
    def sockets(self) -> list[int]: ...
    def outlets(self) -> list[int]: ...
    def read(self) -> bytes: ...
    def write(self, data: bytes) -> int: ...
    def arrived(self) -> bool: ...
    def close(self) -> None: ...


class PtyPort:
    """A pseudo-terminal; `url` is the path of the client's side.

    Clients may come and go without a hang-up on this side. Where the system does not tell, there always is a client.
    """

    def __init__(self) -> None:
        import pty  # noqa: PLC0415 - these two exist on POSIX only
        import tty  # noqa: PLC0415

        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.url = os.ttyname(self._slave)
        self._client = not _TELLS
        self._arrived = False
        if _TELLS:
            os.close(self._slave)
            self._slave = -1

    @property
    def patience(self) -> float | None:
        """Without a client the system would wake a waiter again and again, so nothing is waited on."""
        return None if self._look() else _LOOK_SECONDS

    def sockets(self) -> list[int]:
        return [self._master] if self._look() else []

    def outlets(self) -> list[int]:
        return self.sockets()

    def read(self) -> bytes:
        # Not only with a client: one that wrote a line and went away at once is served, too.
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""
        except OSError:
            if not _TELLS:
                raise
            return b""  # no client

    def write(self, data: bytes) -> int:
        if not self._look():
            return len(data)
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0

    def arrived(self) -> bool:
        self._look()
        arrived, self._arrived = self._arrived, False
        return arrived

    def close(self) -> None:
        """Hang up: whoever has the port open gets an error at once. Harmless when repeated."""
        # Forgotten first: the number may be another file's by the time of a second close.
        descriptors, self._slave, self._master = (self._slave, self._master), -1, -1
        for descriptor in descriptors:
            if descriptor >= 0:
                with contextlib.suppress(OSError):
                    os.close(descriptor)

    def _look(self) -> bool:
        """Whether there is a client."""
        if _TELLS:
            # One for each look: a poll object that two threads ask at once raises RuntimeError.
            hang_up = select.poll()
            hang_up.register(self._master, select.POLLHUP)
            before, self._client = self._client, not hang_up.poll(0)
            if before and not self._client:
                self._drop()
            self._arrived = self._arrived or (self._client and not before)
        return self._client

    def _drop(self) -> None:
        """What the client did not read would be kept for the next one."""
        import termios  # noqa: PLC0415 - POSIX only

        with contextlib.suppress(OSError, termios.error):
            slave = os.open(self.url, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                termios.tcflush(slave, termios.TCIFLUSH)
            finally:
                os.close(slave)


class TcpPort:
    """A TCP server on the loopback interface for one client at a time; `url` is socket://127.0.0.1:PORT."""

    patience: float | None = None

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.setblocking(False)
        self._client: socket.socket | None = None
        self._arrived = False
        self.url = f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def sockets(self) -> list[int]:
        descriptors = [self._server.fileno()]
        if self._client is not None:
            descriptors.append(self._client.fileno())
        return descriptors

    def outlets(self) -> list[int]:
        return [] if self._client is None else [self._client.fileno()]

    def read(self) -> bytes:
        # Whoever is there is heard first: one that has left makes room for the next, who may have come already.
        data = self._receive()
        if not data:
            self._accept()
        return data

    def write(self, data: bytes) -> int:
        if self._client is None:
            return len(data)
        try:
            return self._client.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)

    def arrived(self) -> bool:
        arrived, self._arrived = self._arrived, False
        return arrived

    def close(self) -> None:
        """Hang up."""
        for connection in (self._client, self._server):
            if connection is not None:
                connection.close()

    def _receive(self) -> bytes:
        if self._client is None:
            return b""
        try:
            data = self._client.recv(65536)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._client.close()
            self._client = None
        return data

    def _accept(self) -> None:
        with contextlib.suppress(BlockingIOError):
            client, _ = self._server.accept()
            if self._client is not None:
                client.close()
            else:
                client.setblocking(False)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._client = client
                self._arrived = True


def open_port() -> Port:
    """The kind of port that this system has."""
    return TcpPort() if os.name == "nt" else PtyPort()


class LineCounter:
    """Counts, in what a client sends, the lines that will be answered: those with a `?` outside quotes."""

    def __init__(self) -> None:
        self._quote = 0
        self._asks = False

    def feed(self, data: bytes) -> int:
        """How many such lines end in `data`; a line may come in several pieces."""
        count = 0
        for byte in data:
            if byte in b"\r\n":
                count += self._asks
                self._asks = False
                self._quote = 0
            elif self._quote:
                if byte == self._quote:
                    self._quote = 0
            elif byte in b"\"'":
                self._quote = byte
            elif byte == 0x3F:
                self._asks = True
        return count
