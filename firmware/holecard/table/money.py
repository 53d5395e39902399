"""Half-dollars as a player reads them."""

from holecard.rules.ruleset import rules_text

_MONEY = ("min_bet", "max_bet", "start_bankroll", "goal")


def money(half_dollars: int) -> str:
    """`$1,240`, `$7.50`, `-$3`: cents only when there are any."""
    sign = "-" if half_dollars < 0 else ""
    dollars = abs(half_dollars) // 2
    text = str(dollars % 1000)
    while dollars >= 1000:
        text = "0" * (3 - len(text) % 4) + text
        dollars //= 1000
        text = str(dollars % 1000) + "," + text
    return sign + "$" + text + (".50" if half_dollars % 2 else "")


def signed(half_dollars: int) -> str:
    """A gain or loss: `+$37.50`, `-$25`, `$0`."""
    return "+" + money(half_dollars) if half_dollars > 0 else money(half_dollars)


def rules_words(rules) -> str:
    """`casino, min_bet $20, decks 8`: a rule set, with what differs from its preset, for people."""
    words = rules_text(rules).split("/")
    for i in range(1, len(words)):
        name, value = words[i].split("=")
        words[i] = name + " " + (money(int(value)) if name in _MONEY else value)
    return ", ".join(words)
