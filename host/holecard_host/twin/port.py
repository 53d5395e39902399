"""The serial port of the simulated table, as other programs see it: a pseudo-terminal, or TCP on Windows.

Both kinds offer `url` (what a client opens), `sockets` (what to wait on for reading), `read`, `write` and `close`.
Nothing blocks: `read` gives what has come, `write` takes what fits.
"""

from __future__ import annotations

import contextlib
import os
import socket
from typing import Protocol


class Port(Protocol):
    """What the pump needs of a port."""

    url: str

    def sockets(self) -> list[int]: ...
    def outlets(self) -> list[int]: ...
    def read(self) -> bytes: ...
    def write(self, data: bytes) -> int: ...
    def close(self) -> None: ...


class PtyPort:
    """A pseudo-terminal; `url` is the path of the client's side.

    The client's side stays open here too, so that clients may come and go without a hang-up on this side.
    """

    def __init__(self) -> None:
        import pty  # noqa: PLC0415 - these two exist on POSIX only
        import tty  # noqa: PLC0415

        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.url = os.ttyname(self._slave)

    def sockets(self) -> list[int]:
        return [self._master]

    def outlets(self) -> list[int]:
        return [self._master]

    def read(self) -> bytes:
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> int:
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Hang up: whoever has the port open gets an error at once."""
        for descriptor in (self._slave, self._master):
            with contextlib.suppress(OSError):
                os.close(descriptor)


class TcpPort:
    """A TCP server on the loopback interface for one client at a time; `url` is socket://127.0.0.1:PORT."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.setblocking(False)
        self._client: socket.socket | None = None
        self.url = f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def sockets(self) -> list[int]:
        descriptors = [self._server.fileno()]
        if self._client is not None:
            descriptors.append(self._client.fileno())
        return descriptors

    def outlets(self) -> list[int]:
        return [] if self._client is None else [self._client.fileno()]

    def read(self) -> bytes:
        with contextlib.suppress(BlockingIOError):
            client, _ = self._server.accept()
            if self._client is not None:
                client.close()
            else:
                client.setblocking(False)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._client = client
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

    def write(self, data: bytes) -> int:
        if self._client is None:
            # Without DTR the chip drops what it has to send.
            return len(data)
        try:
            return self._client.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)

    def close(self) -> None:
        """Hang up."""
        for connection in (self._client, self._server):
            if connection is not None:
                connection.close()


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
