"""A 128x64 OLED panel on I2C: sends what changed, a piece at a time, and survives its absence.

Two controllers: the SSD1306, and the SH1106 of many larger panels, which has 132 columns of memory, of which the glass
shows 128 from some offset on, and knows neither windows nor addressing modes.

The canvas keeps eight pages of 129 bytes, each with the control byte 0x40 ("data follows") in front of its 128 columns.
The driver keeps a second buffer of that layout, the shadow: what the panel's memory holds. Numbers of commands are from
the SSD1306 datasheet, rev 1.1, chapter 9, and the SH1106 datasheet, rev 2.3, "Commands".
"""

try:
    from holecard.drivers.spans import copy, first_difference, last_difference
except (ImportError, AttributeError):  # no micropython, or a stand-in for it without its emitter
    from holecard.drivers.softspans import copy, first_difference, last_difference

WIDTH = 128
PAGES = 8
KINDS = ("ssd1306", "sh1106")
OFFSETS = (0, 2, 4)
_ROW = WIDTH + 1
_LAST = (PAGES - 1) * _ROW
_END = PAGES * _ROW
_ADDRESSES = (0x3C, 0x3D)
_PLAIN = ("ssd1306", 0, 0x3C)

# Two spans cost one more window and two more transfers: worth it only across a gap longer than this.
_GAP = 10
# Lengths of spans are rounded up, so that a few ready-made views of the shadow serve for all of them.
_STEP = 4
# The first retry comes soon: some panels refuse their first command after power-on (micropython#9172).
_RETRY_MIN_US = 100_000
_RETRY_MAX_US = 800_000
_MASK = (1 << 30) - 1
_HALF = 1 << 29

# Not "off": a panel that comes from power-on is off, and one that is only set up again need not blink.
_START = {
    "ssd1306": b"\x00"  # commands follow
    b"\xd5\x80"  # clock: the default
    b"\xa8\x3f"  # 64 rows
    b"\xd3\x00"  # no vertical offset
    b"\x40"  # start line 0
    b"\x8d\x14"  # charge pump on
    b"\x20\x00"  # horizontal addressing
    b"\xa1\xc8"  # mounted with the connector on top
    b"\xda\x12"  # alternative row pins
    b"\xd9\xf1"  # pre-charge for the charge pump
    b"\xdb\x40"  # deselect level
    b"\xa4\xa6"  # show the memory, not inverted
    b"\x2e",  # no scrolling
    # The values that a reset gives, apart from the mounting: the SH1106 drives its panels well with them.
    "sh1106": b"\x00\xd5\x50\xa8\x3f\xd3\x00\x40\x32\xa1\xc8\xda\x12\xd9\x22\xdb\x35\xa4\xa6",
}
# The SH1106 takes the order to switch its converter on only while the panel is off. An SSD1306 needs no such order.
_WAKE = {"ssd1306": b"", "sh1106": b"\x00\xae\xad\x8b"}


def check(kind: str, offset: int, address: int):
    """Raise ValueError, with what to write instead, for a panel that there cannot be."""
    if kind not in KINDS:
        raise ValueError("panel: ssd1306 or sh1106")
    if offset not in OFFSETS:
        raise ValueError("panel offset: 0, 2 or 4")
    if offset and kind == "ssd1306":
        raise ValueError("panel offset: only an sh1106 has one")
    if address in (0x78, 0x7A):
        raise ValueError("panel address 0x%02X is the 8-bit form: use 0x%02X" % (address, address >> 1))
    if address not in _ADDRESSES:
        raise ValueError("panel address must be 0x3C or 0x3D")


class Panel:
    """Sends `canvas` to the panel through `board.i2c_write`.

    `kind` is one of KINDS, `offset` the column of an SH1106's memory that the glass shows first (OFFSETS; most have 2).
    `address` is the 7-bit address to try first, 0x3C or 0x3D; the other one is tried when it does not answer. The 0x78
    and 0x7A printed on many panels are the same addresses shifted left. What is not given comes from `board.screen`, a
    tuple of kind, offset and address, if it has one, and perhaps the commands to start with. Raises ValueError as
    `check` does.
    """

    def __init__(self, board, canvas, address: int = 0, kind: str = "", offset: int = -1):
        wanted: tuple = getattr(board, "screen", _PLAIN)
        self.kind = kind or wanted[0]
        self.offset = offset if offset >= 0 else wanted[1] if not kind else 0
        self.address = address or wanted[2]
        check(self.kind, self.offset, self.address)
        self._start = wanted[3] if len(wanted) > 3 and not kind else _START[self.kind]
        self.present = False
        self.failures = 0
        self._board = board
        self._drawn = canvas.buf
        self._shadow = bytearray((b"\x40" + bytes(WIDTH)) * PAGES)
        self._span = bytearray(b"\x40" + bytes(WIDTH))
        view = memoryview(self._span)
        self._spans = tuple(view[: 1 + length] for length in range(0, WIDTH + 1, _STEP))
        self._windows = self.kind == "ssd1306"
        self._place = bytearray(b"\x00\x21\x00\x00\x22\x00\x00" if self._windows else b"\x00\xb0\x00\x10")
        self._level = bytearray(b"\x00\x81\xcf")
        self._switch = bytearray(b"\x00\xaf")
        self._cold = True  # the panel may come from power-on
        self._unknown = 0  # pages whose memory may hold anything, one bit each
        self._retry_at = board.now()
        self._retry_us = _RETRY_MIN_US

    def flush_some(self) -> bool:
        """Send at most one changed span of one page; False when there was none. Never raises for a panel that fails.

        A missing panel is tried again, at first after 100 ms, then at growing intervals up to 0.8 s; when it answers it
        is set up and everything is drawn again.
        """
        if not self.present and not self._due_again():
            return False
        try:
            if not self.present:
                self._set_up()
                return True
            return self._send_span()
        except OSError:
            self._lost()
            return False

    @property
    def pending(self) -> bool:
        """Whether a panel is there and does not yet show the canvas."""
        return self.present and self._next() >= 0

    def contrast(self, level: int):
        """Set the brightness, 0..255; a panel that comes back later gets it too."""
        self._level[2] = level
        self._command(self._level)

    def on(self, lit: bool = True):
        """Switch the glass on or off; the memory stays and can be written meanwhile."""
        self._switch[1] = 0xAF if lit else 0xAE
        self._command(self._switch)

    def refresh(self):
        """Set the panel up and draw everything again, piece by piece and without a flicker.

        A panel that lost its power for a moment between two transfers acknowledges everything and stays dark: call this
        now and then while nobody waits for the picture.
        """
        self.present = False
        self._retry_at = self._board.now()

    def _due_again(self) -> bool:
        return (self._board.now() - self._retry_at) & _MASK < _HALF

    def _lost(self):
        self._cold = True
        if self.present:
            self.present = False
            self._retry_us = _RETRY_MIN_US
        else:
            self._retry_us = min(self._retry_us * 2, _RETRY_MAX_US)
        self.failures += 1
        self._retry_at = (self._board.now() + self._retry_us) & _MASK

    def _set_up(self):
        start = self._start
        first = (self._cold and _WAKE[self.kind]) or start
        try:
            self._board.i2c_write(self.address, first)
        except OSError:
            other = _ADDRESSES[1] if self.address == _ADDRESSES[0] else _ADDRESSES[0]
            self._board.i2c_write(other, first)
            self.address = other
        if first is not start:
            self._board.i2c_write(self.address, start)
        self._cold = False
        self._board.i2c_write(self.address, self._level)
        self._unknown = (1 << PAGES) - 1
        self.present = True
        self._retry_us = _RETRY_MIN_US

    def _command(self, data):
        if self.present:
            try:
                self._board.i2c_write(self.address, data)
            except OSError:
                self._lost()

    def _next(self) -> int:
        """Index into the canvas of the first byte that the panel lacks, -1 if it lacks none."""
        if self._unknown:
            page = PAGES - 1
            while not self._unknown >> page & 1:
                page = page + 1 & PAGES - 1
            return page * _ROW + 1
        # The labels are in the last page: they acknowledge a press, so they go first.
        first = first_difference(self._drawn, self._shadow, _LAST, _END)
        return first if first >= 0 else first_difference(self._drawn, self._shadow, 0, _LAST)

    def _send_span(self) -> bool:
        first = self._next()
        if first < 0:
            return False
        page = first // _ROW
        end = (page + 1) * _ROW
        bit = 1 << page
        if self._unknown & bit:
            length = WIDTH
        else:
            last = last_difference(self._drawn, self._shadow, first, end, _GAP)
            length = (last - first + _STEP) // _STEP * _STEP
            first = min(first, end - length)
        copy(self._span, 1, self._drawn, first, length)
        # A controller that was reset alone has stale pointers: no transfer relies on the one before it.
        self._aim(page, first - page * _ROW - 1, length)
        self._board.i2c_write(self.address, self._place)
        self._board.i2c_write(self.address, self._spans[length // _STEP])
        copy(self._shadow, first, self._span, 1, length)
        if self._unknown & bit:
            self._unknown &= ~bit
            if not self._unknown:
                # Lit only now: nobody sees the noise that the memory holds after power-on.
                self._board.i2c_write(self.address, self._switch)
        return True

    def _aim(self, page: int, column: int, length: int):
        place = self._place
        if self._windows:
            place[2] = column
            place[3] = column + length - 1
            place[5] = place[6] = page
        else:
            column += self.offset
            place[1] = 0xB0 | page
            place[2] = column & 0x0F
            place[3] = 0x10 | column >> 4
