"""Products of a transformed image, whose results are transformed back: convolutions by fewer multiplications.

    for parts of the image, for groups of rows of results (parallel outside):
      transform the part, tile by tile
      for elements of a tile:
        for tiles of weights, for tiles of pixels: products, as `packed_rows` tiles them
      transform the products back, and compute the epilogue

`transform_tasks` chooses the numbers of parts and groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from xdsl.ir import BlockArgument

from ...analysis.access import accesses_of
from ...analysis.block_reductions import reduction_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import FloorDiv, Index, Mod
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import Axis, Operand, Shape, is_plain, shape_of
from .nearby_copies import copy_nearby, find_copies
from .packed_rows import PackedRowsPlan, operands_by, plan_packed_rows
from .placement import share_tiles
from .row_loops import prefetch_weights, schedule_reduction, tile_results
from .tile_loops import accumulator_name, loops_by_axis, set_tile_kinds
from .tiles import tile_prediction
from .transform_tasks import Tasks, decided_tasks, plan_tasks

MOST_CASES = 8
"""The most cases of one axis; more code is not worth it."""


@dataclass(frozen=True)
class Transformed:
    """The blocks around a product, and its division into tasks."""

    product: PackedRowsPlan
    """Of the product by itself. Of its axes along which other weights are read, those of a tile's elements come
    first: along them the image differs too."""
    image: loop.BlockOp
    """The block that transforms the image."""
    results: Shape
    """The block that transforms results back."""
    down: Axis
    """Its axis that runs over lines of tiles."""
    across: int
    """The number of tiles in a line."""
    rows: Axis | None
    """The axis of `results` along which other weights are read, if there are several."""
    tasks: Tasks


def plan_transformed_product(block: loop.BlockOp, target: CpuTargetAttr) -> Transformed | None:
    """Return a plan for a reduction block, or None where it does not lie between two transforms."""
    product = plan_packed_rows(block, target)
    if product is None:
        return None
    still = [o for o in product.shape.operands if product.vector.variable not in o.variables]
    image, results = _transform_of(still, block), _transform_back(block)
    if image is None or results is None:
        return None
    lines, rows = _lines(block, product, results), _axis_of(block, product.steps, results)
    if lines is None or (rows is None) != (product.steps is None):
        return None
    down, across = lines
    if cases_of(results).get(down, down.extent) == down.extent:
        return None
    tasks = plan_tasks(product, still, product.rows.extent // across, target)
    product = replace(product, tile=tasks.tile, cycles=tasks.cycles, chunks=None, ahead=None, parts=1)
    product = replace(product, weights=_elements_first(product, still))
    return Transformed(product, image, results, down, across, rows, tasks)


def decided_transform(plan: Transformed, target: CpuTargetAttr) -> Transformed:
    """Return the plan with the decided parts, groups and tile."""
    product = plan.product
    still, _ = operands_by(product.shape, product.vector)
    tasks = decided_tasks(plan.tasks, product, still, product.rows.extent // plan.across, target)
    return replace(plan, tasks=tasks, product=replace(product, tile=tasks.tile, cycles=tasks.cycles))


def _elements_first(product: PackedRowsPlan, still: list[Operand]) -> tuple[Axis, ...]:
    """Return the axes along which other weights are read, those before the others along which the image differs too."""
    with_image = {v for o in still for v in o.variables}
    return tuple(sorted(product.weights, key=lambda a: (a is product.steps, a.variable not in with_image)))


def _transform_of(still: list[Operand], block: loop.BlockOp) -> loop.BlockOp | None:
    """Return the block that writes the image of `block`, which alone reads it, case by case."""
    if len(still) != 1 or not isinstance(still[0].op.buffer.owner, loop.AllocOp):
        return None
    around = {access.block for access in accesses_of(still[0].op.buffer)} - {block}
    writer = around.pop() if len(around) == 1 else None
    shape = None if writer is None else shape_of(writer)
    if writer is None or shape is None or shape.reduce or len(shape.spatial) < 2 or not is_plain(writer):
        return None
    *_, tiles, lanes = shape.spatial
    cases = cases_of(shape)
    return writer if shape.row_axis() is lanes and cases and tiles not in cases and lanes not in cases else None


def _transform_back(block: loop.BlockOp) -> Shape | None:
    """Return the one block that reads the results, without reducing them."""
    reduction = reduction_of(block)
    if reduction is None or not isinstance(reduction.buffer.owner, loop.AllocOp):
        return None
    readers = {a.block for a in accesses_of(reduction.buffer) if a.block is not block}
    reader = readers.pop() if len(readers) == 1 else None
    shape = None if reader is None or not is_plain(reader) else shape_of(reader)
    if shape is None or shape.reduce or not shape.spatial:
        return None
    return shape if shape.row_axis() is shape.spatial[-1] else None


def _indices_read(block: loop.BlockOp, axis: Axis, results: Shape) -> set[Index]:
    """Return the indices that the transform back reads along an axis of the product."""
    reduction = reduction_of(block)
    assert reduction is not None
    store = reduction.store
    position = [n for n, e in enumerate(store.index) if e == Index.of(axis.variable)]
    loads = [o.op for o in results.operands if o.op.buffer is store.buffer]
    return {load.index[n] for n in position for load in loads}


def _axis_of(block: loop.BlockOp, axis: Axis | None, results: Shape) -> Axis | None:
    """Return the axis of the transform back that runs along with an axis of the product."""
    if axis is None:
        return None
    indices = _indices_read(block, axis, results)
    index = indices.pop() if len(indices) == 1 else None
    return next((a for a in results.spatial if index == Index.of(a.variable)), None)


def _lines(block: loop.BlockOp, product: PackedRowsPlan, results: Shape) -> tuple[Axis, int] | None:
    """Return the axis of the transform back that runs over lines of tiles, and the number of tiles in a line."""
    indices = _indices_read(block, product.rows, results)
    if len(indices) != 1:
        return None
    (index,) = indices
    terms = [(atom.numerator, factor) for atom, factor in index.terms if isinstance(atom, FloorDiv)]
    if not terms or len(terms) != len(index.terms) or index.constant:
        return None
    line, across = max(terms, key=lambda term: term[1])
    down = next((a for a in results.spatial if line == Index.of(a.variable)), None)
    return None if down is None or product.rows.extent % across else (down, across)


def schedule_transformed_product(
    sch: Schedule, block: BlockRV, plan: Transformed, target: CpuTargetAttr
) -> set[loop.BlockOp]:
    """Apply a plan; returns the scheduled blocks."""
    remark("TW0763", lambda: _remark_text(plan, target), op=sch.block(block), kind="analysis")
    image, reader = sch.get_block(plan.image.label), sch.get_block(plan.results.block.label)
    copies = find_copies(sch, image)
    outer, group = _schedule_results(sch, reader, plan)
    order = [*outer, *group]
    results = sch.cache_write(block, accumulator_name(sch, block), "register")
    sch.compute_at(results, order[-1])
    around, steps = tile_results(sch, results, plan.product, len(order))
    sch.compute_at(block, around[-1])
    terms = schedule_reduction(sch, block, plan.product, len(order) + len(around))
    if steps is not None:
        prefetch_weights(sch, block, plan.product, steps, around[around.index(steps) + 1 :], terms)
    if plan.tasks.inside:
        sch.compute_at(image, outer[-1])
    _schedule_image(sch, image, copies, plan, len(outer) if plan.tasks.inside else 0, target)
    shared = outer if plan.tasks.inside else order
    share_tiles(sch, block, shared, plan.product.shape.points, target)
    return {sch.block(b) for b in (block, image, reader, *copies)}


def _remark_text(plan: Transformed, target: CpuTargetAttr) -> str:
    product = plan.product
    where = f"in {plan.tasks.parts} parts" if plan.tasks.inside else "as a whole"
    tile = tile_prediction(product.tile, 1 / (target.multiply_adds * product.cycles))
    return f"{tile}, of an image transformed {where}"


def _schedule_results(sch: Schedule, reader: BlockRV, plan: Transformed) -> tuple[list[LoopRV], list[LoopRV]]:
    """Return the loops around all others of the transform back: those down to the one over parts, and that over
    groups."""
    shape, handles = plan.results, sch.get_loops(reader)
    loops = {axis: handles[axis.position] for axis in shape.spatial}
    cases = split_cases(sch, loops, cases_of(shape))
    lanes = loops.pop(shape.spatial[-1])
    inside: list[LoopRV] = []
    group: list[LoopRV] = []
    if plan.rows is not None:
        handle, within = sch.split(loops.pop(plan.rows), [plan.tasks.groups, None])
        group, inside = [handle], [within]
    part, line = sch.split(loops.pop(plan.down), [plan.tasks.parts, None])
    inside += [line, *(loops.pop(a) for a in list(loops) if a.position > plan.down.position)]
    outer = [*loops.values(), part]
    sch.reorder(*outer, *group, *inside, *cases, lanes)
    set_tile_kinds(sch, [*cases, lanes])
    return outer, group


def _schedule_image(
    sch: Schedule, image: BlockRV, copies: list[BlockRV], plan: Transformed, depth: int, target: CpuTargetAttr
) -> None:
    """Transform the image line by line of tiles; its copies, such as one with borders, channel by channel."""
    shape = shape_of(sch.block(image))
    assert shape is not None
    below = loops_by_axis(sch, image, depth)
    loops = {axis: below[axis.position] for axis in shape.spatial if axis.position in below}
    cases = split_cases(sch, loops, cases_of(shape))
    lanes = loops.pop(shape.spatial[-1])
    *outer, tiles = loops.values()
    line, tile = sch.split(tiles, [None, plan.across])
    sch.reorder(*outer, line, tile, *cases, lanes)
    set_tile_kinds(sch, [*cases, lanes])
    copy_nearby(sch, copies, outer[-1] if outer else sch.get_loops(image)[max(depth - 1, 0)], target)
    if not depth:
        images = prod(a.extent for a in shape.spatial if a.is_open)
        share_tiles(sch, image, outer or [line], shape.points // images, target)


# Cases: values of an axis that select the computation, such as the position of an element in a small transform. A
# block with tests on such an axis computes every case and selects one. After unrolling, each instance has a constant
# case, and common subexpressions of the cases are computed once.


def cases_of(shape: Shape) -> dict[Axis, int]:
    """Return the axes in the tests of a block, and the number of values after which the cases repeat."""
    axes = {axis.variable: axis for axis in (*shape.spatial, *shape.reduce)}
    found: dict[Axis, int] = {}
    for op in shape.block.body.block.ops:
        if isinstance(op, loop.TestOp):
            for atom in [atom for condition in op.conditions for atom, _ in condition.terms]:
                axis, period = _case(atom, axes)
                if axis is not None and period <= MOST_CASES and axis.extent >= period:
                    found[axis] = min(period, found.get(axis, period))
    return found


def _case(atom: object, axes: dict[BlockArgument, Axis]) -> tuple[Axis | None, int]:
    if isinstance(atom, Mod):
        variable = atom.numerator.single_value
        return (axes.get(variable), atom.divisor) if isinstance(variable, BlockArgument) else (None, 0)
    axis = axes.get(atom) if isinstance(atom, BlockArgument) else None
    return axis, axis.extent if axis is not None else 0


def split_cases(sch: Schedule, loops: dict[Axis, LoopRV], cases: dict[Axis, int]) -> list[LoopRV]:
    """Split the loops over cases off `loops` where these repeat them; returns the loops over cases. Loops over cases
    alone leave `loops`."""
    inner: list[LoopRV] = []
    for axis, period in cases.items():
        if axis.extent == period:
            inner.append(loops.pop(axis))
        else:
            loops[axis], within = sch.split(loops[axis], [None, period])
            inner.append(within)
    return inner
