"""The Raspberry Pi Pico: MicroPython's `machine`, the serial port that USB offers as sys.stdin and sys.stdout."""

import gc
import os
import select
import sys
import time

import machine
import micropython

from holecard.boards import pico_mark, pico_pins, settings
from holecard.boards.files import Files
from holecard.boards.pico_piezo import Piezo

# How long a change of a key may go unseen while the table waits. Two samples make a press: see table/keys.py.
_POLL_MS = 2
# A pass over the serial port stays short, so that a long line does not hold up the keys: 32 bytes take about 3 ms.
_BURST = 32
# The chip's watchdog counts 8,388 ms at most and cannot be stopped again (micropython#9078, #8600).
_WATCHDOG_MS = 8000
_TAP = 16
_WAVE = 32
# Held together at power-on they lead to the prompt: BET and DOUBLE, the two outermost, which no hand rests on.
_SERVICE = 9
_SURE_MS = 20
_CTRL_C = 3
_EIO = 5


class Board:
    """See the package for what each method promises."""

    name = "pico"

    def __init__(self):
        # Armed, the byte 0x03 would throw away the input that came with it and stop the program.
        micropython.kbd_intr(-1)
        self._files = Files(pico_mark.found, pico_mark.leave)
        try:
            chosen = settings.parse(self.load(settings.NAME))
            self.problem = chosen.problem
        except OSError as error:
            chosen = settings.parse(None)
            self.problem = "the flash cannot be read: " + str(error)
        self.screen = (chosen.panel, chosen.offset, chosen.address)
        # The strap can only add: whoever can write files cannot open a table that its owner has closed.
        self.mode = chosen.mode if _input(pico_pins.STRAP).value() else "arcade"
        self._keys = tuple(_input(pin) for pin in pico_pins.KEYS)
        wired = ((chosen.tap, pico_pins.TAP, _TAP), (chosen.wave, pico_pins.WAVE, _WAVE))
        self._sensors = tuple((_input(pin), bit) for there, pin, bit in wired if there)
        self._lamps = tuple(machine.Pin(pin, machine.Pin.OUT, value=0) for pin in pico_pins.LAMPS)
        self._piezo = Piezo(pico_pins.PIEZO, chosen.sound)
        self._watchdog = None
        self._seen = 0
        self._bus = machine.I2C(
            pico_pins.I2C_BUS,
            sda=machine.Pin(pico_pins.SDA),
            scl=machine.Pin(pico_pins.SCL),
            freq=pico_pins.I2C_HZ,
        )
        # The text layer of these streams translates line ends; the buffers below it do not.
        self._input = sys.stdin.buffer
        self._output = sys.stdout.buffer
        self._byte = bytearray(1)
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def now(self):
        return time.ticks_us()

    def keys(self):
        mask = 0
        bit = 1
        for pin in self._keys:
            if not pin.value():
                mask |= bit
            bit <<= 1
        for sensor in self._sensors:
            if not sensor[0].value():
                mask |= sensor[1]
        self._seen = mask
        return mask

    def lamps(self, mask):
        for pin in self._lamps:
            pin.value(mask & 1)
            mask >>= 1

    def i2c_write(self, addr, buf):
        # A byte that is not acknowledged after the address raises nothing: writeto only counts fewer.
        if self._bus.writeto(addr, buf) != len(buf):
            raise OSError(_EIO)

    def read_into(self, buf):
        # A read of several bytes blocks until the last of them came, whatever poll said (micropython#16550).
        count = 0
        room = min(len(buf), _BURST)
        while count < room and self._ready(self._readable, 0):
            self._input.readinto(self._byte)
            buf[count] = self._byte[0]
            count += 1
            if self._byte[0] == _CTRL_C:
                break
        return count

    def write_from(self, buf):
        # POLLOUT promises room for one byte; writing more could stall for 500 ms when the host does not read.
        count = 0
        room = min(len(buf), _BURST)
        while count < room and self._ready(self._writable, 0):
            self._byte[0] = buf[count]
            self._output.write(self._byte)
            count += 1
        return count

    def entropy(self, n):
        return os.urandom(n)

    def unique_id(self):
        return machine.unique_id()

    def load(self, name):
        return self._files.load(name)

    def save(self, name, data):
        self._files.save(name, data)

    def kept(self):
        return self._files.kept()

    def room(self):
        heap_free = heap = flash_free = flash = None
        if hasattr(gc, "mem_free"):
            gc.collect()
            heap_free = gc.mem_free()
            heap = heap_free + gc.mem_alloc()
        try:
            disk = os.statvfs("/")
        except OSError:
            pass
        else:
            flash = disk[0] * disk[2]
            flash_free = disk[0] * disk[3]
        return heap_free, heap, flash_free, flash

    def sound(self, name):
        self._piezo.play(name)

    def feed(self):
        if self._watchdog is not None:
            self._watchdog.feed()
        elif self.mode == "arcade":
            self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)

    def service(self):
        if self.mode != "bench" or self.keys() != _SERVICE:
            return False
        time.sleep_ms(_SURE_MS)
        return self.keys() == _SERVICE

    def close(self):
        self._piezo.stop()
        self.lamps(0)
        micropython.kbd_intr(_CTRL_C)

    def idle(self, due):
        seen = self._seen
        while True:
            self._piezo.step()
            left = time.ticks_diff(due, time.ticks_us())
            if left <= 0:
                return
            if left < 1000:
                time.sleep_us(left)
                return
            if self._ready(self._readable, min(left // 1000, _POLL_MS)) or self.keys() != seen:
                return

    def reset(self):
        machine.reset()

    def _ready(self, poll, wait_ms):
        # ipoll, unlike poll, makes no list.
        for _ in poll.ipoll(wait_ms):
            return True
        return False


def _input(pin):
    return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)
