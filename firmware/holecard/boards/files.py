"""Records as files of the machine's file system, the same for every board that has one."""

import os

_ENOENT = 2


class Files:
    """What a board's load, save and kept promise. `mark`: a module like pico_mark, which outlasts the file system."""

    def __init__(self, mark):
        self._mark = mark
        self._marked = mark.found()

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
            self._mark.leave()

    def kept(self):
        return self._marked
