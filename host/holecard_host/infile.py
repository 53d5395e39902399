"""Files that a user names to be read."""

from __future__ import annotations

import stat
from pathlib import Path

from .errors import UsageFault


def read(path: Path) -> bytes:
    """The bytes of a file or a pipe. Raises UsageFault; also for a device, which may never end."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise UsageFault(f"{path}: is a device, not a file")
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise UsageFault(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
