"""Records as files of the machine's file system, the same for every board whose file system is littlefs."""

import os

_ENOENT = 2
# littlefs erases a block whenever that of a folder is full, which takes as long as to show a card. Two folders to which
# the same is written would always be full together: the second one, "b/", begins half a block later.
_LATER = 6


class Files:
    """What a board's load, save and kept promise. `found` and `leave`: of a mark that outlasts the file system, as
    pico_mark has them."""

    def __init__(self, found, leave):
        self._marked = found()
        self._leave = leave

    def load(self, name):
        try:
            with open(name, "rb") as file:
                return file.read()
        except OSError as error:
            # Anything else is a flash that cannot be read, which is not the same as an empty one.
            if error.args[0] != _ENOENT:
                raise
            return None

    def save(self, name, data):
        try:
            _write(name, data)
        except OSError as error:
            if error.args[0] != _ENOENT or "/" not in name:
                raise
            os.mkdir(name[: name.find("/")])
            for _ in range(_LATER if name[0] == "b" else 1):
                _write(name, data)
        # After it: a power cut in between must not tell of a record that never was.
        if not self._marked:
            self._marked = True
            self._leave()

    def kept(self):
        return self._marked


def _write(name, data):
    # In place: littlefs takes over the new bytes in one commit, when the file is closed. By way of a temporary file and
    # a rename it would be three times the erases.
    with open(name, "wb") as file:
        file.write(data)
