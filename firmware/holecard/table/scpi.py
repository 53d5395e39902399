"""The grammar of the wire: lines in, program units out. It knows no command.

A line holds units separated by `;`. A header without a leading colon continues at the
level of the one before it; a colon starts at the root; common commands (`*...`) leave the level alone (SCPI-99,
volume 1, chapter 6.2.4). A fault in one unit never takes the next one with it, so that a query at the end of a line is
answered whatever stands before it; only a line that is too long is thrown away whole.
"""

from holecard.table.lines import BAD
from holecard.table.status import ScpiError

_MNEMONIC_LIMIT = 12
STRING = "s"
NUMBER = "n"
WORD = "w"


def units(line: str) -> list:
    """The program units of a line: split at `;` outside quotes; a string that is never closed ends at the next `;`."""
    if ";" not in line:
        line = line.strip()
        return [line] if line else []
    found = []
    start = 0
    i = 0
    while i < len(line):
        char = line[i]
        if char == ";":
            found.append(line[start:i])
            start = i + 1
        elif char in "\"'":
            close = line.find(char, i + 1)
            if close > 0:
                i = close
        i += 1
    found.append(line[start:])
    return [unit.strip() for unit in found if unit.strip()]


class Unit:
    """One command: `nodes` (upper case, without `?`), `query`, `args` as (kind, text) pairs."""

    def __init__(self, nodes: list, query: bool, args: list) -> None:
        self.nodes = nodes
        self.query = query
        self.args = args


def parse(text: str, path: list) -> Unit:
    """Reads one unit; `path` holds the nodes that a header without a leading colon continues.

    The nodes of a common command are a single `*XXX`. Raises ScpiError.
    """
    if chr(BAD) in text:
        raise ScpiError(-101)
    cut = text.find(" ")
    if cut < 0:
        cut = len(text)
    header = text[:cut].upper()
    query = header.endswith("?")
    if query:
        header = header[:-1]
    if header.startswith("*"):
        if not header[1:].isalpha():
            raise ScpiError(-102, text[:cut])
        return Unit([header], query, arguments(text[cut:]))
    base = list(path)
    if header.startswith(":"):
        header = header[1:]
        base = []
    nodes = base + header.split(":")
    for node in nodes:
        _check_mnemonic(node, text[:cut])
    return Unit(nodes, query, arguments(text[cut:]))


def _check_mnemonic(node: str, header: str) -> None:
    if len(node) > _MNEMONIC_LIMIT:
        raise ScpiError(-112, node[:20])
    for i in range(len(node)):
        char = node[i]
        if not ("A" <= char <= "Z" or (i and ("0" <= char <= "9" or char == "_"))):
            raise ScpiError(-102, header[:40])
    if not node:
        raise ScpiError(-102, header[:40])


def arguments(text: str) -> list:
    """What follows a header, as (kind, text) pairs. Raises ScpiError."""
    if chr(BAD) in text:
        raise ScpiError(-101)
    text = text.strip()
    args: list = []
    if not text:
        return args
    i = 0
    while True:
        while i < len(text) and text[i] == " ":
            i += 1
        start = i
        if i < len(text) and text[i] in "\"'":
            value, i = _string(text, i)
            args.append((STRING, value))
            while i < len(text) and text[i] == " ":
                i += 1
            if i < len(text) and text[i] != ",":
                raise ScpiError(-103, text[i : i + 20])
        else:
            while i < len(text) and text[i] != ",":
                i += 1
            args.append(_plain(text[start:i].strip()))
        if i >= len(text):
            return args
        i += 1


def _string(text: str, start: int):
    mark = text[start]
    out = ""
    i = start + 1
    while i < len(text):
        if text[i] == mark:
            if text[i + 1 : i + 2] != mark:
                return out, i + 1
            i += 1
        out += text[i]
        i += 1
    raise ScpiError(-151, "string is not closed")


def _plain(word: str):
    if not word:
        raise ScpiError(-109)
    if word[0] in "+-.0123456789":
        return (NUMBER, word)
    if word[0] == "#":
        raise ScpiError(-168)
    for i in range(len(word)):
        char = word[i]
        if not ("A" <= char <= "Z" or "a" <= char <= "z" or (i and ("0" <= char <= "9" or char == "_"))):
            raise ScpiError(-141, word[:20])
    return (WORD, word)


def number(text: str, scale: int = 1) -> int:
    """`text` (a decimal number, exponent allowed) times `scale`, exactly.

    Raises ScpiError -121 if it is no number, -123 for an exponent above 9, -224 if the product is not whole.
    """
    mantissa = text.upper()
    exponent = 0
    if "E" in mantissa:
        mantissa, power = mantissa.split("E", 1)
        exponent = _integer(power, text)
        if not -9 <= exponent <= 9:
            raise ScpiError(-123, text[:20])
    negative = mantissa.startswith("-")
    if mantissa[:1] in ("+", "-"):
        mantissa = mantissa[1:]
    whole, _, fraction = mantissa.partition(".")
    if not (whole + fraction).isdigit() or len(whole + fraction) > 18:
        raise ScpiError(-121, text[:20])
    value = int(whole + fraction) * scale
    exponent -= len(fraction)
    if exponent >= 0:
        value *= 10**exponent
    else:
        value, rest = divmod(value, 10**-exponent)
        if rest:
            raise ScpiError(-224, text[:20] + " is not a multiple of 1/" + str(scale))
    return -value if negative else value


def _integer(text: str, whole: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdigit() or len(digits) > 4:
        raise ScpiError(-121, whole[:20])
    return -int(digits) if text.startswith("-") else int(digits)
