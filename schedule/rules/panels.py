"""Products of two operands, one of them packed into panels: the cost model, and the sizes of the blocks.

A contraction qualifies if its two operands are indexed by plain variables: `right` moves along the columns of the
result, which are the lanes of vectors, and `left` along its rows. A panel consists of as many columns of `right` as a
register tile has, stored term by term, so that a tile reads the panel contiguously. Packing pays if an unpacked panel,
which all tiles of rows use, would not stay in the first cache: rows of a matrix at distances of a power of two share
few sets.

The model counts cycles for one term of one tile: the multiply-adds or the loads, whichever takes longer, and the extra
cost of an operand that is read in place. Packing costs cycles for each element, once.

Source of the idea: K. Goto, R. van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM TOMS 34(3), 2008;
unlike there, the terms are not divided into parts, because long streams from the second cache keep up with the
multiply-adds, and results stay in registers until they are complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd, inf, prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument

from ...analysis.block_reductions import reduction_of
from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from .block_structure import Axis, Operand, Shape, element_bits, shape_of
from .block_work import pays_threads
from .coefficients import (
    PANEL_COPYING_COST,
    PANEL_FAR_COST,
    PANEL_FARTHER_COST,
    PANEL_GAIN,
    PANEL_LEFT_PART,
    PANEL_LOAD_COST,
    PANEL_NEAR_COPYING_COST,
    PANEL_PACKING_COST,
    PANEL_RIGHT_PART,
    PANEL_SMALL_BLOCK,
    PANEL_STREAM_COST,
    PANEL_WORTHWHILE_SHARE,
    TIE,
    TILE_TAIL,
)
from .tiles import MOST_ROWS, NARROWEST, RegisterTile, chain_cycles, even_sizes

LEAST_POINTS = 1 << 18
"""Multiply-adds below which nothing is packed."""

UNROLLED_TERMS = 2
"""Terms in one iteration of the innermost loop."""

PACKED_TOGETHER = 16
"""Terms that are packed in one go where columns lie side by side: that many rows are read from left to right."""

LEAST_BLOCKS = 2
"""Blocks of columns at least: the second one is packed into memory that the first one has brought into the caches."""

SPARE_WAYS = 3
"""Lines of a set of the first cache that the rows of a tile leave to panels and results, where they share one set."""


@dataclass(frozen=True)
class Factor:
    """An operand, indexed by one variable a dimension."""

    operand: Operand
    variables: tuple[BlockArgument, ...]

    def position(self, axis: Axis) -> int:
        """Return the dimension along which it moves with an axis."""
        return self.variables.index(axis.variable)

    def stride(self, axis: Axis) -> int:
        """Return the bytes from one element to the next along an axis."""
        type_ = self.operand.op.buffer.type
        assert isinstance(type_, MemRefType)
        inner = type_.get_shape()[self.position(axis) + 1 :]
        return prod(inner) * numpy_dtype(type_.element_type).itemsize

    def moves_along(self, axis: Axis) -> bool:
        return axis.variable in self.variables

    def is_known(self, axes: Sequence[Axis]) -> bool:
        """Return whether these axes, and the distances of elements along them, are known while compiling."""
        type_ = self.operand.op.buffer.type
        assert isinstance(type_, MemRefType)
        outermost = min((self.position(a) for a in axes if self.moves_along(a)), default=0)
        return not any(a.is_open for a in axes) and DYNAMIC_INDEX not in type_.get_shape()[outermost:]


@dataclass(frozen=True)
class PanelPlan:
    """The axes of a product, its register tile, and the packed operands."""

    shape: Shape
    left: Factor
    right: Factor
    rows: Axis
    columns: Axis
    tile: RegisterTile
    packs_left: bool
    panels: int
    """The number of panels that are packed together and used for all rows before the next ones."""
    height: int
    """The number of tiles of rows that threads share out together, where all panels are packed before any is used."""
    shared: bool
    """True where all panels are packed before any is used, so that threads can share out the rows."""
    unrolled: int
    """Terms of the innermost reduce axis in one iteration."""
    packed_together: int = PACKED_TOGETHER

    @property
    def outer(self) -> tuple[Axis, ...]:
        """The other axes of the result."""
        return tuple(a for a in self.shape.spatial if a not in (self.rows, self.columns))

    @cached_property
    def all_panels(self) -> int:
        return -(-self.columns.extent // self.tile.width)

    @cached_property
    def row_tiles(self) -> int:
        return -(-self.rows.extent // self.tile.rows)

    def predicted_share(self, target: CpuTargetAttr) -> float:
        """Return the share of the multiply-adds' peak that the model predicts."""
        terms = prod(a.extent for a in self.shape.reduce)
        tiles = self.row_tiles * self.all_panels
        packing = self.columns.extent * terms * PANEL_COPYING_COST
        if self.packs_left:
            packing += self.rows.extent * terms * PANEL_PACKING_COST
        cycles = tiles * terms * tile_cycles(self.tile, target) + packing
        ideal = self.rows.extent * self.columns.extent * terms / self.tile.lanes / target.multiply_adds
        return ideal / cycles


@dataclass(frozen=True)
class Product:
    """A reduction of products of two operands, and its register tile, for packed or unpacked operands."""

    shape: Shape
    left: Factor
    right: Factor
    rows: Axis
    columns: Axis
    tile: RegisterTile


def product_of(block: loop.BlockOp, target: CpuTargetAttr) -> Product | None:
    """Return the product that a block computes; None where it has another form, or is too narrow for vectors."""
    shape = shape_of(block)
    if shape is None or not shape.reduce or reduction_of(block) is None:
        return None
    columns, lanes = shape.row_axis(), target.lanes(element_bits(block))
    factors = _factors(shape)
    if columns is None or factors is None or lanes < NARROWEST or columns.extent < lanes:
        return None
    left, right = sorted(factors, key=lambda f: f.moves_along(columns))
    rows = [a for a in shape.spatial if left.moves_along(a) and not right.moves_along(a)]
    if left.moves_along(columns) or not right.moves_along(columns) or not rows:
        return None
    row = max((a for a in rows if not a.is_open), key=lambda a: a.extent, default=rows[0])
    if not all(factor.is_known([row, columns, *shape.reduce]) for factor in factors):
        return None
    tile = panel_tile(row.extent, columns.extent, lanes, target)
    return None if tile is None else Product(shape, left, right, row, columns, tile)


def plan_panels(block: loop.BlockOp, target: CpuTargetAttr) -> PanelPlan | None:
    """Return a plan for a block, or None where it is no such product."""
    product = product_of(block, target)
    return None if product is None else _blocked(product, target)


def decided_panels(plan: PanelPlan, target: CpuTargetAttr) -> PanelPlan:
    """Return the plan with the decided tile and blocks."""
    rows, columns = plan.rows.extent, plan.columns.extent
    candidates = _candidates(min(rows, _most_rows(target)), columns, plan.tile.lanes, target.vector_registers)
    decided = decide("panels.tile", (t.extents for t in candidates), plan.tile.extents, block=plan.shape.block)
    if decided != plan.tile.extents:
        tile = RegisterTile(*decided)
        plan = _blocked(Product(plan.shape, plan.left, plan.right, plan.rows, plan.columns, tile), target)
    return _decided_blocks(plan)


def _decided_blocks(plan: PanelPlan) -> PanelPlan:
    block, unrolled = plan.shape.block, (n for n in (1, 2, 4, 8) if n <= plan.shape.reduce[-1].extent)
    shared = decide("panels.shared", (False, True), plan.shared, block=block)
    panels, height = plan.panels, plan.height
    if shared:
        height = decide("panels.height", even_sizes(plan.row_tiles), height, block=block)
    else:
        panels = decide("panels.panels", even_sizes(plan.all_panels), panels, block=block)
    return replace(
        plan,
        shared=shared,
        height=height,
        panels=panels,
        packs_left=decide("panels.packs_left", (False, True), plan.packs_left, block=block),
        unrolled=decide("panels.unrolled", unrolled, plan.unrolled, block=block),
        packed_together=decide("panels.packed_together", (4, 8, 16, 32), plan.packed_together, block=block),
    )


def _factors(shape: Shape) -> tuple[Factor, Factor] | None:
    """Return the two operands, where each is indexed by variables and both move along all terms."""
    if len(shape.operands) != 2:
        return None
    factors: list[Factor] = []
    for operand in shape.operands:
        variables = [e.single_value for e in operand.op.index]
        used = tuple(v for v in variables if isinstance(v, BlockArgument) and v in shape.block.variables)
        if operand.op.conditions or len(set(used)) != len(variables):
            return None
        if not isinstance(operand.op.buffer.type, MemRefType):
            return None
        factors.append(Factor(operand, used))
    first, second = factors
    if first.operand.op.buffer is second.operand.op.buffer:
        return None
    return (first, second) if all(f.moves_along(a) for f in factors for a in shape.reduce) else None


# The tile


def panel_tile(rows: int, columns: int, lanes: int, target: CpuTargetAttr) -> RegisterTile | None:
    """Return the tile with the fewest cycles for a useful element; None where rows are too few for any."""
    best, least = None, inf
    for tile in _candidates(min(rows, _most_rows(target)), columns, lanes, target.vector_registers):
        cost = tile_cycles(tile, target) * _waste(rows, tile.rows) * _waste(columns, tile.width) / tile.accumulators
        if cost < least * TIE:
            best, least = tile, cost
    return best


def _most_rows(target: CpuTargetAttr) -> int:
    """Return the most rows of a tile whose lines fit into one set of the first cache."""
    return max(MOST_ROWS, target.caches[0] // target.page_bytes - SPARE_WAYS)


def _candidates(rows: int, columns: int, lanes: int, registers: int) -> Iterator[RegisterTile]:
    for vectors in range(1, min(4, -(-columns // lanes)) + 1):
        for r in range(2, rows + 1):
            tile = RegisterTile(r, 1, vectors, lanes)
            if tile.accumulators + min(r, vectors) + 1 <= registers:
                yield tile


def tile_cycles(tile: RegisterTile, target: CpuTargetAttr) -> float:
    """Return the cycles for one term of a tile."""
    stream = tile.vectors * PANEL_STREAM_COST
    arithmetic = tile.accumulators / target.multiply_adds
    return max(arithmetic, chain_cycles(target), stream) + PANEL_LOAD_COST * (tile.rows + tile.vectors)


def _waste(extent: int, tile: int) -> float:
    """Return the elements computed per useful one, and the price of a tail."""
    return -(-extent // tile) * tile / extent * (1 if extent % tile == 0 else TILE_TAIL)


# The packed operands


def panels_pay(plan: PanelPlan, target: CpuTargetAttr) -> bool:
    """Return whether packing the right operand saves more cycles than it takes, for each term of a panel."""
    right, tile = plan.right, plan.tile
    each = _unpacked_cost(right, plan.columns, tile.width, plan.shape.reduce, target)
    is_far = right.operand.bytes > target.caches[1]
    price = PANEL_COPYING_COST if is_far else PANEL_NEAR_COPYING_COST
    points = prod(axis.extent for axis in (*plan.shape.spatial, *plan.shape.reduce) if not axis.is_open)
    return points >= LEAST_POINTS and each * plan.rows.extent / tile.rows > PANEL_GAIN * price * tile.width


def _packs_left(
    left: Factor, rows: Axis, columns: Axis, terms: tuple[Axis, ...], tile: RegisterTile, target: CpuTargetAttr
) -> bool:
    """Return whether to pack the left operand too: where its terms do not lie side by side."""
    if left.variables[-1] is terms[-1].variable:
        return False
    saved = _unpacked_cost(left, rows, tile.rows, terms, target) * (columns.extent / tile.width)
    return saved > PANEL_GAIN * PANEL_PACKING_COST * tile.rows


def _unpacked_cost(factor: Factor, across: Axis, extent: int, terms: tuple[Axis, ...], target: CpuTargetAttr) -> float:
    """Return the extra cycles of a term beyond its arithmetic where `extent` elements along `across` are read in
    place."""
    if factor.variables[-1] is not across.variable:
        return inf
    stride, line, page = factor.stride(terms[-1]), target.line_bytes, target.page_bytes
    lines = extent * factor.stride(across) / line + (0 if stride % line == 0 else 1)
    sets, ways = page // line, target.caches[0] // page
    reached = min(sets, sets // gcd(sets, max(stride // line, 1)) * max(1, round(lines)))
    count = prod(a.extent for a in terms)
    if count * lines <= reached * ways:
        return 0.0
    return PANEL_FARTHER_COST if stride >= page or count * stride > target.page_reach * page else PANEL_FAR_COST


# Blocks


def _blocked(product: Product, target: CpuTargetAttr) -> PanelPlan:
    shape, left, rows, columns, tile = product.shape, product.left, product.rows, product.columns, product.tile
    terms = prod(a.extent for a in shape.reduce)
    size = element_bits(shape.block) // 8
    second = target.caches[1]
    all_panels, row_tiles = -(-columns.extent // tile.width), -(-rows.extent // tile.rows)
    most = max(int(second * PANEL_RIGHT_PART) // (terms * tile.width * size), 1)
    most = min(most, -(-all_panels // LEAST_BLOCKS))
    batches = prod(a.extent for a in shape.spatial if a not in (rows, columns) and not a.is_open)
    pays = batches < target.threads and pays_threads(shape.block, shape.points, target)
    threads = target.threads if pays else 1
    panels = evenly(all_panels, most, threads)
    shared = threads > 1 and share(all_panels, panels, threads) < PANEL_WORTHWHILE_SHARE
    height = evenly(row_tiles, max(int(second * PANEL_LEFT_PART) // (terms * tile.rows * size), 1), threads)
    packs_left = _packs_left(left, rows, columns, shape.reduce, tile, target)
    unrolled = UNROLLED_TERMS if shape.reduce[-1].extent >= 2 * UNROLLED_TERMS else 1
    return PanelPlan(shape, left, product.right, rows, columns, tile, packs_left, panels, height, shared, unrolled)


def evenly(count: int, most: int, threads: int) -> int:
    """Return the number of items of `count` to take together, from half of `most` to `most`, that threads share most
    evenly."""
    most = min(count, most)
    if threads == 1:
        return most
    sizes = range(max(1, most // 2), most + 1)
    return max(sizes, key=lambda n: share(count, n, threads) - PANEL_SMALL_BLOCK / n)


def share(count: int, together: int, threads: int) -> float:
    """Return the ratio of the average work of a thread to the most work of one."""
    blocks = -(-count // together)
    return count / threads / min(count, -(-blocks // threads) * together)
