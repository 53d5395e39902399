"""Stands for the modules `machine`, `time` and `micropython`.

Reading or setting a pin takes 30 us, reading a register 5 us, a tick 2 us.
"""

from binascii import unhexlify

from .link import Link

PIN_US = 30
REGISTER_US = 5
TICK_US = 2
_MASK = (1 << 30) - 1
_HALF = 1 << 29
# The registers of the RP2040 that the board module reads.
_GPIO_IN = 0xD0000004
_GPIOS = (1 << 30) - 1
_USB_SENDING = (0x50100090, 0x50100092)
_AVAILABLE = 1 << 10


class Machine:
    """The module `machine`."""

    def __init__(self, link):
        self._link = link

        # There is one machine in a process, and a driver makes its pins itself, with the real signature.
        Pin.link = link
        I2C.link = link
        PWM.link = link
        WDT.link = link
        self.Pin = Pin
        self.I2C = I2C
        self.PWM = PWM
        self.WDT = WDT
        self.mem16 = self.mem32 = Registers(link)

    def unique_id(self):
        return unhexlify(self._link.machine["uid"])

    def reset(self):
        self._link.stop("reset")

    def freq(self):
        return 125000000


class Registers:
    """`mem16` and `mem32`: the levels of the GPIOs, and whether USB still waits for the host to take bytes."""

    def __init__(self, link):
        self._link = link

    def __getitem__(self, address):
        link = self._link
        link.spend(REGISTER_US)
        if address == _GPIO_IN:
            # Nothing but pull-ups and lamps is there to raise a pin.
            return _GPIOS & ~link.held_low()
        if address in _USB_SENDING:
            return _AVAILABLE if link.packet_waits(address == _USB_SENDING[1]) else 0
        raise ValueError("a register that is not simulated")


class Pin:
    """A GPIO. As an input with a pull-up it is low while outside hardware holds it there."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2
    link: Link

    def __init__(self, number, mode=-1, pull=-1, value=None):
        self.number = number
        self._bit = 1 << number
        self._out = mode == self.OUT
        if self._out and value is not None:
            self.value(value)

    def value(self, level=None):
        link = self.link
        link.spend(PIN_US)
        if level is not None:
            link.drive(link.high | self._bit if level else link.high & ~self._bit)
            return None
        if self._out:
            return 1 if link.high & self._bit else 0
        return 0 if link.held_low() & self._bit else 1

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)


class I2C:
    """A hardware I2C bus as controller: 9 bits for every byte, plus 10 us a transfer."""

    link: Link

    def __init__(self, number, *, scl, sda, freq=400000, timeout=50000):
        self._bit_us_x16 = 16000000 // freq

    def writeto(self, address, data, stop=True):
        self.link.transfer(address, data, self._bit_us_x16)
        return len(data)

    def scan(self):
        return [address for address in range(8, 0x78) if self.link.answers(address)]


class PWM:
    """A square wave on a pin: sounds while its duty is between nothing and everything."""

    link: Link

    def __init__(self, pin, *, freq=0, duty_u16=0):
        self._number = pin.number
        self._hertz = freq
        self._duty = duty_u16
        self._heard = 0

    def freq(self, hertz):
        if not 8 <= hertz <= 62500000:
            raise ValueError("freq out of range")
        self._hertz = hertz
        self._update()

    def duty_u16(self, duty):
        self._duty = duty
        self._update()

    def _update(self):
        self.link.spend(PIN_US)
        hertz = self._hertz if 0 < self._duty < 65535 else 0
        if hertz != self._heard:
            self._heard = hertz
            self.link.tone(self._number, hertz)


class WDT:
    """The watchdog: at most 8,388 ms, and nothing stops it again."""

    link: Link

    def __init__(self, id=0, timeout=5000):
        if not 0 < timeout <= 8388:
            raise ValueError("timeout exceeds 8388")
        self._us = timeout * 1000
        self.feed()

    def feed(self):
        self.link.watch(self._us)


class Time:
    """The module `time`. Both kinds of ticks wrap at 2^30."""

    def __init__(self, link):
        self._link = link

    def ticks_us(self):
        self._link.spend(TICK_US)
        return self._link.ticks()

    def ticks_ms(self):
        self._link.spend(TICK_US)
        return (self._link.ticks() // 1000) & _MASK

    def ticks_add(self, ticks, delta):
        return (ticks + delta) & _MASK

    def ticks_diff(self, later, earlier):
        return ((later - earlier + _HALF) & _MASK) - _HALF

    def sleep_us(self, us):
        self._link.spend(us)

    def sleep_ms(self, ms):
        self._link.spend(ms * 1000)

    def sleep(self, seconds):
        self._link.spend(int(seconds * 1000000))


class MicroPython:
    """The module `micropython`."""

    def __init__(self, link):
        self._link = link

    def kbd_intr(self, byte):
        self._link.interrupt = byte

    def const(self, value):
        return value
