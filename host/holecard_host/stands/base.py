"""What every stand offers to the tests, the runner and the user interfaces."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Self, TypeVar

from ..errors import LOST, HolecardError, ScpiError, StepFailed, Unsupported, UsageFault
from ..picture import Picture
from ..wire import Event, Wire

KEYS = ("BET", "HIT", "STAND", "DOUBLE")
CAPABILITIES = {
    "pins": "keys can be pressed as a finger does",
    "commands": "keys can be pressed by command (BENCh:PRESs)",
    "bench": "cards, rules and bankrolls can be set (the table is in bench mode)",
    "panel": "what the glass shows can be seen",
    "framebuffer": "what the table wants to show can be read",
    "wire": "the command language",
    "power": "the power can be cut",
    "bounce": "contacts can bounce in a chosen pattern",
    "clock": "time can be made to pass without waiting",
    "faults": "faults can be injected",
}
# A press is this long unless a test says otherwise.
PRESS_MS = 60
# How much of the table's time passes between two looks while something is waited for.
_LOOK_MS = 5
# The device's clock; deadlines are compared modulo its range.
_WRAP = 1 << 30
LONGEST_WAIT_MS = 500_000
# A table whose clock stands still is given up after this much of the wall clock, beside what was waited for.
_STANDSTILL_SECONDS = 5.0
_T = TypeVar("_T")


def key_index(key: str | int) -> int:
    """0..3 for "BET", "HIT", "STAND", "DOUBLE" in any case, or for the number itself. Raises UsageFault."""
    if isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(KEYS):
        return key
    if isinstance(key, str) and key.upper() in KEYS:
        return KEYS.index(key.upper())
    raise UsageFault(f"no key {key}: one of {', '.join(KEYS)}")


class Stand:
    """A table that can be tested, through `wire` and what its `capabilities` name; see CAPABILITIES.

    What a stand cannot do raises Unsupported; a stand that is lost raises StandFault, FirmwareCrash when its firmware
    ended by itself. Use it as a context manager, or call `close`. `restarts`: how often `restore` was called.
    `faults`, where offered, injects faults: it has plug_panel, fail_transfers, read_host and cut_at_flash, see
    twin/live.py.
    """

    url: str
    capabilities: frozenset[str]
    wire: Wire
    faults: Any
    identity: str
    restarts: int

    def __init__(self) -> None:
        self.restarts = 0
        self._untaken: deque[Event] = deque()

    # What it has

    def missing(self, *needed: str) -> list[str]:
        """Those of the `needed` capabilities that this stand does not have. Raises UsageFault for an unknown name."""
        for name in needed:
            if name not in CAPABILITIES:
                raise UsageFault(f"no capability {name!r}: one of {', '.join(CAPABILITIES)}")
        return [name for name in needed if name not in self.capabilities]

    def require(self, *needed: str) -> None:
        """Raise Unsupported, which names what is missing, unless this stand has all the `needed` capabilities."""
        lacking = self.missing(*needed)
        if lacking:
            told = "; ".join(f"{name}: {CAPABILITIES[name]}" for name in lacking)
            raise Unsupported(f"{self.url} does not have what is needed ({told})")

    # Hands and eyes

    def press(self, key: str | int, ms: int = PRESS_MS, bounce_seed: int | None = None) -> None:
        """Press a key for `ms` milliseconds and return when it has settled; `bounce_seed` chooses a bounce pattern."""
        raise self._cannot("press keys")

    def press_down(self, *keys: str | int) -> None:
        """Press keys, all at the same instant, and keep them down."""
        raise self._cannot("hold keys down")

    def release(self, *keys: str | int) -> None:
        """Let keys go, all at the same instant."""
        raise self._cannot("hold keys down")

    def frame(self) -> bytes:
        """The panel as 1,024 page-major bytes: the glass with the capability "panel", else the frame buffer."""
        raise self._cannot("see the panel")

    def panel(self) -> Picture:
        """The panel as a picture."""
        return Picture(self.frame())

    def lamps(self) -> int:
        """Mask of the lamps that are lit: BET 1, HIT 2, STAND 4, DOUBLE 8."""
        raise self._cannot("see the lamps")

    # Time

    def advance(self, ms: float) -> None:
        """Let `ms` milliseconds pass on the table; waits that long unless the stand has the capability "clock"."""
        raise self._cannot("let time pass")

    def now_us(self) -> int:
        """The stand's clock in microseconds; only differences modulo 2^30 mean anything."""
        raise self._cannot("tell the time")

    def wait_until(self, look: Callable[[], _T | None], within_ms: float, missed: Callable[[], str] | str) -> _T:
        """Look again and again until `look` finds something, and return that.

        The deadline is taken by the table's own clock. Raises StepFailed with the text `missed` once it has passed,
        UsageFault for one that is not between 0 and LONGEST_WAIT_MS.
        """
        if not 0 <= within_ms <= LONGEST_WAIT_MS:
            raise UsageFault(f"a deadline is 0 to {LONGEST_WAIT_MS} ms away, not {within_ms:g}")
        found = look()
        if found is not None:
            return found
        start, began = self.now_us(), time.monotonic()
        limit = within_ms * 1000
        while (passed := (self.now_us() - start) % _WRAP) < limit:
            if "clock" not in self.capabilities and time.monotonic() - began > _STANDSTILL_SECONDS + limit / 500_000:
                break
            self.advance(min(_LOOK_MS, (limit - passed) / 1000))
            found = look()
            if found is not None:
                return found
        raise StepFailed(missed() if callable(missed) else missed)

    # Events

    def listen(self) -> None:
        """From now on events are kept for `wait_event`; what happened before is forgotten."""
        self._push_events()
        self.wire.ask("*OPC?")
        self.wire.take_events()
        self._untaken.clear()

    def take_events(self) -> list[Event]:
        """The events that have come and that nobody has taken; never waits. See `listen`."""
        taken = [*self._untaken, *self.wire.take_events()]
        self._untaken.clear()
        return taken

    def wait_event(self, kind: str, within_ms: float = 2000, **fields: Any) -> Event:
        """Take events in their order until one of this `kind` with these `fields` comes, and return it.

        What was passed over is gone; what comes after it stays for the next call. Raises StepFailed at the deadline,
        with what came instead. Without `listen` before, what the table still has in its queue counts, too.
        """
        self._push_events()
        passed: list[Event] = []

        def look() -> Event | None:
            events = self.take_events()
            for index, event in enumerate(events):
                if event.data.get("event") == kind and all(event.data.get(k) == v for k, v in fields.items()):
                    self._untaken.extend(events[index + 1 :])
                    return event
                passed.append(event)
            return None

        def missed() -> str:
            wanted = kind + "".join(f" {name}={value!r}" for name, value in fields.items())
            came = ", ".join(_shortly(event) for event in passed[-6:]) or "none"
            more = f"the last 6 of {len(passed)}" if len(passed) > 6 else "events that came"
            return f"no event {wanted} within {within_ms:g} ms; {more}: {came}"

        return self.wait_until(look, within_ms, missed)

    def _push_events(self) -> None:
        # A table that has restarted since does not push any more.
        if self.wire.ask("SYST:COMM:EVEN?") != "1":
            self.wire.command("SYST:COMM:EVEN ON")

    # Power

    def cut(self) -> None:
        """Switch the power off."""
        raise self._cannot("cut the power")

    def restore(self) -> None:
        """Switch the power on again, and return when the table answers."""
        raise self._cannot("cut the power")

    def close(self) -> None:
        """Give the table back. Harmless when repeated."""
        self.wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _cannot(self, what: str) -> Unsupported:
        return Unsupported(f"{self.url} cannot {what}: it offers {', '.join(sorted(self.capabilities))}")

    def _by_mode(self) -> set[str]:
        """What only a table in bench mode offers."""
        try:
            return {"bench", "commands"} if self.wire.ask("SYST:MODE?") == "bench" else set()
        except ScpiError:
            return set()


def _shortly(event: Event) -> str:
    rest = " ".join(f"{name}={value}" for name, value in event.data.items() if name != "event")
    return f"{event.data.get('event')} {rest}".strip()


@contextlib.contextmanager
def afterwards(stand: Stand, line: str) -> Iterator[None]:
    """Sends `line` when the block is left, however it is left: what a program changes at a table it changes back.

    A stand that was lost in the block gets nothing, and what goes wrong with the line is suppressed: the reason why the
    block was left matters more.
    """
    lost = False
    try:
        yield
    except LOST:
        lost = True
        raise
    finally:
        if not lost:
            with contextlib.suppress(HolecardError):
                stand.wire.command(line)
