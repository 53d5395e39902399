"""The terminal at a table that cannot be played on: locked, an arcade table on a cable, without power for a while."""

import pytest
from tests.host.fake import FakeStand
from tests.host.test_tui import WIDE, run, until
from textual.widgets import Static

from holecard_host.condition import Condition
from holecard_host.errors import ScpiError
from holecard_host.picture import SIZE, Picture
from holecard_host.tui.app import PlayApp, play
from holecard_host.tui.widgets import EventLog
from holecard_host.wire import Event

LOCKED = '{"phase": "locked"}'
ARCADE = {"TABL:STAT?": '{"phase": "betting"}', "SYST:MODE?": "arcade"}


def told(app: PlayApp) -> str:
    return " ".join(line.text.strip() for line in app.query_one(EventLog).lines)


def notice(app: PlayApp) -> str:
    return str(app.query_one("#notice", Static).render())


def cable(**answers: str) -> FakeStand:
    stand = FakeStand("commands", "framebuffer")
    stand.wire.answers.update({"DISP:DATA?": "", **answers})
    return stand


def test_at_an_arcade_table_on_a_cable_one_can_watch():
    async def scenario(app, pilot, stand):
        await until(lambda: "its keys work only at the table itself" in told(app))
        assert not [binding for binding in app.screen.active_bindings.values() if "tap" in binding.binding.action]
        for key in "bhsdBHSD1234":
            await pilot.press(key)
        await pilot.click("#hit")
        stand.picture = Picture(b"\x55" * SIZE)
        await until(lambda: app.query_one("#panel").picture == stand.picture)
        assert not [line for line in stand.wire.sent if "PRES" in line]

    run(scenario, cable(), found=Condition(arcade=True))


def test_with_a_finger_an_arcade_table_is_played_as_any_other():
    async def scenario(app, pilot, stand):
        await pilot.press("h")
        await until(lambda: stand.done == [("down", "HIT"), ("up", "HIT")])
        assert told(app) == ""

    run(scenario, found=Condition(arcade=True))


def test_a_table_that_becomes_an_arcade_table_is_watched_from_then_on():
    refusal = ScpiError(-203, "Command protected;not in arcade mode")
    stand = cable(**ARCADE)
    stand.wire.answers["BENC:PRES HIT,60"] = refusal

    async def scenario(app, pilot, stand):
        await pilot.press("h")
        await until(lambda: "its keys work only at the table itself" in told(app))
        await pilot.press("h")
        await pilot.pause(0.2)
        assert stand.wire.sent.count("BENC:PRES HIT,60") == 1

    app = run(scenario, stand)
    assert app.fault is None


@pytest.mark.parametrize(
    ("found", "way"),
    [
        (Condition(locked="record damaged"), "`holecard query fake://table BENC:CLE`"),
        (Condition(True, "record damaged"), "`holecard operator fake://table CLEAR --key-file FILE`"),
        (Condition(locked="the flash keeps no record"), "it needs another board"),
    ],
)
def test_a_lock_is_told_with_its_way_out(found, way):
    async def scenario(app, pilot, stand):
        await until(lambda: way in told(app))
        assert f"This table is locked: {found.locked}." in told(app)

    run(scenario, found=found)


def test_a_lock_in_the_middle_of_the_game_is_told_too():
    async def scenario(app, pilot, stand):
        stand.wire.answers["TABL:STAT?"] = LOCKED
        stand.wire.answers["TABL:AUD?"] = '{"locked": "accounts do not add up"}'
        stand.wire.pending = [Event(1, 1, {"event": "phase", "phase": "locked", "seat": 0})]
        await until(lambda: "This table is locked: accounts do not add up." in told(app))

    run(scenario)


def test_a_lock_that_is_cleared_in_the_middle_of_the_game_is_no_notice_any_more():
    async def scenario(app, pilot, stand):
        assert notice(app) == "Locked: record damaged"
        stand.wire.answers["TABL:STAT?"] = '{"phase": "betting"}'
        stand.wire.pending = [Event(1, 1, {"event": "phase", "phase": "betting", "seat": 0})]
        await until(lambda: notice(app) == "")

    run(scenario, found=Condition(locked="record damaged"))


@pytest.mark.parametrize("size", [(20, 5), (40, 10), (66, 20), (80, 19), (80, 24), (132, 43), WIDE])
@pytest.mark.parametrize(
    ("found", "text"),
    [
        (Condition(arcade=True), "Watch only: an arcade table"),
        (Condition(locked="the flash keeps no record"), "Locked: the flash keeps no record"),
        (Condition(True, "record damaged"), "Watch only: an arcade table. Locked: record damaged"),
    ],
)
def test_why_a_table_cannot_be_played_on_is_seen_on_every_terminal(size, found, text):
    async def scenario(app, pilot, stand):
        await pilot.pause()
        width, height = size
        last = "".join(segment.text for segment in app.screen._compositor.render_strips()[height - 1])
        assert text[: min(len(text), width) - 3] in last
        assert "Quit" in last or len(text) + 10 > width or not found.arcade
        # News do not push it away.
        stand.wire.pending = [Event(n, n, {"event": "bet", "seat": 0, "bet": 25}) for n in range(60)]
        await until(lambda: len(app.query_one(EventLog).lines) > 50 or height < 24)
        assert notice(app) == text

    run(scenario, cable(), size=size, found=found)


def test_what_waited_before_a_lock_is_not_told_as_news(monkeypatch):
    monkeypatch.setattr(PlayApp, "run", lambda self: None)
    stand = FakeStand()
    stand.wire.answers |= {"SYST:EVEN:COUN?": "2", "SYST:EVEN?": '{"event": "phase", "phase": "betting"}'}
    play(stand, Condition(locked="record damaged"))
    assert stand.wire.sent[:4] == ["SYST:EVEN:COUN?", "SYST:EVEN?", "SYST:EVEN?", "SYST:COMM:EVEN ON"]


def test_a_table_that_was_without_power_tells_its_events_again():
    async def scenario(app, pilot, stand):
        for picture in (Picture(b"\x55" * SIZE), Picture.blank(), Picture(b"\xaa" * SIZE)):
            stand.picture = picture
            await until(lambda picture=picture: app.query_one("#panel").picture == picture)
        await until(lambda: stand.wire.sent == ["SYST:COMM:EVEN ON"] * 2)

    run(scenario)
