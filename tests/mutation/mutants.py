"""Small faults, one at a time: a mutant is the source of one module with one place changed.

The operators are the usual ones of mutation testing (A. J. Offutt et al., "An Experimental Determination of Sufficient
Mutant Operators", ACM TOSEM 5(2), 1996): relations, arithmetic and logical connectors are replaced, conditions are
negated or decided, constants are moved by one, and statements that call for their effect are dropped.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("schedule", "analysis")
HEURISTICS = ("schedule/rules",)
"""Here every choice is right and some are faster; tests of values cannot tell."""

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
    """One changed place."""

    file: str
    """Relative to the package."""
    line: int
    change: str
    source: str
    """Of the whole module."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"


def draw(package: Path, count: int, seed: int) -> list[Mutant]:
    """That many different mutants, the same ones for the same seed and sources."""
    places = [
        (path, index)
        for folder in FOLDERS
        for path in sorted((package / folder).rglob("*.py"))
        if not str(path.relative_to(package)).startswith(HEURISTICS)
        for index in range(len(list(_changes(ast.parse(path.read_text())))))
    ]
    chosen = random.Random(seed).sample(places, min(count, len(places)))
    return [_mutant(package, path, index) for path, index in chosen]


def _mutant(package: Path, path: Path, index: int) -> Mutant:
    tree = ast.parse(path.read_text())
    node, description, change = list(_changes(tree))[index]
    before = ast.unparse(node)
    change()
    ast.fix_missing_locations(tree)
    line = getattr(node, "lineno", 0)
    return Mutant(str(path.relative_to(package)), line, f"{description} in `{_short(before)}`", ast.unparse(tree))


def _short(text: str) -> str:
    line = text.splitlines()[0]
    return line if len(line) <= 100 else f"{line[:97]}..."


Change = tuple[ast.AST, str, Callable[[], None]]


def _changes(tree: ast.Module) -> Iterator[Change]:
    """Every place that can be changed, in the order of the text, with what is done there and the deed."""
    for node, parent in _executable(tree, None):
        match node:
            case ast.Compare(ops=[relation]) if type(relation) in _RELATIONS:
                other = _RELATIONS[type(relation)]
                yield node, f"{type(relation).__name__} -> {other.__name__}", _setter(node, "ops", [other()])
            case ast.BinOp(op=operator) if type(operator) in _ARITHMETIC and not _is_text(node):
                swapped = _ARITHMETIC[type(operator)]
                yield node, f"{type(operator).__name__} -> {swapped.__name__}", _setter(node, "op", swapped())
            case ast.BoolOp(op=connector):
                flipped = ast.Or() if isinstance(connector, ast.And) else ast.And()
                yield node, f"and/or -> {type(flipped).__name__}", _setter(node, "op", flipped)
            case ast.UnaryOp(op=ast.Not()):
                yield node, "not x -> not not x", _setter(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
            case ast.UnaryOp(op=ast.USub()):
                yield node, "-x -> +x", _setter(node, "op", ast.UAdd())
            case ast.Constant(value=bool(value)):
                yield node, f"{value} -> {not value}", _setter(node, "value", not value)
            case ast.Constant(value=int(value)):
                yield node, f"{value} -> {value + 1}", _setter(node, "value", value + 1)
            case ast.Name(id=name) if name in _NAMES and isinstance(parent, ast.Call) and parent.func is node:
                yield node, f"{name} -> {_NAMES[name]}", _setter(node, "id", _NAMES[name])
            case ast.If():
                yield node, "if -> never", _setter(node, "test", ast.Constant(False))
            case ast.Expr(value=ast.Call()):
                yield node, "call dropped", _setter(node, "value", ast.Constant(None))
            case _:
                pass


def _setter(node: ast.AST, field: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, field, value)


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(n, ast.JoinedStr) or isinstance(getattr(n, "value", None), str) for n in ast.walk(node))


def _executable(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """The nodes that run: no annotations, no texts of messages, nothing that is there for the type checker alone."""
    if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("dataclass", "cast"):
        return
    yield node, parent
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _executable(child, node)
