"""
Operators that move elements without computing.

`reshape`, `flatten`, `squeeze` and `unsqueeze` keep the elements in their order, so that they cost nothing on a
contiguous buffer: `is_alias` tells them from those that copy.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, var_operand_def, var_result_def
from xdsl.utils.exceptions import VerifyException

from ..constant_data import has_data
from .base import GraphOp, operations_in, require_same_element
from .elementwise import Elements
from .properties import float_prop, int_prop, ints_prop, string_prop
from .structure import ConstantOp
from .types import (
    Dim,
    Shape,
    Tensor,
    UnknownSize,
    broadcast_shapes,
    element_count,
    element_of,
    format_shape,
    make_type,
    normalize_axes,
    normalize_axis,
    product_of,
    require_dim,
    shape_of,
    size_error,
)
from .windows import require_ints


class MoveOp(GraphOp):
    """One operand, one result, elements of any type."""

    x = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        return (make_type(self.infer_shape(shape_of(self.x)), element_of(self.x)),)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        """The shape of the result."""
        raise NotImplementedError


@irdl_op_definition
class ReshapeOp(MoveOp):
    """
    The same elements in the same (row-major) order under another shape. 0 keeps the size at its place, which is how
    a named dynamic size is kept; at most one -1 stands for what remains.

    ```mlir
    %y = graph.reshape %x shape [0, -1] : tensor<1x2048xf32>
    ```
    """

    name = "graph.reshape"

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


@irdl_op_definition
class FlattenOp(MoveOp):
    """
    A matrix: the dimensions before `axis` become its rows, the others its columns.

    ```mlir
    %y = graph.flatten %x axis 1 : tensor<1x2048xf32>
    ```
    """

    name = "graph.flatten"

    axis = int_prop(1)

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        axis = self.axis.value.data
        if not -len(shape) <= axis <= len(shape):
            raise VerifyException(f"expected an axis in [{-len(shape)}, {len(shape)}], but got {axis}")
        axis = axis + len(shape) if axis < 0 else axis
        return remaining_size(shape[:axis], ()), remaining_size(shape[axis:], ())


@irdl_op_definition
class SqueezeOp(MoveOp):
    """
    Drops dimensions of size 1.

    ```mlir
    %y = graph.squeeze %x axes [2, 3] : tensor<1x1000xf32>
    ```
    """

    name = "graph.squeeze"

    axes = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        axes = normalize_axes(self.axes.get_values(), len(shape))
        for axis in axes:
            require_dim(shape[axis], 1, f"dimension {axis}")
        return [dim for axis, dim in enumerate(shape) if axis not in axes]


@irdl_op_definition
class UnsqueezeOp(MoveOp):
    """
    Adds dimensions of size 1 at these axes of the result.

    ```mlir
    %y = graph.unsqueeze %x axes [1, 2] : tensor<64x1x1xf32>
    ```
    """

    name = "graph.unsqueeze"

    axes = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        rank = len(shape) + len(self.axes)
        axes = normalize_axes(self.axes.get_values(), rank)
        rest = iter(shape)
        return [1 if axis in axes else next(rest) for axis in range(rank)]


@irdl_op_definition
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


@irdl_op_definition
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


@irdl_op_definition
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
        sizes = [shape[axis] for shape in shapes]
        static = [size for size in sizes if isinstance(size, int)]
        joined: Dim = sum(static) if len(static) == len(sizes) else None
        if len(sizes) == 1:
            joined = sizes[0]
        return (make_type((*first[:axis], joined, *first[axis + 1 :]), element),)

    @staticmethod
    def _check_fits(shape: Shape, first: Shape, axis: int) -> None:
        if len(shape) != len(first):
            raise VerifyException(f"expected operands of rank {len(first)}, but got {format_shape(shape)}")
        for other in range(len(first)):
            if other != axis:
                require_dim(shape[other], first[other], f"dimension {other}")


@irdl_op_definition
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


@irdl_op_definition
class SliceOp(MoveOp):
    """
    `sizes` elements of each dimension from `starts` on, `steps` apart (negative steps go backwards). A size of -1
    keeps a whole dimension, static or not.

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


@irdl_op_definition
class PadOp(MoveOp):
    """
    Adds `before` and `after` elements around each dimension: of one value, or in mode "reflect" mirrored about the
    border elements, in mode "symmetric" about the border, in mode "edge" copies of the border elements.

    ```mlir
    %y = graph.pad %x before [0, 0, 1, 1] after [0, 0, 1, 1] value 0.0 : tensor<1x3x226x226xf32>
    ```
    """

    name = "graph.pad"

    before = ints_prop()
    after = ints_prop()
    value = float_prop(0.0)
    mode = string_prop("constant")

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        before = require_ints(self.before.get_values(), len(shape), 0, "before")
        after = require_ints(self.after.get_values(), len(shape), 0, "after")
        self._check_mode(shape, before, after)
        Elements.NUMBER.check(element_of(self.x))
        result: list[Dim] = []
        for dim, low, high in zip(shape, before, after, strict=True):
            if low + high and not isinstance(dim, int):
                raise UnknownSize(f"expected no padding of the dynamic dimension {dim or '?'}")
            result.append(dim + low + high if isinstance(dim, int) else dim)
        return result

    def _check_mode(self, shape: Shape, before: Sequence[int], after: Sequence[int]) -> None:
        mode = self.mode.data
        if mode not in ("constant", "reflect", "symmetric", "edge"):
            raise VerifyException(f"expected mode constant, reflect, symmetric or edge, but got {mode}")
        for dim, low, high in zip(shape, before, after, strict=True):
            most = {"reflect": -1, "symmetric": 0}.get(mode)
            if most is not None and isinstance(dim, int) and max(low, high) > max(dim + most, 0):
                raise VerifyException(f"expected margins of at most {dim + most} elements, but got {max(low, high)}")


@irdl_op_definition
class GatherOp(GraphOp):
    """
    Slices of the operand along an axis, chosen by integer indices: dimension `axis` is replaced by the dimensions of
    the indices. A negative index counts from the end; one out of range is an error of the call.

    ```mlir
    %y = graph.gather %x, %indices axis 0 : tensor<4x512xf32>
    ```
    """

    name = "graph.gather"

    x = operand_def()
    indices = operand_def()
    y = result_def()

    axis = int_prop(0)

    def infer_types(self) -> tuple[Tensor, ...]:
        shape = shape_of(self.x)
        axis = normalize_axis(self.axis.value.data, len(shape))
        if element_of(self.indices) not in _INDEX_TYPES:
            raise VerifyException(f"expected i32 or i64 indices, but got {element_of(self.indices)}")
        require_constants_inside(self.indices, shape[axis])
        chosen = (*shape[:axis], *shape_of(self.indices), *shape[axis + 1 :])
        return (make_type(chosen, element_of(self.x)),)


_INDEX_TYPES = (i32, i64)


def require_constants_inside(indices: SSAValue, size: Dim) -> None:
    """Indices that are a constant of known values lie within a dimension, counted from either end."""
    owner = indices.owner
    if not isinstance(owner, ConstantOp) or not isinstance(size, int) or not has_data(owner.value):
        return
    values = owner.array
    wrong = values[(values < -size) | (values >= size)]
    if wrong.size:
        raise VerifyException(f"expected indices from {-size} to {size - 1}, but got {wrong[0]}")


def remaining_size(shape: Shape, taken: Shape) -> Dim:
    """What is left of a shape's elements for one dimension, when the others are `taken`."""
    static, dynamic = element_count(shape)
    taken_static, taken_dynamic = element_count(taken)
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
    """Verification fails where two shapes are known to have different numbers of elements."""
    (static, dynamic), (other, other_dynamic) = element_count(before), element_count(after)
    open_sizes = None in dynamic or None in other_dynamic
    if not open_sizes and (static != other or sorted(map(str, dynamic)) != sorted(map(str, other_dynamic))):
        raise size_error(*before, *after)(
            f"expected as many elements as {format_shape(before)} has, but got {format_shape(after)}"
        )


def is_alias(op: Operation) -> bool:
    """Whether the result of `op` is its operand's elements in the same order."""
    return isinstance(op, (ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp))


OPERATIONS = operations_in(globals())
