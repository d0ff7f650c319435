"""Products of a matrix of bytes and constant weights, as products of words of four bytes.

With zero points z of the matrix a and weights v, which are known, the sum of (a - z) * v over k is

    sum A * B  +  shift * sum A  -  (z + offset) * sum v        A = a + offset, B = v - shift

where `offset` and `shift` give A and B the types for which the target has an instruction. The last sum is known at
compile time. With a shift of 0, for symmetric weights, no sum over a row of the matrix is needed. All arithmetic is
that of i32, which wraps around, so the equation holds for any number of terms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import graph
from ....dialects.constant_data import has_data
from ....dialects.dtypes import dtype_name, is_integer
from ....dialects.target import X86_64, CpuTargetAttr
from ....ir import editor as edit
from ....operators.blocks import BYTES
from ....operators.linear import packed_columns
from ....semantics.byte_products import pairs_fit
from ...shared.channel_scaling import derived

HALF, SPAN = 128, 256
"""The numbers that a byte without sign has below its middle, and in all."""


@dataclass(frozen=True)
class Rows:
    """The left operand of a product: a matrix of bytes less its zero point, i32 of one for all terms of a row."""

    source: SSAValue
    zero: SSAValue | None

    @property
    def is_signed(self) -> bool:
        return dtype_name(graph.element_of(self.source)) == "int8"


@dataclass(frozen=True)
class Weights:
    """Weights in words of four terms, in blocks of columns, and the sums that correct for zero points."""

    packed: SSAValue
    form: str
    """The types of the bytes of both operands, as `graph.packed_matmul` names them."""
    shift: np.ndarray
    """The number that was subtracted from each column."""
    sums: np.ndarray
    """The sum of each column, modulo 2**32."""


def rows_of(value: SSAValue) -> Rows | None:
    """Return the matrix of bytes that the left operand of a product is; None where it is none."""
    if _is_byte(value):
        return Rows(value, None)
    op = value.owner
    if isinstance(op, graph.SubOp):
        minuend, subtrahend = op.operands
        source = _widened(minuend)
        zero = graph.shape_of(subtrahend)
        fits = source is not None and graph.shape_of(source) == graph.shape_of(value) and (not zero or zero[-1] == 1)
        return Rows(source, subtrahend) if fits and source is not None else None
    source = _widened(value)
    return None if source is None else Rows(source, None)


def _widened(value: SSAValue) -> SSAValue | None:
    """Return the bytes of which a value is the cast to i32."""
    op = value.owner
    is_wide = graph.element_of(value) == i32
    return op.x if is_wide and isinstance(op, graph.CastOp) and _is_byte(op.x) else None


def _is_byte(value: SSAValue) -> bool:
    """Return whether a value has elements of 8 bits."""
    element = graph.element_of(value)
    return is_integer(element) and element.width.data == 8


@dataclass(frozen=True)
class Constant:
    """Known weights: a constant, and a second constant that is subtracted from the first after its widening to i32."""

    source: graph.ConstantOp
    zero: graph.ConstantOp | None = None

    @property
    def array(self) -> np.ndarray:
        array = self.source.array.astype(np.int32)
        return array if self.zero is None else array - self.zero.array.astype(np.int32)


def constant_of(value: SSAValue) -> Constant | None:
    """Return the known weights that the right operand of a product of integers is; large ones are not folded before."""
    zero = None
    if isinstance(value.owner, graph.SubOp):
        minuend, subtrahend = value.owner.operands
        zero, value = _known(subtrahend), _widened(minuend) or value
        if zero is None or isinstance(value.owner, graph.SubOp):
            return None
    source = _known(value)
    is_matrix = source is not None and len(graph.shape_of(source.y)) == 2
    return Constant(source, zero) if source is not None and is_matrix else None


def _known(value: SSAValue) -> graph.ConstantOp | None:
    """Return the constant of integers that a value is, or the widened one."""
    op = value.owner
    if isinstance(op, graph.CastOp) and graph.element_of(value) == i32:
        op = op.x.owner
    is_known = isinstance(op, graph.ConstantOp) and has_data(op.value) and is_integer(graph.element_of(op.y))
    return op if isinstance(op, graph.ConstantOp) and is_known else None


def pack(constant: Constant, is_transposed: bool, size: int, rows: Rows, target: CpuTargetAttr) -> Weights | str:
    """Return constant weights [K, N], or their transpose, in words and blocks of `size` columns; or the reason why they
    are not packed."""
    source, array = constant.source, constant.array
    matrix = array.T if is_transposed else array
    if not matrix.size:
        return "they have no elements"
    signed = target.architecture == X86_64 or target.has("i8mm") or rows.is_signed
    if (shift := _shift(matrix, signed)) is None:
        return "the weights of a column span more numbers than a byte has"
    terms, columns = matrix.shape
    dtype = np.int8 if signed else np.uint8
    filled = np.zeros((-(-terms // BYTES) * BYTES, -(-columns // size) * size), dtype)
    filled[:terms, :columns] = matrix - shift
    words = np.ascontiguousarray(filled.reshape(-1, BYTES, filled.shape[1]).swapaxes(1, 2)).view(np.int32)[..., 0]
    left = "s8" if rows.is_signed and target.architecture != X86_64 else "u8"
    form = f"{left}{'s8' if signed else 'u8'}"
    if form == "u8s8" and pairs_fit(filled.reshape(-1, 2, filled.shape[1]).swapaxes(1, 2)):
        form = "u8s8_fits"
    packed = derived(packed_columns(words, size), source, np.dtype(np.int32))
    edit.insert(packed, InsertPoint.after(source))
    return Weights(packed.y, form, shift, matrix.sum(0, dtype=np.int64).astype(np.uint32).astype(np.int32))


def _shift(matrix: np.ndarray, signed: bool) -> np.ndarray | None:
    """Return the numbers to subtract from each column so that it fits in a byte: the same for all where that is
    possible, and 0 before others; None where a column does not fit."""
    least = -HALF if signed else 0
    low, high = (found.astype(np.int64) for found in (matrix.min(0), matrix.max(0)))
    if low.min() >= least and high.max() < least + SPAN:
        return np.zeros(matrix.shape[1], np.int32)
    if high.max() - low.min() < SPAN:
        return np.full(matrix.shape[1], low.min() - least, np.int32)
    return (low - least).astype(np.int32) if (high - low).max() < SPAN else None


def product_of_bytes(rows: Rows, weights: Weights, source: graph.ConstantOp) -> list[graph.GraphOp]:
    """Return the operations of a product, the last of which has its value; constants are named after `source`."""
    return _Writer(source).write(rows, weights)


class _Writer:
    """Inserts operations in order."""

    def __init__(self, source: graph.ConstantOp) -> None:
        self._source = source
        self._ops: list[graph.GraphOp] = []

    def write(self, rows: Rows, weights: Weights) -> list[graph.GraphOp]:
        matrix, offset = rows.source, 0
        if rows.is_signed and weights.form.startswith("u8"):
            matrix, offset = self._without_sign(matrix), HALF
        words = self._add(graph.WordsOp.of(self._filled(matrix)))
        product = graph.PackedMatmulOp.of(words, weights.packed, words=weights.form, out_dtype="int32")
        total = self._columns(self._add(product), len(weights.sums))
        if weights.shift.any():
            total = self._add(graph.AddOp.of(total, self._shifted_sums(matrix, weights.shift)))
        self._less_zero(total, rows.zero, offset, weights.sums)
        return self._ops

    def _columns(self, total: SSAValue, count: int) -> SSAValue:
        """Return the first columns; those that fill the last block up are left out."""
        *around, computed = graph.shape_of(total)
        if computed == count:
            return total
        starts, steps, whole = (0,) * (len(around) + 1), (1,) * (len(around) + 1), (-1,) * len(around)
        return self._add(graph.SliceOp.of(total, starts=starts, sizes=(*whole, count), steps=steps))

    def _less_zero(self, total: SSAValue, zero: SSAValue | None, offset: int, sums: np.ndarray) -> None:
        if zero is None:
            if offset:
                self._add(graph.AddOp.of(total, self._constant(-sums * np.int32(offset))))
            return
        if offset:
            zero = self._add(graph.AddOp.of(zero, self._constant(np.array(offset, np.int32))))
        self._add(graph.SubOp.of(total, self._add(graph.MulOp.of(zero, self._constant(sums)))))

    def _shifted_sums(self, matrix: SSAValue, shift: np.ndarray) -> SSAValue:
        """Return the sum of each row times the shift of each column."""
        wide = self._add(graph.CastOp.of(matrix, to="int32"))
        sums = self._add(graph.ReduceSumOp.of(wide, axes=(-1,), keepdims=True))
        factor = shift if (shift != shift[0]).any() else shift[:1]
        return self._add(graph.MulOp.of(sums, self._constant(factor)))

    def _without_sign(self, matrix: SSAValue) -> SSAValue:
        """Return bytes with a sign plus 128, as bytes without one."""
        wide = self._add(graph.CastOp.of(matrix, to="int32"))
        moved = self._add(graph.AddOp.of(wide, self._constant(np.array(HALF, np.int32))))
        return self._add(graph.CastOp.of(moved, to="uint8"))

    def _filled(self, matrix: SSAValue) -> SSAValue:
        """Fill rows up to whole words: zeros behind their terms meet zeros of the weights."""
        *around, terms = graph.shape_of(matrix)
        assert isinstance(terms, int), "those of a constant"
        if terms % BYTES == 0:
            return matrix
        none = (0,) * len(around)
        return self._add(graph.PadOp.of(matrix, before=(*none, 0), after=(*none, -terms % BYTES)))

    def _constant(self, array: np.ndarray) -> SSAValue:
        return self._add(derived(array, self._source, np.dtype(np.int32)))

    def _add(self, op: graph.GraphOp) -> SSAValue:
        self._ops.append(op)
        return op.results[0]
