"""Does to a table what a transcript says, and finds the first answer that is another one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageFault
from .masks import Masks, first_difference
from .read import Deed, Script

if TYPE_CHECKING:
    from ..stands import Stand

# Shorter pauses are the host's own slowness.
_LEAST_PAUSE_US = 2_000
_LONGEST_PAUSE_US = 60_000_000
_DEEDS = ("press", "press_down", "release", "advance", "cut", "restore")
_SHOWN = 72


@dataclass(frozen=True)
class Difference:
    """Where a table said something else. `number` is the line of the transcript, `at` the first character that differs.

    `expected` and `got` are without what may differ; "" for what did not come.
    """

    number: int
    request: str
    expected: str
    got: str
    at: int
    what: str = "answer"

    def __str__(self) -> str:
        start = max(0, self.at - _SHOWN // 3)
        cut = "..." if start else ""
        shown = [cut + text[start : start + _SHOWN] for text in (self.expected, self.got)]
        return (
            f"line {self.number}: another {self.what}{f' to {self.request}' if self.request else ''}\n"
            f"  transcript: {shown[0] or '(nothing)'}\n"
            f"  table:      {shown[1] or '(nothing)'}\n"
            f"              {' ' * (self.at - start + len(cut))}^"
        )


@dataclass(frozen=True)
class Outcome:
    """How many requests and other deeds were repeated, how many events compared, and the first difference, if any."""

    requests: int
    deeds: int
    events: int
    difference: Difference | None


def replay(
    script: Script,
    stand: Stand,
    masks: Masks,
    *,
    timed: bool = True,
    progress: Callable[[int, int], object] = lambda done, all: None,
) -> Outcome:
    """Repeat every deed in its order, with the pauses that were between them if `timed`; end at the first difference.

    Raises UsageFault when the stand cannot do what the transcript says; StandFault, FirmwareCrash.
    """
    requests = others = compared = 0
    expected: list[tuple[int, str]] = []
    came: list[str] = []
    before: Deed | None = None
    for index, deed in enumerate(script.deeds):
        progress(index, len(script.deeds))
        if timed and before is not None and not before.do and not script.stand_time:
            pause = deed.at - before.until
            if pause > _LEAST_PAUSE_US:
                stand.advance(min(pause, _LONGEST_PAUSE_US) / 1000)
        before = deed
        if deed.do:
            _do(script, stand, deed)
            others += 1
        else:
            requests += 1
            difference = _ask(stand, deed, masks)
            if difference is not None:
                return Outcome(requests, others, compared, difference)
        expected += [(deed.number, masks.event(event)) for event in deed.events]
        came += [masks.event(event.data) for event in stand.wire.take_events()]
        count = min(len(expected), len(came))
        difference = _events(expected[:count], came[:count])
        compared += count
        if difference is not None:
            return Outcome(requests, others, compared, difference)
        del expected[:count], came[:count]
    # What is pushed may come later than it did, or after the transcript had ended: only what is missing counts.
    if expected:
        stand.wire.ask("*OPC?")
        came += [masks.event(event.data) for event in stand.wire.take_events()]
        came += [""] * (len(expected) - len(came))
        return Outcome(requests, others, compared + len(expected), _events(expected, came[: len(expected)]))
    return Outcome(requests, others, compared, None)


def _ask(stand: Stand, deed: Deed, masks: Masks) -> Difference | None:
    if not deed.answers:
        # The program that was recorded ended before the answer, or it never came.
        return None
    got = stand.wire.exchange(deed.line)
    wanted, given = (masks.answer(deed.line, text) for text in (deed.answers[0], got))
    at = first_difference(wanted, given)
    return None if at < 0 else Difference(deed.number, deed.line, wanted, given, at)


def _do(script: Script, stand: Stand, deed: Deed) -> None:
    if deed.do not in _DEEDS:
        raise UsageFault(f"{script.path}:{deed.number}: no stand can {deed.do!r}")
    try:
        getattr(stand, deed.do)(*deed.arguments)
    except (TypeError, ValueError, OverflowError):
        arguments = json.dumps(deed.arguments)
        raise UsageFault(f"{script.path}:{deed.number}: {deed.do} does not take {arguments}") from None
    except UsageFault as fault:  # no such key, or a stand that cannot do it
        raise type(fault)(f"{script.path}:{deed.number}: {fault}") from None


def _events(expected: list[tuple[int, str]], came: list[str]) -> Difference | None:
    for (number, wanted), got in zip(expected, came, strict=True):
        at = first_difference(wanted, got)
        if at >= 0:
            return Difference(number, "", wanted, got, at, "event")
    return None


def as_record(outcome: Outcome) -> dict[str, Any]:
    """For --json."""
    found = outcome.difference
    return {
        "same": found is None,
        "requests": outcome.requests,
        "deeds": outcome.deeds,
        "events": outcome.events,
        "difference": None if found is None else vars(found),
    }
