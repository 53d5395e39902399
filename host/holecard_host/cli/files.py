"""Files that a command is given: checked before any work is done for them."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path

from holecard.boards import settings as device_settings
from holecard_host.errors import UsageFault
from holecard_host.infile import read
from holecard_host.outfile import is_special, unwritable


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
    check_file(path)


def check_file(path: Path) -> None:
    """The same for a file of any name."""
    _check(path, folder=False)


def check_folder(path: Path) -> None:
    """The same for a folder that files are to be written to."""
    _check(path, folder=True)


def check_apart(read: Iterable[Path | str | None], written: Iterable[Path | None]) -> None:
    """Raises UsageFault for a file to be written that this command reads, or also writes for another purpose.

    Also for a transcript that is read as a stand: `read` may hold URLs.
    """
    files = [Path(item.removeprefix("file://")) if isinstance(item, str) else item for item in read if item is not None]
    taken = [(file, "is read by this command") for file in files]
    for path in written:
        if path is None or is_special(path):
            continue
        for other, why in taken:
            if _same(path, other):
                raise UsageFault(f"{path}: {why}; name another file to write")
        taken.append((path, "is written twice by this command"))


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there yet
        return one.resolve() == other.resolve()


def _check(path: Path, folder: bool) -> None:
    try:
        special = not folder and is_special(path)
        places = [path.resolve(), *path.resolve().parents][0 if folder else 1 :]
        near = path if special else next(place for place in places if place.exists())
        number = 0
        if path.is_dir() and not folder:
            number = errno.EISDIR
        elif not special and not near.is_dir():
            number = errno.ENOTDIR
        elif not os.access(near, os.W_OK):
            number = errno.EACCES
    except OSError as error:  # a name that is too long
        raise unwritable(path, error) from None
    if number:
        raise unwritable(path, OSError(number, os.strerror(number)))
