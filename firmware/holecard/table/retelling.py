"""Events as text, for a host that takes them: see telling.py."""

from holecard.rules.cards import card_text
from holecard.table import jsontext as js

# Half-dollars, told in dollars.
_MONEY = ("bet", "bets", "amount", "nets", "bankrolls")


def text(kind: tuple, values: tuple) -> str:
    """The event as one JSON object."""
    pairs = [("event", js.quote(kind[0]))]
    for index, value in enumerate(values):
        field = kind[index + 1]
        pairs.append((field, _json(field, value)))
    return js.record(*pairs)


def _json(field: str, value) -> str:
    if isinstance(value, tuple):
        return js.array([_json(field, item) for item in value])
    if isinstance(value, str):
        return js.quote(value)
    if field == "card":
        return js.quote(card_text(value))
    return js.money(value) if field in _MONEY else str(value)
