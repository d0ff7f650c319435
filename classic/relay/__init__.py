"""Relay: expressions on tensors, functions of them, and their compilation, as classic programs write them.

It is a face of the graph dialect: `relay.nn.relu(x)` makes a `graph.relu`, a `relay.Function` is a function of the IR,
and `print(module)` shows it as MLIR. See docs/relay.md.
"""

from __future__ import annotations

import typing

from ...lazy import be_face, found_elsewhere, load, unknown_name

_EXPORTS: dict[str, str] = {
    "Any": "types:Any_",
    "bind": "functions:bind",
    "build": "build_module:build",
    "Call": "expr:Call",
    "const": "expr:const",
    "Constant": "expr:Constant",
    "create_executor": "build_module:create_executor",
    "Expr": "expr:Expr",
    "ExprFunctor": "functor:ExprFunctor",
    "ExprMutator": "functor:ExprMutator",
    "ExprVisitor": "functor:ExprVisitor",
    "Function": "functions:Function",
    "FuncType": "types:FuncType",
    "If": "expr:If",
    "Let": "functions:Let",
    "MixedModeVisitor": "functor:MixedModeVisitor",
    "optimize": "build_module:optimize",
    "RelayExpr": "expr:Expr",
    "scalar_type": "types:scalar_type",
    "TensorType": "types:TensorType",
    "Tuple": "expr:Tuple",
    "TupleGetItem": "expr:TupleGetItem",
    "TupleType": "types:TupleType",
    "TupleWrapper": "expr:Tuple",
    "Type": "types:Type",
    "Var": "expr:Var",
    "var": "expr:var",
}
_MODULES = ("analysis", "backend", "build_module", "expr", "frontend", "op", "testing", "transform")
_OPERATORS = ("image", "nn", "vision")

__all__ = [*_EXPORTS, *_MODULES, *_OPERATORS]


def __getattr__(name: str) -> typing.Any:
    if name in _EXPORTS:
        from ...diagnostics.calls import public

        value = globals()[name] = public(load(_EXPORTS[name], __name__))
        return value
    if name in _MODULES:
        from importlib import import_module

        return be_face(import_module(f"{__name__}.{name}"))
    from . import op

    if name in _OPERATORS:
        return getattr(op, name)
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        pass
    try:
        return op.operator_named(name)
    except KeyError:
        raise unknown_name(__name__, name, __dir__()) from None


def __dir__() -> list[str]:
    from . import op

    return sorted({*globals(), *__all__, *dir(op)})
