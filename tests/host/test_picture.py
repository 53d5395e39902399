"""The panel as pixels, PNG and text."""

import io

import pytest
from PIL import Image

from holecard_host.picture import HEIGHT, LIT, SIZE, UNLIT, WIDTH, Picture


def picture(*pixels: tuple[int, int]) -> Picture:
    data = bytearray(SIZE)
    for x, y in pixels:
        data[y // 8 * WIDTH + x] |= 1 << y % 8
    return Picture(data)


CORNERS = ((0, 0), (127, 0), (0, 63), (127, 63))


def test_bytes_are_page_major_with_the_low_bit_on_top():
    one = Picture(b"\x01" + bytes(SIZE - 1))
    assert one.pixel(0, 0)
    assert one.lit == 1
    assert Picture(bytes(WIDTH) + b"\x80" + bytes(SIZE - WIDTH - 1)).pixel(0, 15)


def test_pixel_and_rows_agree_everywhere():
    some = picture(*CORNERS, (5, 7), (5, 8), (64, 31))
    assert len(some.rows) == HEIGHT
    for y in range(HEIGHT):
        for x in range(WIDTH):
            assert some.pixel(x, y) == bool(some.rows[y][x])


@pytest.mark.parametrize("spot", [(-1, 0), (128, 0), (0, 64), (0, -1)])
def test_a_pixel_outside_the_panel_is_an_error(spot):
    with pytest.raises(IndexError):
        Picture.blank().pixel(*spot)


@pytest.mark.parametrize("size", [0, 1023, 1025, 1032])
def test_only_1024_bytes_make_a_picture(size):
    with pytest.raises(ValueError, match="1024"):
        Picture(bytes(size))


def test_from_hex_is_the_answer_of_the_display_query():
    some = picture(*CORNERS)
    assert Picture.from_hex(some.data.hex().upper() + "\n") == some
    with pytest.raises(ValueError):
        Picture.from_hex("zz")


def test_equal_pictures_are_equal_and_hash_alike():
    assert picture((1, 1)) == picture((1, 1))
    assert len({picture((1, 1)), picture((1, 1)), picture((1, 2))}) == 2
    assert picture((1, 1)) != "a picture"


def test_half_blocks_show_every_pixel():
    lines = picture((0, 0), (1, 1), (2, 0), (2, 1), (127, 63)).lines()
    assert len(lines) == 32
    assert {len(line) for line in lines} == {128}
    assert lines[0][:4] == "▀▄█ "
    assert lines[31][127] == "▄"


def test_ascii_has_no_other_characters():
    lines = picture((0, 0), (1, 1), (2, 0), (2, 1)).lines("ascii")
    assert lines[0][:4] == "'.# "
    assert all(line.isascii() for line in lines)


def test_braille_is_64_by_16_and_each_dot_has_its_bit():
    assert {len(line) for line in Picture.blank().lines("braille")} == {64}
    assert len(Picture.blank().lines("braille")) == 16
    for y, dots in enumerate(((1, 8), (2, 16), (4, 32), (64, 128))):
        for x, bit in enumerate(dots):
            assert ord(picture((2 + x, 4 + y)).lines("braille")[1][1]) == 0x2800 + bit


def test_an_unknown_text_style_is_named():
    with pytest.raises(ValueError, match="half, braille, ascii"):
        Picture.blank().lines("sixel")


def test_text_has_no_trailing_blanks():
    assert picture((3, 0)).to_text().splitlines()[0] == "   ▀"
    assert picture((0, 0)).to_text("braille").splitlines()[0] == "⠁"


def test_difference_says_where_and_what():
    difference = picture((3, 4), (5, 6)).diff(picture((5, 6), (6, 4)))
    assert difference
    assert difference.count == 2
    assert difference.box == (3, 4, 7, 5)
    assert difference.text == "-..+"
    assert "columns 3..6, rows 4..4" in str(difference)


def test_no_difference_is_false():
    assert not Picture.blank().diff(Picture.blank())
    assert "equal" in str(Picture.blank().diff(Picture.blank()))


@pytest.mark.parametrize("scale", [1, 3, 4, 8, 16])
def test_png_has_every_pixel_in_its_place(scale):
    some = picture(*CORNERS, (64, 32))
    image = Image.open(io.BytesIO(some.to_png(scale))).convert("RGB")
    assert image.size == ((WIDTH + 6) * scale, (HEIGHT + 6) * scale)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            color = image.getpixel(((x + 3) * scale, (y + 3) * scale))
            assert color == (LIT if some.pixel(x, y) else UNLIT)


def test_large_pixels_have_a_seam_and_small_ones_do_not():
    full = Picture(b"\xff" * SIZE)
    assert full.to_image(3).getpixel((3 * 3 + 2, 3 * 3)) == LIT
    assert full.to_image(8).getpixel((3 * 8 + 7, 3 * 8)) != LIT


@pytest.mark.parametrize("scale", [0, -1, 65])
def test_a_senseless_scale_is_refused(scale):
    with pytest.raises(ValueError, match=r"1\.\.64"):
        Picture.blank().to_image(scale)
