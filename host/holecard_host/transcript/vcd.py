"""Writes what was recorded of pins, lamps and bus as a value change dump (IEEE 1364-2005, chapter 18).

GTKWave, PulseView and sigrok-cli open it. Every signal is one bit wide, because sigrok knows no others. The transfers
on the panel's bus are drawn as a controller sends them at `I2C_HZ`, so that an I2C decoder reads them; what a device
did not acknowledge is not in a transcript, and every bit of acknowledgement is drawn as one.
"""

from __future__ import annotations

import datetime
import heapq
import math
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import IO, Any

from holecard.boards.pico_pins import I2C_HZ

from ..errors import UsageFault
from .read import Script

# A tenth of a microsecond: half a bit of the bus takes 1.25 us.
_TICKS_PER_US = 10
_TIMESCALE = "100 ns"
_HALF_BIT = _TICKS_PER_US * 1_000_000 // (2 * I2C_HZ)
_BYTE = 18 * _HALF_BIT
# What a transfer takes beside its bytes (twin/device/link.py).
_OVERHEAD = 10 * _TICKS_PER_US
# No note of the table takes longer than a fifth of it. After a power cut in the middle of one nothing tells its end.
_LONGEST_NOTE = 1_000_000 * _TICKS_PER_US

_KEYS = ("BET", "HIT", "STAND", "DOUBLE", "TAP", "WAVE")
_LAMPS = ("LAMP_BET", "LAMP_HIT", "LAMP_STAND", "LAMP_DOUBLE")
SCOPES = {"keys": _KEYS, "lamps": _LAMPS, "sound": ("PIEZO",), "panel": ("SCL", "SDA")}
_IDLE = {**dict.fromkeys(_KEYS, 1), **dict.fromkeys(_LAMPS, 0), "PIEZO": 0, "SCL": 1, "SDA": 1}
_NAMES = {name: chr(33 + index) for index, name in enumerate(_IDLE)}

Change = tuple[int, str, int]


def write(script: Script, file: IO[str]) -> int:
    """Write every change; returns how many there are. Raises UsageFault for a transcript without any pin or transfer.

    Time 0 is the first of them.
    """
    records = sorted((record for record in script.records if "device" in record), key=itemgetter("device"))
    # Merged as they are written: of a long transcript they would not all find room in memory.
    changes = heapq.merge(_notes(records), _levels(records), _transfers(records), key=itemgetter(0))
    first = next(changes, None)
    if first is None:
        raise UsageFault(f"{script.path}: no pins and no bus are in this transcript: record a simulated table")
    zero = first[0]
    _head(script, file)
    file.write("#0\n$dumpvars\n")
    level = dict(_IDLE)
    file.writelines(f"{value}{_NAMES[name]}\n" for name, value in level.items())
    file.write("$end\n")
    now, count = 0, 0
    for instant, name, value in chain((first,), changes):
        if level[name] == value:
            continue
        level[name] = value
        count += 1
        if instant - zero > now:
            now = instant - zero
            file.write(f"#{now}\n")
        file.write(f"{value}{_NAMES[name]}\n")
    file.write(f"#{now + _BYTE}\n")
    return count


def _head(script: Script, file: IO[str]) -> None:
    made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    file.write(f"$date {made} $end\n$version holecard vcd, from {script.path.name.replace('$', '_')} $end\n")
    file.write(f"$timescale {_TIMESCALE} $end\n$scope module table $end\n")
    for scope, names in SCOPES.items():
        file.write(f"$scope module {scope} $end\n")
        file.writelines(f"$var wire 1 {_NAMES[name]} {name} $end\n" for name in names)
        file.write("$upscope $end\n")
    file.write("$upscope $end\n$enddefinitions $end\n")


def _notes(records: Sequence[dict[str, Any]]) -> Iterator[Change]:
    tones = [record for record in records if record["dir"] == "tone"]
    for one, following in pairwise([*tones, *tones[-1:]]):
        if one["hertz"]:
            start = _ticks(one)
            yield from _wave(start, min(_ticks(following), start + _LONGEST_NOTE), one["hertz"])


def _levels(records: Sequence[dict[str, Any]]) -> Iterator[Change]:
    for record in records:
        if record["dir"] == "pin" and record["pin"] in _NAMES:
            yield _ticks(record), record["pin"], record["level"]


def _transfers(records: Sequence[dict[str, Any]]) -> Iterator[Change]:
    free: float = -math.inf
    for record in records:
        if record["dir"] == "bus":
            data = bytes([record["address"] << 1]) + bytes.fromhex(record["data"])
            # Not before the one before has ended: the chip's own time between two transfers may round to none.
            start = int(max(free, _ticks(record) - _OVERHEAD - len(data) * _BYTE))
            yield from _transfer(start, data)
            free = start + len(data) * _BYTE + 6 * _HALF_BIT


def _ticks(record: dict[str, Any]) -> int:
    return int(record["device"]) * _TICKS_PER_US


def _wave(start: int, end: int, hertz: int) -> Iterator[Change]:
    half = max(1, _TICKS_PER_US * 500_000 // hertz)
    value = 1
    for instant in range(start, end, half):
        yield instant, "PIEZO", value
        value ^= 1
    yield end, "PIEZO", 0


def _transfer(at: int, data: bytes) -> Iterator[Change]:
    """Start, each bit set while the clock is low and read while it is high, stop."""
    yield at, "SDA", 0
    at += _HALF_BIT
    for byte in data:
        for bit in (*(byte >> shift & 1 for shift in range(7, -1, -1)), 0):
            yield at, "SCL", 0
            yield at + _HALF_BIT // 2, "SDA", bit
            yield at + _HALF_BIT, "SCL", 1
            at += 2 * _HALF_BIT
    yield at, "SCL", 0
    yield at + _HALF_BIT // 2, "SDA", 0
    yield at + _HALF_BIT, "SCL", 1
    yield at + 2 * _HALF_BIT, "SDA", 1
