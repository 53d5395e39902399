"""The table on terminals of every size, and while the size changes."""

import pytest
from tests.host.test_tui import WIDE, run, until

from holecard_host.tui.app import layout_for
from holecard_host.tui.widgets import PanelView


@pytest.mark.parametrize("size", [(60, 20), (65, 24), (80, 19)])
def test_a_terminal_that_is_too_small_is_told_what_is_needed(size):
    async def scenario(app, pilot, stand):
        await pilot.pause()
        text = str(app.query_one("#small").render())
        assert "66 columns and 20 rows" in text
        assert not app.query_one(PanelView).is_on_screen if hasattr(PanelView, "is_on_screen") else True
        await pilot.resize_terminal(*WIDE)
        await pilot.pause()
        assert not app.has_class("too-small")

    run(scenario, size=size)


@pytest.mark.parametrize("columns", [66, 80, 100, 130, 132, 160, 170, 250])
@pytest.mark.parametrize("rows", [20, 22, 24, 30, 36, 37, 40, 43, 50, 80])
def test_everything_fits_on_the_screen_it_is_laid_out_for(columns, rows):
    fit = layout_for(columns, rows)
    height = (32 if fit.style == "half" else 16) + (2 if fit.bezel else 0) + (6 if fit.big else 3) + 1
    assert height <= rows
    assert (128 if fit.style == "half" else 64) + 2 <= columns
    if fit.style == "half" and not fit.beside:
        assert rows - height >= (5 if fit.framed else 3)


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (132, 43), WIDE])
def test_panel_buttons_and_log_are_visible(size):
    async def scenario(app, pilot, stand):
        await pilot.pause()
        screen = app.screen.region
        for selector in ("#panel", "#bet", "#hit", "#stand", "#double", "#log"):
            region = app.query_one(selector).region
            assert screen.contains_region(region), selector
            assert region.area > 0, selector
        assert app.query_one("#log").size.height >= 1

    run(scenario, size=size)


@pytest.mark.parametrize("size", [(40, 10), (60, 15), (65, 40), (80, 19)])
def test_nothing_is_pressed_that_the_player_would_not_see(size):
    async def scenario(app, pilot, stand):
        for key in "bhsdBHSD1234":
            await pilot.press(key)
        await pilot.pause(0.2)
        assert stand.done == []
        text = str(app.query_one("#small").render())
        assert all(len(line) <= 40 for line in text.splitlines())
        await pilot.resize_terminal(*WIDE)
        await pilot.press("h")
        await until(lambda: stand.done == [("down", "HIT"), ("up", "HIT")])
        await pilot.resize_terminal(*size)
        await pilot.press("h")
        await pilot.pause(0.2)
        assert len(stand.done) == 2

    run(scenario, size=size)


def test_a_button_under_the_mouse_is_let_go_when_the_terminal_becomes_too_small():
    async def scenario(app, pilot, stand):
        await pilot.mouse_down("#stand")
        await until(lambda: stand.done == [("down", "STAND")])
        await pilot.resize_terminal(40, 10)
        await until(lambda: stand.done == [("down", "STAND"), ("up", "STAND")])

    run(scenario)
