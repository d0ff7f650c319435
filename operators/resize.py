"""
Images at another size, by nearest or linear interpolation, with the coordinate modes of ONNX.

The place in the operand of an output index is a fraction of whole numbers, (a·i + b) / d, so its floor is an affine
index and its distance from the floor is exact. Linear interpolation goes one axis at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.families import Elements, MoveOp
from ..dialects.graph.properties import ints_prop, string_prop
from ..dialects.graph.types import Dim, Shape, UnknownSize, element_of, ordered_axes
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import dtypes, np, te
from .record import WIDE, FusionKind


def _place(coordinates: str, size: Any, out: Any) -> tuple[Any, Any, Any]:
    """(a, b, d) of the place (a·i + b) / d that output index i comes from."""
    only = isinstance(out, int) and out == 1
    if coordinates == "asymmetric":
        return size, 0, out
    if coordinates == "align_corners":
        return (0, 0, 1) if only else (size - 1, 0, out - 1)
    if coordinates == "pytorch_half_pixel" and only:
        return 0, 0, 1
    return 2 * size, size - out, 2 * out


def _rounded(numerator: Any, d: Any, rounding: str) -> Any:
    """numerator / d as a whole number."""
    match rounding:
        case "floor":
            return numerator // d
        case "ceil":
            return -(-numerator // d)
        case "round_prefer_floor":
            return -((d - 2 * numerator) // (2 * d))
        case _:
            return (2 * numerator + d) // (2 * d)


def _clamped(index: Any, size: Any, first: Any, last: Any) -> Any:
    """An index kept within [0, size), given its first and last value where those are known: it never decreases."""
    if not (isinstance(last, int) and isinstance(size, int) and last < size):
        index = te.minimum(index, size - 1)
    return index if isinstance(first, int) and first >= 0 else te.maximum(index, 0)


def _nearest_index(i: Any, size: Any, out: Any, coordinates: str, rounding: str) -> Any:
    a, b, d = _place(coordinates, size, out)
    first, last = (_rounded(a * end + b, d, rounding) for end in (0, out - 1))
    return _clamped(_rounded(a * i + b, d, rounding), size, first, last)


def _nearest_te(x: te.Tensor, sizes: dict[int, Any], coordinates: str, rounding: str) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        return x(
            *(
                _nearest_index(i, x.shape[axis], sizes[axis], coordinates, rounding) if axis in sizes else i
                for axis, i in enumerate(index)
            )
        )

    return te.compute([sizes.get(axis, size) for axis, size in enumerate(x.shape)], element, name="resize")


def _linear_te(x: te.Tensor, axis: int, out: Any, coordinates: str, sums: str) -> te.Tensor:
    """Between the two neighbours of each place along one axis; beyond the border the border element."""
    size = x.shape[axis]
    a, b, d = _place(coordinates, size, out)
    first, last = (b // d, (a * (out - 1) + b) // d)
    wide = sums if dtypes.dtype_info(sums).is_float else "float32"

    def element(*index: Any) -> te.Expr:
        numerator = a * index[axis] + b
        floor = numerator // d
        weight = _fraction(numerator % d, d, wide)

        def read(place: Any) -> te.Expr:
            return x(*index[:axis], place, *index[axis + 1 :]).astype(wide)

        left = read(_clamped(floor, size, first, last))
        right = read(_clamped(floor + 1, size, first + 1, last + 1))
        return (left + (right - left) * weight).astype(sums)

    return te.compute((*x.shape[:axis], out, *x.shape[axis + 1 :]), element, name="resize_linear")


def _fraction(rest: Any, d: Any, dtype: str) -> Any:
    numerator, denominator = (v.astype(dtype) if isinstance(v, te.Expr) else te.const(v, dtype) for v in (rest, d))
    return numerator / denominator


def _resize_te(
    x: te.Tensor,
    *,
    axes: Sequence[int],
    sizes: Sequence[Any],
    method: str,
    coordinates: str,
    rounding: str,
    sums: str,
) -> te.Tensor:
    changed = {
        axis % x.ndim: size
        for axis, size in zip(axes, sizes, strict=True)
        if not (isinstance(size, int) and isinstance(x.shape[axis], int) and size == x.shape[axis])
    }
    if not changed:
        return te.compute(x.shape, lambda *i: x(*i), name="resize")
    if method == "nearest":
        return _nearest_te(x, changed, coordinates, rounding)
    for axis, size in changed.items():
        x = _linear_te(x, axis, size, coordinates, sums)
    return x


def _resize_reference(
    x: np.ndarray, *, axes: Sequence[int], sizes: Sequence[int], method: str, coordinates: str, rounding: str
) -> np.ndarray:
    """In float64, rounded once."""
    result = x.astype(np.float64) if method == "linear" else x
    for axis, out in zip(axes, sizes, strict=True):
        size = x.shape[axis]
        a, b, d = _place(coordinates, size, out)
        numerator = a * np.arange(out) + b
        if size == out:
            continue
        if method == "nearest":
            result = np.take(result, np.clip(_rounded(numerator, d, rounding), 0, size - 1), axis)
            continue
        floor = numerator // d
        left, right = (np.take(result, np.clip(floor + side, 0, size - 1), axis) for side in (0, 1))
        weight = (numerator % d / d).reshape([-1 if k == axis % x.ndim else 1 for k in range(x.ndim)])
        result = left + (right - left) * weight
    return result.astype(x.dtype)


COORDINATES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
METHODS = ("nearest", "linear")
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


@register_operator(kind=FusionKind.INJECTIVE, reference=_resize_reference, te=_resize_te, accumulator=WIDE)
class ResizeOp(MoveOp):
    """
    The operand with other sizes along some axes: by the nearest element or, one axis after another, linearly between
    neighbours. `coordinates` says where an output index lies in the operand, `rounding` which neighbour is nearest,
    both as in ONNX; beyond the border lies the border.

    ```mlir
    %y = graph.resize %x axes [2, 3] sizes [112, 112] method "linear" : tensor<1x3x112x112xf32>
    ```
    """

    name = "graph.resize"

    axes = ints_prop()
    sizes = ints_prop()
    method = string_prop("nearest")
    coordinates = string_prop("half_pixel")
    rounding = string_prop("round_prefer_floor")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        for attr, allowed in ((self.method, METHODS), (self.coordinates, COORDINATES), (self.rounding, ROUNDINGS)):
            if attr.data not in allowed:
                raise VerifyException(f"expected one of {', '.join(allowed)}, but got {attr.data}")
        (Elements.FLOAT if self.method.data == "linear" else Elements.ANY).check(element_of(self.x))
        axes = ordered_axes(self.axes.get_values(), len(shape))
        sizes = require_ints(self.sizes.get_values(), len(axes), 1, "sizes")
        result = list(shape)
        for axis, size in zip(axes, sizes, strict=True):
            if not isinstance(shape[axis], int) or shape[axis] == 0:
                raise UnknownSize(f"expected a static size to resize, but got {shape[axis] or '?'}")
            result[axis] = size
        return result
