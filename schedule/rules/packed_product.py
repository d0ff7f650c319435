"""Matrix products by kernels: tensor intrinsics over packed operands.

A block that sums products of a row and a column, of element types that the target has a kernel for, becomes

    pack the left operand, row by row, and the right one, group of terms by group; both widened to the kernel's types
    for blocks of rows, for blocks of columns (parallel):
      results of the block, in a buffer that stays in the cache
      for parts of the terms, for tiles of columns: kernel, tile of rows by tile of rows
      result = epilogue(results of the block)

A tile's part of the right operand stays in the first cache during the loop over tiles of rows, and a block of the left
operand in the second cache during the loop over blocks of columns. Extents are padded with zeros to multiples. Rows are
padded only to whole blocks if the last tile of the kernel may have fewer rows.

Source of the idea: the layers of K. Goto, R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM
TOMS 34(3), 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, SSAValue

from ...analysis.access import reads, writes
from ...analysis.block_reductions import reduction_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import Index, Symbol
from ...dialects.target import CpuTargetAttr
from ...te.dtypes import dtype_info, dtype_of_ir
from ..decisions import decide, is_deciding
from ..handles import BlockRV
from ..index_map import IndexMap
from ..product_kernels import ProductKernel, fitting_kernels, product_kernels
from ..schedule import Schedule
from .block_structure import Axis, is_static, shape_of
from .block_work import point_cycles
from .coefficients import (
    PRODUCT_COPY,
    PRODUCT_FIRST_LEVEL,
    PRODUCT_LEAST_USEFUL,
    PRODUCT_NOT_OVERLAPPED,
    PRODUCT_SECOND_LEVEL,
)
from .contraction import find_epilogue
from .placement import share_among_threads
from .spatial import schedule_spatial

LEAST_POINTS = 1 << 17
"""Multiply-adds below which packing costs more than a kernel saves."""

MOST_ROWS, MOST_COLUMNS = 512, 256
"""The largest block of results."""

BLOCK_BYTES = 64 << 10
"""The most bytes of a block of results: the limit of local buffers on the stack."""

LEAST_TILES = 4
"""Tiles of rows in a block at least: each part of the right operand is used that often."""

GROUPS_PACKED_TOGETHER = 16
"""Groups of terms of the right operand that are packed in one go."""

_EXTENSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.ExtFOp)


@dataclass(frozen=True)
class ProductOperand:
    """A factor: the load of its elements, and how its dimensions are indexed."""

    load: loop.LoadOp
    dtype: str
    variables: tuple[BlockArgument, ...]
    is_plain: bool
    """True where each dimension is indexed by a variable; otherwise it may be packed already."""

    def position(self, axis: Axis) -> int:
        return self.variables.index(axis.variable)


@dataclass(frozen=True)
class ProductPlan:
    """A product of matrices, the kernel for it, and the extents of the blocks."""

    kernel: ProductKernel
    left: ProductOperand
    right: ProductOperand
    outer: tuple[Axis, ...]
    rows: Axis
    columns: Axis
    terms: Axis
    block: tuple[int, int, int]
    """Rows and columns of a block of results, and the terms that are summed in one go."""
    groups: int = GROUPS_PACKED_TOGETHER
    """Groups of terms of the right operand that are packed in one go."""

    @cached_property
    def padded(self) -> tuple[int, int, int]:
        """The extents of rows, columns and terms as multiples of a block's."""
        axes = (self.rows, self.columns, self.terms)
        return tuple(-(-axis.extent // n) * n for axis, n in zip(axes, self.block, strict=True))  # pyright: ignore

    @property
    def points(self) -> int:
        """Multiply-adds for one matrix of results."""
        return self.rows.extent * self.columns.extent * self.terms.extent

    @property
    def useful(self) -> float:
        """The useful share of the padded product."""
        return self.points / prod(self.padded)

    def cycles(self, target: CpuTargetAttr) -> float:
        """Return the cycles of the kernel at its speed for all that is computed, and of copies for padding."""
        return prod(self.padded) / self.kernel.speed + self._copied_bytes / target.bandwidths[-1]

    @property
    def _copied_bytes(self) -> int:
        """The bytes of the matrices that have a padded axis."""
        rows, columns, terms = zip(self.padded, (self.rows, self.columns, self.terms), strict=True)
        matrices = (
            (self.left.dtype, rows, terms),
            (self.right.dtype, terms, columns),
            (self.kernel.result, rows, columns),
        )
        padded = [(dtype, axes) for dtype, *axes in matrices if any(extent != axis.extent for extent, axis in axes)]
        return sum(dtype_info(dtype).bits // 8 * prod(extent for extent, _ in axes) for dtype, axes in padded)

    @property
    def pads_result(self) -> bool:
        return self.padded[:2] != (self.rows.extent, self.columns.extent)

    @property
    def pads(self) -> bool:
        return self.pads_result or self.padded[2] != self.terms.extent


def plan_product(block: loop.BlockOp, target: CpuTargetAttr) -> ProductPlan | None:
    """Return a plan for a block, or None where it is no product of matrices that a kernel of the target computes."""
    return min(_plans(block, target), key=lambda plan: plan.cycles(target), default=None)


def product_pays(plan: ProductPlan, target: CpuTargetAttr) -> bool:
    """Return whether a kernel saves more than packing costs."""
    return prod(axis.extent for axis in plan.outer) * plan.points >= LEAST_POINTS


def decided_product(plan: ProductPlan, target: CpuTargetAttr) -> ProductPlan:
    """Return the plan with the decided kernel, blocks of results and parts of terms."""
    block = next(loop.enclosing(plan.left.load, loop.BlockOp))
    assert isinstance(block, loop.BlockOp)
    if is_deciding():
        plans = {each.kernel.name: each for each in _plans(block, target)}
        plan = plans[decide("product.kernel", plans, plan.kernel.name, block=block, changes_sums=True)]
    kernel, (height, width, part) = plan.kernel, plan.block
    size, may_pad = dtype_info(kernel.result).bits // 8, plan.right.is_plain
    most = min(BLOCK_BYTES // (kernel.columns * size), MOST_ROWS)
    heights = [n for n in _sizes(plan.rows.extent, kernel.row_unit, most, may_pad) if n >= kernel.rows]
    height, planned = decide("product.rows", heights, height, block=block), height
    widths = _sizes(plan.columns.extent, kernel.columns, min(BLOCK_BYTES // (height * size), MOST_COLUMNS), may_pad)
    width = decide("product.columns", widths, width if height == planned else widths[0], block=block)
    parts = (n for n in parts_of_terms(kernel, plan.terms.extent) if may_pad or plan.terms.extent % n == 0)
    part = decide("product.terms", parts, part, block=block, changes_sums=True)
    plan = replace(plan, block=(height, width, part))
    fitting = (n for n in (4, 8, 16, 32) if plan.padded[2] % (n * kernel.group) == 0)
    return replace(plan, groups=decide("product.groups", fitting, plan.groups, block=block))


def _sizes(extent: int, unit: int, most: int, may_pad: bool) -> list[int]:
    """Return the sizes of blocks along an axis, multiples of `unit`, the largest first."""
    found = dict.fromkeys(evenly(extent, unit, n) for n in range(most, unit - 1, -unit))
    return [n for n in found if may_pad or extent % n == 0]


def _plans(block: loop.BlockOp, target: CpuTargetAttr) -> list[ProductPlan]:
    """Return a plan for each kernel of the target that computes a block."""
    shape, factors = shape_of(block), _factors(block)
    if shape is None or factors is None or len(shape.reduce) != 1 or not is_static(block):
        return []
    if len(shape.spatial) < 2 or not _stores_in_order(block, shape.spatial):
        return []
    (terms,), (*outer, rows, columns) = shape.reduce, shape.spatial
    left, right = sorted(factors, key=lambda f: columns.variable in f.variables)
    wanted = ((left, rows, columns), (right, columns, rows))
    if left.load.buffer is right.load.buffer or not all(_moves(f, axis, other, terms) for f, axis, other in wanted):
        return []
    reduction = reduction_of(block)
    assert reduction is not None
    if not left.is_plain:
        return []
    is_far = isinstance(reduction.buffer, BlockArgument)  # a result of the function, which nothing here reads
    plans: list[ProductPlan] = []
    for kernel in _kernels(left, right, columns, terms, dtype_of_ir(reduction.store.value.type), target):
        if rows.extent < kernel.rows or columns.extent < kernel.columns:
            continue
        extents = block_extents(kernel, (rows.extent, columns.extent, terms.extent), target, is_far=is_far)
        plan = ProductPlan(kernel, left, right, tuple(outer), rows, columns, terms, extents)
        if plan.useful >= PRODUCT_LEAST_USEFUL and (right.is_plain or not plan.pads):
            plans.append(plan)
    return plans


def _kernels(
    left: ProductOperand, right: ProductOperand, columns: Axis, terms: Axis, result: str, target: CpuTargetAttr
) -> Sequence[ProductKernel]:
    """Return the kernels for the operands, of which the right one may be packed for them already."""
    if right.is_plain:
        return fitting_kernels((left.dtype, right.dtype), result, target)
    j, k, outer = Index.of(columns.variable), Index.of(terms.variable), right.load.index[:-4]
    return [
        kernel
        for kernel in product_kernels()
        if kernel.right == right.dtype
        and kernel.result == result
        and kernel.runs_on(target)
        and any(left.dtype == dtype for dtype, _ in kernel.operands)
        and right.load.index == (*outer, *packed_index(j, (kernel.columns,), k, kernel.group))
    ]


def block_extents(
    kernel: ProductKernel, extents: tuple[int, int, int], target: CpuTargetAttr, *, is_far: bool
) -> tuple[int, int, int]:
    """Return the rows, columns and terms of a block, multiples of the kernel's that cover the extents with little to
    spare."""
    _, second, _ = target.caches
    rows, columns, terms = extents
    left = dtype_info(kernel.left).bits // 8
    part = best_part(kernel, terms, target, is_far=is_far)
    fitting = max(int(second * PRODUCT_SECOND_LEVEL) // (terms * left), LEAST_TILES * kernel.rows)
    height = evenly(rows, kernel.row_unit, min(fitting, MOST_ROWS))
    results = BLOCK_BYTES // (height * dtype_info(kernel.result).bits // 8)
    return height, evenly(columns, kernel.columns, min(results, MOST_COLUMNS)), part


def best_part(kernel: ProductKernel, terms: int, target: CpuTargetAttr, *, is_far: bool) -> int:
    """Return the number of terms to sum in one go: the fewest cycles for each term of a tile, by the traffic with the
    caches.

    A tile's part of the right operand stays in the first cache where that holds it beside the left one's; fewer terms
    make results pass through more often, from beyond the second cache where they are `is_far`.
    """
    first, second, _ = target.caches
    fast, _, slow = target.bandwidths
    left, right, result = (dtype_info(name).bits // 8 for name in (kernel.left, kernel.right, kernel.result))
    compute = kernel.rows * kernel.columns / kernel.speed
    results = 2 * kernel.rows * kernel.columns * result
    whole = -(-terms // kernel.chunk) * kernel.chunk

    def cycles(part: int) -> float:
        held = (kernel.rows * left + kernel.columns * right) * part
        near = kernel.rows * left + (0 if held <= first * PRODUCT_FIRST_LEVEL else kernel.columns * right)
        moving = near / (fast if held <= second * PRODUCT_SECOND_LEVEL else slow)
        passing = results / part if part < terms else 0
        if not is_far:
            moving += passing / fast
        waits = passing / slow if is_far else 0
        padding = -(-whole // part) * part / whole
        if padding > 1:
            padding += PRODUCT_COPY
        return (max(compute, moving) + PRODUCT_NOT_OVERLAPPED * min(compute, moving) + waits) * padding

    return min(parts_of_terms(kernel, terms), key=cycles)


def parts_of_terms(kernel: ProductKernel, terms: int) -> list[int]:
    """Return the numbers of terms that may be summed in one go, the most first."""
    parts = {evenly(terms, kernel.chunk, -(-terms // n), alone=True) for n in range(1, -(-terms // kernel.chunk) + 1)}
    return sorted(parts, reverse=True)


def evenly(extent: int, unit: int, most: int, *, alone: bool = False) -> int:
    """Return a multiple of `unit`, about `most` or less, that divides an extent into parts of one size.

    A padded extent has at least two parts, unless one may be `alone`: a single block of results computes only the
    elements that are read.
    """
    parts = max(-(-extent // max(most, unit)), 1 if alone or extent % unit == 0 else 2)
    return -(-extent // (parts * unit)) * unit


def schedule_product(sch: Schedule, block: BlockRV, plan: ProductPlan, target: CpuTargetAttr) -> None:
    """Apply a plan. An elementwise consumer of the whole result is computed block by block."""
    remark("TW0746", _what_is_done(plan), op=sch.block(block), kind="analysis")
    epilogue = find_epilogue(sch, block)
    if plan.pads:
        epilogue = _pad(sch, block, plan, epilogue, target)
    _pack_left(sch, block, plan, target)
    _pack_right(sch, block, plan, target)
    height, width, _ = plan.block
    *outer, i, j = sch.get_loops(block if epilogue is None else epilogue)[: len(plan.outer) + 2]
    (io, ii), (jo, ji) = sch.split(i, [None, height]), sch.split(j, [None, width])
    sch.reorder(*outer, io, jo, ii, ji)
    if epilogue is not None:
        sch.set_scope(block, 0, "local")
        sch.compute_at(block, jo)
        _, lanes = sch.split(ji, [None, min(target.lanes(dtype_info(plan.kernel.result).bits), width)])
        sch.vectorize(lanes)
    cycles = point_cycles(sch.block(block), target)
    _tensorize(sch, block, plan, len(outer) + 2)
    counts = [axis.extent for axis in plan.outer] + [plan.padded[0] // height, plan.padded[1] // width]
    share_among_threads(sch, block, [*outer, io, jo], counts, plan.points * prod(counts[:-2]), target, cycles)


def _what_is_done(plan: ProductPlan) -> str:
    height, width, part = plan.block
    sizes = "x".join(str(axis.extent) for axis in (plan.rows, plan.columns, plan.terms))
    return (
        f"product of {sizes} (rows, columns, terms) by kernel '{plan.kernel.name}' of {plan.kernel.rows}x"
        f"{plan.kernel.columns} results: blocks of {height}x{width}, {part} terms at once, {plan.useful:.0%} of what "
        f"is computed is needed; at most {plan.kernel.speed:g} multiply-adds a cycle"
    )


def _pad(
    sch: Schedule, block: BlockRV, plan: ProductPlan, epilogue: BlockRV | None, target: CpuTargetAttr
) -> BlockRV | None:
    """Pad operands and results; returns the block that reads the results, where it is known."""
    before = set(sch.get_producers(block))
    height, width, part = plan.block
    sizes = {plan.rows.position: height, plan.columns.position: width, plan.terms.position: part}
    sch.pad_einsum(block, [sizes.get(n, 1) for n in range(len(sch.block(block).variables))])
    for copy in sch.get_producers(block):
        shape = shape_of(sch.block(copy))
        if copy not in before and shape is not None:
            schedule_spatial(sch, copy, shape, target)
    if not plan.pads_result:
        return epilogue
    (crop,) = (b for b in sch.get_consumers(block) if b != block)
    if epilogue is None:
        return crop
    sch.compute_inline(crop)
    return epilogue


def _tensorize(sch: Schedule, block: BlockRV, plan: ProductPlan, depth: int) -> None:
    """Tile the loops of a block of results and replace the nest of a tile of columns and a part of the terms by the
    kernel.

    The first part stores its sums, the others add theirs: zeros are never written.
    """
    kernel, (height, _, part) = plan.kernel, plan.block
    *_, i, j, k = sch.get_loops(block)[depth:]
    (jo, ji), (ko, ki) = sch.split(j, [None, kernel.columns]), sch.split(k, [None, part])
    sch.reorder(ko, jo, i, ji, ki)
    parts = sch.loop_partition(ko, points=[1]) if sch.loop(ko).constant_trip_count != 1 else [ko]
    intrinsic = kernel.declare(kernel, height, part)
    for over_terms in parts:
        (inner,) = sch.get_child_blocks(over_terms)
        sch.tensorize(sch.get_loops(inner)[depth + 2], intrinsic)


# Packing


def _pack_left(sch: Schedule, block: BlockRV, plan: ProductPlan, target: CpuTargetAttr) -> None:
    """Pack the left operand: each block of rows has separate tiles, of which the last one may have fewer rows."""
    kernel, operand, (height, _, _) = plan.kernel, plan.left, plan.block
    row, term = operand.position(plan.rows), operand.position(plan.terms)
    layout = _layout(operand, row, (height, kernel.rows), term, kernel.chunk)
    copy = _packed_copy(sch, block, operand, kernel.left, layout, unsigned=kernel.left_offset != 0)
    loops = list(sch.get_loops(copy))
    cycles = point_cycles(sch.block(copy), target)
    outer = [h for n, h in enumerate(loops) if n not in (row, term)]
    ko, ki = sch.split(loops[term], [None, kernel.chunk])
    counts = [axis.extent for axis in plan.outer if axis.variable in operand.variables]
    if term > row:
        sch.reorder(*outer, loops[row], ko, ki)
        sch.vectorize(ki)
        first, count = loops[row], plan.padded[0]
    else:
        io, ii = sch.split(loops[row], [None, height])
        tiles, ii = sch.split(ii, [None, kernel.rows])
        sch.reorder(*outer, ko, io, tiles, ki, ii)
        first, count = ko, plan.padded[2] // kernel.chunk
    share_among_threads(sch, copy, [*outer, first], [*counts, count], plan.padded[0] * plan.padded[2], target, cycles)


def _pack_right(sch: Schedule, block: BlockRV, plan: ProductPlan, target: CpuTargetAttr) -> None:
    kernel, operand = plan.kernel, plan.right
    if not operand.is_plain:
        return
    column, term = operand.position(plan.columns), operand.position(plan.terms)
    layout = _layout(operand, column, (kernel.columns,), term, kernel.group)
    copy = _packed_copy(sch, block, operand, kernel.right, layout)
    loops = list(sch.get_loops(copy))
    cycles = point_cycles(sch.block(copy), target)
    outer = [h for n, h in enumerate(loops) if n not in (column, term)]
    jo, ji = sch.split(loops[column], [None, kernel.columns])
    if column > term:
        together = plan.groups
        ko, km, ki = sch.split(loops[term], [None, together, kernel.group])
        sch.reorder(*outer, ko, jo, km, ki, ji)
        if kernel.interleave is not None:
            sch.tensorize(ki, kernel.interleave(kernel, operand.dtype))
        else:
            sch.vectorize(ji)
        first, count = ko, plan.padded[2] // (together * kernel.group)
    else:
        ko, ki = sch.split(loops[term], [None, kernel.group])
        sch.reorder(*outer, jo, ko, ji, ki)
        if kernel.group > 1:
            sch.vectorize(ki)
        first, count = jo, plan.padded[1] // kernel.columns
    counts = [axis.extent for axis in plan.outer if axis.variable in operand.variables]
    share_among_threads(sch, copy, [*outer, first], [*counts, count], plan.padded[1] * plan.padded[2], target, cycles)


def _packed_copy(
    sch: Schedule, block: BlockRV, operand: ProductOperand, dtype: str, layout: IndexMap, *, unsigned: bool = False
) -> BlockRV:
    """Let a block read a copy of an operand in the layout and the element type of the kernel."""
    copy = sch.cache_read(block, ("read", _number(sch.block(block), operand)), "global")
    if unsigned:
        sch.make_unsigned(copy, ("write", 0))
    elif dtype != operand.dtype:
        sch.widen(copy, ("write", 0), dtype)
    sch.transform_layout(copy, ("write", 0), layout)
    return copy


def _number(block: loop.BlockOp, operand: ProductOperand) -> int:
    """Return the position of the operand among the buffers that the block reads; padding and packing replace these one
    by one."""
    written = writes(block)
    return [buffer for buffer in reads(block) if buffer not in written].index(operand.load.buffer)


def packed_index(across: Index, extents: Sequence[int], term: Index, together: int) -> tuple[Index, ...]:
    """Return the index of an element in a packed operand: tiles of `together` terms each within blocks, positions last.

    `extents` are elements of a block, where there are blocks, and of a tile.
    """
    outer: list[Index] = []
    for extent in extents:
        outer.append(across // extent)
        across = across % extent
    return *outer, term // together, across, term % together


def _layout(operand: ProductOperand, across: int, extents: Sequence[int], term: int, together: int) -> IndexMap:
    """Return the map of an operand's dimensions, of which two are packed and the others stay outside."""
    symbols = [Symbol(f"d{n}") for n in range(len(operand.variables))]
    index = [Index.of(s) for s in symbols]
    outer = [e for n, e in enumerate(index) if n not in (across, term)]
    results = (*outer, *packed_index(index[across], extents, index[term], together))
    return IndexMap(tuple(s.name for s in symbols), results)


# The form of a product


def _factors(block: loop.BlockOp) -> tuple[ProductOperand, ProductOperand] | None:
    """Return the two operands of a block that starts from zero and adds products of their elements."""
    reduction = reduction_of(block)
    if reduction is None or not reduction.is_single or not _starts_from_zero(block):
        return None
    if not isinstance(reduction.combine, (arith.AddfOp, arith.AddiOp)):
        return None
    product = reduction.values[0].owner
    if not isinstance(product, (arith.MulfOp, arith.MuliOp)):
        return None
    left, right = _operand(block, product.lhs), _operand(block, product.rhs)
    return None if left is None or right is None else (left, right)


def _operand(block: loop.BlockOp, value: SSAValue) -> ProductOperand | None:
    """Return the loaded element behind a value, extended or not."""
    extension = value.owner
    origin = extension.input.owner if isinstance(extension, _EXTENSIONS) else extension
    load = origin.input.owner if isinstance(origin, arith.BitcastOp) else origin
    if not isinstance(load, loop.LoadOp) or load.conditions or load.lanes is not None:
        return None
    dtype = dtype_of_ir(load.res.type)
    if isinstance(extension, _EXTENSIONS) and isinstance(extension, arith.ExtUIOp) == dtype_info(dtype).signed:
        return None
    variables = list(dict.fromkeys(v for e in load.index for v in e.variables))
    if not all(isinstance(v, BlockArgument) and v in block.variables for v in variables):
        return None
    is_plain = [Index.of(v) for v in variables] == list(load.index)
    return ProductOperand(load, dtype, tuple(v for v in variables if isinstance(v, BlockArgument)), is_plain)


def _moves(operand: ProductOperand, axis: Axis, other: Axis, terms: Axis) -> bool:
    """Return whether an operand moves along `axis` and the terms, and not along `other`, the axis of the other
    operand."""
    needed = {axis.variable, terms.variable}
    return needed <= set(operand.variables) and other.variable not in operand.variables


def _starts_from_zero(block: loop.BlockOp) -> bool:
    stores = [] if block.init is None else [op for op in block.init.body.block.ops if isinstance(op, loop.StoreOp)]
    values = [op.value.owner for op in stores]
    return len(values) == 1 and isinstance(values[0], arith.ConstantOp) and values[0].value.value.data == 0  # pyright: ignore


def _stores_in_order(block: loop.BlockOp, spatial: Sequence[Axis]) -> bool:
    stores = [op for op in block.body.block.ops if isinstance(op, loop.StoreOp)]
    return len(stores) == 1 and stores[0].index == tuple(Index.of(a.variable) for a in spatial)
