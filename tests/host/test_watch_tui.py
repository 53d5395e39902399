"""`holecard watch` in a terminal: sizes, panel, facts and log, without a table behind it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.widgets import Static

from holecard_host.errors import InternalFault, StandFault
from holecard_host.picture import SIZE, Picture
from holecard_host.tui import watch as module
from holecard_host.tui.watch import WatchApp
from holecard_host.tui.widgets import EventLog, PanelView

PICTURE = Picture(bytes(range(256)) * (SIZE // 256))
METERS = {"wagered": 25, "won": 50, "rounds": 1, "errors": 0}


class FakeWatcher:
    """Delivers what the test tells it to."""

    def __init__(self, url: str, deliver: Callable[[Any], object]) -> None:
        self.tell = deliver
        self.ended = False

    def start(self) -> None:
        pass

    def stop(self) -> None:
        self.ended = True


def run(
    scenario: Callable[[WatchApp, Any, Callable[[Any], None]], Awaitable[None]],
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int] = (120, 40),
) -> tuple[WatchApp, list[Any]]:
    """Run a scenario(app, pilot, tell) in a headless terminal; returns what was kept."""
    monkeypatch.setattr(module, "Watcher", FakeWatcher)
    kept: list[Any] = []

    async def main() -> WatchApp:
        app = WatchApp("sim://demo", kept.append, None)
        async with app.run_test(size=size) as pilot:
            await scenario(app, pilot, app._watcher.tell)  # type: ignore[attr-defined]
        return app

    return asyncio.run(main()), kept


async def until(pilot: Any, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await pilot.pause(0.01)


def facts(app: WatchApp) -> list[str]:
    return str(app.query_one("#facts", Static).render()).splitlines()


def logged(app: WatchApp) -> list[str]:
    return [line.text.rstrip() for line in app.query_one(EventLog).lines]


@pytest.mark.parametrize(
    ("size", "rows"), [((80, 24), 16), ((120, 40), 16), ((170, 50), 32), ((40, 10), 0), ((64, 12), 0), ((20, 6), 0)]
)
def test_everything_that_fits_is_shown(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], rows: int) -> None:
    async def scenario(app: WatchApp, pilot: Any, tell: Callable[[Any], None]) -> None:
        tell({"t": 1, "picture": PICTURE.data.hex(), "lamps": 5, "meters": METERS, "loop": 1234, "from": "x"})
        await until(pilot, lambda: app.query_one(PanelView).picture == PICTURE)
        view = app.query_one(PanelView)
        assert view.size.height == rows
        shown = ["".join(segment.text for segment in view.render_line(y)) for y in range(rows)]
        assert shown == (PICTURE.lines("half" if rows == 32 else "braille") if rows else [])
        assert facts(app)[0].split() == ["●", "BET", "○", "HIT", "●", "STAND", "○", "DOUBLE"]
        assert "wagered 25" in facts(app)[1]
        assert "errors 0" in facts(app)[2]
        assert "1.23 ms" in facts(app)[3]
        # Nothing lies over anything else, and nothing is outside.
        log = app.query_one(EventLog).region
        panel, told = view.region, app.query_one("#facts").region
        assert not told.overlaps(log)
        assert not (rows and panel.overlaps(log))
        if size[1] >= 10:
            assert log.height > 0
            assert log.bottom < size[1]
            assert log.right <= size[0]

    run(scenario, monkeypatch, size)


def test_events_are_told_in_a_players_words_and_the_wire_can_be_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    event = json.dumps({"event": "bet", "seat": 0, "bet": 25})

    async def scenario(app: WatchApp, pilot: Any, tell: Callable[[Any], None]) -> None:
        tell({"t": 1, "dir": "in", "line": f"!EVT 3 1000 {event}"})
        tell({"t": 1, "dir": "out", "line": "ROUN:BET 0,25;:SYST:ERR?"})
        tell({"t": 1, "dir": "in", "line": '0,"No error"'})
        tell({"t": 1, "dir": "in", "line": '-221,"Settings conflict;x\x1b[2J"'})
        await until(pilot, lambda: len(logged(app)) >= 3)
        assert logged(app) == ["Seat 1 bets $25.", "> ROUN:BET 0,25", '< -221,"Settings conflict;x�[2J"']
        await pilot.press("t")
        tell({"t": 1, "dir": "out", "line": "*OPC?;:SYST:ERR?"})
        tell({"t": 1, "dir": "in", "line": f"!EVT 4 1001 {event}"})
        await until(pilot, lambda: len(logged(app)) >= 4)
        assert logged(app)[3:] == ["Seat 1 bets $25."]

    _, kept = run(scenario, monkeypatch)
    assert len(kept) == 6, "the record has it all"


@pytest.mark.parametrize(("key", "fault"), [("q", type(None)), ("ctrl+c", KeyboardInterrupt)])
def test_a_key_ends_it(monkeypatch: pytest.MonkeyPatch, key: str, fault: type) -> None:
    async def scenario(app: WatchApp, pilot: Any, tell: Callable[[Any], None]) -> None:
        await pilot.press(key)

    app, _ = run(scenario, monkeypatch)
    assert isinstance(app.fault, fault)
    assert app._watcher.ended


def test_a_lost_table_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(app: WatchApp, pilot: Any, tell: Callable[[Any], None]) -> None:
        tell(StandFault("gone"))
        await until(pilot, lambda: app.fault is not None)

    app, _ = run(scenario, monkeypatch)
    assert str(app.fault) == "gone"


def test_a_bug_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WatchApp, "run", lambda self: (_ for _ in ()).throw(RuntimeError("oops")))
    monkeypatch.setattr(module, "Watcher", FakeWatcher)
    with pytest.raises(InternalFault, match="oops"):
        module.watch("sim://demo", print)
