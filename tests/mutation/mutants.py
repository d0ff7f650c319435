"""Small faults, one at a time: a mutant is the source of one module with one site changed.

The operators are the usual ones of mutation testing (A. J. Offutt et al., "An Experimental Determination of Sufficient
Mutant Operators", ACM TOSEM 5(2), 1996): relations, arithmetic and logical connectors are replaced, conditions are
negated or decided, constants are moved by one, and statements that call for their effect are dropped.

A mutant is named by its file, its function and the changed expression, and the draw goes by a hash of that name: an
edit elsewhere moves lines but neither renames a mutant nor, as a rule, changes which ones are drawn.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_RELATIONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One changed site."""

    file: str
    """Relative to the package."""
    function: str
    """The enclosing one, qualified by its class; empty for what runs when the module is imported."""
    change: str
    lines: range
    """Of the changed expression."""
    statement: range
    """The lines of the statement around it; of a compound statement, those of its head."""
    index: int
    """The number of the position in the file."""

    @property
    def name(self) -> str:
        return f"{self.file} {self.function or 'module'}: {self.change}"

    def __str__(self) -> str:
        return f"{self.file}:{self.lines.start} {self.function or 'module'}: {self.change}"

    def source(self, package: Path) -> str:
        """Return the module with the change made."""
        tree = ast.parse((package / self.file).read_text())
        list(_changes(tree))[self.index].make()
        return ast.unparse(ast.fix_missing_locations(tree))


def draw(package: Path, folders: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """Draw that many different mutants of the folders, the same ones for the same seed and sources."""
    paths = (path for folder in folders for path in sorted((package / folder).rglob("*.py")))
    found = [mutant for path in paths for mutant in _mutants(package, path)]
    return sorted(found, key=lambda mutant: _lot(mutant, seed))[:count]


def _lot(mutant: Mutant, seed: int) -> bytes:
    return hashlib.sha256(f"{seed} {mutant.name}".encode()).digest()


def _mutants(package: Path, path: Path) -> Iterator[Mutant]:
    file = str(path.relative_to(package))
    seen: Counter[tuple[str, str]] = Counter()
    for index, change in enumerate(_changes(ast.parse(path.read_text()))):
        function, description = change.site.function, change.description
        seen[function, description] += 1
        if (ordinal := seen[function, description]) > 1:
            description = f"{description}, occurrence {ordinal}"
        yield Mutant(file, function, description, change.lines, change.site.statement, index)


@dataclass(frozen=True)
class Site:
    """A node that runs, and what is around it."""

    node: ast.AST
    parent: ast.AST | None
    function: str
    statement: range


@dataclass(frozen=True)
class Change:
    """A change at a position, with its description."""

    site: Site
    text: str
    make: Callable[[], None]

    @property
    def description(self) -> str:
        return f"{self.text} in `{_short(ast.unparse(self._shown))}`"

    @property
    def lines(self) -> range:
        return _lines(self._shown)

    @property
    def _shown(self) -> ast.AST:
        node, parent = self.site.node, self.site.parent
        if isinstance(node, (ast.Constant, ast.Name)) and isinstance(parent, (ast.expr, ast.keyword)):
            return parent
        return node.test if isinstance(node, ast.If) else node


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:97]}..."


def _lines(node: ast.AST) -> range:
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", None) or first) + 1)


def _changes(tree: ast.Module) -> Iterator[Change]:
    """Yield every site that can be changed, in the order of the text."""
    for site in _executable(tree, Site(tree, None, "", range(0))):
        if (found := _change(site.node, site.parent)) is not None:
            yield Change(site, *found)


def _change(node: ast.AST, parent: ast.AST | None) -> tuple[str, Callable[[], None]] | None:
    match node:
        case ast.Compare(ops=[relation]) if type(relation) in _RELATIONS:
            other = _RELATIONS[type(relation)]
            return f"{type(relation).__name__} -> {other.__name__}", _setter(node, "ops", [other()])
        case ast.BinOp(op=operator) if type(operator) in _ARITHMETIC and not _is_text(node):
            swapped = _ARITHMETIC[type(operator)]
            return f"{type(operator).__name__} -> {swapped.__name__}", _setter(node, "op", swapped())
        case ast.BoolOp(op=connector):
            flipped = ast.Or() if isinstance(connector, ast.And) else ast.And()
            return f"and/or -> {type(flipped).__name__}", _setter(node, "op", flipped)
        case ast.UnaryOp(op=ast.Not()):
            return "not x -> not not x", _setter(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.UnaryOp(op=ast.USub()):
            return "-x -> +x", _setter(node, "op", ast.UAdd())
        case ast.Constant(value=bool(value)):
            return f"{value} -> {not value}", _setter(node, "value", not value)
        case ast.Constant(value=int(value)):
            return f"{value} -> {value + 1}", _setter(node, "value", value + 1)
        case ast.Name(id=name) if name in _NAMES and isinstance(parent, ast.Call) and parent.func is node:
            return f"{name} -> {_NAMES[name]}", _setter(node, "id", _NAMES[name])
        case ast.If():
            return "if -> never", _setter(node, "test", ast.Constant(False))
        case ast.Expr(value=ast.Call()):
            return "call dropped", _setter(node, "value", ast.Constant(None))
        case _:
            return None


def _setter(node: ast.AST, field: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, field, value)


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(n, ast.JoinedStr) or isinstance(getattr(n, "value", None), str) for n in ast.walk(node))


def _executable(node: ast.AST, around: Site) -> Iterator[Site]:
    """Yield the nodes that run: no annotations, no texts of messages, nothing that is there for the type checker
    alone."""
    if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("dataclass", "cast"):
        return
    statement = _head(node) if isinstance(node, ast.stmt) else around.statement
    site = Site(node, around.node, around.function, statement)
    yield site
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        inner = site if field != "body" else Site(node, site.parent, _function(node, around.function), statement)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _executable(child, inner)


def _head(node: ast.stmt) -> range:
    inner = [child.lineno for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
    return range(node.lineno, min(inner)) if inner else _lines(node)


def _function(node: ast.AST, around: str) -> str:
    """Return the name of the function or class that the body of `node` is in."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return f"{around}.{node.name}".lstrip(".")
    return around
