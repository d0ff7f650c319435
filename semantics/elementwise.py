"""Implementations of elementwise operations: one function of numpy values for each.

The same function serves scalars, vectors and whole iteration spaces of a te compute: it takes numpy scalars or arrays
that broadcast, and returns the same kind. A few frequent operations on scalars are emitted as inline Python
expressions, which take a tenth of the time: numpy's scalars have a dtype, so `a + b` rounds as for arrays.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, Operation

from . import floats, integers
from .casts import CASTS
from .floats import FLOAT
from .integers import EXTENDED, INTEGER
from .rounding import fma_float32
from .values import Function, dtype_of, element_of, is_index

_SAME = {**INTEGER, **EXTENDED, **FLOAT}
ELEMENTWISE = frozenset({*_SAME, *CASTS, "arith.cmpf", "arith.cmpi", "arith.select"})
"""The names of the operations that `implementation` knows."""

_FLOAT_TEXT = {"arith.addf": "{} + {}", "arith.subf": "{} - {}", "arith.mulf": "{} * {}", "arith.negf": "-{}"}
_INTEGER_TEXT = {"arith.addi": "{} + {}", "arith.subi": "{} - {}", "arith.muli": "{} * {}"}
_BITWISE_TEXT = {"arith.andi": "{} & {}", "arith.ori": "{} | {}", "arith.xori": "{} ^ {}"}
_FLOAT_ORDERS = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
_INTEGER_ORDERS = ("==", "!=", "<", "<=", ">", ">=")


def implementation(op: Operation) -> Function:
    """Return the function that computes `op`, one of `ELEMENTWISE`, on numpy scalars and arrays.

    An `index` may be a Python int.
    """
    function = _implementation(op)
    if any(is_index(element_of(v.type)) for v in op.operands):
        return _with_indices(function)
    return function


def scalar_implementation(op: Operation) -> Function:
    """Return `implementation` on scalars only: an `index` is a Python int in operands and results."""
    if op.name == "math.fma" and isinstance(op.results[0].type, Float32Type):
        return fma_float32
    function = implementation(op)
    if is_index(op.results[0].type):
        return lambda *operands: int(function(*operands))
    return function


def scalar_text(op: Operation) -> str | None:
    """Return a Python expression in `{}` for each operand that computes `op` on scalars; None where there is none."""
    types = [v.type for v in (*op.operands, *op.results)]
    if any(isinstance(t, VectorType) for t in types):
        return None
    match op:
        case arith.SelectOp():
            return "{1} if {0} else {2}"
        case arith.CmpfOp():
            order = _FLOAT_ORDERS.get(op.predicate.value.data)
            return f"{{}} {order} {{}}" if order else None
        case arith.CmpiOp() if _is_wide(types[0]):
            predicate = op.predicate.value.data
            return f"{{}} {_INTEGER_ORDERS[predicate]} {{}}" if predicate < len(_INTEGER_ORDERS) else None
        case _ if _is_wide(types[0]):
            return _INTEGER_TEXT.get(op.name) or _BITWISE_TEXT.get(op.name)
        case _:
            return _FLOAT_TEXT.get(op.name) or _BITWISE_TEXT.get(op.name)


def _implementation(op: Operation) -> Function:
    if op.name in _SAME:
        return _SAME[op.name]
    match op:
        case arith.CmpfOp():
            return floats.PREDICATES[op.predicate.value.data]
        case arith.CmpiOp():
            return integers.PREDICATES[op.predicate.value.data]
        case arith.SelectOp():
            return _select
        case _:
            return partial(_convert, CASTS[op.name], dtype_of(op.results[0].type, op))


def _convert(cast: Function, dtype: np.dtype[Any], value: Any) -> Any:
    return cast(value, dtype)


def _select(condition: Any, a: Any, b: Any) -> Any:
    return np.where(condition, a, b)[()]


def _with_indices(function: Function) -> Function:
    return lambda *operands: function(*(np.int64(o) if isinstance(o, int) else o for o in operands))


def _is_wide(type: Attribute) -> bool:
    return isinstance(type, IntegerType) and type.width.data > 1 and type.signedness.data == Signedness.SIGNLESS
