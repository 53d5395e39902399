"""JSON built by hand: the order of the keys is ours, and no number ever becomes a float."""


def quote(text: str) -> str:
    """A JSON string; characters outside printable ASCII become `?`, which keeps every line one line."""
    # Bytes: see `Font`.
    for code in text.encode():
        if not 32 <= code <= 126 or code in (34, 92):
            return '"' + "".join([_escaped(char) for char in text]) + '"'
    return '"' + text + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if " " <= char <= "~" else "?"


def dollars(half_dollars: int) -> str:
    """Half-dollars as dollars: `15` -> `7.5`, `-1` -> `-0.5`, `20` -> `10`."""
    if not half_dollars & 1:
        return str(half_dollars // 2)
    sign = "-" if half_dollars < 0 else ""
    whole = abs(half_dollars) // 2
    return sign + str(whole) + ".5"


def money(half_dollars) -> str:
    """JSON number in dollars; `null` for None."""
    return "null" if half_dollars is None else dollars(half_dollars)


def flag(value) -> str:
    return "true" if value else "false"


def array(items) -> str:
    """An array of texts that are JSON already."""
    return "[" + ",".join(items) + "]"


def strings(items) -> list:
    """An array of JSON strings in pieces, as an answer may be: see `Instrument`."""
    pieces: list = []
    for item in items:
        pieces.append(("," if pieces else "[") + quote(item))
    return pieces + ["]" if pieces else "[]"]


def words(items) -> str:
    """An array of JSON strings of our own making, in which nothing needs to be quoted."""
    return '["' + '","'.join(items) + '"]' if items else "[]"


def record(*pairs) -> str:
    """An object of (key, JSON text) pairs, in that order."""
    return "{" + ",".join(['"' + key + '":' + value for key, value in pairs]) + "}"
