"""Products with sparse matrices in rows of compressed elements (CSR) or blocks (BSR), and their transposition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.types import (
    Dim,
    Tensor,
    element_of,
    format_shape,
    make_type,
    require_dim,
    require_rank,
    shape_of,
    tensor_type,
)
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _sparse_dense_te(x: te.Tensor, weight: te.Tensor, indices: te.Tensor, indptr: te.Tensor, *, sums: str) -> te.Tensor:
    from .nests.nest_builder import NestBuilder

    rows: Any = indptr.shape[0]
    block, depth = (int(size) for size in weight.shape[1:]) if weight.ndim == 3 else (1, 1)  # pyright: ignore

    def statement(
        builder: Any, data: SSAValue, values: SSAValue, positions: SSAValue, starts: SSAValue, y: SSAValue
    ) -> None:
        program = NestBuilder(builder)
        with program.over(program.size(data, 0), program.size(starts, 0) - 1, block) as (m, row, r):
            column = row * block + r if weight.ndim == 3 else row
            program.store(program.constant(0, sums), y, m, column)
            with (
                program.loop(program.load(starts, row), program.load(starts, row + 1)) as e,
                program.loop(0, depth) as c,
            ):
                position = program.index(program.load(positions, e)) * depth + c
                element = (e, r, c) if weight.ndim == 3 else (e,)
                term = program.load(data, m, position).astype(sums) * program.load(values, *element).astype(sums)
                program.store(program.load(y, m, column) + term, y, m, column)

    shape = (x.shape[0], (rows - 1) * block)
    return te.extern(shape, [x, weight, indices, indptr], lambda ins, outs: statement, name="sparse_dense", dtype=sums)


def dense_of(weight: np.ndarray, indices: np.ndarray, indptr: np.ndarray, columns: int) -> np.ndarray:
    """Return the matrix of compressed rows, elements of one position added up."""
    blocks = weight if weight.ndim == 3 else weight[:, None, None]
    height, width = blocks.shape[1:]
    result = np.zeros(((len(indptr) - 1) * height, columns), weight.dtype)
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            position = int(indices[e]) * width
            result[row * height : (row + 1) * height, position : position + width] += blocks[e]
    return result


def _sparse_dense_reference(x: np.ndarray, weight: np.ndarray, indices: np.ndarray, indptr: np.ndarray) -> np.ndarray:
    """Multiply in the order of the elements, so that an absent element multiplies nothing, not even an infinity."""
    blocks = weight if weight.ndim == 3 else weight[:, None, None]
    height, width = blocks.shape[1:]
    result = np.zeros((x.shape[0], (len(indptr) - 1) * height), x.dtype)
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            position = int(indices[e]) * width
            result[:, row * height : (row + 1) * height] += x[:, position : position + width] @ blocks[e].T
    return result


@register_operator(kind=FusionKind.OPAQUE, reference=_sparse_dense_reference, te=_sparse_dense_te, accumulator=WIDE)
class SparseDenseOp(GraphOp):
    """
    x times a sparse matrix transposed. The matrix has compressed rows: those elements of row n that are not zero are
    `weight[indptr[n]]` up to `weight[indptr[n + 1]]`, in the columns that `indices` has at the same positions. Weights
    of rank 3 are blocks, [elements, height, width], and rows and columns count blocks.

    ```mlir
    %y = graph.sparse_dense %x, %weight, %indices, %indptr : tensor<4x16xf32>
    ```
    """

    name = "graph.sparse_dense"

    x = operand_def()
    weight = operand_def()
    indices = operand_def()
    indptr = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(require_same_element((self.x, self.weight)))
        batch, _ = require_rank(self.x, 2, "the operand")
        weight = shape_of(self.weight)
        if len(weight) not in (1, 3):
            raise VerifyException(f"expected elements or blocks as weights, but got {format_shape(weight)}")
        _require_indices(self.indices, self.indptr, weight[0])
        (starts,) = shape_of(self.indptr)
        height, width = weight[1:] if len(weight) == 3 else (1, 1)
        if not (isinstance(height, int) and isinstance(width, int)):
            raise VerifyException(f"expected blocks of static sizes, but got {format_shape(weight)}")
        if starts == 0:
            raise VerifyException("expected at least one start of a row, but got none")
        rows: Dim = (starts - 1) * height if isinstance(starts, int) else None
        return (make_type((batch, rows), element),)


def _sparse_transpose_te(weight: te.Tensor, indices: te.Tensor, indptr: te.Tensor) -> list[te.Tensor]:
    from .nests.nest_builder import NestBuilder

    def statement(
        builder: Any,
        values: SSAValue,
        positions: SSAValue,
        starts: SSAValue,
        y: SSAValue,
        rows: SSAValue,
        ends: SSAValue,
    ) -> None:
        """Transpose: `ends[c]` counts the elements of columns before c, then is where the next element of column c is
        written."""
        program = NestBuilder(builder)
        count, dtype = program.size(starts, 0), indptr.dtype
        with program.loop(0, count) as c:
            program.store(program.constant(0, dtype), ends, c)
        with program.loop(0, program.size(positions, 0)) as e:
            program.store(program.constant(0, weight.dtype), y, e)
            program.store(program.constant(0, indices.dtype), rows, e)
        with program.loop(program.load(starts, 0), program.load(starts, count - 1)) as e:
            after = program.index(program.load(positions, e)) + 1
            program.store(program.load(ends, after) + 1, ends, after)
        with program.loop(1, count) as c:
            program.store(program.load(ends, c) + program.load(ends, c - 1), ends, c)
        with (
            program.loop(0, count - 1) as row,
            program.loop(program.load(starts, row), program.load(starts, row + 1)) as e,
        ):
            column = program.index(program.load(positions, e))
            slot = program.load(ends, column)
            program.store(program.load(values, e), y, slot)
            program.store(program.number(row, indices.dtype), rows, slot)
            program.store(slot + 1, ends, column)
        with program.loop(1, count) as c:
            program.store(program.load(ends, count - c - 1), ends, count - c)
        program.store(program.constant(0, dtype), ends, 0)

    return te.extern(
        [weight.shape, indices.shape, indptr.shape],
        [weight, indices, indptr],
        lambda ins, outs: statement,
        name="sparse_transpose",
        dtype=[weight.dtype, indices.dtype, indptr.dtype],
    )


def _sparse_transpose_reference(weight: np.ndarray, indices: np.ndarray, indptr: np.ndarray) -> tuple[np.ndarray, ...]:
    numbers = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    columns = indices[indptr[0] : indptr[-1]]
    order = np.argsort(columns, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=len(indptr) - 1))])
    transposed, rows = np.zeros_like(weight), np.zeros_like(indices)
    transposed[: len(order)] = weight[indptr[0] : indptr[-1]][order]
    rows[: len(order)] = numbers[order]
    return transposed, rows, starts.astype(indptr.dtype)


@register_operator(kind=FusionKind.OPAQUE, reference=_sparse_transpose_reference, te=_sparse_transpose_te)
class SparseTransposeOp(GraphOp):
    """
    A square matrix of compressed rows transposed, as three tensors like the operands; elements of one position keep
    their order. Elements and indices beyond the last row are 0 in the result.

    ```mlir
    %y, %rows, %starts = graph.sparse_transpose %weight, %indices, %indptr :
        tensor<9xf32>, tensor<9xi32>, tensor<5xi32>
    ```
    """

    name = "graph.sparse_transpose"

    weight = operand_def()
    indices = operand_def()
    indptr = operand_def()
    transposed = result_def()
    rows = result_def()
    starts = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.ANY.check(element_of(self.weight))
        (count,) = require_rank(self.weight, 1, "the elements")
        _require_indices(self.indices, self.indptr, count)
        if shape_of(self.indptr) == (0,):
            raise VerifyException("expected at least one start of a row, but got none")
        return tuple(map(tensor_type, (self.weight, self.indices, self.indptr)))


def _require_indices(indices: SSAValue, indptr: SSAValue, count: Dim) -> None:
    """Check that indices and starts of rows are vectors of integers, and that there are as many indices as elements."""
    for operand, what in ((indices, "indices"), (indptr, "starts of rows")):
        require_rank(operand, 1, what)
        if element_of(operand) not in (i32, i64):
            raise VerifyException(f"expected i32 or i64 {what}, but got {element_of(operand)}")
    require_dim(shape_of(indices)[0], count, "number of indices")
