"""Stands: everything that a table can be tested on, behind one class and named by a URL."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from ..errors import UsageFault
from ..ports import socket_fault
from .base import CAPABILITIES, KEYS, Stand, afterwards

__all__ = ["CAPABILITIES", "EMULATED", "KEYS", "Stand", "afterwards", "is_own", "keep_one", "open_stand"]

EMULATED = "rp2040://"

# By the wall clock, which runs twelve times faster than the emulated chip, or more on a busy machine.
_EMULATED_TIMEOUT = 300.0

_GOOD = (
    "sim://cpython, sim://micropython, sim://pi, rp2040://, sim://NAME (started by `holecard sim --name NAME`),"
    " a serial port such as /dev/ttyACM0 or COM3, socket://HOST:PORT,"
    " or file://TRANSCRIPT"
)


def open_stand(url: str, realtime: bool = False, **options: Any) -> Stand:
    """Open the stand that `url` names.

    `realtime` lets a simulated table follow the wall clock, for a person; other `options` are those of its Simulator.
    Raises UsageFault for a URL that names no stand, StandFault when it cannot be reached, FirmwareCrash.
    """
    scheme, separator, rest = url.partition("://")
    why = ""
    if separator and scheme == "sim":
        # Only here, so that a real table needs nothing of the simulation.
        from ..twin import holder, live, process, registry  # noqa: PLC0415
        from .sim import SimStand  # noqa: PLC0415

        if rest in process.INTERPRETERS:
            return SimStand(url, live.LiveTwin(rest, realtime=realtime, **options))
        if registry.is_name(rest):
            return SimStand(url, holder.RemoteTwin(registry.find(rest)))
    elif url == EMULATED:
        from ..twin import live, process  # noqa: PLC0415
        from .sim import SimStand  # noqa: PLC0415

        twin = live.LiveTwin(process.EMULATED, realtime=realtime, **options)
        return SimStand(url, twin, timeout=_EMULATED_TIMEOUT)
    elif separator and scheme == "file":
        from ..transcript.stand import FileStand  # noqa: PLC0415

        if rest:
            return FileStand(url, Path(rest))
        why = "the transcript's name is missing"
    elif separator and scheme == "socket":
        why = socket_fault(rest)
        if not why:
            return _serial(url)
    elif separator:
        why = f"there is no {scheme}://"
    elif _is_port(url):
        return _serial(url)
    raise UsageFault(f"{url!r} names no stand{f' ({why})' if why else ''}: use {_GOOD}")


def keep_one(url: str) -> str:
    """What to do where a table of the command's own makes no sense."""
    return f"{url} is a new table for each command: keep one with `holecard sim --name red`, then it is sim://red"


def is_own(url: str) -> bool:
    """Whether every program that opens `url` gets a simulated table of its own."""
    from ..twin.registry import RESERVED  # noqa: PLC0415

    return url == EMULATED or url in [f"sim://{kind}" for kind in RESERVED]


def _is_port(url: str) -> bool:
    if re.fullmatch(r"COM\d{1,3}", url, re.IGNORECASE):
        return True
    return url.startswith("/dev/") or (os.sep in url and os.path.exists(url))


def _serial(url: str) -> Stand:
    from .power import from_environment  # noqa: PLC0415
    from .serial import SerialStand  # noqa: PLC0415

    return SerialStand(url, power=from_environment(url))
