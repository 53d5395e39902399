"""Which module goes into which bundle: what is loaded together, in an order without circles, cut to size."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from .collect import BundleFault
from .resolve import Program

# Estimated bytes, a tenth below the 12 KiB that a compiled file may have.
LIMIT = 11_000
_NODE_BYTES = 1.33
_NAME_BYTES = 3
_FUNCTION_BYTES = 23.5
# A module that is alone of its folder, and below this part of the limit, joins the one before it.
_LIGHT = 0.1
_STEP = 100


@dataclass
class Bundle:
    """Modules that become one, in the order in which they run."""

    name: str
    modules: list[str]


@dataclass
class _Graph:
    """now: modules that a module needs while or before it runs; late: those that it imports in a function."""

    now: dict[str, set[str]] = field(default_factory=dict)
    late: dict[str, set[str]] = field(default_factory=dict)

    def closure(self, start: Iterable[str]) -> set[str]:
        found: set[str] = set()
        todo = list(start)
        while todo:
            module = todo.pop()
            if module not in found:
                found.add(module)
                todo.extend(self.now[module])
        return found


def cut(program: Program, limit: int) -> list[Bundle]:
    """The bundles, each after those that it needs. Raises BundleFault for modules that import each other."""
    graph = _graph(program)
    loaded = _loaded(graph, {key[0] for key in program.entry})
    # Modules belong together when the same starting points load them.
    groups: dict[str, frozenset[str]] = {}
    for start in sorted(loaded):
        for module in loaded[start]:
            groups[module] = groups.get(module, frozenset()) | {start}
    order = _order(graph, set(groups))
    packages = sorted(name for name, module in program.modules.items() if "." not in name and module.tree.body)
    bundles = [Bundle(f"{name}.__init__", [name]) for name in packages]
    for group in dict.fromkeys(groups[module] for module in order if module not in packages):
        members = [module for module in order if groups[module] == group and module not in packages]
        pieces = _pieces(program, members, limit)
        for modules in pieces:
            # What is loaded late, in one piece, is called what the import in the function names.
            late = next(iter(group)) if len(group) == len(pieces) == 1 else ""
            title = _title([late] if late else modules)
            name, number = title, 1
            while name in {bundle.name for bundle in bundles}:
                number += 1
                name = f"{title}{number}"
            bundles.append(Bundle(name, modules))
    return _in_order(graph, bundles)


def _in_order(graph: _Graph, bundles: list[Bundle]) -> list[Bundle]:
    home = {module: bundle.name for bundle in bundles for module in bundle.modules}
    needs = _Graph()
    for bundle in bundles:
        needed = {home[other] for module in bundle.modules for other in graph.now[module]}
        needs.now[bundle.name] = needed - {bundle.name}
    by_name = {bundle.name: bundle for bundle in bundles}
    return [by_name[name] for name in _order(needs, set(by_name))]


def _graph(program: Program) -> _Graph:
    graph = _Graph()
    for name, meanings in program.meanings.items():
        needed = [m for m in meanings if program.ours(m.key) and m.key not in program.constants and m.key[0] != name]
        graph.now[name] = {meaning.key[0] for meaning in needed if not meaning.late}
        graph.late[name] = {meaning.key[0] for meaning in needed if meaning.late}
    return graph


def _loaded(graph: _Graph, entry: set[str]) -> dict[str, set[str]]:
    """For the entry ("") and each module that is imported late: what is loaded with it that was not there before."""
    full = {"": graph.closure(entry)}
    todo = [""]
    while todo:
        for module in sorted(full[todo.pop()]):
            for target in sorted(graph.late[module]):
                if target not in full:
                    full[target] = graph.closure([target])
                    todo.append(target)
    # What is certainly there when a late import runs: whatever every module that has it was loaded with or after.
    everything = set().union(*full.values())
    there = {start: everything if start else set() for start in full}
    before: dict[str, set[str]] = {}
    while there != before:
        before = there
        there = {start: set(known) for start, known in before.items()}
        for start in full:
            for other, loaded in full.items():
                if any(start in graph.late[module] for module in loaded):
                    there[start] &= loaded | before[other]
    return {start: full[start] - there[start] for start in full}


def _order(graph: _Graph, modules: set[str]) -> list[str]:
    """Every module after those that it needs, and the modules of a folder together as far as possible."""
    left = {module: graph.now[module] & modules for module in modules}
    order: list[str] = []
    folder = ""
    while left:
        ready = [module for module, needs in left.items() if not needs]
        if not ready:
            raise BundleFault("modules import each other in a circle: " + " -> ".join(_circle(left)))
        module = min(ready, key=lambda name: (name.rpartition(".")[0] != folder, name))
        folder = module.rpartition(".")[0]
        order.append(module)
        del left[module]
        for needs in left.values():
            needs.discard(module)
    return order


def _circle(left: dict[str, set[str]]) -> list[str]:
    path = [min(left)]
    while path[-1] not in path[:-1]:
        path.append(min(left[path[-1]]))
    return path[path.index(path[-1]) :]


# -- cutting


def _pieces(program: Program, modules: list[str], limit: int) -> list[list[str]]:
    """The modules folder by folder; those of a heavy folder in pieces of about the same weight, none above the limit
    unless it is a single module."""
    weights = {module: _weigh(program, module) for module in modules}
    runs: list[list[str]] = []
    for module in modules:
        begins = not runs or module.rpartition(".")[0] != runs[-1][-1].rpartition(".")[0]
        if begins and not (runs and _sum(weights, [module]) < limit * _LIGHT):
            runs.append([])
        runs[-1].append(module)
    return [piece for run in runs for piece in _even(weights, run, limit)]


def _even(weights: dict[str, _Weight], run: list[str], limit: int) -> list[list[str]]:
    """As few pieces as the limit allows, and then none heavier than it must be."""

    def fill(most: int) -> list[list[str]]:
        pieces: list[list[str]] = [[]]
        for module in run:
            if pieces[-1] and _sum(weights, [*pieces[-1], module]) > most:
                pieces.append([])
            pieces[-1].append(module)
        return pieces

    most = limit
    while len(fill(most - _STEP)) == len(fill(limit)) and most > _STEP:
        most -= _STEP
    return fill(most)


@dataclass(frozen=True)
class _Weight:
    """What a module adds to a compiled file: bytes of its own, and names, which a file holds once."""

    own: float
    names: frozenset[str]


def _weigh(program: Program, module: str) -> _Weight:
    """An estimate, so that the bundles depend on no compiler: within a tenth for the modules that there are today."""
    own = 0.0
    names = set()
    for node in ast.walk(program.modules[module].tree):
        own += _NODE_BYTES * isinstance(node, ast.expr | ast.stmt)
        own += _FUNCTION_BYTES * isinstance(node, ast.FunctionDef | ast.Lambda | ast.ListComp)
        for value in (getattr(node, part, None) for part in ("id", "attr", "arg", "name", "value")):
            if isinstance(value, str):
                names.add(value)
            elif isinstance(value, bytes):
                own += len(value)
    return _Weight(own, frozenset(names))


def _sum(weights: dict[str, _Weight], modules: list[str]) -> float:
    names = frozenset().union(*(weights[module].names for module in modules))
    return sum(weights[module].own for module in modules) + sum(len(name) + _NAME_BYTES for name in names)


def _title(modules: list[str]) -> str:
    """The module's own name if there is but one, else that of the folder from which most of them come."""
    if len(modules) == 1:
        top, *_, last = modules[0].split(".")
        return f"{top}.{last}"
    folders = Counter(module.rpartition(".")[0] for module in modules)
    folder = max(sorted(folders), key=lambda name: ("." in name, folders[name]))
    top, _, last = folder.partition(".")
    return f"{top}.{last.replace('.', '_') or modules[-1].rpartition('.')[2]}"
