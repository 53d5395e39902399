"""Step two: what every use means across modules, which definitions are constants, and what each is called from now."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .collect import BundleFault, Imported, Module, Scope, Use

Key = tuple[str, str]
"""A definition: module and name. For another program's module: its name and what is taken from it, "" for all of it."""

_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
# MicroPython keeps one copy of a short text, and one for each use of a longer one.
_SHORT_TEXT = 10
_WIDEST_SHIFT = 64


@dataclass(frozen=True)
class Meaning:
    """A use that leaves its function: the node to replace, what it means, where it stands.

    late    when it goes through an import in a function, by which it may be loaded only then: scope and name of that
    """

    node: ast.AST
    key: Key
    scope: Scope
    late: tuple[Scope, str] | None = None


@dataclass
class Program:
    """All modules with their meanings.

    entry      definitions that the entry imports
    meanings   by module
    constants  definitions that are no more than a value, as the expression that takes their place
    names      of definitions in the bundles
    """

    modules: dict[str, Module]
    entry: list[Key] = field(default_factory=list)
    meanings: dict[str, list[Meaning]] = field(default_factory=dict)
    constants: dict[Key, ast.expr] = field(default_factory=dict)
    names: dict[Key, str] = field(default_factory=dict)

    def ours(self, key: Key) -> bool:
        return key[0] in self.modules

    def find(self, imported: Imported, fault: Callable[[str], BundleFault], depth: int = 0) -> Key | Module:
        """What an import leads to, through modules that hand on what they import. Raises what `fault` makes."""
        if not imported.ours:
            return imported.module, imported.name
        if depth > len(self.modules):
            raise fault(f"{imported.module}.{imported.name} is imported in a circle")
        module = self.modules.get(imported.module)
        if module is None:
            raise fault(f"there is no module {imported.module}")
        name = imported.name
        if not name:
            return module
        if name in module.scope.imports:
            return self.find(module.scope.imports[name], fault, depth + 1)
        if name in module.rebound:
            raise fault(f"{module.name}.{name} is bound again while the program runs: import the module's functions")
        if name in module.scope.bound:
            return module.name, name
        whole = f"{module.name}.{name}"
        if whole in self.modules:
            return self.modules[whole]
        raise fault(f"{module.name} has no {name}")


def resolve(modules: dict[str, Module], entry: str, *, fold: bool) -> Program:
    """Raises BundleFault for a use whose meaning cannot be known before the program runs."""
    program = Program(modules)
    for _, imported, _ in entry_imports(modules, entry, "main.py"):
        found = program.find(imported, lambda what: BundleFault(f"main.py: {what}"))
        if isinstance(found, Module):
            raise BundleFault(f"main.py: {found.name}: import names from it, not the module")
        program.entry.append(found)
    builtins: set[str] = set()
    for module in modules.values():
        program.meanings[module.name] = list(_meanings(program, module, builtins))
    if fold:
        _fold(program)
    _name(program, builtins)
    return program


def entry_imports(modules: dict[str, Module], source: str, name: str) -> Iterator[tuple[ast.ImportFrom, Imported, str]]:
    """The imports of ours in a script: statement, what is imported, and the name that the script gives it."""
    for node in ast.walk(ast.parse(source, name)):
        if isinstance(node, ast.Import) and any(alias.name.partition(".")[0] in modules for alias in node.names):
            raise BundleFault(f"{name}:{node.lineno}: write from ... import ...: the modules are joined on the device")
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                imported = Imported(whole, "", True) if whole in modules else Imported(node.module, alias.name, True)
                yield node, imported, alias.asname or alias.name


# -- meanings


def _meanings(program: Program, module: Module, builtins: set[str]) -> Iterator[Meaning]:
    for use in module.uses:
        owner = use.scope.owner(use.name)
        if owner is None:
            builtins.add(use.name)
        elif use.name in owner.imports:
            yield _imported(program, module, use, owner)
        elif owner is module.scope:
            yield Meaning(use.node, (module.name, use.name), use.scope)
        elif owner is use.scope and owner.kind == "class" and use.name in module.scope.bound and _reads(use.node):
            raise module.fault(use.node, f"{use.name} means the class's or the module's, as the class is being made")


def _imported(program: Program, module: Module, use: Use, owner: Scope) -> Meaning:
    found = program.find(owner.imports[use.name], lambda what: module.fault(use.node, what))
    node: ast.AST = use.node
    chain = list(use.chain)
    while isinstance(found, Module):
        if not chain:
            raise module.fault(node, f"the module {found.name} is used as a value; joined, there is no such object")
        attribute = node = chain.pop(0)
        step = Imported(found.name, attribute.attr, True)
        found = program.find(step, lambda what: module.fault(use.node, what))
    if not _reads(node):
        raise module.fault(node, f"{'.'.join(found)} belongs to another module and cannot be bound here")
    return Meaning(node, found, use.scope, None if owner is module.scope else (owner, use.name))


def _reads(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


# -- constants


def _fold(program: Program) -> None:
    texts: dict[Key, ast.expr] = {}
    for module in program.modules.values():
        for statement in module.tree.body:
            if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, ast.Name) and module.scope.bound.get(target.id) == 1:
                    texts[module.name, target.id] = statement.value
    meant = {meaning.node: meaning.key for found in program.meanings.values() for meaning in found}
    reads = Counter(m.key for found in program.meanings.values() for m in found if _reads(m.node))

    def value(node: ast.expr, depth: int = 0) -> int | str | bool | None:
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, int | str) else None
        key = meant.get(node)
        if key in texts and depth < len(texts):
            return value(texts[key], depth + 1)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
            number = value(node.operand, depth)
            if isinstance(number, int):
                return -number if isinstance(node.op, ast.USub) else ~number
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
            return _operate(node.op, value(node.left, depth), value(node.right, depth))
        return None

    for key, text in texts.items():
        found = value(text)
        if found is None or (isinstance(found, str) and len(found) > _SHORT_TEXT and reads[key] > 1):
            continue
        program.constants[key] = _expression(found)


def _operate(operation: ast.operator, left: object, right: object) -> int | str | None:
    numbers = isinstance(left, int) and isinstance(right, int)
    texts = isinstance(left, str) and isinstance(right, str) and isinstance(operation, ast.Add)
    if not (numbers or texts):
        return None
    if isinstance(operation, ast.LShift | ast.RShift) and not 0 <= int(str(right)) <= _WIDEST_SHIFT:
        return None
    if isinstance(operation, ast.FloorDiv | ast.Mod) and not right:
        return None
    result: int | str = _OPERATIONS[type(operation)](left, right)
    return result


def _expression(value: int | str | bool) -> ast.expr:
    if isinstance(value, int) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


# -- names


def _name(program: Program, builtins: set[str]) -> None:
    """Every definition keeps its name, unless another has it, a builtin is called so, or a local one would hide it."""
    hidden: dict[Key, set[str]] = {}
    for found in program.meanings.values():
        for meaning in found:
            hidden.setdefault(meaning.key, set()).update(_locals(meaning.scope))
    first = {key[0] for key in program.entry}
    taken = set(builtins)
    # Other programs' modules first, and what the entry imports: these names are known outside.
    for key in sorted(hidden, key=lambda key: (program.ours(key), key[0] not in first, key)):
        own = key[1] or key[0]
        name, count = own, 1
        while name in taken or name in hidden[key]:
            name = f"{own}_{key[0].rpartition('.')[2]}" + (str(count) if count > 1 else "")
            count += 1
        taken.add(name)
        program.names[key] = name


def _locals(scope: Scope) -> Iterator[str]:
    """Names that would hide one of the module in this scope."""
    inner: Scope | None = scope
    while inner is not None and inner.parent is not None:
        if inner is scope or inner.kind != "class":
            yield from (name for name in inner.bound if name not in inner.imports)
        inner = inner.parent
