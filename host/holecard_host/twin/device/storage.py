"""Stands for the file system and the module `os`: files that survive a power cut, with counted wear.

A file that is closed and a rename are each one atomic operation, as littlefs guarantees. Wear is counted as measured
with littlefs for a small record: one program an operation, and one erase of 4,096 bytes for every 4,096 bytes appended
with 72 bytes of metadata each. A program takes 1 ms, an erase 45 ms.
"""

import hashlib
import io
from binascii import hexlify, unhexlify

PROGRAM_US = 1000
ERASE_US = 45000
_SECTOR = 4096
_METADATA = 72
_BLOCKS = 352
_ENOENT = 2


class Flash:
    """The files, and what the module `os` offers for them."""

    def __init__(self, link):
        self._link = link
        self._files = {name: unhexlify(data) for name, data in link.machine["flash"].items()}
        self._filled = 0
        self._programs = 0
        self._erases = 0
        self._seed = link.machine["seed"].encode()
        self._drawn = 0

    def open(self, name, mode="r"):
        if mode == "wb":
            return Writer(self, name)
        if mode != "rb":
            raise ValueError("the simulated flash opens files as rb or wb only")
        return io.BytesIO(self._need(name))

    def write(self, name, data):
        self._operate("write %s %s" % (name, hexlify(data).decode()), len(data))
        self._files[name] = data

    def rename(self, old, new):
        data = self._need(old)
        self._operate("rename %s %s" % (old, new), 0)
        del self._files[old]
        self._files[new] = data

    def remove(self, name):
        self._need(name)
        self._operate("remove %s" % name, 0)
        del self._files[name]

    def listdir(self, path=""):
        return sorted(self._files)

    def statvfs(self, path):
        """The Pico's disk, without the program, which is not kept here."""
        used = sum([-(-len(data) // _SECTOR) for data in self._files.values()])
        return (_SECTOR, _SECTOR, _BLOCKS, _BLOCKS - used, _BLOCKS - used, 0, 0, 0, 0, 255)

    def urandom(self, size):
        """Bytes that depend on the simulation's seed and on how often it was switched on, and on nothing else."""
        data = b""
        while len(data) < size:
            data += hashlib.sha256(self._seed + b"/%d" % self._drawn).digest()
            self._drawn += 1
        return data[:size]

    def _need(self, name):
        if name not in self._files:
            raise OSError(_ENOENT)
        return self._files[name]

    def _operate(self, text, size):
        self._filled += size + _METADATA
        erases = self._filled // _SECTOR
        self._filled %= _SECTOR
        self._programs += 1
        self._erases += erases
        self._link.flash(text, PROGRAM_US + erases * ERASE_US, self._programs, self._erases)


class Writer:
    """A file opened for writing: nothing of it is there before it is closed."""

    def __init__(self, flash, name):
        self._flash = flash
        self._name = name
        self._data = bytearray()

    def write(self, data):
        self._data += data
        return len(data)

    def close(self):
        if self._flash is not None:
            flash, self._flash = self._flash, None
            flash.write(self._name, bytes(self._data))

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()
