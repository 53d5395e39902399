"""A step as data: its name, its fields, what each field may be, and which method of `Steps` it is.

The names and fields `delay`, `set-control`, `write-serial`, `wait-serial`, `expect-pin` and `take-screenshot` are those
of Wokwi's automation scenarios; its parts are the four keys here, with the pins `key` and `lamp`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import outfile
from ..errors import StepFailed, UsageFault
from ..golden import Screens, read
from ..stands.base import PRESS_MS, key_index
from . import fields as f
from .engine import HOLD_MS, Steps

_WITHIN_MS = 2000


@dataclass(frozen=True)
class Step:
    """One step: its name in STEPS, and its checked fields.

    `written` is what it was made from; `where` says where that stands, for messages.
    """

    do: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    written: Any = None

    @classmethod
    def of(cls, do: str, value: Any, where: str = "") -> Step:
        """Check a step as it was written: `value` is the value of its main field, or a mapping of its fields.

        Raises UsageFault, which says what is wrong but not where.
        """
        kind = STEPS.get(do)
        if kind is None:
            raise UsageFault(f"there is no step {do!r}: one of {', '.join(STEPS)}")
        return cls(do, kind.check(value), where, value)

    def __str__(self) -> str:
        return f"{self.do} {_plain(self.written)}".rstrip()


@dataclass(frozen=True)
class Place:
    """Where a run of steps finds and leaves its files; `texts` are the answers that no wait-serial has taken yet."""

    folder: Path
    screens: Screens
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Kind:
    """What a step needs: `main` is the field that a plain value fills; `free` checks all fields that are not named.

    `any_of`: optional fields without which the step would do nothing.
    """

    run: Callable[..., object]
    required: Mapping[str, f.Check] = field(default_factory=dict)
    optional: Mapping[str, f.Check] = field(default_factory=dict)
    main: str = ""
    free: Callable[[Mapping[str, Any], Mapping[str, Any]], None] | None = None
    any_of: tuple[str, ...] = ()

    def check(self, value: Any) -> dict[str, Any]:
        known = {**self.required, **self.optional}
        if value is None and not self.required:
            value = {}
        if not isinstance(value, Mapping):
            if not self.main:
                raise UsageFault(f"needs {_listed(self.required)}" if known else "has no fields")
            value = {self.main: value}
        result, rest = {}, {}
        for name, given in value.items():
            if name in known:
                try:
                    result[name] = known[name](given)
                except UsageFault as fault:
                    raise UsageFault(f"{name}: {fault}") from None
            elif self.free and isinstance(name, str):
                rest[name] = given
            else:
                raise UsageFault(
                    f"there is no field {name!r}: {f'one of {_listed(known)}' if known else 'it has none'}"
                )
        for name in self.required:
            if name not in result:
                raise UsageFault(f"the field {name!r} is missing")
        if self.any_of and not any(name in result for name in self.any_of):
            raise UsageFault(f"does nothing without {' or '.join(self.any_of)}")
        if self.free:
            self.free(result, rest)
            result["fields"] = rest
        return result


def perform(steps: Steps, step: Step, place: Place) -> None:
    """Carry out one step. Raises what Steps raises."""
    STEPS[step.do].run(steps, place, **{name.replace("-", "_"): value for name, value in step.fields.items()})


# What they do. `t` is the table, `p` the place.


def _set_control(t: Steps, p: Place, part_id: int, value: int, control: str = "pressed") -> None:
    (t.stand.press_down if value else t.stand.release)(part_id)
    t.settle()


def _write_serial(t: Steps, p: Place, value: str) -> None:
    # A line may hold queries or not: with the barrier behind it there always is an answer.
    answer = t.ask(f"{value};*OPC?")
    if answer != "1":
        p.texts.append(answer.removesuffix(";1"))


def _wait_serial(t: Steps, p: Place, text: str, within: float = _WITHIN_MS) -> None:
    def look() -> bool | None:
        p.texts.extend(json.dumps(event.data, separators=(",", ":")) for event in t.stand.take_events())
        for index, line in enumerate(p.texts):
            if text in line:
                del p.texts[: index + 1]
                return True
        return None

    def missed() -> str:
        return f"nothing with {text!r} came within {within:g} ms; the last lines: {' | '.join(p.texts[-3:]) or 'none'}"

    t.stand.wait_until(look, within, missed)


def _expect_pin(t: Steps, p: Place, part_id: int, pin: str, value: int) -> None:
    t.settle()
    lit = t.stand.lamps() >> part_id & 1
    if lit != value:
        raise StepFailed(f"the lamp is {'lit' if lit else 'dark'}, not {'lit' if value else 'dark'}")


def _take_screenshot(t: Steps, p: Place, save_to: str = "", compare_with: str = "", part_id: str = "") -> None:
    picture = t.picture()
    if save_to:
        outfile.write(p.folder / save_to, picture.to_png())
    if compare_with:
        difference = read(p.folder / compare_with).diff(picture)
        if difference:
            raise StepFailed(f"the screen is not {compare_with}: {difference}")


def _expect_state(t: Steps, p: Place, fields: dict[str, Any], within: float = 0) -> None:
    t.expect_state(fields, within)


def _wait_event(t: Steps, p: Place, event: str, fields: dict[str, Any], within: float = _WITHIN_MS) -> None:
    t.expect_event(event, within, **fields)


_FOR = {"for": f.duration}
_PRESS = {"for": f.press}
_SEAT = {"seat": f.seat}
_WITHIN = {"within": f.duration}

STEPS: dict[str, Kind] = {
    "press": Kind(
        lambda t, p, key, bounce=None, **k: t.press(key, k.get("for", PRESS_MS), bounce),
        {"key": key_index},
        {**_PRESS, "bounce": f.count},
        "key",
    ),
    "hold": Kind(lambda t, p, key, **k: t.hold(key, k.get("for", HOLD_MS)), {"key": key_index}, _PRESS, "key"),
    "chord": Kind(lambda t, p, keys, **k: t.chord(keys, k.get("for", PRESS_MS)), {"keys": f.keys}, _FOR, "keys"),
    "set-control": Kind(
        _set_control, {"part-id": key_index, "value": f.one_of(0, 1)}, {"control": f.one_of("pressed")}
    ),
    "delay": Kind(lambda t, p, time: t.wait(time), {"time": f.duration}, main="time"),
    "write-serial": Kind(_write_serial, {"value": f.line}, main="value"),
    "wait-serial": Kind(_wait_serial, {"text": f.text}, _WITHIN, "text"),
    "wait-event": Kind(_wait_event, {"event": f.event}, _WITHIN, "event", free=f.of_event),
    "expect-state": Kind(_expect_state, {}, _WITHIN, free=f.of_state),
    "expect-lamps": Kind(
        lambda t, p, lamps, within=0: t.expect_lamps(lamps, within), {"lamps": f.lamps}, _WITHIN, "lamps"
    ),
    "expect-answer": Kind(
        lambda t, p, query, answer, within=0: t.expect_answer(query, answer, within),
        {"query": f.query, "answer": f.wanted},
        _WITHIN,
    ),
    "expect-refused": Kind(lambda t, p, line: t.expect_refused(line), {"line": f.line}, main="line"),
    "expect-pin": Kind(_expect_pin, {"part-id": key_index, "pin": f.one_of("lamp"), "value": f.one_of(0, 1)}),
    "expect-screen": Kind(
        lambda t, p, name, ignore=(): p.screens.check(name, t.picture(), ignore),
        {"name": f.screen},
        {"ignore": f.boxes},
        "name",
    ),
    "take-screenshot": Kind(
        _take_screenshot,
        {},
        {"save-to": f.png, "compare-with": f.png, "part-id": f.text},
        "save-to",
        any_of=("save-to", "compare-with"),
    ),
    "power-cut": Kind(lambda t, p, time=500: t.cut_power(time), {}, {"time": f.duration}, "time"),
    "rules": Kind(lambda t, p, name, fields: t.rules(name, **fields), {"name": f.rules}, main="name", free=f.of_rules),
    "seats": Kind(lambda t, p, count: t.seats(count), {"count": f.seats}, main="count"),
    "bankroll": Kind(lambda t, p, dollars, seat=0: t.bankroll(dollars, seat), {"dollars": f.dollars}, _SEAT, "dollars"),
    "shoe": Kind(lambda t, p, cards: t.shoe(*cards), {"cards": f.cards}, main="cards"),
    "bet": Kind(lambda t, p, dollars, seat=0: t.bet(dollars, seat), {"dollars": f.dollars}, _SEAT, "dollars"),
    "deal": Kind(lambda t, p: t.deal()),
    "act": Kind(
        lambda t, p, do, seat=0, dollars=None: t.act(do, seat, dollars),
        {"do": f.action},
        {**_SEAT, "dollars": f.dollars},
        "do",
    ),
    "next-round": Kind(lambda t, p: t.next_round()),
}


def _listed(names: Mapping[str, Any]) -> str:
    return ", ".join(names)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(_plain, value))
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
