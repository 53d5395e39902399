"""The last lines that went over a wire, and what was done to the stand in between."""

from __future__ import annotations

from collections import deque
from typing import Any

from ..observe import Observer
from ..stands.base import KEYS
from ..text import Lines, printable
from ..wire import essence

_KEPT = 30
_LONGEST = 300
_WAITED = "* wait "


class Tail(Observer):
    """`lines` are the last ones: `>` to the table, `<` from it, `*` what was done to it in another way."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=_KEPT)
        self._lines = {">": Lines(), "<": Lines()}

    def clear(self) -> None:
        """Forget all, for the next test."""
        self.lines.clear()

    def sent(self, data: bytes, aside: bool) -> None:
        self._take(">", data)

    def heard(self, data: bytes, aside: bool) -> None:
        self._take("<", data)

    def did(self, what: str, arguments: tuple[Any, ...]) -> None:
        if what == "advance":
            self._waited(float(arguments[0]))
            return
        shown = list(arguments)
        if what in ("press_down", "release"):
            shown = [KEYS[key] for key in arguments]
        elif what == "press":
            shown[0] = KEYS[arguments[0]]
        self.lines.append(" ".join(["*", what, *(str(value) for value in shown if value is not None)]))

    def _waited(self, ms: float) -> None:
        """A wait is made of many short ones, and is one line."""
        if self.lines and self.lines[-1].startswith(_WAITED):
            ms += float(self.lines.pop().removeprefix(_WAITED).removesuffix(" ms"))
        self.lines.append(f"{_WAITED}{ms:.10g} ms")

    def _take(self, mark: str, data: bytes) -> None:
        for line in self._lines[mark].feed(data):
            text = essence(line.strip("\r\x18"))
            if text:
                self.lines.append(f"{mark} {printable(text if len(text) <= _LONGEST else text[:_LONGEST] + '...')}")
