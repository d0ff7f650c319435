"""Elements repeated, and elements chosen one by one."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from .base import GraphOp, operations_in
from .properties import int_prop, ints_prop
from .shape import MoveOp, require_constants_inside
from .types import (
    Dim,
    Shape,
    Tensor,
    element_of,
    format_shape,
    make_type,
    normalize_axis,
    require_rank,
    shape_of,
    times,
)
from .windows import require_ints


@irdl_op_definition
class TileOp(MoveOp):
    """
    The whole operand repeated so many times along each dimension.

    ```mlir
    %y = graph.tile %x repeats [1, 3] : tensor<2x12xf32>
    ```
    """

    name = "graph.tile"

    repeats = ints_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        repeats = require_ints(self.repeats.get_values(), len(shape), 0, "repeats")
        if any(count == 0 for count in repeats):
            raise VerifyException(f"expected repeats >= 1, but got {list(repeats)}")
        return [times(size, n) for size, n in zip(shape, repeats, strict=True)]


@irdl_op_definition
class GatherElementsOp(GraphOp):
    """
    One element along `axis` for each index, at the index's own place in the other dimensions. A negative index counts
    from the end; one out of range is an error of the call.

    ```mlir
    %y = graph.gather_elements %x, %indices axis 1 : tensor<4x2xf32>
    ```
    """

    name = "graph.gather_elements"

    x = operand_def()
    indices = operand_def()
    y = result_def()

    axis = int_prop(0)

    def infer_types(self) -> tuple[Tensor, ...]:
        shape = shape_of(self.x)
        axis = normalize_axis(self.axis.value.data, len(shape))
        chosen = require_rank(self.indices, len(shape), "indices")
        if element_of(self.indices) not in (i32, i64):
            raise VerifyException(f"expected i32 or i64 indices, but got {element_of(self.indices)}")
        require_constants_inside(self.indices, shape[axis])
        for d, (size, count) in enumerate(zip(shape, chosen, strict=True)):
            fits = size == count or (isinstance(size, int) and isinstance(count, int) and count <= size)
            if d != axis and not fits:
                raise VerifyException(f"expected indices within {format_shape(shape)}, but got {format_shape(chosen)}")
        return (make_type(chosen, element_of(self.x)),)


OPERATIONS = operations_in(globals())
