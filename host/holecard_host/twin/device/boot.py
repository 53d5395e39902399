"""Starts the firmware on the simulated Pico: what MicroPython's own start-up does on a real one."""

import builtins
import sys

from . import console, hardware, storage
from .link import Link

BOARD = "holecard.boards.pico"
_FILES = ("holecard.boards.files", "holecard.boards.program")


class Package:
    """Stands for the package `holecard` where a Pico has it."""

    __file__ = "/" + storage.PROGRAM + "__init__.py"


class System:
    """Stands for the module `sys`: the real one, with the serial port as its standard streams."""

    modules = {"holecard": Package}

    def __init__(self, link):
        self.stdin = console.TextInput(link)
        self.stdout = console.TextOutput(link)
        self.implementation = sys.implementation
        self.platform = "rp2"


def load_board(link):
    """Import the board module with the simulated modules in place of the real ones, which then return.

    Only the board knows a machine, so nothing else needs the simulated modules, and the interpreter keeps its own.
    """
    system = System(link)
    flash = storage.Flash(link)
    stand_ins: dict = {
        "machine": hardware.Machine(link),
        "micropython": hardware.MicroPython(link),
        "os": flash,
        "rp2": storage.Rp2(flash),
        "select": console.Select(link),
        "sys": system,
        "time": hardware.Time(link),
    }
    real = {name: sys.modules.get(name) for name in stand_ins}
    sys.modules.update(stand_ins)
    try:
        __import__(BOARD)
        for name in _FILES:
            __import__(name)
    finally:
        for name, module in real.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    for name in _FILES:
        setattr(sys.modules[name], "open", flash.open)  # noqa: B010 - a module's own name, unknown to type checkers
    return system


def redirect_print(system):
    """Let `print` write to the serial port, as on the Pico, and not into the pipe to the simulator."""

    def serial_print(*values, sep=" ", end="\n", file=None):
        (file or system.stdout).write(sep.join([str(value) for value in values]) + end)

    setattr(builtins, "print", serial_print)  # noqa: B010


def run_file(path):
    with open(path) as file:
        code = file.read()
    exec(compile(code, path, "exec"), {"__name__": "__main__"})


def main():
    """Take the machine's description from the pipe, then run the firmware until the power goes.

    It returns where a Pico would go on to its prompt, which there is none of here.
    """
    link = Link(getattr(sys.stdin, "buffer", sys.stdin), getattr(sys.stdout, "buffer", sys.stdout))
    system = load_board(link)
    redirect_print(system)
    entry = link.machine["entry"]
    if entry:
        run_file(entry)
    else:
        # The same as firmware/main.py, which an installed package does not contain.
        from holecard.start import start  # noqa: PLC0415

        start()
    # What it said last is in the pipe before the end is.
    link.close()


try:
    main()
except (Exception, KeyboardInterrupt) as error:
    if not hasattr(sys, "print_exception"):
        raise
    # Left alone, MicroPython prints it to the standard output, which is the pipe to the simulator.
    sys.print_exception(error, sys.stderr)
    sys.exit(1)
