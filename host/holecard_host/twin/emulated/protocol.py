"""Grants in, records out: the protocol of twin/device/link.py, spoken for the emulated chip."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any

from .chip import Chip
from .disk import disk_image
from .ending import Ending

_SECTOR = "sector-"


class Protocol:
    """One power-on of the chip, from the description of the machine to the end of the pipe."""

    def __init__(self, source: IO[bytes], sink: IO[bytes], uf2: Path) -> None:
        self._source = source
        self._sink = sink
        machine = json.loads(source.readline())
        self._zero = machine["now"]
        self._until = self._zero
        self._lines = 0
        self._idle = False
        self._why = ""
        self._line = bytearray()
        self._ending = Ending()
        stored = {name: bytes.fromhex(data) for name, data in machine["flash"].items()}
        sectors = {int(name[len(_SECTOR) :]): data for name, data in stored.items() if name.startswith(_SECTOR)}
        files = {name: data for name, data in stored.items() if not name.startswith(_SECTOR)}
        self.chip = Chip(
            uf2,
            disk_image(machine["entry"], files),
            sectors,
            self,
            uid=bytes.fromhex(machine["uid"]),
            seed=machine["seed"],
            ticks=machine["ticks"],
        )
        self.chip.pins.hold(machine["low"])

    def serve(self) -> None:
        """Carry out grants until the simulator goes. Exits with the traceback when the firmware ends."""
        while line := self._source.readline():
            self._take(json.loads(line))
            if not self._why:
                self.chip.run((self._until - self._zero) * 1000.0)
            self._answer()

    # What the chip tells

    def transfer(self, address: int, data: bytes) -> None:
        """A write on the I2C bus has ended."""
        self._record(f"i {self._now()} {address} {data.hex()}")

    def sent(self, data: bytes) -> None:
        """The host has taken a packet."""
        self._record(f"t {self._now()} {data.hex()}")
        self._ending.feed(data)
        if self._ending.over:
            self._stop("ended")
        for byte in data:
            self._line.append(byte)
            if byte == 10:
                if not self._line.startswith(b"!") and self._lines:
                    self._lines -= 1
                    if not self._lines:
                        self._stop("lines")
                self._line.clear()

    def drive(self, mask: int) -> None:
        """The GPIOs that are driven high have changed."""
        self._record(f"l {self._now()} {mask}")

    def flashed(self, sector: int, data: bytes, programs: int, erases: int) -> None:
        """A flash operation is done."""
        self._record(f"f {self._now()} write {_SECTOR}{sector} {data.hex()}")
        self._record(f"w {self._now()} {programs} {erases}")

    def cut(self) -> None:
        """The power fails."""
        self._stop("cut")

    def reset(self) -> None:
        """The firmware resets the chip, or its watchdog does."""
        self._stop("watchdog" if self.chip.bitten else "reset")

    def asleep(self) -> bool:
        """The processor sleeps; True when that ends the grant."""
        if self._idle and self.chip.entropy.drawn and self.chip.serial.quiet:
            self._stop("idle")
            return True
        return bool(self._why)

    # Inside

    def _now(self) -> int:
        return self._zero + int(self.chip.clock.nanos // 1000)

    def _stop(self, why: str) -> None:
        if not self._why or why in ("cut", "reset", "watchdog", "ended"):
            self._why = why
        self.chip.stop()

    def _take(self, grant: dict[str, Any]) -> None:
        chip = self.chip
        self._why = ""
        self._until = grant["until"]
        self._lines = grant.get("lines", 0)
        self._idle = grant.get("idle", False)
        chip.bus.answering = grant.get("bus", chip.bus.answering)
        chip.bus.faults = grant.get("faults", chip.bus.faults)
        chip.flash.cut = grant.get("cut", chip.flash.cut)
        chip.pins.expect(((instant - self._zero) * 1000.0, mask) for instant, mask in grant.get("edges", ()))
        if grant.get("stop_tx", not chip.serial.reading):
            chip.serial.reading = False
        elif not chip.serial.reading:
            chip.serial.read_again()
        if "rx" in grant:
            chip.serial.receive(bytes.fromhex(grant["rx"]))

    def _answer(self) -> None:
        if self._why == "ended":
            self._sink.flush()
            sys.exit(self._ending.report())
        now = min(self._now(), self._until) if self._why in ("", "lines", "idle") else self._now()
        self._record(f"a {now} {self._why or 'until'}")
        self._sink.flush()

    def _record(self, text: str) -> None:
        self._sink.write(text.encode() + b"\n")
