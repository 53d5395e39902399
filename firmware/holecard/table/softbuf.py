"""`framebuf.FrameBuffer` for Pythons that have none: the part of it that the canvas uses, MONO_VLSB only.

Same arguments, same pixels as MicroPython's C code, which is the reference: tests/table/test_canvas.py compares them
byte by byte. Columns are handled as integers whose bit n is row n, so no loop runs over single pixels.
"""

MONO_VLSB = 0


class FrameBuffer:
    """`width` x `height` pixels in `buf`, eight rows to a byte, topmost row in the lowest bit, `stride` bytes a page.

    ValueError for any other format or a buffer that is too small.
    """

    def __init__(self, buf, width: int, height: int, format: int, stride: int = 0) -> None:
        stride = stride or width
        pages = (height + 7) // 8
        if format != MONO_VLSB or width < 1 or height < 1 or stride < width:
            raise ValueError("only MONO_VLSB of at least one pixel")
        if (pages - 1) * stride + width > len(buf):
            raise ValueError("buffer too small")
        self._buf = buf
        self._width = width
        self._height = height
        self._stride = stride

    def fill(self, c: int) -> None:
        """Everything in colour `c`."""
        self.fill_rect(0, 0, self._width, self._height, c)

    def pixel(self, x: int, y: int, c=None):
        """Set one pixel, or return its colour when `c` is not given; None outside."""
        if not (0 <= x < self._width and 0 <= y < self._height):
            return None
        at = (y >> 3) * self._stride + x
        if c is None:
            return self._buf[at] >> (y & 7) & 1
        bit = 1 << (y & 7)
        self._buf[at] = self._buf[at] | bit if c else self._buf[at] & ~bit
        return None

    def hline(self, x: int, y: int, w: int, c: int) -> None:
        """Horizontal line of `w` pixels to the right of and including (x, y)."""
        self.fill_rect(x, y, w, 1, c)

    def vline(self, x: int, y: int, h: int, c: int) -> None:
        """Vertical line of `h` pixels below and including (x, y)."""
        self.fill_rect(x, y, 1, h, c)

    def rect(self, x: int, y: int, w: int, h: int, c: int) -> None:
        """Outline of a rectangle."""
        self.fill_rect(x, y, w, 1, c)
        self.fill_rect(x, y + h - 1, w, 1, c)
        self.fill_rect(x, y, 1, h, c)
        self.fill_rect(x + w - 1, y, 1, h, c)

    def fill_rect(self, x: int, y: int, w: int, h: int, c: int) -> None:
        """Solid rectangle; parts outside are left out, an empty one draws nothing."""
        left, right = max(x, 0), min(x + w, self._width)
        top, bottom = max(y, 0), min(y + h, self._height)
        if left >= right or top >= bottom or w < 1 or h < 1:
            return
        buf = self._buf
        mask = (1 << bottom) - (1 << top)
        for page in range(top >> 3, (bottom + 7) >> 3):
            bits = mask >> (page << 3) & 0xFF
            start = page * self._stride
            if bits == 0xFF:
                buf[start + left : start + right] = (b"\xff" if c else b"\x00") * (right - left)
            elif c:
                for i in range(start + left, start + right):
                    buf[i] |= bits
            else:
                keep = 0xFF ^ bits
                for i in range(start + left, start + right):
                    buf[i] &= keep

    def blit(self, source, x: int, y: int, key: int = -1, palette=None) -> None:
        """Draw `source`, a (buffer, width, height, MONO_VLSB) tuple or list, at (x, y).

        `palette`, a FrameBuffer of two pixels side by side, translates colours first; then pixels of colour `key` are
        left out.
        """
        data, width, height = source[0], source[1], source[2]
        zero, one = (palette.pixel(0, 0), palette.pixel(1, 0)) if palette else (0, 1)
        full = (1 << height) - 1
        shown = (1 << self._height) - 1
        buf = self._buf
        for i in range(max(0, -x), min(width, self._width - x)):
            ink = 0
            for at in range((height + 7) // 8 - 1, -1, -1):
                ink = ink << 8 | data[at * width + i]
            ink &= full
            colour = (ink if one else 0) | (full ^ ink if zero else 0)
            mask = full if key not in {0, 1} else full ^ colour if key else colour
            if y >= 0:
                colour, mask = colour << y, mask << y & shown
            else:
                colour, mask = colour >> -y, mask >> -y & shown
            at = x + i
            while mask:
                bits = mask & 0xFF
                if bits:
                    buf[at] = buf[at] & ~bits | colour & bits
                mask >>= 8
                colour >>= 8
                at += self._stride
