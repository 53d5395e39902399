"""Bytes of the wire become lines, which end with CR, LF or both."""

LINE_LIMIT = 256
# Stands for every byte that has no business in a line, so that the text decodes and the fault is still seen.
BAD = 0x7F
_CANCEL = 0x18


class LineReader:
    """Collects bytes into lines; a half line just waits, a line beyond the limit is swallowed to its end.

    CAN (0x18) takes back what was sent of a line: a program that opens the port does not know what the last one left.
    """

    line: "str | None"

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._buf = bytearray(limit)
        self._limit = limit
        self._used = 0
        self._overrun = False
        self.line = None
        self.overrun = False

    def feed(self, chunk, start: int, end: int) -> int:
        """Takes bytes of `chunk[start:end]` up to the first line's end and returns the index behind the last one taken.

        Afterwards `line` is the text of a complete line or None, and `overrun` tells that one was too long.
        """
        self.line = None
        self.overrun = False
        buf = self._buf
        used = self._used
        while start < end:
            byte = chunk[start]
            start += 1
            if byte == 10 or byte == 13:  # noqa: PLR1714 - for every byte that comes: a tuple takes twice as long
                if used:
                    self._used = 0
                    self._end_line(used)
                    return start
            elif byte == _CANCEL:
                self._overrun = False
                used = 0
            elif used == self._limit:
                self._overrun = True
            else:
                buf[used] = byte if 32 <= byte <= 126 else 32 if byte == 9 else BAD
                used += 1
        self._used = used
        return end

    def _end_line(self, used: int) -> None:
        self.overrun = self._overrun
        self._overrun = False
        if not self.overrun:
            self.line = bytes(memoryview(self._buf)[:used]).decode()
