"""The I2C bus: a controller whose transfers take their time, a panel's acknowledgements, injected faults.

Every byte takes nine periods of the programmed clock, 22.5 us at 400 kHz, and so does the address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rp2040py.peripherals import i2c

if TYPE_CHECKING:
    from .clock import Clock

_BITS = 9


class Bus(i2c.RPI2C):
    """Bus number 0. `answering` are the addresses that acknowledge; `faults` as in twin/device/link.py.

    `on_transfer(address, data)` gets what was received of each write, at its end.
    """

    _busy: bool

    def __init__(self, mcu: Any, clock: Clock, on_transfer: Callable[[int, bytes], None]) -> None:
        super().__init__(mcu, "I2C0", mcu.i2c[0].irq)
        self.answering: list[int] = []
        self.faults: list[list[Any]] = []
        self._clock = clock
        self._hz = mcu.clk_sys
        self._report = on_transfer
        self._alarm = clock.create_alarm(self._elapsed)
        self._then: Callable[[], None] | None = None
        self._data: bytearray | None = None
        self._kept = -1
        self._kind = ""
        self._seen = -1
        self.on_connect = self._address
        self.on_write_byte = self._byte
        self.on_read_byte = lambda _: self._after(lambda: self.complete_read(0))
        self.on_stop = self._end
        mcu.i2c[0] = self
        mcu.peripherals[0x40044] = self

    def _after(self, then: Callable[[], None]) -> None:
        """Do it when a byte's time on the bus is over."""
        self._then = then
        self._alarm.schedule(_BITS * (self.scl_high_period + self.scl_low_period) * 1e9 / self._hz)

    def _elapsed(self) -> None:
        then, self._then = self._then, None
        if then is not None:
            then()

    def _address(self, address: int, mode: int) -> None:
        self._kept = -1
        present = address in self.answering
        for fault in self.faults:
            if fault[1]:
                fault[1] -= 1
            elif fault[2] and present:
                fault[2] -= 1
                self._kind, self._kept = fault[0], fault[3]
        if present and mode == i2c.I2CMode.WRITE:
            self._data = bytearray()
        if self._kept == 0:
            self._break(lambda: self.complete_connect(False))
        else:
            self._after(lambda: self.complete_connect(present))

    def _byte(self, value: int) -> None:
        if self._data is not None:
            self._data.append(value)
        if self._data is not None and len(self._data) == self._kept:
            self._break(lambda: self.complete_write(False))
        else:
            self._after(lambda: self.complete_write(True))

    def _break(self, refuse: Callable[[], None]) -> None:
        # A bus that hangs does nothing more until the driver gives up and switches the controller off.
        if self._kind == "nak":
            self._after(refuse)

    def _end(self) -> None:
        self._deliver()
        self.complete_stop()

    def _deliver(self) -> None:
        data, self._data = self._data, None
        if data is not None:
            self._report(self.target_address, bytes(data))

    def _abort(self, reason: int) -> None:
        super()._abort(reason)
        # An abort empties the queue, which the real controller reports; MicroPython waits for it.
        self._set_interrupts(i2c.R_TX_EMPTY)

    def write_uint32(self, offset: int, value: int) -> None:
        self._seen = -1
        if offset == i2c.IC_ENABLE and not value & i2c.ENABLE and self._busy:
            self._alarm.cancel()
            self._then = None
            self._deliver()
            self._state = i2c.I2CState.IDLE
            self._busy = self._stop = self._pending_restart = False
        super().write_uint32(offset, value)

    def read_uint32(self, offset: int) -> int:
        if offset == i2c.IC_RAW_INTR_STAT:
            if self._seen == self.int_raw and self._then is not None:
                # The driver asks again and again: nothing else happens before the next alarm.
                self._clock.skip()
            self._seen = self.int_raw
        return int(super().read_uint32(offset))
