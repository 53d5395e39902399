"""Records as files in a directory of Linux: whatever was saved before the power failed is there, whole.

A new file is written beside the old one, brought onto the disk, given its name in one step, and then the directory is
brought onto the disk too. Without the first fsync the name may come to lie on an empty file (ext4 and others write data
later than names), without the second the old file may be back.
"""

import errno
import fcntl
import os

_NEW = ".new"
# Which mode the last start had, and whether anything was ever saved. It lies beside the folders of the records, and so
# tells of records that somebody removed; nothing outlasts the removal of the whole directory.
_MARK = "mark"
_PIECE = 65536


def read(path: str):
    """The bytes of a file, None if there is none; OSError when it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        data = b""
        while True:
            piece = os.read(handle, _PIECE)
            if not piece:
                return data
            data += piece
    finally:
        os.close(handle)


class Files:
    """What a board's load, save and kept promise, in `folder`, which is made if it is not there.

    Raises OSError when that cannot be, or with EWOULDBLOCK when another table keeps its records there.
    """

    def __init__(self, folder: str):
        self.folder = folder
        self._make(folder)
        self._lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                found = self.load(_MARK)
                words = [b"bench"] if found is None else found.split()
            except OSError:
                words = []
        except OSError:
            os.close(self._lock)
            raise
        known = bool(words) and words[0] in (b"bench", b"arcade")
        # The mode of the last start, "bench" if none is known, None if that cannot be read.
        self.mode = words[0].decode() if known else None
        self._kept = not known or b"kept" in words

    def load(self, name: str):
        """The bytes saved under that name, None if there are none; OSError when they cannot be read."""
        return read(self.folder + "/" + name)

    def save(self, name: str, data: bytes) -> None:
        """Replace them; on the disk when this returns. OSError when it does not take them: then the old ones stay."""
        self._replace(name, data)
        # After it: a power cut in between must not tell of a record that never was.
        if not self._kept:
            self._mark(True)

    def kept(self) -> bool:
        """Whether anything was ever saved here."""
        return self._kept

    def turn(self, mode: str) -> None:
        """From now on `mode` is the mode of the last start."""
        self.mode = mode
        self._mark(self._kept)

    def close(self) -> None:
        """Let another table have the records."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _mark(self, kept: bool) -> None:
        self._replace(_MARK, ((self.mode or "bench") + (" kept" if kept else "")).encode())
        # Only now: what the disk did not take is tried again with the next record.
        self._kept = kept

    def _replace(self, name: str, data: bytes) -> None:
        path = self.folder + "/" + name
        folder = path[: path.rfind("/")]
        if folder != self.folder:
            self._make(folder)
        try:
            _write(path + _NEW, data)
            os.replace(path + _NEW, path)
        except OSError:
            try:
                os.unlink(path + _NEW)
            except OSError:
                pass
            raise
        _sync(folder)

    def _make(self, folder: str) -> None:
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            return
        except FileNotFoundError:
            self._make(folder[: folder.rfind("/")])
            os.mkdir(folder, 0o700)
        _sync(folder[: folder.rfind("/")] or "/")


def _write(path: str, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync(folder: str) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    except OSError as error:
        # A directory that the kernel cannot bring onto its disk is one that has none, such as a share of a network.
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(handle)
