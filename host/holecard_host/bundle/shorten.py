"""Names that nobody sees become a few short ones, again and again the same: each name costs the device's heap.

    parameters    unless a call names them
    attributes    those with _ in front that hold data; objects of unrelated classes share theirs
    data          what a module binds to anything but a function or a class; bundles that do not meet share theirs

Functions, methods and classes keep their names, which are those of a traceback. What may be meant by a text, as
`getattr` would, keeps its name too.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count
from string import ascii_lowercase, ascii_uppercase

from .collect import Scope, Use
from .layout import Bundle
from .resolve import Key, Program


def inside(program: Program, scripts: Iterable[ast.AST]) -> set[str]:
    """Parameters and attributes. `scripts` use what is joined, and keep what they name. Returns the attributes' names
    that are gone."""
    scripts = list(scripts)
    known = _Known([*(module.tree for module in program.modules.values()), *scripts])
    named = {node.attr for script in scripts for node in ast.walk(script) if isinstance(node, ast.Attribute)}
    gone = _attributes(program, known, named)
    _parameters(program, known)
    return gone


def data(program: Program, bundles: list[Bundle]) -> None:
    """The modules' data. What the entry imports is known outside by its name."""
    home = {module: bundle.name for bundle in bundles for module in bundle.modules}
    known = _Known([module.tree for module in program.modules.values()])
    there: dict[Key, set[str]] = defaultdict(set)
    for name, meanings in program.meanings.items():
        for meaning in meanings:
            if name in home and meaning.key[0] in home:
                there[meaning.key] |= {home[name], home[meaning.key[0]]}
    taken: dict[str, set[str]] = defaultdict(set)
    for key in sorted(there, key=lambda key: (-len(there[key]), key)):
        if key in program.constants or key in program.entry or not _is_data(program, key):
            continue
        name = next(name for name in known.series(ascii_uppercase) if not taken[name] & there[key])
        taken[name] |= there[key]
        program.names[key] = name


def _is_data(program: Program, key: Key) -> bool:
    module, name = key
    if "." not in module or name.startswith("__"):
        return False
    statements = program.modules[module].tree.body
    return not any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name for node in statements)


class _Known:
    """What programs say: every name in them, and what of it is also a text or the name of an argument in a call."""

    def __init__(self, trees: Iterable[ast.AST]) -> None:
        self.names: set[str] = set()
        self.said: set[str] = set()
        for node in (node for tree in trees for node in ast.walk(tree)):
            for part in ("id", "attr", "arg", "name", "asname"):
                self.names.add(str(getattr(node, part, "")))
            if isinstance(node, ast.keyword) and node.arg:
                self.said.add(node.arg)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                self.said.add(node.value)

    def series(self, letters: str) -> Iterator[str]:
        """_a, _b, ... _z, _a1, ... as far as no program has them."""
        for number in count():
            for letter in letters:
                name = f"_{letter}{number or ''}"
                if name not in self.names:
                    yield name


# -- parameters


def _parameters(program: Program, known: _Known) -> None:
    """Of functions that neither hold another function nor lie in one."""
    for module in program.modules.values():
        parents = {scope.parent for scope in module.functions}
        uses: dict[Scope, list[Use]] = defaultdict(list)
        for use in module.uses:
            owner = use.scope.owner(use.name)
            if owner is not None:
                uses[owner].append(use)
        for scope in module.functions:
            if scope in parents or (scope.parent and scope.parent.kind not in ("module", "class")):
                continue
            kept = known.said | {use.name for use in uses[scope] if not isinstance(use.node, ast.Name)} | {"self"}
            free = [argument for argument in scope.arguments if argument.arg not in kept]
            short = dict(zip((argument.arg for argument in free), known.series(ascii_lowercase), strict=False))
            for argument in free:
                argument.arg = short[argument.arg]
            for use in uses[scope]:
                if isinstance(use.node, ast.Name):
                    use.node.id = short.get(use.name, use.name)


# -- attributes


def _attributes(program: Program, known: _Known, kept: set[str]) -> set[str]:
    """Which classes an attribute is of shows where it is taken from `self`; taken from anything else, it has a name of
    its own."""
    related = _related(program)
    families: dict[str, set[Key | None]] = defaultdict(set)
    nodes: dict[str, list[ast.Attribute]] = defaultdict(list)
    meant = {meaning.node for meanings in program.meanings.values() for meaning in meanings}
    kept = kept | known.said
    for module in program.modules.values():
        for statement in module.tree.body:
            own = related[module.name, statement.name] if isinstance(statement, ast.ClassDef) else None
            mine = set(_of_self(statement)) if isinstance(statement, ast.ClassDef) else set()
            for node in ast.walk(statement):
                if isinstance(node, ast.Attribute) and node not in meant:
                    families[node.attr].add(own if node in mine else None)
                    nodes[node.attr].append(node)
                elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                    kept.add(node.name)
        # What a class's body binds is an attribute too, by a name without a dot.
        kept |= {use.name for use in module.uses if use.scope.kind == "class"}
    taken: dict[Key | None, set[str]] = defaultdict(set)
    gone: set[str] = set()
    everywhere: set[Key | None] = set().union(*families.values())
    for attribute in sorted(nodes, key=lambda name: (None not in families[name], -len(families[name]), name)):
        if attribute in kept or not attribute.startswith("_") or attribute.startswith("__"):
            continue
        where = everywhere if None in families[attribute] else families[attribute]
        name = next(
            name for name in known.series(ascii_lowercase) if not any(name in taken[family] for family in where)
        )
        for family in where:
            taken[family].add(name)
        for node in nodes[attribute]:
            node.attr = name
        gone.add(attribute)
    return gone


def _related(program: Program) -> dict[Key, Key]:
    """For each class one that stands for all from which it inherits, or that inherit from it."""
    found: dict[Key, Key] = {}

    def first(key: Key) -> Key:
        while found.setdefault(key, key) != key:
            key = found[key]
        return key

    for module in program.modules.values():
        means = {meaning.node: meaning.key for meaning in program.meanings[module.name]}
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                for base in node.bases:
                    found[first((module.name, node.name))] = first(means.get(base, (module.name, node.name)))
                first((module.name, node.name))
    return {key: first(key) for key in found}


def _of_self(statement: ast.ClassDef) -> Iterator[ast.Attribute]:
    for method in statement.body:
        if isinstance(method, ast.FunctionDef) and not method.decorator_list and method.args.args:
            own = method.args.args[0].arg
            if own == "self" and sum(isinstance(node, ast.arg) and node.arg == own for node in ast.walk(method)) == 1:
                for node in ast.walk(method):
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own:
                        yield node
