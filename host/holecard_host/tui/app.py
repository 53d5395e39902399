"""`holecard play` in a terminal: the table's panel, its four buttons and its events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.events import Key, Resize
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Footer, Static

from holecard_host.condition import PLAYABLE, Condition, can_press, way_out
from holecard_host.stands.base import afterwards
from holecard_host.tui.feed import EVENTS_OFF, EVENTS_ON, HOLD_MS, TAP_MS, Feed, Update
from holecard_host.tui.friendly import friendly
from holecard_host.tui.screen import TableApp
from holecard_host.tui.widgets import PANEL_SIZES, ArcadeButton, EventLog, PanelView

if TYPE_CHECKING:
    from holecard_host.stands import Stand

KEYS = (("BET", "b"), ("HIT", "h"), ("STAND", "s"), ("DOUBLE", "d"))
# What the terminal must have for each way to draw the panel: its cells, a bezel, the buttons, some log, the footer.
_BEZEL = 2
_BUTTON_ROWS = 3
_BIG_EXTRA = 3  # more rows for big buttons and the felt above them
_LEAST_LOG_ROWS = 3
_LEAST_LOG_COLUMNS = 28
_LEAST = (PANEL_SIZES["braille"][0] + _BEZEL, PANEL_SIZES["braille"][1] + _BUTTON_ROWS + 1)


@dataclass(frozen=True)
class Layout:
    """How to draw on a terminal: the panel's style, a bezel or none, the log beside or below, big buttons, a frame."""

    style: str
    bezel: bool
    beside: bool
    big: bool
    framed: bool

    def classes(self) -> dict[str, bool]:
        """The style sheet's classes, and whether each is set."""
        return {
            "half": self.style == "half",
            "bezel": self.bezel,
            "beside": self.beside,
            "big": self.big,
            "framed": self.framed,
        }


def layout_for(columns: int, rows: int) -> Layout | None:
    """The best layout for a terminal of this size; None when even the smallest drawing does not fit."""
    for style in ("half", "braille"):
        width, height = PANEL_SIZES[style]
        spare = rows - height - _BUTTON_ROWS - 1
        if columns < width + _BEZEL or spare < 0:
            continue
        beside = columns >= width + _BEZEL + _LEAST_LOG_COLUMNS
        log_rows = 0 if beside else _LEAST_LOG_ROWS
        # Half blocks without room for any log: braille leaves some.
        if style == "half" and spare < log_rows:
            continue
        bezel = spare >= log_rows + _BEZEL
        big = spare >= log_rows + _BEZEL + _BIG_EXTRA
        left = spare - (_BEZEL if bezel else 0) - (_BIG_EXTRA if big else 0)
        return Layout(style, bezel, beside, big, framed=beside or left > _LEAST_LOG_ROWS + _BEZEL)
    return None


class PlayApp(TableApp):
    """Plays on one stand."""

    CSS_PATH = "play.tcss"
    BINDINGS: ClassVar = [
        ("b", "tap('BET')", "Bet"),
        ("h", "tap('HIT')", "Hit"),
        ("s", "tap('STAND')", "Stand"),
        ("d", "tap('DOUBLE')", "Double"),
        ("B", "hold('BET')", "Shift: hold"),
        ("q", "quit", "Quit"),
    ]

    class FromTable(Message):
        """Something the feed delivered."""

        def __init__(self, item: Update | Exception) -> None:
            super().__init__()
            self.item = item

    def __init__(self, stand: Stand, found: Condition = PLAYABLE) -> None:
        super().__init__()
        self._stand = stand
        self._found = found
        self._feed = Feed(stand, lambda item: self.post_message(self.FromTable(item)), found)
        self._pop_up: dict[str, Timer] = {}

    def compose(self) -> ComposeResult:
        """The felt: panel and buttons in the middle, the log beside or below; keys and a notice in the last row."""
        with Container(id="felt"):
            with Vertical(id="table"):
                with Container(id="bezel"):
                    yield PanelView()
                with Horizontal(id="buttons"):
                    for number, (key, letter) in enumerate(KEYS, 1):
                        yield ArcadeButton(key, letter, number)
            yield EventLog()
        yield Static(id="small")
        with Horizontal(id="foot"):
            yield Footer(show_command_palette=False)
            yield Static(id="notice")

    def on_mount(self) -> None:
        """Start the feed."""
        self.query_one(EventLog).border_subtitle = self._stand.url
        self._tell_condition()
        self._feed.start()

    def on_unmount(self) -> None:
        """End the feed before the stand is closed."""
        self._feed.stop()

    def on_resize(self, event: Resize) -> None:
        """Fit the drawing to the terminal."""
        columns, rows = event.size
        fit = layout_for(columns, rows)
        if self.has_class("too-small") != (fit is None):
            self.set_class(fit is None, "too-small")
            self.refresh_bindings()
        if fit is None:
            for button in self.query(ArcadeButton):
                button.let_go()
            self.query_one("#small", Static).update(
                f"The table needs {_LEAST[0]} columns and {_LEAST[1]} rows.\n"
                f"This terminal has {columns} and {rows}.\n"
                "Make it larger, or press q to quit."
            )
            return
        self.query_one(PanelView).drawing = fit.style
        for name, wanted in fit.classes().items():
            self.set_class(wanted, name)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No press where the player would not see what comes of it, or where the table would not obey."""
        if action in ("tap", "hold"):
            return not self.has_class("too-small") and can_press(self._stand, self._found)
        return True

    def on_key(self, event: Key) -> None:
        """Digits and capital letters; the small letters are bindings, so that the footer explains them."""
        for number, (key, letter) in enumerate(KEYS, 1):
            if event.character == str(number) and self.check_action("tap", ()):
                self.action_tap(key)
            elif event.character == letter.upper() and key != "BET" and self.check_action("hold", ()):
                self.action_hold(key)

    def action_tap(self, key: str) -> None:
        """A short press."""
        self._feed.tap(key)
        self._show_pressed(key, TAP_MS)

    def action_hold(self, key: str) -> None:
        """A press long enough for the key's second meaning."""
        self._feed.tap(key, HOLD_MS)
        self._show_pressed(key, HOLD_MS)

    def _show_pressed(self, key: str, ms: int) -> None:
        button = self._button(key)
        button.pressed = True
        if key in self._pop_up:
            self._pop_up[key].stop()
        self._pop_up[key] = self.set_timer(ms / 1000 + 0.06, lambda: setattr(button, "pressed", False))

    def _button(self, key: str) -> ArcadeButton:
        return self.query_one(f"#{key.lower()}", ArcadeButton)

    @on(ArcadeButton.Down)
    def _mouse_down(self, message: ArcadeButton.Down) -> None:
        self._feed.down(message.key)

    @on(ArcadeButton.Up)
    def _mouse_up(self, message: ArcadeButton.Up) -> None:
        self._feed.up(message.key)

    @on(FromTable)
    def _from_table(self, message: FromTable) -> None:
        item = message.item
        if isinstance(item, Exception):
            self.end(item)
            return
        if item.picture is not None:
            self.query_one(PanelView).picture = item.picture
        if item.lamps is not None:
            for index, (key, _) in enumerate(KEYS):
                self._button(key).lit = bool(item.lamps >> index & 1)
        if item.found is not None:
            self._found = item.found
        log = self.query_one(EventLog)
        for event in item.events:
            line = friendly(event.data)
            if line is not None:
                log.add(*line)
        if item.found is not None:
            self._tell_condition()

    def _tell_condition(self) -> None:
        """Why this table cannot be played on, if so, and what can be done."""
        log = self.query_one(EventLog)
        # Stays, and has room on every terminal; the log tells more, where there is one.
        notices = []
        if not can_press(self._stand, self._found):
            notices.append("Watch only: an arcade table")
            log.add("An arcade table: its keys work only at the table itself. Here you can watch.", "title")
            self.refresh_bindings()
        if self._found.locked:
            notices.append(f"Locked: {self._found.locked}")
            log.add(f"This table is locked: {self._found.locked}.", "bad")
            log.add(f"The way out: {way_out(self._stand.url, self._found)}.")
        self.query_one("#notice", Static).update(Text(". ".join(notices)))


def play(stand: Stand, found: Condition = PLAYABLE) -> None:
    """Play until the player quits; `found` is the condition of the table.

    Raises what the stand raised when it was lost, KeyboardInterrupt for Ctrl-C, SystemExit for other signals,
    InternalFault for a bug.
    """
    # The next program at a table that stays on may not expect events.
    with afterwards(stand, EVENTS_OFF):
        if found.locked:
            # What still waits tells of a game that there was before.
            for _ in range(stand.wire.ask_int("SYST:EVEN:COUN?")):
                stand.wire.ask("SYST:EVEN?")
        stand.wire.command(EVENTS_ON)
        PlayApp(stand, found).show()
