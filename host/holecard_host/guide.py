"""Guided checks for whoever has just wired something: panel, buttons, lamps, sound, one at a time.

A stand with pins and a panel of its own (a simulated table) is looked at and pressed by this program; at a real table a
person does both, and is asked. What nobody looked at is told as unknown, never as good.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from holecard.boards import pico_pins, raspberry_pi_pins

from .checkup import BAD, GOOD, KEYS, SELF_TEST, UNKNOWN, WARNING, Finding
from .errors import UsageFault
from .picture import Picture
from .stands import Stand, afterwards

# How long a person gets to find a button.
_PATIENCE_SECONDS = 30
_SLICE_MS = 100
# After a settlement the keys stay dead for 500 ms.
_DARK_MS = 700
# Blackjack at once, for the longest tune; a hand of 5 against 10, which may double, and hit without being over.
_TUNE, _HAND = "A,9,K,7", "2,10,3,7,4,5,6"


@dataclass(frozen=True)
class Person:
    """Who sits at the table: `say` tells something, `ask` a question with the possible answers. None of it: nobody."""

    say: Callable[[str], None]
    ask: Callable[[str], str]


def examine(step: str, stand: Stand, person: Person | None) -> list[Finding]:
    """Do one of STEPS. Raises StandFault, and UsageFault where the table has to be in bench mode and is not."""
    return STEPS[step](stand, person)


def _panel(stand: Stand, person: Person | None) -> list[Finding]:
    if stand.wire.ask_int("*TST?") & 1:
        return [Finding("panel", BAD, SELF_TEST[0][3])]
    before = stand.wire.ask_record("DIAG:PAN?")
    stand.advance(2000)
    after = stand.wire.ask_record("DIAG:PAN?")
    lost = int(after["failures"]) - int(before["failures"])
    found = [Finding("panel", GOOD, f"{after['kind']} at {after['address']}")]
    wires = "transfers failed in 2 s: shorten the wires, check the pull-ups" if lost else "no transfer failed in 2 s"
    found.append(Finding("bus", WARNING if lost else GOOD, f"{lost} {wires}" if lost else wires))
    return [*found, _picture(stand, person)]


def _picture(stand: Stand, person: Person | None) -> Finding:
    stand.wire.ask("*OPC?")
    wanted = Picture.from_hex(stand.wire.ask("DISP:DATA?"))
    if "panel" in stand.capabilities:
        same = stand.panel() == wanted
        return Finding("picture", GOOD if same else BAD, "the glass shows what the table draws" if same else _SHIFTED)
    if person is None:
        return Finding("picture", UNKNOWN, "nobody looked; run this in a terminal, or see `holecard screen`")
    person.say(wanted.to_text())
    good = person.ask("Does the panel show this picture, complete and not shifted? (y/n)") == "y"
    return Finding("picture", GOOD if good else BAD, "as it should be" if good else _SHIFTED)


_SHIFTED = "another picture: an SH1106 panel needs its setting (docs/device.md, Settings)"


def _buttons(stand: Stand, person: Person | None) -> list[Finding]:
    if stand.wire.ask_int("*TST?") & 8:
        return [Finding("buttons", BAD, SELF_TEST[3][3])]
    stand.wire.command("SYST:COMM:EVEN ON")
    with afterwards(stand, "SYST:COMM:EVEN OFF"):
        return [_button(stand, person, index, key) for index, key in enumerate(KEYS)]


def _button(stand: Stand, person: Person | None, index: int, key: str) -> Finding:
    what = f"button {key}"
    stand.wire.ask("*OPC?")
    stand.wire.take_events()
    if "pins" in stand.capabilities:
        stand.press(key)
        felt = _felt(stand, 1)
    elif person is None:
        return Finding(what, UNKNOWN, "nobody pressed it; run this in a terminal")
    else:
        person.say(f"Press {key} once.")
        felt = _felt(stand, _PATIENCE_SECONDS * 1000 // _SLICE_MS)
    where = _pin(stand, "KEYS", index)
    if not felt:
        return Finding(what, BAD, f"nothing felt: check the wire to {where}, and the button's other contact to ground")
    if felt[0] != key:
        return Finding(what, BAD, f"the table felt {felt[0]} instead: its wire belongs to {where}")
    if len(felt) > 1:
        return Finding(what, WARNING, f"one press was felt as {', '.join(felt)}: a contact that bounces, or two wires")
    return Finding(what, GOOD, f"felt once, at {where}")


def _felt(stand: Stand, slices: int) -> list[str]:
    """The keys that the table felt, until one was and the next slice of time brought no more."""
    felt: list[str] = []
    for _ in range(slices):
        stand.advance(_SLICE_MS)
        stand.wire.ask("*OPC?")
        new = [str(event.data["key"]) for event in stand.wire.take_events() if event.data.get("key")]
        felt += new
        if felt and not new:
            break
    return felt


def _lamps(stand: Stand, person: Person | None) -> list[Finding]:
    _bench(stand)
    rules = stand.wire.ask_record("TABL:STAT?")["rules"]
    with afterwards(stand, f"BENC:RUL {rules}"):
        stand.wire.command(f'BENC:RUL sifl;:BENC:SHOE "{_HAND}"')
        found = [_lit(stand, person, "while you bet")]
        stand.wire.command("ROUN:BET 0,5;DEAL")
        found.append(_lit(stand, person, "with two cards"))
        stand.wire.command("ROUN:ACT 0,HIT")
        found.append(_lit(stand, person, "with three cards"))
        # Out of money: HIT alone, "come back". Without it nobody would find the lamps of HIT and STAND exchanged.
        stand.wire.command(f'BENC:RUL sifl;:BENC:BANK 0,1;SHOE "{_HAND}"')
        stand.wire.command("ROUN:BET 0,1;DEAL")
        stand.wire.ask("*OPC?")
        stand.wire.command("ROUN:ACT 0,STAND")
        stand.wire.ask("*OPC?")
        stand.advance(_DARK_MS)
        stand.press("HIT")
        found.append(_lit(stand, person, "when you are out"))
    return found


def _lit(stand: Stand, person: Person | None, when: str) -> Finding:
    stand.wire.ask("*OPC?")
    wanted = _letters(stand.wire.ask_int("DIAG:LAMP?"))
    what = f"lamps {when}"
    if "pins" in stand.capabilities:
        got = _letters(stand.lamps())
    elif person is None:
        return Finding(what, UNKNOWN, f"{_named(wanted)} should be lit; nobody looked")
    else:
        answer = person.ask(f"Which lamps are lit {when}? (letters of b h s d, or none)").lower()
        got = "".join(letter for letter in "bhsd" if letter in answer and answer != "none")
    if got == wanted:
        return Finding(what, GOOD, f"{_named(got)}, as it should be")
    wrong = [_pin(stand, "LAMPS", index) for index, letter in enumerate("bhsd") if letter in set(wanted) ^ set(got)]
    return Finding(what, BAD, f"{_named(got)} instead of {_named(wanted)}: check {' and '.join(wrong)}")


def _letters(mask: int) -> str:
    return "".join(letter for bit, letter in enumerate("bhsd") if mask >> bit & 1)


def _named(letters: str) -> str:
    return " ".join(KEYS["bhsd".index(letter)] for letter in letters) or "none lit"


def _sound(stand: Stand, person: Person | None) -> list[Finding]:
    _bench(stand)
    rules = stand.wire.ask_record("TABL:STAT?")["rules"]
    with afterwards(stand, f"BENC:RUL {rules}"):
        stand.wire.command(f'BENC:RUL sifl;:BENC:SHOE "{_TUNE}"')
        # Only the simulation in this very process can be listened to.
        heard = getattr(getattr(getattr(stand, "twin", None), "simulator", None), "tones", None)
        if heard is not None:
            heard.clear()
        elif person is not None:
            person.say("Listen: a blackjack, four rising notes.")
        stand.wire.command("ROUN:BET 0,5;DEAL")
        stand.wire.ask("*OPC?")
        stand.advance(2000)
    if heard is None and person is None:
        return [Finding("sound", UNKNOWN, "nobody listened; run this in a terminal")]
    if heard is not None:
        notes = [hertz for _, hertz in heard if hertz]
        text = f"heard {', '.join(map(str, notes))} Hz"
        return [Finding("sound", GOOD if notes else BAD, text if notes else _silent(stand))]
    good = person is not None and person.ask("Did you hear them? (y/n)") == "y"
    return [Finding("sound", GOOD if good else BAD, "heard" if good else _silent(stand))]


def _silent(stand: Stand) -> str:
    return f'nothing heard: check {_pin(stand, "PIEZO")}, that the piezo is a passive one, and the settings ("sound")'


def _pin(stand: Stand, signal: str, index: int | None = None) -> str:
    """A GPIO as it is called on the table's own board: GP10, GPIO5."""
    pi = stand.wire.ask("*IDN?").startswith("Holecard,Table-pi,")
    number = getattr(raspberry_pi_pins if pi else pico_pins, signal)
    return f"{'GPIO' if pi else 'GP'}{number if index is None else number[index]}"


def _bench(stand: Stand) -> None:
    if stand.wire.ask("SYST:MODE?") != "bench":
        raise UsageFault(f"{stand.url} is in arcade mode, where nobody stacks cards: take the strap off for this step")


STEPS = {"panel": _panel, "buttons": _buttons, "lamps": _lamps, "sound": _sound}
