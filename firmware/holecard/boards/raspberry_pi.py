"""A Raspberry Pi with CPython: RPi.GPIO (or rpi-lgpio), luma.oled, files in a directory, a serial port and TCP.

Its parts: raspberry_pi_gpio, _panel, _files, _ports, and _pins, the numbers from hardware/pinmap.toml.
"""

import os
import sys
import time
import traceback
from binascii import unhexlify
from hashlib import sha256

import holecard
from holecard.boards import raspberry_pi_faults as faults
from holecard.boards import raspberry_pi_pins, raspberry_pi_ports, settings
from holecard.boards.piezo import Piezo
from holecard.boards.program import program
from holecard.boards.raspberry_pi_files import Files, read
from holecard.boards.raspberry_pi_gpio import Pins
from holecard.boards.raspberry_pi_notify import notify
from holecard.boards.raspberry_pi_panel import Glass
from holecard.table import ticks

RECORDS = "/var/lib/holecard"
_MASK = (1 << 30) - 1
# How long a change of a key may go unseen while the table waits. Two samples make a press: see table/keys.py.
_POLL_US = 2_000
_TAP = 16
_WAVE = 32
_WATCHDOG_US = 8_000_000
_FEED_US = 250_000
_SERIAL_NUMBER = "/proc/device-tree/serial-number"
_MACHINE_ID = "/etc/machine-id"
_BUSES = ("i2c", "spi")


def _bus(value):
    if value not in _BUSES:
        raise ValueError("i2c or spi")
    return value


def _number(value):
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 99:
        raise ValueError("a number from 0 to 99")
    return value


def _serial(value):
    if value not in ("", "auto") and not (isinstance(value, str) and value.startswith("/dev/")):
        raise ValueError('"auto", "" or a path such as "/dev/serial0"')
    return value


def _tcp(value):
    port = value.rpartition(":")[2] if isinstance(value, str) else ""
    if value != "" and not (port.isdigit() and 0 < int(port) < 65536):
        raise ValueError('"" or an address such as "127.0.0.1:5025"')
    return value


# Fields of settings.json that only this board has, with what checks them and their defaults.
OWN = {"bus": _bus, "bus_number": _number, "serial": _serial, "tcp": _tcp}
# 5025 is the port that instruments with SCPI over TCP use. Nobody outside this Pi reaches it unless the owner says so.
DEFAULTS: dict = {"bus": "i2c", "bus_number": None, "serial": "auto", "tcp": "127.0.0.1:5025"}


class Board:
    """See the package for what each method promises.

    `records` is the directory of records and settings; `changes` takes the place of fields of the settings, for this
    start only. Raises BoardFault when this machine cannot be a table.
    """

    name = "pi"

    def __init__(self, records: str = RECORDS, changes=None):
        # True once SIGTERM or SIGINT came: see `feed`.
        self.ending = False
        try:
            self._files = Files(records)
        except OSError as error:
            raise faults.BoardFault(_no_records(records, error))
        self.load = self._files.load
        self.save = self._files.save
        self.kept = self._files.kept
        unread = ""
        try:
            chosen = settings.parse(self._files.load(settings.NAME), OWN, changes)
        except OSError as error:
            chosen = settings.parse(None, OWN, changes)
            unread = "the settings cannot be read: " + str(error)
        own = {name: getattr(chosen, name, default) for name, default in DEFAULTS.items()}
        self.operator = (chosen.operator_id, chosen.operator_key)
        last = self._files.mode
        self.mode, problem = settings.latch(chosen, not unread, last)
        self.problem = unread or problem
        sensors = ((chosen.tap, raspberry_pi_pins.TAP, _TAP), (chosen.wave, raspberry_pi_pins.WAVE, _WAVE))
        self._pins = Pins([(pin, bit) for there, pin, bit in sensors if there], chosen.sound)
        # The strap can only add: whoever can write files cannot open a table that its owner has closed.
        strapped = self._pins.strapped()
        if last not in (None, self.mode):
            try:
                self._files.turn(self.mode)
            except OSError as error:
                faults.tell(_no_records(records, error))
        if strapped:
            self.mode = "arcade"
        # What the command line says it says again at every restart.
        self._held = "the strap" if strapped else "the option --mode" if changes and "mode" in changes else ""
        number = own["bus_number"]
        if number is None:
            number = 0 if own["bus"] == "spi" else 1
        self._glass = Glass(chosen.panel, own["bus"], number)
        screen = (chosen.panel, chosen.offset, chosen.address)
        self.screen: tuple = (*screen, self._glass.start) if self._glass.start else screen
        self._ports = raspberry_pi_ports.Ports(_ports(own["serial"], own["tcp"]))
        self._piezo = Piezo(self._pins.tone if chosen.sound else None, self.now)
        self._seen = 0
        self._fed_at = -1
        self.lamps = self._pins.lamps
        self.i2c_write = self._glass.write
        self.read_into = self._ports.read_into
        self.write_from = self._ports.write_from
        self.sound = self._piezo.play

    def now(self):
        return time.monotonic_ns() // 1000 & _MASK

    def keys(self):
        self._seen = self._pins.keys()
        return self._seen

    def entropy(self, n):
        return os.urandom(n)

    def unique_id(self):
        try:
            number = (read(_SERIAL_NUMBER) or b"").strip(b"\0\n ")
            if number:
                return unhexlify(number)
        except (OSError, ValueError):
            pass
        try:
            # Not the machine's own number, which is confidential (machine-id(5)), but one that follows from it.
            return sha256(b"holecard " + (read(_MACHINE_ID) or b"")).digest()[:8]
        except OSError as error:
            raise faults.BoardFault("this machine tells no number of its own: " + str(error))

    def choose_mode(self, mode):
        if self._held:
            return "%s holds it in %s mode" % (self._held, self.mode)
        return settings.choose_mode(self, mode)

    def program(self):
        return program(str(holecard.__file__).rpartition("/")[0])

    def room(self):
        try:
            disk = os.statvfs(self._files.folder)
        except OSError:
            return None, None, None, None
        return None, None, disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize

    def feed(self):
        now = self.now()
        if self._fed_at < 0:
            # The watchdog is systemd's; without it there is none.
            notify("READY=1" if self.mode == "bench" else "READY=1\nWATCHDOG_USEC=%d\nWATCHDOG=1" % _WATCHDOG_US)
            self._fed_at = now
        elif self.mode == "arcade" and ticks.diff(now, self._fed_at) >= _FEED_US:
            self._fed_at = now
            notify("WATCHDOG=1")
        return self.ending

    def service(self):
        # There is no prompt here that the keys could lead to.
        return False

    def close(self):
        self._piezo.stop()
        self.lamps(0)
        self._glass.close()
        self._pins.close()
        self._ports.close()
        self._files.close()

    def idle(self, due):
        seen = self._seen
        while True:
            self._piezo.step()
            left = ticks.diff(due, self.now())
            if left <= 0 or self.ending:
                return
            if self._ports.wait(min(left, _POLL_US) / 1e6) or self.keys() != seen:
                return

    def reset(self):
        if sys.exc_info()[1] is not None:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        # Pins and locks are another table's from here on: the one that begins now.
        self.close()
        os.execv(sys.executable, sys.orig_argv)


def _ports(serial, tcp):
    path = raspberry_pi_ports.find(serial)
    if path:
        yield raspberry_pi_ports.Tty(path)
    if tcp:
        host, _, port = tcp.rpartition(":")
        yield raspberry_pi_ports.Tcp(host or "127.0.0.1", int(port))


def _no_records(folder, error):
    if isinstance(error, BlockingIOError):
        return "another table keeps its records in %s: end it, or choose another folder with --records" % folder
    return "the records cannot be kept in %s (%s): choose another folder with --records" % (folder, error.strerror)
