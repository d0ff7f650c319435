"""Names of `topi.utils` that programs import: constants from shapes, and the traversal that computes stages inline."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ... import te
from ...diagnostics import fail
from ...diagnostics.locations import caller_location
from ...schedule.stages import LazySchedule
from ...te.tensor import Computation, Definition, Tensor
from ...topi.arguments import refuse

__all__ = [
    "ceil_div",
    "const_matrix",
    "const_vector",
    "equal_const_int",
    "get_const_float",
    "get_const_int",
    "get_const_tuple",
    "get_float_tuple",
    "get_max_power2_factor",
    "get_shape",
    "is_empty_shape",
    "nchw_pack_layout",
    "nchw_xc_layout",
    "prod",
    "ravel_index",
    "simplify",
    "swap",
    "traverse_inline",
    "unravel_index",
]


def get_const_int(expr: Any) -> int:
    """Return the value of a constant. Raises TilewrightError TW0447 for other values."""
    value = getattr(expr, "value", expr)
    if isinstance(value, bool) or not isinstance(value, int):
        fail("TW0447", f"expected a constant integer, but got {expr}", location=caller_location())
    return value


def get_const_float(expr: Any) -> float:
    """Return the value of a constant. Raises TilewrightError TW0447 for other values."""
    value = getattr(expr, "value", expr)
    if not isinstance(value, (int, float)):
        fail("TW0447", f"expected a constant number, but got {expr}", location=caller_location())
    return float(value)


def get_const_tuple(in_tuple: Iterable[Any]) -> tuple[Any, ...]:
    """Return sizes as numbers; those that are symbolic stay as they are."""
    values = (getattr(size, "value", size) for size in in_tuple)
    return tuple(values)


def get_float_tuple(in_tuple: Iterable[Any]) -> tuple[float, ...]:
    """Return constants as floating-point numbers."""
    return tuple(get_const_float(value) for value in in_tuple)


def equal_const_int(expr: Any, value: int) -> bool:
    """Return whether an expression is that constant."""
    number = getattr(expr, "value", expr)
    return isinstance(number, int) and number == value


def simplify(expr: Any) -> Any:
    """Return the value of a constant; any other expression as it is."""
    return getattr(expr, "value", expr)


def prod(x: Sequence[Any]) -> Any:
    """Return the product of sizes; 1 of none."""
    return math.prod(x)


def ceil_div(a: Any, b: Any) -> Any:
    """Return the quotient rounded up."""
    return (a + (b - 1)) // b


def swap(arr: Sequence[int], axis: int) -> list[int]:
    """Return the numbers of the axes with `axis` and the last one exchanged."""
    order = list(range(len(arr)))
    order[axis], order[-1] = order[-1], order[axis]
    return order


def is_empty_shape(shape: Iterable[Any]) -> bool:
    """Return whether a dimension has no element."""
    return any(equal_const_int(size, 0) for size in shape)


def get_max_power2_factor(n: int, max_value: int | None = None) -> int:
    """Return the greatest power of two that divides n, below `max_value` where it is given."""
    factor = 1
    while n % (factor * 2) == 0 and n and (max_value is None or factor * 2 < max_value):
        factor *= 2
    return factor


def ravel_index(indices: Sequence[Any], shape: Sequence[Any]) -> Any:
    """Return the number of an element in row-major order."""
    number: Any = 0
    for index, size in zip(indices, shape, strict=True):
        number = number * size + index
    return number


def unravel_index(idx: Any, shape: Sequence[Any]) -> list[Any]:
    """Return the index of an element from its number in row-major order."""
    indices: list[Any] = []
    for size in reversed(shape):
        indices.insert(0, idx % size)
        idx = idx // size
    return indices


def get_shape(src_shape: Sequence[Any], src_layout: str, dst_layout: str) -> tuple[Any, ...]:
    """Return a shape in the order of another layout of the same letters; numbers in a layout are sizes of blocks."""
    source, target = ([letter for letter in layout if letter.isalpha()] for layout in (src_layout, dst_layout))
    if len(src_shape) != len(source) or sorted(source) != sorted(target):
        refuse("TW0447", f"expected a shape of {src_layout} for {dst_layout}, but got {[*src_shape]}")
    sizes = dict(zip(source, get_const_tuple(src_shape), strict=True))
    return tuple(sizes[letter] for letter in target)


def const_vector(vector: Any, name: str = "const_vector") -> Tensor:
    """Return a tensor of the elements of a vector, each a constant of the program."""
    (size,) = vector.shape
    return te.compute((size,), lambda i: _chosen(vector, [i]), name=name)


def const_matrix(matrix: Any, name: str = "const_matrix") -> Tensor:
    """Return a tensor of the elements of a matrix, each a constant of the program."""
    return te.compute(matrix.shape, lambda i, j: _chosen(matrix, [i, j]), name=name)


def _chosen(array: Any, index: Sequence[Any]) -> te.Expr:
    """Return the element at an index of an array of constants, as a chain of selections."""
    if not index:
        return te.const(array.item(), array.dtype.name)
    first, *rest = index
    value = _chosen(array[-1], rest)
    for position in reversed(range(len(array) - 1)):
        value = te.Select(first == position, _chosen(array[position], rest), value)
    return value


def nchw_pack_layout(layout_info: str) -> bool:
    """Return whether a layout is NCHW with blocks of both images and channels, such as NCHW1n16c."""
    return layout_info.startswith("NCHW") and {"n", "c"} <= set(layout_info)


def nchw_xc_layout(layout_info: str) -> bool:
    """Return whether a layout is NCHW with blocks of channels, such as NCHW8c."""
    return layout_info.startswith("NCHW") and layout_info.endswith("c") and layout_info[4:-1].isnumeric()


def traverse_inline(s: LazySchedule, final_op: Definition, callback: Callable[[Definition], Any]) -> None:
    """Compute injective definitions inline, from a result back to definitions that are not injective; call `callback`
    with every definition on the way, operands first."""
    seen: set[Definition] = set()

    def visit(op: Definition) -> None:
        seen.add(op)
        if _is_injective(op):
            if op not in s.outputs:
                s[op].compute_inline()
            for tensor in op.inputs:
                if tensor.op not in seen and isinstance(tensor.op, Computation):
                    visit(tensor.op)
        callback(op)

    visit(final_op)


def _is_injective(op: Definition) -> bool:
    """Return whether each element is computed from single elements: no reduction, and no tag of another kind."""
    if not isinstance(op, Computation) or op.reduce_axis:
        return False
    return op.tag.partition(",")[0] in ("", "elemwise", "broadcast", "injective")
