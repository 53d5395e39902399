"""Text from outside, fit to be printed."""


def printable(text: str) -> str:
    """Text from a file or a table without what would move a terminal's cursor or break a line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def dollars(amount: object) -> str:
    """`$1,240`, `$7.50`: money that a table told in dollars; anything else as it is."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        return printable(str(amount))
    sign, size = "-" if amount < 0 else "", abs(amount)
    return f"{sign}${size:,.2f}" if size % 1 else f"{sign}${int(size):,}"
