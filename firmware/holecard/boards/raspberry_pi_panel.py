"""The panel of a Raspberry Pi, by way of luma.oled: its commands to start with, contrast, on and off, its two verbs.

What is sent, and when, is decided by drivers/panel.py as on every board: luma's own display() looks at 8,192 pixels in
Python and sends a whole frame for every change.
"""

import errno
from typing import Any

from holecard.boards import raspberry_pi_faults as faults
from holecard.boards import raspberry_pi_pins as pins

_DATA = 0x40
_CONTRAST = 0x81
_OFF, _ON = 0xAE, 0xAF
# 4 MHz is well inside what both controllers take (SSD1306 datasheet, table 13-4: 10 MHz), and luma offers no 10.
_SPI_HZ = 4_000_000


class Glass:
    """A panel of that `kind` on "i2c" or "spi". `start` is what it is to be set up with, for `Board.screen`; b"" for
    the driver's own commands.

    Nothing is sent, and no bus opened, before `write`: a table starts without a panel. Raises BoardFault without luma.
    """

    def __init__(self, kind: str, bus: str, port: int):
        try:
            from luma.core import error  # noqa: PLC0415 - an extra
            from luma.oled import device  # noqa: PLC0415
        except ImportError as failure:
            raise faults.BoardFault(faults.missing("luma.oled", failure))
        self._refusal = error.Error
        self._spi = bus == "spi"
        self._port = port
        self._path = "/dev/spidev%d.0" % port if self._spi else "/dev/i2c-%d" % port
        self._links: dict = {}
        self._link: Any = None
        self._told = ""
        made = {"ssd1306": device.ssd1306, "sh1106": device.sh1106}[kind]
        # luma begins by clearing the panel with a frame of its own; ours is on the way.
        self._heard: list = []
        self._device = type("Device", (made,), {"display": lambda self, image: None})(self)
        # Its clean-up at the end of the program would send that frame, too; `close` says what is needed.
        self._device.persist = True
        # What luma sends to an SH1106 has commands of the SSD1306 in it (0x20, 0x8D), which it does not know.
        self.start = self._beginning() if kind == "ssd1306" else b""

    def _beginning(self) -> bytes:
        """luma's commands up to the first contrast, which the driver sets, without "off": a panel that is only set up
        again need not blink."""
        sent = b""
        for commands in self._heard:
            if commands[0] == _CONTRAST:
                break
            sent += commands
        return b"\0" + sent.lstrip(bytes((_OFF,)))

    # What luma's device writes to: luma calls it a serial interface.

    def command(self, *values: int) -> None:
        """Commands for the panel; before there is a bus, they are only listened to."""
        if self._link is None:
            self._heard.append(bytes(values))
        else:
            self._link.command(*values)

    def data(self, values) -> None:
        """Bytes for the panel's memory."""
        if self._link is not None:
            self._link.data(values)

    def cleanup(self) -> None:
        """See `close`."""

    # What the board needs.

    def write(self, address: int, buf) -> None:
        """One transaction: 0x00 and commands, or 0x40 and data. OSError when nobody takes it."""
        try:
            # SPI has no addresses.
            place = 0 if self._spi else address
            self._link = self._links.get(place) or self._open(place)
            if buf[0] == _DATA:
                self._device.data(list(buf[1:]))
            else:
                self._order(list(buf[1:]))
        except self._refusal as failure:
            self._explain(str(failure))
            raise OSError(errno.EIO, str(failure))
        except OSError as failure:
            self._explain(str(failure))
            raise
        self._told = ""

    def close(self) -> None:
        """Switch the glass off, if it is there, and let the bus go."""
        try:
            if self._link is not None:
                self._device.hide()
        except (OSError, self._refusal):
            pass
        for link in self._links.values():
            # Of SPI it also cleans up the pins of the panel.
            link.cleanup()
        self._links.clear()
        self._link = None

    def _order(self, commands) -> None:
        if len(commands) == 2 and commands[0] == _CONTRAST:
            self._device.contrast(commands[1])
        elif commands == [_ON]:
            self._device.show()
        elif commands == [_OFF]:
            self._device.hide()
        else:
            self._device.command(*commands)

    def _open(self, place: int):
        from luma.core.interface import serial  # noqa: PLC0415 - an extra

        if self._spi:
            made = serial.spi(port=self._port, bus_speed_hz=_SPI_HZ, gpio_DC=pins.SPI_DC, gpio_RST=pins.SPI_RST)
        else:
            made = serial.i2c(port=self._port, address=place)
        self._links[place] = made
        return made

    def _explain(self, said: str) -> None:
        """Once for each reason, and again when there was a panel in between: it is looked for often."""
        low = said.lower()
        switch, group = ("do_spi", "spi") if self._spi else ("do_i2c", "i2c")
        if "permission" in low:
            text = faults.no_permission(self._path, group)
        elif self._path in low or "spi device not found" in low:
            text = faults.no_device(self._path, switch)
        elif self._spi:
            text = "the panel on %s cannot be reached (%s)" % (self._path, said)
        else:
            text = (
                "no panel answers on %s at 0x3C or 0x3D: check its power, SDA (pin %d) and SCL (pin %d); "
                "i2cdetect -y %d lists what answers" % (self._path, pins.SDA_HEADER, pins.SCL_HEADER, self._port)
            )
        if text != self._told:
            self._told = text
            faults.tell(text + "; the table goes on without a panel")
