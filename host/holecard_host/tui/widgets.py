"""The parts of the table on a terminal: the panel pixel for pixel, the four arcade buttons, the event log."""

from __future__ import annotations

import time

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.app import RenderResult
from textual.events import Click, MouseDown, MouseUp
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import RichLog

from holecard_host.picture import Picture

# A click takes less time than it takes to draw the button pressed in.
_SEEN_SECONDS = 0.15
# Columns and rows that the panel needs in each style of drawing.
PANEL_SIZES = {"half": (128, 32), "braille": (64, 16)}


class PanelView(Widget):
    """The 128x64 panel: half blocks (128x32 cells) where they fit, else braille (64x16)."""

    picture: reactive[Picture] = reactive(Picture.blank, layout=False)
    drawing: reactive[str] = reactive("half", layout=True)

    _GLOW = Style.parse("#d6ecff on #07090e")

    def __init__(self) -> None:
        super().__init__(id="panel")
        self._lines = self.picture.lines(self.drawing)

    def get_content_width(self, *_: object) -> int:
        return PANEL_SIZES[self.drawing][0]

    def get_content_height(self, *_: object) -> int:
        return PANEL_SIZES[self.drawing][1]

    def watch_picture(self, picture: Picture) -> None:
        """Draw another picture."""
        self._lines = picture.lines(self.drawing)

    def watch_drawing(self, drawing: str) -> None:
        """Draw in the other style."""
        self._lines = self.picture.lines(drawing)

    def render_line(self, y: int) -> Strip:
        """One line of cells."""
        if y >= len(self._lines):
            return Strip.blank(self.size.width, self._GLOW)
        return Strip([Segment(self._lines[y], self._GLOW)], len(self._lines[y]))


class ArcadeButton(Widget):
    """One big button with a lamp. The mouse presses and releases it as a finger would; a letter taps it."""

    lit: reactive[bool] = reactive(False)
    pressed: reactive[bool] = reactive(False)

    class Down(Message):
        """A finger is on the button."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Up(Message):
        """The finger has left the button."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, key: str, letter: str, number: int) -> None:
        super().__init__(id=key.lower(), classes="button")
        self.key = key
        self._letter = letter
        self._number = number
        self._held = False
        self._down_at = 0.0

    def watch_lit(self, lit: bool) -> None:
        """Light the lamp or darken it."""
        self.set_class(lit, "lit")

    def watch_pressed(self, pressed: bool) -> None:
        """Show the button pressed in."""
        self.set_class(pressed, "pressed")

    def render(self) -> RenderResult:
        """The name, with a lamp and the letter that presses it."""
        lamp = "●" if self.lit else "○"
        return Text.assemble(f"{lamp} ", (self.key, "bold"), f"  {self._letter}/{self._number}", no_wrap=True)

    def on_mouse_down(self, event: MouseDown) -> None:
        """Press, and keep the mouse so that the release is seen wherever it happens."""
        event.stop()
        self.capture_mouse()
        self._held = True
        self._down_at = time.monotonic()
        self.pressed = True
        self.post_message(self.Down(self.key))

    def on_mouse_up(self, event: MouseUp) -> None:
        """Release."""
        event.stop()
        self.release_mouse()
        self.let_go()

    def on_click(self, event: Click) -> None:
        """Nothing more: down and up have said it all."""
        event.stop()

    def on_blur(self) -> None:
        """A button that loses the terminal's attention is not held any more."""
        self.let_go()

    def let_go(self) -> None:
        """Take the finger away. Harmless when there is none."""
        if self._held:
            self._held = False
            self.set_timer(max(0.001, self._down_at + _SEEN_SECONDS - time.monotonic()), self._pop_up)
            self.post_message(self.Up(self.key))

    def _pop_up(self) -> None:
        if not self._held:
            self.pressed = False


class EventLog(RichLog):
    """What the table reports, one friendly line each, newest at the bottom."""

    def __init__(self) -> None:
        super().__init__(id="log", wrap=True, markup=False, max_lines=500, min_width=10)
        self.can_focus = False
        self.border_title = "events"

    def add(self, text: str, tone: str = "") -> None:
        """Add a line in one of the tones of `friendly`."""
        styles = {"title": "bold #d9c27a", "good": "#9be89b", "bad": "#ff9c8f", "quiet": "#8fb3a0", "": "#e7efe9"}
        self.write(Text(text, styles[tone]))
