"""
Sorting by ranks: the rank of an element is the number of elements that come before it.

Ranks are counted by n independent comparisons for each element: no pass over the data depends on another one. Of equal
elements the first comes first; a NaN is the greatest. On a CPU a few elements of many are selected by a heap, and long
rows, and rows of dynamic length, are sorted by radix, in the same order.
"""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, UnaryOp, require_held
from ..dialects.graph.properties import flag_prop, float_prop, int_prop
from ..dialects.graph.types import Tensor, element_of, format_shape, make_type, normalize_axis, shape_of, size_error
from ..renamed import with_earlier_members
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind


def _goes_before(a: te.Expr, b: te.Expr, earlier: te.Expr, descending: bool) -> te.Expr:
    """Return whether a sorts before b; `earlier` decides between equal elements."""
    (low, high) = (b, a) if descending else (a, b)
    less = te.any(low < high, te.all(te.isnan(high), ~te.isnan(low)))
    equal = te.any(a == b, te.all(te.isnan(a), te.isnan(b)))
    return te.any(less, te.all(equal, earlier))


def order_of(x: te.Tensor, axis: int, count: Any, descending: bool) -> te.Tensor:
    """Return the position of each of the first `count` elements in order, along an axis."""
    size = x.shape[axis]
    other, source = te.reduce_axis((0, size), "other"), te.reduce_axis((0, size), "own")

    def rank(*index: Any) -> te.Expr:
        before = _goes_before(x(*index[:axis], other, *index[axis + 1 :]), x(*index), other < index[axis], descending)
        return te.sum(before.astype("int64"), axis=other)

    ranks = te.compute(x.shape, rank, name="rank")

    def position(*index: Any) -> te.Expr:
        found = ranks(*index[:axis], source, *index[axis + 1 :]) == index[axis].astype("int64")
        return te.max(te.Select(found, source.astype("int64"), te.const(0, "int64")), axis=source)

    return te.compute((*x.shape[:axis], count, *x.shape[axis + 1 :]), position, name="order")


LONG = 256
"""The length from which rows are sorted by radix on a CPU: shorter rows take less time by comparing all pairs."""

SELECTED = 8
"""The least number of elements of a row for each one that a heap selects on a CPU."""


def distributed_order(x: te.Tensor, axis: int, descending: bool) -> te.Tensor:
    """Return the position of each element in order, along an axis, by a radix sort: its time grows with the number of
    elements alone."""
    from .nests.radix import counts_of, key_type, radix_sort

    def statement(builder: Any, *buffers: SSAValue) -> None:
        radix_sort(builder, axis, descending, *buffers)

    others, key = (*x.shape[:axis], *x.shape[axis + 1 :]), key_type(x.dtype)
    row = (*others, x.shape[axis])
    return te.extern(
        [x.shape, row, row, row, (*others, counts_of(x.dtype))],
        [x],
        lambda ins, outs: statement,
        name="order",
        dtype=["int64", "int64", key, key, "int64"],
    )[0]


def _selected(x: te.Tensor, k: int, axis: int, smallest: bool) -> tuple[te.Tensor, te.Tensor]:
    """Return the k first elements in order along an axis and their positions, by a heap of k."""
    from .nests.heap import positions_of, select_first, words_of

    def statement(builder: Any, *buffers: SSAValue) -> None:
        select_first(builder, axis, smallest, *buffers)

    others, words = (*x.shape[:axis], *x.shape[axis + 1 :]), words_of(x.dtype)
    chosen = (*x.shape[:axis], k, *x.shape[axis + 1 :])
    values, positions, *_ = te.extern(
        [chosen, chosen, (*others, 1), *((*others, positions_of(k)) for _ in words)],
        [x],
        lambda ins, outs: statement,
        name="topk",
        dtype=[x.dtype, "int64", x.dtype, *words],
    )
    return values, positions


def _is_long(x: te.Tensor, axis: int) -> bool:
    """Return whether rows are distributed: those of more than `LONG` elements, and those of an open size."""
    size = x.shape[axis]
    return not isinstance(size, int) or size > LONG


def _topk_on_cpu(x: te.Tensor, *, k: int, axis: int, smallest: bool) -> tuple[te.Tensor, te.Tensor]:
    axis %= x.ndim
    size = x.shape[axis]
    if k * SELECTED <= (size if isinstance(size, int) else LONG):
        return _selected(x, k, axis, smallest)
    if not _is_long(x, axis):
        return _topk_te(x, k=k, axis=axis, smallest=smallest)
    order = distributed_order(x, axis, not smallest)
    positions = te.compute((*x.shape[:axis], k, *x.shape[axis + 1 :]), lambda *index: order(*index), name="places")
    return _values_at(x, positions, axis), positions


def argsort_on_cpu(x: te.Tensor, *, axis: int, descending: bool) -> te.Tensor:
    """Return the position of each element in order, along an axis: by digits where rows are long, else by ranks."""
    axis %= x.ndim
    if _is_long(x, axis):
        return distributed_order(x, axis, descending)
    return _argsort_te(x, axis=axis, descending=descending)


def _topk_te(x: te.Tensor, *, k: int, axis: int, smallest: bool) -> tuple[te.Tensor, te.Tensor]:
    axis %= x.ndim
    positions = order_of(x, axis, k, not smallest)
    return _values_at(x, positions, axis), positions


def _values_at(x: te.Tensor, positions: te.Tensor, axis: int) -> te.Tensor:
    def value(*index: Any) -> te.Expr:
        position = te.minimum(te.maximum(positions(*index), 0), x.shape[axis] - 1)
        return x(*index[:axis], position, *index[axis + 1 :])

    return te.compute(positions.shape, value, name="values")


def _argsort_te(x: te.Tensor, *, axis: int, descending: bool) -> te.Tensor:
    axis %= x.ndim
    return order_of(x, axis, x.shape[axis], descending)


def ordered(x: np.ndarray) -> np.ndarray:
    """Return the same numbers in a type that numpy sorts. Among bfloat16 and floats of 8 bits, whose
    types are not numpy's, a NaN would end up anywhere."""
    return x.astype(np.float32) if "float" in x.dtype.name and x.dtype.itemsize <= 2 else x


def _argsort_reference(x: np.ndarray, *, axis: int, descending: bool) -> np.ndarray:
    x = ordered(x)
    if not descending:
        return np.argsort(x, axis, kind="stable").astype(np.int64)
    turned = np.argsort(np.flip(x, axis), axis, kind="stable")  # of equals the last first, seen from the other end
    return (x.shape[axis] - 1 - np.flip(turned, axis)).astype(np.int64)


def _topk_reference(x: np.ndarray, *, k: int, axis: int, smallest: bool) -> tuple[np.ndarray, np.ndarray]:
    order = np.take(_argsort_reference(x, axis=axis, descending=not smallest), range(k), axis)
    return np.take_along_axis(x, order, axis), order


def _searchsorted_te(x: te.Tensor, values: te.Tensor, *, right: bool) -> te.Tensor:
    """Count the elements that are less than each value, or not greater."""
    k = te.reduce_axis((0, x.shape[-1]), "k")
    rows = x.ndim - 1

    def count(*index: Any) -> te.Expr:
        element, value = x(*index[:rows], k), values(*index)
        return te.sum((element <= value if right else element < value).astype("int64"), axis=k)

    return te.compute(values.shape, count, name="searchsorted")


def _searchsorted_reference(x: np.ndarray, values: np.ndarray, *, right: bool) -> np.ndarray:
    result = np.empty(values.shape, np.int64)
    for row in np.ndindex(*x.shape[:-1]):
        element, value = x[row].reshape(-1, 1), values[row].reshape(1, -1)
        counts = (element <= value if right else element < value).sum(0)
        result[row] = counts.reshape(values.shape[x.ndim - 1 :])
    return result


def _sequence_mask_te(x: te.Tensor, valid_length: te.Tensor, *, mask_value: float, axis: int) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        kept = index[axis].astype(valid_length.dtype) < valid_length[index[1 - axis]]
        return te.Select(kept, x(*index), te.const(mask_value, x.dtype))

    return te.compute(x.shape, element, name="sequence_mask")


def _sequence_mask_reference(x: np.ndarray, valid_length: np.ndarray, *, mask_value: float, axis: int) -> np.ndarray:
    positions = np.arange(x.shape[axis])
    kept = positions[:, None] < valid_length if axis == 0 else positions < valid_length[:, None]
    return np.where(kept.reshape(kept.shape + (1,) * (x.ndim - 2)), x, x.dtype.type(mask_value))


@with_earlier_members
@register_operator(kind=FusionKind.OPAQUE, reference=_topk_reference, te=_topk_te, te_on_cpu=_topk_on_cpu)
class TopkOp(GraphOp):
    """
    The k greatest elements along an axis in descending order, or the least ones in ascending order, and their
    positions.

    ```mlir
    %values, %positions = graph.topk %x k 5 : tensor<2x5xf32>, tensor<2x5xi64>
    ```
    """

    name = "graph.topk"

    x = operand_def()
    chosen = result_def()
    positions = result_def()

    k = int_prop(1)
    axis = int_prop(-1)
    smallest = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(element_of(self.x))
        shape, k = shape_of(self.x), self.k.value.data
        axis = normalize_axis(self.axis.value.data, len(shape))
        size = shape[axis] if shape else 1
        if k < 0 or not isinstance(size, int) or k > size:
            raise size_error(size)(f"expected k from 0 to {size if size is not None else '?'}, but got {k}")
        kept = (*shape[:axis], k, *shape[axis + 1 :])
        return make_type(kept, element), make_type(kept, i64)


@register_operator(kind=FusionKind.OPAQUE, reference=_argsort_reference, te=_argsort_te, te_on_cpu=argsort_on_cpu)
class ArgsortOp(UnaryOp):
    """
    The positions of the elements along an axis in ascending order, or in `descending` order.

    ```mlir
    %y = graph.argsort %x axis 1 : tensor<2x7xi64>
    ```
    """

    name = "graph.argsort"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER

    axis = int_prop(-1)
    descending = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        normalize_axis(self.axis.value.data, len(shape_of(self.x)))
        (operand,) = super().infer_types()
        return (make_type(shape_of(operand), i64),)


@register_operator(kind=FusionKind.OPAQUE, reference=_searchsorted_reference, te=_searchsorted_te)
class SearchsortedOp(GraphOp):
    """The insertion points of values that keep ascending elements along the last axis sorted: before equal elements, or
    behind them with `right`. Dimensions before the last are those of the values.

    ```mlir
    %y = graph.searchsorted %x, %values right : tensor<2x3xi64>
    ```
    """

    name = "graph.searchsorted"

    x = operand_def()
    queries = operand_def()
    y = result_def()

    right = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.NUMBER.check(require_same_element(self.operands))
        rows, values = shape_of(self.x)[:-1], shape_of(self.queries)
        if not shape_of(self.x) or values[: len(rows)] != rows:
            found = f"{format_shape(shape_of(self.x))} and {format_shape(values)}"
            raise VerifyException(f"expected rows of elements and of values, but got {found}")
        return (make_type(values, i64),)


@register_operator(kind=FusionKind.OPAQUE, reference=_sequence_mask_reference, te=_sequence_mask_te)
class SequenceMaskOp(GraphOp):
    """
    Sequences along `axis`, 0 or 1, with `mask_value` from a length on, one length a sequence of the other axis.

    ```mlir
    %y = graph.sequence_mask %x, %valid_length mask_value -1.0 axis 1 : tensor<2x7x3xf32>
    ```
    """

    name = "graph.sequence_mask"

    x = operand_def()
    valid_length = operand_def()
    y = result_def()

    mask_value = float_prop(0.0)
    axis = int_prop(0)

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(element_of(self.x))
        Elements.INTEGER.check(element_of(self.valid_length))
        require_held(element, self.mask_value.value.data, "a mask_value")
        shape, axis = shape_of(self.x), self.axis.value.data
        if len(shape) < 2 or axis not in (0, 1):
            raise VerifyException(f"expected axis 0 or 1 of at least two dimensions, but got {axis} of {len(shape)}")
        if shape_of(self.valid_length) != (shape[1 - axis],):
            found = format_shape(shape_of(self.valid_length))
            raise VerifyException(f"expected {shape[1 - axis]} lengths, but got {found}")
        return (make_type(shape, element),)
