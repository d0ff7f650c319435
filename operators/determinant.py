"""Determinants of matrices."""

from __future__ import annotations

from typing import Any

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.types import Tensor, element_of, format_shape, make_type, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind


def _det_te(x: te.Tensor, *, sums: str) -> te.Tensor:
    """Compute determinants by Gaussian elimination with the greatest pivot of each column, one column a step (Golub and
    Van Loan, Matrix Computations, section 3.4). State t has the first t columns eliminated; `pivots` has the factors
    that the determinant got by then.
    """
    size: Any = x.shape[-1]  # a number: who made the operator has verified it
    batch, rank = x.shape[:-2], x.ndim - 2
    zero, one = te.const(0, sums), te.const(1, sums)
    state = te.placeholder((size + 1, *x.shape), sums, "eliminated")
    product = te.placeholder((size + 1, *batch), sums, "pivots")

    def magnitude(t: Any, n: tuple[Any, ...], i: Any) -> te.Expr:
        value = state(t - 1, *n, i, t - 1)
        return te.Select(i >= t - 1, te.Select(te.isnan(value), te.const(float("inf"), sums), abs(value)), -one)

    rows, again = te.reduce_axis((0, size), "rows"), te.reduce_axis((0, size), "again")
    steps = (size + 1, *batch)
    greatest = te.compute(steps, lambda t, *n: te.max(magnitude(t, n, rows), axis=rows), name="greatest")

    def first(t: Any, *n: Any) -> te.Expr:
        is_it = magnitude(t, n, again) >= greatest(t, *n)
        return te.min(te.Select(is_it, again.astype("int64"), te.const(size - 1, "int64")), axis=again)

    found = te.compute(steps, first, name="found")

    def row(t: Any, n: tuple[Any, ...], i: Any, j: Any) -> te.Expr:
        """Return an element after the pivot's row is exchanged with row t - 1."""
        pivot = te.maximum(te.minimum(found(t, *n), size - 1), 0)
        source = te.Select(i == t - 1, pivot, te.Select(i == pivot, t - 1, i))
        return state(t - 1, *n, te.maximum(te.minimum(source, size - 1), 0), j)

    def eliminated(t: Any, *index: Any) -> te.Expr:
        n, (i, j) = index[:rank], index[rank:]
        pivot = row(t, n, t - 1, t - 1)
        factor = te.Select(pivot == 0, zero, row(t, n, i, t - 1) / te.Select(pivot == 0, one, pivot))
        return te.Select(i >= t, row(t, n, i, j) - factor * row(t, n, t - 1, j), row(t, n, i, j))

    def multiplied(t: Any, *n: Any) -> te.Expr:
        sign = te.Select(found(t, *n) == t - 1, one, -one)
        return product(t - 1, *n) * sign * row(t, n, t - 1, t - 1)

    starts = [
        te.compute((1, *x.shape), lambda _, *i: x(*i).astype(sums), name="start"),
        te.compute((1, *batch), lambda *_: one, name="start_pivots"),
    ]
    updates = [
        te.compute((size + 1, *x.shape), eliminated, name="next"),
        te.compute(steps, multiplied, name="next_pivots"),
    ]
    _, products = te.scan(starts, updates, [state, product], name="elimination")
    return te.compute(batch, lambda *n: products(size, *n), name="det")


def _det_reference(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.det(x.astype(np.float64))).astype(x.dtype)


@register_operator(kind=FusionKind.OPAQUE, reference=_det_reference, te=_det_te, accumulator=WIDE, onnx="Det")
class DetOp(GraphOp):
    """
    The determinant of each square matrix in the last two dimensions.

    ```mlir
    %y = graph.det %x : tensor<2xf32>
    ```
    """

    name = "graph.det"

    x = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element, shape = Elements.FLOAT.check(element_of(self.x)), shape_of(self.x)
        if len(shape) < 2 or not isinstance(shape[-1], int) or shape[-1] != shape[-2] or shape[-1] < 1:
            raise VerifyException(f"expected square matrices of a static size, but got {format_shape(shape)}")
        return (make_type(shape[:-2], element),)
