"""Equal dimensions of a function's tensors and memrefs, as operations of its body require.

Upstream types do not name sizes. Two `?` are the same size if an operation that always runs requires this, such as a
product of matrices. An argument with another size is an error of the call; upstream MLIR leaves this case undefined.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import memref, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr

from ...dialects.upstream.structured_operation import StructuredOp
from .extents import shape_of
from .indices import constant_of

Dimension = tuple[SSAValue, int]
"""A dimension of a value."""


class SizeClasses:
    """The dimensions of a function's values, in classes of one size each."""

    def __init__(self, function: FuncOp) -> None:
        self._parents: dict[Dimension, Dimension] = {}
        self._numbers: dict[Dimension, int] = {}
        for op in function.body.block.ops:
            self._add(op)

    def find(self, value: SSAValue, dimension: int) -> Dimension:
        """Return the representative of the class of a dimension."""
        root = (value, dimension)
        while (parent := self._parents.get(root, root)) != root:
            root = parent
        return root

    def number(self, value: SSAValue, dimension: int) -> int | None:
        """Return the size, where a type of the class states it."""
        size = shape_of(value)[dimension]
        return size if size != DYNAMIC_INDEX else self._numbers.get(self.find(value, dimension))

    def _unite(self, dimensions: Iterable[Dimension]) -> None:
        first: Dimension | None = None
        for value, dimension in dimensions:
            root = self.find(value, dimension)
            size = shape_of(value)[dimension]
            if size != DYNAMIC_INDEX:
                self._numbers[root] = size
            if first is None:
                first = root
            elif first != root:
                self._parents[root] = first
                if root in self._numbers:
                    self._numbers[first] = self._numbers[root]

    def _add(self, op: Operation) -> None:
        match op:
            case StructuredOp():
                self._add_structured(op)
            case memref.CopyOp():
                self._add_same([op.source, op.destination])
            case memref.CastOp() | tensor.CastOp():
                self._add_same([op.operands[0], op.results[0]])
            case memref.AllocOp() | memref.AllocaOp() | tensor.EmptyOp():
                self._add_sizes(op.results[0], op.operands)
            case _ if op.dialect_name() in ("arith", "math") and op.results:
                self._add_same([v for v in (*op.operands, *op.results) if isinstance(v.type, TensorType)])
            case _:
                pass

    def _add_same(self, values: Iterable[SSAValue]) -> None:
        listed = [v for v in values if isinstance(v.type, (MemRefType, TensorType))]
        if len({len(shape_of(v)) for v in listed}) == 1:
            for dimension in range(len(shape_of(listed[0]))):
                self._unite((value, dimension) for value in listed)

    def _add_sizes(self, value: SSAValue, sizes: Iterable[SSAValue]) -> None:
        dynamic = [d for d, size in enumerate(shape_of(value)) if size == DYNAMIC_INDEX]
        for dimension, size in zip(dynamic, sizes, strict=False):
            owner = size.owner
            if isinstance(owner, (memref.DimOp, tensor.DimOp)) and (number := constant_of(owner.index)) is not None:
                self._unite([(owner.source, number), (value, dimension)])

    def _add_structured(self, op: StructuredOp) -> None:
        maps = op.maps()
        for loop in range(maps[0].num_dims):
            self._unite(
                (operand, d)
                for operand, map in zip(op.operands, maps, strict=True)
                for d, result in enumerate(map.results)
                if isinstance(result, AffineDimExpr) and result.position == loop
            )
        for result, output in zip(op.res, op.outs, strict=False):
            self._add_same([result, output])
