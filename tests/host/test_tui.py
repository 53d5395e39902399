"""The table on a terminal: panel, lamps, keys, mouse, events and sizes, on a stand without a table behind it."""

import asyncio
import contextlib
import os
import time

import pytest
from tests.host.fake import FakeStand
from textual.app import App
from textual.events import MouseDown, MouseUp

from holecard_host.condition import PLAYABLE
from holecard_host.errors import InternalFault, ScpiError, StandFault
from holecard_host.picture import SIZE, Picture
from holecard_host.stands import open_stand
from holecard_host.tui.app import PlayApp, play
from holecard_host.tui.feed import HOLD_MS
from holecard_host.tui.widgets import ArcadeButton, EventLog, PanelView
from holecard_host.twin.holder import Holder
from holecard_host.wire import Event

WIDE = (170, 50)


async def until(condition, seconds=5.0):
    """Wait for what another thread will do; fails when it does not."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.01)


def run(scenario, stand=None, size=WIDE, ended_by=None, found=PLAYABLE):
    """Run an async scenario(app, pilot, stand) in a headless terminal; no exception but `ended_by` may end it."""
    stand = stand or FakeStand()

    async def main():
        app = PlayApp(stand, found)
        async with app.run_test(size=size) as pilot:
            await scenario(app, pilot, stand)
            # The pilot takes the screen away beside the queue of messages, and not behind them as the game does.
            app._feed.stop()
            await pilot.pause()
        if isinstance(app.fault, Exception) and not isinstance(app.fault, StandFault) and app.fault is not ended_by:
            raise app.fault
        return app

    return asyncio.run(main())


def shown(app: App) -> list[str]:
    """The panel as the terminal shows it."""
    view = app.query_one(PanelView)
    return ["".join(segment.text for segment in view.render_line(y)) for y in range(view.size.height)]


@pytest.mark.parametrize(
    ("size", "style", "rows"), [(WIDE, "half", 32), ((132, 43), "half", 32), ((100, 40), "braille", 16)]
)
def test_the_panel_is_shown_pixel_for_pixel(size, style, rows):
    picture = Picture(bytes(range(256)) * (SIZE // 256))

    async def scenario(app, pilot, stand):
        stand.picture = picture
        await until(lambda: app.query_one(PanelView).picture == picture)
        await pilot.pause()
        assert shown(app) == picture.lines(style)
        assert len(shown(app)) == rows

    run(scenario, size=size)


@pytest.mark.parametrize(("key", "button"), [("b", "BET"), ("h", "HIT"), ("s", "STAND"), ("d", "DOUBLE"), ("2", "HIT")])
def test_a_letter_or_digit_is_a_press_and_a_release(key, button):
    async def scenario(app, pilot, stand):
        await pilot.press(key)
        await until(lambda: ("up", button) in stand.done)
        assert stand.done == [("down", button), ("up", button)]

    run(scenario)


@pytest.mark.parametrize("button", ["BET", "STAND"])
def test_a_capital_letter_holds(button):
    async def scenario(app, pilot, stand):
        started = time.monotonic()
        await pilot.press(button[0])
        await until(lambda: ("up", button) in stand.done)
        assert time.monotonic() - started >= HOLD_MS / 1000

    run(scenario)


def test_the_mouse_presses_and_releases_where_it_does():
    async def scenario(app, pilot, stand):
        await pilot.mouse_down("#stand")
        await until(lambda: stand.done == [("down", "STAND")])
        assert app.query_one("#stand", ArcadeButton).pressed
        await pilot.pause(0.1)
        assert stand.done == [("down", "STAND")]
        await pilot.mouse_up("#stand")
        await until(lambda: stand.done == [("down", "STAND"), ("up", "STAND")])
        await until(lambda: not app.query_one("#stand", ArcadeButton).pressed)

    run(scenario)


def test_a_click_however_short_is_long_enough_for_the_table_and_seen():
    class Slow(FakeStand):
        """Busy when the click comes, so that its beginning and end are seen together."""

        def panel(self):
            time.sleep(0.1)
            return super().panel()

        def press_down(self, *keys):
            super().press_down(*keys)
            self.down_at = time.monotonic()

        def release(self, *keys):
            super().release(*keys)
            self.up_at = time.monotonic()

    async def scenario(app, pilot, stand):
        hit = app.query_one("#hit", ArcadeButton)
        seen = []
        draw = hit.render
        hit.render = lambda: seen.append(hit.pressed) or draw()
        await pilot.pause(0.15)
        for number in (1, 2):
            for event in (MouseDown, MouseUp):
                hit.post_message(event(hit, 1, 1, 0, 0, 1, False, False, False))
            await until(lambda number=number: stand.done.count(("up", "HIT")) == number)
            assert stand.up_at - stand.down_at >= 0.05
        await until(lambda: not hit.pressed)
        assert True in seen

    run(scenario, Slow())


def test_the_mouse_may_leave_the_button_before_it_releases():
    async def scenario(app, pilot, stand):
        await pilot.mouse_down("#hit")
        await pilot.mouse_up("#log")
        await until(lambda: stand.done == [("down", "HIT"), ("up", "HIT")])

    run(scenario)


def test_a_stand_without_pins_is_told_how_long_the_press_was():
    async def scenario(app, pilot, stand):
        await pilot.press("h")
        await until(lambda: stand.wire.sent == ["BENC:PRES HIT,60"])
        await pilot.mouse_down("#bet")
        await pilot.pause(0.4)
        await pilot.mouse_up("#bet")
        await until(lambda: len(stand.wire.sent) == 2)
        command, milliseconds = stand.wire.sent[1].split(",")
        assert command == "BENC:PRES BET"
        assert 250 <= int(milliseconds) <= 10_000

    run(scenario, FakeStand("commands", "framebuffer"))


def test_keys_that_repeat_do_not_pile_up():
    async def scenario(app, pilot, stand):
        for _ in range(20):
            app.action_tap("HIT")
        await pilot.pause(0.6)
        assert stand.done.count(("down", "HIT")) <= 4
        assert stand.done.count(("down", "HIT")) == stand.done.count(("up", "HIT"))

    run(scenario)


def test_lamps_are_lit_and_dark():
    async def scenario(app, pilot, stand):
        for mask in (0b0101, 0b1010, 0):
            stand.mask = mask
            await until(
                lambda mask=mask: (
                    [button.lit for button in app.query(ArcadeButton)] == [bool(mask >> i & 1) for i in range(4)]
                )
            )
        assert not app.query(".lit")

    run(scenario)


def test_events_become_friendly_lines():
    async def scenario(app, pilot, stand):
        stand.wire.pending = [
            Event(1, 10, {"event": "card", "to": "player", "seat": 0, "hand": 0, "card": "Th"}),
            Event(2, 20, {"event": "settled", "round": 1, "nets": [7.5], "bankrolls": [1007.5], "states": ["play"]}),
        ]
        log = app.query_one(EventLog)
        await until(lambda: len(log.lines) == 2)
        assert [line.text.strip() for line in log.lines] == ["Seat 1: 10♥", "Seat 1 wins $7.50."]

    run(scenario)


def test_q_quits_and_a_key_that_was_held_is_let_go():
    async def scenario(app, pilot, stand):
        await pilot.mouse_down("#hit")
        await until(lambda: stand.done == [("down", "HIT")])
        await pilot.press("q")

    stand = FakeStand()
    app = run(scenario, stand)
    assert app.return_code == 0
    assert stand.done[-1] == ("up", "HIT")


def test_ctrl_c_ends_the_game_as_it_ends_a_command(monkeypatch):
    async def scenario(app, pilot, stand):
        await pilot.press("ctrl+c")

    app = run(scenario)
    assert isinstance(app.fault, KeyboardInterrupt)
    monkeypatch.setattr(PlayApp, "run", lambda self: self.action_interrupt())
    with pytest.raises(KeyboardInterrupt):
        play(FakeStand())


def test_a_lost_stand_ends_the_game_with_its_fault():
    async def scenario(app, pilot, stand):
        stand.fault = StandFault("the port vanished")
        await until(lambda: app.fault is not None)

    app = run(scenario)
    assert str(app.fault) == "the port vanished"
    assert app.return_code == 1


@pytest.mark.parametrize("fault", [ValueError("odd"), OSError("no such thing"), ScpiError(-113, "Undefined header")])
def test_whatever_the_stand_raises_ends_the_game_and_lets_keys_go(fault):
    async def scenario(app, pilot, stand):
        await pilot.mouse_down("#hit")
        await until(lambda: stand.done == [("down", "HIT")])
        stand.fault = fault
        await until(lambda: app.fault is not None)
        await until(lambda: stand.done[-1] == ("up", "HIT"))

    assert run(scenario, ended_by=fault).fault is fault


@pytest.mark.parametrize("bug", ["compose", "on_mount", "action_tap"])
def test_a_bug_ends_the_game_with_one_line(monkeypatch, capfd, bug):
    def broken(*_):
        raise ZeroDivisionError("oh no")

    monkeypatch.setattr(PlayApp, bug, broken)
    headless = PlayApp.run
    monkeypatch.setattr(PlayApp, "run", lambda self: headless(self, headless=True, size=WIDE))
    monkeypatch.setattr(PlayApp, "on_ready", lambda self: self.action_tap("HIT"), raising=False)
    stand = FakeStand()
    with pytest.raises(InternalFault, match="internal fault, please report it: ZeroDivisionError: oh no") as fault:
        play(stand)
    assert isinstance(fault.value.__cause__, ZeroDivisionError)
    assert stand.wire.sent[-1] == "SYST:COMM:EVEN OFF"
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_bug_of_the_interface_as_a_whole_is_one_line_too(monkeypatch):
    def broken(self):
        raise RuntimeError("no loop")

    monkeypatch.setattr(PlayApp, "run", broken)
    with pytest.raises(InternalFault, match="RuntimeError: no loop"):
        play(FakeStand())


@pytest.mark.parametrize("ending", [None, KeyboardInterrupt(), SystemExit(143), ScpiError(-200, "Execution error")])
def test_events_are_taken_back_however_the_game_ends(monkeypatch, ending):
    def end(self):
        self.fault = ending

    monkeypatch.setattr(PlayApp, "run", end)
    stand = FakeStand()
    stand.wire.answers["SYST:COMM:EVEN OFF"] = ScpiError(-113, "Undefined header")
    with contextlib.nullcontext() if ending is None else pytest.raises(type(ending)):
        play(stand)
    assert stand.wire.sent == ["SYST:COMM:EVEN ON", "SYST:COMM:EVEN OFF"]


def test_play_raises_the_fault_after_the_terminal_is_restored(monkeypatch):
    def run_and_lose(self):
        self.fault = StandFault("the port vanished")

    monkeypatch.setattr(PlayApp, "run", run_and_lose)
    stand = FakeStand()
    with pytest.raises(StandFault, match="vanished"):
        play(stand)
    assert stand.wire.sent == ["SYST:COMM:EVEN ON"]


@pytest.mark.parametrize("way", ["pins", "serial"])
def test_a_round_on_a_simulated_table(way):
    with contextlib.ExitStack() as stack:
        url = "sim://cpython"
        if way == "serial":
            url = stack.enter_context(Holder(f"test-tui-{os.getpid()}")).entry.port
        stand = stack.enter_context(open_stand(url, realtime=True))
        stand.wire.command("SYST:COMM:EVEN ON")

        async def scenario(app, pilot, stand):
            hit = app.query_one("#hit", ArcadeButton)
            await until(lambda: app.query_one(PanelView).picture.lit > 100 and hit.lit, 10)
            before = app.query_one(PanelView).picture
            await pilot.press("h")
            log = app.query_one(EventLog)
            await until(lambda: any("Round 1" in line.text for line in log.lines), 10)
            await until(lambda: app.query_one(PanelView).picture != before, 10)
            await until(lambda: any("Dealer: ▒▒" in line.text for line in log.lines), 10)

        run(scenario, stand)
