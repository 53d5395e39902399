"""A simulated table's flash as files in a directory: what it keeps between two starts of the program.

A file of the table is a file there, so that one can look at its records, take a copy, or damage one. The table finds
what lies there when it is switched on; while it is on, what it stores is written through at once.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import IO

from ..errors import StandFault, UsageFault

# Tells that the directory is one of ours, and is locked while a table uses it.
MARK = ".holecard"
# The Pico's disk. Who names a directory with more in it means another one.
_MOST_BYTES = 352 * 4096


class KeptFlash(MutableMapping[str, bytes]):
    """The files by the names that the table gives them: "a/table", and "a/" for the folder.

    Raises UsageFault for what is no directory of a table, StandFault when another program uses it, and when it cannot
    be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            strange = any(folder.iterdir()) and not (folder / MARK).exists()
        except OSError as error:
            raise UsageFault(f"{folder}: cannot be a table's flash: {error.strerror or error}") from None
        if strange:
            raise UsageFault(f"{folder}: has files in it and no table's among them; name a new or an empty directory")
        try:
            self._lock: IO[bytes] = (folder / MARK).open("ab")
        except OSError as error:
            raise StandFault(f"{folder}: cannot be written: {error.strerror or error}") from None
        if not _lock(self._lock):
            self._lock.close()
            raise StandFault(f"{folder}: another simulated table keeps its flash there")
        try:
            self._check_size()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let another program use the directory. Harmless when repeated."""
        self._lock.close()

    def __getitem__(self, name: str) -> bytes:
        path = self._path(name)
        try:
            return b"" if path.is_dir() else path.read_bytes()
        except FileNotFoundError:
            raise KeyError(name) from None
        except OSError as error:
            raise StandFault(f"{path}: cannot be read: {error.strerror or error}") from None

    def __setitem__(self, name: str, data: bytes) -> None:
        path = self._path(name)
        try:
            if name.endswith("/"):
                path.mkdir(exist_ok=True)
                return
            path.parent.mkdir(exist_ok=True)
            # As on littlefs there is the old file or the new one, never half of it.
            new = self._folder / f"{MARK}.new"
            new.write_bytes(data)
            new.replace(path)
        except OSError as error:
            raise StandFault(f"{path}: cannot be written: {error.strerror or error}") from None

    def __delitem__(self, name: str) -> None:
        path = self._path(name)
        try:
            path.rmdir() if name.endswith("/") else path.unlink()
        except FileNotFoundError:
            raise KeyError(name) from None
        except OSError as error:
            raise StandFault(f"{path}: cannot be removed: {error.strerror or error}") from None

    def __iter__(self) -> Iterator[str]:
        for path in sorted(self._folder.rglob("*")):
            name = path.relative_to(self._folder).as_posix()
            if not name.startswith(MARK):
                yield f"{name}/" if path.is_dir() else name

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _path(self, name: str) -> Path:
        parts = name.rstrip("/").split("/")
        if not all(parts) or {".", ".."} & set(parts) or name.startswith(MARK):
            raise StandFault(f"{name!r} cannot be a file of a simulated table")
        return self._folder.joinpath(*parts)

    def _check_size(self) -> None:
        with contextlib.suppress(OSError):
            size = sum(path.stat().st_size for path in self._folder.rglob("*") if path.is_file())
            if size > _MOST_BYTES:
                raise UsageFault(f"{self._folder}: {size} bytes are more than the flash of a table holds")


def _lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, also by the end of this program; False when another one has it."""
    try:
        if os.name == "nt":
            import msvcrt  # noqa: PLC0415 - Windows only

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        else:
            import fcntl  # noqa: PLC0415 - POSIX only

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
