"""The panel driver against the panel model: whatever is drawn, and whatever fails, the glass ends up equal."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.drivers.panel import Panel
from holecard_host.twin.panel import panel_model

ROW = 129
PAGES = 8
TRIED_ON = "panel driver"
# A test clock starts shortly before its wrap.
START = (1 << 30) - 150_000
FULL_FRAME = 1037  # what a driver sends that knows no spans
PANELS = [("ssd1306", 0), ("sh1106", 0), ("sh1106", 2), ("sh1106", 4)]


class Bench:
    """A board with nothing but a clock and a bus, and a panel on it. `failures` fail that many writes, from now on."""

    def __init__(
        self, address: int = 0x3C, at: int = 0x3C, now: int = START, panel: tuple[str, int] = PANELS[0]
    ) -> None:
        self.model = panel_model(*panel)
        self.at: int | None = at
        self.time = now
        self.failures = 0
        self.kept = 0
        self.log: list[bytes] = []
        buf = bytearray(ROW * PAGES)
        view = memoryview(buf)
        self.pages = tuple(view[page * ROW : (page + 1) * ROW] for page in range(PAGES))
        for page in self.pages:
            page[0] = 0x40
        self.driver = Panel(self, SimpleNamespace(buf=buf, pages=self.pages), address, *panel)

    def now(self) -> int:
        return self.time & 0x3FFFFFFF

    def i2c_write(self, address: int, data: bytes) -> None:
        if address != self.at:
            raise OSError(5)
        if self.failures:
            self.failures -= 1
            self.model.write(bytes(data[: self.kept]))
            raise OSError(110)
        self.log.append(bytes(data))
        self.model.write(bytes(data))

    def flush(self) -> int:
        """Flush until nothing is pending; returns the number of passes."""
        passes = 1
        while self.driver.flush_some():
            passes += 1
            assert passes < 100
        return passes

    def settle(self) -> None:
        """Flush over two seconds, as the table's loop does."""
        for _ in range(20):
            self.flush()
            self.time += 100_000

    @property
    def drawn(self) -> bytes:
        return b"".join(bytes(page[1:]) for page in self.pages)

    def shows(self) -> bool:
        return self.model.frame() == self.drawn


def spans() -> st.SearchStrategy[tuple[int, int, bytes]]:
    return st.tuples(st.integers(0, PAGES - 1), st.integers(0, 127), st.binary(min_size=1, max_size=40))


def draw(bench: Bench, page: int, column: int, data: bytes) -> None:
    data = data[: 128 - column]
    bench.pages[page][1 + column : 1 + column + len(data)] = data


@pytest.mark.fault(8)
@pytest.mark.parametrize("panel", PANELS)
@given(frames=st.lists(st.lists(spans(), max_size=6), max_size=6))
@settings(deadline=None, max_examples=60)
def test_fault_08_after_any_drawing_the_glass_equals_the_canvas(
    panel: tuple[str, int], frames: list[list[tuple[int, int, bytes]]]
) -> None:
    bench = Bench(panel=panel)
    bench.flush()
    assert bench.shows()
    for frame in frames:
        for span in frame:
            draw(bench, *span)
        bench.flush()
        assert bench.shows()
        assert not bench.driver.pending
        assert bench.driver.flush_some() is False
    assert bench.model.visible() == bench.drawn
    assert bench.model.unknown == []


@pytest.mark.fault(8)
@pytest.mark.parametrize("panel", PANELS)
@given(
    steps=st.lists(
        st.tuples(spans(), st.integers(0, 3), st.integers(0, 3), st.integers(0, 60)), min_size=1, max_size=8
    ),
    start=st.integers(0, (1 << 30) - 1),
)
@settings(deadline=None, max_examples=60)
def test_fault_08_after_any_failures_the_glass_equals_the_canvas(
    panel: tuple[str, int], steps: list[tuple[tuple[int, int, bytes], int, int, int]], start: int
) -> None:
    bench = Bench(now=start, panel=panel)
    for span, before, failures, kept in steps:
        draw(bench, *span)
        for _ in range(before):
            bench.driver.flush_some()
        bench.failures, bench.kept = failures, kept
        bench.driver.flush_some()
        bench.time += 50_000
    bench.settle()
    bench.settle()
    assert bench.shows()


@pytest.mark.fault(7)
@pytest.mark.parametrize("panel", PANELS)
@given(first=spans(), second=spans())
@settings(deadline=None)
def test_fault_07_every_flush_sets_its_own_window(
    panel: tuple[str, int], first: tuple[int, int, bytes], second: tuple[int, int, bytes]
) -> None:
    bench = Bench(panel=panel)
    bench.flush()
    draw(bench, *first)
    draw(bench, *second)
    more = True
    while more:
        # As when the controller alone was reset in between: pointers, windows and mode are stale.
        bench.model.column, bench.model.page = 77, 5
        bench.log.clear()
        more = bench.driver.flush_some()
        assert len(bench.log) in (0, 2)
        if bench.log:
            place, sent = bench.log
            if panel[0] == "sh1106":
                assert [place[0], place[1] & 0xF8, place[2] & 0xF0, place[3] & 0xF0] == [0, 0xB0, 0, 0x10]
            else:
                assert (place[1], place[4]) == (0x21, 0x22)
                assert place[5] == place[6]
                assert place[3] - place[2] + 1 == len(sent) - 1
    assert bench.shows()


def test_a_small_change_costs_few_bytes() -> None:
    bench = Bench()
    bench.flush()
    bench.log.clear()
    draw(bench, 3, 50, b"\x55" * 12)
    bench.flush()
    assert sum(map(len, bench.log)) <= 7 + 1 + 12
    assert sum(map(len, bench.log)) < FULL_FRAME / 50


def test_changes_far_apart_are_sent_apart() -> None:
    bench = Bench()
    bench.flush()
    bench.log.clear()
    draw(bench, 3, 0, b"\x55")
    draw(bench, 3, 127, b"\x55")
    # Two spans, and a pass that finds nothing more.
    assert bench.flush() == 3
    assert sum(map(len, bench.log)) < 30


def test_labels_go_first() -> None:
    bench = Bench()
    bench.flush()
    draw(bench, 0, 0, b"\x55")
    draw(bench, 7, 0, b"\x55")
    bench.driver.flush_some()
    assert bench.model.memory[7 * 128] == 0x55
    assert bench.model.memory[0] == 0


@pytest.mark.parametrize("panel", PANELS)
def test_nothing_is_lit_before_everything_is_drawn(panel: tuple[str, int]) -> None:
    bench = Bench(panel=panel)
    while bench.driver.flush_some():
        assert bench.shows() or not bench.model.lit
    assert bench.shows()


@pytest.mark.fault(4)
@pytest.mark.parametrize(("configured", "real"), [(0x3C, 0x3D), (0x3D, 0x3C), (0x3D, 0x3D)])
def test_fault_04_both_addresses_are_tried(configured: int, real: int) -> None:
    bench = Bench(address=configured, at=real)
    bench.settle()
    assert bench.driver.address == real
    assert bench.shows()


@pytest.mark.fault(4)
@pytest.mark.parametrize("printed", [0x78, 0x7A])
def test_fault_04_the_address_printed_on_the_board_is_refused(printed: int) -> None:
    with pytest.raises(ValueError, match=f"use 0x{printed >> 1:02X}"):
        Bench(address=printed)


def test_an_address_of_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="0x3C or 0x3D"):
        Bench(address=0x50)


def test_a_missing_panel_costs_little_and_is_drawn_when_it_comes() -> None:
    bench = Bench()
    bench.at = None
    draw(bench, 2, 0, b"hello")
    for _ in range(100):
        assert bench.driver.flush_some() is False
        bench.time += 50_000
    assert not bench.driver.pending
    assert bench.driver.failures <= 10
    bench.at = 0x3D
    bench.settle()
    assert bench.shows()


@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_that_is_plugged_in_again_is_drawn_again(panel: tuple[str, int]) -> None:
    bench = Bench(panel=panel)
    draw(bench, 2, 0, b"hello")
    bench.flush()
    bench.at = None
    draw(bench, 2, 0, b"world")
    bench.settle()
    bench.model.power_on()
    bench.at = 0x3C
    bench.settle()
    assert bench.shows()


@pytest.mark.parametrize("panel", PANELS)
def test_refresh_brings_back_a_panel_that_lost_its_power_unseen(panel: tuple[str, int]) -> None:
    bench = Bench(panel=panel)
    draw(bench, 2, 0, b"hello")
    bench.flush()
    bench.model.power_on()
    bench.flush()
    assert not bench.shows()
    bench.driver.refresh()
    bench.flush()
    assert bench.shows()


@pytest.mark.parametrize("panel", PANELS)
def test_brightness_and_darkness_outlast_a_failure(panel: tuple[str, int]) -> None:
    bench = Bench(panel=panel)
    bench.flush()
    bench.driver.contrast(0x10)
    bench.driver.on(False)
    assert (bench.model.contrast, bench.model.lit) == (0x10, False)
    bench.failures = 1
    draw(bench, 0, 0, b"\x01")
    bench.flush()
    bench.model.power_on()
    bench.settle()
    assert (bench.model.contrast, bench.model.lit) == (0x10, False)
    bench.driver.on()
    assert bench.shows()


def test_commands_to_a_missing_panel_are_kept() -> None:
    bench = Bench()
    bench.at = None
    bench.driver.contrast(0x22)
    bench.driver.on(False)
    bench.at = 0x3C
    bench.settle()
    assert (bench.model.contrast, bench.model.lit) == (0x22, False)


@pytest.mark.fault(5)
def test_fault_05_a_panel_sold_as_another_is_seen_at_once() -> None:
    # The pictures that people report: shifted by two columns (u8g2#225), or garbled (sh1106#1).
    for panel, other in ((("sh1106", 2), ("ssd1306", 0)), (("ssd1306", 0), ("sh1106", 2)), (PANELS[1], PANELS[2])):
        bench = Bench(panel=panel)
        bench.model = panel_model(*other)
        draw(bench, 3, 40, b"\x55\xaa\x0f")
        bench.flush()
        assert not bench.shows()


def test_a_refresh_does_not_switch_the_panel_off() -> None:
    bench = Bench(panel=("sh1106", 2))
    bench.flush()
    bench.driver.refresh()
    while bench.driver.flush_some():
        assert bench.model.lit


@pytest.mark.parametrize(
    ("kind", "offset", "address", "why"),
    [
        ("ssd1307", 0, 0x3C, "ssd1306 or sh1106"),
        ("sh1106", 1, 0x3C, "0, 2 or 4"),
        ("ssd1306", 2, 0x3C, "only an sh1106"),
        ("sh1106", 2, 0x78, "use 0x3C"),
    ],
)
def test_a_panel_that_there_cannot_be_is_refused(kind: str, offset: int, address: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Bench(address=address, panel=(kind, offset))


def test_what_is_not_given_comes_from_the_board() -> None:
    board = SimpleNamespace(now=lambda: 0, screen=("sh1106", 2, 0x3D))
    driver = Panel(board, SimpleNamespace(buf=b""))
    assert (driver.kind, driver.offset, driver.address) == ("sh1106", 2, 0x3D)
    driver = Panel(SimpleNamespace(now=lambda: 0), SimpleNamespace(buf=b""))
    assert (driver.kind, driver.offset, driver.address) == ("ssd1306", 0, 0x3C)
