"""Joins the firmware's modules into a few, as bundlers do for JavaScript: one scope instead of seventy.

Four steps, one module each:

    collect    read every module: what it binds, what it imports, which use means which of its scopes
    resolve    find what each use means across modules; fold constants; give each definition a name of its own
    shorten    give names that nobody sees a few short ones
    write      cut the modules into bundles (layout), and write each with those names

What is imported inside a function, and by nothing that is loaded before, becomes a bundle that is loaded then.
A program that cannot be joined raises BundleFault with the file and the line.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ..errors import HolecardError
from . import shorten
from .collect import BundleFault, collect
from .layout import LIMIT, Bundle, cut
from .resolve import Program, resolve
from .write import entry_text, text

__all__ = ("BundleFault", "Joined", "join")


class Joined:
    """The bundles of a program.

    files    their text by module name ("holecard.rules"), in an order in which they can be loaded
    """

    def __init__(self, program: Program, bundles: list[Bundle], gone: set[str]) -> None:
        self._program = program
        self._gone = gone
        self._home = {module: bundle.name for bundle in bundles for module in bundle.modules}
        self.files = {bundle.name: text(program, bundle, self._home) for bundle in bundles}

    def entry(self, source: str, name: str = "main.py") -> str:
        """A script that imports from the modules, changed to import from the bundles; every line stays where it is.

        Raises BundleFault, with the line, where it takes an attribute from another object whose name became another.
        """
        for node in ast.walk(ast.parse(source, name)):
            if isinstance(node, ast.Attribute) and node.attr in self._gone and ast.unparse(node.value) != "self":
                raise BundleFault(f"{name}:{node.lineno}: {node.attr} is called otherwise on the device")
        return entry_text(self._program, self._home, source, name)


def join(sources: Mapping[str, str], entry: str, *, fold: bool = True, limit: int = LIMIT) -> Joined:
    """Join modules, given as text by their dotted name ("holecard" is a package if others lie below it).

    entry   the script that starts the program: what it never reaches is left out
    fold    whether constants take the place of their names
    limit   bytes of compiled code, estimated, at which a bundle is cut
    """
    if not sources:
        raise HolecardError("nothing to join")
    program = resolve(collect(sources), entry, fold=fold)
    gone = shorten.inside(program, [ast.parse(entry)])
    bundles = cut(program, limit)
    shorten.data(program, bundles)
    return Joined(program, bundles, gone)
