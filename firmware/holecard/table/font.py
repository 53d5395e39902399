"""The fonts. Each is drawn for one use; all are proportional except TEXT, whose cells are 6 by 8."""

from holecard.table import artwork

_SPACE = 32


class Font:
    """Glyphs of one height, made ready for `FrameBuffer.blit` when first used.

    height  rows of a glyph
    gap     empty columns between two glyphs
    ready   the glyphs used so far: ASCII code -> (column bytes, width, height, MONO_VLSB)

    Texts are taken apart as bytes: every single letter taken from a text MicroPython looks up among all the names it
    knows, which takes longer on the chip than to draw it.
    """

    def __init__(self, drawn: tuple, gap: int = 1, space: int = 3) -> None:
        """`space`: columns a blank takes, its gap included."""
        self.height, self._characters, self._widths, self._data = drawn
        self.gap = gap
        self._pages = (self.height + 7) // 8
        blank = space - gap
        self.ready: dict = {_SPACE: (bytes(blank * self._pages), blank, self.height, 0)}

    def glyph(self, code: int) -> tuple:
        """The picture of a character. Small letters a font lacks show as capitals, the undrawn as '?', if it has one;
        else as nothing."""
        glyph = self.ready.get(code)
        if glyph:
            return glyph
        character = chr(code)
        at = self._characters.find(character)
        if at < 0:
            at = self._characters.find(character.upper())
        if at < 0:
            at = self._characters.find("?")
        if at < 0:
            glyph = self.ready[_SPACE]
        else:
            start = sum(self._widths[:at]) * self._pages
            width = self._widths[at]
            glyph = (self._data[start : start + width * self._pages], width, self.height, 0)
        self.ready[code] = glyph
        return glyph

    def width(self, text: str) -> int:
        """Columns of a text, without the gap after its last glyph."""
        ready = self.ready
        gap = self.gap
        columns = -gap
        for code in text.encode():
            columns += (ready.get(code) or self.glyph(code))[1] + gap
        return max(columns, 0)


SMALL = Font(artwork.SMALL)
TINY = Font(artwork.TINY)
TEXT = Font(artwork.TEXT, space=6)
HEAD = Font(artwork.HEAD, space=4)
LARGE = Font(artwork.LARGE, gap=2)
