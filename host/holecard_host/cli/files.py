"""Files that a command is given: read, checked, and written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from pathlib import Path

from holecard.boards import settings as device_settings
from holecard_host.cli.output import OutputFault
from holecard_host.errors import UsageFault


def read(path: Path) -> bytes:
    """The bytes of a file. Raises UsageFault."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None


def read_settings(path: Path) -> bytes:
    """A table's settings file. Raises UsageFault, naming the field, for what the table would refuse."""
    data = read(path)
    problem = device_settings.parse(data).problem
    if problem:
        raise UsageFault(f"{path}: {problem}")
    return data


def check_output(path: Path, suffix: str, what: str) -> None:
    """Raises UsageFault for a path to which `what` cannot be written, before any work is done for it; makes nothing."""
    if path.suffix.lower() != suffix:
        raise UsageFault(f"{path}: {what}, so its name must end in {suffix}")
    try:
        special = _is_special(path)
        near = path if special else next(folder for folder in path.resolve().parents if folder.exists())
        number = 0
        if path.is_dir():
            number = errno.EISDIR
        elif not special and not near.is_dir():
            number = errno.ENOTDIR
        elif not os.access(near, os.W_OK):
            number = errno.EACCES
    except OSError as error:  # a name that is too long
        raise _unwritable(path, error) from None
    if number:
        raise _unwritable(path, OSError(number, os.strerror(number)))


def write(path: Path, data: bytes) -> None:
    """Write a file whole, and the folders that it lies in; when that fails, what was there stays.

    Raises UsageFault for what cannot be opened, OutputFault for a full disk.
    """
    special = _is_special(path)
    target = path if special else path.resolve()
    # Beside it, because a file can take another one's place only on the same disk.
    new = target if special else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        new.parent.mkdir(parents=True, exist_ok=True)
        file = new.open("wb")
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        with file:
            file.write(data)
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


def _unwritable(path: Path, error: OSError) -> UsageFault:
    return UsageFault(f"{path}: cannot be written: {error.strerror or error}")


def _is_special(path: Path) -> bool:
    """Whether it is there and no file on a disk, as /dev/stdout, whose place nothing may take."""
    return path.exists() and not path.is_file()
