"""Stands for smbus2 and spidev, as far as luma.core uses them: one I2C bus and one SPI bus, with a panel or without.

The bus is as fast as the pin map says, plus 50 us for the call into the kernel. On SPI, where there is no address and
no acknowledgement, the panel model is told by the level of DC whether it gets commands or data.
"""

import errno

from holecard.boards import raspberry_pi_pins as pins

CALL_US = 50
_BIT_US_X16 = 16000000 // pins.I2C_HZ
_EIO = 5
_PANEL = 0x3C


class Smbus2:
    """The module smbus2. A controller of a Pi says EREMOTEIO where nobody acknowledges."""

    def __init__(self, link):
        class SMBus(_Bus):
            def __init__(self, bus=None, force=False):
                super().__init__(link, bus)

        self.SMBus = SMBus
        self.i2c_msg = Message


class Message:
    """smbus2.i2c_msg, of which only writes are needed."""

    def __init__(self, address, data):
        self.address = address
        self.data = data

    @staticmethod
    def write(address, buf):
        return Message(address, bytes(buf))


class _Bus:
    def __init__(self, link, number):
        if number != 1:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/dev/i2c-%s" % number)
        self._link = link

    def write_i2c_block_data(self, address, register, data, force=None):
        if len(data) > 32:
            raise ValueError("Data length cannot exceed 32 bytes")
        self._write(address, bytes([register, *data]))

    def i2c_rdwr(self, *messages):
        for message in messages:
            self._write(message.address, message.data)

    def close(self):
        self._link = None

    def _write(self, address, data):
        self._link.spend(CALL_US)
        try:
            self._link.transfer(address, data, _BIT_US_X16)
        except OSError as error:
            if error.args[0] == _EIO:
                raise OSError(errno.EREMOTEIO, "Remote I/O error") from None
            raise OSError(errno.ETIMEDOUT, "Connection timed out") from None


class Spidev:
    """The module spidev."""

    def __init__(self, link):
        class SpiDev(_Spi):
            def __init__(self):
                super().__init__(link)

        self.SpiDev = SpiDev


class _Spi:
    max_speed_hz = 125_000_000
    mode = 0

    def __init__(self, link):
        self._link = link
        self._open = False

    def open(self, bus, device):
        if (bus, device) != (0, 0):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        self._open = True

    def writebytes(self, values):
        if not self._open:
            raise OSError(errno.EBADF, "Bad file descriptor")
        link = self._link
        link.spend(CALL_US + 8 * len(values) * 1_000_000 // self.max_speed_hz)
        control = b"\x40" if link.high >> pins.SPI_DC & 1 else b"\0"
        if link.answers(_PANEL):
            try:
                link.transfer(_PANEL, control + bytes(values), 0)
            except OSError:
                pass  # an injected fault: bytes are lost, and nobody says so

    def close(self):
        self._open = False
