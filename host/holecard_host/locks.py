"""One lock per table on this host, so that several people and test runs do not meet at one table.

A lock is a file in a folder that all users share, held with the system's own lock on it (flock): the system lets go of
that when the process ends, however it ends. The file says who holds it, since when, what for, and until when: whoever
holds a table renews that with every request. A lock that was not renewed in time is stale, as that of a stopped
process; the same user's next program takes it over, and the old holder is told so when it wakes up.

A table is known by the port behind it, so sim://NAME, its pseudo-terminal and every symbolic link to a port are one.
What stands in the file was written by somebody else: it is shown, and never trusted.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import socket
import stat
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from .errors import StandFault
from .text import printable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

TTL_SECONDS = 300.0
"""How long a table stays locked without a request."""
# A look at a lock takes it for an instant; whoever wants it asks again for so long.
_PATIENCE_SECONDS = 0.3
# What a program that watches a table gets to leave it to one that tests it.
_YIELD_SECONDS = 5.0
_AGAIN_SECONDS = 0.02
_LONGEST = 4096
_SHOWN = 80
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9.]+")


@dataclass(frozen=True)
class Holder:
    """Who holds a table: times are seconds since the epoch; `tap` and `token` are where it lets others look."""

    user: str
    pid: int
    host: str
    command: str
    purpose: str
    since: float
    until: float
    tap: str = ""
    token: str = ""
    yields: bool = False

    @property
    def stale(self) -> bool:
        """Whether it was not renewed in time."""
        return time.time() > self.until

    def __str__(self) -> str:
        """As messages name it."""
        what = f" ({self.command})" if self.command else ""
        purpose = f" for {self.purpose}" if self.purpose else ""
        clock = time.strftime("%H:%M:%S", time.localtime(self.since))
        stale = f", silent for {time.time() - self.until + TTL_SECONDS:.0f} s" if self.stale else ""
        return printable(f"process {self.pid}{what} of {self.user}{purpose}, since {clock}{stale}")

    def public(self) -> dict[str, Any]:
        """What a list of devices tells of it."""
        record = asdict(self)
        del record["tap"], record["token"]
        return {**record, "stale": self.stale}


class Lock:
    """A lock that is held. Raises StandFault from `renew` once somebody else has taken it over."""

    def __init__(self, path: Path, descriptor: int, name: str, holder: Holder, seconds: float) -> None:
        self.path = path
        self.holder = holder
        self._descriptor = descriptor
        self._name = name
        self._seconds = seconds
        self.tell()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def renew(self) -> None:
        """Keep it: at most four times in its time to live anything is written."""
        # By the clock that others judge it by: it goes on while a computer sleeps.
        if self._descriptor >= 0 and time.time() > self.holder.until - self._seconds * 3 / 4:
            self.tell()

    def tell(self, **changes: Any) -> None:
        """Write who holds it, with changes to what was told before (purpose, tap, token, yields)."""
        if not _same(self.path, self._descriptor):
            found = look_at(self.path)
            raise StandFault(f"{self._name} was silent for too long and now belongs to {found or 'another program'}")
        self.holder = replace(self.holder, until=time.time() + self._seconds, **changes)
        data = json.dumps(asdict(self.holder)).encode()[:_LONGEST]
        try:
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, data.ljust(_LONGEST))
        except OSError as error:
            raise _unusable(self.path, error) from None

    def release(self) -> None:
        """Let go. Harmless when repeated."""
        if self._descriptor < 0:
            return
        if _same(self.path, self._descriptor):
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)
            # In a shared folder only who made the file may remove it; an empty one says nothing and does no harm.
            with contextlib.suppress(OSError):
                self.path.unlink()
        with contextlib.suppress(OSError):
            os.close(self._descriptor)
        self._descriptor = -1


def hold(
    url: str, name: str = "", *, purpose: str = "", seconds: float = TTL_SECONDS, yields: bool = False
) -> Lock | None:
    """Lock the table on `url` (a port's path, or socket://HOST:PORT), which messages call `name`.

    `yields`: it is left to whoever else wants it. None for what cannot be shared, as a port that does not exist.
    Raises StandFault, which names the holder, when it is in use, or when no lock can be kept.
    """
    path = path_for(url)
    if path is None:
        return None
    now = time.time()
    own = Holder(_user(), os.getpid(), socket.gethostname(), _command(), purpose, now, now + seconds, yields=yields)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    asked: set[int] = set()
    while True:
        descriptor = _try(path, url)
        if descriptor >= 0:
            return Lock(path, descriptor, name or url, own, seconds)
        found = look_at(path)
        # Several may watch: whoever of them is quicker than this program is asked, too.
        if found is not None and found.yields and not yields and found.pid not in asked and _ask_to_yield(found):
            asked.add(found.pid)
            deadline = time.monotonic() + _YIELD_SECONDS
        if time.monotonic() > deadline:
            raise StandFault(f"{name or url} is in use by {found or 'another program'}")
        time.sleep(_AGAIN_SECONDS)


def look(url: str) -> Holder | None:
    """Who holds the table on `url` now; None when nobody does."""
    try:
        path = path_for(url)
    except StandFault:
        return None
    return None if path is None else look_at(path)


def look_at(path: Path) -> Holder | None:
    """The same for a lock's file."""
    try:
        descriptor = _open(path, create=False)
    except (OSError, StandFault):
        return None
    try:
        if _lock(descriptor, shared=True):
            return None
        return _read(descriptor)
    finally:
        os.close(descriptor)


def folder() -> Path:
    """Where the locks are: $HOLECARD_LOCKS, else the system's own folder for locks, else /tmp.

    It belongs to one user, or is one in which nobody can remove what belongs to somebody else. Raises StandFault.
    """
    chosen = os.environ.get("HOLECARD_LOCKS")
    if os.name == "nt":
        return Path(chosen or os.environ.get("TEMP", "."))
    for path in (Path(chosen),) if chosen else (Path("/run/lock"), Path("/tmp")):
        try:
            status = path.lstat()
        except OSError:
            continue
        shared = status.st_mode & stat.S_ISVTX and status.st_mode & stat.S_IWOTH and status.st_uid in (0, os.getuid())
        private = status.st_uid == os.getuid() and not status.st_mode & 0o022
        if stat.S_ISDIR(status.st_mode) and (shared or (chosen and private)):
            return path
    raise StandFault(
        f"{chosen or '/run/lock'} is no folder for locks: HOLECARD_LOCKS names one that is only yours, or is like /tmp"
    )


def path_for(url: str) -> Path | None:
    """The lock's file of a table; None for a port that does not exist and for pyserial's other URLs."""
    if url.startswith("socket://"):
        key = url.lower()
    elif "://" in url:
        return None
    elif os.name == "nt":
        key = url.upper()
    else:
        key = os.path.realpath(url)
        if not os.path.exists(key):
            return None
    digest = hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()[:12]
    return folder() / f"holecard-{_NOT_PLAIN.sub('-', key).strip('-')[:40]}-{digest}.lock"


def _try(path: Path, url: str) -> int:
    """The locked file's descriptor, or -1 while somebody else has it."""
    try:
        descriptor = _open(path, create=True)
    except FileNotFoundError:
        return -1  # its holder has just removed it
    except OSError as error:
        raise _unusable(path, error) from None
    if _lock(descriptor) and _same(path, descriptor):
        killed = _read(descriptor)
        if killed is not None:
            _clear_away(killed)
        return descriptor
    holder = _read(descriptor)
    os.close(descriptor)
    return _take_over(path) if holder is not None and holder.stale and not _has_port(holder, url) else -1


def _has_port(holder: Holder, url: str) -> bool:
    """Whether a holder still has the port open: then nobody could use what was taken from it."""
    from . import ports  # noqa: PLC0415 - pyserial is not needed for anything else here

    return holder.host == socket.gethostname() and ports.has_open(holder.pid, url)


def _take_over(path: Path) -> int:
    """Put a new file in the place of one whose holder does not stir; -1 where it belongs to another user.

    Only one program at a time, so that nobody takes over what somebody else has just taken over.
    """
    if fcntl is None:
        return -1  # Windows replaces no file that is open
    try:
        guard = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return -1
    try:
        found = look_at(path) if _lock(guard) else None
        return _replace(path) if found is not None and found.stale else -1
    finally:
        os.close(guard)


def _replace(path: Path) -> int:
    new = path.with_name(f"{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        descriptor = _open(new, create=True)
    except OSError:
        return -1
    if _lock(descriptor):
        try:
            os.replace(new, path)
            if _same(path, descriptor):
                return descriptor
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink()
    os.close(descriptor)
    return -1


def _open(path: Path, *, create: bool) -> int:
    """Open a lock's file and nothing else: no link, no pipe, no file that has another name, too. Raises OSError."""
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        if not create:
            raise
        try:
            # Exclusively: in a shared folder some systems refuse to create a file that another user has made.
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            descriptor = os.open(path, flags)
        else:
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, 0o666)  # whatever the umask: the next holder may be another user
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no lock")
    return descriptor


def _lock(descriptor: int, *, shared: bool = False) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        else:
            import msvcrt  # noqa: PLC0415 - Windows only

            os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # behind what is read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def _same(path: Path, descriptor: int) -> bool:
    """Whether the file that is open is still the one of that name."""
    try:
        there, here = path.lstat(), os.fstat(descriptor)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def _read(descriptor: int) -> Holder | None:
    try:
        os.lseek(descriptor, 0, os.SEEK_SET)
        record = json.loads(os.read(descriptor, _LONGEST))
        texts = [str(record[name])[:_SHOWN] for name in ("user", "host", "command", "purpose")]
        user, host, command, purpose = texts
        tap, token = str(record.get("tap", "")), str(record.get("token", ""))
        since, until = float(record["since"]), float(record["until"])
        time.localtime(since)
        return Holder(
            user, int(record["pid"]), host, command, purpose, since, until, tap, token, record.get("yields") is True
        )
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _clear_away(holder: Holder) -> None:
    """What a holder that was killed has left behind."""
    from .wiretap import clear_away  # noqa: PLC0415 - seldom needed

    clear_away(holder)


def _ask_to_yield(holder: Holder) -> bool:
    from .wiretap import ask_to_yield  # noqa: PLC0415 - seldom needed

    return ask_to_yield(holder)


def _unusable(path: Path, error: Exception) -> StandFault:
    why = "it is a link" if getattr(error, "errno", 0) == errno.ELOOP else getattr(error, "strerror", "") or error
    return StandFault(f"no lock can be kept in {path}: {why}; HOLECARD_LOCKS names another folder")


def _user() -> str:
    try:
        import pwd  # noqa: PLC0415 - POSIX only

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return os.environ.get("USERNAME") or (str(os.getuid()) if hasattr(os, "getuid") else "somebody")


def _command() -> str:
    """The program and its first word, as in "holecard play"; what follows may be nobody's business."""
    program = Path(sys.argv[0])
    name = program.parent.name if program.name == "__main__.py" else program.stem
    if name.startswith("-"):
        name = "python"
    words = [name.replace("holecard_host", "holecard"), *(word for word in sys.argv[1:2] if word.isalpha())]
    return " ".join(words)[:_SHOWN]
