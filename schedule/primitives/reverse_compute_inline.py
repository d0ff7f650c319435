"""reverse_compute_inline: a consumer becomes a part of the block that produces its input."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from ...analysis.access import Access, accesses_in, accesses_of
from ...analysis.dependence import runs_before
from ...analysis.domain import resolve
from ...analysis.instances import runs_all_of, taken_by
from ...analysis.integer_set import PROVED, Refuted
from ...analysis.ranges import RangeAnalysis
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..block_moves import ancestor_in, bring_values, inputs_of, shared_loops, sibling_ancestors
from ..bodies import clone_ops
from ..engine import Engine
from ..forms import (
    check_distinct_elements,
    check_effects,
    check_reads_of_results,
    joint_stores,
    single_store,
    unsuitable,
)
from ..handles import BlockRV
from ..loop_rewriting import add_guard, remove_emptied
from ..primitive_declaration import MOTION, register_primitive
from ..refusal import ILLEGAL, UNPROVED

_NAME = "reverse_compute_inline"


@register_primitive(MOTION)
def reverse_compute_inline(sch: Engine, block: BlockRV) -> None:
    """Append the body of a block to the block that produces its input. Erases the block and the buffer between them.

    Each instance of the block must read one element of that buffer, and nothing else may read the buffer. Neither block
    may be a reduction. Instances of the producer whose element the block does not read are removed.

    before:
    ```mlir
    %B = loop.alloc : memref<64xf32>
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi] : memref<64xf32>
      }
    }
    loop.for %j = 0 to 64 {
      loop.block "C" (%vj = spatial(%j) in 64) {
        %x = loop.load %B[%vj] : memref<64xf32>
        %c = arith.mulf %x, %x : f32
        loop.store %c, %C[%vj] : memref<64xf32>
      }
    }
    ```
    after `reverse_compute_inline(C)`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        %c = arith.mulf %b, %b : f32
        loop.store %c, %C[%vi] : memref<64xf32>
      }
    }
    ```
    """
    _reverse_compute_inline(sch.block(block))


def _reverse_compute_inline(block: loop.BlockOp) -> None:
    stores = joint_stores(_NAME, block)
    check_distinct_elements(_NAME, block, stores[0])
    check_reads_of_results(_NAME, block, stores)
    alloc, producer, loads = _producer(block)
    _check_bodies(block, producer, loads)
    store = single_store(_NAME, producer)
    values = _solve(block, store, loads[0])
    _check_coverage(block, producer, values)
    _check_order(block, producer, alloc.res)
    hidden = bring_values(block, sibling_ancestors(producer, block)[0])
    if hidden is not None:
        unsuitable(_NAME, block, f"uses {name_of(hidden)}, which is not known at block {producer.label!r}")
    _restrict(block, producer, values)
    mapping: dict[SSAValue, SSAValue] = {load.res: store.value for load in loads}
    rest = [op for op in block.body.block.ops if op not in loads]
    clone_ops(rest, producer.body.block, mapping, values)
    edit.erase(store)
    emptied = block.parent
    edit.erase(block)
    remove_emptied(emptied)
    if alloc.res.first_use is None:
        edit.erase(alloc)


def _producer(block: loop.BlockOp) -> tuple[loop.AllocOp, loop.BlockOp, list[loop.LoadOp]]:
    """Return the buffer that the block alone reads, the block that writes it, and the loads."""
    found: dict[SSAValue, tuple[loop.AllocOp, loop.BlockOp, list[loop.LoadOp]]] = {}
    for read in inputs_of(block):
        accesses = accesses_of(read.buffer)
        writers = {a.block for a in accesses if a.is_write}
        loads = [a.op for a in accesses if a.block is block and isinstance(a.op, loop.LoadOp)]
        writer = next(iter(writers), None)
        alone = all(a.block in (block, writer) for a in accesses) and len(writers) == 1
        if isinstance(read.buffer.owner, loop.AllocOp) and alone and writer is not None:
            found[read.buffer] = (read.buffer.owner, writer, loads)
    if len(found) != 1:
        problem = "several buffers" if found else "no buffer"
        unsuitable(_NAME, block, f"should read one buffer that another block writes for it alone, but reads {problem}")
    return next(iter(found.values()))


def _check_bodies(block: loop.BlockOp, producer: loop.BlockOp, loads: list[loop.LoadOp]) -> None:
    for one in (block, producer):
        if "reduce" in one.kinds:
            unsuitable(
                _NAME, block, "is a reduction" if one is block else f"is computed from a reduction, {one.label!r}"
            )
        if any(op.regions for op in one.body.block.ops):
            unsuitable(_NAME, one, "has control flow in its body")
        check_effects(_NAME, one)
    buffer = name_of(loads[0].buffer)
    if any(load.lanes is not None or load.conditions or load.index != loads[0].index for load in loads):
        unsuitable(_NAME, block, f"should read one element of {buffer} for each instance, without a guard")


def _solve(block: loop.BlockOp, store: loop.StoreOp, load: loop.LoadOp) -> dict[SSAValue, Index]:
    """Return the iteration of the block that reads the element of a producer's instance, over the producer's
    variables."""
    extents: dict[SSAValue, Index] = {v: extent for v, _, _, extent in block.iteration()}
    values: dict[SSAValue, Index] = {}
    for e, stored in zip(map(resolve, load.index), store.index, strict=True):
        variable = e.terms[0][0] if len(e.terms) == 1 and e.terms[0][1] == 1 else None
        if e == stored and e.is_constant:
            continue
        if not isinstance(variable, SSAValue) or variable not in extents or variable in values:
            unsuitable(_NAME, block, f"should read by one iteration variable a dimension, but reads at [{e}]")
        values[variable] = stored - e.constant
    for variable, extent in extents.items():
        if variable not in values and extent != Index.of(1):
            unsuitable(_NAME, block, f"has an iteration variable {name_of(variable)} that does not index its input")
        values.setdefault(variable, Index.of(0))
    return values


def _check_coverage(block: loop.BlockOp, producer: loop.BlockOp, values: dict[SSAValue, Index]) -> None:
    """Refuse unless every instance of the block belongs to an instance of the producer."""
    targets = [(values[v], Index.of(0), extent) for v, _, _, extent in block.iteration()]
    verdict = runs_all_of(producer, targets, None)
    if verdict != PROVED:
        code = ILLEGAL if isinstance(verdict, Refuted) else UNPROVED
        doubt = "does not produce" if code == ILLEGAL else "cannot be proved to produce"
        message = f"{_NAME}: block {producer.label!r} {doubt} an element for each instance of block {block.label!r}"
        fail(code, message, op=block)
    _check_iterations(block, producer, values)
    domain = [(Index.of(v), Index.of(0), extent) for v, _, _, extent in block.iteration()]
    if runs_all_of(block, domain, None) != PROVED:
        unsuitable(_NAME, block, "is not certain to run all of its domain")


def _check_iterations(block: loop.BlockOp, producer: loop.BlockOp, values: dict[SSAValue, Index]) -> None:
    """Refuse unless the block runs, in each iteration of the loops around both, exactly for the elements computed
    there.

    Elements that the producer computed in an earlier iteration are not computed again.
    """
    start, end = sibling_ancestors(producer, block)
    produced = taken_by(producer, [values[v] for v in block.variables], start)
    bounds = [e for s, (_, _, _, n) in zip(produced.values, block.iteration(), strict=True) for e in (s, n - s - 1)]
    produced = replace(produced, system=produced.system.where(*map(Index.of, bounds)))
    consumed = taken_by(block, [Index.of(v) for v in block.variables], end)
    for verdict, problem in (
        (
            produced.covers(consumed),
            "reads elements that block {} wrote in an earlier iteration of the loops around both",
        ),
        (consumed.covers(produced), "does not run in every iteration in which block {} does"),
    ):
        if verdict != PROVED:
            code, certainly = (ILLEGAL, "") if isinstance(verdict, Refuted) else (UNPROVED, "possibly ")
            reason = problem.format(repr(producer.label))
            fail(code, f"{_NAME}: block {block.label!r} {certainly}{reason}", op=block)


def _check_order(block: loop.BlockOp, producer: loop.BlockOp, buffer: SSAValue) -> None:
    """Refuse where an access between the producer and the block conflicts with the other accesses of the block."""
    start, end = sibling_ancestors(producer, block)
    if not start.is_before_in_block(end):
        unsuitable(_NAME, block, f"should come after the loops of block {producer.label!r}")
    written = {a.buffer: True for op in joint_stores(_NAME, block) for a in accesses_of(op.buffer)}
    reads = {a.buffer: False for a in inputs_of(block) if a.buffer is not buffer}
    for other, any_access in {**reads, **written}.items():
        for access in accesses_of(other):
            holder = ancestor_in(start.parent, access.op)
            if access.block is block or holder is None or not (any_access or access.is_write):
                continue
            between = start.is_before_in_block(holder) and holder.is_before_in_block(end)
            if holder is start or between or (holder is end and _runs_before(access, block, end)):
                who = f"block {access.block.label!r}" if access.block else "an operation"
                unsuitable(_NAME, block, f"shares {name_of(other)} with {who}, which it would overtake")


def _runs_before(access: Access, block: loop.BlockOp, end: Operation) -> bool:
    """Return whether an access in the loops of a block may touch an element before the block does."""
    accesses = [a for a in accesses_in(block) if a.buffer is access.buffer]
    return any(runs_before(access, a, shared_loops(end, access.op, a.op)) is not None for a in accesses)


def _restrict(block: loop.BlockOp, producer: loop.BlockOp, values: dict[SSAValue, Index]) -> None:
    """Run the producer only where the block has an instance."""
    facts = RangeAnalysis().inside(producer.body.block)
    bindings: dict[SSAValue, Index] = {v: binding for v, _, binding, _ in producer.iteration()}
    for variable, _, _, extent in block.iteration():
        for e in (values[variable], extent - values[variable] - 1):
            if not facts.proves(e):
                add_guard(producer, e.substitute(bindings))
