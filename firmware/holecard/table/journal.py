"""Records that survive: each is kept twice, in two folders, and says itself whether it is whole.

    HJ1 <body> <number> 90AB12CD

The body is one line of ASCII; the number grows with every writing of a name; then the CRC-32 of everything before it.
Above AGE the number counts how often a lock has been cleared: what lies in a backup from before that is older, whatever
it says. Copies are overwritten in place, one after the other, first the one that may be damaged: at any moment one of
them is whole. A flipped bit in littlefs' own bytes takes a whole folder back to an older state, therefore two folders.
"""

from binascii import crc32

FOLDERS = ("a/", "b/")
AGE = 1_000_000_000
_VERSION = "HJ1 "
_DIGITS = 18
_EIO = 5
# Version, number, check sum and the spaces between.
_LEAST = 14


class JournalError(ValueError):
    """No copy of a record can be trusted; the reason is short enough for the panel."""


def seal(number: int, body: str) -> bytes:
    """The bytes of one copy."""
    data = ("%s%s %d " % (_VERSION, body, number)).encode()
    return data + b"%08X" % crc32(data)


def unseal(data: bytes) -> tuple:
    """(number, body) of the bytes of one copy; JournalError for any others."""
    if len(data) < _LEAST or b"%08X" % crc32(data[:-8]) != data[-8:]:
        raise JournalError("record damaged")
    try:
        text = data[:-9].decode()
        body, number = text[len(_VERSION) :].rsplit(" ", 1)
        if text[: len(_VERSION)] == _VERSION and data[-9] == 32 and 0 < len(number) <= _DIGITS and number.isdigit():
            return int(number), body
    except ValueError:
        pass
    raise JournalError("record of another version")


class Journal:
    """The records of one board, by name. While it is `frozen`, reading mends nothing."""

    def __init__(self, board) -> None:
        self._board = board
        # The order in which the copies are overwritten, of the names that have another than that of the folders.
        self._order: dict = {}
        self.frozen = False

    def write(self, name: str, data: bytes) -> bool:
        """Keeps what `seal` has made under that name, True if twice. False if only the first copy took it: a restart
        finds it. OSError if that did not take it either: a restart finds what was there before."""
        folders = self._order.get(name, FOLDERS)
        for folder in folders:
            if not self._save(folder + name, data):
                if folder == folders[0]:
                    raise OSError(_EIO)
                self._order[name] = folder, folders[0]
                return False
        return True

    def read(self, name: str):
        """(number, body) of the newest copy, None if there is no record of that name.

        A copy that is older or not whole is written anew. JournalError when no copy is whole, or one is of another
        version: then both are left as they are, for somebody to look at. OSError when nothing can be read at all.
        """
        copies = [self._load(folder + name) for folder in FOLDERS]
        if copies[1] is None and (copies[0] is None or copies[0] == b""):
            # An empty first copy alone is one that the power was cut from when it was made.
            return None
        best = None
        wanted = b""
        for data in copies:
            if isinstance(data, bytes):
                found = _whole(data)
                if found and (best is None or found[0] > best[0]):
                    best = found
                    wanted = data
        if best is None:
            for data in copies:
                if isinstance(data, OSError):
                    raise data
            raise JournalError("record damaged")
        if not self.frozen and (copies[0] != wanted or copies[1] != wanted):
            self.mend(name, wanted)
        return best

    def newest(self, name: str) -> int:
        """The number of the newest copy that is whole, 0 if there is none, whatever else lies there."""
        number = 0
        for folder in FOLDERS:
            try:
                number = max(number, unseal(self._load(folder + name))[0])
            except (JournalError, TypeError):
                pass
        return number

    def mend(self, name: str, wanted: bytes) -> bool:
        """Writes every copy that is not `wanted` anew and reads it back; True if there was one. JournalError if the
        flash does not keep it."""
        mended = False
        for folder in FOLDERS:
            if self._load(folder + name) != wanted:
                mended = True
                if not self._save(folder + name, wanted) or self._load(folder + name) != wanted:
                    raise JournalError("the flash keeps no record")
        return mended

    def _save(self, path: str, data: bytes) -> bool:
        """Writes one copy, once more if that fails, before anything of it can be seen; whether it is there."""
        for _ in range(2):
            try:
                self._board.save(path, data)
                return True
            except OSError:
                pass
        return self._load(path) == data

    def _load(self, path: str):
        """The bytes, None if there are none, the OSError if they cannot be read."""
        try:
            return self._board.load(path)
        except OSError as error:
            return error


def _whole(data: bytes):
    """(number, body), or None for a damaged copy. JournalError for a whole one of another version."""
    try:
        return unseal(data)
    except JournalError as error:
        if str(error) == "record damaged":
            return None
        raise
