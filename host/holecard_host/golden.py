"""Golden screens: the picture that a panel should show, as a file, and a picture of the difference when it does not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from . import infile, outfile
from .errors import OutputFault, StepFailed, UsageFault
from .picture import GLASS, HEIGHT, LIT, MARGIN, SIZE, UNLIT, WIDTH, Picture, png

if TYPE_CHECKING:
    from PIL import Image

Box = tuple[int, int, int, int]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}")
_SCALE = 4
_GAP = 4 * _SCALE
_MISSING, _EXTRA = (255, 84, 72), (96, 220, 96)


class Screens:
    """Golden screens in `folder`. What differs is left in `left`, or nowhere; `update` writes instead of comparing.

    `option` is what a user gives to have them written.
    """

    def __init__(
        self, folder: Path, left: Path | None = None, update: bool = False, option: str = "--update-screens"
    ) -> None:
        self.folder = folder
        self.left = left
        self.update = update
        self.option = option

    def check(self, name: str, picture: Picture, ignore: Iterable[Box] = ()) -> None:
        """Compare a picture with the golden screen of this name, but for the boxes (left, top, right, bottom).

        Raises StepFailed when they differ or there is none yet, UsageFault for what cannot be a name.
        """
        check_name(name)
        path = self.folder / f"{name}.png"
        if self.update:
            write(path, picture)
            return
        if not path.exists():
            kept = self._leave(f"{name}.actual.png", picture.to_image(_SCALE))
            raise StepFailed(f"there is no golden screen {path}: look at what is shown{kept}; {self.option} writes it")
        expected = read(path)
        boxes = tuple(ignore)
        difference = without(expected, boxes).diff(without(picture, boxes))
        if difference:
            kept = self._leave(f"{name}.difference.png", compared(expected, picture))
            raise StepFailed(f"the screen is not {name}{kept}: {difference}")

    def _leave(self, name: str, image: Image.Image) -> str:
        if self.left is None:
            return ""
        path = self.left / name
        try:
            _save(path, image)
        except (UsageFault, OutputFault) as fault:
            return f" ({fault})"  # what was to be told is more than where its picture is
        return f" ({path})"


def check_name(name: str) -> None:
    """Raises UsageFault for what cannot be the name of a golden screen."""
    if _NAME.fullmatch(name) is None:
        raise UsageFault(f"{name!r} cannot be the name of a screen: letters, digits, and . _ + - after the first")


def read(path: Path) -> Picture:
    """The screen in a file: a golden one, or one that was saved as it looks. Raises UsageFault when it is none."""
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415 - most who import this have no picture to read

    try:
        with Image.open(BytesIO(infile.read(path))) as image:
            box, scale = (0, 0, WIDTH, HEIGHT), image.width // (WIDTH + 2 * MARGIN)
            if image.size == (scale * (WIDTH + 2 * MARGIN), scale * (HEIGHT + 2 * MARGIN)):  # as Picture.to_image
                box = (scale * MARGIN, scale * MARGIN, scale * (MARGIN + WIDTH), scale * (MARGIN + HEIGHT))
            elif image.size != (WIDTH, HEIGHT):
                raise UsageFault(
                    f"{path}: a golden screen has {WIDTH}x{HEIGHT} pixels, not {image.width}x{image.height}"
                )
            small = image.convert("L").resize((WIDTH, HEIGHT), Image.Resampling.NEAREST, box)
            pixels = small.tobytes()
    # A damaged PNG file is a SyntaxError to Pillow.
    except (UnidentifiedImageError, SyntaxError, Image.DecompressionBombError):
        raise UsageFault(f"{path}: is no picture") from None
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror or error}") from None
    data = bytearray(SIZE)
    for place, value in enumerate(pixels):
        y, x = divmod(place, WIDTH)
        data[y // 8 * WIDTH + x] |= (value > 127) << y % 8
    return Picture(data)


def write(path: Path, picture: Picture) -> None:
    """Write a golden screen: one pixel of the file for one of the panel. Raises UsageFault when it cannot."""
    from PIL import Image  # noqa: PLC0415

    rows = b"".join(picture.rows).replace(b"\x01", b"\xff")
    _save(path, Image.frombytes("L", (WIDTH, HEIGHT), rows).convert("1"))


def compared(expected: Picture, actual: Picture) -> Image.Image:
    """Both pictures and, to the right of them, their difference: red is missing, green is too much."""
    from PIL import Image, ImageDraw  # noqa: PLC0415

    third = Image.new("RGB", (WIDTH, HEIGHT), UNLIT)
    for y, (mine, theirs) in enumerate(zip(expected.rows, actual.rows, strict=True)):
        for x in range(WIDTH):
            if mine[x] or theirs[x]:
                dim = tuple((a + 2 * b) // 3 for a, b in zip(LIT, UNLIT, strict=True))
                third.putpixel((x, y), (dim if theirs[x] else _MISSING) if mine[x] else _EXTRA)
    parts = [
        ("expected", expected.to_image(_SCALE)),
        ("shown", actual.to_image(_SCALE)),
        (
            "red is missing, green is too much",
            third.resize((WIDTH * _SCALE, HEIGHT * _SCALE), Image.Resampling.NEAREST),
        ),
    ]
    height = parts[0][1].height + 20
    image = Image.new("RGB", (sum(part.width + _GAP for _, part in parts) - _GAP, height), GLASS)
    draw, left = ImageDraw.Draw(image), 0
    for words, part in parts:
        draw.text((left + 6, 4), words, fill=LIT)
        image.paste(part, (left, 20 + (height - 20 - part.height) // 2))
        left += part.width + _GAP
    return image


def without(picture: Picture, boxes: Iterable[Box]) -> Picture:
    """A picture that is dark in these boxes."""
    data = bytearray(picture.data)
    for left, top, right, bottom in boxes:
        for y in range(max(top, 0), min(bottom, HEIGHT)):
            for x in range(max(left, 0), min(right, WIDTH)):
                data[y // 8 * WIDTH + x] &= ~(1 << y % 8)
    return Picture(data)


def _save(path: Path, image: Image.Image) -> None:
    outfile.write(path, png(image))
