"""The fonts. Each is drawn for one use; all are proportional except TEXT, whose cells are 6 by 8."""

from holecard.table import artwork


class Font:
    """Glyphs of one height, made ready for `FrameBuffer.blit` when first used.

    height  rows of a glyph
    gap     empty columns between two glyphs
    space   columns a blank takes, its gap included
    """

    def __init__(self, drawn: tuple, gap: int = 1, space: int = 3) -> None:
        self.height, self._characters, self._widths, self._data = drawn
        self.gap = gap
        self.space = space
        self._pages = (self.height + 7) // 8
        self._ready: dict = {}

    def glyph(self, character: str):
        """The column bytes of a character. Small letters a font lacks show as capitals, the undrawn as '?'."""
        try:
            return self._ready[character]
        except KeyError:
            pass
        at = self._characters.find(character)
        if at < 0:
            at = self._characters.find(character.upper())
        if at < 0:
            at = self._characters.find("?")
        data = b""
        if at >= 0 and character != " ":
            start = sum(self._widths[:at]) * self._pages
            data = self._data[start : start + self._widths[at] * self._pages]
        self._ready[character] = data
        return data

    def advance(self, glyph: bytes) -> int:
        """Columns from the start of this glyph to the start of the next."""
        return len(glyph) // self._pages + self.gap if glyph else self.space

    def width(self, text: str) -> int:
        """Columns of a text, without the gap after its last glyph."""
        columns = -self.gap
        for character in text:
            columns += self.advance(self.glyph(character))
        return max(columns, 0)


SMALL = Font(artwork.SMALL)
TINY = Font(artwork.TINY)
TEXT = Font(artwork.TEXT, space=6)
HEAD = Font(artwork.HEAD, space=4)
LARGE = Font(artwork.LARGE, gap=2)
OUTCOME = Font(artwork.OUTCOME, gap=2, space=6)
