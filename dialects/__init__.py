"""The languages: graph, te, loop and target, beside the upstream dialects that they build on.

Dialects are registered by name and loaded when a module first mentions them, so that a context is cheap to create.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Attribute, Dialect, Operation, TypeAttribute

from ..lazy import load
from ..plugins import load_plugins, universes

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
    *("affine", "bufferization", "linalg", "tensor", "ub"),
)
"""The xDSL dialects whose ops occur in our IR, and those that programs of upstream MLIR are read in."""

WIDENED: dict[str, str] = {
    "affine": "upstream.affine:Affine",
    "arith": "vector_arith:Arith",
    "linalg": "upstream.linalg:Linalg",
    "memref": "upstream.memref:MemRef",
    "scf": "upstream.scf:Scf",
    "tensor": "upstream.tensor:Tensor",
    "vector": "upstream.vector:Vector",
}
"""Upstream dialects that accept more than xDSL gives them: name -> "module:Dialect"."""


def factory(name: str) -> Callable[[], Dialect]:
    """Return a function that imports our dialect, or our variant of an upstream dialect, `name`."""
    return lambda: load({**DIALECTS, **WIDENED}[name], __name__)


def context() -> Context:
    """Return a context that knows every dialect of our IR and those that users registered; each is imported when it is
    first met. Plugins are searched for an unknown dialect."""
    result = _OpenContext()
    upstream = get_all_dialects()
    for name in UPSTREAM:
        result.register_dialect(name, factory(name) if name in WIDENED else upstream[name])
    for name in DIALECTS:
        result.register_dialect(name, factory(name))
    return result


_registered: dict[str, Callable[[], Dialect]] = {}


def add_dialect(name: str, make: Callable[[], Dialect]) -> None:
    """Let contexts know a dialect; `tilewright.register_dialect` says more about it."""
    _registered[name] = make


def remove_dialect(name: str) -> None:
    """Forget a dialect in contexts that have not loaded it."""
    _registered.pop(name, None)


def registered_dialect(name: str) -> Callable[[], Dialect] | None:
    """Return the factory of a dialect that a user, a plugin or an `xdsl.universe` of another package has; or None."""
    if name not in _registered:
        load_plugins()
    if name in _registered:
        return _registered[name]
    return next((found for universe in universes() if (found := universe.all_dialects.get(name))), None)


class _OpenContext(Context):
    """A context that registers user dialects at their first lookup."""

    def clone(self) -> Context:
        copy = _OpenContext(self.allow_unregistered)
        for name, value in vars(self).items():
            setattr(copy, name, value.copy() if isinstance(value, dict) else value)
        return copy

    def get_optional_dialect(self, name: str) -> Dialect | None:
        self._look_for(name)
        return super().get_optional_dialect(name)

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        self._look_for(name.partition(".")[0])
        return super().get_optional_type(name)

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        self._look_for(name.partition(".")[0])
        return super().get_optional_attr(name)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        dialect, dot, operation = name.partition(".")
        if dot:
            self._look_for(dialect)
        found = super()._get_known_op(name)
        return _operator_of_plugins(operation) if found is None and dialect == "graph" else found

    def _look_for(self, name: str) -> None:
        if name not in self._registered_dialects and name.isidentifier():
            make = registered_dialect(name)
            if make is not None:
                self.register_dialect(name, make)


def _operator_of_plugins(name: str) -> type[Operation] | None:
    """Return an operator of a plugin; installed plugins are loaded when an unknown name is met."""
    from .graph import all_operations

    load_plugins()
    return all_operations().get(name)
