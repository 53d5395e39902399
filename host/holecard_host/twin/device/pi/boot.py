"""Starts the table on the simulated Raspberry Pi, as `python -m holecard` does on a real one."""

import sys
import traceback

from ..link import Link
from . import bus, gpio, system
from .disk import Disk

_BOARD = "holecard.boards.raspberry_pi"
_GADGET = "/dev/ttyGS0"
_SERIAL_NUMBER = "/proc/device-tree/serial-number"
_MODEL = "/proc/device-tree/model"


class Journal:
    """Where the program's output goes: systemd keeps it, line by line."""

    def __init__(self, link):
        self._link = link
        self._line = ""

    def write(self, text):
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._link.log(line)
        return len(text)

    def flush(self):
        pass


class Package:
    """The package RPi."""

    def __init__(self, module):
        self.GPIO = module


def load_main(link):
    """Import the board and all that starts it, with what stands for the machine in place of the real modules.

    What luma imports when it opens a bus stays replaced; the rest only while the board's modules are imported.
    """
    # With the real modules, before any of them is replaced.
    from luma.core.interface import serial  # noqa: F401, PLC0415
    from luma.oled import device  # noqa: F401, PLC0415

    pins = gpio.Gpio(link)
    uid = link.machine["uid"].encode() + b"\0"
    model = b"Raspberry Pi 4 Model B Rev 1.4\0"
    disk = Disk(link, {_SERIAL_NUMBER: uid, _MODEL: model, _GADGET: b""})
    lasting: dict = {
        "RPi": Package(pins),
        "RPi.GPIO": pins,
        "smbus2": bus.Smbus2(link),
        "spidev": bus.Spidev(link),
    }
    sys.modules.update(lasting)
    stand_ins: dict = {
        "os": disk,
        "time": system.Time(link),
        "select": system.Select(link),
        "socket": system.Socket(link),
        "fcntl": system.Fcntl(),
        "serial": system.Serial(link, _GADGET),
    }
    # These two need the real `os` of their own, or are needed by what does.
    import argparse  # noqa: F401, PLC0415
    import getpass  # noqa: F401, PLC0415
    import signal  # noqa: F401, PLC0415
    import subprocess  # noqa: F401, PLC0415

    # The files of the program are those of this computer.
    import holecard.boards.program  # noqa: F401, PLC0415

    real = {name: sys.modules.get(name) for name in stand_ins}
    sys.modules.update(stand_ins)
    try:
        __import__(_BOARD + "_main")
    finally:
        for name, module in real.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return sys.modules[_BOARD + "_main"].main


def run_file(path):
    with open(path) as file:
        code = file.read()
    exec(compile(code, path, "exec"), {"__name__": "__main__"})


def start():
    """Take the machine's description from the pipe, then run the firmware until the power goes."""
    link = Link(sys.stdin.buffer, sys.stdout.buffer)
    # No byte on a serial port interrupts a program on Linux.
    link.interrupt = -1
    main = load_main(link)
    errors = sys.stderr
    sys.stdout = sys.stderr = Journal(link)
    code = 0
    try:
        if link.machine["entry"]:
            run_file(link.machine["entry"])
        else:
            code = main([])
    except (Exception, KeyboardInterrupt):
        traceback.print_exc(file=errors)
        code = 1
    # What it said last is in the pipe before the end is.
    link.close()
    sys.stdout, sys.stderr = sys.__stdout__, errors
    return code


sys.exit(start())
