"""The table on the emulated Pico, timed by the chip's own clock: the same numbers on every machine, to the microsecond.

Time on the panel's bus is included everywhere. What needs no clock, bytes and allocation, is measured on the simulated
Pico under MicroPython too, which every machine has.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median

from holecard.boards import pico_pins
from holecard_host import firmware_files
from holecard_host.errors import HolecardError
from holecard_host.twin.simulator import Simulator

from .rows import Row

# How often fullframe.py shows its frame, and what it was measured to send each time.
_SHOWS = 5
_FULL_FRAME = 1037
_ENTRIES = Path(__file__).parent / "firmware"
_LIMIT_US = 20_000_000
# Between the presses of a quick player. A table that rests for a quarter of a second empties its heap.
_PACE_US = 400_000
# A round that is not over with the deal, whatever the chance of the day.
_DEAL = 'BENC:SHOE "2,10,3,7,2,2,2,2,10";:ROUN:BET 0,5;:ROUN:DEAL;*IDN?'
_DATA = " 40"  # the control byte in front of a picture's bytes
_KIB = 1024


class Device:
    """A table on the emulated chip, or simulated, and what it did on the panel's bus."""

    def __init__(self, entry: Path | None = None, interpreter: str = "rp2040") -> None:
        self.simulator = Simulator(interpreter, entry=entry, ticks=0, trace=True)
        self.since = 0
        self.simulator.start()
        self.simulator.grant(_LIMIT_US, idle=True)

    def close(self) -> None:
        self.simulator.kill()

    def restart(self) -> None:
        """The power goes and comes back; `since` is when, `trace` begins anew."""
        self.simulator.kill()
        self.trace.clear()
        self.since = self.simulator.now
        self.simulator.start()
        self.simulator.grant(self.since + _LIMIT_US, idle=True)

    @property
    def trace(self) -> list[str]:
        assert self.simulator.trace is not None
        return self.simulator.trace

    def ask(self, line: str) -> tuple[str, int]:
        """The answer, and the microseconds from the line's arrival to the answer's last byte."""
        before = self.simulator.now
        answer = self.simulator.grant(before + _LIMIT_US, rx=line.encode() + b"\n", lines=1)
        if answer.why != "lines":
            raise HolecardError(f"no answer to {line}: {answer}")
        return self.simulator.take_output().decode().splitlines()[-1], answer.now - before

    def command(self, line: str) -> None:
        """Carry out a command and wait until nothing is pending."""
        self.ask(f"{line};:SYST:ERR?")
        self.ask("*OPC?")

    def press(self, key: int, ms: int = 60) -> tuple[int, list[tuple[int, str]]]:
        """The instant of the press, and the bus transfers (instant of their end, content) until all is at rest."""
        simulator = self.simulator
        instant = simulator.now + _PACE_US
        start = len(self.trace)
        simulator.schedule(instant, pico_pins.KEYS[key], True)
        simulator.schedule(instant + ms * 1000, pico_pins.KEYS[key], False)
        simulator.grant(instant + ms * 1000 + 60_000)
        self.ask("*OPC?")
        return instant, list(_transfers(self.trace[start:]))


def _transfers(records: list[str]) -> Iterator[tuple[int, str]]:
    for record in records:
        if record.startswith("i "):
            _, instant, content = record.split(" ", 2)
            yield int(instant), content


def _payload(content: str) -> int:
    return len(content.split(" ")[1]) // 2


def measure() -> list[Row]:
    """Every row of the device. Raises StandFault where the chip cannot be emulated; ask `needs.missing` first."""
    return [*_sizes(), *_start(), *_wire(), *_presses(), *_inside()]


def measure_simulated() -> list[Row]:
    """The rows that need no emulated chip. Raises StandFault without MicroPython's unix port."""
    _, _, sent = _press(Device(interpreter="micropython"))
    table = Device(_ENTRIES / "inside.py", "micropython")
    table.ask(_DEAL)
    allocated = _report(table)[2]
    return [
        _budget("simulated: bytes to the panel a change, median", median(sent), "bytes", _FULL_FRAME / 5),
        _budget("simulated: allocated by 100 idle passes", allocated, "bytes", 0),
    ]


def _budget(name: str, value: float, unit: str, bound: float) -> Row:
    return Row(name, round(value, 3), unit, bound, value <= bound)


def _sizes() -> list[Row]:
    sizes = {name: len(data) for name, data in firmware_files.compiled().items() if name.endswith(".mpy")}
    return [
        _budget("device: program, .mpy in all", sum(sizes.values()) / _KIB, "KiB", 56),
        _budget("device: largest module", max(sizes.values()) / _KIB, "KiB", 12),
    ]


def _start() -> list[Row]:
    bare = Device(_ENTRIES / "lamp.py")
    booted = next(int(record.split(" ")[1]) for record in bare.trace if record.startswith("l "))
    bare.close()
    table = Device()
    first = max(instant for instant, _ in _transfers(table.trace))
    table.ask("*OPC?")
    table.restart()
    ready = max(instant for instant, _ in _transfers(table.trace)) - table.since
    table.close()
    return [
        Row("device: MicroPython's own start", booted / 1000, "ms"),
        _budget("device: then to ready-to-bet, picture complete", (ready - booted) / 1000, "ms", 600),
        Row("device: the same on the first day, seed and first promise included", (first - booted) / 1000, "ms"),
    ]


def _wire() -> list[Row]:
    table = Device()
    table.ask("*OPC?")
    times = [table.ask("*IDN?")[1] for _ in range(5)]
    state = table.ask("TABL:STAT?")[1]
    table.close()
    return [
        _budget("device: *IDN? round trip", median(times) / 1000, "ms", 4),
        Row("device: TABLe:STATe? round trip", state / 1000, "ms"),
    ]


def _press(table: Device) -> tuple[list[int], list[int], list[int]]:
    """Presses in betting and while two rounds are played: us to the first data on the bus, us to the last where a card
    came, bytes."""
    table.command("DISP:ANIM OFF")
    table.command("BENC:RUL casino")
    acknowledged, finished, sent = [], [], []
    for key in (0, 0, 2, 0, 2, 0, 0):
        instant, transfers = table.press(key)
        acknowledged.append(next(end for end, content in transfers if _DATA in content) - instant)
        sent.append(sum(_payload(content) for _, content in transfers))
    for _ in range(2):
        table.command('BENC:SHOE "2,10,3,7,2,2,2,2,10"')
        table.command("ROUN:BET 0,5")
        table.command("ROUN:DEAL")
        for _ in range(4):
            instant, transfers = table.press(1)
            acknowledged.append(next(end for end, content in transfers if _DATA in content) - instant)
            finished.append(transfers[-1][0] - instant)
            sent.append(sum(_payload(content) for _, content in transfers))
        table.command("ROUN:ACT 0,STAND")
        table.command("ROUN:NEXT")
    table.close()
    return acknowledged, finished, sent


def _presses() -> list[Row]:
    acknowledged, finished, sent = _press(Device())
    plain_sent, plain_us = _full_frame()
    return [
        _budget("device: press to acknowledgement, median", median(acknowledged) / 1000, "ms", 12),
        Row("device: press to acknowledgement, worst", max(acknowledged) / 1000, "ms"),
        _budget("device: press to new card complete, median", median(finished) / 1000, "ms", 60),
        Row("device: press to new card complete, worst", max(finished) / 1000, "ms"),
        _budget("device: bytes to the panel a change, median", median(sent), "bytes", plain_sent / 5),
        Row("device: the same with a full-frame driver", plain_sent, "bytes"),
        Row("device: a frame of a full-frame driver", plain_us / 1000, "ms"),
    ]


def _full_frame() -> tuple[float, int]:
    """Bytes and microseconds for a change with a driver that always sends the whole frame."""
    plain = Device(_ENTRIES / "fullframe.py")
    [taken] = _report(plain)
    return sum(_payload(content) for _, content in _transfers(plain.trace)) / _SHOWS, taken


def _inside() -> list[Row]:
    alone = Device(_ENTRIES / "inside.py")
    instant = alone.simulator.now
    alone.simulator.schedule(instant + 1000, pico_pins.KEYS[1], True)
    alone.simulator.schedule(instant + 61_000, pico_pins.KEYS[1], False)
    middle, worst, allocated, heap = _report(alone)
    heard = Device(_ENTRIES / "inside.py")
    heard.ask(_DEAL)
    served = _report(heard)
    return [
        _budget("device: an idle pass, median", middle / 1000, "ms", 1),
        Row("device: an idle pass, the worst, once a second", max(worst, served[1]) / 1000, "ms"),
        _budget("device: allocated by 100 idle passes", max(allocated, served[2]), "bytes", 0),
        _budget("device: heap in play, nobody at the port", heap / _KIB, "KiB", 112),
        Row("device: heap in play, a host served", served[3] / _KIB, "KiB"),
    ]


def _report(table: Device) -> list[int]:
    """What inside.py says by itself: a question would be work in the very passes that are to have none."""
    report = table.simulator.take_output().decode()
    while not report.startswith("inside"):
        table.simulator.grant(table.simulator.now + _LIMIT_US, lines=1)
        report = table.simulator.take_output().decode()
    table.close()
    return [int(part) for part in report.split()[1:]]
