"""What the tests of the field's faults share: where they run, and what is read off the bus and the glass."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from tests.hardware.emulated import URL, needs_chip
from tests.hardware.support import needs_luma, needs_micropython

from holecard.drivers.panel import PAGES, WIDTH
from holecard_host.stands import Stand, open_stand

SIMULATED = [
    "sim://cpython",
    pytest.param("sim://micropython", marks=needs_micropython),
    pytest.param("sim://pi", marks=needs_luma),
]
EMULATED = pytest.param(URL, marks=needs_chip)
# Seconds on the emulated chip, and shown by others there: only with --long.
EMULATED_LONG = pytest.param(URL, marks=[needs_chip, pytest.mark.long])
# What takes long and depends on the panel's driver alone, which is the same on every board.
on_simulated_picos = pytest.mark.parametrize("url", SIMULATED[:2])
on_simulated = pytest.mark.parametrize("url", SIMULATED)
on_all = pytest.mark.parametrize("url", [*SIMULATED, EMULATED])
on_all_long = pytest.mark.parametrize("url", [*SIMULATED, EMULATED_LONG])

DARK = bytes(WIDTH * PAGES)
# A panel that is away is looked for at least every 0.8 s, and a bus that hangs is given up twice after 50 ms.
FOUND_MS = 1_500


@dataclass(frozen=True)
class Transfer:
    """One write on the panel's bus: when it ended (us), and its bytes without the address."""

    at: int
    data: bytes


def opened(url: str, **options: Any) -> Stand:
    """A table whose trace is kept and, in bench mode, whose cards lie there at once."""
    stand = open_stand(url, trace=True, **options)
    if stand.wire.ask("SYST:MODE?") == "bench":
        stand.wire.command("DISP:ANIM OFF")
    return stand


def settings(**fields: object) -> dict[str, bytes]:
    """Files of a table with these settings."""
    return {"settings.json": json.dumps(fields).encode()}


def transfers(stand: Stand, since: int = 0) -> list[Transfer]:
    """What went over the bus from this place of the trace on."""
    found = []
    for record in stand.faults.simulator.trace[since:]:
        kind, instant, rest = record.split(" ", 2)
        if kind == "i":
            found.append(Transfer(int(instant), bytes.fromhex(rest.split(" ")[1])))
    return found


def mark(stand: Stand) -> int:
    """The present end of the trace."""
    return len(stand.faults.simulator.trace)


def state(stand: Stand) -> dict[str, Any]:
    stand.wire.ask("*OPC?")
    return stand.wire.ask_record("TABL:STAT?")


def same_as_wanted(stand: Stand) -> bool:
    """Whether the glass shows what the table wants to show, and that is something."""
    stand.wire.ask("*OPC?")
    glass = stand.frame()
    return glass != DARK and glass.hex() == stand.wire.ask("DISP:DATA?").lower()


def play_a_round(stand: Stand) -> None:
    """Bet, deal, split, hit, stand, and a look at the hands, all by buttons; power-on to settled."""
    stand.wire.command("DISP:ANIM OFF;:BENC:RUL casino")
    stand.wire.command('BENC:SHOE "8,10,8,7,3,9,10"')
    for key in ("BET", "HIT", "BET", "HIT", "STAND", "STAND"):
        stand.press(key)
    assert state(stand)["phase"] == "settled"
    stand.advance(600)
    stand.press("DOUBLE")
    stand.wire.ask("*OPC?")
