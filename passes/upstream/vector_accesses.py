"""Conversion of memory accesses of vectors of any shape to nests of loops over the elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith, memref, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from .control import emitter
from .extents import shape_of
from .indices import affine_indices, index_of
from .refusal import refuse_form
from .vector_values import (
    Elements,
    Emit,
    VectorValues,
    guard_by,
    is_data,
    known,
    loops_over,
    vector_type,
    within,
)

Indexing = Callable[[Sequence[Index]], list[Index]]
"""The indices in memory of the element at an index of a vector."""

Transfer = vector.TransferReadOp | vector.TransferWriteOp


class VectorAccesses:
    """Converts loads and stores of vectors."""

    def __init__(self, values: VectorValues) -> None:
        self.values = values

    def convert(self, op: Operation, mask: Elements | None = None) -> bool:
        """Convert an access, under a mask where one is around it; whether `op` is one."""
        match op:
            case vector.TransferReadOp() | vector.TransferWriteOp():
                self._transfer(op, mask)
            case _ if mask is not None:
                return False
            case vector.LoadOp() | vector.MaskedLoadOp() | memref.LoadOp():
                buffer = op.memref if isinstance(op, memref.LoadOp) else op.base
                self._load(op, buffer, [index_of(i) for i in op.indices])
            case affine.LoadOp() | affine.VectorLoadOp():
                self._load(op, op.memref, affine_indices(op, op.map.data, op.indices))
            case vector.StoreOp():
                self._store(op, op.vector, op.base, [index_of(i) for i in op.indices])
            case vector.MaskedStoreOp():
                self._store(op, op.value_to_store, op.base, [index_of(i) for i in op.indices])
            case memref.StoreOp():
                self._store(op, op.value, op.memref, [index_of(i) for i in op.indices])
            case affine.StoreOp() | affine.VectorStoreOp():
                self._store(op, op.value, op.memref, affine_indices(op, op.map.data, op.indices))
            case _:
                return False
        return True

    # Accesses to neighbouring elements

    def _load(self, op: Operation, buffer: SSAValue, starts: Sequence[Index]) -> None:
        type_, mask = vector_type(op.results[0], op), None
        otherwise: Elements | None = None
        if isinstance(op, vector.MaskedLoadOp):
            mask, otherwise = self.values.of(op.mask, op), self.values.of(op.pass_thru, op)
        indexed = _behind(op, buffer, starts, type_)

        self._read(
            op,
            type_,
            mask,
            lambda indices, emit: otherwise.read(indices, emit) if otherwise is not None else None,
            lambda indices: (buffer, indexed(indices), guard_by(mask, indices)),
            lambda indices: indices,
        )

    def _read(
        self,
        op: Operation,
        type: VectorType,
        mask: Elements | None,
        otherwise: Callable[[Sequence[Index], Emit], SSAValue | None],
        access: Callable[[Sequence[Index]], tuple[SSAValue, Sequence[Index], list[Index]]],
        in_mask: Callable[[Sequence[Index]], Sequence[Index]],
    ) -> None:
        """Convert a read to a vector of elements of memory, with other values where a mask or a guard does not hold."""

        def read(indices: Sequence[Index], emit: Emit) -> SSAValue:
            buffer, position, guard = access(indices)
            return emit(loop.LoadOp(buffer, position, guard, otherwise(indices, emit) if guard else None))

        result = op.results[0]
        if not is_data(mask):
            self.values.elements[result] = self.values.fill(type, op, read, result.name_hint)
            return
        made = self.values.allocate(type, emitter(InsertPoint.before(op), op), result.name_hint)
        assert made.buffer is not None
        indices, point = loops_over(made.shape, InsertPoint.before(op), op)
        other = otherwise(indices, emitter(point, op))
        assert other is not None
        edit.insert(loop.StoreOp(other, made.buffer, indices), point, of=op)
        point = within(mask, in_mask(indices), point, op)
        edit.insert(loop.StoreOp(read(indices, emitter(point, op)), made.buffer, indices), point, of=op)
        self.values.elements[result] = made

    def _store(self, op: Operation, value: SSAValue, buffer: SSAValue, starts: Sequence[Index]) -> None:
        elements = self.values.of(value, op)
        indexed = _behind(op, buffer, starts, elements.type)
        mask = self.values.of(op.mask, op) if isinstance(op, vector.MaskedStoreOp) else None
        indices, point = loops_over(elements.shape, InsertPoint.before(op), op)
        point = within(mask, indices, point, op)
        element = elements.read(indices, emitter(point, op))
        edit.insert(loop.StoreOp(element, buffer, indexed(indices), guard_by(mask, indices)), point, of=op)

    # Transfers

    def _transfer(self, op: Transfer, mask: Elements | None) -> None:
        if mask is not None and op.mask is not None:
            refuse_form(op, "expected one mask, but got a mask around an operation with one")
        if op.mask is not None:
            mask = self.values.of(op.mask, op)
        if not isinstance(op.source.type, MemRefType) or isinstance(op.source.type.element_type, VectorType):
            refuse_form(op, f"expected a memref of numbers, but got {op.source.type}")
        if isinstance(op, vector.TransferReadOp):
            self._transfer_read(op, mask)
        else:
            self._transfer_write(op, mask)

    def _transfer_read(self, op: vector.TransferReadOp, mask: Elements | None) -> None:
        access = _Transfer(op, mask)
        self._read(
            op,
            vector_type(op.result, op),
            mask,
            lambda indices, emit: op.padding,
            lambda indices: (op.source, access.position(indices), access.guard(indices)),
            access.in_mask,
        )

    def _transfer_write(self, op: vector.TransferWriteOp, mask: Elements | None) -> None:
        elements = self.values.of(op.vector, op)
        access = _Transfer(op, mask)
        indices, point = loops_over(elements.shape, InsertPoint.before(op), op)
        point = within(mask, access.in_mask(indices), point, op)
        element = elements.read(indices, emitter(point, op))
        edit.insert(loop.StoreOp(element, op.source, access.position(indices), access.guard(indices)), point, of=op)


class _Transfer:
    """The elements of memory that a transfer accesses, and the conditions of these accesses."""

    def __init__(self, op: Transfer, mask: Elements | None) -> None:
        self.mask = mask
        self.starts = [index_of(i) for i in op.indices]
        results = op.permutation_map.data.results
        self.dimensions = [e.position if isinstance(e, AffineDimExpr) else None for e in results]
        """The dimension of memory for each one of the vector; None where an element is repeated."""
        bounded = [bool(each.value.data) for each in op.in_bounds]
        self.extents: dict[int, Index] = {}
        """Of the dimensions that the transfer may leave, as its indices grow."""
        emit = emitter(InsertPoint.before(op), op)
        for d, inside in zip(self.dimensions, bounded, strict=True):
            if d is not None and not inside:
                self.extents[d] = _extent(op.source, d, emit)

    def position(self, indices: Sequence[Index]) -> list[Index]:
        """Return the indices in memory of an element of the vector."""
        found = list(self.starts)
        for d, index in zip(self.dimensions, indices, strict=True):
            if d is not None:
                found[d] = found[d] + index
        return found

    def guard(self, indices: Sequence[Index]) -> list[Index]:
        """Return expressions that are all >= 0 where the element is inside of memory and of a mask that is no data."""
        position = self.position(indices)
        guard = known([extent - 1 - position[d] for d, extent in self.extents.items()])
        return [*guard, *guard_by(self.mask, self.in_mask(indices))]

    def in_mask(self, indices: Sequence[Index]) -> list[Index]:
        """Return the indices in a mask, which has the dimensions of memory that the vector has, in the order of
        memory."""
        pairs = [(d, index) for d, index in zip(self.dimensions, indices, strict=True) if d is not None]
        return [index for _, index in sorted(pairs, key=lambda pair: pair[0])]


def _behind(op: Operation, buffer: SSAValue, starts: Sequence[Index], type: VectorType) -> Indexing:
    """Return indices of a vector whose dimensions are the last ones of a buffer.

    A buffer of vectors has become one of numbers, with the dimensions of the vector behind those that `starts` indexes.
    """
    rank, dims = len(shape_of(buffer)), type.get_num_dims()
    first = [*starts, *[Index.of(0)] * (rank - len(starts))]
    if dims > rank or len(first) != rank:
        refuse_form(op, f"expected a vector of at most {rank} dimensions, but got {type}")
    return lambda indices: [*first[: rank - dims], *(a + b for a, b in zip(first[rank - dims :], indices, strict=True))]


def _extent(buffer: SSAValue, dimension: int, emit: Emit) -> Index:
    size = shape_of(buffer)[dimension]
    if size != DYNAMIC_INDEX:
        return Index.of(size)
    number = emit(arith.ConstantOp(IntegerAttr.from_index_int_value(dimension)))
    return Index.of(emit(memref.DimOp(buffer, number)))
