"""Pass `convert-scf`: conversion of scf loops and conditions to the loop dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.index_expr import Index
from ...dialects.upstream.forall import ForallOp, InParallelOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..upstream.control import convert_for, convert_if, emitter, guard_of, select_instead
from ..upstream.counting_loops import for_instead_of_while
from ..upstream.indices import constant_of, index_of
from ..upstream.nests import Bounds, Nest
from ..upstream.refusal import refuse_form, refuse_operation, refuse_while


@dataclass(frozen=True)
class ConvertScfPass(Pass):
    """Lower scf loops and conditions to the loop dialect.

    ```mlir
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %a = memref.load %A[%i] : memref<?xf32>
      %t = arith.addf %acc, %a : f32
      scf.yield %t : f32
    }
    ```
    becomes
    ```mlir
    %s = loop.for %i = 0 to %n iter_args(%acc = %zero) -> (f32) {
      %a = memref.load %A[%i] : memref<?xf32>
      %t = arith.addf %acc, %a : f32
      loop.yield %t : f32
    }
    ```
    A condition that compares indices becomes a guard; any other one is a guard on its value, 0 or 1. The loops of a
    `scf.parallel` without results are of kind parallel, the outermost one at least; those with results are serial and
    combine in order. A `scf.while` that counts up becomes such a loop too; any other one is refused. Grants no scf
    operation.
    """

    name = "convert-scf"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for_instead_of_while(op)
        for each in [each for each in operations(op) if each.dialect_name() in ("scf", "cf")]:
            if each.parent is not None and not isinstance(each, _ENDS) and may_rewrite("convert", each, is_needed=True):
                _convert(each)


_ENDS = (scf.YieldOp, scf.ReduceOp, scf.ReduceReturnOp, scf.ConditionOp, InParallelOp)
"""Terminators, which are erased with the operation around them."""


def _convert(op: Operation) -> None:
    match op:
        case scf.ForOp():
            _convert_loop(op)
        case scf.ParallelOp():
            _convert_parallel(op)
        case scf.IfOp() if select_instead(op, op.cond, op.true_region, op.false_region):
            pass
        case scf.IfOp():
            guard = guard_of(op.cond, emitter(InsertPoint.before(op), op))
            convert_if(op, guard, op.true_region, op.false_region)
        case scf.ExecuteRegionOp():
            _inline(op)
        case ForallOp():
            _convert_forall(op)
        case scf.IndexSwitchOp():
            _convert_switch(op)
        case scf.WhileOp():
            refuse_while(op)
        case _:
            refuse_operation(op)


def _convert_loop(op: scf.ForOp) -> None:
    if "unsignedCmp" in op.attributes or "unsignedCmp" in op.properties:
        refuse_form(op, "expected a loop with signed bounds", help="compare as signed numbers")
    emit = emitter(InsertPoint.before(op), op)
    variable = op.body.block.args[0]
    bounds = [op.lb, op.ub, op.step]
    if not isinstance(variable.type, IndexType):
        bounds = [emit(arith.IndexCastOp(value, IndexType())) for value in bounds]
        _count_in_index(op, variable)
    lower, upper = index_of(bounds[0]), index_of(bounds[1])
    step = _step(op, bounds[2])
    results: list[SSAValue | None] = _without_buffers(op)
    inits = [init for init, result in zip(op.iter_args, results, strict=True) if result is None]
    new = convert_for(op, [lower], [upper], step, inits, op.body)
    carried = iter(new.res)
    edit.replace(op, [], [next(carried) if result is None else result for result in results])


def _without_buffers(op: scf.ForOp) -> list[SSAValue | None]:
    """Carry no buffer that each iteration hands on as it is; for each result that buffer, or None."""
    last = op.body.block.last_op
    assert isinstance(last, scf.YieldOp)
    found: list[SSAValue | None] = []
    yielded: list[SSAValue] = []
    for init, argument, value in zip(op.iter_args, list(op.body.block.args[1:]), last.operands, strict=True):
        if not isinstance(init.type, MemRefType) or value not in (argument, init):
            yielded.append(value)
            found.append(None)
            continue
        edit.replace_uses(argument, init)
        found.append(init)
    edit.change(last).operands = yielded
    for argument in reversed([a for a, init in zip(op.body.block.args[1:], found, strict=True) if init is not None]):
        edit.erase_argument(argument)
    return found


def _step(op: Operation, value: int | SSAValue) -> int | SSAValue:
    step = value if isinstance(value, int) else constant_of(value)
    if step is not None and step <= 0:
        refuse_form(op, f"expected a step above 0, but got {step}")
    return value if step is None else step


def _count_in_index(op: scf.ForOp, variable: SSAValue) -> None:
    """Let a loop over integers count in index. The counter is one of the integers, so that a cast back to index is the
    counter itself."""
    type_, uses = variable.type, list(variable.uses)
    lower = constant_of(op.lb)
    counted = edit.retype(variable, IndexType())
    emit = emitter(InsertPoint.at_start(op.body.block), op)
    number = emit(arith.IndexCastOp(counted, type_))
    for use in uses:
        user = use.operation
        keeps = isinstance(user, arith.ExtSIOp) or (
            isinstance(user, arith.ExtUIOp) and lower is not None and lower >= 0
        )
        if isinstance(user, arith.IndexCastOp):
            edit.replace(user, [], [counted])
        elif keeps and user.results[0].type == i64:
            edit.replace(user, arith.IndexCastOp(counted, i64))
        else:
            edit.change(user).operands[use.index] = number
    if not number.uses:
        edit.erase(number.owner)  # pyright: ignore[reportArgumentType]


def _convert_parallel(op: scf.ParallelOp) -> None:
    """Convert the loop to a nest of loops; the values that it reduces are carried through all of them and combined in
    order."""
    bounds = [
        Bounds([index_of(lower)], [index_of(upper)], _step(op, step))
        for lower, upper, step in zip(op.lowerBound, op.upperBound, op.step, strict=True)
    ]
    last = op.body.block.last_op
    assert isinstance(last, scf.ReduceOp)
    results = Nest(op, bounds, op.initVals).build(
        op.body.block, last, lambda carried, point: _reduced(last, point, carried)
    )
    edit.replace(op, [], results if op.res else [])


def _convert_forall(op: ForallOp) -> None:
    """Convert the loop to a nest of loops. The form on tensors has become one on buffers before."""
    if op.outputs:
        refuse_form(op, "expected a loop over buffers, but got one that shares tensors")
    bounds = [Bounds([_index(lower)], [_index(upper)], _step(op, step)) for lower, upper, step in op.bounds()]
    last = op.body.block.last_op
    assert last is not None
    Nest(op, bounds).build(op.body.block, last)
    edit.replace(op, [], [])


def _index(bound: int | SSAValue) -> Index:
    return Index.of(bound) if isinstance(bound, int) else index_of(bound)


def _convert_switch(op: scf.IndexSwitchOp) -> None:
    """Convert the switch to a chain of conditions that compare with one case each."""
    emit = emitter(InsertPoint.before(op), op)
    cases = [int(n) for n in op.cases.get_values()]  # pyright: ignore[reportArgumentType]
    types = list(op.result_types)
    other = op.default_region
    for number, region in reversed(list(zip(cases, op.case_regions, strict=True))):
        constant = emit(arith.ConstantOp(IntegerAttr.from_index_int_value(number)))
        is_case = emit(arith.CmpiOp(op.arg, constant, "eq"))
        condition = scf.IfOp(is_case, types, _taken(region), _taken(other))
        other = Region(Block())
        edit.append(other.block, condition, scf.YieldOp(*condition.results))
    block = other.block
    last = block.last_op
    assert last is not None
    results, inner = list(last.operands), [each for each in block.ops if each is not last]
    edit.move(inner, InsertPoint.before(op))
    edit.replace(op, [], results)
    for each in [each for first in inner for each in operations(first)]:
        if isinstance(each, scf.IfOp) and each.parent is not None:
            _convert(each)


def _taken(region: Region) -> Region:
    """Move the operations of a region to a new region."""
    taken = Region(Block())
    edit.move(list(region.block.ops), InsertPoint.at_end(taken.block))
    return taken


def _reduced(last: scf.ReduceOp, point: InsertPoint, carried: Sequence[SSAValue]) -> list[SSAValue]:
    """Combine the results of the body with the carried values, by operations at `point`."""
    yielded: list[SSAValue] = []
    for old, term, combiner in zip(carried, last.args, last.reductions, strict=True):
        block = combiner.block
        end = block.last_op
        assert isinstance(end, scf.ReduceReturnOp)
        given: dict[SSAValue, SSAValue] = {block.args[0]: old, block.args[1]: term}
        result = given.get(end.result, end.result)
        for argument, value in zip(list(block.args), (old, term), strict=True):
            edit.replace_uses(argument, value)
        edit.move([each for each in block.ops if each is not end], point)
        yielded.append(result)
    return yielded


def _inline(op: scf.ExecuteRegionOp) -> None:
    if len(op.region.blocks) != 1:
        refuse_operation(op, help="raise branches to loops and conditions: mlir-opt --lift-cf-to-scf")
    block = op.region.block
    last = block.last_op
    assert last is not None
    values = list(last.operands)
    edit.move([each for each in block.ops if each is not last], InsertPoint.before(op))
    edit.replace(op, [], values)
