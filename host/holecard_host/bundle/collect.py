"""Step one: read every module. What it binds, what it imports, and which scope each use of a name belongs to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..errors import HolecardError

Function = ast.FunctionDef | ast.Lambda
Import = ast.Import | ast.ImportFrom
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
# With these a program reads its own names, which are not the same any more.
_REFLECTION = frozenset(("globals", "locals", "vars", "eval", "exec", "__import__", "__name__", "__file__"))


class BundleFault(HolecardError):
    """The modules cannot be joined; the text names file and line."""


@dataclass(frozen=True)
class Imported:
    """What an import binds: `name` of `module`, or the module itself when `name` is ""."""

    module: str
    name: str
    ours: bool


class Scope:
    """One module, class, function or comprehension.

    bound     names that it binds, without those that it declares global or nonlocal
    imports   those that only an import of ours binds
    arguments of a function
    """

    def __init__(self, kind: str, parent: Scope | None) -> None:
        self.kind = kind
        self.parent = parent
        self.module: Scope = parent.module if parent else self
        self.bound: dict[str, int] = {}
        self.imports: dict[str, Imported] = {}
        self.arguments: list[ast.arg] = []
        self.elsewhere: dict[str, str] = {}  # declared "global" or "nonlocal"

    def bind(self, name: str) -> None:
        declared = self.elsewhere.get(name)
        if declared == "global":
            # Twice, because it can happen again: such a name is no constant and cannot be handed on.
            self.module.bound[name] = self.module.bound.get(name, 0) + 2
        elif declared is None:
            self.bound[name] = self.bound.get(name, 0) + 1

    def owner(self, name: str) -> Scope | None:
        """The scope that a use of `name` here means; None for a builtin."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.module if scope.elsewhere.get(name) == "global" else scope.parent
        return None


@dataclass
class Use:
    """A name in the text: the node that holds it, its scope, and the attributes taken from it, nearest first."""

    node: ast.AST
    name: str
    scope: Scope
    chain: tuple[ast.Attribute, ...] = ()


@dataclass
class Module:
    """A module as it was read.

    imports   for each import of ours, at the top or in a function, the scope in which it stands
    rebound   names that a function binds anew (`global`)
    functions their scopes
    """

    name: str
    package: bool
    tree: ast.Module
    scope: Scope = field(default_factory=lambda: Scope("module", None))
    uses: list[Use] = field(default_factory=list)
    imports: dict[Import, Scope] = field(default_factory=dict)
    rebound: set[str] = field(default_factory=set)
    functions: list[Scope] = field(default_factory=list)

    @property
    def file(self) -> str:
        return self.name.replace(".", "/") + ("/__init__.py" if self.package else ".py")

    def fault(self, node: ast.AST, what: str) -> BundleFault:
        return BundleFault(f"{self.file}:{getattr(node, 'lineno', 1)}: {what}")


def collect(sources: Mapping[str, str]) -> dict[str, Module]:
    """The modules by name. Raises BundleFault for what no joined module can do."""
    packages = {name.rpartition(".")[0] for name in sources}
    modules = {}
    for name in sorted(sources):
        tree = _Plainer().visit(ast.parse(sources[name], name))
        modules[name] = Module(name, name in packages, tree)
    for module in modules.values():
        _Reader(module, modules).read()
    return modules


class _Plainer(ast.NodeTransformer):
    """Leaves out what MicroPython does not keep: annotations, and with them imports for them alone; docstrings."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        annotated = [
            (argument, argument.annotation) for argument in ast.walk(node.args) if isinstance(argument, ast.arg)
        ]
        self.visit_ClassDef(node)
        if any(ast.unparse(decorator).endswith("viper") for decorator in node.decorator_list):
            # There they are the machine's types.
            for argument, annotation in annotated:
                argument.annotation = annotation
        else:
            node.returns = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef | ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        self.generic_visit(node)
        return None if isinstance(node.value, ast.Constant) else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


class _Reader(ast.NodeVisitor):
    def __init__(self, module: Module, modules: Mapping[str, Module]) -> None:
        self._module = module
        self._modules = modules
        self._top = module.name.partition(".")[0]
        self._scope = module.scope
        module.tree.body = [part for statement in module.tree.body for part in self._certain(statement)]
        self._statements: set[ast.stmt] = set(module.tree.body)

    def read(self) -> None:
        begun = False
        for statement in self._module.tree.body:
            ours = isinstance(statement, Import) and self._ours(statement)
            if ours and begun:
                raise self._module.fault(statement, "an import must come before other code, which would now run later")
            begun = begun or not isinstance(statement, ast.Import | ast.ImportFrom | ast.Try)
            self.visit(statement)
        for statement, scope in self._module.imports.items():
            for name in (alias.asname or alias.name.partition(".")[0] for alias in statement.names):
                if scope.bound[name] > 1:
                    raise self._module.fault(statement, f"{name} is imported and also bound otherwise")

    def _certain(self, node: ast.stmt) -> list[ast.stmt]:
        """`try: from ours import ... except ImportError: ...` finds ours, for it is there: no more than its imports."""
        if isinstance(node, ast.Try) and all(isinstance(part, Import) and self._ours(part) for part in node.body):
            caught = " ".join(ast.unparse(handler.type) for handler in node.handlers if handler.type)
            if "ImportError" in caught and not (node.orelse or node.finalbody):
                return node.body
        return [node]

    # -- scopes

    def _inside(self, kind: str, nodes: Iterable[ast.AST], arguments: Iterable[ast.arg] = ()) -> None:
        self._scope = scope = Scope(kind, self._scope)
        for argument in arguments:
            scope.bind(argument.arg)
            scope.arguments.append(argument)
        if kind == "function":
            self._module.functions.append(scope)
        nodes = list(nodes)
        self._declare(nodes)
        for node in nodes:
            self.visit(node)
        assert scope.parent is not None
        self._scope = scope.parent

    def _declare(self, nodes: Iterable[ast.AST]) -> None:
        """`global` holds for the whole scope, wherever it stands."""
        for node in nodes:
            if isinstance(node, ast.Global | ast.Nonlocal):
                kind = "global" if isinstance(node, ast.Global) else "nonlocal"
                self._scope.elsewhere.update(dict.fromkeys(node.names, kind))
            elif not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
                self._declare(ast.iter_child_nodes(node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._bind(node, node.name)
        for outside in node.decorator_list:
            self.visit(outside)
        self._function(node, node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        raise self._module.fault(node, "async functions are not joined: the device has one loop of its own")

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node, [node.body])

    def _function(self, node: Function, body: Iterable[ast.AST]) -> None:
        arguments = node.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.visit(default)
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
        self._inside("function", body, [argument for argument in every if argument])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node, node.name)
        for outside in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outside)
        self._inside("class", node.body)

    def _comprehension(self, node: Comprehension) -> None:
        # The first sequence is evaluated outside, everything else within.
        first, *others = node.generators
        self.visit(first.iter)
        results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._inside("comprehension", [first.target, *first.ifs, *others, *results])

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    # -- names

    def _bind(self, node: ast.AST, name: str, scope: Scope | None = None) -> None:
        scope = scope or self._scope
        scope.bind(name)
        if scope.elsewhere.get(name) == "global":
            self._module.rebound.add(name)
        self._module.uses.append(Use(node, name, scope))

    def visit_Name(self, node: ast.Name) -> None:
        if node.id in _REFLECTION:
            raise self._module.fault(node, f"{node.id} reads names, which are others in a joined module")
        if isinstance(node.ctx, ast.Load):
            self._module.uses.append(Use(node, node.id, self._scope))
        else:
            self._bind(node, node.id)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        scope = self._scope
        while scope.kind == "comprehension" and scope.parent:
            scope = scope.parent
        self._bind(node.target, node.target.id, scope)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        chain = [node]
        while isinstance(chain[0].value, ast.Attribute):
            chain.insert(0, chain[0].value)
        start = chain[0].value
        if isinstance(start, ast.Name) and start.id not in _REFLECTION:
            self._module.uses.append(Use(start, start.id, self._scope, tuple(chain)))
        else:
            self.visit(start)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._bind(node, node.name)
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        self._module.uses.extend(Use(node, name, self._scope) for name in node.names)

    # -- imports

    def _source(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self._module.name.split(".")
        up = node.level - 1 if self._module.package else node.level
        return ".".join([*package[: len(package) - up], *([node.module] if node.module else [])])

    def _ours(self, node: Import) -> bool:
        if isinstance(node, ast.ImportFrom):
            return self._source(node) in self._modules
        return any(alias.name in self._modules for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = self._source(node)
        for alias in node.names:
            if alias.name == "*":
                raise self._module.fault(node, "import * does not say which names it binds")
            whole = f"{source}.{alias.name}"
            ours = Imported(whole, "", True) if whole in self._modules else Imported(source, alias.name, True)
            self._import(node, alias, alias.asname or alias.name, ours if self._ours(node) else None, source)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            ours = Imported(alias.name if alias.asname else bound, "", True)
            self._import(node, alias, bound, ours if alias.name in self._modules else None, alias.name)

    def _import(self, node: Import, alias: ast.alias, name: str, ours: Imported | None, source: str) -> None:
        at_top = node in self._statements
        if ours:
            if self._scope.kind != "function" and not at_top:
                raise self._module.fault(node, f"{source} is imported only sometimes, which a joined module cannot do")
            self._scope.imports[name] = ours
            self._module.imports[node] = self._scope
            self._scope.bind(name)
        elif at_top:
            what = alias.name if isinstance(node, ast.ImportFrom) else ""
            if not what and "." in source and not alias.asname:
                raise self._module.fault(node, f"write import {source} as ...")
            self._scope.imports[name] = Imported(source, what, False)
            self._module.imports[node] = self._scope
            self._scope.bind(name)
        else:
            self._bind(alias, name)
