"""Serial ports and what answers on them, without ever hanging on a silent one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import serial
from serial.tools import list_ports

from . import locks
from .errors import StandFault
from .ports import BUSY, DENIED, GONE, LOST, NO_PORT, connect, judge

# Vendor and product ids that a table's serial port can have. Everything else is asked only on request: a stray line
# may start a printer or reset somebody's modem.
KNOWN_IDS = {
    (0x2E8A, 0x0005): "MicroPython on a Raspberry Pi Pico",
    (0x2E8A, 0x0009): "a Raspberry Pi Pico (SDK)",
    (0x2E8A, 0x000A): "a Raspberry Pi Pico (SDK)",
    (0x2E8A, 0x000F): "a Raspberry Pi RP2350",
    (0xF055, 0x9800): "a MicroPython board",
    (0xF055, 0x9801): "a MicroPython board",
    (0xF055, 0x9802): "a MicroPython board",
}
ANSWER_SECONDS = 1.0
OPEN_SECONDS = 2.0
_IDENTITY = b"Holecard,"
_LONGEST = 512  # bytes of an answer worth reading

TABLE, OTHER, SILENT, NOT_ASKED, OFF = "table", "other", "silent", "not asked", "off"
_REASONS = {
    BUSY: "in use by another program",
    DENIED: "no permission: on Linux, add yourself to the group dialout (or uucp) and log in again",
    GONE: "vanished while being asked",
    NO_PORT: "is no serial port",
}


@dataclass(frozen=True)
class Found:
    """One port (or one simulated table).

    `status` is one of the words above or of those in ports.py, `answer` what `*IDN?` gave, or why there is none; `lock`
    is who of this host's users has the table. What somebody has is not asked.
    """

    port: str
    description: str
    vid: int | None
    pid: int | None
    status: str
    answer: str
    lock: locks.Holder | None = None


@dataclass(frozen=True)
class Named:
    """A simulated table that runs under a name: its URL, the port behind it, what it is, and what tells whether it is
    switched off."""

    url: str
    port: str
    description: str
    is_off: Callable[[], bool] = lambda: False


def find(ask_all: bool = False, named: Iterable[Named] = ()) -> list[Found]:
    """List the named simulated tables and all serial ports, and ask who they are, all at the same time.

    Of the serial ports only those with a known id are asked, unless `ask_all`. Takes at most
    `OPEN_SECONDS + ANSWER_SECONDS`, whatever the ports do.
    """
    tables = [(table, _start(table.port, off=table)) for table in named]
    ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
    asked = [_start(port.device, ask_all or (port.vid, port.pid) in KNOWN_IDS) for port in ports]
    return [
        *(Found(table.url, table.description, None, None, *outcome()) for table, outcome in tables),
        *(_row(port, *outcome()) for port, outcome in zip(ports, asked, strict=True)),
    ]


_Outcome = tuple[str, str, locks.Holder | None]


def _row(port: Any, status: str, answer: str, lock: locks.Holder | None) -> Found:
    description = str(port.description or "")
    if description in ("", "n/a"):
        description = KNOWN_IDS.get((port.vid, port.pid), "")
    return Found(str(port.device), description, port.vid, port.pid, status, answer, lock)


def _start(device: str, ask: bool = True, off: Named | None = None) -> Callable[[], _Outcome]:
    """Ask in a thread of its own; the function returned waits for the outcome no longer than the limits allow.

    `off`: the table to look at when its port is silent.
    """
    lock = locks.look(device)
    if lock is not None:
        return lambda: (BUSY, f"in use by {lock}", lock)
    if not ask:
        return lambda: (NOT_ASKED, "", None)
    outcome: list[tuple[str, str]] = []
    deadline = time.monotonic() + OPEN_SECONDS + ANSWER_SECONDS

    def look() -> None:
        outcome.append(identify(device))
        if off is not None and outcome[0][0] == SILENT and off.is_off():
            outcome.append((OFF, f"switched off: `holecard power {off.url} on` switches it on"))

    # A daemon: some drivers block in open() for good, and that must not keep the command from ending.
    thread = threading.Thread(target=look, daemon=True)
    thread.start()

    def wait() -> _Outcome:
        thread.join(max(0.0, deadline - time.monotonic()))
        return (*(outcome[-1] if outcome else (SILENT, "the port did not open in time")), None)

    return wait


def identify(device: str) -> tuple[str, str]:
    """Ask one port for `*IDN?`. Returns a status and the answer, or the reason why there is none; never raises."""
    try:
        lock = locks.hold(device, purpose="a look")
    except StandFault as fault:
        return BUSY, str(fault).removeprefix(f"{device} is ")
    try:
        return _identify(device)
    finally:
        if lock is not None:
            lock.release()


def _identify(device: str) -> tuple[str, str]:
    try:
        with connect(device, 0.1, ANSWER_SECONDS) as port:
            port.reset_input_buffer()
            # The empty line ends whatever an earlier program left unfinished.
            port.write(b"\n*IDN?\n")
            return _judge(_read_answer(port))
    except serial.SerialTimeoutException:
        return SILENT, "takes no data"
    except (*LOST, ValueError) as error:
        return _reason(error)


def _read_answer(port: Any) -> bytes:
    """Bytes until a whole line that identifies something, or until time is up."""
    deadline = time.monotonic() + ANSWER_SECONDS
    data = b""
    while time.monotonic() < deadline and len(data) < _LONGEST:
        data += port.read(max(1, port.in_waiting))
        lines = data.split(b"\n")
        if any(_IDENTITY in line for line in lines[:-1]):
            break
    return data


def _judge(data: bytes) -> tuple[str, str]:
    lines = [line.strip() for line in data.decode("ascii", "replace").splitlines()]
    for line in lines:
        if line.startswith(_IDENTITY.decode()):
            return TABLE, line
    if any(line.startswith(">>>") for line in lines):
        return OTHER, "a MicroPython prompt: no table program is running"
    said = next((line for line in lines if line and line != "*IDN?"), "")
    if said:
        return OTHER, "".join(c if c.isprintable() else "." for c in said[:80])
    return SILENT, f"no answer in {ANSWER_SECONDS:g} s"


def _reason(error: Exception) -> tuple[str, str]:
    status = judge(error)
    return status, _REASONS.get(status) or " ".join(str(error).split())
