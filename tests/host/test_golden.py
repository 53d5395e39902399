"""Golden screens: they are found equal, different, missing or no pictures, and the difference can be seen."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from PIL import Image

from holecard_host.errors import StepFailed, UsageFault
from holecard_host.golden import Screens, compared, read, write
from holecard_host.picture import HEIGHT, LIT, SIZE, WIDTH, Picture

NOISE = Picture(bytes((place * 73 + place // 7) & 0xFF for place in range(SIZE)))


def with_pixel(picture: Picture, x: int, y: int) -> Picture:
    data = bytearray(picture.data)
    data[y // 8 * WIDTH + x] ^= 1 << y % 8
    return Picture(data)


def test_a_written_screen_is_read_back_exactly(tmp_path: Path) -> None:
    Screens(tmp_path / "screens", update=True).check("noise", NOISE)
    assert read(tmp_path / "screens/noise.png") == NOISE
    Screens(tmp_path / "screens").check("noise", NOISE)
    with Image.open(tmp_path / "screens/noise.png") as image:
        assert image.size == (WIDTH, HEIGHT)


@pytest.mark.parametrize("scale", [1, 2, 6, 64])
def test_a_screen_that_was_saved_as_it_looks_is_read_back_too(tmp_path: Path, scale: int) -> None:
    (tmp_path / "seen.png").write_bytes(NOISE.to_png(scale))
    assert read(tmp_path / "seen.png") == NOISE


def test_a_difference_that_cannot_be_drawn_is_told_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "left").write_text("a file, so no folder")
    screens = Screens(tmp_path, left=tmp_path / "left")
    with pytest.raises(StepFailed, match=r"there is no golden screen .*new\.actual\.png: cannot be written: "):
        screens.check("new", NOISE)
    write(tmp_path / "a.png", NOISE)
    with pytest.raises(StepFailed, match=r"the screen is not a \(.*cannot be written: .*\): 1 pixels differ"):
        screens.check("a", with_pixel(NOISE, 9, 50))


def test_one_pixel_is_a_difference_and_is_shown(tmp_path: Path) -> None:
    screens = Screens(tmp_path, left=tmp_path / "left")
    write(tmp_path / "a.png", NOISE)
    with pytest.raises(
        StepFailed, match=r"the screen is not a \(.*a\.difference\.png\): 1 pixels differ, columns 9\.\.9"
    ):
        screens.check("a", with_pixel(NOISE, 9, 50))
    assert (tmp_path / "left/a.difference.png").exists()
    screens.check("a", with_pixel(NOISE, 9, 50), ignore=[(9, 50, 10, 51)])
    with pytest.raises(StepFailed):
        screens.check("a", with_pixel(NOISE, 9, 50), ignore=[(10, 50, 128, 51), (9, 0, 10, 50)])


def test_in_the_difference_red_is_missing_and_green_too_much() -> None:
    blank = Picture.blank()
    expected, actual = with_pixel(with_pixel(blank, 3, 3), 5, 5), with_pixel(with_pixel(blank, 5, 5), 7, 7)
    colors = {color for _, color in compared(expected, actual).getcolors(1 << 20) or ()}
    reds = [color for color in colors if isinstance(color, tuple) and color[0] > 200 and color[1] < 100]
    greens = [color for color in colors if isinstance(color, tuple) and color[1] > 200 and color[0] < 100]
    assert (len(reds), len(greens)) == (1, 1)
    assert LIT in colors


def test_a_missing_screen_is_no_success(tmp_path: Path) -> None:
    screens = Screens(tmp_path, left=tmp_path / "left", option="--write-them")
    with pytest.raises(
        StepFailed, match=r"there is no golden screen .*new\.png.*new\.actual\.png.*--write-them writes"
    ):
        screens.check("new", NOISE)
    assert (tmp_path / "left/new.actual.png").exists()


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b", "x" * 101])
def test_a_name_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageFault, match="cannot be the name of a screen"):
        Screens(tmp_path, update=True).check(name, NOISE)


def test_what_is_no_golden_screen(tmp_path: Path) -> None:
    Image.new("L", (64, 64)).save(tmp_path / "small.png")
    (tmp_path / "text.png").write_text("no picture", encoding="ascii")
    (tmp_path / "folder.png").mkdir()
    write(tmp_path / "good.png", NOISE)
    good = (tmp_path / "good.png").read_bytes()
    at = good.index(b"IDAT")
    (tmp_path / "damaged.png").write_bytes(good[: at - 4] + bytes(4) + b"5|\0\0" + good[at + 4 :])
    header = b"IHDR" + (60_000).to_bytes(4) * 2 + bytes((1, 0, 0, 0, 0))
    huge = good[:8] + (13).to_bytes(4) + header + zlib.crc32(header).to_bytes(4) + good[33:]
    (tmp_path / "huge.png").write_bytes(huge)
    for name, why in (
        ("small", "128x64 pixels, not 64x64"),
        ("text", "is no picture"),
        ("folder", "cannot be read"),
        ("damaged", "is no picture"),
        ("huge", "is no picture"),
    ):
        with pytest.raises(UsageFault, match=why):
            Screens(tmp_path).check(name, NOISE)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    with pytest.raises(UsageFault, match="cannot be written"):
        Screens(tmp_path / "file", update=True).check("a", NOISE)
