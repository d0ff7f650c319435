"""Loops and conditions of affine and scf as those of the loop dialect: what the two conversions share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IndexType, MemRefType, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.dtypes import has_dtype
from ...dialects.index_expr import Index
from ...ir import editor as edit
from .indices import index_of, value_of
from .refusal import refuse_form

Emit = Callable[[Operation], SSAValue]


def emitter(point: InsertPoint, of: Operation) -> Emit:
    """What inserts operations at a point, with the location of `of`."""

    def emit(op: Operation) -> SSAValue:
        edit.insert(op, point, of=of)
        return op.results[0]

    return emit


def convert_for(
    op: Operation,
    lowers: Sequence[Index],
    uppers: Sequence[Index],
    step: int | SSAValue,
    inits: Sequence[SSAValue],
    body: Region,
    kind: loop.LoopKindAttr = loop.SERIAL,
) -> loop.ForOp:
    """Put a loop in the place of `op`, whose `body` it takes; the body's terminator yields the carried values.

    A step other than 1 becomes a count from 0, of which the variable is computed.
    """
    variable = body.block.args[0]
    emit = emitter(InsertPoint.before(op), op)
    if step == 1:
        new = loop.ForOp(list(lowers), list(uppers), None, kind, inits)
    else:
        first = lowers[0] if len(lowers) == 1 else index_of(extreme(lowers, arith.MaxSIOp, emit))
        new = loop.ForOp(0, [_trips(first, upper, step, emit) for upper in uppers], None, kind, inits)
        _scale(variable, body.block, first, step)
    for value in inits:
        _check_carried(op, value)
    last = end_of(op, body.block, len(inits))
    edit.insert(new, InsertPoint.before(op), of=op)
    edit.replace_body(new, body)
    edit.rename(new.induction_variable, new.induction_variable.name_hint or "i")
    if inits:
        edit.insert(loop.YieldOp(*last.operands), InsertPoint.before(last), of=last)
    edit.erase(last)
    return new


def end_of(op: Operation, block: Block, count: int) -> Operation:
    """What ends a region of `op`. Raises TilewrightError TW0571 where it does not yield `count` values."""
    last = block.last_op
    if not isinstance(last, (affine.YieldOp, scf.YieldOp)) or len(last.operands) != count:
        refuse_form(op, f"expected a region of '{op.name}' to end in a yield of {count} values")
    return last


def _check_carried(op: Operation, value: SSAValue) -> None:
    if not has_dtype(value.type):
        refuse_form(
            op,
            f"expected loops to carry numbers and indices, but got {value.type}",
            help="let the loop write a buffer that is allocated before it",
        )


def _trips(first: Index, upper: Index, step: int | SSAValue, emit: Emit) -> Index:
    """The number of iterations from `first` on."""
    if isinstance(step, int):
        return (upper - first).ceildiv(step)
    return Index.of(emit(arith.CeilDivSIOp(value_of(upper - first, emit), step)))


def _scale(variable: SSAValue, block: Block, first: Index, step: int | SSAValue) -> None:
    """Let users of a loop's variable use the value that it has in the iteration of that number."""
    emit = emitter(InsertPoint.at_start(block), block.parent_op() or block.ops.first)  # pyright: ignore
    uses = list(variable.uses)
    if isinstance(step, int):
        value = emit(loop.ApplyOp(first + Index.of(variable) * step))
    else:
        value = emit(loop.ApplyOp(first + emit(arith.MuliOp(variable, step))))
    edit.rename(value, variable.name_hint)
    for use in uses:
        edit.change(use.operation).operands[use.index] = value


def extreme(indices: Sequence[Index], combine: type[Operation], emit: Emit) -> SSAValue:
    """The largest or the smallest of some expressions."""
    result = value_of(indices[0], emit)
    for index in indices[1:]:
        result = emit(combine(result, value_of(index, emit)))  # pyright: ignore[reportCallIssue]
    return result


def convert_if(op: Operation, guard: Sequence[Index], then: Region, other: Region) -> None:
    """Put a condition in the place of `op`, whose regions it takes. Results go through buffers of one element."""
    emit = emitter(InsertPoint.before(op), op)
    for result in op.results:
        _check_carried(op, result)
    buffers = [emit(loop.AllocOp(MemRefType(result.type, []))) for result in op.results]
    for region in (then, other):
        for block in region.blocks:
            last = end_of(op, block, len(buffers))
            for value, buffer in zip(last.operands, buffers, strict=True):
                edit.insert(loop.StoreOp(value, buffer, []), InsertPoint.before(last), of=last)
            edit.erase(last)
    new = loop.IfOp(guard, Region(Block()), Region(Block()) if other.blocks and other.block.ops else None)
    edit.insert(new, InsertPoint.before(op), of=op)
    for region, target in ((then, new.then_body), (other, new.else_body)):
        if target.blocks:
            edit.move(list(region.block.ops), InsertPoint.at_end(target.block))
    after = emitter(InsertPoint.before(op), op)
    values = [after(loop.LoadOp(buffer, [])) for buffer in buffers]
    edit.replace(op, [], values)


def guard_of(condition: SSAValue, emit: Emit) -> list[Index]:
    """Expressions that are all >= 0 where a truth value holds: a comparison of indices, else its value."""
    known = _comparison(condition)
    if known is not None:
        return known
    number = emit(arith.IndexCastOp(emit(arith.ExtUIOp(condition, i64)), IndexType()))
    return [Index.of(number) - 1]


def _comparison(condition: SSAValue) -> list[Index] | None:
    op = condition.owner
    if isinstance(op, arith.AndIOp):
        parts = [_comparison(operand) for operand in op.operands]
        return None if None in parts else [index for part in parts for index in part or ()]
    if not isinstance(op, arith.CmpiOp) or not isinstance(op.lhs.type, IndexType):
        return None
    lhs, rhs = index_of(op.lhs), index_of(op.rhs)
    match op.predicate.value.data:
        case 0:
            return [lhs - rhs, rhs - lhs]
        case 2:
            return [rhs - lhs - 1]
        case 3:
            return [rhs - lhs]
        case 4:
            return [lhs - rhs - 1]
        case 5:
            return [lhs - rhs]
        case _:
            return None


def is_in_parallel(op: Operation) -> bool:
    """Whether a loop around `op` is parallel."""
    return any(isinstance(each, loop.ForOp) and each.kind == loop.PARALLEL for each in loop.enclosing(op, loop.ForOp))
