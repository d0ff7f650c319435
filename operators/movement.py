"""Data movement: transposition, broadcasting, concatenation, splitting and slicing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.irdl import operand_def, result_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import MoveOp
from ..dialects.graph.properties import int_prop, ints_prop
from ..dialects.graph.sizes import sum_of
from ..dialects.graph.types import (
    Dim,
    Shape,
    Tensor,
    UnknownSize,
    broadcast_shapes,
    element_of,
    format_shape,
    make_type,
    normalize_axis,
    require_dim,
    shape_of,
    size_error,
)
from ..dialects.graph.windows import require_ints
from .blocks import concat_in_blocks
from .broadcasting import read_broadcast
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind


def _transpose_te(x: te.Tensor, *, permutation: Sequence[int]) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        at = dict(zip(permutation, index, strict=True))
        return x(*(at[axis] for axis in range(x.ndim)))

    return te.compute([x.shape[axis] for axis in permutation], element, name="transpose")


@register_operator(
    kind=FusionKind.INJECTIVE, reference=lambda x, permutation: np.transpose(x, permutation), te=_transpose_te
)
class TransposeOp(MoveOp):
    """
    Dimension i of the result is dimension permutation[i] of the operand.

    ```mlir
    %y = graph.transpose %x permutation [0, 2, 1, 3, 4] : tensor<1x24x3x56x56xf32>
    ```
    """

    name = "graph.transpose"

    permutation = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        permutation = self.permutation.get_values()
        if sorted(permutation) != list(range(len(shape))):
            raise VerifyException(f"expected a permutation of {len(shape)} axes, but got {list(permutation)}")
        return [shape[axis] for axis in permutation]


def _is_open(size: Any) -> bool:
    """Return whether a size is -1, which stands for the size of the operand."""
    return isinstance(size, int) and size == -1


def _target(shape: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
    lead = len(wanted) - len(shape)
    return [shape[axis - lead] if _is_open(size) else size for axis, size in enumerate(wanted)]


def _broadcast_te(x: te.Tensor, *, shape: Sequence[int]) -> te.Tensor:
    return te.compute(_target(x.shape, shape), lambda *i: read_broadcast(x, i), name="broadcast_to")


@register_operator(
    kind=FusionKind.INJECTIVE, reference=lambda x, shape: np.broadcast_to(x, _target(x.shape, shape)), te=_broadcast_te
)
class BroadcastToOp(MoveOp):
    """
    The operand stretched as numpy's broadcasting does, to a shape in which -1 keeps the operand's size.

    ```mlir
    %y = graph.broadcast_to %x shape [8, 3, -1] : tensor<8x3x4xf32>
    ```
    """

    name = "graph.broadcast_to"

    shape = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        wanted = self.shape.get_values()
        lead = len(wanted) - len(shape)
        if lead < 0 or any(size < -1 for size in wanted) or any(size == -1 for size in wanted[:lead]):
            raise VerifyException(f"expected sizes for at least rank {len(shape)}, but got {list(wanted)}")
        target = tuple(shape[axis - lead] if size == -1 else size for axis, size in enumerate(wanted))
        # A kept dynamic size meets itself, which broadcasting a nameless one against itself would refuse.
        fixed = tuple(1 if wanted[lead + axis] == -1 else dim for axis, dim in enumerate(shape))
        if broadcast_shapes(fixed, target) != target:
            raise size_error(*shape)(
                f"expected a shape that {format_shape(shape)} broadcasts to, but got {list(wanted)}"
            )
        return target


def read_pieces(position: te.Expr, ends: Sequence[Any], read: Callable[[int], te.Expr]) -> te.Expr:
    """Return `read(k)` for the piece k that holds `position`: the first one whose end lies behind it.

    Guards bisect the pieces, so that expressions nest by the logarithm of their number.
    """

    def among(first: int, last: int) -> te.Expr:
        if last - first == 1:
            return read(first)
        middle = (first + last) // 2
        return te.if_then_else(position < ends[middle - 1], among(first, middle), among(middle, last))

    return among(0, len(ends))


def _concat_te(*inputs: te.Tensor, axis: int) -> te.Tensor:
    axis %= inputs[0].ndim
    ends: list[Any] = []
    for tensor in inputs:
        ends.append(tensor.shape[axis] + (ends[-1] if ends else 0))

    def element(*index: Any) -> te.Expr:
        def read(k: int) -> te.Expr:
            start = ends[k - 1] if k else 0
            return inputs[k](*index[:axis], index[axis] - start, *index[axis + 1 :])

        return read_pieces(index[axis], ends, read)

    shape = (*inputs[0].shape[:axis], ends[-1], *inputs[0].shape[axis + 1 :])
    return te.compute(shape, element, name="concat")


def _concat_reference(*inputs: np.ndarray, axis: int) -> np.ndarray:
    return np.concatenate(inputs, axis=axis)


@register_operator(kind=FusionKind.INJECTIVE, reference=_concat_reference, te=_concat_te, in_blocks=concat_in_blocks)
class ConcatOp(GraphOp):
    """
    The operands one after another along an axis.

    ```mlir
    %y = graph.concat %a, %b axis 1 : tensor<1x128x54x54xf32>
    ```
    """

    name = "graph.concat"

    inputs = var_operand_def()
    y = result_def()

    axis = int_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        if not self.inputs:
            raise VerifyException("expected at least one operand")
        element = require_same_element(self.inputs)
        shapes = [shape_of(operand) for operand in self.inputs]
        first = shapes[0]
        axis = normalize_axis(self.axis.value.data, len(first))
        for shape in shapes[1:]:
            self._check_fits(shape, first, axis)
        joined = sum_of(*(shape[axis] for shape in shapes))
        return (make_type((*first[:axis], joined, *first[axis + 1 :]), element),)

    @staticmethod
    def _check_fits(shape: Shape, first: Shape, axis: int) -> None:
        if len(shape) != len(first):
            raise VerifyException(f"expected operands of rank {len(first)}, but got {format_shape(shape)}")
        for other in range(len(first)):
            if other != axis:
                require_dim(shape[other], first[other], f"dimension {other}")


def _split_te(x: te.Tensor, *, axis: int, sizes: Sequence[int]) -> tuple[te.Tensor, ...]:
    axis %= x.ndim

    def piece(start: int, size: int) -> te.Tensor:
        return te.compute(
            (*x.shape[:axis], size, *x.shape[axis + 1 :]),
            lambda *i: x(*i[:axis], i[axis] + start, *i[axis + 1 :]),
            name="split",
        )

    return tuple(piece(sum(sizes[:k]), size) for k, size in enumerate(sizes))


def _split_reference(x: np.ndarray, *, axis: int, sizes: Sequence[int]) -> list[np.ndarray]:
    return np.split(x, np.cumsum(sizes)[:-1], axis=axis)


@register_operator(kind=FusionKind.INJECTIVE, reference=_split_reference, te=_split_te)
class SplitOp(GraphOp):
    """
    Cuts the operand along an axis into pieces of the given sizes.

    ```mlir
    %a, %b = graph.split %x axis 1 sizes [16, 48] : tensor<1x16x7x7xf32>, tensor<1x48x7x7xf32>
    ```
    """

    name = "graph.split"

    x = operand_def()
    pieces = var_result_def()

    axis = int_prop(0)
    sizes = ints_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        shape, sizes = shape_of(self.x), self.sizes.get_values()
        axis = normalize_axis(self.axis.value.data, len(shape))
        if any(size < 0 for size in sizes) or sum(sizes) != shape[axis]:
            raise size_error(shape[axis])(f"expected sizes that sum up to {shape[axis]}, but got {list(sizes)}")
        return tuple(make_type((*shape[:axis], size, *shape[axis + 1 :]), element_of(self.x)) for size in sizes)


def _slice_te(x: te.Tensor, *, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> te.Tensor:
    shape = [whole if _is_open(size) else size for whole, size in zip(x.shape, sizes, strict=True)]
    return te.compute(
        shape,
        lambda *i: x(*(start + at * step for start, at, step in zip(starts, i, steps, strict=True))),
        name="slice",
    )


def _slice_reference(x: np.ndarray, *, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> np.ndarray:
    extents = [whole if size == -1 else size for whole, size in zip(x.shape, sizes, strict=True)]
    chosen = [start + step * np.arange(extent) for start, extent, step in zip(starts, extents, steps, strict=True)]
    return x[np.ix_(*chosen)] if chosen else x


@register_operator(kind=FusionKind.INJECTIVE, reference=_slice_reference, te=_slice_te)
class SliceOp(MoveOp):
    """
    `sizes` elements of each dimension from `starts` on, at distances of `steps` (negative steps go backwards). A size
    of -1 keeps a whole dimension, static or not.

    ```mlir
    %y = graph.slice %x starts [0, 1] sizes [-1, 2] steps [1, 1] : tensor<4x2xf32>
    ```
    """

    name = "graph.slice"

    starts = ints_prop()
    sizes = ints_prop()
    steps = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        starts = require_ints(self.starts.get_values(), len(shape), 0, "starts")
        sizes = require_ints(self.sizes.get_values(), len(shape), -1, "sizes")
        steps = self.steps.get_values()
        if len(steps) != len(shape) or 0 in steps:
            raise VerifyException(f"expected {len(shape)} steps other than 0, but got {list(steps)}")
        return [self._extent(*parts) for parts in zip(shape, starts, sizes, steps, strict=True)]

    @staticmethod
    def _extent(dim: Dim, start: int, size: int, step: int) -> Dim:
        if size == -1:
            if (start, step) != (0, 1):
                raise VerifyException("expected start 0 and step 1 where the size is -1")
            return dim
        if not isinstance(dim, int):
            raise UnknownSize(f"expected size -1 for the dynamic dimension {dim or '?'}, but got {size}")
        last = start + (size - 1) * step
        if size and not (start < dim and 0 <= last < dim):
            raise VerifyException(f"expected a slice within {dim} elements, but got {start} to {last}")
        return size
