"""The structure of a block as rules see it: its axes, and the movement of each access along them.

Rules see structure only. A convolution, a matrix product and a pooling have the same structure: a reduction whose
result has an axis with contiguous elements, and operands that do or do not move along that axis. `why_no_vector` gives
the reason, in words, why rules do not vectorise a loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument

from ...analysis.block_reductions import reduction_of
from ...analysis.domain import loops_around
from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ...traversal import operations
from .tiles import NARROWEST


@dataclass(frozen=True)
class Operand:
    """A read of a block, by the block's iteration variables."""

    op: loop.LoadOp
    extents: tuple[int, ...] = ()
    """The buffer's, symbolic ones as long as they are assumed to be; empty where that is `ASSUMED_EXTENT`."""

    @cached_property
    def variables(self) -> frozenset[BlockArgument]:
        return frozenset(v for e in self.op.index for v in e.values() if isinstance(v, BlockArgument))

    @property
    def bytes(self) -> int:
        """The size of the whole buffer."""
        return prod(self.extents or assumed_extents(self.op.buffer.type)) * self.element_bytes  # pyright: ignore

    @property
    def element_bytes(self) -> int:
        return numpy_dtype(self.op.buffer.type.element_type).itemsize  # pyright: ignore

    @property
    def offset(self) -> Index:
        """The position of the element in the buffer, in elements from its start."""
        extents = self.extents or assumed_extents(self.op.buffer.type)  # pyright: ignore[reportArgumentType]
        strides = [prod(extents[n + 1 :]) for n in range(len(extents))]
        return sum((e * stride for e, stride in zip(self.op.index, strides, strict=True)), Index.of(0))

    def lane_stride(self, variable: BlockArgument) -> int | None:
        """Return the distance of neighbours along `variable`, in elements; None where they are not in one row."""
        *rows, last = self.op.index
        if any(variable in e.values() for e in rows):
            return None
        step = last.substitute({variable: Index.of(variable) + 1}) - last
        return step.constant if step.is_constant else None


ASSUMED_EXTENT = 1024
"""The extent that rules assume for an axis whose extent only a call determines."""


@dataclass(frozen=True)
class Axis:
    """An iteration variable of a block."""

    variable: BlockArgument
    position: int
    extent: int
    """The number of values of the variable, an assumed one where the extent is symbolic."""
    is_open: bool = False
    """True where the extent is known only when the program is called."""


@dataclass(frozen=True)
class Shape:
    """The axes and accesses of a block."""

    block: loop.BlockOp
    spatial: tuple[Axis, ...]
    reduce: tuple[Axis, ...]
    operands: tuple[Operand, ...]
    """The reads of the body, without reads of the accumulators of a reduction."""

    @property
    def points(self) -> int:
        return prod(axis.extent for axis in (*self.spatial, *self.reduce))

    def assuming(self, extents: Mapping[Axis, int]) -> Shape:
        """Return the shape with other extents of symbolic axes, and buffers as long as those axes then need them."""
        axes = {a: replace(a, extent=extents.get(a, a.extent)) for a in (*self.spatial, *self.reduce)}
        ranges = {a.variable: (0, a.extent - 1) for a in axes.values()}
        return Shape(
            self.block,
            tuple(axes[a] for a in self.spatial),
            tuple(axes[a] for a in self.reduce),
            tuple(replace(o, extents=_extents_within(o.op, ranges)) for o in self.operands),
        )

    def row_axis(self) -> Axis | None:
        """Return the axis along which the stored elements lie side by side: the one to vectorise."""
        stores = [op for op in self.block.body.block.ops if isinstance(op, loop.StoreOp)]
        if len(stores) != 1 or not stores[0].index:
            return None
        last, variables = stores[0].index[-1], {*self.block.variables}
        found = [a for a in self.spatial if not variables.intersection((last - a.variable).variables)]
        return found[0] if found else None


def shape_of(block: loop.BlockOp) -> Shape | None:
    """Return the shape of a block; None where it is over tiles, calls foreign code, or never runs."""
    rows = list(block.iteration())
    if never_runs(block) or any(isinstance(op, (loop.ForOp, loop.CallExternOp)) for op in block.body.block.ops):
        return None
    axes = [
        (kind, Axis(v, position, e.constant if e.is_constant else ASSUMED_EXTENT, not e.is_constant))
        for position, (v, kind, _, e) in enumerate(rows)
    ]
    reduction = reduction_of(block)
    accumulated = reduction.loads if reduction is not None else ()
    loads = [op for op in block.body.block.ops if isinstance(op, loop.LoadOp)]
    return Shape(
        block,
        tuple(axis for kind, axis in axes if kind == "spatial"),
        tuple(axis for kind, axis in axes if kind == "reduce"),
        tuple(Operand(op) for op in loads if op not in accumulated),
    )


def never_runs(block: loop.BlockOp) -> bool:
    """Return whether an extent is 0 or less: a tensor has no elements, or a sum no terms."""
    return any(extent.is_constant and extent.constant <= 0 for *_, extent in block.iteration())


def is_plain(block: loop.BlockOp) -> bool:
    """Return whether the loops around a block are as lowering leaves them: one for each variable in order, over its
    extent."""
    loops, rows = loops_around(block), list(block.iteration())
    return len(loops) == len(rows) and all(
        op.kind == loop.SERIAL
        and (binding, (Index.of(0),), (extent,)) == (Index.of(op.induction_variable), op.lowers, op.uppers)
        for op, (_, _, binding, extent) in zip(loops, rows, strict=True)
    )


def _extents_within(load: loop.LoadOp, ranges: Mapping[BlockArgument, tuple[int, int]]) -> tuple[int, ...]:
    """Return the extents of the buffer that a load reads, symbolic ones as long as its index reaches."""
    extents = load.buffer.type.get_shape()  # pyright: ignore
    last = [e.bounds(ranges)[1] for e in load.index]
    return tuple(
        n if n != DYNAMIC_INDEX else ASSUMED_EXTENT if most is None else most + 1
        for n, most in zip(extents, last, strict=True)
    )


def is_static(block: loop.BlockOp) -> bool:
    """Return whether all extents are known while compiling."""
    return all(extent.is_constant for _, _, _, extent in block.iteration())


def buffer_bytes(type: MemRefType) -> int:
    """Return the bytes of a buffer, its symbolic dimensions as long as assumed."""
    return prod(assumed_extents(type)) * element_bytes(type)


def element_bytes(type: MemRefType) -> int:
    """Return the bytes of an element of a buffer."""
    return numpy_dtype(type.element_type).itemsize


def assumed_extents(type: MemRefType) -> tuple[int, ...]:
    """Return the extents of a buffer, its symbolic dimensions as long as assumed.

    The first of three or more dimensions counts once where it is symbolic: it is a batch, and caches have to hold one
    element of it.
    """
    shape = type.get_shape()
    batch = 1 if len(shape) > 2 else ASSUMED_EXTENT
    return tuple((ASSUMED_EXTENT if d else batch) if n == DYNAMIC_INDEX else n for d, n in enumerate(shape))


def element_bits(block: loop.BlockOp) -> int:
    """Return the widest element that a block reads or writes, in bits: it decides how many lanes a vector has."""
    buffers = [op.buffer for op in operations(block) if isinstance(op, (loop.LoadOp, loop.StoreOp))]
    return max(numpy_dtype(b.type.element_type).itemsize * 8 for b in buffers)  # pyright: ignore


def why_no_vector(block: loop.BlockOp, target: CpuTargetAttr) -> str:
    """Return the reason why no rule vectorises a loop around `block`, which is still as before the rules."""
    shape = shape_of(block)
    if shape is None:
        return "it is over tiles, or calls foreign code"
    if not is_plain(block):
        return "its loops are arranged already"
    vector = shape.row_axis()
    if vector is None:
        return "its results do not lie side by side along one of its axes"
    lanes = target.lanes(element_bits(block))
    if min(lanes, vector.extent) < NARROWEST:
        return f"fewer than {NARROWEST} of its results lie side by side, or fit a vector"
    if shape.reduce:
        return _why_no_reduction(block, shape)
    if vector.position != len(loops_around(block)) - 1:
        return "its results do not lie side by side along its innermost loop"
    return "it shares loops with other blocks"


def _why_no_reduction(block: loop.BlockOp, shape: Shape) -> str:
    reduction = reduction_of(block)
    if reduction is None:
        return "its reduction is of no form that the rules know"
    vector = shape.row_axis()
    assert vector is not None
    if not any(vector.variable in operand.variables for operand in shape.operands):
        return "it reads nothing along the axis of its results"
    return "its operands are not contiguous along the axis of its results"
