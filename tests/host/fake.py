"""A stand without a table behind it: canned answers, and a record of what was asked of it."""

from __future__ import annotations

from collections.abc import Callable

from holecard_host.errors import ScpiError
from holecard_host.picture import Picture
from holecard_host.wire import Wire

Answer = str | Exception | Callable[[], str]


class FakeWire:
    """Answers from `answers` (a list is used up, its last entry stays); commands succeed unless listed there."""

    name = "fake://table"
    ask_json, ask_record, ask_int, _odd = Wire.ask_json, Wire.ask_record, Wire.ask_int, Wire._odd

    def __init__(self) -> None:
        self.answers: dict[str, Answer | list[Answer]] = {"*OPC?": "1"}
        self.sent: list[str] = []
        self.pending: list[object] = []

    def ask(self, line: str) -> str:
        self.sent.append(line)
        return self._answer(line, None)

    def command(self, line: str) -> None:
        self.sent.append(line)
        self._answer(line, "")

    def take_events(self) -> list[object]:
        taken, self.pending = self.pending, []
        return taken

    def _answer(self, line: str, default: str | None) -> str:
        found = self.answers.get(line, default)
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if found is None:
            raise ScpiError(-113, f"Undefined header;{line}")
        if isinstance(found, Exception):
            raise found
        return found() if callable(found) else found


class FakeStand:
    """Has pins and a panel; `fault`, once set, is raised by the next look at the panel."""

    def __init__(self, *capabilities: str) -> None:
        self.url = "fake://table"
        self.capabilities = frozenset(capabilities or ("pins", "panel", "wire", "clock"))
        self.wire = FakeWire()
        self.picture = Picture.blank()
        self.mask = 0
        self.done: list[tuple[str, ...]] = []
        self.fault: Exception | None = None

    def press(self, key: str, ms: int = 60, bounce_seed: int | None = None) -> None:
        self.done.append(("press", key, str(ms)))

    def press_down(self, *keys: str) -> None:
        self.done += [("down", key) for key in keys]

    def release(self, *keys: str) -> None:
        self.done += [("up", key) for key in keys]

    def panel(self) -> Picture:
        if self.fault is not None:
            raise self.fault
        return self.picture

    def lamps(self) -> int:
        return self.mask

    def advance(self, ms: float) -> None:
        self.done.append(("advance", str(ms)))

    def close(self) -> None:
        self.done.append(("close",))

    def __enter__(self) -> FakeStand:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
