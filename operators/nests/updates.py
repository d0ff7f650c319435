"""Loops that write single elements of a buffer, for operators whose results no expression of an index describes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index, IndexLike
from ...te.scalar_operations import emit_binary


class Nest:
    """A builder of loops that copy buffers and update elements of type `dtype`."""

    def __init__(self, builder: Builder, dtype: str, reduction: str):
        self._builder = builder
        self._dtype = dtype
        self._reduction = reduction

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        def element(at: Sequence[Index]) -> None:
            self._insert(loop.StoreOp(self._load(source, at), target, list(at)))

        self.over(source, element)

    def bitcast(self, source: SSAValue, target: SSAValue, to: Attribute) -> None:
        """Write the bits of each element of `source` as an element of another type."""

        def element(at: Sequence[Index]) -> None:
            value = self._insert(arith.BitcastOp(self._load(source, at), to))
            self._insert(loop.StoreOp(value, target, list(at)))

        self.over(source, element)

    def over(self, buffer: SSAValue, body: Callable[[Sequence[Index]], None]) -> None:
        """Open a loop over each dimension of a buffer; `body` is called once, inside, with the index."""
        outside, variables = self._builder, list[Index]()
        rank = len(buffer.type.get_shape())  # pyright: ignore[reportAttributeAccessIssue]
        sizes = [self._size(buffer, dimension) for dimension in range(rank)]
        for dimension, size in enumerate(sizes):
            nest = loop.ForOp(0, size, name_hint=f"i{dimension}")
            self._insert(nest)
            self._builder = Builder(InsertPoint.at_end(nest.body.block))
            variables.append(Index.of(nest.induction_variable))
        body(variables)
        self._builder = outside

    def index(self, indices: SSAValue, at: Sequence[IndexLike], target: SSAValue, dimension: int) -> Index:
        """Return element `at` of `indices`; a negative index counts from the end of a dimension of the target."""
        given = self._load(indices, at)
        kind = given.type
        assert isinstance(kind, IntegerType)
        zero = self._insert(arith.ConstantOp(IntegerAttr(0, kind)))
        size = self._insert(loop.ApplyOp(self._size(target, dimension)))
        wide = self._insert(arith.IndexCastOp(size, kind))
        negative = self._insert(arith.CmpiOp(given, zero, "slt"))
        counted = self._insert(arith.AddiOp(given, wide))
        chosen = self._insert(arith.SelectOp(negative, counted, given))
        return Index.of(self._insert(arith.IndexCastOp(chosen, IndexType())))

    def write(self, target: SSAValue, element: Sequence[IndexLike], values: SSAValue, at: Sequence[IndexLike]) -> None:
        """Store an element of `values` to an element of the target, or combine the two."""
        value = self._load(values, at)
        if self._reduction != "none":
            there = self._load(target, element)
            value = emit_binary(self._insert, self._reduction, self._dtype, there, value)
        self._insert(loop.StoreOp(value, target, list(element)))

    def _size(self, buffer: SSAValue, dimension: int) -> Index:
        size = buffer.type.get_shape()[dimension]  # pyright: ignore[reportAttributeAccessIssue]
        return Index.of(size) if size >= 0 else Index.of(self._insert(loop.DimOp(buffer, dimension)))

    def _load(self, buffer: SSAValue, at: Sequence[IndexLike]) -> SSAValue:
        return self._insert(loop.LoadOp(buffer, list(at)))

    def _insert(self, op: Operation) -> SSAValue:
        """Insert an operation and return its result, where it has one."""
        self._builder.insert(op)
        return op.results[0] if op.results else None  # pyright: ignore[reportReturnType]
