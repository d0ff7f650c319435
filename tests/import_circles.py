"""The circles of modules that import each other, over references of all kinds.

    python tests/import_circles.py [--list]

prints the sizes of the largest circles; with `--list` the modules of the largest one. References are imports at the top
of a module and in functions, those for type checkers, and `"module:Name"` strings outside of `REGISTRIES`. Type
checkers' stubs of faces (`*.pyi`) are no modules.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "tilewright"
MOST = 60
"""The number of modules that a circle may have."""
REGISTRIES = {
    "tilewright": "the front door: names that users import, and the values of slots",
    "tilewright.classic.import_paths": "the paths by which classic programs import",
    "tilewright.renamed": "the successors of public names",
}
"""Modules whose `"module:Name"` strings are entries of a table for everybody else, no references of theirs."""

_OUTSIDE = {"tests", "lit", "benchmarks", "examples", "docs", "build"}
_REFERENCE = re.compile(r"\.?[a-z_][\w.]*:[A-Za-z_]\w*")


def modules() -> dict[str, Path]:
    """Return the modules of the package by full name."""
    found: dict[str, Path] = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[0] in _OUTSIDE or "build" in parts or any(part.startswith(".") for part in parts):
            continue
        found[".".join((PACKAGE, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path
    return found


def references(known: Mapping[str, Path], name: str) -> set[str]:
    """Return the modules that a module refers to."""
    path = known[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = {each for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for each in _named(node, package)}
    if name in REGISTRIES:
        found = {each for each in found if ":" not in each}
    return {module for each in found if (module := _module(known, package, each)) is not None} - {name}


def _named(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the names of modules, or of what is in them, that a node refers to; a string keeps its colon."""
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom():
            parts = package.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            path = [*base, *([node.module] if node.module else [])]
            yield from (".".join((*path, alias.name)) for alias in node.names)
        case ast.Constant(value=str() as text) if _REFERENCE.fullmatch(text):
            yield text
        case _:
            pass


def _module(known: Mapping[str, Path], package: str, named: str) -> str | None:
    """Return the module of a name, which may be one in it; of a string it is looked for below the package and the
    root."""
    if ":" not in named:
        return next((each for each in (named, named.rpartition(".")[0]) if each in known), None)
    path = named.partition(":")[0].strip(".")
    return next((each for each in (f"{package}.{path}", f"{PACKAGE}.{path}") if each in known), None)


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components of a graph, the largest first (R. Tarjan, 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * len(graph)))
    for node in graph:
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def measured() -> list[list[str]]:
    """Return the circles of the package."""
    known = modules()
    return circles({name: references(known, name) for name in known})


def main() -> None:
    """Print the circles."""
    found = measured()
    print(f"{sum(map(len, found))} modules; the largest circles have {', '.join(str(len(each)) for each in found[:6])}")
    if "--list" in sys.argv:
        print("\n".join(found[0]))


if __name__ == "__main__":
    main()
