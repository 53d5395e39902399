"""What a 128x64 one-bit panel shows, as pixels, as a PNG file and as text.

The bytes are page-major, as the SSD1306 keeps them: eight pages of 128 columns, one byte per column, bit 0 on top.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

WIDTH = 128
HEIGHT = 64
PAGES = HEIGHT // 8
SIZE = PAGES * WIDTH

# The glow of a white OLED behind its glass: a little blue, on glass that is never quite black.
GLASS = (6, 8, 13)
UNLIT = (10, 13, 19)
LIT = (214, 236, 255)
SEAM = (132, 151, 168)
MARGIN = 3  # panel pixels of bare glass around the picture
_GAP_FROM_SCALE = 4  # below this an extra dark line would eat too much of each pixel

_HALF_BLOCKS = " ▀▄█"  # index: top pixel + 2 * bottom pixel
_ASCII = " '.#"
# Bit of each dot of a braille cell, by row and column (Unicode chapter "Braille Patterns").
_BRAILLE_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
TEXT_STYLES = ("half", "braille", "ascii")


@dataclass(frozen=True)
class Difference:
    """Where two pictures differ.

    `count` pixels differ, all inside `box` = (left, top, right, bottom), right and bottom exclusive; None when equal.
    `text` is that part of the picture, one character a pixel: `+` only in the second, `-` only in the first,
    `#` in both, `.` in none.
    """

    count: int
    box: tuple[int, int, int, int] | None
    text: str

    def __bool__(self) -> bool:
        return self.count > 0

    def __str__(self) -> str:
        if self.box is None:
            return "the pictures are equal"
        left, top, right, bottom = self.box
        return f"{self.count} pixels differ, columns {left}..{right - 1}, rows {top}..{bottom - 1}\n{self.text}"


class Picture:
    """An immutable 128x64 one-bit picture; equal when every pixel is."""

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        """Take 1,024 page-major bytes. Raises ValueError for any other length."""
        self.data = bytes(data)
        if len(self.data) != SIZE:
            raise ValueError(f"a picture has {SIZE} bytes, not {len(self.data)}")

    @classmethod
    def blank(cls) -> Picture:
        """A dark panel."""
        return cls(bytes(SIZE))

    @classmethod
    def from_hex(cls, text: str) -> Picture:
        """Read the answer of `DISPlay:DATA?`. Raises ValueError when it is not 2,048 hexadecimal digits."""
        return cls(bytes.fromhex(text.strip().strip('"')))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f"<Picture {WIDTH}x{HEIGHT}, {self.lit} pixels lit>"

    @property
    def lit(self) -> int:
        """How many pixels are lit."""
        return int.from_bytes(self.data, "big").bit_count()

    @cached_property
    def rows(self) -> tuple[bytes, ...]:
        """64 rows of 128 bytes, 0 or 1."""
        return tuple(
            bytes(byte >> bit & 1 for byte in self.data[page * WIDTH : (page + 1) * WIDTH])
            for page in range(PAGES)
            for bit in range(8)
        )

    def pixel(self, x: int, y: int) -> bool:
        """Whether the pixel at column `x` (0..127) and row `y` (0..63, from the top) is lit."""
        if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
            raise IndexError(f"no pixel at {x}, {y}")
        return bool(self.data[y // 8 * WIDTH + x] >> y % 8 & 1)

    def lines(self, style: str = "half") -> list[str]:
        """The picture as lines of text.

        `half`: 128 columns x 32 lines of half blocks; `braille`: 64 x 16 braille patterns;
        `ascii`: 128 x 32 for terminals without Unicode. Raises ValueError for another style.
        """
        if style == "braille":
            return self._braille()
        if style not in TEXT_STYLES:
            raise ValueError(f"no text style {style!r}: one of {', '.join(TEXT_STYLES)}")
        glyphs = _HALF_BLOCKS if style == "half" else _ASCII
        pairs = zip(self.rows[::2], self.rows[1::2], strict=True)
        return ["".join(glyphs[a + 2 * b] for a, b in zip(top, bottom, strict=True)) for top, bottom in pairs]

    def to_text(self, style: str = "half") -> str:
        """The same as `lines`, joined, without blanks at the ends of lines."""
        return "\n".join(line.rstrip(" \u2800") for line in self.lines(style))

    def _braille(self) -> list[str]:
        result = []
        for top in range(0, HEIGHT, 4):
            cells = [0x2800] * (WIDTH // 2)
            for row, dots in zip(self.rows[top : top + 4], _BRAILLE_DOTS, strict=True):
                for x, lit in enumerate(row):
                    if lit:
                        cells[x // 2] |= dots[x % 2]
            result.append("".join(map(chr, cells)))
        return result

    def diff(self, other: Picture) -> Difference:
        """Compare with `other`, pixel by pixel."""
        spots = [
            (x, y)
            for y, (mine, theirs) in enumerate(zip(self.rows, other.rows, strict=True))
            if mine != theirs
            for x in range(WIDTH)
            if mine[x] != theirs[x]
        ]
        if not spots:
            return Difference(0, None, "")
        columns, rows = zip(*spots, strict=True)
        box = (min(columns), min(rows), max(columns) + 1, max(rows) + 1)
        text = "\n".join(
            "".join(".-+#"[self.rows[y][x] + 2 * other.rows[y][x]] for x in range(box[0], box[2]))
            for y in range(box[1], box[3])
        )
        return Difference(len(spots), box, text)

    def to_image(self, scale: int = 6) -> Image.Image:
        """The panel as it looks: `scale` image pixels to a panel pixel, bare glass around it, fine seams from 4 on.

        Raises ValueError for a scale outside 1..64.
        """
        # Only here: most commands draw no image, and should not wait for what can.
        from PIL import Image, ImageDraw  # noqa: PLC0415

        if not 1 <= scale <= 64:
            raise ValueError(f"scale {scale} is outside 1..64")
        small = Image.frombytes("L", (WIDTH, HEIGHT), b"".join(self.rows).replace(b"\x01", b"\xff"))
        mask = small.resize((WIDTH * scale, HEIGHT * scale), Image.Resampling.NEAREST)
        lit = Image.new("RGB", mask.size, LIT)
        unlit = Image.new("RGB", mask.size, UNLIT)
        if scale >= _GAP_FROM_SCALE:
            width = max(1, scale // 8)
            for image, color in ((lit, SEAM), (unlit, GLASS)):
                draw = ImageDraw.Draw(image)
                for x in range(scale, mask.width + 1, scale):
                    draw.rectangle((x - width, 0, x - 1, mask.height), fill=color)
                for y in range(scale, mask.height + 1, scale):
                    draw.rectangle((0, y - width, mask.width, y - 1), fill=color)
        margin = MARGIN * scale
        image = Image.new("RGB", (mask.width + 2 * margin, mask.height + 2 * margin), GLASS)
        image.paste(unlit, (margin, margin))
        image.paste(lit, (margin, margin), mask)
        return image

    def to_png(self, scale: int = 6) -> bytes:
        """`to_image(scale)` as the bytes of a PNG file."""
        return png(self.to_image(scale))


def png(image: Image.Image) -> bytes:
    """The bytes of a PNG file."""
    file = io.BytesIO()
    image.save(file, format="PNG", optimize=True)
    return file.getvalue()
