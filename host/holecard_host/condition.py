"""Whether a table can be played on: its mode, and the lock that it may have put on itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import ScpiError
from .text import printable

if TYPE_CHECKING:
    from .stands import Stand
    from .wire import Wire

PROTECTED = -203  # SCPI: Command protected; what an arcade table answers to everything that bench mode allows
_ARCADE = "arcade"
# No record can be kept there, so nothing can be cleared (docs/wire.md, "What is stored").
_FLASH_FAILS = ("the flash cannot be read", "the flash keeps no record")


@dataclass(frozen=True)
class Condition:
    """`arcade`: nothing can be done over the wire but watching; `locked`: why the table is out of service, or ""."""

    arcade: bool = False
    locked: str = ""


PLAYABLE = Condition()


def condition(wire: Wire) -> Condition:
    """Ask a table. Raises StandFault when it is lost, or does not answer as a table does."""
    locked = ""
    if wire.ask_record("TABL:STAT?").get("phase") == "locked":
        locked = printable(str(wire.ask_record("TABL:AUD?").get("locked") or "it does not say why"))
    try:
        arcade = wire.ask("SYST:MODE?") == _ARCADE
    except ScpiError:
        arcade = False  # an older firmware, which has one mode
    return Condition(arcade, locked)


def can_press(stand: Stand, found: Condition) -> bool:
    """Whether this program can press the table's keys: with a finger always, by command in bench mode only."""
    return "pins" in stand.capabilities or not found.arcade


def way_out(url: str, found: Condition) -> str:
    """What to do about a lock."""
    if found.locked in _FLASH_FAILS:
        return "its flash has failed: it needs another board"
    clear = f"`holecard query {url} BENC:CLE`"
    if found.arcade:
        clear = f"its menu (HIT and STAND held at power-on) or `holecard operator {url} CLEAR --key-file FILE`"
    return f"look at `holecard audit {url}` first, then clear it: {clear}"
