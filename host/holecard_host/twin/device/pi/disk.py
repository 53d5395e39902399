"""Stands for the module `os`: a directory on a disk that keeps what it was told to keep, and forgets the rest when the
power fails.

What a file system does with what was written and not yet brought onto the disk (fsync) is its own affair. Three kinds:

    late    nothing is on the disk before its fsync: a file's bytes before that of the file, a name before that of the
            directory
    early   everything is at once, and a write in two halves
    names   names are at once, bytes not before the fsync of the file: a new name may come to lie on an empty file

The simulator hears of every change of what is on the disk, and the power can fail before every operation.
"""

import errno
import hashlib
from binascii import hexlify, unhexlify

KINDS = ("late", "early", "names")
# An SD card's fsync takes some milliseconds; everything else is a call into the kernel.
SYNC_US = 5_000
CALL_US = 20
FOLDER = "/var/lib/holecard"
_UNIT = 4096
_UNITS = 1_000_000


class Inode:
    """A file, whatever its names: its bytes, and those of them that are on the disk."""

    def __init__(self, data=b""):
        self.data = bytearray(data)
        self.kept = bytes(data)


class Environ(dict):
    """os.environ."""


class Disk:
    """The module. `link.machine` says what is on the disk at first ("flash"), which `kind` it is ("disk"), and which
    other files there are; `gadget` is a device that exists."""

    O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC = 0, 1, 0o100, 0o1000
    O_DIRECTORY, O_CLOEXEC = 0o200000, 0o2000000

    def __init__(self, link, others=None):
        self._link = link
        self._kind = link.machine.get("disk", KINDS[0])
        self._others = others or {}
        self._names: dict = {}
        for name, data in link.machine["flash"].items():
            folder = name[: name.find("/") + 1]
            if folder:
                self._names.setdefault(folder, Inode())
            if name != folder:
                self._names[name] = Inode(unhexlify(data))
        self._kept_names = dict(self._names)
        self._told = self._on_disk()
        # Handle -> (name of a directory, or inode, or the bytes of another file; place).
        self._open: dict = {}
        self._next = 3
        self._seed = link.machine["seed"].encode()
        self._drawn = 0
        self.environ = Environ(NOTIFY_SOCKET="/run/systemd/notify")
        self.path = self

    # -- files

    def open(self, path, flags, mode=0o777):
        if path in self._others:
            return self._handle([self._others[path], 0])
        name = self._name(path)
        if flags & self.O_DIRECTORY:
            if name and name + "/" not in self._names:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
            return self._handle([name, 0])
        self._need_folder(name)
        inode = self._names.get(name)
        if inode is None:
            if not flags & self.O_CREAT:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
            self._link.operate(CALL_US)
            inode = self._names[name] = Inode()
            self._settle(names=True)
        elif flags & self.O_TRUNC:
            self._link.operate(CALL_US)
            inode.data = bytearray()
            self._settle(inode)
        return self._handle([inode, 0])

    def read(self, handle, size):
        self._link.spend(CALL_US)
        place = self._open[handle]
        data = place[0] if isinstance(place[0], bytes) else bytes(place[0].data)
        piece = data[place[1] : place[1] + size]
        place[1] += len(piece)
        return piece

    def write(self, handle, data):
        place = self._open[handle]
        data = bytes(data)
        for piece in (data[: len(data) // 2], data[len(data) // 2 :]) if self._kind == "early" else (data,):
            self._link.operate(CALL_US)
            place[0].data[place[1] : place[1] + len(piece)] = piece
            place[1] += len(piece)
            self._settle(place[0])
        return len(data)

    def fsync(self, handle):
        what = self._open[handle][0]
        self._link.operate(SYNC_US)
        if isinstance(what, str):
            start = what + "/" if what else ""
            for name in set(self._names) | set(self._kept_names):
                if name.startswith(start) and "/" not in name[len(start) : -1] and name != start:
                    self._keep_name(name)
        else:
            what.kept = bytes(what.data)
        self._tell()

    def close(self, handle):
        del self._open[handle]

    def replace(self, old, new):
        inode = self._need(self._name(old))
        self._link.operate(CALL_US)
        del self._names[self._name(old)]
        self._names[self._name(new)] = inode
        self._settle(names=True)

    def unlink(self, path):
        self._need(self._name(path))
        self._link.operate(CALL_US)
        del self._names[self._name(path)]
        self._settle(names=True)

    def mkdir(self, path, mode=0o777):
        name = self._name(path)
        if not name or name + "/" in self._names:
            raise FileExistsError(errno.EEXIST, "File exists", path)
        self._link.operate(CALL_US)
        self._names[name + "/"] = Inode()
        self._settle(names=True)

    def exists(self, path):
        return path in self._others

    # -- the rest of the system

    def statvfs(self, path):
        return Statistics()

    def urandom(self, size):
        """Bytes that depend on the simulation's seed and on how often it was switched on, and on nothing else."""
        data = b""
        while len(data) < size:
            data += hashlib.sha256(self._seed + b"/%d" % self._drawn).digest()
            self._drawn += 1
        return data[:size]

    def execv(self, path, arguments):
        self._link.stop("reset")

    # -- inside

    def _settle(self, inode=None, names=False):
        """What has changed may be on the disk at once."""
        if names and self._kind != "late":
            self._kept_names = dict(self._names)
        if inode is not None and self._kind == "early":
            inode.kept = bytes(inode.data)
        self._tell()

    def _keep_name(self, name):
        if name in self._names:
            self._kept_names[name] = self._names[name]
        else:
            del self._kept_names[name]

    def _on_disk(self):
        found = {}
        for name, inode in self._kept_names.items():
            folder = name[: name.find("/") + 1]
            if not folder or folder in self._kept_names:
                found[name] = inode.kept
        return found

    def _tell(self):
        now = self._on_disk()
        for name, data in now.items():
            if self._told.get(name) != data:
                self._link.kept("write %s %s" % (name, hexlify(data).decode()))
        for name in self._told:
            if name not in now:
                self._link.kept("remove %s" % name)
        self._told = now

    def _handle(self, place):
        self._link.spend(CALL_US)
        self._next += 1
        self._open[self._next] = place
        return self._next

    def _name(self, path):
        if path != FOLDER and not path.startswith(FOLDER + "/"):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", path)
        return path[len(FOLDER) + 1 :]

    def _need_folder(self, name):
        folder = name[: name.find("/") + 1]
        if folder and folder not in self._names:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", name)

    def _need(self, name):
        if name not in self._names:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", name)
        return self._names[name]


class Statistics:
    """Of a card with 4 GB, a little of which is used."""

    f_frsize = _UNIT
    f_blocks = _UNITS
    f_bavail = _UNITS - 10_000
