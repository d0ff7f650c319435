"""reverse_compute_at: a consumer moves into the loop that produces its input."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...analysis.access import accesses_of
from ...analysis.bounds import extents_of
from ...analysis.dependence import Conflict, carried, runs_before
from ...analysis.domain import loops_around, resolve
from ...analysis.instances import runs_all_of
from ...analysis.integer_set import PROVED, Refuted, Verdict
from ...analysis.ranges import RangeAnalysis
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..block_moves import ancestor_in, bring_values, inputs_of, sibling_ancestors
from ..engine import Engine
from ..forms import check_distinct_elements, check_reads_of_results, check_whole_reduction, joint_stores, unsuitable
from ..handles import BlockRV, LoopRV
from ..loop_positions import check_target, insertion_point
from ..loop_rewriting import remove_emptied
from ..primitive_declaration import MOTION, register_primitive
from ..refusal import ILLEGAL, UNPROVED, format_instance, loop_name, refuse_conflict
from ..regions import Span, defined_before, nest_over, touched_spans

_NAME = "reverse_compute_at"


@register_primitive(MOTION)
def reverse_compute_at(
    sch: Engine, block: BlockRV, loop: LoopRV, preserve_unit_loops: bool = False, index: int = -1
) -> None:
    """Move a block into an earlier loop. Each iteration computes from the elements that its producers there wrote.

    In each dimension that the producers write in parts, an iteration runs the instances of the block whose inputs it
    completes. All iterations together must run the same instances as before, each after its inputs are written.
    `index` is the position among the statements of the loop: -1 is the end, -2 is right after the last producer.

    The loops of a reduction are in the order of its variables, so its terms may be combined in another order.

    before:
    ```mlir
    loop.for %io = 0 to 16 {
      loop.for %ii = 0 to 4 {
        loop.block "B" (%vi = spatial(%io * 4 + %ii) in 64) { … }
      }
    }
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) { … }
    }
    ```
    after `reverse_compute_at(C, io)`:
    ```mlir
    loop.for %io = 0 to 16 {
      loop.for %ii = 0 to 4 {
        loop.block "B" (%vi = spatial(%io * 4 + %ii) in 64) { … }
      }
      loop.for %j = 0 to 4 {
        loop.block "C" (%vj = spatial(%io * 4 + %j) in 64) { … }
      }
    }
    ```
    """
    ops = sch.block(block), sch.loop(loop)
    sch.note_algebra(reassociates=_reverse_compute_at(*ops, preserve_unit_loops=preserve_unit_loops, index=index))


def _reverse_compute_at(
    block: loop.BlockOp, target: loop.ForOp, *, preserve_unit_loops: bool = False, index: int = -1
) -> bool:
    permuted = _check_form(block, target)
    # The order of reads and writes at the new position is checked in the moved program.
    with edit.transaction():
        _move(block, target, preserve_unit_loops, index)
        _check_moved(block, target)
    return permuted


def _check_form(block: loop.BlockOp, target: loop.ForOp) -> bool:
    """Refuse a block that cannot move; returns whether the terms of a reduction will have another order."""
    check_target(_NAME, block, target)
    start, end = sibling_ancestors(target, block)
    if start is end or not start.is_before_in_block(end):
        unsuitable(_NAME, block, f"should come after loop {loop_name(target)}")
    stores = joint_stores(_NAME, block)
    check_distinct_elements(_NAME, block, stores[0])
    check_reads_of_results(_NAME, block, stores)
    permuted = check_whole_reduction(_NAME, block, [op for op in loops_around(block) if not op.is_ancestor(target)])
    if _covers_domain(block) != PROVED:
        unsuitable(_NAME, block, "is not certain to run all of its domain")
    for store in stores:
        for access in accesses_of(store.buffer):
            holder = ancestor_in(start.parent, access.op)
            if access.block is block or holder is None or holder.is_before_in_block(start):
                continue
            if holder is start or holder.is_before_in_block(end):
                who = f"block {access.block.label!r}" if access.block else "an operation"
                unsuitable(_NAME, block, f"shares {name_of(store.buffer)} with {who}, which it would overtake")
    _check_producers(block, target)
    return permuted


def _check_producers(block: loop.BlockOp, target: loop.ForOp) -> None:
    start, _ = sibling_ancestors(target, block)
    found = False
    for read in inputs_of(block):
        for write in accesses_of(read.buffer):
            holder = ancestor_in(start.parent, write.op)
            if not write.is_write or holder is None or holder.is_before_in_block(start):
                continue
            found |= target.is_ancestor(write.op)
            if holder is not start and holder.is_before_in_block(sibling_ancestors(target, block)[1]):
                who = f"block {write.block.label!r}" if write.block else "an operation"
                unsuitable(_NAME, block, f"reads {name_of(read.buffer)} of {who} after loop {loop_name(target)}")
    if not found:
        unsuitable(_NAME, block, f"reads nothing that loop {loop_name(target)} produces")


def _move(block: loop.BlockOp, target: loop.ForOp, preserve_unit_loops: bool, index: int) -> None:
    writes = [w for r in inputs_of(block) for w in accesses_of(r.buffer) if w.is_write and target.is_ancestor(w.op)]
    point = insertion_point(_NAME, target, index, [w.op for w in writes], [])
    hidden = bring_values(block, target)
    if hidden is not None:
        unsuitable(_NAME, block, f"uses {name_of(hidden)}, which is not known before loop {loop_name(target)}")
    spans = _spans(block, target, point.insert_before)
    emptied = block.parent
    edit.detach(block)
    remove_emptied(emptied)
    facts = RangeAnalysis().inside(target.body.block)
    nest_over(block, spans, point, facts, unit_loops=preserve_unit_loops)


def _spans(block: loop.BlockOp, target: loop.ForOp, anchor: Operation | None) -> list[Span]:
    """Return the span of each iteration variable in one iteration of the target."""
    outer = defined_before(target.body.block, anchor)
    spans: dict[SSAValue, Span] = {v: (Index.of(0), extent) for v, _, _, extent in block.iteration()}
    bounded: set[SSAValue] = set()
    for read in inputs_of(block):
        writes = [w for w in accesses_of(read.buffer) if w.is_write and target.is_ancestor(w.op)]
        shape = extents_of(read.buffer)
        if not writes or not isinstance(read.op, loop.LoadOp) or None in shape:
            continue
        known = [n for n in shape if n is not None]
        for e, whole, span in zip(read.op.index, known, touched_spans(writes, known, outer), strict=True):
            found = _last_needing(block, resolve(e), span) if span != (Index.of(0), whole) else None
            if found is None:
                continue
            variable, fresh = found
            ahead = spans[variable][0] - fresh[0]
            if variable not in bounded or (ahead.is_constant and ahead.constant > 0):
                spans[variable] = fresh
            bounded.add(variable)
    return list(spans.values())


def _last_needing(block: loop.BlockOp, e: Index, span: Span) -> tuple[SSAValue, Span] | None:
    """Return the spatial variable of a read index, and its values for which the last index read is in the span."""
    offset, count = span
    kinds = {v: (kind, extent) for v, kind, _, extent in block.iteration()}
    spatial = [(v, c) for v, c in e.terms if kinds.get(v, ("", None))[0] == "spatial"]  # pyright: ignore
    if len(spatial) != 1 or spatial[0][1] < 1 or not count.is_constant:
        return None
    variable, c = spatial[0]
    reach = Index.of(e.constant)
    for other, k in e.without(variable).terms:
        kind, extent = kinds.get(other, ("", None))  # pyright: ignore
        if kind != "reduce" or extent is None or not extent.is_constant:
            return None
        reach = reach + max(0, k * (extent.constant - 1))
    counted = -(-count.constant // c)
    last = (offset + count - 1 - reach) // c
    assert isinstance(variable, SSAValue)
    return variable, (last - (counted - 1), Index.of(counted))


def _check_moved(block: loop.BlockOp, target: loop.ForOp) -> None:
    """Check the moved program: every instance runs, after its inputs are written, and parallel loops stay legal."""
    verdict = _covers_domain(block)
    if verdict != PROVED:
        code = ILLEGAL if isinstance(verdict, Refuted) else UNPROVED
        doubt = "leaves instances of" if code == ILLEGAL else "cannot be proved to run all instances of"
        where = f"{_NAME}: computing at loop {loop_name(target)}"
        fail(code, f"{where} {doubt} block {block.label!r}{_missing(block, verdict)}", op=block)
    for read in inputs_of(block):
        for write in accesses_of(read.buffer):
            if write.is_write and write.block is not block:
                shared = [op for op in loops_around(block) if op.is_ancestor(write.op)]
                conflict = runs_before(read, write, shared)
                if conflict is not None:
                    _refuse_early_read(block, target, conflict)
    for op in (target, *(p for p in loop.enclosing(target, loop.ForOp) if isinstance(p, loop.ForOp))):
        if op.kind not in (loop.SERIAL, loop.UNROLLED) and (conflict := carried(op)) is not None:
            claim = f"computing at loop {loop_name(target)}, with loop {loop_name(op)} {op.kind.kind.data},"
            refuse_conflict(_NAME, claim, conflict, (op,))


def _covers_domain(block: loop.BlockOp) -> Verdict:
    spatial = [(Index.of(v), Index.of(0), n) for v, kind, _, n in block.iteration() if kind == "spatial"]
    return runs_all_of(block, spatial or [(Index.of(0), Index.of(0), Index.of(1))], None)


def _missing(block: loop.BlockOp, verdict: Verdict) -> str:
    if not isinstance(verdict, Refuted):
        return ""
    names = [v for v, kind in zip(block.variables, block.kinds, strict=True) if kind == "spatial"]
    values = [n for v, n in verdict.point.items() if getattr(v, "name", "").startswith("v")]
    point = ", ".join(f"{name_of(v)[1:]}={n}" for v, n in zip(names, values, strict=False))
    return f" out, such as ({point})" if point else " out"


def _refuse_early_read(block: loop.BlockOp, target: loop.ForOp, conflict: Conflict) -> None:
    buffer = name_of(conflict.source.buffer)
    where = f"{_NAME}: at loop {loop_name(target)}, block {block.label!r}"
    if conflict.unknown is not None:
        fail(UNPROVED, f"{where} cannot be proved to read {buffer} after it is written: {conflict.unknown}", op=block)
    element = ", ".join(str(n) for n in conflict.element() or ())
    first = format_instance(loops_around(conflict.source.op), conflict.source_point)
    second = format_instance(loops_around(conflict.sink.op), conflict.sink_point)
    fail(ILLEGAL, f"{where} would read {buffer}[{element}] in {first}, before {second} writes it", op=block)
