"""Stands for the file system and the module `os`: files that survive a power cut, with counted wear.

A file that is closed, one that is made when it is opened, a folder that is made and a rename are each one atomic
operation, as littlefs guarantees. A folder is an entry among the files, with a slash behind its name. Wear is counted
as measured with littlefs for a small record: one program an operation, and one erase of 4,096 bytes for every 4,096
bytes appended with 72 bytes of metadata each. A program takes 1 ms, an erase 45 ms.
"""

import hashlib
import io
import os
from binascii import hexlify, unhexlify

import holecard

PROGRAM_US = 1000
ERASE_US = 45000
_SECTOR = 4096
_METADATA = 72
_BLOCKS = 352
_ENOENT = 2
# A piece of a file of the program, as measured on the emulated chip with the time that its digest takes.
PIECE_US = 1000
# Where a Pico has the program; here, unless the flash holds another file of that name, it is the one that is running.
PROGRAM = "lib/holecard/"
_SOURCES = holecard.__file__[: -len("__init__.py")]
_PAGE = 256
# What lies in the sector before the file system, among the simulator's files.
_BEFORE = "before-the-files"


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
            folder = name[: name.find("/") + 1]
            if folder and not [one for one in self._files if one.startswith(folder)]:
                raise OSError(_ENOENT)
            if name not in self._files:
                self.write(name, b"")
            return Writer(self, name)
        if mode != "rb":
            raise ValueError("the simulated flash opens files as rb or wb only")
        name = name.lstrip("/")
        if name.startswith(PROGRAM):
            # A large file in one piece is more than a small heap has room for.
            here = self._files.get(name)
            file = open(_SOURCES + name[len(PROGRAM) :], "rb") if here is None else io.BytesIO(here)  # noqa: SIM115 - Reader closes it
            return Reader(self._link, file)
        return io.BytesIO(self._need(name))

    def write(self, name, data):
        self._operate("write %s %s" % (name, hexlify(data).decode()), len(data))
        self._files[name] = data

    def mkdir(self, name):
        self.write(name + "/", b"")

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
        path = path.strip("/")
        start = path + "/" if path else ""
        names = {name[len(start) :].split("/")[0] for name in self._files if name.startswith(start)}
        if start.startswith(PROGRAM):
            names |= set(os.listdir(_SOURCES + start[len(PROGRAM) :])) - {"__pycache__"}
        return sorted(names - {_BEFORE, ""})

    def statvfs(self, path):
        """The Pico's disk, without the program, which is not kept here."""
        used = sum([-(-len(self._files[name]) // _SECTOR) for name in self._files])
        return (_SECTOR, _SECTOR, _BLOCKS, _BLOCKS - used, _BLOCKS - used, 0, 0, 0, 0, 255)

    def urandom(self, size):
        """Bytes that depend on the simulation's seed and on how often it was switched on, and on nothing else."""
        data = b""
        while len(data) < size:
            data += hashlib.sha256(self._seed + b"/%d" % self._drawn).digest()
            self._drawn += 1
        return data[:size]

    def page_before(self, number):
        """A page of the sector before the file system; what is kept ends with the last one that was written."""
        page = self._files.get(_BEFORE, b"")[number * _PAGE : (number + 1) * _PAGE]
        return page or b"\xff" * _PAGE

    def program_before(self, number, data):
        """Clears bits, as a program of the flash does, and sets none."""
        old = self._files.get(_BEFORE, b"")
        pages = [self.page_before(i) for i in range(max(len(old) // _PAGE, number + 1))]
        pages[number] = bytes([pages[number][i] & data[i] for i in range(_PAGE)])
        whole = b"".join(pages)
        self._operate("write %s %s" % (_BEFORE, hexlify(whole).decode()), 0)
        self._files[_BEFORE] = whole

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


class Reader:
    """A file of the program, opened for reading."""

    def __init__(self, link, file):
        self._link = link
        self._file = file

    def readinto(self, buf):
        self._link.spend(PIECE_US)
        return self._file.readinto(buf)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self._file.close()


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


class Rp2:
    """Stands for the module `rp2`, as far as boards/pico_mark.py uses it: the block before the file system."""

    def __init__(self, flash):
        self.Flash = lambda: Blocks(flash)


class Blocks:
    """Block -1 of rp2.Flash."""

    def __init__(self, flash):
        self._flash = flash

    def readblocks(self, block, buf, offset):
        buf[:] = self._flash.page_before(offset // _PAGE)

    def writeblocks(self, block, buf, offset):
        self._flash.program_before(offset // _PAGE, bytes(buf))
