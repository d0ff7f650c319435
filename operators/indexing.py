"""
Gathers: elements selected by tensors of indices.

`mode` defines the meaning of an index out of range: `wrap_negative` counts a negative index from the end, `clip` takes
the nearest index in range, `wrap` takes the index modulo the size, `fast` takes it as it is. An index that is out of
range after that is an error of the call (TW0730), in compiled programs unless they are built with `unchecked`.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import fail
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import require_constants_inside
from ..dialects.graph.properties import int_prop
from ..dialects.graph.types import (
    Tensor,
    UnknownSize,
    element_of,
    format_shape,
    make_type,
    normalize_axis,
    require_rank,
    shape_of,
    size_error,
)
from .declaration import register_for_topi, register_operator
from .deferred import np, te
from .record import FusionKind, Operator

MODES = ("clip", "wrap", "wrap_negative", "fast")


def _chosen(index: te.Expr, size: Any, mode: str) -> te.Expr:
    match mode:
        case "wrap_negative":
            return te.Select(index < 0, index + size, index)
        case "clip":
            return te.maximum(te.minimum(index, size - 1), 0)
        case "wrap":
            return index % size
        case _:
            return index


def chosen_array(index: np.ndarray, size: int, mode: str) -> np.ndarray:
    """Return the indices that `mode` makes of the given ones, of 64 bits. Raises TilewrightError TW0730 for one out of
    range."""
    index = index.astype(np.int64)
    match mode:
        case "clip":
            chosen = np.clip(index, 0, size - 1)
        case "wrap":
            chosen = index % size if size else index
        case "wrap_negative":
            chosen = np.where(index < 0, index + size, index)
        case _:
            chosen = index
    wrong = chosen[(chosen < 0) | (chosen >= size)]
    if wrong.size:
        fail("TW0730", f"expected indices below {size}, but got {wrong[0]}")
    return chosen


def _gather_te(x: te.Tensor, indices: te.Tensor, *, axis: int, mode: str = "wrap_negative") -> te.Tensor:
    """Gather slices of x: dimension `axis` is replaced by the dimensions of the indices."""
    axis %= x.ndim
    rank = indices.ndim

    def element(*index: Any) -> te.Expr:
        chosen = _chosen(indices(*index[axis : axis + rank]), x.shape[axis], mode)
        return x(*index[:axis], chosen, *index[axis + rank :])

    return te.compute((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), element, name="gather")


def _gather_reference(x: np.ndarray, indices: np.ndarray, *, axis: int, mode: str = "wrap_negative") -> np.ndarray:
    return np.take(x, chosen_array(indices, x.shape[axis], mode), axis=axis)


def _gather_elements_te(x: te.Tensor, indices: te.Tensor, *, axis: int) -> te.Tensor:
    """Gather elements: each index selects along `axis`, at the position of the index in the other dimensions."""
    axis %= x.ndim

    def element(*index: Any) -> te.Expr:
        chosen = _chosen(indices(*index), x.shape[axis], "wrap_negative")
        return x(*index[:axis], chosen, *index[axis + 1 :])

    return te.compute(indices.shape, element, name="gather_elements")


def _gather_elements_reference(x: np.ndarray, indices: np.ndarray, *, axis: int) -> np.ndarray:
    # take_along_axis wants equal sizes beside the axis; a smaller set of indices looks at the part that it covers.
    part = tuple(slice(None) if d == axis % x.ndim else slice(size) for d, size in enumerate(indices.shape))
    return np.take_along_axis(x[part], chosen_array(indices, x.shape[axis], "wrap_negative"), axis)


def _gather_nd_te(x: te.Tensor, indices: te.Tensor, *, batch: int = 0) -> te.Tensor:
    """Gather slices: the first dimension of the indices runs over the dimensions of x behind those of a batch."""
    depth: Any = indices.shape[0]
    rank = indices.ndim - 1

    def element(*index: Any) -> te.Expr:
        positions = [indices(d, *index[:rank]) for d in range(depth)]
        lead = [_chosen(position, x.shape[batch + d], "wrap_negative") for d, position in enumerate(positions)]
        return x(*index[:batch], *lead, *index[rank:])

    return te.compute((*indices.shape[1:], *x.shape[batch + depth :]), element, name="gather_nd")


def _gather_nd_reference(x: np.ndarray, indices: np.ndarray, *, batch: int = 0) -> np.ndarray:
    chosen = zip(indices, x.shape[batch:], strict=False)
    lead = [chosen_array(index, size, "wrap_negative") for index, size in chosen]
    shape = indices.shape[1:]
    leading = [
        np.arange(n).reshape([-1 if d == k else 1 for k in range(len(shape))]) for d, n in enumerate(shape[:batch])
    ]
    if not leading and not lead:
        return np.broadcast_to(x, (*shape, *x.shape)).copy()
    return x[tuple(np.broadcast_to(position, shape) for position in (*leading, *lead))]


def _packed_gather_te(weight: te.Tensor, indices: te.Tensor) -> te.Tensor:
    """Gather rows of the matrix whose transpose is stored in blocks of columns."""
    blocks, terms, size = weight.shape

    def element(*index: Any) -> te.Expr:
        *at, term = index
        row = _chosen(indices(*at), blocks * size, "wrap_negative")
        return weight(row // size, term, row % size)

    return te.compute((*indices.shape, terms), element, name="packed_gather")


def _packed_gather_reference(weight: np.ndarray, indices: np.ndarray) -> np.ndarray:
    blocks, terms, size = weight.shape
    chosen = chosen_array(indices, blocks * size, "wrap_negative")
    return weight[chosen // size, :, chosen % size].reshape(*indices.shape, terms)


def _one_hot_te(indices: te.Tensor, *, depth: Any, on: float, off: float, axis: int, dtype: str) -> te.Tensor:
    """Return `on` where the index along a dimension of size `depth` equals the index given, `off` elsewhere."""
    axis %= indices.ndim + 1

    def element(*index: Any) -> te.Expr:
        hot = indices(*index[:axis], *index[axis + 1 :]) == index[axis]
        return te.Select(hot, te.const(on, dtype), te.const(off, dtype))

    return te.compute((*indices.shape[:axis], depth, *indices.shape[axis:]), element, name="one_hot")


def _one_hot_reference(indices: np.ndarray, *, depth: int, on: float, off: float, axis: int, dtype: str) -> np.ndarray:
    hot = np.moveaxis(indices[..., None] == np.arange(depth), -1, axis)
    return np.where(hot, on, off).astype(dtype)


_INDEX_TYPES = (i32, i64)


@register_operator(kind=FusionKind.INJECTIVE, reference=_gather_reference, te=_gather_te)
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


@register_operator(kind=FusionKind.INJECTIVE, reference=_gather_elements_reference, te=_gather_elements_te)
class GatherElementsOp(GraphOp):
    """
    One element along `axis` for each index, at the position of the index in the other dimensions. A negative index
    counts from the end; one out of range is an error of the call.

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
        if element_of(self.indices) not in _INDEX_TYPES:
            raise VerifyException(f"expected i32 or i64 indices, but got {element_of(self.indices)}")
        require_constants_inside(self.indices, shape[axis])
        for d, (size, count) in enumerate(zip(shape, chosen, strict=True)):
            fits = size == count or (isinstance(size, int) and isinstance(count, int) and count <= size)
            if d != axis and not fits:
                what = f"expected indices within {format_shape(shape)}, but got {format_shape(chosen)}"
                raise size_error(size, count)(what)
        return (make_type(chosen, element_of(self.x)),)


@register_operator(kind=FusionKind.INJECTIVE, reference=_gather_nd_reference, te=_gather_nd_te)
class GatherNdOp(GraphOp):
    """
    Slices at points: the first dimension of the indices has the coordinates of a point in the dimensions of the operand
    after the first `batch` ones, which both have. A negative coordinate counts from the end.

    ```mlir
    %y = graph.gather_nd %x, %indices batch 1 : tensor<4x2x7xf32>
    ```
    """

    name = "graph.gather_nd"

    x = operand_def()
    indices = operand_def()
    y = result_def()

    batch = int_prop(0)

    def infer_types(self) -> tuple[Tensor, ...]:
        shape, points, batch = shape_of(self.x), shape_of(self.indices), self.batch.value.data
        if element_of(self.indices) not in _INDEX_TYPES:
            raise VerifyException(f"expected i32 or i64 indices, but got {element_of(self.indices)}")
        depth = points[0] if points else None
        if not isinstance(depth, int) or batch < 0 or batch + depth > len(shape):
            raise VerifyException(f"expected points in {format_shape(shape[batch:])}, but got {format_shape(points)}")
        if points[1 : batch + 1] != shape[:batch]:
            raise VerifyException(f"expected a batch of {format_shape(shape[:batch])}, but got {format_shape(points)}")
        return (make_type((*points[1:], *shape[batch + depth :]), element_of(self.x)),)


@register_operator(kind=FusionKind.INJECTIVE, reference=_packed_gather_reference, te=_packed_gather_te)
class PackedGatherOp(GraphOp):
    """
    Rows, selected by integer indices, of a matrix [N, K] whose transpose is stored in blocks of c columns, [N/c, K, c],
    as `graph.packed_matmul` reads it. A negative index counts from the end; one out of range is an error of the call.

    y[..., k] = weight[i[...] // c, k, i[...] % c]

    ```mlir
    %y = graph.packed_gather %weight, %indices : tensor<1x128x768xf32>
    ```
    """

    name = "graph.packed_gather"

    weight = operand_def()
    indices = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        blocks, terms, size = require_rank(self.weight, 3, "weights in blocks of columns")
        if element_of(self.indices) not in _INDEX_TYPES:
            raise VerifyException(f"expected i32 or i64 indices, but got {element_of(self.indices)}")
        if not (isinstance(blocks, int) and isinstance(size, int)):
            raise UnknownSize("expected static numbers of columns")
        require_constants_inside(self.indices, blocks * size)
        return (make_type((*shape_of(self.indices), terms), element_of(self.weight)),)


register_for_topi(Operator("one_hot", FusionKind.INJECTIVE, _one_hot_reference, _one_hot_te))
