"""The picture: 128 x 64 pixels in the panel's own layout, ready to be sent page by page.

Each of the eight pages is 129 bytes: the controller's data prefix 0x40 and 128 column bytes, so that one
page goes out with one write and nothing is copied. Drawing never touches the prefixes.
"""

try:
    from framebuf import MONO_VLSB, FrameBuffer
except ImportError:
    from holecard.table.softbuf import MONO_VLSB, FrameBuffer  # type: ignore[assignment]

WIDTH = 128
HEIGHT = 64
PAGES = 8
STRIDE = WIDTH + 1

# blit() takes its colours through this when ink is black: 1 becomes 0 and 0 becomes 1.
_INVERTED = FrameBuffer(bytearray(b"\x01\x00"), 2, 1, MONO_VLSB)


class Canvas:
    """A frame buffer with sprites and text. Colours: 1 lit, 0 dark. What lies outside is cut off.

    buf    bytearray(8 * 129), may be handed in
    pages  eight memoryviews of 129 bytes, prefix included
    """

    def __init__(self, buf=None) -> None:
        self.buf = bytearray(PAGES * STRIDE) if buf is None else buf
        view = memoryview(self.buf)
        self.pages = tuple(view[i * STRIDE : (i + 1) * STRIDE] for i in range(PAGES))
        for page in self.pages:
            page[0] = 0x40
        self._frame = FrameBuffer(view[1:], WIDTH, HEIGHT, MONO_VLSB, STRIDE)
        self.fill = self._frame.fill
        self.fill_rect = self._frame.fill_rect
        self.rect = self._frame.rect
        self.hline = self._frame.hline
        self.vline = self._frame.vline
        self.pixel = self._frame.pixel
        self._blit = self._frame.blit

    def sprite(self, sprite, x: int, y: int, ink: int = 1) -> None:
        """Draw the picture's ink in colour `ink`; the rest of it is transparent."""
        if ink:
            self._blit(sprite, x, y, 0)
        else:
            self._blit(sprite, x, y, 1, _INVERTED)

    def stamp(self, sprite, x: int, y: int) -> None:
        """Draw the whole picture, background included."""
        self._blit(sprite, x, y)

    def box(self, x: int, y: int, w: int, h: int, c: int) -> None:
        """Solid rectangle with its four corner pixels in the other colour."""
        self.fill_rect(x, y, w, h, c)
        self._corners(x, y, w, h, 1 - c)

    def frame(self, x: int, y: int, w: int, h: int, c: int) -> None:
        """Outline with its four corner pixels in the other colour."""
        self.rect(x, y, w, h, c)
        self._corners(x, y, w, h, 1 - c)

    def _corners(self, x: int, y: int, w: int, h: int, c: int) -> None:
        self.pixel(x, y, c)
        self.pixel(x + w - 1, y, c)
        self.pixel(x, y + h - 1, c)
        self.pixel(x + w - 1, y + h - 1, c)

    def text(self, font, text: str, x: int, y: int, ink: int = 1) -> int:
        """Write from column `x`, top row `y`; returns the column where a following glyph would start."""
        # Bytes: see `Font`.
        blit = self._blit
        ready = font.ready
        gap = font.gap
        for code in text.encode():
            glyph = ready.get(code) or font.glyph(code)
            if ink:
                blit(glyph, x, y, 0)
            else:
                blit(glyph, x, y, 1, _INVERTED)
            x += glyph[1] + gap
        return x

    def text_cells(self, font, text: str, x: int, y: int, cell: int, ink: int = 1) -> None:
        """Write with every character, blanks too, in a cell `cell` columns wide, so that columns line up."""
        for character in text:
            self.text(font, character, x, y, ink)
            x += cell

    def text_right(self, font, text: str, right: int, y: int, ink: int = 1) -> int:
        """Write so that the last column is `right` - 1; returns the first column."""
        x = right - font.width(text)
        self.text(font, text, x, y, ink)
        return x

    def text_center(self, font, text: str, x: int, w: int, y: int, ink: int = 1) -> None:
        """Write centred in the `w` columns from `x`."""
        self.text(font, text, x + (w - font.width(text)) // 2, y, ink)
