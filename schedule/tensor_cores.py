"""Tensor cores: instructions by which a warp multiplies small matrices, for rules and users that schedule for them.

A record states the operand types, the tile of one instruction and the scopes that hold tiles in the registers of a
warp, and gives the tensor intrinsics. A matrix product uses a record as follows. The results of one warp are a block
`C` over rows, columns and terms, cached in `core.result_scope`:

1. operands are staged in shared memory by all threads, and from there by `cache_read` in `core.scope("left", …)` and
   `core.scope("right", …)`, in front of the loops over one tile's rows, columns and terms;
2. the loops over the terms, rows and columns of one tile are innermost: `sch.tensorize(rows, core.product(…))`, and
   `decompose_reduction` before the loop over all terms;
3. an operand of 16 bits is loaded by `core.load`, tensorized over one tile; other operands are loaded element by
   element: `share_among_lanes` splits the loops over the rows and columns of one tile as `core.lane_elements` says;
4. the readers of the results, epilogue included, are scheduled by `share_among_lanes` too; they may be guarded.

The loops over a warp's lanes are bound to `threadIdx.x`, of 32 threads; warps are `threadIdx.y` and `threadIdx.z`.

Cores of several `warps` (`warpgroup_cores`) read operands from shared memory directly. Instead of steps 1 and 3, tiles
are swizzled there (`storage_swizzle`): an operand with contiguous terms in rows of `terms` elements, another operand as
[block of 64 rows or columns, term, row or column in the block] (`transform_layout`). The warps of an instruction are
neighbours along `threadIdx.y`, whose extent is a multiple of their number. The product becomes two statements: one
starts it, the other waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from xdsl.builder import Builder
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.loop import LANE_AXIS
from ..dialects.loop.kinds import LoopKindAttr
from ..dialects.target import CudaTargetAttr
from ..lazy import exports, load
from .handles import LoopRV
from .schedule import Schedule
from .tensor_intrinsics import TensorIntrin

__getattr__, __dir__ = exports(__name__, {})

Side = Literal["left", "right", "result"]


class LaneElements(NamedTuple):
    """The elements of a tile that a lane holds. Along the dimension `grouped` a lane has one of 8 rows or columns,
    repeated. Along the other dimension it has one of 4 positions, of `neighbours` contiguous elements each,
    repeated."""

    grouped: Literal["rows", "columns"]
    """The dimension along which eight lanes lie; the other one has four positions."""
    neighbours: int


@dataclass(frozen=True)
class TensorCore:
    """Instructions by which a warp adds the product of two tiles to a third, `rows` x `columns` results of `terms`
    terms."""

    name: str
    operand: str
    """The element type of the operands."""
    result: str
    rows: int
    columns: int
    terms: int
    capability: tuple[int, int]
    """The least compute capability that has it."""
    scopes: tuple[str, str, str]
    """The scopes of the left operand, the right one and the results."""
    rounds: bool
    """True where operands lose digits before they are multiplied: a caller that asks for this core accepts that."""
    declare_product: Callable[[str, bool, bool], TensorIntrin]
    declare_load: Callable[[str, str, bool, int], TensorIntrin] | None = None
    warps: int = 1
    """Neighbours along the rows that run an instruction together, on operands in shared memory."""
    arch: str = ""
    """The only architecture that has it; any where empty."""

    def runs_on(self, target: CudaTargetAttr) -> bool:
        return self.arch in ("", target.arch) and target.capability >= self.capability

    @property
    def result_scope(self) -> str:
        return self.scopes[2]

    def scope(self, side: Literal["left", "right"], transposed: bool = False) -> str:
        """Return the scope of an operand; transposed is `left[term, row]`, `right[column, term]`."""
        return self.scopes[side == "right"] + ("_t" if transposed else "")

    def product(self, left_transposed: bool = False, right_transposed: bool = False) -> TensorIntrin:
        """Return the intrinsic `result[row, column] += left[row, term] * right[term, column]` over one tile, widened to
        `result`."""
        return self.declare_product(self.operand, left_transposed, right_transposed)

    def load(self, side: Literal["left", "right"], transposed: bool = False, tiles: int = 1) -> TensorIntrin | None:
        """Return a copy of one tile of an operand from shared memory, or for the right one of two tiles beside one
        another along the columns. The rows of shared memory lie at multiples of 16 bytes. None where no instruction
        does it."""
        return None if self.declare_load is None else self.declare_load(self.operand, side, transposed, tiles)

    def lane_elements(self, side: Side, transposed: bool = False) -> LaneElements:
        """Return the elements of a tile, as it lies in its buffer, that a lane has."""
        if side == "result":
            return LaneElements("rows", 2)
        neighbours = 2 if self.terms == 16 else 1
        return LaneElements("rows" if (side == "left") != transposed else "columns", neighbours)


def share_among_lanes(sch: Schedule, rows: LoopRV, columns: LoopRV, elements: LaneElements) -> LoopRV:
    """Share the elements of one tile, the two innermost loops around a block, among the lanes; returns their loop.

    It is bound to `threadIdx.x`. Inside of it stay unrolled loops, the innermost one over neighbours vectorized.
    """
    grouped, other = (rows, columns) if elements.grouped == "rows" else (columns, rows)
    repeats, groups = sch.split(grouped, [None, 8])
    again, positions, neighbours = sch.split(other, [None, 4, elements.neighbours])
    sch.reorder(groups, positions, again, repeats, neighbours)
    lane = sch.fuse(groups, positions)
    sch.bind(lane, LANE_AXIS)
    sch.unroll(again)
    sch.unroll(repeats)
    if elements.neighbours > 1:
        sch.vectorize(neighbours)
    return lane


def over_lanes(builder: Builder) -> tuple[Builder, Index, Index, Index]:
    """Insert a loop over the lanes; a builder for its body, the lane, its group of four, and its position in the
    group."""
    lanes = loop.ForOp(0, loop.LANES, kind=LoopKindAttr.of("thread", loop.LANE_AXIS), name_hint="lane")
    builder.insert(lanes)
    lane = Index.of(lanes.induction_variable)
    return Builder(InsertPoint.at_end(lanes.body.block)), lane, lane // 4, lane % 4


_builtin: list[tuple[str, str]] = []


def register_builtin_cores(spec: str, package: str) -> None:
    """Make the tensor cores of a backend known by a string: "module:SEQUENCE", the module relative to `package`."""
    _builtin.append((package, spec))


def tensor_cores() -> Sequence[TensorCore]:
    """Return all known tensor cores."""
    return [core for package, spec in _builtin for core in load(spec, package)]


def tensor_core(operand: str, target: CudaTargetAttr | None = None) -> TensorCore | None:
    """Return the tensor core of single warps for operands of a type; None where there is none, or the target has
    none."""
    fitting = (c for c in tensor_cores() if c.operand == operand and (target is None or c.runs_on(target)))
    return next((core for core in fitting if core.warps == 1), None)


def warpgroup_cores(operand: str, target: CudaTargetAttr) -> Sequence[TensorCore]:
    """Return the tensor cores of a target that several warps use together, for operands of a type."""
    return [core for core in tensor_cores() if core.operand == operand and core.warps > 1 and core.runs_on(target)]
