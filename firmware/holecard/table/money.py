"""Half-dollars as a player reads them."""


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
