"""Tensors that a tensor intrinsic computes tile by tile: `te.compute((n, 16), lambda i: vadd(A[i, 0:16], B[i, 0:16]))`.

Such a compute is the description of the intrinsic, applied to the regions of the call: the element at (i, x) is that of
the description at x, with each operand read at the offset of its region. A schedule replaces the innermost loops by the
intrinsic (tensorize); the engine compares these loops with the description, as for any other compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from ..renamed import with_earlier_members
from .expr import Axis, Expr, Read, Reduce, as_expr, walk
from .expression_text import format_expr
from .index_forms import IndexForms
from .shapes import Size, format_shape
from .substitution import substitute
from .te_errors import te_error
from .tensor import Computation, Tensor

BAD_CALL = "TW0453"


@with_earlier_members
@dataclass(frozen=True, eq=False, repr=False)
class TensorRegion(Expr):
    """A box of a tensor, `A[i, 0:16]`: an operand of a tensor intrinsic. It has no value."""

    tensor: Tensor
    indices: tuple[Any, ...]
    """An index or a slice for each dimension."""

    @property
    def dtype(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Raises TW0455: any use of a region as an expression reads its dtype first."""
        te_error("TW0455", f"expected an integer expression to index {self.tensor.name!r}, but got a slice")

    def __str__(self) -> str:
        return f"{self.tensor.name}[{', '.join(map(_dimension_text, self.indices))}]"


def _dimension_text(index: Any) -> str:
    return f"{index.start or 0}:{index.stop}" if isinstance(index, slice) else format_expr(as_expr(index))


@dataclass(frozen=True, eq=False)
class Tile:
    """The part of a compute that an intrinsic computes: the axes inside the outer `spatial` and `reduced` axes."""

    intrinsic: Any
    spatial: int
    reduced: int


@dataclass(frozen=True, eq=False)
class TileCall:
    """A call of a tensor intrinsic on regions: the result of the function that is passed to `te.compute`."""

    intrinsic: Any
    described: Computation
    origins: tuple[tuple[Tensor, tuple[Expr, ...], int], ...]
    """For each operand: the tensor, the start of its region, and the number of leading indices that are fixed."""
    reduce_axes: tuple[Axis, ...]

    def bodies(self, axes: Sequence[Axis], shape: Sequence[Size], name: str) -> tuple[tuple[Axis, ...], list[Expr]]:
        """Return the axes of the compute, `axes` and those of the tile, and its elements over them. Raises TW0453."""
        inner = shape[len(axes) :]
        wanted = self.described.shape
        if len(inner) != len(wanted) or any(a != b for a, b in zip(inner, wanted, strict=True)):
            te_error(
                BAD_CALL,
                f"expected compute {name!r} to end in dimensions {format_shape(wanted)}, those of the tile that "
                f"intrinsic {self.intrinsic.name!r} computes, but its shape is {format_shape(shape)}",
                help="take one parameter for each dimension in front of those of the tile",
            )
        spatial = tuple(Axis(axis.name, 0, axis.extent) for axis in self.described.axis)
        reduced = tuple(Axis(axis.name, axis.low, axis.high, True) for axis in self.described.reduce_axis)
        renamed: dict[Expr, Expr] = {
            **dict(zip(self.described.axis, spatial, strict=True)),
            **dict(zip(self.described.reduce_axis, reduced, strict=True)),
        }
        origins = dict(zip(self.described.inputs, self.origins, strict=True))
        for body in self.described.bodies:
            for read in reversed([node for node in walk(body) if isinstance(node, Read)]):
                tensor, origin, still = origins[read.tensor]
                index = [substitute(e, renamed, {}) for e in read.indices]
                moved = [start + e for start, e in zip(origin[still:], index, strict=True)]
                renamed[read] = Read(tensor, (*origin[:still], *moved))
        return (*axes, *spatial), [self._with_outer(substitute(body, renamed, {})) for body in self.described.bodies]

    def _with_outer(self, body: Expr) -> Expr:
        if not self.reduce_axes:
            return body
        if not isinstance(body, Reduce):
            te_error(
                BAD_CALL,
                f"expected intrinsic {self.intrinsic.name!r} to describe a reduction, as the call has a reduce_axis",
                help="reduce in the description, over an axis of one element if need be",
            )
        return replace(body, axes=(*self.reduce_axes, *body.axes))


def call_tile(intrinsic: Any, described: Computation, regions: Sequence[Any], reduce_axis: Any) -> TileCall:
    """Return a call of a tensor intrinsic that is described by a compute. Raises TW0453 for regions of other shapes."""
    inputs = described.inputs
    if len(regions) != len(inputs):
        _refuse(intrinsic, f"expected {len(inputs)} regions of tensors, but got {len(regions)}")
    given = reduce_axis if isinstance(reduce_axis, (tuple, list)) else () if reduce_axis is None else (reduce_axis,)
    axes: list[Axis] = []
    for axis in given:
        if not (isinstance(axis, Axis) and axis.is_reduce):
            _refuse(intrinsic, f"expected axes of te.reduce_axis, but got {axis!r}")
        axes.append(axis)
    origins = tuple(_origin(intrinsic, region, wanted) for region, wanted in zip(regions, inputs, strict=True))
    return TileCall(intrinsic, described, origins, tuple(axes))


def _origin(intrinsic: Any, region: Any, wanted: Tensor) -> tuple[Tensor, tuple[Expr, ...], int]:
    """Return the tensor of a region, its first indices, and the number of leading dimensions that do not vary.

    The last dimensions of the region are those of the description's operand.
    """
    tensor, indices = _region(intrinsic, region)
    still = len(indices) - wanted.ndim
    bounds = [_bounds(intrinsic, tensor, d, each) for d, each in enumerate(indices)]
    if still < 0 or tuple(extent for _, extent in bounds) != (1,) * still + wanted.shape:
        shape = format_shape(wanted.shape)
        _refuse(intrinsic, f"expected a region of shape {shape} as operand {wanted.name!r}, but got `{region}`")
    return tensor, tuple(start for start, _ in bounds), still


def _region(intrinsic: Any, region: Any) -> tuple[Tensor, tuple[Any, ...]]:
    match region:
        case TensorRegion():
            return region.tensor, region.indices
        case Read():
            return region.tensor, region.indices
        case Tensor():
            return region, (slice(None),) * region.ndim
        case _:
            _refuse(intrinsic, f"expected regions of tensors such as A[i, 0:16], but got `{region}`")


def _bounds(intrinsic: Any, tensor: Tensor, dimension: int, index: Any) -> tuple[Expr, int | None]:
    """Return the first index along a dimension, and how many there are of them where that is a constant."""
    if not isinstance(index, slice):
        return as_expr(index, "index"), 1
    start, stop = index.start, index.stop
    first = 0 if start is None else start
    last = tensor.shape[dimension] if stop is None else stop
    if index.step not in (None, 1):
        _refuse(intrinsic, f"expected slices of neighbours, but got a step of {index.step!r} for {tensor.name!r}")
    if isinstance(first, int) and isinstance(last, int):
        return as_expr(first, "index"), last - first
    return as_expr(first, "index"), _constant(as_expr(last, "index") - as_expr(first, "index"))


def _constant(extent: Expr) -> int | None:
    """Return the number that a difference of indices is, whatever its variables are."""
    forms = IndexForms()
    index = forms.simplified(forms.index(extent))
    return index.constant if index.is_constant else None


def _refuse(intrinsic: Any, message: str) -> NoReturn:
    te_error(
        BAD_CALL,
        f"tensor intrinsic {intrinsic.name!r}: {message}",
        help="call it as intrin(A[i, 0:16], B[i, 0:16], reduce_axis=k), with the shapes of its description",
    )
