"""A table on a serial port, a pseudo-terminal or a socket: everything goes over the wire."""

from __future__ import annotations

import time

from ..errors import StandFault
from ..picture import Picture
from ..wire import Wire
from .base import KEYS, Stand, key_index


class SerialStand(Stand):
    """A real table. `url` is a path, a COM port or socket://host:port; raises StandFault when nothing answers there."""

    capabilities = frozenset({"commands", "framebuffer", "wire"})

    def __init__(self, url: str, timeout: float | None = None) -> None:
        self.url = url
        self.wire = Wire(url) if timeout is None else Wire(url, timeout=timeout)
        try:
            self.identity = self.wire.sync()
        except BaseException:
            self.wire.close()
            raise

    def press(self, key: str | int, ms: int = 60, bounce_seed: int | None = None) -> None:
        if bounce_seed is not None:
            raise self._cannot("make contacts bounce")
        self.wire.command(f"BENC:PRES {KEYS[key_index(key)]},{ms}")
        self.wire.ask("*OPC?")

    def frame(self) -> bytes:
        answer = self.wire.ask("DISP:DATA?")
        try:
            return Picture.from_hex(answer).data
        except ValueError:
            raise StandFault(f"{self.url}: this is no picture: {answer[:40]!r}") from None

    def lamps(self) -> int:
        return self.wire.ask_int("DIAG:LAMP?")

    def advance(self, ms: float) -> None:
        time.sleep(ms / 1000)

    def now_us(self) -> int:
        return self.wire.ask_int("SYST:TIME?")
