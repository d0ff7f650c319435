"""`te.schedule.InferBound` and `ScheduleOps`: the ranges of axes in the loops of a schedule, and the loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..diagnostics import fail
from ..diagnostics.locations import caller_location
from ..dialects.index_expr import Index
from ..dialects.loop import DimOp, ForOp
from ..driver.functions import name_of
from ..driver.tensors import scheduled_module
from ..frontends.hybrid.sizes import size_of
from ..schedule.stages import IterVar, LazySchedule
from ..schedule.stages.axes import Split
from ..te.build import argument_names
from ..te.expr import Axis, Expr, Var, const, walk
from ..te.ranges import Range
from ..te.shapes import Extent, Size
from ..te.tensor import Tensor, placeholder
from ..tir.statements import SeqStmt
from .build_module import arguments, schedule_to_module

__all__ = ["Bounds", "InferBound", "ScheduleOps"]


@dataclass(frozen=True)
class Inside:
    """The range of an axis of a stage that is computed inside another stage: its extent at each attachment."""

    extent: Size

    @property
    def min(self) -> Size:
        """Raises TilewrightError TW0251: the loops begin at 0, and the region is added to the indices."""
        fail(
            "TW0251",
            "'Range.min' of a stage that is computed inside another one is not part of this package: its loops begin "
            "at 0, wherever the region does",
            location=caller_location(),
            help="read the loops: tilewright.lower(schedule, args)",
        )


class Bounds(Mapping[Any, "Range | Inside"]):
    """Axis -> its range in the loops of a schedule, for the axes of definitions and the results of splits and fuses.

    For an extent that is a minimum, the range has its constant operand. A split by a factor above the extent is a split
    by the extent.
    """

    def __init__(self, schedule: LazySchedule) -> None:
        self._schedule = schedule
        self._ranges: dict[IterVar, Range | Inside] = {}
        self._sizes: dict[SSAValue, Size] = {}
        args = _with_sizes(schedule)
        self._tensors = {name: tensor for tensor, name in argument_names(args).items()}
        scheduled_module(schedule, args, "main", self._record)

    def __getitem__(self, axis: Any) -> Range | Inside:
        iter_var = self._schedule.owner_of(axis) if isinstance(axis, Axis) else axis
        if isinstance(iter_var, IterVar) and iter_var in self._ranges:
            return self._ranges[iter_var]
        if isinstance(axis, Axis):
            return axis.dom
        raise KeyError(axis)

    def __iter__(self) -> Iterator[IterVar]:
        return iter(self._ranges)

    def __len__(self) -> int:
        return len(self._ranges)

    def _record(self, axis: IterVar, loop: ForOp) -> None:
        if axis not in self._ranges:
            low = max((e.constant for e in loop.lowers if e.is_constant), default=0)
            extent, inside = self._cut(axis, self._extent(loop)), axis.stage.attachment is not None
            self._ranges[axis] = Inside(extent) if inside else Range(const(low, "index"), extent)

    def _cut(self, axis: IterVar, extent: Size) -> Size:
        """Return the number of iterations of a split's loop with any effect: at most those of the loop that was
        split."""
        made = (r for r in axis.stage.relations if isinstance(r, Split) and axis in r.results)
        for split in made:
            whole = split.parent.extent
            is_sized = axis is split.results[0 if split.factor is None else 1]
            available = self._cut(split.parent, whole)
            if isinstance(available, int) and isinstance(extent, int) and is_sized:
                return Extent(min(int(available), int(extent)))
        return extent

    def _extent(self, loop: ForOp) -> Size:
        if loop.constant_trip_count is not None:
            return Extent(loop.constant_trip_count)
        extents = [upper - lower for upper in loop.uppers for lower in loop.lowers]
        known = [e.constant for e in extents if e.is_constant]
        if known:
            return Extent(min(known))
        return self._size(extents[0])

    def _size(self, extent: Index) -> Size:
        """Return an extent over sizes of arguments, and over variables for all else that it depends on."""
        for value in extent.values():
            if value not in self._sizes:
                self._sizes[value] = self._meaning(value)
        size = size_of(extent, self._sizes)
        assert size is not None
        return size

    def _meaning(self, value: SSAValue) -> Size:
        owner = value.owner
        if isinstance(owner, DimOp) and isinstance(owner.buffer, BlockArgument):
            tensor = self._tensors.get(str(name_of(_function(owner), owner.buffer)))
            if tensor is not None:
                return tensor.shape[owner.dimension.value.data]
        return Var(value.name_hint or "value")


def _with_sizes(schedule: LazySchedule) -> list[Tensor]:
    """Return the arguments of a schedule, and one more for each size that is no extent of theirs but part of one."""
    args = arguments(schedule)
    extents = [extent for tensor in args for extent in tensor.shape if isinstance(extent, Expr)]
    parts = dict.fromkeys(part for extent in extents for part in walk(extent) if isinstance(part, Var))
    missing = [size for size in parts if not any(size is extent for extent in extents)]
    return [*args, *(placeholder((size,), "int8", f"size.{size.name}") for size in missing)]


def _function(op: Operation) -> FuncOp:
    above = op.parent_op()
    while not isinstance(above, FuncOp):
        assert above is not None
        above = above.parent_op()
    return above


def InferBound(sch: LazySchedule) -> Bounds:
    """Return the ranges of all axes in the loops of a schedule."""
    return Bounds(sch)


def ScheduleOps(sch: LazySchedule, dom_map: Bounds, *_: Any) -> SeqStmt:
    """Return the statements of a schedule as it arranges them."""
    (function,) = schedule_to_module(sch, _with_sizes(sch)).functions.values()
    return SeqStmt.of(function.body.block)
