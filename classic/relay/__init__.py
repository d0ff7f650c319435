"""Relay: TVM's interface of tensor expressions, functions of them, and their compilation.

It is implemented by the graph dialect: `relay.nn.relu(x)` creates a `graph.relu`, a `relay.Function` is a function of
the IR, and `print(module)` prints MLIR. See docs/relay.md.
"""

from __future__ import annotations

import typing

from ...lazy import be_face, found_elsewhere, load, unknown_name

if typing.TYPE_CHECKING:
    from . import analysis as analysis
    from . import backend as backend
    from . import build_module as build_module
    from . import expr as expr
    from . import frontend as frontend
    from . import op as op
    from . import testing as testing
    from . import transform as transform
    from .build_module import build as build
    from .build_module import create_executor as create_executor
    from .build_module import optimize as optimize
    from .expr import Call as Call
    from .expr import Constant as Constant
    from .expr import Expr as Expr
    from .expr import Expr as RelayExpr
    from .expr import If as If
    from .expr import Tuple as Tuple
    from .expr import Tuple as TupleWrapper
    from .expr import TupleGetItem as TupleGetItem
    from .expr import Var as Var
    from .expr import const as const
    from .expr import var as var
    from .functions import Function as Function
    from .functions import Let as Let
    from .functions import bind as bind
    from .functor import ExprFunctor as ExprFunctor
    from .functor import ExprMutator as ExprMutator
    from .functor import ExprVisitor as ExprVisitor
    from .functor import MixedModeVisitor as MixedModeVisitor
    from .op import image as image
    from .op import nn as nn
    from .op import vision as vision
    from .types import Any_ as Any
    from .types import FuncType as FuncType
    from .types import TensorType as TensorType
    from .types import TupleType as TupleType
    from .types import Type as Type
    from .types import scalar_type as scalar_type

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

__all__ = [
    "Any",
    "Call",
    "Constant",
    "Expr",
    "ExprFunctor",
    "ExprMutator",
    "ExprVisitor",
    "FuncType",
    "Function",
    "If",
    "Let",
    "MixedModeVisitor",
    "RelayExpr",
    "TensorType",
    "Tuple",
    "TupleGetItem",
    "TupleType",
    "TupleWrapper",
    "Type",
    "Var",
    "analysis",
    "backend",
    "bind",
    "build",
    "build_module",
    "const",
    "create_executor",
    "expr",
    "frontend",
    "image",
    "nn",
    "op",
    "optimize",
    "scalar_type",
    "testing",
    "transform",
    "var",
    "vision",
]


def __getattr__(name: str) -> typing.Any:
    if name in _EXPORTS:
        from ...diagnostics.expectations import public

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
