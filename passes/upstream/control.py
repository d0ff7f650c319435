"""Conversion of loops and conditions of affine and scf to the loop dialect: the common part of both passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import affine, arith, scf
from xdsl.dialects.builtin import IndexType, MemRefType, UnitAttr, VectorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.dtypes import has_dtype
from ...dialects.index_expr import LANE, Index
from ...dialects.upstream.undefined import UPSTREAM
from ...ir import editor as edit
from .indices import index_of, value_of
from .refusal import refuse_form

Emit = Callable[[Operation], SSAValue]


def emitter(point: InsertPoint, of: Operation) -> Emit:
    """Return a function that inserts operations at a point, with the location of `of`."""

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
    """Replace `op` by a loop that takes over its `body`. The body's terminator yields the carried values.

    A step other than 1 becomes a count from 0, of which the variable is computed.
    """
    variable = body.block.args[0]
    emit = emitter(InsertPoint.before(op), op)
    lowers = [e for lower in lowers for e in largest_of(lower)]
    uppers = [e for upper in uppers for e in least_of(upper)]
    if step == 1:
        new = loop.ForOp(list(lowers), list(uppers), None, kind, inits)
    else:
        first = lowers[0] if len(lowers) == 1 else index_of(extreme(lowers, arith.MaxSIOp, emit))
        new = loop.ForOp(0, [trips(first, upper, step, emit) for upper in uppers], None, kind, inits)
        _scale(variable, body.block, first, step)
    for value in inits:
        check_carried(op, value)
    last = end_of(op, body.block, len(inits))
    edit.insert(new, InsertPoint.before(op), of=op)
    edit.replace_body(new, body)
    edit.rename(new.induction_variable, new.induction_variable.name_hint or "i")
    if inits:
        edit.insert(loop.YieldOp(*last.operands), InsertPoint.before(last), of=last)
    edit.erase(last)
    return new


def end_of(op: Operation, block: Block, count: int) -> Operation:
    """Return the terminator of a region of `op`. Raises TilewrightError TW0571 if it does not yield `count` values."""
    last = block.last_op
    if not isinstance(last, (affine.YieldOp, scf.YieldOp)) or len(last.operands) != count:
        refuse_form(op, f"expected a region of '{op.name}' to end in a yield of {count} values")
    return last


def check_carried(op: Operation, value: SSAValue) -> None:
    """Raise TilewrightError TW0571 for a value that neither loops carry nor buffers of one value hold."""
    type_ = value.type
    is_row = isinstance(type_, VectorType) and type_.get_num_dims() == 1 and not any(type_.get_scalable_dims())
    if not has_dtype(type_.element_type if is_row and isinstance(type_, VectorType) else type_):
        refuse_form(
            op,
            f"expected numbers, indices and vectors of one dimension of '{op.name}', but got {type_}",
            help="let the loop write a buffer that is allocated before it",
        )


def largest_of(lower: Index) -> list[Index]:
    """Return bounds of which the largest one is `lower`, which may be the maximum of values."""
    return _parts_of(lower, arith.MaxSIOp, arith.MinSIOp)


def least_of(upper: Index) -> list[Index]:
    """Return bounds of which the least one is `upper`, which may be the minimum of values."""
    return _parts_of(upper, arith.MinSIOp, arith.MaxSIOp)


def _parts_of(bound: Index, same: type[Operation], other: type[Operation]) -> list[Index]:
    """Return the operands of a `same` that is added, or of an `other` that is subtracted, each with the rest of the
    bound."""
    for value in bound.values():
        sign = bound.coefficient(value)
        if isinstance(value.owner, same if sign == 1 else other) and abs(sign) == 1:
            rest = bound.without(value)
            parts = [rest + index_of(operand) * sign for operand in value.owner.operands]
            return [e for part in parts for e in _parts_of(part, same, other)]
    return [bound]


def trips(first: Index, upper: Index, step: int | SSAValue, emit: Emit) -> Index:
    """Return the number of iterations from `first` on."""
    if isinstance(step, int):
        return (upper - first).ceildiv(step)
    division = arith.CeilDivSIOp(value_of(upper - first, emit), step)
    edit.change(division).attributes[UPSTREAM] = UnitAttr()
    return Index.of(emit(division))


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
    """Compute the largest or the smallest of some expressions."""
    result = value_of(indices[0], emit)
    for index in indices[1:]:
        result = emit(combine(result, value_of(index, emit)))  # pyright: ignore[reportCallIssue]
    return result


def convert_if(op: Operation, guard: Sequence[Index], then: Region, other: Region) -> None:
    """Replace `op` by a condition that takes over its regions. Results go through buffers of one element."""
    emit = emitter(InsertPoint.before(op), op)
    for result in op.results:
        check_carried(op, result)
    buffers = [emit(loop.AllocOp(buffer_type(result.type))) for result in op.results]
    for region in (then, other):
        for block in region.blocks:
            last = end_of(op, block, len(buffers))
            for value, buffer in zip(last.operands, buffers, strict=True):
                edit.insert(loop.StoreOp(value, buffer, _lanes(value.type)), InsertPoint.before(last), of=last)
            edit.erase(last)
    new = loop.IfOp(guard, Region(Block()), Region(Block()) if other.blocks and other.block.ops else None)
    edit.insert(new, InsertPoint.before(op), of=op)
    for region, target in ((then, new.then_body), (other, new.else_body)):
        if target.blocks:
            edit.move(list(region.block.ops), InsertPoint.at_end(target.block))
    after = emitter(InsertPoint.before(op), op)
    values = [load_of(buffer, result.type, after) for buffer, result in zip(buffers, op.results, strict=True)]
    edit.replace(op, [], values)


def buffer_type(type: Attribute) -> MemRefType:
    """Return the type of a buffer that holds one value of a type."""
    return MemRefType(type.element_type, type.get_shape()) if isinstance(type, VectorType) else MemRefType(type, [])


def load_of(buffer: SSAValue, type: Attribute, emit: Emit) -> SSAValue:
    """Load the value of a type that a buffer of `buffer_type` holds."""
    return emit(loop.LoadOp(buffer, _lanes(type), lanes=type.get_shape()[0] if isinstance(type, VectorType) else None))


def _lanes(type: Attribute) -> list[Index]:
    return [Index.of(LANE)] if isinstance(type, VectorType) else []


def select_instead(op: Operation, condition: SSAValue, then: Region, other: Region) -> bool:
    """Put the operations of both regions of `op` before it, and select its results, where neither can go wrong.

    False where the regions do more than compute numbers.
    """
    regions = (then, other)
    if not op.results or any(isinstance(result.type, VectorType) for result in op.results):
        return False
    ends = [end_of(op, region.block, len(op.results)) for region in regions]
    inner = [[each for each in region.block.ops if each is not end] for region, end in zip(regions, ends, strict=True)]
    if not all(_is_harmless(each) for each in (*inner[0], *inner[1])):
        return False
    edit.move([*inner[0], *inner[1]], InsertPoint.before(op))
    emit = emitter(InsertPoint.before(op), op)
    pairs = zip(*(end.operands for end in ends), strict=True)
    edit.replace(op, [], [emit(arith.SelectOp(condition, one, two)) for one, two in pairs])
    return True


def _is_harmless(op: Operation) -> bool:
    """Return whether an operation may run where its result is not used: it computes a number from any numbers."""
    return isinstance(op, loop.ApplyOp) or (op.dialect_name() in ("arith", "math") and not isinstance(op, _DIVISIONS))


_DIVISIONS = (
    *(arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp),
    *(arith.FloorDivSIOp, arith.CeilDivSIOp, arith.CeilDivUIOp),
)


def guard_of(condition: SSAValue, emit: Emit) -> list[Index]:
    """Return expressions that are all >= 0 where a truth value holds: a comparison of indices, else its value."""
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
    """Return whether a loop around `op` is parallel."""
    return any(isinstance(each, loop.ForOp) and each.kind == loop.PARALLEL for each in loop.enclosing(op, loop.ForOp))
