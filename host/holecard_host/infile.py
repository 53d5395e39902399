"""Files that a user names to be read."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from .errors import UsageFault

# Seconds in which somebody has to open a pipe for writing; how long the writing takes is the writer's business.
_WRITER_SECONDS = 5.0
_LOOK_SECONDS = 0.02


def read(path: Path) -> bytes:
    """The bytes of a file or a pipe. Raises UsageFault; also for a device, which may never end, and for a pipe that
    nobody writes to, which never begins."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise UsageFault(f"{path}: is a device, not a file")
        return _read_pipe(path) if stat.S_ISFIFO(mode) and hasattr(os, "O_NONBLOCK") else path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise UsageFault(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _read_pipe(path: Path) -> bytes:
    # Opened like this it does not wait for a writer: until there is one, it reads as if it had ended.
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as pipe:
        until = time.monotonic() + _WRITER_SECONDS
        while (first := pipe.read(1)) == b"":
            if time.monotonic() > until:
                raise UsageFault(f"{path}: is a pipe, and nobody writes to it")
            time.sleep(_LOOK_SECONDS)
        os.set_blocking(pipe.fileno(), True)
        return (first or b"") + pipe.read()
