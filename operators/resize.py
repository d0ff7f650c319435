"""
Resizing of images, by nearest or linear interpolation, with the coordinate modes of ONNX.

The position in the operand of an output index is a rational number, (a·i + b) / d, so its floor is an affine index and
its distance from the floor is exact. Linear interpolation is applied one axis at a time. For a symbolic size, a, b and
d are numbers if the scale is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.families import Elements, MoveOp
from ..dialects.graph.properties import ints_prop, string_prop
from ..dialects.graph.types import Dim, Shape, UnknownSize, element_of, format_shape, ordered_axes
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import dtypes, np, te
from .record import WIDE, FusionKind
from .shaped import StatedOp, stated_sizes

Scale: TypeAlias = "tuple[int, int] | None"
"""Numerator and denominator of the new size over the old one; None where it follows from the sizes."""


def _source(coordinates: str, size: Any, out: Any, scale: Scale) -> tuple[Any, Any, Any]:
    """Return (a, b, d) of the position (a·i + b) / d that output index i comes from."""
    if scale is not None and coordinates != "align_corners":
        new, old = scale
        return (old, 0, new) if coordinates == "asymmetric" else (2 * old, old - new, 2 * new)
    if coordinates == "asymmetric":
        return size, 0, out
    if coordinates == "align_corners":
        if isinstance(out, int):
            return (0, 0, 1) if out == 1 else (size - 1, 0, out - 1)
        return size - 1, 0, te.maximum(out - 1, 1)
    if coordinates == "pytorch_half_pixel":
        if isinstance(out, int):
            return (0, 0, 1) if out == 1 else (2 * size, size - out, 2 * out)
        return 2 * size, (size - out) * te.minimum(out - 1, 1), 2 * out
    return 2 * size, size - out, 2 * out


def _rounded(numerator: Any, d: Any, rounding: str) -> Any:
    """Return numerator / d as a whole number."""
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
    """Keep an index within [0, size), given its first and last value where those are known: it never decreases."""
    if not (isinstance(last, int) and isinstance(size, int) and last < size):
        index = te.minimum(index, size - 1)
    return index if isinstance(first, int) and first >= 0 else te.maximum(index, 0)


def _nearest_index(i: Any, size: Any, out: Any, coordinates: str, rounding: str, scale: Scale) -> Any:
    a, b, d = _source(coordinates, size, out, scale)
    first, last = (_rounded(a * end + b, d, rounding) for end in (0, out - 1))
    return _clamped(_rounded(a * i + b, d, rounding), size, first, last)


def _nearest_te(
    x: te.Tensor, sizes: dict[int, Any], coordinates: str, rounding: str, scales: dict[int, Scale]
) -> te.Tensor:
    def position(axis: int, i: Any) -> Any:
        if axis not in sizes:
            return i
        return _nearest_index(i, x.shape[axis], sizes[axis], coordinates, rounding, scales.get(axis))

    def element(*index: Any) -> te.Expr:
        return x(*(position(axis, i) for axis, i in enumerate(index)))

    return te.compute([sizes.get(axis, size) for axis, size in enumerate(x.shape)], element, name="resize")


def _linear_te(x: te.Tensor, axis: int, out: Any, coordinates: str, sums: str, scale: Scale) -> te.Tensor:
    """Interpolate between the two neighbours of each position along one axis; beyond the border the border element."""
    size = x.shape[axis]
    a, b, d = _source(coordinates, size, out, scale)
    first, last = (b // d, (a * (out - 1) + b) // d)
    wide = sums if dtypes.dtype_info(sums).is_float else "float32"

    def element(*index: Any) -> te.Expr:
        numerator = a * index[axis] + b
        floor = numerator // d
        weight = _fraction(numerator % d, d, wide)

        def read(i: Any) -> te.Expr:
            return x(*index[:axis], i, *index[axis + 1 :]).astype(wide)

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
    scales: Sequence[Scale] | None = None,
) -> te.Tensor:
    given = dict(zip([axis % x.ndim for axis in axes], scales or [None] * len(axes), strict=True))
    changed = {
        axis % x.ndim: size
        for axis, size in zip(axes, sizes, strict=True)
        if not (isinstance(size, int) and isinstance(x.shape[axis], int) and size == x.shape[axis])
    }
    if not changed:
        return te.compute(x.shape, lambda *i: x(*i), name="resize")
    if method == "nearest":
        return _nearest_te(x, changed, coordinates, rounding, given)
    for axis, size in changed.items():
        x = _linear_te(x, axis, size, coordinates, sums, given[axis])
    return x


def _resize_reference(
    x: np.ndarray,
    *,
    axes: Sequence[int],
    sizes: Sequence[int],
    method: str,
    coordinates: str,
    rounding: str,
    scales: Sequence[Scale] | None = None,
) -> np.ndarray:
    """Resize in float64, rounded once."""
    result = x.astype(np.float64) if method == "linear" else x
    for axis, out, scale in zip(axes, sizes, scales or [None] * len(axes), strict=True):
        size = x.shape[axis]
        a, b, d = _source(coordinates, size, out, scale)
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


def _check_rules(op: ResizeOp | RescaleOp) -> None:
    for attr, allowed in ((op.method, METHODS), (op.coordinates, COORDINATES), (op.rounding, ROUNDINGS)):
        if attr.data not in allowed:
            raise VerifyException(f"expected one of {', '.join(allowed)}, but got {attr.data}")
    (Elements.FLOAT if op.method.data == "linear" else Elements.ANY).check(element_of(op.x))


@register_operator(kind=FusionKind.INJECTIVE, reference=_resize_reference, te=_resize_te, accumulator=WIDE)
class ResizeOp(MoveOp):
    """
    The operand with other sizes along some axes: by the nearest element or, one axis after another, linearly between
    neighbours. `coordinates` maps an output index to a position in the operand, `rounding` selects the nearest
    neighbour, both as in ONNX; positions beyond the border are clamped to it.

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
        _check_rules(self)
        axes = ordered_axes(self.axes.get_values(), len(shape))
        sizes = require_ints(self.sizes.get_values(), len(axes), 1, "sizes")
        result = list(shape)
        for axis, size in zip(axes, sizes, strict=True):
            if not isinstance(shape[axis], int) or shape[axis] == 0:
                raise UnknownSize(f"expected a static size to resize, but got {shape[axis] or '?'}")
            result[axis] = size
        return result


def _rescaled(build: Callable[..., Any]) -> Callable[..., Any]:
    """Return `build`, which takes sizes of axes and scales of theirs, for a stated shape."""

    def built(
        x: Any,
        *likes: Any,
        axes: Sequence[int],
        shape: Sequence[int | str],
        new: Sequence[int],
        old: Sequence[int],
        **rules: Any,
    ) -> Any:
        sizes = stated_sizes(shape, (x, *likes))
        scales = [(a, b) if a else None for a, b in zip(new, old, strict=True)]
        return build(x, axes=axes, sizes=[sizes[axis] for axis in axes], scales=scales, **rules)

    return built


@register_operator(
    kind=FusionKind.INJECTIVE, reference=_rescaled(_resize_reference), te=_rescaled(_resize_te), accumulator=WIDE
)
class RescaleOp(StatedOp):
    """
    The first operand with other sizes along some axes, in a stated shape, interpolated as in `graph.resize`. The scale
    of an axis is `new` / `old`, or that of the sizes where `new` is 0.

    ```mlir
    %y = graph.rescale %x axes [2, 3] shape ["#0.0", "#0.1", "2 * #0.2", "2 * #0.3"] new [2, 2] old [1, 1]
        : tensor<1x3x8x8xf32>
    ```
    """

    name = "graph.rescale"

    axes = ints_prop()
    new = ints_prop()
    old = ints_prop()
    method = string_prop("nearest")
    coordinates = string_prop("half_pixel")
    rounding = string_prop("round_prefer_floor")

    def check(self, given: Shape, shape: Shape) -> None:
        _check_rules(self)
        axes = ordered_axes(self.axes.get_values(), len(given))
        require_ints(self.new.get_values(), len(axes), 0, "numerators")
        require_ints(self.old.get_values(), len(axes), 1, "denominators")
        kept = [axis for axis in range(len(given)) if axis not in axes]
        if any(given[axis] == 0 for axis in axes):
            raise VerifyException(f"expected elements to interpolate, but got shape {format_shape(given)}")
        if len(shape) != len(given) or any(shape[axis] != given[axis] for axis in kept):
            raise VerifyException(f"expected other sizes along {list(axes)} alone, but got {format_shape(shape)}")
