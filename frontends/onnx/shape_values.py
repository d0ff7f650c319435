"""Shapes with symbolic sizes as values: arrays of Python objects, whose elements are numbers and names of sizes.

Operators that move elements are applied as they are. Arithmetic gives expressions of sizes (`"12 * n"`, `"m + n"`), and
numbers where the sizes cancel. A comparison is folded if it holds for all sizes >= 0. Any other use of a symbolic size
needs its number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ...dialects.graph import GraphOp
from ...dialects.graph.sizes import (
    difference_of,
    larger_of,
    least,
    may_be_zero,
    product_of,
    quotient_of,
    smaller_of,
    sum_of,
    times,
)
from ...dialects.graph.types import UnknownSize
from ...operators import get_operator
from .text_values import with_defaults

Element: TypeAlias = Any
"""A number, or the name of a size."""

_MOVING = {"concat", "gather", "slice", "squeeze", "unsqueeze", "reshape", "identity", "flatten", "transpose"}


def stays_a_shape(op: type[GraphOp], arrays: Sequence[np.ndarray], properties: dict[str, Any]) -> bool:
    """Return whether the result of an operator on shapes may be a shape. Floats, and results that depend on positions,
    are data."""
    name = op.name.removeprefix("graph.")
    if name == "gather" and arrays[1].dtype == object:
        return False  # an index that is a symbolic size
    if name == "cast":
        return "int" in str(properties["to"])
    return name in _MOVING or (name in _ELEMENTWISE and all(array.dtype.kind != "f" for array in arrays))


def apply(op: type[GraphOp], arrays: Sequence[np.ndarray], properties: dict[str, Any]) -> np.ndarray:
    """Return the result of an operator on shapes. Raises UnknownSize where sizes have to be numbers for it."""
    name = op.name.removeprefix("graph.")
    if name == "identity" or (name == "cast" and "int" in str(properties["to"])):
        return arrays[0]
    if name in _ELEMENTWISE and all(array.dtype.kind != "f" for array in arrays):
        return _array([_applied(name, elements) for elements in _broadcast(arrays)], np.broadcast(*arrays).shape)
    if name not in _MOVING:
        sizes = next(list(array.reshape(-1)) for array in reversed(arrays) if array.dtype == object)
        raise UnknownSize(f"expected sizes that are numbers, but got {sizes}")
    result = np.asarray(get_operator(name).reference(*arrays, **with_defaults(op, properties)), dtype=object)
    return _array(result.reshape(-1).tolist(), result.shape)


def _array(elements: Sequence[Element], shape: tuple[int, ...]) -> np.ndarray:
    """Return elements as an array: of truth values, of numbers, or of numbers and names."""
    if elements and all(isinstance(item, (bool, np.bool_)) for item in elements):
        dtype: Any = np.bool_
    else:
        dtype = np.int64 if all(isinstance(item, (int, np.integer)) for item in elements) else object
    result = np.empty(len(elements), dtype)
    result[:] = elements
    return result.reshape(shape)


def _broadcast(arrays: Sequence[np.ndarray]) -> list[tuple[Element, ...]]:
    stretched = (array.reshape(-1).tolist() for array in np.broadcast_arrays(*arrays))
    return list(zip(*stretched, strict=True))


def _applied(name: str, elements: tuple[Element, ...]) -> Element:
    found = _ELEMENTWISE[name](*elements)
    if found is None:
        raise UnknownSize(f"expected sizes that are numbers for '{name}', but got {list(elements)}")
    return found


# Each function gives None where the result depends on the numbers that sizes are.


def _product(x: Element, y: Element) -> Element:
    return times(x, y) if isinstance(y, int) else product_of(1, [str(x), str(y)])


def _quotient(x: Element, y: Element) -> Element:
    """Return the quotient as ONNX rounds it, towards zero: a nonnegative quotient is rounded down. A size may be 0 and
    divides nothing."""
    if isinstance(y, str) or y == 0:
        return None
    if isinstance(x, int):
        return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient_of(x, y) if y > 0 and least(x) >= 0 else None


def _remainder(x: Element, y: Element) -> Element:
    if isinstance(y, str) or y == 0:
        return None
    if isinstance(x, int):
        return x % y
    return difference_of(x, times(quotient_of(x, y), y)) if y > 0 else None


def _equal(x: Element, y: Element) -> bool | None:
    difference = difference_of(x, y)
    if isinstance(difference, int):
        return difference == 0
    assert difference is not None
    never = least(difference) > 0 or least(difference_of(y, x)) > 0 or not may_be_zero(difference)
    return False if never else None


def _less(x: Element, y: Element) -> bool | None:
    if least(difference_of(y, x)) > 0:
        return True
    return False if least(difference_of(x, y)) >= 0 else None


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


_ELEMENTWISE: dict[str, Callable[..., Element]] = {
    "abs": lambda x: abs(x) if isinstance(x, int) else x if least(x) >= 0 else None,
    "add": sum_of,
    "div": _quotient,
    "equal": _equal,
    "floor_mod": _remainder,
    "greater": lambda x, y: _less(y, x),
    "greater_equal": lambda x, y: _negated(_less(x, y)),
    "less": _less,
    "less_equal": lambda x, y: _negated(_less(y, x)),
    "maximum": larger_of,
    "minimum": smaller_of,
    "mul": _product,
    "sub": difference_of,
    "where": lambda chosen, x, y: x if chosen else y,
}
