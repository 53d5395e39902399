"""What is right and wrong with a table, in words: asked over the wire, or of the board itself at its prompt."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from typing import Any, Protocol

from holecard import __version__
from holecard.boards import pico_pins
from holecard.boards.settings import NAME, parse

from .deploy import check
from .errors import ScpiError, StandFault
from .prompt import Prompt
from .stands.base import Stand

GOOD, WARNING, BAD, UNKNOWN = "good", "warning", "bad", "unknown"
_DIGEST_TRIES = 10
_DIGEST_MS = 400
KEYS = ("BET", "HIT", "STAND", "DOUBLE")

# *TST? adds these up (docs/wiring.md, docs/wire.md): bit, what it looks at, what is good, what is wrong and what to do.
SELF_TEST = (
    (1, "panel", "answers", "no panel answers: check VCC, GND, SDA and SCL, and that it is an I2C panel"),
    (
        2,
        "memory",
        "holds what is written to it",
        "memory does not hold what is written to it: restart; again? replace it",
    ),
    (
        4,
        "record",
        "can be read",
        "the table is locked: look at `holecard audit`, then clear the lock (BENCh:CLEar; in arcade mode the order"
        " CLEAR or the menu)",
    ),
    (8, "keys", "none is stuck", "a key was down at power-on and still is: its wire or its button touches ground"),
    (
        16,
        "entropy",
        "varies",
        "the source of entropy repeats itself: real rounds are locked (always so on an emulator)",
    ),
)


class Asker(Protocol):
    """What answers a query, as Wire does."""

    def ask(self, line: str) -> str: ...


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: `state` is one of the words above."""

    what: str
    state: str
    text: str


def over_the_wire(wire: Asker) -> list[Finding]:
    """Examine a table that runs. What its firmware does not tell is listed as unknown. Raises StandFault."""
    told = json.loads(wire.ask("SYST:HELP:HEAD?"))
    found = [_firmware(wire.ask("*IDN?")), Finding("mode", GOOD, wire.ask("SYST:MODE?"))]
    mask = int(wire.ask("*TST?"))
    more = _optional(wire, told, "DIAGnostic:PANel?")
    for bit, what, good, bad in SELF_TEST:
        text = good if not mask & bit else bad
        if what == "record" and mask & bit:
            reason = (_optional(wire, told, "TABLe:AUDit?") or {}).get("locked")
            text = f"{reason}; {bad}" if reason else bad
        if what == "panel" and not mask & bit and more:
            text = f"{more['kind']} at {more['address']}, {more['failures']} failures since start"
        found.append(Finding(what, BAD if mask & bit else GOOD, text))
    found.append(_errors(wire, told))
    lost = int(wire.ask("SYST:EVEN:DROP?"))
    found.append(
        Finding("events", WARNING if lost else GOOD, f"{lost} lost because nobody read them" if lost else "none lost")
    )
    memory = _optional(wire, told, "SYSTem:MEMory?")
    if memory is None:
        hint = "not told over the wire; at MicroPython's prompt this command measures it"
        found += [Finding("heap", UNKNOWN, hint), Finding("flash", UNKNOWN, hint)]
    else:
        found += [
            _room("heap", memory["heap_free"], memory["heap"]),
            _room("flash", memory["flash_free"], memory["flash"]),
        ]
    settings = _optional(wire, told, "SYSTem:SETTings?")
    if settings is not None:
        problem = settings["problem"]
        found.append(Finding("settings", BAD if problem else GOOD, problem or "can be read"))
    if "SYSTem:DIGest?" in told:
        found.append(program(_optional(wire, told, "SYSTem:DIGest?")))
    return found


def program(told: dict[str, Any] | None) -> Finding:
    """What SYSTem:DIGest? says of the program, None if it does not say anything."""
    state, short = (told["state"], told["digest"][:16]) if told else ("", "")
    if told is None:
        return Finding("program", UNKNOWN, "not told by this firmware")
    if state == "image":
        return Finding("program", GOOD, "part of MicroPython's own image")
    if state != "computed":
        return Finding("program", UNKNOWN, "its digest is being computed: ask again in a few seconds")
    if told["match"] is None:
        return Finding("program", GOOD, f"{short}..., {told['files']} files; no digest was installed to compare with")
    if told["match"]:
        return Finding("program", GOOD, f"{short}..., {told['files']} files, as installed")
    return Finding("program", BAD, f"{short}... and not {told['installed'][:16]}..., as installed: holecard flash PORT")


def await_digest(stand: Stand) -> None:
    """Gives a table that has just been started the time to look at its program. Raises StandFault."""
    for _ in range(_DIGEST_TRIES):
        try:
            told = stand.wire.ask_record("SYST:DIG?")
        except ScpiError:
            return
        if told.get("state") != "computing":
            return
        stand.advance(_DIGEST_MS)


def _optional(wire: Asker, told: list[str], header: str) -> dict[str, Any] | None:
    """A newer firmware's answer, None from one that does not know the question."""
    if header not in told:
        return None
    try:
        answer = json.loads(wire.ask(header))
    except (ScpiError, ValueError):
        return None
    return answer if isinstance(answer, dict) else None


def _firmware(identity: str) -> Finding:
    version = identity.rpartition(",")[2]
    if version == __version__:
        return Finding("firmware", GOOD, identity)
    return Finding(
        "firmware", WARNING, f"{identity}: this command is {__version__}; holecard flash brings it up to date"
    )


def _errors(wire: Asker, told: list[str]) -> Finding:
    if "SYSTem:ERRor:TOTal?" not in told:
        return Finding("errors", UNKNOWN, "not counted since start by this firmware")
    count = int(wire.ask("SYST:ERR:TOT?"))
    return Finding("errors", WARNING if count else GOOD, f"{count} since start")


def _room(what: str, free: int | None, total: int | None) -> Finding:
    if free is None or total is None:
        return Finding(what, UNKNOWN, "this machine does not tell")
    scarce = free * 10 < total
    return Finding(what, WARNING if scarce else GOOD, f"{free // 1024} KiB free of {total // 1024} KiB")


# At the prompt: the pins as the table uses them. Printed as one literal, which needs no parser here.
_LOOK = f"""\
from machine import I2C, Pin
b = I2C({pico_pins.I2C_BUS}, sda=Pin({pico_pins.SDA}), scl=Pin({pico_pins.SCL}), freq={pico_pins.I2C_HZ})
a = []
for n in (0x3C, 0x3D):
    try:
        b.writeto(n, b'\\x00\\xe3')
        a.append(n)
    except OSError:
        pass
k = [1 - Pin(n, Pin.IN, Pin.PULL_UP).value() for n in {(*pico_pins.KEYS, pico_pins.STRAP)!r}]
try:
    with open({NAME!r}, 'rb') as f:
        s = f.read()
except OSError:
    s = None
print(repr((a, k, s)))
"""


def at_the_prompt(board: Prompt) -> list[Finding]:
    """Examine a board on which no table runs: what it is, and what is wired to it. Raises StandFault."""
    facts = board.facts()
    try:
        check(facts, board.port)
        found = [Finding("board", GOOD, f"MicroPython {facts.version_text} on {facts.machine}")]
    except StandFault as fault:
        found = [Finding("board", BAD, str(fault))]
    try:
        panels, keys, settings = ast.literal_eval(board.run(_LOOK).strip())
    except (ValueError, SyntaxError):
        raise StandFault(f"{board.port}: an answer that no MicroPython gives") from None
    where = " and ".join(f"0x{address:02X}" for address in panels)
    found.append(Finding("panel", GOOD if panels else BAD, f"answers at {where}" if panels else SELF_TEST[0][3]))
    down = [name for name, low in zip(KEYS, keys, strict=False) if low]
    stuck = f"{', '.join(down)} down: held, or the wire touches ground"
    found.append(Finding("keys", BAD if down else GOOD, stuck if down else "none is down"))
    problem = parse(settings).problem
    found.append(
        Finding("settings", BAD if problem else GOOD, problem or ("none" if settings is None else "can be read"))
    )
    found.append(Finding("strap", GOOD, "arcade" if keys[4] else "open: bench mode, unless the settings say arcade"))
    found += [_room("heap", facts.heap_free, facts.heap), _room("flash", facts.flash_free, facts.flash)]
    return found
