"""The languages: graph, te, loop and target, beside the upstream dialects that they build on.

Dialects are registered by name and loaded when a module first mentions them: a context costs nothing to make.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Dialect

from ..lazy import load

DIALECTS: dict[str, str] = {
    "graph": "graph:Graph",
    "loop": "loop:Loop",
    "target": "target:Target",
    "te": "te:TE",
    "tw": "resource:TW",
}
"""Our dialects: name -> "module:Dialect", the module relative to this package."""

UPSTREAM: tuple[str, ...] = (
    *("builtin", "func", "arith", "math", "memref", "vector", "scf", "cf"),
    *("affine", "linalg", "tensor"),
)
"""The xDSL dialects whose ops occur in our IR, and those that programs of upstream MLIR are read in."""

WIDENED: dict[str, str] = {
    "affine": "upstream.affine:Affine",
    "arith": "vector_arith:Arith",
    "linalg": "upstream.linalg:Linalg",
    "memref": "upstream.memref:MemRef",
    "scf": "upstream.scf:Scf",
}
"""Upstream dialects that accept more than xDSL gives them: name -> "module:Dialect"."""


def factory(name: str) -> Callable[[], Dialect]:
    """A function that imports our dialect, or our variant of an upstream dialect, `name`."""
    return lambda: load({**DIALECTS, **WIDENED}[name], __name__)


def context() -> Context:
    """A context that knows every dialect of our IR; each is imported when it is first met."""
    result = Context()
    upstream = get_all_dialects()
    for name in UPSTREAM:
        result.register_dialect(name, factory(name) if name in WIDENED else upstream[name])
    for name in DIALECTS:
        result.register_dialect(name, factory(name))
    return result
