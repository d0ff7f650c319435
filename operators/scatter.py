"""
Scatters: the operand is copied, then one update after the other is written at the position that a tensor of indices
gives, or combined with the element at this position.

The updates run in their order in one thread, so that the last of several updates of one position is kept, and sums of
floats are the same in every run. A negative position counts from the end; one out of range is an error of the call
(TW0730).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, require_constants_inside
from ..dialects.graph.properties import int_prop, string_prop
from ..dialects.graph.types import (
    Shape,
    Tensor,
    element_of,
    format_shape,
    normalize_axis,
    require_rank,
    shape_of,
    tensor_type,
)
from .declaration import register_operator
from .deferred import np, te
from .indexing import chosen_array
from .record import FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from ..dialects.index_expr import Index
    from .nests.updates import Nest

REDUCTIONS = ("none", "add", "mul", "max", "min")


def _scatter_te(
    x: te.Tensor, indices: te.Tensor, updates: te.Tensor, reduction: str, update: Callable[[Nest, list[SSAValue]], None]
) -> te.Tensor:
    from .nests.updates import Nest

    def statement(builder: Any, *buffers: SSAValue) -> None:
        nest = Nest(builder, x.dtype, reduction)
        nest.copy(buffers[0], buffers[-1])
        update(nest, list(buffers))

    return te.extern(x.shape, [x, indices, updates], lambda ins, outs: statement, name="scatter", dtype=x.dtype)


def _scatter_elements_te(
    x: te.Tensor, indices: te.Tensor, updates: te.Tensor, *, axis: int, reduction: str = "none"
) -> te.Tensor:
    axis %= x.ndim

    def update(nest: Nest, buffers: list[SSAValue]) -> None:
        _, positions, values, target = buffers

        def element(at: Sequence[Index]) -> None:
            position = nest.index(positions, at, target, axis)
            nest.write(target, [*at[:axis], position, *at[axis + 1 :]], values, at)

        nest.over(positions, element)

    return _scatter_te(x, indices, updates, reduction, update)


def _scatter_nd_te(x: te.Tensor, indices: te.Tensor, updates: te.Tensor, *, reduction: str = "none") -> te.Tensor:
    last: Any = indices.shape[-1]  # a number: who made the operator has verified it
    depth, rows = int(last), indices.ndim - 1

    def update(nest: Nest, buffers: list[SSAValue]) -> None:
        _, positions, values, target = buffers

        def element(at: Sequence[Index]) -> None:
            lead = [nest.index(positions, [*at[:rows], d], target, d) for d in range(depth)]
            nest.write(target, [*lead, *at[rows:]], values, at)

        nest.over(values, element)

    return _scatter_te(x, indices, updates, reduction, update)


def _combine(result: np.ndarray, position: tuple[Any, ...], value: np.ndarray, reduction: str) -> None:
    match reduction:
        case "add":
            result[position] += value
        case "mul":
            result[position] *= value
        case "max":
            result[position] = np.maximum(result[position], value)
        case "min":
            result[position] = np.minimum(result[position], value)
        case _:
            result[position] = value


def _scatter_elements_reference(
    x: np.ndarray, indices: np.ndarray, updates: np.ndarray, *, axis: int, reduction: str = "none"
) -> np.ndarray:
    result, axis = x.copy(), axis % x.ndim
    chosen = chosen_array(indices, x.shape[axis], "wrap_negative")
    for at in np.ndindex(*indices.shape):
        _combine(result, (*at[:axis], chosen[at], *at[axis + 1 :]), updates[at], reduction)
    return result


def _scatter_nd_reference(
    x: np.ndarray, indices: np.ndarray, updates: np.ndarray, *, reduction: str = "none"
) -> np.ndarray:
    result = x.copy()
    lead = [chosen_array(indices[..., d], x.shape[d], "wrap_negative") for d in range(indices.shape[-1])]
    for at in np.ndindex(*indices.shape[:-1]):
        _combine(result, tuple(positions[at] for positions in lead), updates[at], reduction)
    return result


class _ScatterOp(GraphOp):
    """Updates of an operand at positions."""

    x = operand_def()
    indices = operand_def()
    updates = operand_def()
    y = result_def()

    reduction = string_prop("none")

    def _check(self) -> None:
        """Verify the operands of both operators."""
        element = require_same_element((self.x, self.updates))
        if self.reduction.data not in REDUCTIONS:
            raise VerifyException(f"expected a reduction of {', '.join(REDUCTIONS)}, but got {self.reduction.data}")
        (Elements.ANY if self.reduction.data == "none" else Elements.NUMBER).check(element)
        if element_of(self.indices) not in (i32, i64):
            raise VerifyException(f"expected i32 or i64 indices, but got {element_of(self.indices)}")

    def _check_updates(self, wanted: Shape) -> None:
        if shape_of(self.updates) != wanted:
            found = format_shape(shape_of(self.updates))
            raise VerifyException(f"expected updates of shape {format_shape(wanted)}, but got {found}")


@register_operator(kind=FusionKind.OPAQUE, reference=_scatter_elements_reference, te=_scatter_elements_te)
class ScatterElementsOp(_ScatterOp):
    """
    The operand with each update written at its index along `axis`, and at its position in the other dimensions; or
    combined with the element there: their sum, product, maximum or minimum.

    ```mlir
    %y = graph.scatter_elements %x, %indices, %updates reduction "add" axis 1 : tensor<4x7xf32>
    ```
    """

    name = "graph.scatter_elements"

    axis = int_prop(0)

    def infer_types(self) -> tuple[Tensor, ...]:
        self._check()
        shape = shape_of(self.x)
        axis = normalize_axis(self.axis.value.data, len(shape))
        positions = require_rank(self.indices, len(shape), "indices")
        for d, (size, count) in enumerate(zip(shape, positions, strict=True)):
            fits = size == count or (isinstance(size, int) and isinstance(count, int) and count <= size)
            if d != axis and not fits:
                raise VerifyException(
                    f"expected indices within {format_shape(shape)}, but got {format_shape(positions)}"
                )
        require_constants_inside(self.indices, shape[axis])
        self._check_updates(positions)
        return (tensor_type(self.x),)


@register_operator(kind=FusionKind.OPAQUE, reference=_scatter_nd_reference, te=_scatter_nd_te)
class ScatterNdOp(_ScatterOp):
    """
    The operand with each update, a slice, written at the point in the leading dimensions that the last dimension of the
    indices gives, or combined with the slice there.

    ```mlir
    %y = graph.scatter_nd %x, %indices, %updates reduction "max" : tensor<4x7xf32>
    ```
    """

    name = "graph.scatter_nd"

    def infer_types(self) -> tuple[Tensor, ...]:
        self._check()
        shape, positions = shape_of(self.x), shape_of(self.indices)
        depth = positions[-1] if positions else None
        if not isinstance(depth, int) or not 0 <= depth <= len(shape):
            raise VerifyException(
                f"expected points of at most {len(shape)} coordinates, but got {format_shape(positions)}"
            )
        self._check_updates((*positions[:-1], *shape[depth:]))
        return (tensor_type(self.x),)
