"""The command tree: which headers there are, which parameters they take, who obeys.

A command is (header in SCPI notation, parameters, function). Parameters, one letter each: `w` word, `t` word or string,
`s` string, `x` anything, `n` whole number, `$` dollars (half ones too; handed on as half-dollars), `b` ON or OFF;
those behind a `?` may be left out. The function gets the desk (see `table.Table`) and the values, and answers a text
(a long one as a list of pieces), None, or WAIT to be called again on a later pass. A fourth element, AFTER_DEAL, marks
a command that waits until a deal lies on the table: what follows from the hole card is not to be known, nor to be acted
on, before.
"""

from holecard.table import bench, common, operating, proving, system, tabletop
from holecard.table.scpi import NUMBER, STRING, WORD, arguments, number, parse, units
from holecard.table.status import ScpiError
from holecard.table.waiting import WAIT

_GROUPS = (
    common.COMMANDS,
    system.COMMANDS,
    tabletop.COMMANDS,
    bench.COMMANDS,
    operating.COMMANDS,
    proving.COMMANDS,
)
COMMANDS = sum(_GROUPS, ())
# Besides queries all that a table in arcade mode obeys: nothing of it reaches the game but the host's part of a cut.
_HARMLESS = ("*CLS", "*OPC", "*WAI", "*ESE", "*SRE", "SYSTem:COMMunicate:EVENt", "OPERator:DO", "FAIRness:CUT")
_MOST = 4_000_000
# Headers as they were written, with the commands they turned out to be.
_REMEMBERED = 24


class Tree:
    """Finds the command that a header names and hands it its values."""

    def __init__(self) -> None:
        # Header -> (command, level for the next header or None for the same).
        self._seen: dict = {}

    def units(self, line: str) -> list:
        """The units of a line, for `read`."""
        return units(line)

    def read(self, text: str, path: list) -> tuple:
        """One unit as (command or None, arguments, level for the next unit, its name), for `run`.

        `path` is the level that a header without a leading colon continues. Raises ScpiError as `scpi.parse` does.
        """
        cut = text.find(" ")
        key = text if cut < 0 else text[:cut]
        if path and key[0] not in "*:":
            key = ":".join(path) + ":" + key
        known = self._seen.get(key)
        if known is None:
            return self._look_up(text, path, key)
        args = arguments(text[cut:]) if cut >= 0 else []
        return known[0], args, path if known[1] is None else known[1], key

    def _look_up(self, text: str, path: list, key: str) -> tuple:
        unit = parse(text, path)
        level = None if unit.nodes[0].startswith("*") else unit.nodes[:-1]
        command = _find(unit.nodes, unit.query)
        if command:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen[key] = (command, level)
        named = ":".join(unit.nodes)[:60] + ("?" if unit.query else "")
        return command, unit.args, path if level is None else level, named

    def run(self, desk, call):
        """Obeys what `read` has read. Raises ScpiError, Refused or RoundVoid."""
        command = call[0]
        if command is None:
            raise ScpiError(-113, call[3])
        header = command[0]
        if desk.game.arcade and not (header.endswith("?") or header in _HARMLESS):
            raise ScpiError(-203, "arcade mode: use the keys, or orders with OPERator:DO")
        values = call[1]
        if values or command[1]:
            values = convert(command[1], values)
        if len(command) > 3 and desk.game.dealing:
            return WAIT
        return command[2](desk, *values) if values else command[2](desk)


def _find(nodes: list, query: bool):
    """The command of that name, None if there is none. A table of all spellings would be quicker, and take 8 KB."""
    start = nodes[0][:4]
    for group in _GROUPS:
        for command in group:
            if command[0].startswith(start) and _names(command[0], nodes, query):
                return command
    return None


def _names(header: str, nodes: list, query: bool) -> bool:
    """Whether these nodes are a spelling of a header in SCPI notation, with or without its optional node."""
    if header.endswith("?") != query:
        return False
    if query:
        header = header[:-1]
    if "[" in header:
        before, rest = header.split("[")
        optional, after = rest.split("]")
        return _spell(before + after, nodes) or _spell(before + optional + after, nodes)
    return _spell(header, nodes)


def _spell(header: str, nodes: list) -> bool:
    words = header.split(":")
    if len(words) != len(nodes):
        return False
    for i in range(len(words)):
        word = words[i]
        node = nodes[i]
        # Long form, or short one: all capitals of the word and nothing more.
        if node != word.upper() and not (word.startswith(node) and word[len(node)].islower()):
            return False
    return True


def convert(spec: str, args: list) -> list:
    """The arguments as values; raises ScpiError -108, -109, -104 or what `scpi.number` raises."""
    needed = spec.find("?")
    kinds = spec.replace("?", "")
    if len(args) > len(kinds):
        raise ScpiError(-108, args[len(kinds)][1][:40])
    if len(args) < (len(kinds) if needed < 0 else needed):
        raise ScpiError(-109)
    return [_value(kinds[i], args[i][0], args[i][1]) for i in range(len(args))]


def _value(kind: str, found: str, text: str):
    if kind == "w" and found == WORD:
        return text.upper()
    if kind == "t" and found != NUMBER:
        return text
    if kind == "x":
        return text
    if kind == "s" and found == STRING:
        return text
    if kind == "n" and found == NUMBER:
        return _bounded(number(text), text)
    if kind == "$" and found == NUMBER:
        return _bounded(number(text, 2), text)
    if kind == "b" and text.upper() in ("ON", "OFF", "1", "0"):
        return text.upper() in ("ON", "1")
    raise ScpiError(-104 if kind != "b" or found != WORD else -224, text[:40])


def _bounded(value: int, text: str) -> int:
    if not 0 <= value <= _MOST:
        raise ScpiError(-222, text[:20])
    return value
