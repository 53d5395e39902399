"""`holecard watch` in a terminal: the same felt as `play`, with nothing on it that can be pressed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.events import Resize
from textual.message import Message
from textual.widgets import Footer, Static

from holecard_host.picture import Picture
from holecard_host.text import printable
from holecard_host.tui.app import KEYS
from holecard_host.tui.friendly import friendly
from holecard_host.tui.screen import TableApp
from holecard_host.tui.widgets import PANEL_SIZES, EventLog, PanelView
from holecard_host.watching import Watcher
from holecard_host.wire import EVENT, essence

# Lamps, one line; meters, two; loop and source, one each.
_FACT_ROWS = 5
_LEAST_LOG_ROWS = 2
_LEAST_LOG_COLUMNS = 34
_COLORS = {"BET": "#f2b632", "HIT": "#35c46a", "STAND": "#ef5350", "DOUBLE": "#4a9df0"}


class WatchApp(TableApp):
    """Shows one table."""

    CSS = """
    Screen { background: #0b3527; }
    #felt { layout: vertical; align: center top; height: 1fr; }
    #seen { width: auto; height: auto; }
    #panel { width: auto; height: auto; background: #07090e; }
    .hidden #panel { display: none; }
    #facts { width: 64; height: 5; background: #0b3527; color: #e7efe9;
             text-wrap: nowrap; text-overflow: ellipsis; }
    .half #facts { width: 128; }
    .narrow #facts { width: 100%; }
    .narrow #seen { width: 100%; }
    #log { background: #08281d; color: #e7efe9; height: 1fr; width: 64; scrollbar-size-vertical: 1; }
    .half #log { width: 128; }
    .narrow #log { width: 100%; }
    .beside #felt { layout: horizontal; }
    .beside #seen { height: 100%; align: center middle; }
    .beside #log { width: 1fr; height: 100%; margin: 0 1; }
    .framed #log { border: round #2f6b52; border-title-color: #d9c27a; border-subtitle-color: #7fa894; }
    Footer { background: #06231a; }
    """
    BINDINGS: ClassVar = [
        ("q", "quit", "Quit"),
        ("t", "traffic", "Wire on/off"),
    ]

    class Seen(Message):
        """Something the watcher delivered."""

        def __init__(self, item: dict[str, Any] | Exception) -> None:
            super().__init__()
            self.item = item

    def __init__(self, url: str, keep: Callable[[dict[str, Any]], object], seconds: float | None) -> None:
        super().__init__()
        self._url = url
        self._keep = keep
        self._seconds = seconds
        self._watcher = Watcher(url, lambda item: self.post_message(self.Seen(item)))
        self._facts: dict[str, Any] = {"lamps": 0, "meters": {}, "loop": None, "from": ""}
        self._traffic = True

    def compose(self) -> ComposeResult:
        """The panel over the facts, the log beside or below."""
        with Container(id="felt"):
            with Vertical(id="seen"):
                yield PanelView()
                yield Static(id="facts")
            yield EventLog()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Begin to look."""
        log = self.query_one(EventLog)
        log.border_title, log.border_subtitle = "events and wire", self._url
        if self._seconds is not None:
            self.set_timer(max(0.001, self._seconds), self.exit)
        self._show_facts()
        self._watcher.start()

    def on_unmount(self) -> None:
        """Leave the table."""
        self._watcher.stop()

    def on_resize(self, event: Resize) -> None:
        """Half blocks, braille, or no panel at all, whatever fits."""
        columns, rows = event.size
        style = ""
        for name in ("half", "braille"):
            width, height = PANEL_SIZES[name]
            beside = columns >= width + _LEAST_LOG_COLUMNS
            if columns >= width and rows - 1 >= height + _FACT_ROWS + (0 if beside else _LEAST_LOG_ROWS):
                style = name
                break
        if style:
            self.query_one(PanelView).drawing = style
        beside = bool(style) and columns >= PANEL_SIZES[style][0] + _LEAST_LOG_COLUMNS
        spare = rows - 1 - _FACT_ROWS - (PANEL_SIZES[style][1] if style else 0)
        for name, wanted in {
            "half": style == "half",
            "hidden": not style,
            "narrow": not style,
            "beside": beside,
            "framed": beside or spare >= _LEAST_LOG_ROWS + 3,
        }.items():
            self.set_class(wanted, name)
        self._show_facts()

    def action_traffic(self) -> None:
        """Show requests and answers in the log, or only events."""
        self._traffic = not self._traffic

    @on(Seen)
    def _seen(self, message: Seen) -> None:
        item = message.item
        if isinstance(item, Exception):
            self.end(item)
            return
        self._keep(item)
        if "picture" in item:
            with contextlib.suppress(ValueError):
                self.query_one(PanelView).picture = Picture.from_hex(item["picture"])
        known = {name: item[name] for name in self._facts if name in item}
        if known:
            self._facts.update(known)
            self._show_facts()
        if "line" in item:
            self._add(item["dir"], item["line"])

    def _add(self, direction: str, line: str) -> None:
        log = self.query_one(EventLog)
        found = EVENT.match(line)
        if found is not None:
            with contextlib.suppress(ValueError):
                told = friendly(json.loads(found[3]))
                if told is not None:
                    log.add(*told)
        elif self._traffic:
            text = essence(line)
            if text:
                width = max(20, log.size.width - 4)
                text = f"{'>' if direction == 'out' else '<'} {printable(text)}"
                log.add(text if len(text) <= width else f"{text[: width - 1]}…", "quiet")

    def _show_facts(self) -> None:
        facts = self._facts
        text = Text(no_wrap=True, overflow="ellipsis")
        for index, (key, _) in enumerate(KEYS):
            lit = facts["lamps"] >> index & 1
            text.append(f"{'●' if lit else '○'} {key}   ", f"bold {_COLORS[key]}" if lit else "#7fa894")
        meters = [f"{name} {value}" for name, value in facts["meters"].items()] or ["no meters yet"]
        half = (len(meters) + 1) // 2
        for row in (meters[:half], meters[half:]):
            text.append("\n" + "  ".join(row), "#e7efe9")
        loop = "" if facts["loop"] is None else f"{facts['loop'] / 1000:.2f} ms for a pass with a request"
        text.append(f"\nloop: {loop or 'not seen yet'}", "#d9c27a")
        text.append(f"\nseen through {facts['from'] or 'nobody yet'}", "#7fa894")
        self.query_one("#facts", Static).update(text)


def watch(url: str, keep: Callable[[dict[str, Any]], object], seconds: float | None = None) -> None:
    """Watch until the person quits, or for so many seconds; `keep` gets everything that is seen.

    Raises what ended it: what the table raised, KeyboardInterrupt for Ctrl-C, InternalFault for a bug.
    """
    WatchApp(url, keep, seconds).show()
