"""Splitting of dimensions that a kernel indexes by quotients and remainders: into blocks, and positions in a block.

A grouped convolution reads channel o floordiv c * c + i, and a change of layout puts channels into blocks of c. With
two dimensions of channels, each access reads plain axes, and later passes recognize matrix products and transposes.
Dimensions and axes that accesses use for each other form a class (union-find). A class is split if no access has a
quotient or a remainder in the class afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType, i64
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop, te
from ....dialects.graph.sizes import Dim
from ....dialects.graph.types import make_type, shape_of
from ....dialects.index_expr import FloorDiv, Index, Mod, Range, Symbol
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from .named_kernels import axis_sizes
from .te_kernels import Classes, Dimension, change_signature

SMALLEST, SHORTEST_ROW = 4, 16
"""The least size of blocks: of any, and of those in the last dimension, where elements that lie side by side are to
fill vectors."""


def split_dimensions(function: func.FuncOp, calls: Sequence[func.CallOp]) -> Sequence[func.CallOp]:
    """Split all dimensions of a te kernel that can be split, and give its calls the new types. Sizes are numbers or
    names.

    Returns the calls as they are afterwards.
    """
    computes = [op for op in function.body.block.ops if isinstance(op, te.ComputeOp)]
    splitting = _Splitting([_Kernel(op) for op in computes])
    splitting.choose()
    if not splitting.sizes or not may_rewrite("split dimensions of", function):
        return calls
    tensors = [*function.body.block.args, *(r for compute in computes for r in compute.res)]
    types: dict[SSAValue, TensorType] = {value: splitting.type_of(value) for value in tensors}
    for op in [op for op in function.body.block.ops if isinstance(op, te.DimOp)]:
        before = sum(splitting.size_of((op.tensor, d)) is not None for d in range(op.dimension.value.data))
        edit.change(op).properties["dimension"] = IntegerAttr(op.dimension.value.data + before, i64)
    for kernel in splitting.kernels:
        _rewrite(kernel, splitting, types)
    return change_signature(function, types, calls)


@dataclass
class _Kernel:
    """A compute, and the reads of its body."""

    op: te.ComputeOp

    @cached_property
    def sizes(self) -> list[Dim]:
        return axis_sizes(self.op)

    @cached_property
    def body(self) -> list[Operation]:
        return list(self.op.body.block.ops)

    @cached_property
    def tensors(self) -> dict[Operation, SSAValue]:
        """The tensors of all reads, before any is replaced."""
        return {op: op.tensor for op in self.body if isinstance(op, te.ReadOp)}

    @cached_property
    def reads(self) -> list[tuple[SSAValue, int, Index]]:
        """Tensor, dimension and index of each."""
        return [(tensor, d, e) for op, tensor in self.tensors.items() for d, e in enumerate(cast(te.ReadOp, op).index)]

    @cached_property
    def others(self) -> list[Index]:
        """Axes that are no index of a dimension: in conditions, and as values."""
        found: list[Index] = []
        for op in self.body:
            if isinstance(op, te.ReadOp):
                found += op.conditions
            elif isinstance(op, (te.ApplyOp, te.TestOp, loop.PrintOp)):
                found += [e for es in op.index_lists().values() for e in es]
            else:
                found += [Index.of(v) for v in op.operands if isinstance(v, BlockArgument) and self.axis(Index.of(v))]
        return found

    def axis(self, e: Index) -> BlockArgument | None:
        """Return the axis that an expression consists of."""
        value = e.single_value
        return value if isinstance(value, BlockArgument) and value.block is self.op.body.block else None


@dataclass
class _Splitting:
    """The dimensions to split, with the sizes of the blocks."""

    kernels: list[_Kernel]
    classes: Classes = field(default_factory=Classes)
    sizes: dict[Dimension, int] = field(default_factory=lambda: dict[Dimension, int]())
    """The size of the blocks of each class that is split."""

    def choose(self) -> None:
        """Find the classes to split."""
        for kernel in self.kernels:
            self._tie(kernel)
        for kernel in self.kernels:
            for dimension, size in _wanted(kernel):
                if self.sizes.setdefault(self.classes.find(dimension), size) != size:
                    self.classes.forbid(dimension)
        self._forbid_short_rows()
        failing = [dimension for dimension in self.sizes if not self.classes.may_change(dimension)]
        while failing or (failing := [dimension for kernel in self.kernels for dimension in self._failing(kernel)]):
            for dimension in failing:
                self.sizes.pop(self.classes.find(dimension), None)
            failing = []

    def _tie(self, kernel: _Kernel) -> None:
        for j in range(kernel.op.rank):
            for result in kernel.op.res:
                self.classes.tie((kernel.op, j), (result, j))
        for tensor, d, e in kernel.reads:
            axis = kernel.axis(e)
            if axis is not None and kernel.sizes[axis.index] == shape_of(tensor)[d]:
                self.classes.tie((tensor, d), (kernel.op, axis.index))

    def _forbid_short_rows(self) -> None:
        """Keep rows that are read or written along the last axis of a compute from becoming short."""
        for kernel in self.kernels:
            if not kernel.op.rank:
                continue
            axis = kernel.op.spatial_axes[-1]
            along = [(t, d) for t, d, e in kernel.reads if d == len(shape_of(t)) - 1 and axis in e.values()]
            for dimension in ((kernel.op, axis.index), *along):
                size = self.size_of(dimension)
                if size is not None and size < SHORTEST_ROW:
                    self.classes.forbid(dimension)

    def _failing(self, kernel: _Kernel) -> Iterator[Dimension]:
        """Yield the dimensions that an access would not use plainly if all were split that are to be."""
        split_axes, ranges = self.axes_of(kernel)
        for tensor, d, e in kernel.reads:
            size = self.size_of((tensor, d))
            if size is None:
                yield from self._used_whole(kernel, e)
            elif not all(part.is_linear for part in _in_blocks(e.substitute(split_axes), size, ranges)):
                yield tensor, d
        for e in kernel.others:
            yield from self._used_whole(kernel, e)

    def _used_whole(self, kernel: _Kernel, e: Index) -> Iterator[Dimension]:
        """Yield the axes that are to be split, and of which an expression needs both the block and the position in
        it."""
        split_axes, ranges = self.axes_of(kernel)
        plain = e.substitute(split_axes).with_ranges(ranges).is_linear
        for axis in e.values():
            if axis in split_axes and (not plain or e.coefficient(axis)):
                yield kernel.op, cast(BlockArgument, axis).index

    def size_of(self, dimension: Dimension) -> int | None:
        return self.sizes.get(self.classes.find(dimension))

    def axes_of(self, kernel: _Kernel) -> tuple[dict[SSAValue, Index], dict[object, Range]]:
        """Return the axes that are split, each by its parts as symbols, and the values that those and other axes
        take."""
        split_axes: dict[SSAValue, Index] = {}
        ranges: dict[object, Range] = {}
        for axis, extent in zip(kernel.op.body.block.args, kernel.sizes, strict=True):
            size = self.size_of((kernel.op, axis.index))
            if not isinstance(extent, int):
                continue
            if size is None:
                ranges[axis] = (0, extent - 1)
                continue
            block, within = _parts(axis)
            ranges |= {block: (0, extent // size - 1), within: (0, size - 1)}
            split_axes[axis] = Index.of(block) * size + Index.of(within)
        return split_axes, ranges

    def type_of(self, value: SSAValue) -> TensorType:
        shape: list[Dim] = []
        for d, extent in enumerate(shape_of(value)):
            size = self.size_of((value, d))
            shape += [extent // size, size] if size is not None and isinstance(extent, int) else [extent]
        return make_type(shape, cast(TensorType, value.type).element_type)


def _wanted(kernel: _Kernel) -> Iterator[tuple[Dimension, int]]:
    """Yield the dimensions that an access indexes by quotients and remainders, or reads in parts, with the size of the
    blocks."""
    for e in (*(e for _, _, e in kernel.reads), *kernel.others):
        for atom, _ in e.terms:
            axis = kernel.axis(atom.numerator) if isinstance(atom, (FloorDiv, Mod)) else None
            if axis is not None and _are_blocks(atom.divisor, kernel.sizes[axis.index]):  # pyright: ignore
                yield (kernel.op, axis.index), cast(FloorDiv, atom).divisor
    for tensor, d, e in kernel.reads:
        size = max((c for _, c in e.terms if _are_blocks(c, shape_of(tensor)[d])), default=None)
        if size is not None:
            yield (tensor, d), size


def _are_blocks(size: int, extent: Dim) -> bool:
    return isinstance(extent, int) and SMALLEST <= size < extent and extent % size == 0


def _parts(axis: BlockArgument) -> tuple[Symbol, Symbol]:
    return Symbol(f"block{axis.index}"), Symbol(f"place{axis.index}")


def _in_blocks(e: Index, size: int, ranges: Mapping[object, Range]) -> tuple[Index, Index]:
    return (e // size).with_ranges(ranges), (e % size).with_ranges(ranges)


# Rewriting


def _rewrite(kernel: _Kernel, splitting: _Splitting, types: Mapping[SSAValue, TensorType]) -> None:
    new, extents, rank = Block(), list[Index](), 0
    axes: dict[SSAValue | Symbol, SSAValue] = {}
    for axis, extent in zip(kernel.op.body.block.args, kernel.op.index_list("extents"), strict=True):
        size = splitting.size_of((kernel.op, axis.index))
        blocks = [] if size is None else [Index.of(extent.constant // size), Index.of(size)]
        parts = list(zip(_parts(axis), blocks, strict=True)) if blocks else [(axis, extent)]
        for part, count in parts:
            axes[part] = argument = edit.insert_argument(new, IndexType(), len(new.args))
            edit.rename(argument, axis.name_hint)
            extents.append(count)
        rank += len(parts) if axis.index < kernel.op.rank else 0
    for op in kernel.body:
        edit.append(new, edit.detach(op))
        _rewrite_in_body(op, kernel, splitting, axes)
    results = [types[result] for result in kernel.op.res]
    _replace(kernel.op, te.ComputeOp(kernel.op.label, extents[:rank], extents[rank:], results, Region(new)))


def _rewrite_in_body(
    op: Operation, kernel: _Kernel, splitting: _Splitting, axes: Mapping[SSAValue | Symbol, SSAValue]
) -> None:
    split_axes, ranges = splitting.axes_of(kernel)

    def whole(expressions: Sequence[Index]) -> list[Index]:
        return [e.substitute(split_axes).with_ranges(ranges).substitute(axes) for e in expressions]

    if isinstance(op, te.ReadOp):
        index: list[Index] = []
        for d, e in enumerate(op.index):
            size = splitting.size_of((kernel.tensors[op], d))
            parts = () if size is None else _in_blocks(e.substitute(split_axes), size, ranges)
            index += [part.substitute(axes) for part in parts] or whole([e])
        op.set_index_lists(indices=index, guard=whole(op.conditions))
    elif isinstance(op, (te.ApplyOp, te.TestOp, loop.PrintOp)):
        op.set_index_lists(**{name: whole(expressions) for name, expressions in op.index_lists().items()})
    if not isinstance(op, (te.ReadOp, te.ApplyOp, te.TestOp)):
        edit.change(op).operands = [axes.get(operand, operand) for operand in op.operands]


def _replace(before: te.ComputeOp, after: te.ComputeOp) -> None:
    after.location = before.location
    edit.change(after).attributes |= before.attributes
    edit.insert(after, InsertPoint.before(before))
    for old, new in zip(before.res, after.res, strict=True):
        edit.rename(new, old.name_hint)
        edit.replace_uses(old, new)
    edit.erase(before)
