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
from holecard.boards.piezo import Piezo

# How long a change of a key may go unseen while the table waits. Two samples make a press: see table/keys.py.
_POLL_MS = 2
# A pass over the serial port stays short, so that a long line does not hold up the keys: 32 bytes take about 1.2 ms.
_BURST = 32
# Half of what MicroPython's USB buffers on its way out, see `write_from`.
_PIECE = 128
# Registers of this chip, the RP2040. The levels of all GPIOs, a bit each (datasheet 2.3.1.7, GPIO_IN): one read
# instead of one call for every pin.
_GPIO_IN = 0xD0000004
# The buffer control word of the endpoint through which MicroPython's serial port sends, number 2 (4.1.2.5): a half for
# each of its two buffers of 64 bytes, with the same bit for "waits for the host to take it" (AVAILABLE).
_SENDING = 0x50100090
_SENDING_TOO = 0x50100092
_AVAILABLE = 1 << 10
# The chip's watchdog counts 8,388 ms at most and cannot be stopped again (micropython#9078, #8600).
_WATCHDOG_MS = 8000
_TAP = 16
_WAVE = 32
# Held together at power-on they lead to the prompt: BET and DOUBLE, the two outermost, which no hand rests on.
_SERVICE = 9
_SURE_MS = 20
# Duty of a square wave, of 65,535; a frequency for the silence at the start.
_HALF = 32768
_ANY_HZ = 220
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
            unread = ""
        except OSError as error:
            chosen = settings.parse(None)
            unread = "the flash cannot be read: " + str(error)
        self.screen = (chosen.panel, chosen.offset, chosen.address)
        self.operator = (chosen.operator_id, chosen.operator_key)
        last = pico_mark.mode()
        self.mode, problem = settings.latch(chosen, not unread, last)
        self.problem = unread or problem
        if last not in (None, self.mode):
            pico_mark.turn()
        # The strap can only add: whoever can write files cannot open a table that its owner has closed.
        self._strapped = not _input(pico_pins.STRAP).value()
        if self._strapped:
            self.mode = "arcade"
        sensors = ((chosen.tap, pico_pins.TAP, _TAP), (chosen.wave, pico_pins.WAVE, _WAVE))
        wired = [(pin, 1 << key) for key, pin in enumerate(pico_pins.KEYS)]
        wired += [(pin, bit) for there, pin, bit in sensors if there]
        for pin, _ in wired:
            _input(pin)
        # Bit of the GPIO -> bit of `keys`.
        self._inputs = tuple([(1 << pin, bit) for pin, bit in wired])
        self._wired = sum([1 << pin for pin, _ in wired])
        self._mem16 = machine.mem16
        self._mem32 = machine.mem32
        self._lamps = tuple(machine.Pin(pin, machine.Pin.OUT, value=0) for pin in pico_pins.LAMPS)
        self._watchdog = None
        self._seen = 0
        self._bus = machine.I2C(
            pico_pins.I2C_BUS,
            sda=machine.Pin(pico_pins.SDA),
            scl=machine.Pin(pico_pins.SCL),
            freq=pico_pins.I2C_HZ,
        )
        # The text layer of these streams translates line ends; the buffers below it do not.
        self._take = sys.stdin.buffer.readinto
        self._send = sys.stdout.buffer.write
        self._byte = bytearray(1)
        readable = select.poll()
        readable.register(sys.stdin, select.POLLIN)
        writable = select.poll()
        writable.register(sys.stdout, select.POLLOUT)
        # ipoll, unlike poll, makes no list: the body of a loop over it runs once if the port is ready.
        self._readable = readable.ipoll
        self._writable = writable.ipoll
        # The first poll makes the tuple that all later ones hand out.
        self.write_from(b"")
        # Not a method of ours: every pass asks a few times, and a call more takes 15 us.
        self.now = time.ticks_us
        self._piezo = Piezo(_tone(pico_pins.PIEZO) if chosen.sound else None, self.now)

    def keys(self):
        low = ~self._mem32[_GPIO_IN] & self._wired
        mask = 0
        if low:
            for gpio, bit in self._inputs:
                if low & gpio:
                    mask |= bit
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
        for _ in self._readable(0):
            return self._read_some(buf)
        return 0

    def _read_some(self, buf):
        count = 0
        while count < _BURST and count < len(buf):
            for _ in self._readable(0):
                self._take(self._byte)
                buf[count] = self._byte[0]
                count += 1
                break
            else:
                break
            if self._byte[0] == _CTRL_C:
                break
        return count

    def write_from(self, buf):
        if not self._all_taken():
            return 0
        count = min(len(buf), _PIECE)
        self._send(buf, 0, count)
        return count

    def _all_taken(self):
        # POLLOUT promises room for one byte only, and a write without room stalls for up to 500 ms. But once the
        # endpoint waits for nothing the buffer behind it is empty: the poll has just let MicroPython's USB move on.
        # A host may stop between the two packets of one transfer. As one word the halves would be no small integer.
        for _ in self._writable(0):
            return not (self._mem16[_SENDING] | self._mem16[_SENDING_TOO]) & _AVAILABLE
        return False

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

    def choose_mode(self, mode):
        if self._strapped:
            return "the strap holds it in arcade mode"
        return settings.choose_mode(self, mode)

    def program(self):
        from holecard.boards.program import program  # noqa: PLC0415 - a start should not wait for it

        # Where it was imported from: /lib/holecard, another folder, or none.
        path = sys.modules["holecard"].__file__ or ""
        return program(path[: path.rfind("/")])

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
            for _ in self._readable(min(left // 1000, _POLL_MS)):
                return
            if self.keys() != seen:
                return

    def reset(self):
        machine.reset()


def _tone(pin):
    pwm = machine.PWM(machine.Pin(pin))
    pwm.freq(_ANY_HZ)
    pwm.duty_u16(0)

    def tone(hertz):
        if hertz:
            pwm.freq(hertz)
        pwm.duty_u16(_HALF if hertz else 0)

    return tone


def _input(pin):
    return machine.Pin(pin, machine.Pin.IN, machine.Pin.PULL_UP)
