"""What every stand offers to the tests, the runner and the user interfaces."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Self

from ..errors import LOST, HolecardError, UsageFault
from ..picture import Picture
from ..wire import Wire

KEYS = ("BET", "HIT", "STAND", "DOUBLE")
CAPABILITIES = {
    "pins": "keys can be pressed as a finger does",
    "commands": "keys can be pressed by command (BENCh:PRESs)",
    "panel": "what the glass shows can be seen",
    "framebuffer": "what the table wants to show can be read",
    "wire": "the command language",
    "power": "the power can be cut",
    "bounce": "contacts can bounce in a chosen pattern",
    "clock": "time can be made to pass without waiting",
    "faults": "faults can be injected",
}


def key_index(key: str | int) -> int:
    """0..3 for "BET", "HIT", "STAND", "DOUBLE" in any case, or for the number itself. Raises UsageFault."""
    if isinstance(key, int) and 0 <= key < len(KEYS):
        return key
    if isinstance(key, str) and key.upper() in KEYS:
        return KEYS.index(key.upper())
    raise UsageFault(f"no key {key}: one of {', '.join(KEYS)}")


class Stand:
    """A table that can be tested, through `wire` and what its `capabilities` name; see CAPABILITIES.

    What a stand cannot do raises UsageFault; a stand that is lost raises StandFault, FirmwareCrash when its firmware
    ended by itself. Use it as a context manager, or call `close`. `faults`, where offered, injects faults: it has
    plug_panel, fail_transfers, read_host and cut_at_flash, see twin/live.py.
    """

    url: str
    capabilities: frozenset[str]
    wire: Wire
    faults: Any

    def press(self, key: str | int, ms: int = 60, bounce_seed: int | None = None) -> None:
        """Press a key for `ms` milliseconds and return when it has settled; `bounce_seed` chooses a bounce pattern."""
        raise self._cannot("press keys")

    def press_down(self, key: str | int) -> None:
        """Press a key and keep it down."""
        raise self._cannot("hold keys down")

    def release(self, key: str | int) -> None:
        """Let a key go."""
        raise self._cannot("hold keys down")

    def frame(self) -> bytes:
        """The panel as 1,024 page-major bytes."""
        raise self._cannot("see the panel")

    def panel(self) -> Picture:
        """The panel as a picture."""
        return Picture(self.frame())

    def lamps(self) -> int:
        """Mask of the lamps that are lit: BET 1, HIT 2, STAND 4, DOUBLE 8."""
        raise self._cannot("see the lamps")

    def advance(self, ms: float) -> None:
        """Let `ms` milliseconds pass on the table; waits that long unless the stand has the capability "clock"."""
        raise self._cannot("let time pass")

    def now_us(self) -> int:
        """The stand's clock in microseconds; only differences mean anything."""
        raise self._cannot("tell the time")

    def cut(self) -> None:
        """Switch the power off."""
        raise self._cannot("cut the power")

    def restore(self) -> None:
        """Switch the power on again."""
        raise self._cannot("cut the power")

    def close(self) -> None:
        """Give the table back. Harmless when repeated."""
        self.wire.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _cannot(self, what: str) -> UsageFault:
        return UsageFault(f"{self.url} cannot {what}: it offers {', '.join(sorted(self.capabilities))}")


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
