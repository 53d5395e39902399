"""JSON built by hand: the order of the keys is ours, and no number ever becomes a float."""


def quote(text: str) -> str:
    """A JSON string; characters outside printable ASCII become `?`, which keeps every line one line."""
    out = ""
    for char in text:
        if char in '"\\':
            out += "\\" + char
        else:
            out += char if " " <= char <= "~" else "?"
    return '"' + out + '"'


def dollars(half_dollars: int) -> str:
    """Half-dollars as dollars: `15` -> `7.5`, `-1` -> `-0.5`, `20` -> `10`."""
    sign = "-" if half_dollars < 0 else ""
    whole, half = divmod(abs(half_dollars), 2)
    return sign + str(whole) + (".5" if half else "")


def money(half_dollars) -> str:
    """JSON number in dollars; `null` for None."""
    return "null" if half_dollars is None else dollars(half_dollars)


def flag(value) -> str:
    return "true" if value else "false"


def array(items) -> str:
    """An array of texts that are JSON already."""
    return "[" + ",".join(items) + "]"


def strings(items) -> str:
    """An array of JSON strings."""
    return array([quote(item) for item in items])


def record(*pairs) -> str:
    """An object of (key, JSON text) pairs, in that order."""
    return "{" + ",".join(['"' + key + '":' + value for key, value in pairs]) + "}"
