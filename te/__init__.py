"""The tensor-expression language in Python.

    n = te.var("n")
    A = te.placeholder((n, 64), name="A")
    B = te.placeholder((64, 32), name="B")
    k = te.reduce_axis((0, 64), "k")
    C = te.compute((n, 32), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")

Tensors are defined, not run. An expression is typed and checked as it is written, and an error points at
the line that wrote it.
"""

from typing import Any as _Any

from ..lazy import load as _load
from .build import build_computes, to_module
from .expr import Axis, Expr, Var, cast, const
from .functions import (
    Select,
    abs,
    all,
    any,
    ceil,
    cos,
    erf,
    exp,
    floor,
    if_then_else,
    log,
    max_value,
    maximum,
    min_value,
    minimum,
    pow,
    round,
    rsqrt,
    sigmoid,
    sin,
    sqrt,
    tanh,
    truncdiv,
    truncmod,
)
from .reduction import max, min, prod, reduce_axis, sum
from .shapes import var
from .tensor import Computation, Placeholder, Tensor, compute, placeholder
from .whole_tensors import provide as _provide


def _whole_tensors(name: str, *operands: _Any) -> _Any:
    """`A + 1` on whole tensors is an operator of topi, which stands above and is loaded when it is needed."""
    return _load("topi.broadcast:operate", __package__.rpartition(".")[0])(name, *operands)


_provide(_whole_tensors)

__all__ = [
    "Axis",
    "Computation",
    "Expr",
    "Placeholder",
    "Select",
    "Tensor",
    "Var",
    "abs",
    "all",
    "any",
    "build_computes",
    "cast",
    "ceil",
    "compute",
    "const",
    "cos",
    "erf",
    "exp",
    "floor",
    "if_then_else",
    "log",
    "max",
    "max_value",
    "maximum",
    "min",
    "min_value",
    "minimum",
    "placeholder",
    "pow",
    "prod",
    "reduce_axis",
    "round",
    "rsqrt",
    "sigmoid",
    "sin",
    "sqrt",
    "sum",
    "tanh",
    "to_module",
    "truncdiv",
    "truncmod",
    "var",
]
