"""Opens serial ports and sockets, and says in one line why one cannot be opened or has failed."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import re
import socket
import time
from typing import Any

import serial

from .errors import StandFault

try:
    import fcntl
    import termios
    from termios import error as TerminalError
except ImportError:  # Windows
    TerminalError = OSError  # type: ignore[assignment, misc]

# What pyserial lets through when a port vanishes; TypeError from a read that another thread's close() cuts short.
LOST = (OSError, TypeError, TerminalError, serial.SerialException)
_AGAIN_SECONDS = 0.02
BUSY, DENIED, GONE, NO_PORT, FAULTY = "busy", "no permission", "gone", "no port", "error"


def connect(url: str, timeout: float, write_timeout: float) -> Any:
    """Open a path, a COM port or socket://HOST:PORT for this program alone; timeouts in seconds.

    Raises what pyserial raises.
    """
    options: dict[str, Any] = {"timeout": timeout, "write_timeout": write_timeout}
    if "://" in url:
        return serial.serial_for_url(url, **options)
    if os.name == "posix":  # Windows opens ports exclusively by itself
        options["exclusive"] = True
    # A table without DTR stays silent (tinyusb#1548); pyserial sets it unless told otherwise.
    port = serial.Serial(url, 115200, **options)
    if os.name == "posix" and not is_pseudo(url):
        try:
            _exclude(port)
        except BaseException:
            port.close()
            raise
    return port


def is_pseudo(path: str) -> bool:
    """Whether a path is a pseudo-terminal's."""
    return re.match(r"/dev/(pts/|pty|ttys\d)", os.path.realpath(path)) is not None


def _exclude(port: Any) -> None:
    """What pyserial's lock is not: also programs that know nothing of it cannot open the port from now on.

    The system lets root through all the same, and says nothing of those who were there before; for both there is the
    look into /proc. Not for pseudo-terminals: there the mark stays for ever once this process was killed.
    """
    before = users_of(port.port)
    if before:
        raise serial.SerialException(errno.EBUSY, f"busy: {before[0]}")
    fcntl.ioctl(port.fileno(), termios.TIOCEXCL)


def users_of(path: str) -> list[str]:
    """Which other processes have a port open, as "process 123 (minicom)"; none where the system does not tell.

    Linux only; without root only those of the same user.
    """
    try:
        wanted = os.stat(path)
        pids = [entry for entry in os.listdir("/proc") if entry.isdigit() and int(entry) != os.getpid()]
    except OSError:
        return []
    return [_named(pid) for pid in pids if _has_open(pid, wanted.st_rdev)]


def has_open(pid: int, path: str) -> bool:
    """Whether another process has a port open; False where the system does not tell (as `users_of`)."""
    try:
        return pid != os.getpid() and _has_open(str(pid), os.stat(path).st_rdev)
    except OSError:
        return False


def _has_open(pid: str, device: int) -> bool:
    try:
        descriptors = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return False
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            place = f"/proc/{pid}/fd/{descriptor}"
            # Only what is a terminal by its name is looked at: some file systems take long to answer.
            if os.readlink(place).startswith("/dev/") and os.stat(place).st_rdev == device:
                return True
    return False


def open_port(url: str, name: str, timeout: float, write_timeout: float, patience: float = 0) -> Any:
    """The same for a stand that messages call `name`; one that is busy is asked again for `patience` seconds.

    Raises StandFault.
    """
    until = time.monotonic() + patience
    while True:
        try:
            return connect(url, timeout, write_timeout)
        except (OSError, ValueError, serial.SerialException) as error:
            if judge(error) != BUSY or time.monotonic() >= until:
                raise StandFault(_why(url, name, error)) from None
        time.sleep(_AGAIN_SECONDS)


def judge(error: Exception) -> str:
    """What kind of trouble an exception of pyserial's is: BUSY, DENIED, GONE, NO_PORT or FAULTY."""
    # termios.error carries its number as an argument only.
    number = getattr(error, "errno", error.args[0] if error.args else None)
    text = str(error).lower()
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text or "busy" in text:
        return BUSY
    if number in (errno.EACCES, errno.EPERM) or "permission" in text or "access is denied" in text:
        return DENIED
    # What opens a port asks for its settings, which only a terminal has; pyserial tells the number in a text.
    if number in (errno.ENOTTY, errno.EISDIR) or f"({errno.ENOTTY}, " in text:
        return NO_PORT
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO) or "filenotfound" in text:
        return GONE
    return FAULTY


def _why(url: str, name: str, error: Exception) -> str:
    cause = error.__context__  # pyserial puts what a socket said into a text
    if isinstance(cause, socket.gaierror):
        return f"{name}: there is no host of that name, or the network cannot tell"
    if isinstance(cause, ConnectionRefusedError):
        return f"{name}: nothing listens there"
    if isinstance(cause, TimeoutError):
        return f"{name}: the host does not answer"
    kind = judge(error)
    if kind == NO_PORT:
        return f"{name} is no serial port"
    if kind == BUSY:
        user = holder_of(url) or next(iter(users_of(url)), "another program")
        return f"{name} is in use by {user}"
    if kind == DENIED:
        return f"{name}: no permission to open the port (on Linux: join the group that owns it, often dialout)"
    if kind == GONE:
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


def socket_fault(place: str) -> str:
    """Why `place` in socket://PLACE cannot be a HOST:PORT; "" when it can."""
    if not place:
        return "host and port are missing"
    found = re.fullmatch(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>.*))?", place)
    if found is None or (place[0] != "[" and place.count(":") > 1):
        return "an IPv6 address goes into brackets, as in socket://[::1]:5025"
    port = found["port"]
    if not port:
        return "the port is missing"
    if re.fullmatch(r"[0-9]{1,5}", port) is None or not 1 <= int(port) <= 65535:
        return f"a port is a number from 1 to 65535, not {port}"
    if not found["host"]:
        return "the host is missing"
    return "" if _can_be_host(found["host"]) else f"{found['host']} is no name or address of a host"


def _can_be_host(host: str) -> bool:
    try:
        if host.startswith("["):
            return bool(ipaddress.IPv6Address(host[1:-1]))
        if re.fullmatch(r"[0-9.]+", host):
            return bool(ipaddress.IPv4Address(host))
        # Underscores are no part of host names, but people's own networks have them.
        labels = host.removesuffix(".").encode("idna").split(b".")
    except ValueError:
        return False
    return all(re.fullmatch(rb"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?", label) for label in labels)
