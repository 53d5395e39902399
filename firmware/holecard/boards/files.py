"""Records as files of the machine's file system, the same for every board that has one."""

import os

_ENOENT = 2


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
        # littlefs renames atomically, and only what was closed before is certain to be there.
        with open(name + ".new", "wb") as file:
            file.write(data)
        os.rename(name + ".new", name)
        # After it: a power cut in between must not tell of a record that never was.
        if not self._marked:
            self._marked = True
            self._leave()

    def kept(self):
        return self._marked
