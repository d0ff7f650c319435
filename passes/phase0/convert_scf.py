"""Loops and conditions of scf, as those of the loop dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..base import Level, Pass
from ..upstream.control import Emit, convert_for, convert_if, emitter, guard_of, is_in_parallel
from ..upstream.indices import constant_of, index_of, value_of
from ..upstream.refusal import refuse_form, refuse_operation


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
    combine in order. Needs loops that count up: `scf.while` is refused. Grants no scf operation.
    """

    name = "convert-scf"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in [each for each in operations(op) if each.dialect_name() in ("scf", "cf")]:
            if not isinstance(each, _ENDS) and may_rewrite("convert", each, is_needed=True):
                _convert(each)


_ENDS = (scf.YieldOp, scf.ReduceOp, scf.ReduceReturnOp, scf.ConditionOp)
"""What goes with the operation that it ends the region of."""


def _convert(op: Operation) -> None:
    match op:
        case scf.ForOp():
            _convert_loop(op)
        case scf.ParallelOp():
            _convert_parallel(op)
        case scf.IfOp():
            guard = guard_of(op.cond, emitter(InsertPoint.before(op), op))
            convert_if(op, guard, op.true_region, op.false_region)
        case scf.ExecuteRegionOp():
            _inline(op)
        case scf.WhileOp():
            refuse_operation(op, help="write it as scf.for: mlir-opt --scf-uplift-while-to-for, where it counts")
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
    new = convert_for(op, [lower], [upper], step, op.iter_args, op.body)
    edit.replace(op, [], new.res)


def _step(op: Operation, value: SSAValue) -> int | SSAValue:
    step = constant_of(value)
    if step is not None and step <= 0:
        refuse_form(op, f"expected a step above 0, but got {step}")
    return value if step is None else step


def _count_in_index(op: scf.ForOp, variable: SSAValue) -> None:
    """A loop over integers counts in index, and casts its number."""
    type_, uses = variable.type, list(variable.uses)
    counted = edit.retype(variable, IndexType())
    emit = emitter(InsertPoint.at_start(op.body.block), op)
    number = emit(arith.IndexCastOp(counted, type_))
    for use in uses:
        edit.change(use.operation).operands[use.index] = number


def _convert_parallel(op: scf.ParallelOp) -> None:
    """A nest of loops; what reduces is carried through all of them and combined in order."""
    place, carried = InsertPoint.before(op), list(op.initVals)
    is_parallel = not op.res and not is_in_parallel(op)
    loops: list[loop.ForOp] = []
    variables: list[SSAValue] = []
    for lower, upper, step in zip(op.lowerBound, op.upperBound, op.step, strict=True):
        emit = emitter(place, op)
        kind = loop.PARALLEL if is_parallel and not loops else loop.SERIAL
        first, width = index_of(lower), _step(op, step)
        new = loop.ForOp(0, _trips(index_of(upper) - first, width, emit), None, kind, carried, name_hint="i")
        edit.insert(new, place, of=op)
        place = InsertPoint.at_end(new.body.block)
        variables.append(_variable(new.induction_variable, first, width, emitter(place, op)))
        loops.append(new)
        carried = list(new.body.block.args[1:])
    body = op.body.block
    for argument, variable in zip(list(body.args), variables, strict=True):
        edit.replace_uses(argument, variable)
    yielded = _move_body(op, place, carried)
    for each in reversed(loops):
        if op.res:
            edit.append(each.body.block, loop.YieldOp(*yielded))
        yielded = each.res
    edit.replace(op, [], yielded if op.res else [])


def _trips(length: Index, step: int | SSAValue, emit: Emit) -> Index:
    if isinstance(step, int):
        return length.ceildiv(step)
    return Index.of(emit(arith.CeilDivSIOp(value_of(length, emit), step)))


def _variable(count: SSAValue, first: Index, step: int | SSAValue, emit: Emit) -> SSAValue:
    if isinstance(step, int):
        return emit(loop.ApplyOp(first + Index.of(count) * step))
    return emit(loop.ApplyOp(first + emit(arith.MuliOp(count, step))))


def _move_body(op: scf.ParallelOp, place: InsertPoint, carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """Move the operations of the body to `place`, and combine what they give with the carried values."""
    body = op.body.block
    last = body.last_op
    assert isinstance(last, scf.ReduceOp)
    terms, combiners = list(last.args), list(last.reductions)
    edit.move([each for each in body.ops if each is not last], place)
    yielded: list[SSAValue] = []
    for old, term, combiner in zip(carried, terms, combiners, strict=True):
        block = combiner.block
        end = block.last_op
        assert isinstance(end, scf.ReduceReturnOp)
        given: dict[SSAValue, SSAValue] = {block.args[0]: old, block.args[1]: term}
        result = given.get(end.result, end.result)
        for argument, value in zip(list(block.args), (old, term), strict=True):
            edit.replace_uses(argument, value)
        edit.move([each for each in block.ops if each is not end], place)
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
