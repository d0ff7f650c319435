"""Evaluation of a te compute over its whole iteration space: a spatial axis is an array of indices in one dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation

from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..dialects.dtypes import is_float
from .floats import FLOAT
from .integers import INTEGER
from .values import Array, Function, dtype_of

_FLOAT_COMBINERS = {"add": "arith.addf", "mul": "arith.mulf", "max": "arith.maximumf", "min": "arith.minimumf"}
_INTEGER_COMBINERS = {"add": "arith.addi", "mul": "arith.muli", "max": "arith.maxsi", "min": "arith.minsi"}


def axis(extent: int, position: int, rank: int) -> Array:
    """Return the indices along one of `rank` axes."""
    return np.arange(extent).reshape([extent if d == position else 1 for d in range(rank)])


def read(op: Operation, tensor: Array, index: tuple[Any, ...], mask: Any = True, otherwise: Any = None) -> Any:
    """Return elements of a tensor, `otherwise` where the mask is not set."""
    if otherwise is None:
        _check(op, tensor, index, True)
        return tensor[index]
    _check(op, tensor, index, mask)
    if not np.any(mask):
        shapes = (np.shape(each) for each in (mask, otherwise, *index))
        return np.broadcast_to(otherwise, np.broadcast_shapes(*shapes))
    inside = tuple(np.where(mask, i, 0) for i in index)
    return np.where(mask, tensor[inside], otherwise)


def fill(value: Any, shape: tuple[int, ...], type: Attribute) -> Array:
    """Return the tensor whose elements are `value`, which broadcasts to its shape."""
    return np.array(np.broadcast_to(value, shape), dtype_of(type))


def identity(kind: str, element: Attribute) -> Any:
    """Return the initial value of a reduction: 0, 1, the least or the greatest value."""
    dtype = dtype_of(element)
    if kind in ("add", "mul"):
        return dtype.type(0 if kind == "add" else 1)
    if is_float(element):
        return dtype.type(-np.inf if kind == "max" else np.inf)
    if dtype.kind == "b":
        # The set bit is -1.
        return np.bool_(kind == "max")
    limits = np.iinfo(dtype)
    return dtype.type(limits.min if kind == "max" else limits.max)


def combiner(kind: str, element: Attribute) -> Function:
    """Return the operation that combines two values of a reduction."""
    if is_float(element):
        return FLOAT[_FLOAT_COMBINERS[kind]]
    name = _INTEGER_COMBINERS[kind]
    is_unsigned = isinstance(element, IntegerType) and dtype_of(element).kind == "u"
    return INTEGER[name.replace("si", "ui") if is_unsigned else name]


def _check(op: Operation, tensor: Array, index: tuple[Any, ...], mask: Any) -> None:
    for each, extent in zip(index, tensor.shape, strict=True):
        wrong = ((np.asarray(each) < 0) | (np.asarray(each) >= extent)) & mask
        if wrong.any():
            point = np.unravel_index(int(wrong.argmax()), wrong.shape)
            shape = np.broadcast_shapes(wrong.shape, *(np.shape(i) for i in index))
            where = [int(np.broadcast_to(i, shape)[_widen(point, len(shape))]) for i in index]
            text = f"expected an index within {[*tensor.shape]}, but te.read reads {name_of(op.operands[0])}{where}"
            fail("TW0721", text, op=op)


def _widen(point: tuple[Any, ...], rank: int) -> tuple[int, ...]:
    """Return a point of an array as one of an array that it broadcasts to: the first along the other dimensions."""
    return (0,) * (rank - len(point)) + tuple(int(p) for p in point)
