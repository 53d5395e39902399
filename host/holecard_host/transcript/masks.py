"""What may differ between two answers to the same request, and the first place where they differ otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holecard.table import scpi
from holecard.table.status import ScpiError

from ..errors import UsageFault

MASKED = "<masked>"
# By the short form of a query: what its answer may hold instead of what it held. "" is the whole answer, otherwise a
# field of JSON; the identity's board, serial number and version are a matter of *IDN? itself.
_BY_QUERY: dict[str, tuple[str, ...]] = {
    "SYST:TIME?": ("",),
    "SYST:MEM?": ("heap_free", "heap", "flash_free", "flash"),
    "SYST:LOG?": ("start", "seconds"),
    "SYST:EVEN?": ("seq", "us"),
    "SYST:EVEN:DROP?": ("",),
    "OPER:NONC?": ("",),
    "OPER:STAT?": ("wait",),
    "DIAG:PAN?": ("address", "failures"),
    "DIAG:LOOP?": ("",),
}


@dataclass(frozen=True)
class Masks:
    """`patterns`: what matches one of them may differ; `fields`: so may these fields of JSON, wherever they are."""

    patterns: tuple[re.Pattern[str], ...] = ()
    fields: frozenset[str] = frozenset()

    @classmethod
    def of(cls, patterns: Sequence[str] = (), fields: Sequence[str] = ()) -> Masks:
        """Raises UsageFault for what is no regular expression."""
        compiled = []
        for pattern in patterns:
            try:
                compiled.append(re.compile(pattern))
            except re.error as error:
                raise UsageFault(f"--mask {pattern}: this is no regular expression: {error}") from None
        return cls(tuple(compiled), frozenset(fields))

    def answer(self, request: str, answer: str) -> str:
        """An answer without what may differ."""
        queries = queries_of(request)
        parts = split(answer)
        # With an error in between there are fewer answers than queries: then nobody knows which is which.
        if len(queries) == len(parts):
            parts = [self._part(query, part) for query, part in zip(queries, parts, strict=True)]
        else:
            parts = [self._part("", part) for part in parts]
        return self._text(";".join(parts))

    def event(self, data: dict[str, Any]) -> str:
        """An event without what may differ."""
        return self._text(json.dumps(self._without(data, self.fields)))

    def _part(self, query: str, part: str) -> str:
        if query == "*IDN?":
            return f"{part.partition(',')[0]},{MASKED}"
        wanted = _BY_QUERY.get(query, ())
        if "" in wanted:
            return MASKED
        fields = self.fields | set(wanted)
        if not fields or part[:1] not in "{[":
            return part
        try:
            return json.dumps(self._without(json.loads(part), frozenset(fields)))
        except (ValueError, RecursionError):
            return part

    def _without(self, value: Any, fields: frozenset[str]) -> Any:
        if isinstance(value, dict):
            return {key: MASKED if key in fields else self._without(one, fields) for key, one in value.items()}
        if isinstance(value, list):
            return [self._without(one, fields) for one in value]
        return value

    def _text(self, text: str) -> str:
        for pattern in self.patterns:
            text = pattern.sub(MASKED, text)
        return text


def queries_of(request: str) -> list[str]:
    """The short forms of the queries on a line: `SYST:TIME?` for `system:time?`, and for `TIME?` behind `SYST:MEM?`."""
    found, path = [], []  # type: ignore[var-annotated]
    for text in scpi.units(request):
        try:
            unit = scpi.parse(text, path)
        except ScpiError:
            continue
        if not unit.nodes[0].startswith("*"):
            path = unit.nodes[:-1]
        if unit.query:
            found.append(":".join(_short(node) for node in unit.nodes) + "?")
    return found


def _short(node: str) -> str:
    """A mnemonic of more than four letters loses what is behind the fourth, and that one too when it is a vowel."""
    if node.startswith("*") or len(node) <= 4:
        return node
    return node[:3] if node[3] in "AEIOU" else node[:4]


def split(answer: str) -> list[str]:
    """The answers on one line: the parts between semicolons, but for those inside quotes."""
    parts, quoted = [""], False
    for character in answer:
        quoted ^= character == '"'
        if character == ";" and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def first_difference(expected: str, got: str) -> int:
    """The index of the first character that differs; -1 when none does."""
    if expected == got:
        return -1
    for index, (one, other) in enumerate(zip(expected, got, strict=False)):
        if one != other:
            return index
    return min(len(expected), len(got))
