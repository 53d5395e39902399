"""The simulated Pico, seen from outside: its firmware runs in a process of its own and gets time by grants.

`Simulator` starts the process, sends grants, and keeps what the hardware around the chip keeps: the panel, the lamps,
the flash, the levels of the buttons, the clock. The pipe's protocol is described in device/link.py. Not thread-safe:
see live.py.
"""

from __future__ import annotations

import os
from bisect import insort
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass

from holecard.boards import pico_pins, raspberry_pi_pins

from ..errors import LOST, HolecardError
from .panel import panel_model
from .process import EMULATED, PI, DeviceProcess, command

# What a device's clock shows at power-on unless somebody chooses: it wraps soon after the table has started, for which
# the emulated chip needs two seconds.
_WRAP = 1 << 30
_START_TICKS = _WRAP - 500_000
_START_TICKS_EMULATED = _WRAP - 3_000_000


@dataclass(frozen=True)
class Answer:
    """How far a grant got (microseconds) and why it ended: until, lines, idle, cut, reset, watchdog or off."""

    now: int
    why: str


@dataclass
class Wear:
    """Flash operations since the simulation began: programs of a page, erases of a sector."""

    programs: int = 0
    erases: int = 0


class Simulator:
    """One simulated Pico, or Raspberry Pi, with a panel, four buttons and four lamps.

    `interpreter` is "cpython", "micropython", "pi" (a Raspberry Pi) or "rp2040" (the emulated chip); `entry` a file to
    run instead of the table; `ticks` what the device's clock shows at power-on, by default shortly before its wrap;
    `seed` determines its entropy; `panel_address` is where its panel answers, `panel` its controller and column offset;
    `files` is what its flash holds at first; `keep` holds the flash, if it shall outlast this object, and what is in it
    already; `strap` tells whether the strap for arcade mode is fitted; `disk` how a Pi's disk treats what was not yet
    brought onto it (device/pi/disk.py). With `trace` the list of that name gets every record of the device.
    """

    def __init__(
        self,
        interpreter: str = "cpython",
        *,
        entry: str | os.PathLike[str] | None = None,
        ticks: int | None = None,
        seed: str = "0",
        panel_address: int = 0x3C,
        panel: tuple[str, int] = ("ssd1306", 0),
        files: Mapping[str, bytes] | None = None,
        keep: MutableMapping[str, bytes] | None = None,
        strap: bool = False,
        uid: bytes = b"\xe6\x60HOLE\x00\x01",
        disk: str = "late",
        trace: bool = False,
    ) -> None:
        command(interpreter)  # says now what is missing
        self.interpreter = interpreter
        # What is wired where, by the names of boards/pico_pins.py.
        self.pins = raspberry_pi_pins if interpreter == PI else pico_pins
        # What the program has said to the journal of its system; a Pico has none.
        self.journal: list[str] = []
        self.now = 0
        self.panel = panel_model(*panel)
        self.panel_address = panel_address
        self.driven = 0
        # The notes that were played: (instant, hertz), 0 Hz when a note ended.
        self.tones: list[tuple[int, int]] = []
        self.flash: MutableMapping[str, bytes] = {} if keep is None else keep
        self.flash.update(files or {})
        self.wear = Wear()
        self.boots = 0
        self.trace: list[str] | None = [] if trace else None
        # Called with every record of the device (device/link.py), and with "k <instant> <mask>" for the GPIOs that
        # outside hardware holds low from that instant on; LiveTwin.listen adds "b <instant> <interpreter>", whose pins
        # they are, and "s <instant> <hex>", the glass.
        self.listeners: list[Callable[[str], None]] = []
        self.crash: HolecardError | None = None
        self.stop_tx = False
        self._entry = os.fspath(entry) if entry is not None else ""
        if ticks is None:
            ticks = _START_TICKS_EMULATED if interpreter == EMULATED else _START_TICKS
        self._ticks = ticks
        self._seed = seed
        self._uid = uid
        self._disk = disk
        self._plugged = True
        self._output = bytearray()
        self._edges: list[tuple[int, int, int, bool]] = []
        self._sent = 0
        self._serial = 0
        self._low = 1 << self.pins.STRAP if strap else 0
        self._news: dict[str, object] = {}
        self._process: DeviceProcess | None = None
        self._worn = Wear()

    # Power

    @property
    def powered(self) -> bool:
        """Whether the firmware's process runs."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """The process id of the firmware; 0 without power."""
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        """Switch the device on. Raises StandFault when its interpreter cannot be started, or a kept flash not read."""
        stored = {name: data.hex() for name, data in self.flash.items()}
        self._process = DeviceProcess(self.interpreter)
        self._worn = Wear()
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
        self._process.send(
            {
                "now": self.now,
                "ticks": self._ticks,
                "low": self._low,
                "flash": stored,
                "seed": f"{self._seed}:{self.boots}",
                "uid": self._uid.hex(),
                "entry": self._entry,
                "disk": self._disk,
            }
        )

    def kill(self) -> None:
        """Cut the power: the process ends at once; flash and clock stay. Harmless when repeated."""
        if self._process is not None:
            self._process.kill()
            self._process = None
        self.driven = 0
        self._output.clear()
        self.panel.lit = False

    # Outside hardware

    @property
    def soonest(self) -> int:
        """When an edge can come at the soonest: now, but not before those that the device knows of already."""
        return max(self.now, self._edges[self._sent - 1][0]) if self._sent else self.now

    def schedule(self, instant: int, pin: int, low: bool) -> None:
        """Let outside hardware pull GPIO `pin` low, or let it go, at `instant`, or `soonest` after it."""
        self._serial += 1
        insort(self._edges, (max(instant, self.soonest), self._serial, 1 << pin, low))

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

    def drop_input(self) -> None:
        """Forget what has arrived at the serial port and the firmware has not read."""
        self._news["drop"] = True

    def cut_at_flash(self, operations: int) -> None:
        """Let the power fail instead of the flash operation that follows after this many."""
        self._news["cut"] = operations

    def refuse_flash(self, skip: int = 0, count: int = 1) -> None:
        """After `skip` more flash operations let `count` fail with an OSError; nothing is written then."""
        self._news["refuse"] = [skip, count]

    @property
    def lamps(self) -> int:
        """Mask of the lamps that are lit: BET 1, HIT 2, STAND 4, DOUBLE 8."""
        return sum(1 << key for key, pin in enumerate(self.pins.LAMPS) if self.driven >> pin & 1)

    def take_output(self) -> bytes:
        """What the serial port has sent since the last call."""
        data = bytes(self._output)
        self._output.clear()
        return data

    # Time

    def grant(self, until: int, *, rx: bytes = b"", lines: int = 0, idle: bool = False) -> Answer:
        """Let the device run to the instant `until`, in microseconds.

        It stops earlier after `lines` lines of output, or, with `idle`, when it waits with nothing to read. Raises
        FirmwareCrash when the firmware fails, StandFault when it leaves for the prompt. Without power, time goes on and
        nothing else happens.
        """
        if self.crash is not None:
            raise self.crash
        if self._process is None:
            self.now = max(self.now, until)
            self._pass_edges()
            return Answer(self.now, "off")
        until = max(until, self.now)
        grant: dict[str, object] = {"until": until, **self._news}
        self._news = {}
        if rx:
            grant["rx"] = rx.hex()
        if lines:
            grant["lines"] = lines
        if idle:
            grant["idle"] = True
        if self._sent < len(self._edges) and self._edges[self._sent][0] <= until:
            grant["edges"] = self._edges_until(until)
        try:
            self._process.send(grant)
            answer = self._receive(self._process)
        except LOST as crash:
            self.crash = crash
            self.kill()
            raise
        self._pass_edges()
        if answer.why in ("cut", "reset", "watchdog"):
            self.kill()
            if answer.why != "cut":
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
            instant, _, bit, low = self._edges.pop(0)
            self._low = self._low | bit if low else self._low & ~bit
            self._tell(f"k {instant} {self._low}")
            self._sent = max(self._sent - 1, 0)

    def _receive(self, process: DeviceProcess) -> Answer:
        for line in process.lines():
            if self.trace is not None:
                self.trace.append(line)
            self._tell(line)
            kind, _, rest = line.partition(" ")
            instant, _, rest = rest.partition(" ")
            if kind == "a":
                self.now = int(instant)
            else:
                self._record(kind, rest, int(instant))
        return Answer(self.now, rest)

    def _tell(self, record: str) -> None:
        for listener in self.listeners:
            listener(record)

    def _record(self, kind: str, rest: str, instant: int) -> None:
        if kind == "t":
            self._output += bytes.fromhex(rest)
        elif kind == "i":
            address, _, data = rest.partition(" ")
            if int(address) == self.panel_address and self._plugged:
                self.panel.write(bytes.fromhex(data))
        elif kind == "l":
            self.driven = int(rest)
        elif kind == "p":
            self.tones.append((instant, int(rest.split()[1])))
        elif kind == "f":
            operation, name, *more = rest.split(" ")
            if operation == "write":
                self.flash[name] = bytes.fromhex(more[0])
            elif operation == "rename":
                self.flash[more[0]] = self.flash.pop(name)
            else:
                del self.flash[name]
        elif kind == "j":
            self.journal.append(rest)
        elif kind == "w":
            programs, erases = map(int, rest.split())
            self.wear.programs += programs - self._worn.programs
            self.wear.erases += erases - self._worn.erases
            self._worn = Wear(programs, erases)
