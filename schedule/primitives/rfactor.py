"""rfactor: partial results of a reduction, one for each iteration of a loop, and a reduction over these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.arith import MuliOp
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.access import blocks_in
from ...analysis.block_reductions import Reduction, reduction_of, why_ordered
from ...analysis.domain import is_inside, loops_around, resolve
from ...analysis.instances import runs_each_once
from ...analysis.integer_set import PROVED
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...te.scalar_operations import appender, emit_constant
from ..allocation import allocate, shape_before
from ..bodies import Row, block_over, clone_ops, inline_first_iteration
from ..engine import Engine
from ..forms import (
    check_distinct_elements,
    check_init_inside,
    check_reads_of_results,
    check_written_once,
    positions_of,
    unsuitable,
)
from ..handles import BlockRV, LoopRV
from ..loop_rewriting import function_of, only_effect, unique_label
from ..primitive_declaration import REDUCTIONS, register_primitive
from ..refusal import BAD_ARGUMENT, IN_ORDER, NOT_FACTORABLE, UNPROVED, loop_name

_NAME = "rfactor"


@register_primitive(REDUCTIONS)
def rfactor(sch: Engine, loop: LoopRV, factor_axis: int = 0) -> BlockRV:
    """Give each iteration of a reduction loop a separate partial result and combine these in a second nest.

    The loop must run over a part of the reduction and nothing else. Partial results are stored in a new buffer, whose
    dimension `factor_axis` counts the iterations. They start from the combiner's identity, which also stands where an
    iteration has no term. In the block of the partial results, which is returned, the loop is spatial and can be
    parallel or vectorized. The second block combines them after the first nest, starting from the original init; the
    handle of the reduction's block refers to it. The terms are combined in another order, which changes the rounding of
    floats.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %ko = 0 to 16 {
        loop.for %ki = 0 to 4 {
          loop.block "B" (%vi = spatial(%i) in 8, %vk = reduce(%ko * 4 + %ki) in 64) {
            loop.init {
              loop.store %zero, %B[%vi] : memref<8xf32>
            }
            %a = loop.load %A[%vi, %vk] : memref<8x64xf32>
            %b = loop.load %B[%vi] : memref<8xf32>
            %s = arith.addf %b, %a : f32
            loop.store %s, %B[%vi] : memref<8xf32>
          }
        }
      }
    }
    ```
    after `rfactor(ki)`:
    ```mlir
    %B_rf = loop.alloc : memref<4x8xf32>
    loop.for %i = 0 to 8 {
      loop.for %ko = 0 to 16 {
        loop.for %ki = 0 to 4 {
          loop.block "B_rf" (%vki = spatial(%ki) in 4, %vi = spatial(%i) in 8, %vko = reduce(%ko) in 16) {
            loop.init {
              %identity = arith.constant 0.000000e+00 : f32
              loop.store %identity, %B_rf[%vki, %vi] : memref<4x8xf32>
            }
            %a = loop.load %A[%vi, %vko * 4 + %vki] : memref<8x64xf32>
            %b = loop.load %B_rf[%vki, %vi] : memref<4x8xf32>
            %s = arith.addf %b, %a : f32
            loop.store %s, %B_rf[%vki, %vi] : memref<4x8xf32>
          }
        }
      }
    }
    loop.for %i = 0 to 8 {
      loop.for %ki = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vki = reduce(%ki) in 4) {
          loop.init {
            loop.store %zero, %B[%vi] : memref<8xf32>
          }
          %b = loop.load %B[%vi] : memref<8xf32>
          %p = loop.load %B_rf[%vki, %vi] : memref<4x8xf32>
          %s = arith.addf %b, %p : f32
          loop.store %s, %B[%vi] : memref<8xf32>
        }
      }
    }
    ```
    """
    target = sch.loop(loop)
    blocks = blocks_in(target)
    partial, final = _rfactor(target, factor_axis)
    sch.note_algebra(reassociates=True)
    sch.stand_for(blocks[0], final)
    return sch.handle_of(partial)


def _rfactor(target: loop.ForOp, factor_axis: int = 0) -> tuple[loop.BlockOp, loop.BlockOp]:
    plan = _plan(target, factor_axis)
    buffers = _allocate(plan)
    final = _final(plan, buffers)
    block = _partial(plan, buffers)
    edit.insert(block, InsertPoint.before(plan.block))
    edit.erase(plan.block)
    return block, final


@dataclass(frozen=True)
class _Plan:
    """The analysis of a reduction, before any rewriting."""

    block: loop.BlockOp
    reduction: Reduction
    target: loop.ForOp
    axis: int
    nest: tuple[loop.ForOp, ...]
    """The loops that hold nothing but the block, outermost first."""
    reduce_loops: tuple[loop.ForOp, ...]
    """The loops that drive reduce variables."""
    spatial_guard: tuple[int, ...]
    """The positions of the block's conditions over spatial loops alone."""

    @property
    def rest(self) -> list[loop.ForOp]:
        """The loops of the reduction that each partial result runs over."""
        return [op for op in self.reduce_loops if op is not self.target]

    def partial_index(self, variable: SSAValue, index: Sequence[Index]) -> list[Index]:
        """Return the element of the partial results for an element of the result."""
        return [*index[: self.axis], Index.of(variable), *index[self.axis :]]


def _plan(target: loop.ForOp, factor_axis: int) -> _Plan:
    blocks = blocks_in(target)
    if len(blocks) != 1:
        _refuse(target, f"it holds {len(blocks)} blocks")
    (block,) = blocks
    if target.kind == loop.PARALLEL:
        _refuse(target, "it is parallel, so that the sum of the partial results would be too")
    reduction = reduction_of(block)
    if (broken := why_ordered(block)) is not None:
        _refuse(target, f"block {block.label!r} combines its terms in order, because {broken}", help=IN_ORDER)
    if reduction is None or block.init is None:
        _refuse(target, f"block {block.label!r} is no reduction by a known operator with its init")
    assert isinstance(reduction.buffer.type, MemRefType)
    rank = reduction.buffer.type.get_num_dims()
    if not -rank - 1 <= factor_axis <= rank:
        fail(
            BAD_ARGUMENT,
            f"{_NAME}: expected a factor axis from {-rank - 1} to {rank} for {name_of(reduction.buffer)}, "
            f"but got {factor_axis}",
            op=block,
        )
    nest = _exclusive_loops(block)
    if target not in nest:
        _refuse(target, f"it, or a loop inside it, holds more than block {block.label!r}")
    reduce_loops = _reduce_loops(block, target, nest)
    _check_results(block, reduction)
    loops = nest[nest.index(reduce_loops[0]) :]
    if runs_each_once(block, loops) != PROVED:
        message = f"{_NAME}: cannot prove that the loops around block {block.label!r} run each of its instances once"
        fail(UNPROVED, message, op=block)
    check_init_inside(_NAME, block, loops)
    spatial_guard = _spatial_guard(block, target, reduce_loops)
    plan = _Plan(block, reduction, target, factor_axis % (rank + 1), nest, reduce_loops, spatial_guard)
    _check_values(plan)
    return plan


def _refuse(target: loop.ForOp, reason: str, help: str | None = None) -> NoReturn:
    fail(NOT_FACTORABLE, f"{_NAME}: cannot factor out loop {loop_name(target)}: {reason}", op=target, help=help)


def _exclusive_loops(block: loop.BlockOp) -> tuple[loop.ForOp, ...]:
    """Return the innermost loops around a block that hold no other effects, outermost first."""
    loops: list[loop.ForOp] = []
    inner: Operation = block
    for op in reversed(loops_around(block)):
        if inner.parent_op() is not op or op.iter_args or only_effect(op) is not inner:
            break
        loops.insert(0, op)
        inner = op
    return tuple(loops)


def _reduce_loops(block: loop.BlockOp, target: loop.ForOp, nest: Sequence[loop.ForOp]) -> tuple[loop.ForOp, ...]:
    """Return the loops behind reduce variables, each behind those alone and with bounds known before the nest."""
    by_variable: dict[SSAValue, loop.ForOp] = {op.induction_variable: op for op in nest}
    behind: dict[str, list[SSAValue]] = {"spatial": [], "reduce": []}
    for _, kind, binding, _ in block.iteration():
        behind[kind] += resolve(binding).values()
    _check_no_products(target, block, behind["reduce"])
    if target.induction_variable not in behind["reduce"]:
        _refuse(target, f"no reduce variable of block {block.label!r} depends on it")
    top = nest[0]
    for value in behind["reduce"]:
        if value not in by_variable and is_inside(value, top):
            _refuse(target, f"the reduction also depends on {name_of(value)}, which is no loop of its nest")
        if value in behind["spatial"] and is_inside(value, top):
            _refuse(target, f"loop {name_of(value)} runs over the reduction and over the result at once")
    found = tuple(op for op in nest if op.induction_variable in behind["reduce"])
    for op in nest:
        bounds = [v for e in (*op.lowers, *op.uppers) for v in e.values()]
        if op in found and (len(op.lowers) + len(op.uppers) != 2 or any(is_inside(v, top) for v in bounds)):
            _refuse(target, f"the bounds of loop {loop_name(op)} are not known before loop {loop_name(top)}")
        if any(v is inner.induction_variable for v in bounds for inner in found):
            _refuse(target, f"the bounds of loop {loop_name(op)} depend on the reduction")
    return found


def _check_no_products(target: loop.ForOp, block: loop.BlockOp, values: Sequence[SSAValue]) -> None:
    """Refuse parts that begin at a product.

    The parts of a split loop of symbolic extent may begin at a product with a size, and a product of an iteration
    variable and a size is no index expression.
    """
    for value in values:
        if isinstance(value.owner, MuliOp):
            _refuse(
                target,
                f"the reduction of block {block.label!r} is split into parts of symbolic length, and where one begins, "
                f"{name_of(value)}, is a product, which is no index expression",
                help="split it by a factor, so that each part has a known length; its loops can be factored out",
            )


def _check_results(block: loop.BlockOp, reduction: Reduction) -> None:
    """Refuse unless each instance of the spatial variables has a separate element."""
    if any(store.index != reduction.store.index for store in reduction.stores):
        unsuitable(_NAME, block, "should store all its results at the same element")
    reduced = {v for v, kind in zip(block.variables, block.kinds, strict=True) if kind == "reduce"}
    chosen = next((v for e in reduction.store.index for v in e.values() if v in reduced), None)
    if chosen is not None:
        message = f"{_NAME}: block {block.label!r} stores its result at an element that {name_of(chosen)} chooses"
        fail(NOT_FACTORABLE, message, op=block, help="a reduce variable that indexes the result is a spatial one")
    check_written_once(_NAME, block, reduction.store, NOT_FACTORABLE)
    if isinstance(positions_of(reduction.store, block), Index):
        check_distinct_elements(_NAME, block, reduction.store)
    check_reads_of_results(_NAME, block, reduction.stores)


def _spatial_guard(block: loop.BlockOp, target: loop.ForOp, reduce_loops: Sequence[loop.ForOp]) -> tuple[int, ...]:
    """Return the positions of the conditions over spatial loops; no condition is over both."""
    reduce: set[SSAValue] = {op.induction_variable for op in reduce_loops}
    spatial = {v for _, kind, binding, _ in block.iteration() if kind == "spatial" for v in resolve(binding).values()}
    found: list[int] = []
    for position, e in enumerate(map(resolve, block.conditions)):
        values = set(e.values())
        if not reduce & values:
            found.append(position)
        elif any(v in values and _is_loop_variable(v) for v in spatial):
            _refuse(target, f"a guard of block {block.label!r} ({e} >= 0) is over the reduction and the result at once")
    return tuple(found)


def _check_values(plan: _Plan) -> None:
    """Refuse unless the values in the body of the partial results depend on the reduction's loops alone, or on no
    loop."""
    known = _first_values(plan)
    for value in (v for e in _in_body(plan) for v in e.substitute(known).values()):
        if _is_loop_variable(value):
            _refuse(plan.target, f"the reduction also depends on loop {name_of(value)}, which is not part of it")


def _in_body(plan: _Plan) -> list[Index]:
    """Return the expressions over loops that the body of the partial results uses, where a block has variables for
    them."""
    bindings = [resolve(binding) for _, kind, binding, _ in plan.block.iteration() if kind == "reduce"]
    return bindings if _is_started(plan) else [*bindings, *_reduced_guard(plan)]


def _reduced_guard(plan: _Plan) -> list[Index]:
    return [resolve(e) for k, e in enumerate(plan.block.conditions) if k not in plan.spatial_guard]


def _first_values(plan: _Plan) -> dict[SSAValue, Index]:
    """Return the first values of the variables of the reduction's loops, and the values of those of loops of one
    iteration."""
    found: dict[SSAValue, Index] = {}
    for op in loops_around(plan.block):
        single = len(op.lowers) == len(op.uppers) == 1 and resolve(_extent(op)) == Index.of(1)
        if single or op in plan.reduce_loops:
            found[op.induction_variable] = resolve(op.lowers[0]).substitute(found)
    return found


def _is_loop_variable(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) and isinstance(value.block.parent_op(), loop.ForOp)


def _extent(op: loop.ForOp) -> Index:
    return op.uppers[0] - op.lowers[0]


def _row(op: loop.ForOp, kind: str) -> Row:
    """Return an iteration variable that runs with a loop."""
    return Row(f"v{op.induction_variable.name_hint or 'i'}", kind, op.induction_variable - op.lowers[0], _extent(op))


def _allocate(plan: _Plan) -> dict[SSAValue, SSAValue]:
    """Return a buffer of partial results for each result."""
    top = plan.nest[0]
    found: dict[SSAValue, SSAValue] = {}
    for buffer, _, _ in plan.reduction.accumulators:
        shape = shape_before(buffer, top)
        shape.insert(plan.axis, _extent(plan.target))
        found[buffer] = allocate(f"{buffer.name_hint or 'buffer'}_rf", buffer, shape, top).res
    return found


# The partial results


def _partial(plan: _Plan, buffers: dict[SSAValue, SSAValue]) -> loop.BlockOp:
    """Return the block of the partial results, which takes the position of the reduction."""
    block, target = plan.block, plan.target
    rest = plan.rest
    rows = [_row(target, "spatial"), *_spatial_rows(block)]
    rows += [_row(op, "reduce") for op in rest] or [Row("vr", "reduce", Index.of(0), Index.of(1))]
    lasts = _is_started(plan)
    guard = [e for k, e in enumerate(block.conditions) if lasts or k in plan.spatial_guard]
    label = unique_label(function_of(block), f"{block.label}_rf")
    new = block_over(label, rows, guard, block)
    factor, *variables = new.variables
    spatial = [v for v, kind, _, _ in block.iteration() if kind == "spatial"]
    mapping: dict[SSAValue, SSAValue] = dict(zip(spatial, variables, strict=False))
    inside = _first_values(plan)
    inside[target.induction_variable] += factor
    for op, variable in zip(rest, variables[len(spatial) :], strict=False):
        inside[op.induction_variable] += variable
    reduced: dict[SSAValue, Index] = {
        v: resolve(b).substitute(inside) for v, kind, b, _ in block.iteration() if kind == "reduce"
    }
    _start_from_identity(plan, new, mapping, buffers)
    body = new.body.block
    if not lasts:
        existing = loop.IfOp([e.substitute(inside) for e in _reduced_guard(plan)])
        existing.location = block.location
        edit.append(body, existing)
        body = existing.then_body.block
    clone_ops([op for op in block.body.block.ops if op is not block.init], body, mapping, reduced)
    for op in new.walk():
        if isinstance(op, (loop.LoadOp, loop.StoreOp)) and op.buffer in buffers:
            _redirect(op, buffers[op.buffer], plan.partial_index(factor, op.index))
    return new


def _spatial_rows(block: loop.BlockOp) -> list[Row]:
    return [
        Row(variable.name_hint, kind, binding, extent)
        for variable, kind, binding, extent in block.iteration()
        if kind == "spatial"
    ]


def _is_started(plan: _Plan) -> bool:
    """Return whether every partial result has a first term, at the first iteration of the other reduce loops."""
    first = {op.induction_variable: op.lowers[0] for op in plan.rest}
    facts = facts_at(plan.block).where(*(e for k, e in enumerate(plan.block.conditions) if k in plan.spatial_guard))
    return facts.proves_all([e.substitute(first) for e in _reduced_guard(plan)])


def _start_from_identity(
    plan: _Plan, new: loop.BlockOp, mapping: dict[SSAValue, SSAValue], buffers: dict[SSAValue, SSAValue]
) -> None:
    init = loop.InitOp()
    renamed = {old: Index.of(fresh) for old, fresh in mapping.items()}
    for value, accumulator in zip(plan.reduction.identities, plan.reduction.accumulators, strict=True):
        identity = emit_constant(appender(init.body.block), value.value.data, value.type)
        edit.rename(identity, "identity")
        index = [e.substitute(renamed) for e in accumulator.store.index]
        partial = plan.partial_index(new.variables[0], index)
        edit.append(init.body.block, loop.StoreOp(identity, buffers[accumulator.buffer], partial))
    for op in init.walk():
        op.location = plan.block.location
    edit.append(new.body.block, init)


def _redirect(op: loop.LoadOp | loop.StoreOp, buffer: SSAValue, index: Sequence[Index]) -> None:
    edit.change(op).operands[0 if isinstance(op, loop.LoadOp) else 1] = buffer
    op.set_index_lists(indices=index)


# The reduction over them


def _final(plan: _Plan, buffers: dict[SSAValue, SSAValue]) -> loop.BlockOp:
    """Return the block that combines the partial results, in a copy of the nest without the other reduce loops."""
    top = plan.nest[0]
    copy = top.clone()
    edit.insert(copy, InsertPoint.after(top))
    twins: dict[Operation, Operation] = dict(zip(top.walk(), copy.walk(), strict=True))
    old, target = twins[plan.block], twins[plan.target]
    assert isinstance(old, loop.BlockOp) and isinstance(target, loop.ForOp)
    rows = [*_spatial_rows(old), _row(target, "reduce")]
    guard = [e for k, e in enumerate(old.conditions) if k in plan.spatial_guard]
    new = block_over(plan.block.label, rows, guard, plan.block)
    edit.insert(new, InsertPoint.before(old))
    spatial = [v for v, kind, _, _ in plan.block.iteration() if kind == "spatial"]
    mapping: dict[SSAValue, SSAValue] = dict(zip(spatial, new.variables, strict=False))
    assert plan.block.init is not None
    zeros: dict[SSAValue, Index] = {v: Index.of(0) for v, kind, _, _ in plan.block.iteration() if kind == "reduce"}
    init = loop.InitOp()
    init.location = plan.block.location
    edit.append(new.body.block, init)
    clone_ops(plan.block.init.body.block.ops, init.body.block, mapping, zeros)
    _combine(plan, new, mapping, buffers)
    edit.erase(old)
    for op in plan.reduce_loops:
        if op is not plan.target:
            dropped = twins[op]
            assert isinstance(dropped, loop.ForOp)
            inline_first_iteration(dropped)
    return new


def _combine(
    plan: _Plan, new: loop.BlockOp, mapping: dict[SSAValue, SSAValue], buffers: dict[SSAValue, SSAValue]
) -> None:
    """results = combine(results, partial results)"""
    reduction = plan.reduction
    renamed = {old: Index.of(fresh) for old, fresh in mapping.items()}
    index = [e.substitute(renamed) for e in reduction.store.index]
    results: list[loop.LoadOp] = []
    terms: list[loop.LoadOp] = []
    for accumulator in reduction.accumulators:
        results.append(loop.LoadOp(accumulator.buffer, index))
        edit.rename(results[-1].res, accumulator.load.res.name_hint)
        terms.append(loop.LoadOp(buffers[accumulator.buffer], plan.partial_index(new.variables[-1], index)))
        edit.rename(terms[-1].res, "p")
    combined = reduction.combining([load.res for load in results], [load.res for load in terms])
    for fresh, old in zip(combined.results, reduction.combine.results, strict=True):
        edit.rename(fresh, old.name_hint)
    targets = zip(combined.results, reduction.accumulators, strict=True)
    stores = [loop.StoreOp(value, accumulator.buffer, index) for value, accumulator in targets]
    ops: list[Operation] = [*results, *terms, combined, *stores]
    for op in ops:
        op.location = plan.block.location
    edit.append(new.body.block, *ops)
