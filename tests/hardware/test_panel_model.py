"""The panel model against the SSD1306 datasheet: every command that changes what is seen."""

from __future__ import annotations

import pytest

from holecard_host.twin.panel import PanelModel, Sh1106Model

SIZE = 1024
START = bytes([0x00, 0x8D, 0x14, 0xA1, 0xC8, 0x20, 0x00, 0xAF])


def commands(*codes: int) -> bytes:
    return bytes([0x00, *codes])


def data(*values: int) -> bytes:
    return bytes([0x40, *values])


@pytest.fixture
def panel() -> PanelModel:
    """On, upright, horizontal addressing, memory dark."""
    panel = PanelModel()
    panel.write(START)
    panel.write(data(*bytes(SIZE)))
    return panel


def pixels(panel: PanelModel) -> set[tuple[int, int]]:
    """Lit pixels as (column, row)."""
    frame = panel.frame()
    return {(i % 128, i // 128 * 8 + bit) for i in range(SIZE) for bit in range(8) if frame[i] >> bit & 1}


def test_after_power_on_it_is_dark_and_its_memory_is_noise() -> None:
    panel = PanelModel()
    assert panel.frame() == bytes(SIZE)
    assert len(set(panel.memory)) > 200
    before = bytes(panel.memory)
    panel.power_on()
    assert panel.memory != before


def test_without_charge_pump_it_stays_dark() -> None:
    panel = PanelModel()
    panel.write(commands(0xAF, 0xA5))
    assert panel.frame() == bytes(SIZE)


def test_horizontal_addressing_wraps_in_its_window(panel: PanelModel) -> None:
    panel.write(commands(0x21, 10, 12, 0x22, 2, 3))
    panel.write(data(1, 2, 3, 4, 5, 6, 7))
    assert panel.memory[2 * 128 + 10 : 2 * 128 + 13] == bytes([7, 2, 3])
    assert panel.memory[3 * 128 + 10 : 3 * 128 + 13] == bytes([4, 5, 6])
    assert sum(1 for byte in panel.memory if byte) == 6


def test_vertical_addressing_goes_down_first(panel: PanelModel) -> None:
    panel.write(commands(0x20, 0x01, 0x21, 5, 6, 0x22, 1, 3))
    panel.write(data(1, 2, 3, 4))
    assert [panel.memory[page * 128 + 5] for page in (1, 2, 3)] == [1, 2, 3]
    assert panel.memory[128 + 6] == 4


def test_page_addressing_stays_in_its_page(panel: PanelModel) -> None:
    panel.write(commands(0x20, 0x02, 0xB3, 0x0E, 0x17))
    panel.write(data(1, 2, 3))
    assert panel.memory[3 * 128 + 126 : 4 * 128] == bytes([1, 2])
    assert panel.memory[3 * 128] == 3
    assert panel.memory[4 * 128] == 0


def test_page_commands_mean_nothing_in_the_other_modes(panel: PanelModel) -> None:
    panel.write(commands(0x21, 0, 127, 0x22, 0, 7))
    panel.write(commands(0xB5, 0x05, 0x12))
    panel.write(data(9))
    assert panel.memory[0] == 9


def test_windows_outlast_a_transfer_and_pointers_go_on(panel: PanelModel) -> None:
    panel.write(commands(0x21, 100, 127, 0x22, 7, 7))
    panel.write(data(1))
    panel.write(data(2))
    assert panel.memory[7 * 128 + 100 : 7 * 128 + 102] == bytes([1, 2])


def test_a_control_byte_can_announce_single_bytes(panel: PanelModel) -> None:
    panel.write(bytes([0x80, 0x21, 0x80, 3, 0x80, 127, 0xC0, 0x55, 0x40, 0x66, 0x77]))
    assert panel.memory[3:6] == bytes([0x55, 0x66, 0x77])


def test_operands_may_come_in_another_transfer(panel: PanelModel) -> None:
    panel.write(commands(0x81))
    panel.write(commands(0x33))
    assert panel.contrast == 0x33


@pytest.mark.parametrize(
    "codes",
    [(0xD5, 0xAF), (0xA8, 0x3F), (0xDA, 0xAE), (0xD9, 0xAE), (0xDB, 0xA5), (0x26, *[0xA7] * 6), (0x29, *[0xA7] * 5)],
)
def test_operands_are_not_taken_for_commands(panel: PanelModel, codes: tuple[int, ...]) -> None:
    panel.write(commands(0x21, 0, 127, 0x22, 0, 7))
    panel.write(data(0x0F))
    before = panel.frame()
    panel.write(commands(*codes))
    assert panel.frame() == before
    assert panel.lit and not panel.inverted and not panel.all_on


def test_off_inverse_and_all_on(panel: PanelModel) -> None:
    panel.write(data(0x0F))
    panel.write(commands(0xA7))
    assert panel.frame()[:2] == b"\xf0\xff"
    panel.write(commands(0xA6, 0xA5))
    assert panel.frame() == b"\xff" * SIZE
    panel.write(commands(0xA4, 0xAE))
    assert panel.frame() == bytes(SIZE)
    panel.write(commands(0xAF))
    assert panel.frame()[:2] == b"\x0f\x00"


def test_the_remap_of_segments_acts_on_what_is_written_later(panel: PanelModel) -> None:
    panel.write(commands(0x21, 0, 127, 0x22, 0, 7))
    panel.write(data(1, 1))
    panel.write(commands(0xA0, 0x21, 0, 127))
    assert pixels(panel) == {(0, 0), (1, 0)}
    panel.write(data(1))
    assert pixels(panel) == {(0, 0), (1, 0), (127, 0)}


def test_the_scan_direction_acts_at_once(panel: PanelModel) -> None:
    panel.write(commands(0x21, 0, 127, 0x22, 0, 7))
    panel.write(data(1))
    panel.write(commands(0xC0))
    assert pixels(panel) == {(0, 63)}


@pytest.mark.parametrize(("codes", "row"), [((0x40 | 5,), 3), ((0xD3, 5), 3), ((0x44, 0xD3, 4), 0), ((0x7F,), 9)])
def test_start_line_and_offset_move_the_picture_up(panel: PanelModel, codes: tuple[int, ...], row: int) -> None:
    panel.write(commands(0x21, 7, 7, 0x22, 1, 1))
    panel.write(data(1))
    assert pixels(panel) == {(7, 8)}
    panel.write(commands(*codes))
    assert pixels(panel) == {(7, row)}


def test_fewer_rows_show_less(panel: PanelModel) -> None:
    panel.write(commands(0x21, 0, 127, 0x22, 0, 7))
    panel.write(data(*b"\xff" * SIZE))
    panel.write(commands(0xA8, 31))
    assert max(row for _, row in pixels(panel)) == 31


def test_a_reset_keeps_the_memory(panel: PanelModel) -> None:
    panel.write(data(0xAA))
    before = bytes(panel.memory)
    panel.reset()
    assert panel.memory == before
    assert not panel.lit


# -- the SH1106


@pytest.fixture
def sh1106() -> Sh1106Model:
    """On, upright, memory dark, the glass from column 2 on."""
    panel = Sh1106Model(2)
    for page in range(8):
        panel.write(commands(0xB0 | page, 0x00, 0x10))
        panel.write(data(*bytes(132)))
    panel.write(commands(0xA1, 0xC8, 0xAF))
    return panel


def test_an_sh1106_shows_128_of_its_132_columns(sh1106: Sh1106Model) -> None:
    sh1106.write(commands(0xB3, 0x00, 0x10))
    sh1106.write(data(*b"\x01" * 132))
    assert pixels(sh1106) == {(column, 24) for column in range(128)}
    assert (len(sh1106.memory), len(sh1106.frame())) == (8 * 132, SIZE)


def test_an_sh1106_stays_in_its_page_and_stops_at_its_last_column(sh1106: Sh1106Model) -> None:
    sh1106.write(commands(0xB3, 0x02, 0x18))
    sh1106.write(data(1, 2, 3, 4))
    assert sh1106.memory[3 * 132 + 130 : 4 * 132] == bytes([1, 2])
    assert sum(sh1106.memory) == 3


def test_windows_mean_nothing_to_an_sh1106_and_their_operands_do_harm(sh1106: Sh1106Model) -> None:
    sh1106.write(commands(0x21, 0x05, 0x7F, 0x22, 0x01, 0x01))
    assert sh1106.unknown == [0x21, 0x22]
    assert (sh1106.start_line, sh1106.column & 0x0F) == (0x3F, 0x01)


def test_the_converter_of_an_sh1106_listens_only_while_the_panel_is_off(sh1106: Sh1106Model) -> None:
    sh1106.write(commands(0xAD, 0x8A))
    assert sh1106.charge_pump
    sh1106.write(commands(0xAE, 0xAD, 0x8A, 0xAF))
    assert sh1106.frame() == bytes(SIZE)
    assert not sh1106.charge_pump


def test_the_remap_of_an_sh1106_acts_on_what_is_there(sh1106: Sh1106Model) -> None:
    sh1106.write(commands(0xB0, 0x02, 0x10))
    sh1106.write(data(1))
    assert pixels(sh1106) == {(0, 0)}
    sh1106.write(commands(0xA0))
    assert pixels(sh1106) == {(127, 0)}
