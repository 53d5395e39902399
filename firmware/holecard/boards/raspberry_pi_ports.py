"""The ports of a Raspberry Pi for the wire: a serial one (a UART, or the USB gadget that makes a Pi look like a serial
device), and a TCP server for one client at a time. Answers and events go to whoever spoke last.
"""

import errno
import os
import select
import socket
import time
from typing import Any

import serial

from holecard.boards import raspberry_pi_faults as faults

# The USB gadget's serial port (g_serial, or the function acm): there if the Pi is set up to be a device.
GADGET = "/dev/ttyGS0"
_BAUD = 115_200
# A port that is lost (a cable, a driver that is loaded again) is looked for this often.
_RETRY_S = 1.0
_CHUNK = 256
_CTRL_C = 3
# Takes back what was sent of a line: see table/lines.py.
_CANCEL = b"\x18"
_ENDS = (10, 13)
# A client whose cable was pulled, or whose computer went to sleep, never says that it has left. Seconds without a word
# before it is asked, between two questions, and how many of them may go unanswered; Linux's own are two hours and more.
_SILENCE = (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))


class Tty:
    """A serial port that may come and go."""

    def __init__(self, path: str):
        self._path = path
        self._port: Any = None
        self._retry_at = 0.0
        self._told = ""

    def listen(self) -> list:
        """What to wait on for input."""
        if self._port is None and time.monotonic() >= self._retry_at:
            self._open()
        return [] if self._port is None else [self._port]

    @property
    def speaker(self):
        """Whoever is at the other end, None while nobody is; another one is another object."""
        return self._port

    def read(self) -> bytes:
        """What has come; to be called when `select` says that there is something."""
        try:
            return self._port.read(max(1, min(self._port.in_waiting, _CHUNK)))
        except OSError as error:  # pyserial's own errors among them
            self._lose(error)
            return b""

    def write(self, data) -> int:
        """How many bytes it took."""
        try:
            # pyserial would try again and again what the port does not take now.
            if not select.select([], [self._port], [], 0)[1]:
                return 0
            return self._port.write(data[:_CHUNK])
        except OSError as error:
            self._lose(error)
            return len(data)

    def close(self) -> None:
        if self._port is not None:
            try:
                self._port.close()
            except OSError:
                pass
            self._port = None

    def _open(self) -> None:
        self._retry_at = time.monotonic() + _RETRY_S
        try:
            self._port = serial.Serial(self._path, _BAUD, timeout=0, write_timeout=0, exclusive=True)
            self._told = ""
        except OSError as error:
            self._tell(error)

    def _lose(self, error) -> None:
        self.close()
        self._retry_at = time.monotonic() + _RETRY_S
        self._tell(error)

    def _tell(self, error) -> None:
        if error.errno == errno.EACCES:
            text = faults.no_permission(self._path, "dialout")
        elif error.errno == errno.ENOENT:
            text = "there is no serial port %s: see serial in docs/raspberry-pi.md" % self._path
        else:
            text = "the serial port %s: %s" % (self._path, error)
        if text != self._told:
            self._told = text
            faults.tell(text)


class Tcp:
    """A server at `host`:`port` for one client at a time. Raises BoardFault when the address cannot be had."""

    def __init__(self, host: str, port: int):
        try:
            self._server = socket.create_server((host, port))
        except OSError as error:
            raise faults.BoardFault(
                "cannot listen at %s:%d (%s): choose another with --tcp" % (host, port, error.strerror or error)
            )
        self._server.setblocking(False)
        self._client: Any = None

    def listen(self) -> list:
        return [self._server] if self._client is None else [self._server, self._client]

    @property
    def speaker(self):
        """As a Tty's."""
        return self._client

    def read(self) -> bytes:
        # Whoever is there is heard first: one that has left makes room for the next, who may have come already.
        data = self._receive()
        if not data:
            self._accept()
        return data

    def write(self, data) -> int:
        try:
            return self._client.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self._leave()
            return len(data)

    def close(self) -> None:
        self._leave()
        self._server.close()

    def _receive(self) -> bytes:
        if self._client is None:
            return b""
        try:
            data = self._client.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._leave()
        return data

    def _accept(self) -> None:
        try:
            client, _ = self._server.accept()
        except OSError:
            return
        if self._client is not None:
            # Two on one port would each lose bytes to the other.
            client.close()
            return
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _SILENCE:
            # macOS, on which nothing but the tests runs, does not know all of them.
            if hasattr(socket, name):
                client.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        self._client = client

    def _leave(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


class Ports:
    """What a board's `read_into` and `write_from` promise, over all of `ports`."""

    def __init__(self, ports):
        self._ports = list(ports)
        # Who is answered; what has come and was not asked for yet.
        self._last = self._ports[0] if self._ports else None
        self._rest = b""
        # Who spoke last, and whether in the middle of a line.
        self._speaker: Any = None
        self._open_line = False

    def wait(self, seconds: float) -> bool:
        """Until something comes, at most so long; True if something did."""
        if self._rest:
            return True
        there = [one for port in self._ports for one in port.listen()]
        if not there:
            time.sleep(seconds)
            return False
        return bool(select.select(there, [], [], seconds)[0])

    def read_into(self, buf) -> int:
        if not self._rest:
            self._rest = self._take()
        count = min(len(buf), len(self._rest))
        # What follows a 0x03 is left for the next call.
        stop = self._rest.find(_CTRL_C, 0, count)
        if stop >= 0:
            count = stop + 1
        buf[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def write_from(self, buf) -> int:
        port = self._last
        if port is None or port.speaker is None:
            # Nobody is there: as a Pico without DTR, a table says it to nobody, and keeps nothing for the next one.
            return len(buf)
        return port.write(buf) if len(buf) else 0

    def close(self) -> None:
        for port in self._ports:
            port.close()

    def _take(self) -> bytes:
        for port in self._ports:
            there = port.listen()
            if there and select.select(there, [], [], 0)[0]:
                data = port.read()
                if data:
                    return self._heard(port, data)
        return b""

    def _heard(self, port, data: bytes) -> bytes:
        before, self._speaker, self._last = self._speaker, port.speaker, port
        left_open, self._open_line = self._open_line, data[-1] not in _ENDS
        # What somebody else has left of a line is not the beginning of this one.
        return _CANCEL + data if left_open and before is not self._speaker else data


def find(wanted: str):
    """The path of the serial port that the settings name: "auto" is the USB gadget, if there is one; "" for none."""
    if wanted == "auto":
        return GADGET if os.path.exists(GADGET) else ""
    return wanted
