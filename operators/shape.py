"""Reshapes: operators that change the shape of their operand and keep its elements in row-major order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.families import MoveOp
from ..dialects.graph.properties import int_prop, ints_prop
from ..dialects.graph.sizes import element_count, product_of
from ..dialects.graph.types import (
    Dim,
    Shape,
    format_shape,
    normalize_axes,
    require_dim,
    size_error,
)
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .sizes import same_size


def _resolve(shape: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
    """Return the sizes that `graph.reshape` means by 0 and -1."""
    sizes: list[Any] = [shape[axis] if size == 0 else size for axis, size in enumerate(wanted)]
    if -1 not in wanted:
        return sizes
    open_axis = wanted.index(-1)
    kept = {axis for axis, size in enumerate(wanted) if size == 0}
    taken = math.prod(size for axis, size in enumerate(sizes) if axis != open_axis and axis not in kept)
    total: Any = math.prod(size for axis, size in enumerate(shape) if axis not in kept)
    sizes[open_axis] = total // taken
    return sizes


def _reorder_free(x: te.Tensor, shape: Sequence[Any], name: str) -> te.Tensor:
    """Return the elements of `x` in row-major order under another shape. Leading dimensions that stay the same keep
    their index, so that a symbolic one is never divided.
    """
    same = 0
    while same < min(x.ndim, len(shape)) and same_size(x.shape[same], shape[same]):
        same += 1

    def element(*index: Any) -> te.Expr:
        flat: Any = 0
        for i, size in zip(index[same:], shape[same:], strict=True):
            flat = flat * size + i
        return x(*index[:same], *_unflatten(flat, x.shape[same:]))

    return te.compute(shape, element, name=name)


def _unflatten(flat: Any, shape: Sequence[Any]) -> list[Any]:
    """Return the index of the flat-th element; the first dimension takes the rest."""
    index: list[Any] = []
    for axis in range(len(shape) - 1, 0, -1):
        index.append(flat % shape[axis])
        flat = flat // shape[axis]
    return [*([flat] if shape else []), *reversed(index)]


def _reshape_te(x: te.Tensor, *, shape: Sequence[Any], literal: bool = False) -> te.Tensor:
    """Reshape `x`; `literal` if the sizes are literal: 0 is an empty dimension, and -1 is not allowed."""
    return _reorder_free(x, shape if literal else _resolve(x.shape, shape), "reshape")


def _reshape_reference(x: np.ndarray, *, shape: Sequence[int]) -> np.ndarray:
    return x.reshape(_resolve(x.shape, shape))


def _flat_shape(shape: Sequence[Any], axis: int) -> tuple[Any, Any]:
    split = axis + len(shape) if axis < 0 else axis
    return math.prod(shape[:split]), math.prod(shape[split:])


def _flatten_te(x: te.Tensor, *, axis: int) -> te.Tensor:
    return _reorder_free(x, _flat_shape(x.shape, axis), "flatten")


def _squeeze_te(x: te.Tensor, *, axes: Sequence[int]) -> te.Tensor:
    dropped = {axis % x.ndim for axis in axes}
    kept = [axis for axis in range(x.ndim) if axis not in dropped]

    def element(*index: Any) -> te.Expr:
        at = dict(zip(kept, index, strict=True))
        return x(*(at.get(axis, 0) for axis in range(x.ndim)))

    return te.compute([x.shape[axis] for axis in kept], element, name="squeeze")


def _unsqueeze_te(x: te.Tensor, *, axes: Sequence[int]) -> te.Tensor:
    rank = x.ndim + len(axes)
    added = {axis % rank for axis in axes}
    sizes = iter(x.shape)
    shape = [1 if axis in added else next(sizes) for axis in range(rank)]
    return te.compute(shape, lambda *i: x(*(at for axis, at in enumerate(i) if axis not in added)), name="unsqueeze")


@register_operator(kind=FusionKind.INJECTIVE, reference=_reshape_reference, te=_reshape_te)
class ReshapeOp(MoveOp):
    """
    The same elements in the same (row-major) order under another shape. 0 keeps the size at its position, such as a
    named dynamic size; at most one -1 stands for the remaining size.

    ```mlir
    %y = graph.reshape %x shape [0, -1] : tensor<1x2048xf32>
    ```
    """

    name = "graph.reshape"
    KEEPS_ORDER: ClassVar[bool] = True

    shape = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        wanted = self.shape.get_values()
        if wanted.count(-1) > 1 or any(size < -1 for size in wanted):
            raise VerifyException(f"expected sizes >= 0 and at most one -1, but got {list(wanted)}")
        if any(size == 0 and axis >= len(shape) for axis, size in enumerate(wanted)):
            raise VerifyException(f"expected 0 only where the operand of rank {len(shape)} has a dimension")
        result: list[Dim] = [shape[axis] if size == 0 else size for axis, size in enumerate(wanted)]
        if -1 in wanted:
            axis = wanted.index(-1)
            result[axis] = remaining_size(shape, tuple(result[:axis] + result[axis + 1 :]))
        require_same_count(shape, tuple(result))
        return result


@register_operator(
    kind=FusionKind.INJECTIVE, reference=lambda x, axis: x.reshape(_flat_shape(x.shape, axis)), te=_flatten_te
)
class FlattenOp(MoveOp):
    """
    A matrix: the dimensions before `axis` become its rows, the others its columns.

    ```mlir
    %y = graph.flatten %x axis 1 : tensor<1x2048xf32>
    ```
    """

    name = "graph.flatten"
    KEEPS_ORDER: ClassVar[bool] = True

    axis = int_prop(1)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        axis = self.axis.value.data
        if not -len(shape) <= axis <= len(shape):
            raise VerifyException(f"expected an axis in [{-len(shape)}, {len(shape)}], but got {axis}")
        axis = axis + len(shape) if axis < 0 else axis
        return remaining_size(shape[:axis], ()), remaining_size(shape[axis:], ())


@register_operator(kind=FusionKind.INJECTIVE, reference=lambda x, axes: np.squeeze(x, tuple(axes)), te=_squeeze_te)
class SqueezeOp(MoveOp):
    """
    Drops dimensions of size 1.

    ```mlir
    %y = graph.squeeze %x axes [2, 3] : tensor<1x1000xf32>
    ```
    """

    name = "graph.squeeze"
    KEEPS_ORDER: ClassVar[bool] = True

    axes = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        axes = normalize_axes(self.axes.get_values(), len(shape))
        for axis in axes:
            require_dim(shape[axis], 1, f"dimension {axis}")
        return [dim for axis, dim in enumerate(shape) if axis not in axes]


@register_operator(
    kind=FusionKind.INJECTIVE, reference=lambda x, axes: np.expand_dims(x, tuple(axes)), te=_unsqueeze_te
)
class UnsqueezeOp(MoveOp):
    """
    Adds dimensions of size 1 at these axes of the result.

    ```mlir
    %y = graph.unsqueeze %x axes [1, 2] : tensor<64x1x1xf32>
    ```
    """

    name = "graph.unsqueeze"
    KEEPS_ORDER: ClassVar[bool] = True

    axes = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        rank = len(shape) + len(self.axes)
        axes = normalize_axes(self.axes.get_values(), rank)
        rest = iter(shape)
        return [1 if axis in axes else next(rest) for axis in range(rank)]


def _without_zeros(shape: Shape, count: int) -> Shape:
    """Return the sizes without the first `count` of those that are 0."""
    zeros = [axis for axis, size in enumerate(shape) if size == 0][:count]
    return tuple(size for axis, size in enumerate(shape) if axis not in zeros)


def remaining_size(shape: Shape, taken: Shape) -> Dim:
    """Return the size of the one dimension that is left of a shape, when the others are `taken`.

    A size of 0 that both have is left out: the one that is left has what the others leave of the rest.
    """
    empty = min([*shape].count(0), [*taken].count(0))
    static, dynamic = element_count(_without_zeros(shape, empty))
    taken_static, taken_dynamic = element_count(_without_zeros(taken, empty))
    left = list(dynamic)
    for dim in taken_dynamic:
        if dim is None or dim not in left:
            raise size_error(*shape, *taken)(
                f"expected sizes that divide {format_shape(shape)}, but got {format_shape(taken)}"
            )
        left.remove(dim)
    if taken_static == 0 or static % taken_static:
        raise size_error(*shape, *taken)(
            f"expected sizes that divide {format_shape(shape)}, but got {format_shape(taken)}"
        )
    return None if None in left else product_of(static // taken_static, [name for name in left if name is not None])


def require_same_count(before: Shape, after: Shape) -> None:
    """Check that two shapes are not known to have different numbers of elements."""
    (static, dynamic), (other, other_dynamic) = element_count(before), element_count(after)
    open_sizes = None in dynamic or None in other_dynamic
    if (
        not open_sizes
        and (static or other)
        and (static != other or sorted(map(str, dynamic)) != sorted(map(str, other_dynamic)))
    ):
        raise size_error(*before, *after)(
            f"expected as many elements as {format_shape(before)} has, but got {format_shape(after)}"
        )
