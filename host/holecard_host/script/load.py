"""Reads a script and checks every step of it, before anything is done to a table.

The frame of a file is that of Wokwi's automation scenarios:

    name: A blackjack pays three to two
    version: 1
    needs: [power]          # optional: capabilities of the stand
    fresh: false            # optional: begin with the table as it is, not as on its first day
    steps:
      - shoe: [A, 9, K, 8]
      - expect-state: {phase: settled}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from ..errors import UsageFault
from ..infile import read
from ..stands.base import CAPABILITIES
from ..steps import Step
from ..steps.compare import shown
from ..text import printable

_FIELDS = ("name", "version", "author", "about", "needs", "fresh", "steps")
_VERSION = 1
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Script:
    """A checked script: `needs` are capabilities, `fresh` says whether it wants a new table."""

    path: Path
    name: str
    steps: tuple[Step, ...]
    needs: tuple[str, ...] = ()
    fresh: bool = True


def load(path: Path) -> Script:
    """Read a file. Raises UsageFault: `FILE:LINE: step N (NAME): what is wrong`."""
    try:
        import yaml  # noqa: PLC0415 - an extra
    except ImportError:
        raise UsageFault('scripts are YAML files, which need PyYAML: pip install "holecard[script]"') from None
    try:
        text = _read(path)
        loader = yaml.SafeLoader(text)
        try:
            root = loader.get_single_node()
            return _Reader(path, loader, yaml).script(root)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise UsageFault(printable(f"{where}: is no YAML: {error.problem or error.context}")) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageFault(printable(f"{path}: is no YAML: {' '.join(str(error).split())}")) from None


def _read(path: Path) -> str:
    data = read(path)
    if len(data) > _MOST_BYTES:
        raise UsageFault(f"{path}: is larger than any script: more than {_MOST_BYTES} bytes")
    return data.decode("utf-8-sig")


class _Reader:
    """Walks the nodes of a file, which know their lines."""

    def __init__(self, path: Path, loader: Any, yaml: Any) -> None:
        self._path = path
        self._loader = loader
        self._yaml = yaml
        self._values = 0

    def script(self, root: Any) -> Script:
        if not isinstance(root, self._yaml.MappingNode):
            self._fail(root, "a script has a name and steps")
        fields: dict[str, Any] = {}
        for name, key, node in self._pairs(root):
            if name not in _FIELDS:
                self._fail(key, f"there is no field {shown(name)}: one of {', '.join(_FIELDS)}")
            fields[name] = node
        values = {name: self._value(node) for name, node in fields.items() if name != "steps"}
        version = values.get("version", _VERSION)
        if version != _VERSION or isinstance(version, bool):
            self._fail(fields["version"], f"version must be {_VERSION}, not {shown(version)}")
        needs = values.get("needs", [])
        for need in needs if isinstance(needs, list) else [needs]:
            if not isinstance(need, str) or need not in CAPABILITIES:
                self._fail(fields["needs"], f"needs: no capability {shown(need)}: one of {', '.join(CAPABILITIES)}")
        if not isinstance(values.get("fresh", True), bool):
            self._fail(fields["fresh"], "fresh must be true or false")
        steps = fields.get("steps")
        if not isinstance(steps, self._yaml.SequenceNode) or not steps.value:
            self._fail(steps or root, "steps: must be a list with at least one step")
        return Script(
            self._path,
            str(values.get("name") or self._path.stem),
            tuple(self._step(number, node) for number, node in enumerate(steps.value, 1)),
            tuple(needs) if isinstance(needs, list) else (needs,),
            values.get("fresh", True),
        )

    def _step(self, number: int, node: Any) -> Step:
        here = f"step {number}"
        if isinstance(node, self._yaml.ScalarNode):
            name, value = self._value(node), None
        elif isinstance(node, self._yaml.MappingNode) and len(node.value) == 1:
            ((name, _, inner),) = self._pairs(node)
            value = self._value(inner)
        else:
            self._fail(node, f"{here}: must be one name and what belongs to it, as in `press: HIT`")
        if not isinstance(name, str):
            self._fail(node, f"{here}: {shown(name)} is no name of a step")
        try:
            return Step.of(name, value, f"{self._path}:{node.start_mark.line + 1}: {here} ({name})")
        except UsageFault as fault:
            self._fail(node, f"{here} ({name}): {fault}")

    def _pairs(self, node: Any) -> Iterator[tuple[Any, Any, Any]]:
        seen = set()
        for key, value in node.value:
            name = self._value(key)
            if shown(name) in seen:
                self._fail(key, f"{shown(name)} stands here twice")
            seen.add(shown(name))
            yield name, key, value

    def _value(self, node: Any) -> Any:
        self._values += 1
        if self._values > _MOST_BYTES:  # more values than bytes: aliases of aliases
            self._fail(node, "is larger than any script: its aliases stand for too much")
        if isinstance(node, self._yaml.MappingNode):
            return {name: self._value(value) for name, _, value in self._pairs(node)}
        if isinstance(node, self._yaml.SequenceNode):
            return [self._value(value) for value in node.value]
        value = self._loader.construct_object(node, deep=True)
        return value if isinstance(value, str | int | float | bool | Mapping | None) else str(node.value)

    def _fail(self, node: Any, message: str) -> NoReturn:
        line = f":{node.start_mark.line + 1}" if node is not None else ""
        raise UsageFault(printable(f"{self._path}{line}: {message}"))
