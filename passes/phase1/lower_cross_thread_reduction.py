"""Pass `lower-cross-thread-reduction`: reductions over threads become partial results and a combination of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import NoReturn, TypeAlias, TypeGuard

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_in
from ...analysis.block_reductions import Reduction, reduction_of, starts_from_identity, why_ordered
from ...analysis.domain import is_inside, loops_around, loops_behind
from ...analysis.effects import is_pure
from ...analysis.init_nests import copied_root, copy_loops
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...schedule.allocation import allocate, shape_before
from ...schedule.bodies import Row, block_over, clone_ops
from ...schedule.loop_rewriting import function_of, unique_label
from ...schedule.primitives.reorder import reorder_loops
from ...schedule.primitives.set_scope import set_buffer_scope
from ...schedule.unique_names import names_kept
from ...te.scalar_operations import appender, emit_constant
from ...traversal import operations
from ..framework.base import Level, Pass

Values: TypeAlias = "dict[SSAValue, SSAValue]"
"""For each buffer of results another one."""


@dataclass(frozen=True)
class LowerCrossThreadReductionPass(Pass):
    """Give each thread along a reduction a partial result, and combine those of a block: in a tree, or by shuffles.

    ```mlir
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      loop.block "B" (%vi = spatial(%i) in 4, %vk = reduce(%t) in 8) {
        loop.init { loop.store %zero, %B[%vi] : memref<4xf32> }
        … loop.store %s, %B[%vi] : memref<4xf32>
      }
    }
    // becomes
    %S = loop.alloc : memref<4x8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %P = loop.alloc : memref<4xf32, "local">
      // "B_start": %P[%vi] = identity; "B_part": %P[%vi] = combine(%P[%vi], term); "B_share": %S[%vi, %t] = %P[%vi]
    }
    // for each half of the remaining results, "B_tree_<half>": %S[%vi, %t] = combine(%S[%vi, %t], %S[%vi, %t + half])
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      // "B" where (%t < 1): %B[%vi] = %S[%vi, 0], combined with the init where that is not the identity
    }
    ```
    On a target with warps, if the threads along `threadIdx.x` are lanes of one warp (32 threads or a divisor of 32),
    their partial results are in memory of the warp instead:

    ```mlir
    %L = loop.alloc : memref<4x8xf32, "warp">
    // "B_share": %L[%vi, %t] = %P[%vi]; then for each bit of %t, of which %u has the other value, the highest first:
    // "B_lanes_<bit>": %M[%vi, %t] = combine(%L[%vi, %t], %L[%vi, %u]), and back
    // "B" where (%t < 1): %B[%vi] = %L[%vi, %t]
    ```
    which needs neither shared memory nor a barrier. With several warps, the first lane of each warp stores the warp's
    result in shared memory, and the first thread combines these; `repeat-in-threads` lets all threads combine them if
    all threads read the result.

    The extents of the loops over threads are constant and need not be powers of two; their product is the number of
    partial results. Reduction loops outside of the loops over threads move inside. A thread without terms, at a border,
    has the identity as its partial result. A result in memory of one thread becomes shared, because others read it.
    `insert-barriers` makes one nest of the loops.

    Needs: blocks.
    Grants: no loop over the threads of a block runs over a reduction.
    """

    name = "lower-cross-thread-reduction"
    phase = 1
    levels = (Level.BLOCK, Level.LOOP)
    reassociates = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with names_kept(op):
            for block in [nested for nested in operations(op) if isinstance(nested, loop.BlockOp)]:
                threads = _reduced_threads(block)
                if threads and may_rewrite("combine across threads", block):
                    _lower(block, threads)


def _reduced_threads(block: loop.BlockOp) -> list[loop.ForOp]:
    """Return the loops over threads that drive the reduction of a block, outermost first."""
    driving = _driving(block, "reduce")
    return [op for op in loops_around(block) if op in driving and loop.is_over_threads(op)]


@dataclass(frozen=True)
class _Plan:
    """A reduction across threads, and its loops in order. The loops over threads are perfectly nested."""

    block: loop.BlockOp
    reduction: Reduction
    threads: tuple[loop.ForOp, ...]
    inner: tuple[loop.ForOp, ...]
    """The loops over the result inside of them."""
    guard: tuple[Index, ...]
    """Conditions on the loops' variables under which a result exists."""

    @property
    def count(self) -> int:
        """The number of partial results for each result."""
        return prod(op.constant_trip_count or 1 for op in self.threads)

    @property
    def lane(self) -> Index:
        """The number of the thread among those along the reduction."""
        number = Index.of(0)
        for op in self.threads:
            number = number * (op.constant_trip_count or 1) + op.induction_variable
        return number


def _refuse(block: loop.BlockOp, reason: str, help: str | None = None) -> NoReturn:
    fail("TW0538", f"the reduction of block {block.label!r} cannot be shared by threads: {reason}", op=block, help=help)


def _refuse_both(block: loop.BlockOp, op: loop.ForOp) -> NoReturn:
    _refuse(block, f"loop {name_of(op.induction_variable)} runs over the reduction and over the result at once")


def _lower(block: loop.BlockOp, threads: Sequence[loop.ForOp]) -> None:
    plan = _plan(block, threads)
    outermost, innermost = plan.threads[0], plan.threads[-1]
    holder = innermost.body.block.find_ancestor_op_in_block(block)
    assert holder is not None
    partial = _allocate(plan, "part", holder, loop.LOCAL, [])
    init = list(block.init.body.block.ops) if block.init is not None else []
    if (lanes := _lanes_of_warp(plan)) is not None:
        share, after = _by_shuffles(plan, outermost, partial, lanes, init)
    else:
        share, after = _by_tree(plan, outermost, partial, init)
    edit.insert(_over(plan, (), _start(plan, partial)), InsertPoint.before(holder))
    edit.insert(_over(plan, (), share), InsertPoint.after(holder))
    edit.insert(after, InsertPoint.after(outermost))
    _become_partial(plan, partial)


def _by_tree(
    plan: _Plan, outermost: loop.ForOp, partial: Values, init: Sequence[Operation]
) -> tuple[loop.BlockOp, list[Operation]]:
    """Combine partial results in shared memory by a tree: the block that stores them, and the nests that add halves."""
    shared = _allocate(plan, "shared", outermost, loop.SHARED, [Index.of(plan.count)])
    after: list[Operation] = []
    half = 1
    while half < plan.count:
        after.insert(0, _over(plan, plan.threads, _tree(plan, shared, half)))
        half *= 2
    after.append(_over(plan, plan.threads, _final(plan, [(shared, 0)], init)))
    return _share(plan, partial, shared), after


def _by_shuffles(
    plan: _Plan, outermost: loop.ForOp, partial: Values, lanes: int, init: Sequence[Operation]
) -> tuple[loop.BlockOp, list[Operation]]:
    """Reduce by shuffles where `lanes` threads beside one another are lanes of a warp: each combines its value with
    that of the opposite lane, until all lanes have the whole. The first thread combines the results of several
    warps."""
    warps = plan.count // lanes
    extents = [Index.of(n) for n in ((warps, lanes) if warps > 1 else (lanes,))]
    turns = [_allocate(plan, f"lanes{n}", outermost, loop.WARP, extents) for n in range(2)]
    after: list[Operation] = []
    across, turn = lanes // 2, 0
    while across:
        after.append(_over(plan, plan.threads, _exchange(plan, turns[turn], turns[1 - turn], lanes, across)))
        across, turn = across // 2, 1 - turn
    wholes: list[tuple[Values, int | None]] = [(turns[turn], None)]
    if warps > 1:
        shared = _allocate(plan, "shared", outermost, loop.SHARED, [Index.of(warps)])
        after.append(_over(plan, plan.threads, _share_of_warp(plan, turns[turn], shared, lanes)))
        wholes = [(shared, n) for n in range(warps)]
    after.append(_over(plan, plan.threads, _final(plan, wholes, init)))
    return _share(plan, partial, turns[0], lanes), after


def _lanes_of_warp(plan: _Plan) -> int | None:
    """Return the number of adjacent threads along the reduction that are lanes of one warp; None where the target has
    no warps, or such groups do not divide them."""
    target = target_of(plan.block)
    innermost = plan.threads[-1]
    if target is None or not target.warp or innermost.kind.tag.data != loop.LANE_AXIS:
        return None
    extent = innermost.constant_trip_count or 0
    lanes = min(extent, loop.LANES)
    kernel = [p for p in loop.enclosing(plan.block, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data][-1]
    others = {op.constant_trip_count for op in operations(kernel) if _is_over(op, loop.LANE_AXIS)}
    fits = extent % loop.LANES == 0 or (loop.LANES % extent == 0 and len(plan.threads) == 1 and not plan.guard)
    return lanes if extent > 1 and fits and others == {extent} and plan.count <= loop.LANES**2 else None


def _is_over(op: Operation, tag: str) -> TypeGuard[loop.ForOp]:
    return isinstance(op, loop.ForOp) and op.kind.tag.data == tag


# Requirements on the program


def _plan(block: loop.BlockOp, threads: Sequence[loop.ForOp]) -> _Plan:
    reduction = reduction_of(block)
    if (broken := why_ordered(block)) is not None:
        _refuse(block, broken, help="run the reduction in one thread, in order")
    if reduction is None:
        _refuse(block, "it is no reduction by a known operator", help="te.comm_reducer states other operators")
    if any(True for _ in loop.enclosing(block, loop.BlockOp)):
        _refuse(block, "it stands inside another block")
    for op in threads:
        if op.lowers != (Index.of(0),) or op.constant_trip_count is None or op.iter_args:
            _refuse(block, f"the loop over {op.kind.tag.data} does not run from 0 to a constant extent")
    if any(a.store.index != reduction.store.index for a in reduction.accumulators):
        _refuse(block, "its results are stored at different elements")
    spatial, reduced = _driving(block, "spatial"), _driving(block, "reduce")
    for op in loops_around(block):
        if op in reduced & spatial:
            _refuse_both(block, op)
    _bring_outside(block, threads, reduced)
    ordered = [op for op in loops_around(block) if op in threads]
    inside = [op for op in loops_around(block) if ordered[-1].is_ancestor(op)]
    _check_nesting(block, ordered)
    inner = [op for op in inside if op in spatial]
    for op in inner:
        if _behind(*op.lowers, *op.uppers) & reduced:
            _refuse_both(block, op)
    _check_readers(block, reduction, ordered)
    guard = tuple(_guard(block, reduced))
    _bring_computations_before(block, ordered[0], guard)
    if _share_results(reduction):
        reduction = reduction_of(block)
        assert reduction is not None
    return _Plan(block, reduction, tuple(ordered), tuple(inner), guard)


def _driving(block: loop.BlockOp, of_kind: str) -> frozenset[loop.ForOp]:
    """Return the loops behind a block's variables of a kind, fused ones too."""
    return _behind(*(e for _, kind, e, _ in block.iteration() if kind == of_kind))


def _behind(*index: Index) -> frozenset[loop.ForOp]:
    return frozenset[loop.ForOp]().union(*map(loops_behind, index))


def _bring_outside(block: loop.BlockOp, threads: Sequence[loop.ForOp], reduced: frozenset[loop.ForOp]) -> None:
    """Let the loops over threads stand around the other reduction loops."""
    around = loops_around(block)
    first = next(n for n, op in enumerate(around) if op in reduced)
    last = max(around.index(op) for op in threads)
    band = around[first : last + 1]
    others = [op for op in band if loop.is_over_threads(op) and op not in threads]
    wanted = [*others, *threads, *(op for op in band if op not in threads and op not in others)]
    if list(band) != wanted:
        reorder_loops(wanted)


def _check_nesting(block: loop.BlockOp, threads: Sequence[loop.ForOp]) -> None:
    for outer, inner in zip(threads, threads[1:], strict=False):
        if list(outer.body.block.ops) != [inner]:
            _refuse(block, f"the loop over {outer.kind.tag.data} holds more than the loop over {inner.kind.tag.data}")


def _check_readers(block: loop.BlockOp, reduction: Reduction, threads: Sequence[loop.ForOp]) -> None:
    """Check that nothing else in the loops needs the results, which are complete after them."""
    results = {a.buffer for a in reduction.accumulators}
    for access in accesses_in(threads[0]):
        if access.buffer in results and access.block is not block:
            _refuse(block, f"{name_of(access.buffer)} is accessed elsewhere inside the loops over its reduction")
        if is_inside(access.buffer, threads[0]) and access.buffer in results:
            _refuse(block, f"{name_of(access.buffer)} is allocated inside the loops over its reduction")


def _guard(block: loop.BlockOp, reduced: frozenset[loop.ForOp]) -> Iterator[Index]:
    """Yield the conditions on results: those of the block that are not over the reduction, and the results' domain."""
    for e in block.conditions:
        if not reduced & loops_behind(e):
            yield e
        elif block.init is not None and _driving(block, "spatial") & loops_behind(e):
            _refuse(block, f"a guard ({e} >= 0) is over the reduction and the result at once")
    facts = facts_at(block).where(*(e for e in block.conditions if not reduced & loops_behind(e)))
    for _, kind, binding, extent in block.iteration():
        if kind == "spatial":
            yield from (e for e in (binding, extent - binding - 1) if not facts.proves(e))


def _bring_computations_before(block: loop.BlockOp, threads: loop.ForOp, guard: Sequence[Index]) -> None:
    """Move products and quotients in the indices of the results before the loops over threads, because the combination
    after these loops uses them too."""
    for op in list(operations(threads)):
        is_index = bool(op.results) and all(isinstance(result.type, IndexType) for result in op.results)
        if is_index and is_pure(op) and not any(is_inside(v, threads) for v in op.operands):
            edit.move(op, InsertPoint.before(threads))
    spatial = [e for _, kind, binding, extent in block.iteration() if kind == "spatial" for e in (binding, extent)]
    for variable in (v for e in (*spatial, *guard) for v in e.variables):
        if isinstance(variable, OpResult) and is_inside(variable, threads):
            _refuse(
                block,
                f"{name_of(variable)}, where its results begin, is computed inside the loops over its reduction",
                help="let the loops over parts of results stand outside of those over threads",
            )


def _share_results(reduction: Reduction) -> bool:
    """Let all threads see results that were meant for one; whether there are such."""
    private = [a.buffer for a in reduction.accumulators if loop.scope_of(a.buffer.type) in (loop.LOCAL, loop.REGISTER)]
    for buffer in private:
        set_buffer_scope(buffer, loop.SHARED)
    return bool(private)


# The resulting blocks


def _allocate(
    plan: _Plan, suffix: str, before: Operation, scope: str, more: Sequence[Index]
) -> dict[SSAValue, SSAValue]:
    """Allocate a buffer for each result, with more dimensions."""
    return {
        buffer: allocate(
            f"{buffer.name_hint or 'buffer'}_{suffix}", buffer, [*shape_before(buffer, before), *more], before, scope
        ).res
        for buffer, _, _ in plan.reduction.accumulators
    }


@dataclass(frozen=True)
class _Statement:
    """A block over the results, and the values of its variables."""

    block: loop.BlockOp
    index: tuple[Index, ...]
    """The element of the result."""
    lane: Index
    values: dict[SSAValue, SSAValue]
    """The spatial variables of the reduction's block -> the variables of this block."""

    def load(self, buffer: SSAValue, index: Sequence[Index], name: str | None = None) -> SSAValue:
        op = loop.LoadOp(buffer, index)
        edit.rename(op.res, name)
        edit.append(self.block.body.block, op)
        return op.res

    def store(self, values: Sequence[SSAValue], buffers: Sequence[SSAValue], index: Sequence[Index]) -> loop.BlockOp:
        ops = [loop.StoreOp(value, buffer, index) for value, buffer in zip(values, buffers, strict=True)]
        edit.append(self.block.body.block, *ops)
        for op in self.block.walk():
            op.location = self.block.location
        return self.block

    def combined(self, plan: _Plan, left: Sequence[SSAValue], right: Sequence[SSAValue]) -> Sequence[SSAValue]:
        op = plan.reduction.combining(left, right)
        edit.append(self.block.body.block, op)
        return op.results


def _statement(plan: _Plan, suffix: str, guard: Sequence[Index]) -> _Statement:
    """Make an empty block over the results and the threads along the reduction."""
    rows = [Row(v.name_hint, kind, e, n) for v, kind, e, n in plan.block.iteration() if kind == "spatial"]
    rows.append(Row("vt", "spatial", plan.lane, Index.of(plan.count)))
    label = plan.block.label if not suffix else unique_label(function_of(plan.block), f"{plan.block.label}_{suffix}")
    block = block_over(label, rows, (*plan.guard, *guard), plan.block)
    spatial = [v for v, kind, _, _ in plan.block.iteration() if kind == "spatial"]
    values: dict[SSAValue, SSAValue] = dict(zip(spatial, block.variables, strict=False))
    renamed = {old: Index.of(new) for old, new in values.items()}
    index = tuple(e.substitute(renamed) for e in plan.reduction.store.index)
    return _Statement(block, index, Index.of(block.variables[-1]), values)


def _start(plan: _Plan, partial: dict[SSAValue, SSAValue]) -> loop.BlockOp:
    statement = _statement(plan, "start", ())
    emit = appender(statement.block.body.block)
    identities = [emit_constant(emit, value.value.data, value.type) for value in plan.reduction.identities]
    for identity in identities:
        edit.rename(identity, "identity")
    return statement.store(identities, list(partial.values()), statement.index)


def _share(plan: _Plan, partial: Values, shared: Values, lanes: int = 0) -> loop.BlockOp:
    """Let others see a partial result, by the number of the thread or by those of its warp and lane."""
    statement = _statement(plan, "share", ())
    values = [statement.load(buffer, statement.index, "p") for buffer in partial.values()]
    lane = _in_warp(plan, statement.lane, lanes) if lanes else [statement.lane]
    return statement.store(values, list(shared.values()), [*statement.index, *lane])


def _in_warp(plan: _Plan, thread: Index, lanes: int) -> list[Index]:
    return [thread // lanes, thread % lanes] if plan.count > lanes else [thread]


def _exchange(plan: _Plan, before: Values, after: Values, lanes: int, across: int) -> loop.BlockOp:
    """Let every lane combine its value with that of the lane whose number differs in the bit `across`."""
    statement = _statement(plan, f"lanes_{across}", ())
    *warp, lane = _in_warp(plan, statement.lane, lanes)
    bit = lane // across % 2
    mine, its = ([*statement.index, *warp, e] for e in (lane, lane + across - bit * (2 * across)))
    left = [statement.load(buffer, mine) for buffer in before.values()]
    right = [statement.load(buffer, its, "p") for buffer in before.values()]
    return statement.store(statement.combined(plan, left, right), list(after.values()), mine)


def _share_of_warp(plan: _Plan, whole: Values, shared: Values, lanes: int) -> loop.BlockOp:
    """Let the first lane of each warp store the result of its lanes in shared memory."""
    statement = _statement(plan, "warps", [-(plan.lane % lanes)])
    warp, lane = _in_warp(plan, statement.lane, lanes)
    values = [statement.load(buffer, [*statement.index, warp, lane], "p") for buffer in whole.values()]
    return statement.store(values, list(shared.values()), [*statement.index, warp])


def _tree(plan: _Plan, shared: dict[SSAValue, SSAValue], half: int) -> loop.BlockOp:
    """Let thread t combine its value with that of thread t + half, if there is such a thread."""
    statement = _statement(plan, f"tree_{half}", [min(half, plan.count - half) - 1 - plan.lane])
    mine, its = ([*statement.index, statement.lane + n] for n in (0, half))
    left = [statement.load(buffer, mine) for buffer in shared.values()]
    right = [statement.load(buffer, its, "p") for buffer in shared.values()]
    return statement.store(statement.combined(plan, left, right), list(shared.values()), mine)


def _final(plan: _Plan, wholes: Sequence[tuple[Values, int | None]], init: Sequence[Operation]) -> loop.BlockOp:
    """Let the first thread combine the whole, which lies in several elements or in the element of that thread, with the
    initial value of the result, and store it."""
    statement = _statement(plan, "", [-plan.lane])
    results = [a.buffer for a in plan.reduction.accumulators]
    partials = [(buffers, [*statement.index, statement.lane if n is None else Index.of(n)]) for buffers, n in wholes]
    if starts_from_identity(plan.block, plan.reduction):
        return statement.store(_combined(plan, statement, partials), results, statement.index)
    if init:
        start = loop.InitOp()
        edit.append(statement.block.body.block, start)
        reduced: dict[SSAValue, Index] = {
            v: Index.of(0) for v, kind, _, _ in plan.block.iteration() if kind == "reduce"
        }
        clone_ops(init, start.body.block, statement.values, reduced)
    left = [statement.load(buffer, statement.index) for buffer in results]
    right = _combined(plan, statement, partials)
    return statement.store(statement.combined(plan, left, right), results, statement.index)


def _combined(
    plan: _Plan, statement: _Statement, partials: Sequence[tuple[Values, Sequence[Index]]]
) -> Sequence[SSAValue]:
    """Combine the partial results at several positions, in order."""
    total: Sequence[SSAValue] | None = None
    for buffers, index in partials:
        each = [statement.load(buffer, index, "p") for buffer in buffers.values()]
        total = each if total is None else statement.combined(plan, total, each)
    assert total is not None
    return total


def _over(plan: _Plan, threads: Sequence[loop.ForOp], block: loop.BlockOp) -> Operation:
    """Build loops like those over threads and over the result around a block."""
    block.substitute_indices(copy_loops([*threads, *plan.inner], block))
    return copied_root(block)


def _become_partial(plan: _Plan, partial: dict[SSAValue, SSAValue]) -> None:
    """Let the reduction go into the partial results, which are started already."""
    block = plan.block
    if block.init is not None:
        edit.erase(block.init)
    for op in (*plan.reduction.loads, *plan.reduction.stores):
        edit.change(op).operands[0 if isinstance(op, loop.LoadOp) else 1] = partial[op.buffer]
    label = unique_label(function_of(block), f"{block.label}_part")
    edit.change(block).properties["sym"] = type(block.sym)(label)
