"""Text from outside, fit to be printed."""


def printable(text: str) -> str:
    """Text from a file or a table without what would move a terminal's cursor or break a line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
