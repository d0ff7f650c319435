"""decompose_reduction: the init of a reduction as a separate block."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access, accesses_in, accesses_of, writes
from ...analysis.dependence import runs_before
from ...analysis.domain import is_inside, loops_around, loops_behind, resolve
from ...analysis.init_nests import copied_root, copy_loops, extents_maybe_zero, init_statement, reduction_loops
from ...analysis.instances import runs_each_once
from ...analysis.integer_set import PROVED
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ..block_moves import values_used
from ..engine import Engine
from ..forms import check_init_inside, joint_stores, unsuitable
from ..handles import BlockRV, LoopRV
from ..loop_rewriting import function_of, unique_label
from ..primitive_declaration import REDUCTIONS, register_primitive
from ..refusal import BAD_ARGUMENT, UNPROVED, loop_name, refuse_conflict

_NAME = "decompose_reduction"


@register_primitive(REDUCTIONS)
def decompose_reduction(sch: Engine, block: BlockRV, loop: LoopRV) -> BlockRV:
    """Move the init of a reduction block into a separate loop nest before `loop`. Returns the block of the init.

    All reduce loops must be `loop` or be inside it. The nest copies the spatial loops inside `loop`, with their kinds.
    The block itself becomes the update.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 64, %vk = reduce(%k) in 64) {
          loop.init {
            loop.store %zero, %C[%vi] : memref<64xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
          %c = loop.load %C[%vi] : memref<64xf32>
          %s = arith.addf %c, %a : f32
          loop.store %s, %C[%vi] : memref<64xf32>
        }
      }
    }
    ```
    after `decompose_reduction(C, k)`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "C_init" (%vi = spatial(%i) in 64) {
        loop.store %zero, %C[%vi] : memref<64xf32>
      }
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 64, %vk = reduce(%k) in 64) {
          %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
          %c = loop.load %C[%vi] : memref<64xf32>
          %s = arith.addf %c, %a : f32
          loop.store %s, %C[%vi] : memref<64xf32>
        }
      }
    }
    ```
    """
    return sch.handle_of(decompose_block(sch.block(block), sch.loop(loop)))


def decompose_block(block: loop.BlockOp, target: loop.ForOp) -> loop.BlockOp:
    """Apply the primitive `decompose_reduction` to operations."""
    init = block.init
    if init is None or "reduce" not in block.kinds:
        unsuitable(_NAME, block, "should be a reduction with its init")
    if not target.is_ancestor(block):
        fail(BAD_ARGUMENT, f"{_NAME}: block {block.label!r} is not inside loop {loop_name(target)}", op=block)
    inside = [op for op in loops_around(block) if op is target or target.is_ancestor(op)]
    copied = _spatial_loops(block, inside)
    _check_shared_loops(block, target, copied)
    guard = _guard_of_init(block, inside, copied)
    _check(block, target, inside)
    new = init_block(block, init, guard)
    renamed = copy_loops(copied, new)
    new.substitute_indices(renamed)
    edit.insert(copied_root(new), InsertPoint.before(target))
    edit.erase(init)
    return new


def _check(block: loop.BlockOp, target: loop.ForOp, inside: list[loop.ForOp]) -> None:
    is_foreign = any(isinstance(a.op, loop.CallExternOp) for a in accesses_in(block) if a.is_write)
    buffers = list(writes(block)) if is_foreign else [store.buffer for store in joint_stores(_NAME, block)]
    assert block.init is not None
    hidden = next((v for v in values_used(block.init) if is_inside(v, target) and not is_inside(v, block)), None)
    if hidden is not None:
        unsuitable(
            _NAME, block, f"uses {name_of(hidden)} in its init, which is not known before loop {loop_name(target)}"
        )
    if any(target.is_ancestor(op) for op in loop.enclosing(block, loop.IfOp)):
        unsuitable(_NAME, block, f"is under a condition inside loop {loop_name(target)}")
    for variable, kind, binding, _ in block.iteration():
        if kind == "spatial":
            _check_spatial(block, target, binding)
            continue
        for op in loops_behind(binding):
            if op is not target and not target.is_ancestor(op):
                fail(
                    BAD_ARGUMENT,
                    f"{_NAME}: loop {loop_name(op)} of reduce variable {name_of(variable)} is outside of loop "
                    f"{loop_name(target)}",
                    op=block,
                )
    if runs_each_once(block, inside) != PROVED:
        fail(
            UNPROVED,
            f"{_NAME}: cannot prove that loop {loop_name(target)} runs each instance of block {block.label!r} once",
            op=block,
        )
    check_init_inside(_NAME, block, inside)
    _check_inputs_of_init(block, target)
    check_init_order(_NAME, block, target, inside)
    for buffer in buffers:
        _check_alone(block, target, buffer)


def _check_shared_loops(block: loop.BlockOp, target: loop.ForOp, copied: list[loop.ForOp]) -> None:
    """Refuse where a loop of the init runs over a reduction that may have no terms: the init would not run either."""
    shared = next((op for op in reduction_loops(block) if op in copied), None)
    if shared is not None and extents_maybe_zero(block, facts_at(target)):
        reason = f"runs over its result and a reduction that may have no terms in one loop, {loop_name(shared)}"
        unsuitable(_NAME, block, reason)


def _check_inputs_of_init(block: loop.BlockOp, target: loop.ForOp) -> None:
    """Refuse unless the elements that the init reads are written before the loop."""
    for read in accesses_in(block):
        if not read.is_init or read.is_write:
            continue
        for write in accesses_of(read.buffer):
            if write.is_write and target.is_ancestor(write.op) and not write.is_init and write.block is not block:
                who = f"block {write.block.label!r}" if write.block else "an operation"
                unsuitable(_NAME, block, f"reads {name_of(read.buffer)} in its init, which {who} writes in the loop")


def check_init_order(primitive: str, block: loop.BlockOp, target: loop.ForOp, inside: Sequence[loop.ForOp]) -> None:
    """Refuse where an init would overtake an update before it: all inits will run before the loop."""
    accesses = accesses_in(block)
    for init in (a for a in accesses if a.is_init):
        others = [a for a in accesses if not a.is_init and a.buffer is init.buffer and (a.is_write or init.is_write)]
        if _touches_distinct_elements(block, init, others):
            continue
        for other in others:
            conflict = runs_before(other, init, inside)
            if conflict is not None:
                refuse_conflict(primitive, f"running the init before loop {loop_name(target)}", conflict, inside)


def _touches_distinct_elements(block: loop.BlockOp, init: Access, others: Sequence[Access]) -> bool:
    """Return whether each instance of the spatial variables touches one element, and no two instances the same."""
    if not isinstance(init.op, (loop.LoadOp, loop.StoreOp)):
        return False
    index = init.op.index
    if any(not isinstance(a.op, (loop.LoadOp, loop.StoreOp)) or a.op.index != index for a in others):
        return False
    alone = {e.terms[0][0] for e in index if len(e.terms) == 1}
    spatial = [(v, extent) for v, kind, _, extent in block.iteration() if kind == "spatial"]
    return all(v in alone or extent == Index.of(1) for v, extent in spatial)


def _check_alone(block: loop.BlockOp, target: loop.ForOp, buffer: SSAValue) -> None:
    """Refuse where other statements use the buffer between the init and the update."""
    others = [a for a in accesses_of(buffer) if a.block is not block and (a.is_write or target.is_ancestor(a.op))]
    if others and (any(a.is_write for a in others) or not isinstance(buffer.owner, loop.AllocOp)):
        who = f"block {others[0].block.label!r}" if others[0].block else "an operation"
        unsuitable(_NAME, block, f"shares {name_of(buffer)} with {who}, which could run between init and update")


def _check_spatial(block: loop.BlockOp, target: loop.ForOp, binding: Index) -> None:
    for value in binding.values():
        if is_inside(value, target) and not isinstance(value, BlockArgument):
            unsuitable(_NAME, block, f"has a spatial variable bound to {name_of(value)}, computed inside the loop")


def _spatial_loops(block: loop.BlockOp, inside: list[loop.ForOp]) -> list[loop.ForOp]:
    """Return the loops inside that spatial variables, and the bounds of those loops, depend on."""
    used: set[SSAValue] = set()
    for _, kind, binding, _ in block.iteration():
        if kind == "spatial":
            used.update(binding.values())
    found: list[loop.ForOp] = []
    for op in reversed(inside):
        if op.induction_variable in used:
            found.insert(0, op)
            used.update(v for e in (*op.lowers, *op.uppers) for v in e.values())
    return found


def _guard_of_init(block: loop.BlockOp, inside: list[loop.ForOp], copied: list[loop.ForOp]) -> list[Index]:
    """Return the conditions that the init keeps: those over none of the loops that it has no copies of.

    The others select the iterations of those loops that run the block. A condition over those loops alone holds for
    some iteration. A condition that is also over loops of the init must always hold at the first term, because the init
    runs there.
    """
    dropped = {op for op in inside if op not in copied}
    kept: list[Index] = []
    for e in block.conditions:
        loops = loops_behind(e)
        if dropped.isdisjoint(loops):
            kept.append(e)
        elif not dropped.issuperset(loops) and not _holds_at_first_term(block, e, dropped):
            unsuitable(_NAME, block, f"has a guard ({e} >= 0) over loops that its init has and loops that it has not")
    return kept


def _holds_at_first_term(block: loop.BlockOp, condition: Index, dropped: set[loop.ForOp]) -> bool:
    """Return whether a condition holds wherever all reduce variables are 0, as in the first iteration of the dropped
    loops."""
    if any(len(op.lowers) != 1 for op in dropped):
        return False
    first = {op.induction_variable: op.lowers[0] for op in dropped}
    reduced = [resolve(binding) for _, kind, binding, _ in block.iteration() if kind == "reduce"]
    if any(e.substitute(first) != Index.of(0) for e in reduced):
        return False
    return facts_at(block).proves(resolve(condition).substitute(first))


def init_block(block: loop.BlockOp, init: loop.InitOp, guard: Sequence[Index]) -> loop.BlockOp:
    """Return the init as a separate block, with a label that no other block of the function has."""
    return init_statement(block, init, guard, unique_label(function_of(block), f"{block.label}_init"))


def spatial_guard(block: loop.BlockOp) -> list[Index]:
    """Return the conditions that use no loop variable of the reduction alone."""
    spatial = {v for _, kind, binding, _ in block.iteration() if kind == "spatial" for v in binding.values()}
    reduce = {v for _, kind, binding, _ in block.iteration() if kind == "reduce" for v in binding.values()}
    return [e for e in block.conditions if not (reduce - spatial).intersection(e.values())]
