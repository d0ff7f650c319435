"""Inputs whose values decide a shape, an axis or a count, so that the values have to be known during the import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import onnx
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...diagnostics import fail
from ...dialects.dtypes import numpy_dtype
from ...dialects.graph import Dim, ExtentsOp, IotaOp, element_of, shape_of
from ...dialects.graph.sizes import names_of
from ..by_value import MOST_ELEMENTS, MOST_NUMBERS
from .inputs import declared_shape
from .tensors import dtype_of

VALUE_HELP = (
    "compute it from constants, from shapes, or from inputs of few integers, whose values a program may depend on"
)


@dataclass(frozen=True)
class GivenValues:
    """The values of inputs, and the dynamic sizes that their shapes fix."""

    arrays: dict[str, np.ndarray]
    sizes: dict[str, int]


def given_values(values: Mapping[str, Any], inputs: Sequence[onnx.ValueInfoProto]) -> GivenValues:
    """Return values as arrays of the inputs' types. Raises TW0303 for one that an input cannot have."""
    found = GivenValues({}, {})
    by_name = {each.name: each for each in inputs}
    for name, value in values.items():
        if name not in by_name:
            fail(
                "TW0303",
                f"a value was given for input '{name}', which the model does not have",
                help=f"its inputs are {', '.join(by_name) or 'none'}",
            )
        declared = declared_shape(by_name[name])
        array = _as_declared(name, value, by_name[name], declared)
        for size, dim in zip(array.shape, declared, strict=True):
            known = found.sizes.setdefault(dim, size) if isinstance(dim, str) else dim
            if known != size:
                fail("TW0303", f"expected a value of shape {list(declared)} for input '{name}', but got {value}")
        found.arrays[name] = array
    return found


def _as_declared(name: str, value: Any, declared: onnx.ValueInfoProto, shape: Sequence[Dim]) -> np.ndarray:
    dtype = numpy_dtype(dtype_of(declared.type.tensor_type.elem_type, f"input '{name}'"))
    array = _converted(value, dtype)
    if array is None:
        fail("TW0303", f"expected {dtype.name} for the value of input '{name}', but got {value}")
    if array.ndim != len(shape) and array.size == prod(dim for dim in shape if isinstance(dim, int)):
        array = array.reshape([dim if isinstance(dim, int) else 1 for dim in shape])
    if array.ndim != len(shape):
        fail("TW0303", f"expected a value of {len(shape)} dimensions for input '{name}', but got {value}")
    return np.ascontiguousarray(array).reshape(array.shape)


def _converted(value: Any, dtype: np.dtype[Any]) -> np.ndarray | None:
    """Return a value as an array of that type; None where it has no such elements."""
    try:
        given = np.asarray(value)
        array = given.astype(dtype)
        is_same = dtype.kind not in "bui" or given.size == 0 or np.array_equal(array.astype(given.dtype), given)
    except (OverflowError, TypeError, ValueError):
        return None
    return array if is_same else None


def inputs_behind(value: SSAValue) -> tuple[set[BlockArgument], list[str]]:
    """Return the arguments of blocks that a value is computed from, and the sizes of theirs that it is computed
    from."""
    found: set[BlockArgument] = set()
    sizes: list[SSAValue] = []
    seen: set[SSAValue] = set()
    waiting = [value]
    while waiting:
        if (each := waiting.pop()) in seen:
            continue
        seen.add(each)
        if isinstance(each, BlockArgument):
            found.add(each)
        elif isinstance(each.owner, (ExtentsOp, IotaOp)):
            sizes += each.owner.operands
        elif isinstance(each.owner, Operation):
            waiting += [operand for op in each.owner.walk() for operand in op.operands]
    return found, sizes_behind(sizes)


def sizes_behind(values: Sequence[SSAValue | np.ndarray]) -> list[str]:
    """Return the names of symbolic sizes in the shapes of values, and in values that are shapes."""
    dims: list[Any] = []
    for value in values:
        if isinstance(value, SSAValue):
            dims += shape_of(value)
        elif value.dtype == object:
            dims += value.reshape(-1).tolist()
    return list(dict.fromkeys(name for dim in dims for name in names_of(dim)))


def may_be_given(argument: BlockArgument) -> bool:
    """Return whether a program may be specialised by an input: integers, or a few floats."""
    shape, dtype = shape_of(argument.type), numpy_dtype(element_of(argument.type))
    count = prod(dim for dim in shape if isinstance(dim, int))
    if dtype.kind in "bui":
        return count <= MOST_ELEMENTS
    return count <= MOST_NUMBERS and all(isinstance(dim, int) for dim in shape)
