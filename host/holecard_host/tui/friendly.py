"""The table's events in a player's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
Line = tuple[str, str]  # the text, and its tone: "good", "bad", "quiet", "title" or ""

_DEEDS = {
    "HIT": "hits",
    "STAND": "stands",
    "DOUBLE": "doubles",
    "SPLIT": "splits",
    "INSURE": "takes insurance",
    "DECLINE": "declines insurance",
    "TIMEOUT": "let the time for insurance run out",
}
_PHASES = {
    "betting": ("Place your bets.", ""),
    "insurance": ("Insurance?", ""),
    "saved": ("Chester is saved!", "good"),
    "broke": ("Out of money.", "bad"),
    "away": ("The seat has been left.", "quiet"),
    "locked": ("The table is out of service.", "bad"),
}
_STATES = {
    "play": "is in the game",
    "saved": "is saved and may play on",
    "broke": "is out of money",
    "away": "has left the table",
}


def card(text: str) -> str:
    """A card as printed: `Th` is `10♥`, a hidden one `▒▒`."""
    if len(text) != 2 or text == "??":
        return "▒▒"
    return text[0].replace("T", "10") + SUITS.get(text[1], text[1])


def money(amount: float) -> str:
    """Dollars as a player reads them: `$1,240` or `$7.50`."""
    sign = "-" if amount < 0 else ""
    number = f"{abs(amount):,.2f}".removesuffix(".00")
    return f"{sign}${number}"


def friendly(event: Mapping[str, Any]) -> Line | None:
    """One line for one event, or None for those that only repeat what another one says.

    An event of a kind or a shape that is not known here is shown as it came: nothing is lost.
    """
    name = str(event.get("event", ""))
    teller = _TELLERS.get(name)
    if teller is not None:
        try:
            return teller(event)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            pass
    details = ", ".join(f"{key} {value}" for key, value in event.items() if key != "event")
    return f"{name or 'event'}: {details}" if details else name or "event", "quiet"


def _seat(event: Mapping[str, Any]) -> str:
    return f"Seat {int(event['seat']) + 1}"


def _deal(event: Mapping[str, Any]) -> Line:
    bets = [money(bet) for bet in event["bets"] if bet]
    return f"Round {event['round']}, bet {', '.join(bets)}", "title"


def _key(event: Mapping[str, Any]) -> Line | None:
    # The screen and the button show a press already; a key that is stuck they cannot show.
    if "stuck" in event:
        return f"Held down since power-on, ignored: {', '.join(event['stuck'])}", "bad"
    return None


def _card(event: Mapping[str, Any]) -> Line:
    if event["to"] == "dealer":
        return f"  Dealer: {card(event['card'])}", ""
    return f"  {_seat(event)}: {card(event['card'])}", ""


def _action(event: Mapping[str, Any]) -> Line:
    more = f" for {money(event['amount'])}" if "amount" in event else ""
    return f"{_seat(event)} {_DEEDS.get(event['do'], event['do'].lower())}{more}.", ""


def _settled(event: Mapping[str, Any]) -> Line:
    nets = [net for net in event["nets"] if net is not None]
    parts = []
    for seat, net in enumerate(event["nets"]):
        if net is None:
            continue
        word = f"wins {money(net)}" if net > 0 else f"loses {money(-net)}" if net < 0 else "gets the bet back"
        parts.append(f"Seat {seat + 1} {word}")
    total = sum(nets)
    text = ", ".join(parts) or "Nobody played"
    return f"{text}.", "good" if total > 0 else "bad" if total < 0 else ""


def _phase(event: Mapping[str, Any]) -> Line | None:
    return _PHASES.get(event["phase"])


def _bet(event: Mapping[str, Any]) -> Line:
    return f"{_seat(event)} bets {money(event['bet'])}.", "quiet"


def _commit(event: Mapping[str, Any]) -> Line:
    # As short as on the panel.
    return f"Shoe {event['shoe']} is promised: #{event['commitment'][:8].upper()}", "quiet"


def _cut(event: Mapping[str, Any]) -> Line:
    helped = " by players and host" if event["host"] not in ("", "-") else ""
    return f"Shoe {event['shoe']} is cut{helped}.", "quiet"


_TELLERS: dict[str, Callable[[Mapping[str, Any]], Line | None]] = {
    "power": lambda event: ("The table is on.", "quiet"),
    "bet": _bet,
    "deal": _deal,
    "card": _card,
    "action": _action,
    "settled": _settled,
    "phase": _phase,
    "key": _key,
    "commit": _commit,
    "cut": _cut,
    "reveal": lambda event: (f"Shoe {event['shoe']} is revealed.", "quiet"),
    "void": lambda event: ("The open round is void.", "bad"),
    "operator": lambda event: (f"By order: {event['order']}.", "quiet"),
    "refused": lambda event: (f"Not now: {event['reason']}.", "bad"),
    "seat": lambda event: (f"{_seat(event)} {_STATES[event['state']]}.", "quiet"),
    "error": lambda event: (f"Fault {event['code']}: {event['text']}", "bad"),
    "dropped": lambda event: (f"… {event['count']} events were missed", "quiet"),
}
