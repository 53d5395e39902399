"""Step three: the text of a bundle, with the names that `resolve` gave."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .collect import BundleFault, Import, Imported, Module
from .layout import Bundle
from .resolve import Key, Program, entry_imports

Home = Mapping[str, str]
"""Module -> the bundle that it is in."""


def text(program: Program, bundle: Bundle, home: Home) -> str:
    """The bundle's source."""
    body: list[ast.stmt] = []
    outside: set[Key] = set()
    for name in bundle.modules:
        writer = _Writer(program, program.modules[name], home)
        body += writer.visit(program.modules[name].tree).body
        outside |= writer.outside
    lines = import_lines(program, outside, home)
    return "\n".join([*lines, ast.unparse(ast.fix_missing_locations(ast.Module(body, [])))]) + "\n"


def import_lines(program: Program, keys: set[Key], home: Home) -> list[str]:
    """Statements that bring these definitions, other programs' first."""
    wanted: dict[str, list[str]] = {}
    lines = []
    for key in sorted(keys):
        name = program.names[key]
        source, own = (home[key[0]], name) if program.ours(key) else key
        renamed = "" if name == (own or source) else f" as {name}"
        if own:
            wanted.setdefault(source, []).append(own + renamed)
        else:
            lines.append(f"import {source}{renamed}")
    theirs = sorted(source for source in wanted if source not in home.values())
    ours = [source for source in dict.fromkeys(home.values()) if source in wanted]
    return lines + [f"from {source} import {', '.join(wanted[source])}" for source in (*theirs, *ours)]


def entry_text(program: Program, home: Home, source: str, name: str) -> str:
    """A script whose imports name bundles; the names that it binds, and its lines, stay as they are."""
    lines = source.split("\n")
    replaced: dict[ast.stmt, list[str]] = {}
    for node, imported, bound in entry_imports(program.modules, source, name):
        where = f"{name}:{node.lineno}"
        replaced.setdefault(node, []).append(_from_entry(program, home, imported, bound, where))
    for place, statements in sorted(replaced.items(), key=lambda item: (-item[0].lineno, -item[0].col_offset)):
        assert place.end_lineno is not None
        begin, end = lines[place.lineno - 1][: place.col_offset], lines[place.end_lineno - 1][place.end_col_offset :]
        lines[place.lineno - 1] = begin + "; ".join(statements) + end
        lines[place.lineno : place.end_lineno] = [""] * (place.end_lineno - place.lineno)
    return "\n".join(lines)


def _from_entry(program: Program, home: Home, imported: Imported, bound: str, where: str) -> str:
    """A statement that binds what is imported to the name that the script gives it."""

    def fault(what: str) -> BundleFault:
        return BundleFault(f"{where}: {what}")

    found = program.find(imported, fault)
    if isinstance(found, Module):
        raise fault(f"{found.name}: import names from it, not the module")
    if found in program.constants:
        return f"{bound} = {ast.unparse(program.constants[found])}"
    if program.ours(found) and found[0] not in home:
        raise fault(f"{found[0]} is no part of the program on the device")
    source, name = (home[found[0]], program.names[found]) if program.ours(found) else found
    renamed = "" if bound == (name or source) else f" as {bound}"
    return f"from {source} import {name}{renamed}" if name else f"import {source}{renamed}"


class _Writer(ast.NodeTransformer):
    """One module's statements, renamed. `outside`: what they need from elsewhere at the top of the bundle."""

    def __init__(self, program: Program, module: Module, home: Home) -> None:
        self._program = program
        self._module = module
        self._home = home
        self.outside: set[Key] = set()
        self._meant = {meaning.node: meaning for meaning in program.meanings[module.name]}
        self._package = "." not in module.name

    def _new(self, node: ast.AST) -> str | None:
        meaning = self._meant.get(node)
        return None if meaning is None else self._program.names[meaning.key]

    def _replace(self, node: ast.Name | ast.Attribute) -> ast.AST:
        meaning = self._meant.get(node)
        if meaning is None:
            return self.generic_visit(node)
        key = meaning.key
        if key in self._program.constants and isinstance(node.ctx, ast.Load):
            return self._program.constants[key]
        elsewhere = not self._program.ours(key) or self._home[key[0]] != self._home[self._module.name]
        if elsewhere and not meaning.late:
            self.outside.add(key)
        return ast.Name(self._program.names[key], node.ctx)

    visit_Name = visit_Attribute = _replace

    def _definition(self, node: ast.FunctionDef | ast.ClassDef | ast.ExceptHandler) -> ast.AST:
        self.generic_visit(node)
        node.name = self._new(node) or node.name
        node.body = node.body or [ast.Pass()]
        return node

    visit_FunctionDef = visit_ClassDef = visit_ExceptHandler = _definition

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._program.names.get((self._module.name, name), name) for name in node.names]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        meaning = self._meant.get(node.targets[0])
        if meaning and not self._package:
            constant = meaning.key in self._program.constants
            if constant or meaning.key[1] == "__all__":
                return None
        return self.generic_visit(node)

    def _import(self, node: Import) -> ast.AST | list[ast.stmt] | None:
        scope = self._module.imports.get(node)
        if scope is None:
            for alias in node.names:
                new = self._new(alias)
                alias.asname = alias.asname if new in (None, alias.name) else new
            return node
        if scope is self._module.scope:
            return None
        # In a function: what is used of it there, unless it is in this bundle.
        bound = [(scope, alias.asname or alias.name.partition(".")[0]) for alias in node.names]
        keys = {meaning.key for meaning in self._meant.values() if meaning.late in bound}
        here = self._home[self._module.name]
        keys = {key for key in keys if key not in self._program.constants and self._home.get(key[0]) != here}
        return ast.parse("\n".join(import_lines(self._program, keys, self._home)) or "pass").body

    visit_Import = visit_ImportFrom = _import
