"""The serial port over USB: bytes to and from the chip, with a host that may stop reading.

rp2040py's host answers every request at once, with empty packets when it has nothing, which keeps the chip busy for
nothing: this one lets the endpoint wait, as a real host's NAK does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from rp2040py.usb.cdc import USBCDC

_PACKET = 64
# Where an endpoint's buffer control word for sending lies in the controller's memory, and its bit AVAILABLE.
_CONTROL = 0x80
_AVAILABLE = 1 << 10


class SerialPort:
    """`on_data` gets each packet of the chip that the host takes. `reading` False: packets wait unacknowledged."""

    def __init__(self, mcu: Any, on_data: Callable[[bytes], None]) -> None:
        self.reading = True
        self._usb = mcu.usb_ctrl
        self._memory = mcu.usb_dpram
        self._cdc = USBCDC(self._usb)
        self._report = on_data
        self._rx = bytearray()
        self._asked: deque[int] = deque()
        self._held: list[bytes] = []
        self._unready = 0
        self._enumerate = self._usb.on_endpoint_read
        self._usb.on_endpoint_read = self._asks
        self._acknowledge = self._usb._indicate_buffer_ready
        self._usb._indicate_buffer_ready = self._ready
        self._cdc.on_serial_data = self._packet

    @property
    def quiet(self) -> bool:
        """Whether no byte is on its way, in either direction."""
        sending = self._usb.endpoint_write_alarms[max(self._cdc._in_endpoint, 0)].buffers
        return not self._rx and not sending

    def receive(self, data: bytes) -> None:
        """Bytes for the chip; they go as it asks for them."""
        self._rx += data
        self._feed()

    def read_again(self) -> None:
        """The host reads again: hand over what waited."""
        self.reading = True
        if self._unready:
            self._wait(False)
        held, self._held = self._held, []
        for data in held:
            self._report(data)
        while self._unready:
            self._unready -= 1
            self._acknowledge(self._cdc._in_endpoint, False)

    def _asks(self, endpoint: int, size: int) -> None:
        if endpoint and endpoint == self._cdc._out_endpoint:
            self._asked.append(size)
            self._feed()
        else:
            self._enumerate(endpoint, size)

    def _feed(self) -> None:
        while self._rx and self._asked:
            size = min(self._asked.popleft(), _PACKET)
            data = bytes(self._rx[:size])
            del self._rx[:size]
            self._usb.endpoint_read_done(self._cdc._out_endpoint, data)

    def _ready(self, endpoint: int, out: bool) -> None:
        if out or endpoint == 0 or endpoint != self._cdc._in_endpoint:
            self._acknowledge(endpoint, out)
            return
        if self.reading:
            self._acknowledge(endpoint, out)
        else:
            # rp2040py takes the buffer back at once; on the chip it stays with the controller until the host has it.
            self._unready += 1
            self._wait(True)

    def _wait(self, waits: bool) -> None:
        at = _CONTROL + 8 * self._cdc._in_endpoint
        word = int.from_bytes(self._memory[at : at + 2], "little")
        word = word | _AVAILABLE if waits else word & ~_AVAILABLE
        self._memory[at : at + 2] = word.to_bytes(2, "little")

    def _packet(self, data: bytes) -> None:
        if self.reading:
            self._report(bytes(data))
        else:
            self._held.append(bytes(data))
