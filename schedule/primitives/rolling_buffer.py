"""rolling_buffer: rows that the next iteration reads again are kept in a circular buffer."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.domain import loops_around
from ...analysis.ranges import facts_at
from ...analysis.staging import Staging, staging_of
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...traversal import operations
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..forms import (
    check_reads_of_results,
    check_whole_reduction,
    check_written_once,
    iteration_spans,
    readers,
    single_store,
    stored_positions,
    unsuitable,
)
from ..handles import BlockRV
from ..instance_guards import conditions_of_instances, guard_instances, unguarded
from ..loop_rewriting import function_of, remove_emptied, unique_label
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import loop_name
from ..regions import Span, defined_before, nest_over, touched_spans
from .storage_layout import allocated_in_memory, refuse

_NAME = "rolling_buffer"
NOTHING_KEPT = "TW0421"


@register_primitive(BUFFERS)
def rolling_buffer(sch: Engine, block: BlockRV, buffer: BufferLike) -> BlockRV:
    """Compute only the rows that the previous iteration of the loop has not computed, and keep the others.

    The buffer becomes a circular buffer of the rows that one iteration reads, allocated outside of the loop. Row r is
    stored at r mod that number. A copy of the block, which is returned, computes the rows before the first iteration.
    Rows run along the dimension in which the reads move with the loop. The loops of a reduction are in the order of its
    variables, so its terms may be combined in another order.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      %B = loop.alloc : memref<10xf32>
      loop.for %j = 0 to 3 {
        loop.block "B" (%vj = spatial(%i + %j) in 10) {
          %a = loop.load %A[%vj] : memref<10xf32>
          %b = arith.addf %a, %a : f32
          loop.store %b, %B[%vj] : memref<10xf32>
        }
      }
      loop.block "C" (%vi = spatial(%i) in 8) {
        %x = loop.load %B[%vi] : memref<10xf32>
        %y = loop.load %B[%vi + 2] : memref<10xf32>
        %c = arith.addf %x, %y : f32
        loop.store %c, %C[%vi] : memref<8xf32>
      }
    }
    ```
    after `rolling_buffer(B, "B")`:
    ```mlir
    %B = loop.alloc : memref<3xf32>
    loop.for %j = 0 to 2 {
      loop.block "B_first" (%vj = spatial(%j) in 10) {
        %a = loop.load %A[%vj] : memref<10xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[(%vj mod 3)] : memref<3xf32>
      }
    }
    loop.for %i = 0 to 8 {
      loop.block "B" (%vj = spatial(%i + 2) in 10) {
        %a = loop.load %A[%vj] : memref<10xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[(%vj mod 3)] : memref<3xf32>
      }
      loop.block "C" (%vi = spatial(%i) in 8) {
        %x = loop.load %B[(%vi mod 3)] : memref<3xf32>
        %y = loop.load %B[((%vi + 2) mod 3)] : memref<3xf32>
        %c = arith.addf %x, %y : f32
        loop.store %c, %C[%vi] : memref<8xf32>
      }
    }
    ```
    """
    op = sch.block(block)
    first, permuted = _rolling_buffer(op, sch.buffer_of("rolling_buffer", op, buffer, "write"))
    sch.note_algebra(reassociates=permuted)
    return sch.handle_of(first)


def _rolling_buffer(block: loop.BlockOp, buffer: SSAValue) -> tuple[loop.BlockOp, bool]:
    alloc = allocated_in_memory(_NAME, block, buffer)
    staging = _staging(block, alloc)
    around, (fill, *_) = staging.loop, [op for op in staging.fill if op.is_ancestor(block)]
    store = single_store(_NAME, block)
    positions = stored_positions(_NAME, store, block)
    consumers = readers(block, buffer)
    anchor = fill.next_op
    assert anchor is not None, "expected a reader behind what fills the buffer"
    region = touched_spans(consumers, alloc.shape, defined_before(around.body.block, anchor))
    dimension, step = _rolling_dimension(block, buffer, around, region)
    offset, rows = region[dimension]
    if not any(d == dimension for d, _ in positions.values()):
        unsuitable(_NAME, block, f"writes one row of {name_of(buffer)} alone")
    check_written_once(_NAME, block, store)
    check_reads_of_results(_NAME, block, [store])

    conditions = conditions_of_instances(block)
    with unguarded(block, conditions):
        loops = [op for op in loops_around(block) if fill.is_ancestor(op)]
        permuted = check_whole_reduction(_NAME, block, loops)
    emptied = block.parent
    edit.detach(block)
    remove_emptied(emptied)
    first = block.clone()
    edit.change(first).sym = StringAttr(unique_label(function_of(around), f"{block.label}_first"))
    kept = rows - step
    fresh_rows = _with(region, dimension, (offset + kept, Index.of(step)))
    nest_over(block, iteration_spans(block, positions, fresh_rows), InsertPoint.before(anchor), facts_at(anchor))
    guard_instances(block, conditions.values())
    start = {around.induction_variable: around.lowers[0]}
    first_rows = _with(region, dimension, (offset.substitute(start), kept))
    renamed = dict(zip(block.variables, first.variables, strict=True))
    first_positions = {renamed[v]: where for v, where in positions.items()}
    first_spans = iteration_spans(first, first_positions, first_rows)
    first_loops = nest_over(first, first_spans, InsertPoint.before(around), facts_at(around))
    over_first = {v: Index.of(new) for v, new in renamed.items()}
    guard_instances(first, [e.substitute(over_first) for e in conditions.values()])
    _make_circular(alloc, first_loops[0] if first_loops else first, dimension, rows.constant)
    return first, permuted


def _staging(block: loop.BlockOp, alloc: loop.AllocOp) -> Staging:
    staging = staging_of(alloc)
    if not isinstance(staging, str) and staging.loop is not alloc.parent_op():
        staging = "is shared by threads outside of the loop"
    if isinstance(staging, str):
        refuse(
            _NAME,
            block,
            f"{name_of(alloc.res)} {staging}",
            "compute_at puts the block that fills it into the loop whose iterations read it",
        )
    fills = [op for op in staging.fill if any(isinstance(nested, loop.BlockOp) for nested in operations(op))]
    if len(fills) != 1 or [op for op in fills[0].walk() if isinstance(op, loop.BlockOp)] != [block]:
        unsuitable(
            _NAME,
            block,
            f"should be the only block that fills {name_of(alloc.res)}, in a nest of loops without other blocks",
        )
    return staging


def _rolling_dimension(
    block: loop.BlockOp, buffer: SSAValue, around: loop.ForOp, region: Sequence[Span]
) -> tuple[int, int]:
    """Return the dimension along which the reads of an iteration move with the loop, and by how much."""
    variable = around.induction_variable
    moving = [d for d, (offset, _) in enumerate(region) if variable in offset.values()]
    if len(moving) == 1:
        (dimension,) = moving
        offset, rows = region[dimension]
        step = offset.coefficient(variable)
        steady = variable not in (offset - Index.of(variable) * step).values()
        if steady and rows.is_constant and 0 < step < rows.constant:
            return dimension, step
    how = {0: "do not move with", 1: "share no rows between iterations of"}.get(
        len(moving), "move in two dimensions with"
    )
    fail(
        NOTHING_KEPT,
        f"{_NAME}: block {block.label!r}: the reads of {name_of(buffer)} {how} loop {loop_name(around)}",
        op=block,
        help="compute the block at a loop over rows, in steps smaller than what one iteration reads",
    )


def _with(region: Sequence[Span], dimension: int, span: Span) -> list[Span]:
    return [span if d == dimension else known for d, known in enumerate(region)]


def _make_circular(alloc: loop.AllocOp, before: Operation, dimension: int, rows: int) -> None:
    """Move the buffer before its first use and give it `rows` rows, of which each access takes one by the remainder."""
    type = alloc.res.type
    shape = [Index.of(rows) if d == dimension else n for d, n in enumerate(alloc.shape)]
    extents = [n.constant if n.is_constant else DYNAMIC_INDEX for n in shape]
    circle = loop.AllocOp(
        loop.buffer_type(extents, type.element_type, loop.scope_of(type)),
        [n for n in shape if not n.is_constant],
        alloc.res.name_hint,
    )
    edit.change(circle).attributes |= alloc.attributes
    circle.location = alloc.location
    for op in [use.operation for use in alloc.res.uses]:
        assert isinstance(op, (loop.LoadOp, loop.StoreOp))
        op.set_index_lists(indices=[e % rows if d == dimension else e for d, e in enumerate(op.index)])
    edit.insert(circle, InsertPoint.before(before))
    edit.replace_uses(alloc.res, circle.res)
    edit.erase(alloc)
