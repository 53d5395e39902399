"""What a table says of itself for whoever runs it: meters, accounts, last rounds, log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from holecard.rules.cards import card_text
from holecard.rules.replay import HistoryError, replay

from .errors import ScpiError, StandFault
from .wire import Wire

_MOST_ROUNDS = 64
_MOST_ENTRIES = 1024
_NONE_LEFT = -221
_UNKNOWN = -113


def audit(wire: Wire) -> dict[str, Any]:
    """Everything as plain values, newest first; raises StandFault for a table that answers nonsense."""
    return {
        "identity": wire.ask("*IDN?"),
        "mode": wire.ask("SYST:MODE?"),
        "meters": wire.ask_record("TABL:MET?"),
        "program": _program(wire),
        "accounts": wire.ask_record("TABL:AUD?"),
        "rounds": _rounds(wire),
        "log": _log(wire),
    }


def _program(wire: Wire) -> dict[str, Any] | None:
    """What the table says of its own files, None if it does not know the question."""
    try:
        return wire.ask_record("SYST:DIG?")
    except ScpiError as error:
        if error.code != _UNKNOWN:
            raise
        return None


@dataclass(frozen=True)
class Verdict:
    """What a table's accounts are: `good`, or in words why not, and what to do."""

    good: bool
    words: str
    remedy: str = ""


def verdict(accounts: dict[str, Any]) -> Verdict:
    """Of the answer to TABLe:AUDit?."""
    locked = accounts.get("locked") or ""
    clear = "CLEAR (an order, or in the menu; BENCh:CLEar on a bench)"
    if not accounts.get("known", True):
        return Verdict(False, "could not be read", f"what is left in its flash is kept until {clear} begins anew")
    if accounts.get("ok") is not True:
        return Verdict(False, "do not add up, do not trust them", f"{clear} begins anew" if locked else "")
    if locked:
        return Verdict(False, "add up, but nothing is played", f"{clear} is the way on")
    return Verdict(True, "add up")


def _rounds(wire: Wire) -> list[dict[str, Any]]:
    found = []
    for back in range(_MOST_ROUNDS):
        try:
            line = wire.ask(f"TABL:HIST? {back}")
        except ScpiError as error:
            if error.code != _NONE_LEFT or error.others:
                raise
            break
        found.append(_round(wire, line))
    return found


def _round(wire: Wire, line: str) -> dict[str, Any]:
    try:
        play = replay(line)
    except HistoryError as error:
        raise StandFault(f"{wire.name} tells a round that is none: {error}") from None
    visible = play.visible()
    return {
        "rules": visible.rules_name,
        "dealer": [card_text(card) for card in visible.dealer],
        "dealer_total": visible.dealer_total,
        "seats": [_seat(view, before) for view, before in zip(visible.seats, play.start, strict=True)],
        "actions": "".join(play.log),
        "history": line,
    }


def _seat(view: Any, before: int) -> dict[str, Any]:
    return {
        "before": before / 2,
        "bet": view.bet / 2,
        "insurance": view.insurance / 2,
        "net": (view.net or 0) / 2,
        "hands": [
            {"cards": [card_text(card) for card in hand.cards], "total": hand.total, "outcome": hand.outcome}
            for hand in view.hands
        ],
    }


def _log(wire: Wire) -> list[dict[str, Any]]:
    entries = []
    for back in range(min(wire.ask_int("SYST:LOG:COUN?"), _MOST_ENTRIES)):
        try:
            entries.append(wire.ask_record(f"SYST:LOG? {back}"))
        except ScpiError as error:
            if error.code != _NONE_LEFT or error.others:
                raise
            # One piece of the ring cannot be read; those before it may be.
            entries.append({"start": None, "seconds": None, "text": "(cannot be read)"})
    return entries
