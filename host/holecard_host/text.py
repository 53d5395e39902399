"""Text from outside, fit to be printed."""


class Lines:
    """Lines out of bytes that come in pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that are whole now, without their LF: one character for each byte, so that nothing is lost."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode("latin-1") for line in lines]


def printable(text: str) -> str:
    """Text from a file or a table without what would move a terminal's cursor or break a line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def dollars(amount: object) -> str:
    """`$1,240`, `$7.50`: money that a table told in dollars; anything else as it is."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        return printable(str(amount))
    sign, size = "-" if amount < 0 else "", abs(amount)
    return f"{sign}${size:,.2f}" if size % 1 else f"{sign}${int(size):,}"
