"""littlefs on the model of the flash, with the parameters of MicroPython's port to the RP2040 (1.26): MicroPython's own
`VfsLfs2` where this runs under MicroPython, `littlefs-python` under CPython. The board's own code works on it.

Both give littlefs 2.11, read size 32, program size 256, cache 1,024 (four times the larger), look-ahead 32 bytes,
block cycles 100. `VfsLfs2` adds the time of the last change to every file, which costs 12 bytes a save.
"""

import os
import sys

from .flash import BLOCK, BLOCKS, PAGE, PowerCut

_EIO = 5
_EINVAL = 22
_MOUNT = "/flash"
MICROPYTHON = sys.implementation.name == "micropython"
_current = [None]


def mounted():
    """The flash that is mounted; there is one at a time."""
    return _current[0]


class Blocks:
    """The block device, with the methods of rp2.Flash. A cut is an error of the device: littlefs must not be left by an
    exception in the middle of a call."""

    def __init__(self, flash=None):
        self.flash = flash or _current[0]

    def readblocks(self, block, buf, offset=0):
        try:
            buf[:] = self.flash.read(block, offset, len(buf))
        except PowerCut:
            return -_EIO
        return 0

    def writeblocks(self, block, buf, offset=None):
        try:
            if offset is None:
                self.flash.erase(block)
                offset = 0
            self.flash.program(block, offset, buf)
        except PowerCut:
            return -_EIO
        return 0

    def ioctl(self, operation, argument):
        if operation == 4:
            return BLOCKS
        if operation == 5:
            return BLOCK
        if operation == 6:
            try:
                self.flash.erase(argument)
            except PowerCut:
                return -_EIO
        return 0


class Rp2:
    """Stands for the module rp2."""

    Flash = Blocks


if MICROPYTHON:
    import vfs

    sys.modules["rp2"] = Rp2
    from holecard.boards import files, pico_mark

    def mount(flash):
        """As _boot.py does: what cannot be mounted is formatted."""
        if _current[0]:
            vfs.umount(_MOUNT)
        _current[0] = flash
        device = Blocks(flash)
        try:
            disk = vfs.VfsLfs2(device, progsize=PAGE)
        except OSError:
            vfs.VfsLfs2.mkfs(device, progsize=PAGE)
            disk = vfs.VfsLfs2(device, progsize=PAGE)
        vfs.mount(disk, _MOUNT)
        os.chdir(_MOUNT)

    def write(name, data):
        with open(name, "wb") as file:
            file.write(data)

    def rename(old, new):
        os.rename(old, new)

    def mkdir(name):
        os.mkdir(name)

else:
    import importlib.util

    from littlefs import LittleFS, lfs
    from littlefs.errors import LittleFSError

    import holecard.boards

    def _copy_of(name):
        """A module of the board with the simulated modules for its own, apart from the one that others import."""
        path = os.path.join(os.path.dirname(holecard.boards.__file__), name + ".py")
        spec = importlib.util.spec_from_file_location("cuts_" + name, path)
        module = importlib.util.module_from_spec(spec)
        before = sys.modules.get("rp2")
        sys.modules["rp2"] = Rp2
        try:
            spec.loader.exec_module(module)
        finally:
            del sys.modules["rp2"]
            if before is not None:
                sys.modules["rp2"] = before
        return module

    class _Context:
        """The block device in the form that littlefs-python asks for."""

        def __init__(self, flash):
            self._blocks = Blocks(flash)

        def read(self, cfg, block, off, size):
            try:
                return self._blocks.flash.read(block, off, size)
            except PowerCut:
                # The binding takes bytes only; nothing that is read now will be used.
                return bytes(size)

        def prog(self, cfg, block, off, data):
            return self._blocks.writeblocks(block, data, off)

        def erase(self, cfg, block):
            return self._blocks.ioctl(6, block)

        def sync(self, cfg):
            return 0

    def _checked(function, *arguments):
        try:
            return function(*arguments)
        except LittleFSError as error:
            raise OSError(-error.code) from None

    class _File:
        """A file of littlefs, unbuffered as MicroPython's."""

        def __init__(self, fs, name, mode):
            self._fs = fs
            self._file = _checked(lfs.file_open, fs, name, mode)

        def write(self, data):
            return _checked(lfs.file_write, self._fs, self._file, bytes(data))

        def read(self):
            return bytes(_checked(lfs.file_read, self._fs, self._file, lfs.file_size(self._fs, self._file)))

        def close(self):
            if self._file is not None:
                file, self._file = self._file, None
                _checked(lfs.file_close, self._fs, file)

        def __enter__(self):
            return self

        def __exit__(self, kind, error, trace):
            self.close()

    class _Os:
        """Stands for the module os, and for open."""

        def __init__(self):
            self.fs = None

        def open(self, name, mode="r"):
            if mode not in ("rb", "wb"):
                raise OSError(_EINVAL)
            return _File(self.fs, name, mode)

        def rename(self, old, new):
            _checked(lfs.rename, self.fs, old, new)

        def remove(self, name):
            _checked(lfs.remove, self.fs, name)

        def mkdir(self, name):
            _checked(lfs.mkdir, self.fs, name)

        def stat(self, name):
            found = _checked(lfs.stat, self.fs, name)
            return (0x4000 if found.type == 2 else 0x8000, 0, 0, 0, 0, 0, found.size, 0, 0, 0)

        def listdir(self, path=""):
            folder = _checked(lfs.dir_open, self.fs, path)
            names = []
            while True:
                info = _checked(lfs.dir_read, self.fs, folder)
                if info is None:
                    break
                if info.name not in (".", ".."):
                    names.append(info.name)
            _checked(lfs.dir_close, self.fs, folder)
            return names

    files = _copy_of("files")
    pico_mark = _copy_of("pico_mark")
    _os = _Os()
    files.os = _os
    files.open = _os.open

    def mount(flash):
        """As _boot.py does: what cannot be mounted is formatted."""
        _current[0] = flash
        disk = LittleFS(
            _Context(flash),
            mount=True,
            block_size=BLOCK,
            block_count=BLOCKS,
            read_size=32,
            prog_size=PAGE,
            cache_size=4 * PAGE,
            lookahead_size=32,
            block_cycles=100,
        )
        # The whole object: it keeps what the C code points to alive.
        _os.disk = disk
        _os.fs = disk.fs

    def write(name, data):
        with _os.open(name, "wb") as file:
            file.write(data)

    rename = _os.rename
    mkdir = _os.mkdir
