"""Products with sparse matrices, in rows of compressed elements (CSR) or of compressed blocks (BSR)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.types import Dim, Tensor, element_of, format_shape, make_type, require_dim, require_rank, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _sparse_dense_te(x: te.Tensor, weight: te.Tensor, indices: te.Tensor, indptr: te.Tensor, *, sums: str) -> te.Tensor:
    from .nests.program import Program

    rows: Any = indptr.shape[0]
    block, depth = (int(size) for size in weight.shape[1:]) if weight.ndim == 3 else (1, 1)  # pyright: ignore

    def statement(
        builder: Any, data: SSAValue, values: SSAValue, places: SSAValue, starts: SSAValue, y: SSAValue
    ) -> None:
        program = Program(builder)
        with program.over(program.size(data, 0), program.size(starts, 0) - 1, block) as (m, row, r):
            column = row * block + r if weight.ndim == 3 else row
            program.store(program.constant(0, sums), y, m, column)
            with (
                program.loop(program.load(starts, row), program.load(starts, row + 1)) as e,
                program.loop(0, depth) as c,
            ):
                place = program.place(program.load(places, e)) * depth + c
                own = (e, r, c) if weight.ndim == 3 else (e,)
                term = program.load(data, m, place).astype(sums) * program.load(values, *own).astype(sums)
                program.store(program.load(y, m, column) + term, y, m, column)

    shape = (x.shape[0], (rows - 1) * block)
    return te.extern(shape, [x, weight, indices, indptr], lambda ins, outs: statement, name="sparse_dense", dtype=sums)


def dense_of(weight: np.ndarray, indices: np.ndarray, indptr: np.ndarray, columns: int) -> np.ndarray:
    """The matrix of compressed rows, elements of one place added up."""
    blocks = weight if weight.ndim == 3 else weight[:, None, None]
    height, width = blocks.shape[1:]
    result = np.zeros(((len(indptr) - 1) * height, columns), weight.dtype)
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            place = int(indices[e]) * width
            result[row * height : (row + 1) * height, place : place + width] += blocks[e]
    return result


def _sparse_dense_reference(x: np.ndarray, weight: np.ndarray, indices: np.ndarray, indptr: np.ndarray) -> np.ndarray:
    """In the order of the elements, so that what is not there multiplies nothing, not even an infinity."""
    blocks = weight if weight.ndim == 3 else weight[:, None, None]
    height, width = blocks.shape[1:]
    result = np.zeros((x.shape[0], (len(indptr) - 1) * height), x.dtype)
    for row in range(len(indptr) - 1):
        for e in range(indptr[row], indptr[row + 1]):
            place = int(indices[e]) * width
            result[:, row * height : (row + 1) * height] += x[:, place : place + width] @ blocks[e].T
    return result


@register_operator(kind=FusionKind.OPAQUE, reference=_sparse_dense_reference, te=_sparse_dense_te, accumulator=WIDE)
class SparseDenseOp(GraphOp):
    """
    x times a sparse matrix transposed. The matrix has compressed rows: those elements of row n that are not zero are
    `weight[indptr[n]]` up to `weight[indptr[n + 1]]`, in the columns that `indices` has at the same places. Weights of
    rank 3 are blocks, [elements, height, width], and rows and columns count blocks.

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
        for operand, what in ((self.indices, "indices"), (self.indptr, "starts of rows")):
            require_rank(operand, 1, what)
            if element_of(operand) not in (i32, i64):
                raise VerifyException(f"expected i32 or i64 {what}, but got {element_of(operand)}")
        require_dim(shape_of(self.indices)[0], weight[0], "number of indices")
        (starts,) = shape_of(self.indptr)
        height, width = weight[1:] if len(weight) == 3 else (1, 1)
        if not (isinstance(starts, int) and isinstance(height, int) and isinstance(width, int)) or starts < 1:
            raise VerifyException(f"expected a static number of rows, but got {starts or '?'} starts of rows")
        rows: Dim = (starts - 1) * height
        return (make_type((batch, rows), element),)
