"""Serial ports and what answers on them, without ever hanging on a silent one."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import serial
from serial.tools import list_ports

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

TABLE, OTHER, SILENT, NOT_ASKED, BUSY, DENIED, GONE, FAULTY = (
    "table",
    "other",
    "silent",
    "not asked",
    "busy",
    "no permission",
    "gone",
    "error",
)


@dataclass(frozen=True)
class Found:
    """One port (or one simulated table): `status` is one of the words above, `answer` what `*IDN?` gave or why not."""

    port: str
    description: str
    vid: int | None
    pid: int | None
    status: str
    answer: str


def find(ask_all: bool = False, simulated: Iterable[Found] = ()) -> list[Found]:
    """List all serial ports and ask those with a known id (all of them if `ask_all`) who they are, at the same time.

    Takes at most `OPEN_SECONDS + ANSWER_SECONDS`, whatever the ports do. `simulated` goes first, as given.
    """
    ports = sorted(list_ports.comports(), key=lambda port: str(port.device))
    asked: dict[int, Callable[[], tuple[str, str]]] = {}
    for index, port in enumerate(ports):
        if ask_all or (port.vid, port.pid) in KNOWN_IDS:
            asked[index] = _start(port.device)
    return [
        *simulated,
        *(_row(port, *(asked[i]() if i in asked else (NOT_ASKED, ""))) for i, port in enumerate(ports)),
    ]


def _row(port: Any, status: str, answer: str) -> Found:
    description = str(port.description or "")
    if description in ("", "n/a"):
        description = KNOWN_IDS.get((port.vid, port.pid), "")
    return Found(str(port.device), description, port.vid, port.pid, status, answer)


def _start(device: str) -> Callable[[], tuple[str, str]]:
    """Ask in a thread of its own; the function returned waits for the outcome no longer than the limits allow."""
    outcome: list[tuple[str, str]] = []
    deadline = time.monotonic() + OPEN_SECONDS + ANSWER_SECONDS
    # A daemon: some drivers block in open() for good, and that must not keep the command from ending.
    thread = threading.Thread(target=lambda: outcome.append(identify(device)), daemon=True)
    thread.start()

    def wait() -> tuple[str, str]:
        thread.join(max(0.0, deadline - time.monotonic()))
        return outcome[0] if outcome else (SILENT, "the port did not open in time")

    return wait


def identify(device: str) -> tuple[str, str]:
    """Ask one port for `*IDN?`. Returns a status and the answer, or the reason why there is none; never raises."""
    try:
        # Opening sets DTR, without which a CDC port stays silent.
        with serial.Serial(device, 115200, timeout=0.1, write_timeout=ANSWER_SECONDS, exclusive=_exclusive()) as port:
            port.reset_input_buffer()
            # The empty line ends whatever an earlier program left unfinished.
            port.write(b"\n*IDN?\n")
            return _judge(_read_answer(port))
    except serial.SerialTimeoutException:
        return SILENT, "takes no data"
    except (OSError, ValueError) as error:  # SerialException is an OSError
        return _reason(error)


def _exclusive() -> bool | None:
    return True if os.name == "posix" else None  # Windows ports are exclusive by nature


def _read_answer(port: serial.Serial) -> bytes:
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
    number = getattr(error, "errno", None)
    text = str(error).lower()
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text or "busy" in text:
        return BUSY, "in use by another program"
    if number in (errno.EACCES, errno.EPERM) or "permission" in text or "access is denied" in text:
        return DENIED, "no permission: on Linux, add yourself to the group dialout (or uucp) and log in again"
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "filenotfound" in text:
        return GONE, "vanished while being asked"
    return FAULTY, " ".join(str(error).split())
