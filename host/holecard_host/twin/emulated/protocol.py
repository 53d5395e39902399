"""Grants in, records out: the protocol of twin/device/link.py, spoken for the emulated chip."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any

from .chip import Chip
from .disk import disk_image
from .ending import Ending
from .start import Start

_SECTOR = "sector-"
_UNTIL_IDLE = {"until", "idle", "bus", "stop_tx"}


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
        # Records of the first grant, with instants of the chip's own clock, as long as it may become a snapshot.
        self._told: list[tuple[str, int, str]] | None = []
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
        self._start = Start(self.chip, machine["seed"], (machine["ticks"], machine["low"]))

    def serve(self) -> None:
        """Carry out grants until the simulator goes. Exits with the traceback when the firmware ends."""
        first = True
        while line := self._source.readline():
            grant = json.loads(line)
            self._take(grant)
            if first and grant.keys() <= _UNTIL_IDLE and self._idle:
                self._boot(grant)
            elif not self._why:
                self._run()
            first = False
            self._told = None
            self._answer()

    def _boot(self, grant: dict[str, Any]) -> None:
        """The first grant of most power-ons: until the firmware waits. Short when the same start was seen before."""
        start = self._start
        start.told(grant)
        known, whole = start.find()
        for kind, instant, rest in known or ():
            self._record(kind, rest, self._zero + instant)
        if whole:
            self._why = "idle"
            return
        if known is None:
            start.mark_entropy(self.chip.stop)
            self._run()
            start.keep_early(self._told or [])
        if not self._why:
            self._run()
        if self._why == "idle":
            start.keep_whole(self._told or [])

    def _run(self) -> None:
        self.chip.run((self._until - self._zero) * 1000.0)

    # What the chip tells

    def transfer(self, address: int, data: bytes) -> None:
        """A write on the I2C bus has ended."""
        self._record("i", f"{address} {data.hex()}")

    def sent(self, data: bytes) -> None:
        """The host has taken a packet."""
        self._ending.feed(data)
        if self._ending.over:
            self._stop("ended")
        if self._ending.near:
            # Nobody should take a traceback for an answer.
            return
        self._record("t", data.hex())
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
        self._record("l", str(mask))

    def flashed(self, sector: int, data: bytes, programs: int, erases: int) -> None:
        """A flash operation is done."""
        self._record("f", f"write {_SECTOR}{sector} {data.hex()}")
        self._record("w", f"{programs} {erases}")

    def cut(self) -> None:
        """The power fails."""
        self._stop("cut")

    def reset(self) -> None:
        """The firmware resets the chip, or its watchdog does."""
        self._stop("watchdog" if self.chip.bitten else "reset")

    def asleep(self) -> bool:
        """The processor may be about to sleep; True when that ends the grant."""
        if not self.chip.mcu.core.waiting:
            return False
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
            sys.exit(self._ending.report() or 0)
        now = min(self._now(), self._until) if self._why in ("", "lines", "idle") else self._now()
        self._record("a", self._why or "until", now)
        self._sink.flush()

    def _record(self, kind: str, rest: str, now: int | None = None) -> None:
        if now is None:
            now = self._now()
        if self._told is not None:
            self._told.append((kind, now - self._zero, rest))
        self._sink.write(f"{kind} {now} {rest}\n".encode())
