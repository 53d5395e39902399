"""Cutting the power of a real table: a hub that `uhubctl` switches, or two commands of the user's own.

The environment says how, for `open_stand` and so for everything that uses a stand:

    HOLECARD_UHUBCTL=1-1:2                               the hub's location and the port, as uhubctl lists them
    HOLECARD_UHUBCTL="/dev/ttyACM0=1-1:2 COM4=1-1:3"     one for each of several tables
    HOLECARD_POWER_OFF="relay 3 off"                     both of these: commands, run without a shell;
    HOLECARD_POWER_ON="relay 3 on"                       {url} in them is replaced by the table's URL
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from ..errors import StandFault, UsageFault

_SECONDS = 30.0
_HUB = re.compile(r"([0-9]+(?:-[0-9]+(?:\.[0-9]+)*)?):([0-9]+)")


@dataclass(frozen=True)
class Power:
    """Two commands, each a program and its arguments."""

    off_command: tuple[str, ...]
    on_command: tuple[str, ...]

    def off(self) -> None:
        """Switch off. Raises StandFault when the command fails."""
        _run(self.off_command)

    def on(self) -> None:
        """Switch on. Raises StandFault when the command fails."""
        _run(self.on_command)


def from_environment(url: str, environment: Mapping[str, str] = os.environ) -> Power | None:
    """How the power of the table at `url` is cut; None when nobody says. Raises UsageFault for what makes no sense."""
    off, on = environment.get("HOLECARD_POWER_OFF", ""), environment.get("HOLECARD_POWER_ON", "")
    if bool(off) != bool(on):
        raise UsageFault("HOLECARD_POWER_OFF and HOLECARD_POWER_ON: only one of the two is set, both are needed")
    if off:
        return Power(_words("HOLECARD_POWER_OFF", off, url), _words("HOLECARD_POWER_ON", on, url))
    hub = environment.get("HOLECARD_UHUBCTL", "")
    for entry in hub.split():
        table, separator, place = entry.rpartition("=")
        if separator and table != url:
            continue
        found = _HUB.fullmatch(place)
        if found is None:
            raise UsageFault(
                f"HOLECARD_UHUBCTL={hub}: {place!r} is no LOCATION:PORT such as 1-1:2 (uhubctl lists them)"
            )
        return uhubctl(found[1], found[2])
    return None


def uhubctl(location: str, port: str) -> Power:
    """The power of one port of a hub, as `uhubctl` names it."""
    return Power(*(("uhubctl", "-l", location, "-p", port, "-a", action) for action in ("off", "on")))


def _words(name: str, command: str, url: str) -> tuple[str, ...]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageFault(f"{name}={command}: {error}") from None
    if not words:
        raise UsageFault(f"{name} is blank")
    return tuple(word.replace("{url}", url) for word in words)


def _run(command: tuple[str, ...]) -> None:
    shown = shlex.join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False)
    except FileNotFoundError:
        raise StandFault(f"the power cannot be switched: there is no program {command[0]}") from None
    except subprocess.TimeoutExpired:
        raise StandFault(f"the power cannot be switched: `{shown}` did not end within {_SECONDS:g} s") from None
    except OSError as error:
        raise StandFault(f"the power cannot be switched: {command[0]}: {error.strerror or error}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise StandFault(
            f"the power was not switched: `{shown}` ended with {done.returncode}: {' '.join(said)}".rstrip(": ")
        )
