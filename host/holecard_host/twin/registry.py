"""Which simulated tables run under a name: one small file for each, in a directory that only their user can enter."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import stat
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import StandFault, UsageFault

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
# These mean something else after sim://: what runs the firmware of a table of one's own.
RESERVED = ("cpython", "micropython", "pi")
# sizeof sun_path without the zero at its end: 108 on Linux, 104 on macOS and the BSDs.
_LONGEST_PATH = 107 if sys.platform == "linux" else 103


@dataclass(frozen=True)
class Entry:
    """A simulated table: `port` is what clients open; `control` and `tap` are addresses of sockets.

    `token` is the first line that a client of either socket sends; it keeps other users out where sockets are TCP.
    """

    name: str
    pid: int
    interpreter: str
    realtime: bool
    port: str
    control: str
    tap: str
    token: str


def is_name(name: str) -> bool:
    """Whether a table may have this name."""
    return _NAME.fullmatch(name) is not None and name not in RESERVED


def check_name(name: str) -> None:
    """Raises UsageFault, with the reason, unless a table may have this name."""
    if name in RESERVED:
        raise UsageFault(f"{name!r} cannot be the name of a table: it is reserved, sim://{name} is a kind of table")
    if not is_name(name):
        raise UsageFault(
            f"{name!r} cannot be the name of a table: letters, digits, - and _, at most 32, a letter or digit first"
        )


def runtime_dir() -> Path:
    """The directory of the running tables, mode 0700. Raises StandFault when somebody else could reach into it."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and Path(base).is_dir():
        path = Path(base) / "holecard"
    else:
        user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
        path = Path(tempfile.gettempdir()) / f"holecard-{user}"
    try:
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=0o700, parents=True)
        status = path.lstat()
    except OSError as error:
        raise StandFault(f"cannot make the directory {path}: {error.strerror or error}") from None
    if hasattr(os, "getuid") and not _is_private(status):
        raise StandFault(f"{path} must be a directory that only you can enter (chmod 700): remove it")
    return path


def _is_private(status: os.stat_result) -> bool:
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077


def listen(name: str, purpose: str) -> tuple[socket.socket, str]:
    """A listening socket for a table, and its address: unix:PATH, or tcp:PORT on Windows."""
    if not hasattr(socket, "AF_UNIX") or os.name == "nt":
        server = socket.create_server(("127.0.0.1", 0))
        return server, f"tcp:{server.getsockname()[1]}"
    path = runtime_dir() / f"{name}.{purpose}"
    length = len(os.fsencode(path))
    if length > _LONGEST_PATH:
        raise StandFault(
            f"{path} is {length} bytes long and a socket's path has at most {_LONGEST_PATH}:"
            " choose a shorter name, or set XDG_RUNTIME_DIR to a directory with a shorter path"
        )
    path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.bind(str(path))
    except OSError as error:
        server.close()
        raise StandFault(f"cannot open {path}: {error.strerror or error}") from None
    server.listen()
    return server, f"unix:{path}"


def connect(address: str, token: str) -> socket.socket:
    """Connect to an address of an entry and present its token. Raises OSError."""
    kind, _, place = address.partition(":")
    if kind == "tcp":
        connection = socket.create_connection(("127.0.0.1", int(place)), timeout=5)
    else:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(5)
            connection.connect(place)
        except OSError:
            connection.close()
            raise
    connection.settimeout(None)
    connection.sendall(token.encode() + b"\n")
    return connection


def publish(entry: Entry) -> None:
    """Make a table known. Raises StandFault when that cannot be written."""
    path = runtime_dir() / f"{entry.name}.json"
    new = path.with_suffix(".new")
    try:
        new.write_text(json.dumps(asdict(entry)), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise StandFault(f"cannot write {path}: {error.strerror or error}") from None


def withdraw(name: str) -> None:
    """Forget a table. Harmless when there is none."""
    for suffix in ("json", "new", "control", "tap"):
        (runtime_dir() / f"{name}.{suffix}").unlink(missing_ok=True)


def entries() -> list[Entry]:
    """The tables that run now, by name. What a killed holder left behind is removed."""
    found = []
    for path in sorted(runtime_dir().glob("*.json")):
        entry = _load(path)
        if entry is not None and _alive(entry):
            found.append(entry)
        else:
            withdraw(path.stem)
    return found


def find(name: str) -> Entry:
    """The running table of that name. Raises StandFault when there is none, UsageFault for what cannot be a name."""
    check_name(name)
    running = entries()
    for entry in running:
        if entry.name == name:
            return entry
    others = f"; running: {', '.join(entry.name for entry in running)}" if running else ""
    raise StandFault(f"no simulated table {name} runs: start it with `holecard sim --name {name}`{others}")


def _load(path: Path) -> Entry | None:
    try:
        return Entry(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _alive(entry: Entry) -> bool:
    try:
        connect(entry.control, entry.token).close()
    except OSError:
        return False
    return True
