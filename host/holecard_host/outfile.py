"""Files that are written whole or not at all: what was there before stays when the disk is full."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from .errors import OutputFault, UsageFault


def write(path: Path, data: bytes) -> None:
    """Write a file, and the folders that it lies in. Raises as `writing` does."""
    with writing(path) as file:
        file.write(data)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of the one at `path` when the block is left without an exception.

    Raises UsageFault for what cannot be opened, OutputFault for a full disk.
    """
    special = is_special(path)
    target = path if special else path.resolve()
    # Beside it, because a file can take another one's place only on the same disk.
    new = target if special else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        file = new.open("wb")
    except OSError as error:
        raise unwritable(path, error) from None
    try:
        with file:
            yield file
        if not special:
            if target.exists():
                shutil.copymode(target, new)
            new.replace(target)
    except BaseException as error:
        if not special:
            with contextlib.suppress(OSError):
                new.unlink()
        if isinstance(error, OSError):
            raise OutputFault(OSError(error.errno, error.strerror, str(path))) from None
        raise


def unwritable(path: Path, error: OSError) -> UsageFault:
    """The fault of a path that cannot be written to at all."""
    return UsageFault(f"{path}: cannot be written: {error.strerror or error}")


def is_special(path: Path) -> bool:
    """Whether it is there and no file on a disk, as /dev/stdout, whose place nothing may take."""
    return path.exists() and not path.is_file()
