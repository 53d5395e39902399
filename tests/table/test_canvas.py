"""The canvas: identical pixels on both frame buffers, page prefixes that drawing never touches, fonts, artwork."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.table.drawing import lines

from holecard.table import artwork, font
from holecard.table.canvas import Canvas
from holecard.table.softbuf import MONO_VLSB, FrameBuffer

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent


def on_micropython(kind: str) -> list[str]:
    """What `drawing.py` prints there, with room for all the scenes; skips where there is no MicroPython."""
    micropython = Path(sys.executable).with_name("micropython")
    if not micropython.exists():
        pytest.skip("MicroPython's unix port is not installed")
    command = [str(micropython), "-X", "heapsize=1m", str(HERE / "drawing.py"), str(REPOSITORY), kind]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.splitlines()


@pytest.mark.parametrize("kind", ["random", "scenes"])
def test_micropython_draws_the_same_bytes(kind):
    """Random sequences of every verb, then every golden scene, byte by byte."""
    here, there = list(lines(kind)), on_micropython(kind)
    assert [line.split()[0] for line in here] == [line.split()[0] for line in there]
    assert [line.split()[0] for line, other in zip(here, there, strict=True) if line != other] == []


def test_drawing_leaves_the_page_prefixes_alone():
    for line in lines("random"):
        buf = bytes.fromhex(line.split()[1])
        assert buf[::129] == b"\x40" * 8, line.split()[0]


def test_pages_are_views_of_the_buffer():
    canvas = Canvas(bytearray(8 * 129))
    canvas.fill_rect(0, 8, 1, 8, 1)
    assert [bytes(page[:2]) for page in canvas.pages] == [b"\x40\x00", b"\x40\xff", *[b"\x40\x00"] * 6]
    assert all(len(page) == 129 for page in canvas.pages)


@pytest.mark.parametrize("arguments", [(129, 64, 1), (0, 64, 0), (128, 0, 0), (128, 65, 0)])
def test_soft_buffer_refuses_what_it_cannot_do(arguments):
    width, height, kind = arguments
    with pytest.raises(ValueError):
        FrameBuffer(bytearray(1024), width, height, kind)


def test_soft_buffer_keeps_rows_below_its_height():
    buf = bytearray(b"\xa5" * 4)
    frame = FrameBuffer(buf, 4, 3, MONO_VLSB)
    frame.fill(1)
    assert buf == b"\xa7" * 4


def test_fonts_measure_what_they_draw():
    for face in (font.SMALL, font.TINY, font.TEXT, font.HEAD, font.LARGE):
        canvas = Canvas()
        text = "1234"
        canvas.text(face, text, 0, 0)
        lit = [x for x in range(128) if any(page[1 + x] for page in canvas.pages)]
        # Cells of the text font end in an empty column, and so do some of its glyphs.
        assert face.width(text) - 1 <= lit[-1] + 1 <= face.width(text)
        assert canvas.text_right(face, text, 128, 20) == 128 - face.width(text)


def test_text_font_has_all_of_ascii_in_cells_of_six():
    for code in range(33, 127):
        assert chr(code) in artwork.TEXT[1]
        assert font.TEXT.glyph(code)[1] + font.TEXT.gap == 6
    assert font.TEXT.width("x" * 21) <= 126


def test_characters_without_a_drawing():
    assert font.SMALL.glyph(ord("b")) == font.SMALL.glyph(ord("B"))
    assert font.SMALL.glyph(ord("~")) == font.SMALL.glyph(ord("?"))
    assert font.TINY.glyph(ord("~")) == font.TINY.glyph(ord(" "))


def test_artwork_is_what_the_drawings_say():
    command = [sys.executable, str(REPOSITORY / "tools" / "artwork" / "build.py"), "--check"]
    assert subprocess.run(command, check=False).returncode == 0, "run tools/artwork/build.py"
