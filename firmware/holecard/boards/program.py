"""The files of the program, piece by piece, the same for every board that imports it from a file system."""

import os

_PIECE = 512
_PACKAGE = "holecard/"
_SUFFIXES = (".mpy", ".py", ".sha256")


def program(folder):
    """What a board's `program` promises, of the package in that folder and the main.py in the top one."""
    buf = bytearray(_PIECE)
    # Frozen modules have names of files that there are not.
    yield from _folder(folder, _PACKAGE, buf)
    if _listed(folder) and "main.py" in _listed("/"):
        yield from _file("main.py", "main.py", buf)


def _folder(path, shown, buf):
    for name in _listed(path):
        dot = name.rfind(".")
        if dot < 0:
            yield from _folder(path + "/" + name, shown + name + "/", buf)
        elif name[dot:] in _SUFFIXES:
            yield from _file(path + "/" + name, shown + name, buf)


def _listed(path):
    try:
        return sorted(os.listdir(path))
    except OSError:
        # Not there, or no folder.
        return ()


def _file(path, shown, buf):
    yield shown
    view = memoryview(buf)
    with open(path, "rb") as file:
        size = file.readinto(buf)
        while size:
            yield view[:size]
            size = file.readinto(buf)
