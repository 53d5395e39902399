"""A table on a serial port, a pseudo-terminal or a socket: everything goes over the wire."""

from __future__ import annotations

import time

from ..errors import StandFault
from ..picture import Picture
from ..wire import Wire
from .base import KEYS, PRESS_MS, Stand, key_index
from .power import Power

# From the power's return to an answer: the board's start, and the system's finding of the port.
_RETURN_SECONDS = 20.0


class SerialStand(Stand):
    """A real table. `url` is a path, a COM port or socket://host:port; raises StandFault when nothing answers there.

    Its power can be cut where `power` says how. Its keys are pressed by command, so in arcade mode not at all.
    """

    def __init__(self, url: str, timeout: float | None = None, power: Power | None = None) -> None:
        super().__init__()
        self.url = url
        self._power = power
        self.wire = Wire(url) if timeout is None else Wire(url, timeout=timeout)
        try:
            self.identity = self.wire.sync()
            by_mode = self._by_mode()
        except BaseException:
            self.wire.close()
            raise
        self.capabilities = frozenset({"framebuffer", "wire", *by_mode, *(("power",) if power else ())})

    def press(self, key: str | int, ms: int = PRESS_MS, bounce_seed: int | None = None) -> None:
        if bounce_seed is not None:
            raise self._cannot("make contacts bounce")
        if "commands" not in self.capabilities:
            raise self._cannot("press keys")
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
        self.wire.did("advance", ms)
        time.sleep(ms / 1000)

    def now_us(self) -> int:
        return self.wire.ask_int("SYST:TIME?")

    def cut(self) -> None:
        if self._power is None:
            raise self._cannot("cut the power (HOLECARD_POWER_OFF and HOLECARD_POWER_ON, or HOLECARD_UHUBCTL, say how)")
        self.wire.did("cut")
        self.wire.hang_up()
        self._power.off()

    def restore(self) -> None:
        if self._power is None:
            raise self._cannot("cut the power")
        self.wire.did("restore")
        self.restarts += 1
        self._power.on()
        deadline = time.monotonic() + _RETURN_SECONDS
        while True:
            try:
                self.wire.reopen()
                self.identity = self.wire.sync()
                return
            except StandFault as fault:
                if time.monotonic() > deadline:
                    raise StandFault(f"{fault} (power is on again for {_RETURN_SECONDS:g} s)") from None
            time.sleep(0.2)
