"""Golden pictures of every phase and of the layouts that are hard to fit.

HOLECARD_UPDATE_GOLDEN=1 writes them anew; look at every one that changed before committing it. On a difference the
test writes NAME-actual.png, NAME-expected.png and NAME-diff.png (six times enlarged) to build/golden/.
"""

import os
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageChops
from tests.table.rig import MS, Rig
from tests.table.scenes import BET, DOUBLE, HIT, PLAYING, STAND, play, scene, scenes, sifl

from holecard.drivers.panel import Panel
from holecard.table.canvas import Canvas
from holecard.table.money import money, signed
from holecard.table.scene import PAGES, PHASES
from holecard.table.view import View

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
BUILD = HERE.parent.parent / "build" / "golden"
UPDATE = os.environ.get("HOLECARD_UPDATE_GOLDEN") == "1"
SCALE = 6
FULL_FRAME = 1037
"""Bytes that a full-frame driver sends for any change."""

SCENES = dict(scenes())


def drawn(shown) -> Canvas:
    canvas = Canvas()
    View(canvas).draw(shown)
    return canvas


def picture(canvas: Canvas) -> Image.Image:
    """The canvas as a 1-bit picture."""
    image = Image.new("1", (128, 64))
    image.putdata([255 * (canvas.buf[(y >> 3) * 129 + 1 + x] >> (y & 7) & 1) for y in range(64) for x in range(128)])
    return image


@pytest.mark.parametrize("name", SCENES)
def test_golden(name):
    actual = picture(drawn(SCENES[name]))
    path = GOLDEN / f"{name}.png"
    if UPDATE:
        GOLDEN.mkdir(exist_ok=True)
        if not path.exists() or Image.open(path).convert("1").tobytes() != actual.tobytes():
            actual.save(path, optimize=True)
        return
    assert path.exists(), f"no golden picture {path.name}: HOLECARD_UPDATE_GOLDEN=1 writes it"
    expected = Image.open(path).convert("1")
    if actual.tobytes() == expected.tobytes():
        return
    BUILD.mkdir(parents=True, exist_ok=True)
    for kind, image in (("actual", actual), ("expected", expected), ("diff", ImageChops.logical_xor(actual, expected))):
        image.resize((128 * SCALE, 64 * SCALE)).save(BUILD / f"{name}-{kind}.png")
    pytest.fail(f"{name} differs: see {BUILD / name}-actual.png, -expected.png and -diff.png")


def test_every_golden_picture_has_its_scene():
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(SCENES)


def test_every_phase_and_page_has_a_picture():
    assert {shown.phase for shown in SCENES.values()} == set(PHASES)
    assert {shown.page for shown in SCENES.values()} == set(PAGES)


def test_whatever_was_shown_before_the_picture_is_the_same():
    """Parts that did not change are not drawn again: nothing of an earlier picture may stay."""
    canvas = Canvas()
    view = View(canvas)
    fresh = {name: bytes(drawn(shown).buf) for name, shown in SCENES.items()}
    for before, earlier in SCENES.items():
        for name, shown in SCENES.items():
            if earlier.phase == shown.phase and earlier.page == shown.page:
                view.draw(earlier)
                view.draw(shown)
                assert canvas.buf == fresh[name], (before, name)
    dice = Random(7)
    for name in dice.choices(list(SCENES), k=400):
        view.draw(SCENES[name])
        assert canvas.buf == fresh[name], name


@pytest.mark.parametrize("setting", ["BENC:RUL sifl", "BENC:RUL casino", "BENC:RUL casino;:BENC:SEAT 3"])
def test_the_panel_always_shows_the_whole_scene(setting, monkeypatch):
    """Over a long game by keys: what was drawn part by part equals the same scene drawn at once, at every change."""
    rig = Rig()
    rig.ok(setting, 'BENC:SEED "05"')
    draw = rig.table._view.draw
    drawings = []

    def checked(shown):
        draw(shown)
        drawings.append(shown.phase)
        assert rig.table.canvas.buf == drawn(shown).buf

    monkeypatch.setattr(rig.table._view, "draw", checked)
    dice = Random(setting)
    for _ in range(300):
        rig.board.mask = dice.choice([0, BET, HIT, HIT, STAND, DOUBLE])
        rig.run(dice.choice([4, 30, 300, 1500]) * MS)
    assert len(drawings) > 300
    assert {"betting", "playing", "settled"} <= set(drawings)


@pytest.mark.parametrize(
    "name", [name for name, shown in SCENES.items() if not shown.page and shown.phase != "attract"]
)
def test_bench_banner_is_seen_everywhere_and_hides_nothing_else(name):
    """Switching the banner on may move things in page 0, and touches no other page."""
    shown = dict(scenes())[name]
    shown.bench = False
    without = drawn(shown)
    shown.bench = True
    banner = drawn(shown)
    assert banner.pages[0] != without.pages[0]
    assert [bytes(page) for page in banner.pages[1:]] == [bytes(page) for page in without.pages[1:]]


def test_hidden_card_does_not_show():
    """Rounds that differ only in the hole card give the same picture until it is shown."""
    pictures = {
        bytes(drawn(scene("playing", play(f"10 9 6 {hole}"), PLAYING)).buf) for hole in ("A", "2", "7", "10", "K")
    }
    assert len(pictures) == 1
    asked = [scene("insurance", play(f"10 A 6 {hole}"), insurance_left=9) for hole in ("2", "10", "K")]
    assert len({bytes(drawn(shown).buf) for shown in asked}) == 1


@pytest.mark.fault(9)
def test_fault_09_attract_moves_every_pixel():
    """No pixel stays lit over one swing of the logo."""
    lit = bytearray(b"\xff" * (8 * 129))
    shown = scene("attract", None, ["PLAY"] * 4, bench=True)
    for frame in range(80):
        shown.frame = frame
        lit = bytearray(a & b for a, b in zip(lit, drawn(shown).buf, strict=True))
    assert [bytes(lit[i * 129 + 1 : (i + 1) * 129]) for i in range(8)] == [bytes(128)] * 8


def test_unknown_phase_is_refused():
    with pytest.raises(KeyError):
        drawn(scene("dreaming"))


class Wire:
    """A board that only counts what goes to the panel."""

    def __init__(self):
        self.sent = 0

    def now(self):
        return 0

    def i2c_write(self, address, buf):
        self.sent += len(buf)


def changed(before, after) -> int:
    """Bytes the panel's driver sends when one scene follows the other, window commands included."""
    wire, canvas = Wire(), Canvas()
    view, panel = View(canvas), Panel(wire, canvas)
    view.draw(before)
    while panel.flush_some():
        pass
    wire.sent = 0
    view.draw(after)
    while panel.flush_some():
        pass
    return wire.sent


def one_of_each():
    """Typical changes as (name, before, after)."""
    two = SCENES["playing-sifl"]
    pressed = SCENES["playing-hit-pressed"]
    three = SCENES["playing-three-cards"]
    again = scene("playing", sifl("5 K 6 9 4 2", "H H"), ["", "HIT", "STAND", ""])
    raised = scene("betting", None, SCENES["betting-sifl"].labels, rules_name="sifl", goal=100000, bet=60)
    yield "acknowledged press", two, pressed
    yield "hit, third card", pressed, three
    yield "hit, fourth card", scene("playing", sifl("5 K 6 9 4", "H"), three.labels, pressed=HIT), again
    yield "bet raised", SCENES["betting-sifl"], raised
    yield (
        "a second of insurance",
        SCENES["insurance"],
        scene("insurance", play("10 A 9 10", "", (25,), (1240,)), SCENES["insurance"].labels, insurance_left=27),
    )


def test_typical_changes_are_small():
    """What a change costs on the bus against a full-frame driver: at most a fifth, the acknowledgement far less."""
    sizes = {name: changed(before, after) for name, before, after in one_of_each()}
    print(sizes)
    assert max(sizes.values()) <= FULL_FRAME // 5, sizes
    assert sizes["acknowledged press"] <= 45


@pytest.mark.parametrize(
    "half_dollars, text",
    [(0, "$0"), (15, "$7.50"), (2480, "$1,240"), (99999, "$49,999.50"), (-50, "-$25"), (2_000_010, "$1,000,005")],
)
def test_money(half_dollars, text):
    assert money(half_dollars) == text
    assert signed(half_dollars) == ("+" + text if half_dollars > 0 else text)


def test_text_pages_keep_dark_rows_between_title_text_and_labels():
    """Row 55 above the labels, and row 6 below the title, which the bench banner alone may reach."""
    for name, shown in SCENES.items():
        if shown.page and any(shown.labels):
            assert len(shown.lines) <= 8 and all(len(line) <= 21 for line in shown.lines), name
            rows = picture(drawn(shown))
            assert rows.crop((0, 55, 128, 56)).getbbox() is None, name
            assert shown.bench or rows.crop((0, 6, 128, 7)).getbbox() is None, name
