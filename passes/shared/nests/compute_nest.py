"""Lowering of a te.compute to a loop nest around one block: the form of every compute in the loop dialect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, IntegerType, MemRefType, Signedness
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....diagnostics.locations import location_of, set_missing_locations
from ....diagnostics.remarks import remark
from ....dialects import loop, te
from ....dialects.index_expr import Index
from ....ir import editor as edit
from ....te.combiners import identity
from ....te.dtypes import dtype_of_ir
from ....te.scalar_operations import appender, emit_binary, emit_constant, number_attribute


@dataclass
class Environment:
    """The map from te values to the loop dialect: buffers for tensors, values for scalars, expressions for indices."""

    values: dict[SSAValue, SSAValue] = field(default_factory=dict)
    indices: dict[SSAValue, Index] = field(default_factory=dict)

    def define(self, old: SSAValue, new: SSAValue) -> None:
        self.values[old] = new
        self.indices[old] = Index.of(new)

    def translate(self, expressions: Sequence[Index]) -> list[Index]:
        return [e.substitute(self.indices) for e in expressions]

    def inner(self) -> Environment:
        return Environment(dict(self.values), dict(self.indices))


def build_nest(
    compute: te.ComputeOp, environment: Environment, targets: Sequence[SSAValue], outer: Sequence[loop.ForOp] = ()
) -> Operation:
    """Build a serial loop for each axis and the block within, which writes one buffer for each result.

    The first axes run over `outer` loops, which are around the returned operations.
    """
    hints = [axis.name_hint or f"i{n}" for n, axis in enumerate(compute.body.block.args)]
    extents = environment.translate(compute.index_list("extents"))
    wanted = list(zip(extents, hints, strict=True))[len(outer) :]
    inner = [loop.ForOp(0, extent, name_hint=hint) for extent, hint in wanted]
    loops = [*outer, *inner]
    block = loop.BlockOp(
        compute.label,
        ["spatial"] * len(compute.spatial_axes) + ["reduce"] * len(compute.reduce_axes),
        [each.induction_variable for each in loops],
        extents,
        name_hints=[f"v{hint}" for hint in hints],
    )
    _fill_block(block, compute, environment.inner(), targets)
    _remark_narrow_sums(compute)
    nest = _nested(inner, block)
    set_missing_locations(nest, location_of(compute) or nest.location)
    return nest


def _remark_narrow_sums(compute: te.ComputeOp) -> None:
    """Emit a remark for sums in a narrow type: operators accumulate in a wider one; a reduction that a user wrote keeps
    the type of its terms."""
    reduce = compute.terminator
    if not isinstance(reduce, te.ReduceOp) or reduce.kind not in ("add", "mul"):
        return
    for dtype in {dtype_of_ir(value.type) for value in reduce.values} & {"float16", "bfloat16"}:
        remark(
            "TW0424",
            f"compute '{compute.label}' accumulates in {dtype}",
            op=compute,
            notes=['terms cast with astype("float32"), and the result cast back, are rounded once'],
            kind="analysis",
        )


def build_copy(
    label: str, shape: Sequence[Index], source: SSAValue, target: SSAValue, rows: Sequence[Index] = ()
) -> Operation:
    """Build a loop nest that copies one buffer to another; of the first dimension, at most as much as each of
    `rows`."""
    loops, block = _spatial_nest(label, shape, rows)
    load = loop.LoadOp(source, block.variables)
    edit.append(block.body.block, load, loop.StoreOp(load.res, target, block.variables))
    return _nested(loops, block)


def build_zeros(label: str, shape: Sequence[Index], target: SSAValue) -> Operation:
    """Build a loop nest that fills a buffer with zeros."""
    loops, block = _spatial_nest(label, shape, ())
    assert isinstance(target.type, MemRefType)
    zero = emit_constant(appender(block.body.block), 0, target.type.element_type)
    edit.append(block.body.block, loop.StoreOp(zero, target, block.variables))
    return _nested(loops, block)


def _spatial_nest(
    label: str, shape: Sequence[Index], rows: Sequence[Index]
) -> tuple[Sequence[loop.ForOp], loop.BlockOp]:
    """Build loops over a shape, and an empty block within; of the first dimension, at most as much as each of
    `rows`."""
    hints = [f"i{n}" for n in range(len(shape))]
    uppers = [[extent, *(rows if d == 0 else ())] for d, extent in enumerate(shape)]
    loops = [loop.ForOp(0, upper, name_hint=hint) for upper, hint in zip(uppers, hints, strict=True)]
    variables = [each.induction_variable for each in loops]
    kinds = ["spatial"] * len(shape)
    return loops, loop.BlockOp(label, kinds, variables, shape, name_hints=[f"v{hint}" for hint in hints])


def _nested(loops: Sequence[loop.ForOp], block: loop.BlockOp) -> Operation:
    """Put the first loop around the second, and so on around the block."""
    nest: Operation = block
    for each in reversed(loops):
        edit.append(each.body.block, nest)
        nest = each
    return nest


def _fill_block(
    block: loop.BlockOp, compute: te.ComputeOp, environment: Environment, targets: Sequence[SSAValue]
) -> None:
    for axis, variable in zip(compute.body.block.args, block.variables, strict=True):
        environment.define(axis, variable)
    indices = block.variables[: compute.rank]
    terminator = compute.terminator
    body = block.body.block
    if isinstance(terminator, te.ReduceOp):
        edit.append(body, _init(compute, terminator, environment.inner(), targets, indices))
    skipped = {terminator, *_only_of_init(compute)}
    for op in compute.body.block.ops:
        if op not in skipped:
            edit.append(body, _translate(op, environment))
    values = [environment.values[v] for v in terminator.values]
    if isinstance(terminator, te.ReduceOp):
        values = _combine(body, terminator, targets, indices, values)
    for value, target in zip(values, targets, strict=True):
        edit.append(body, loop.StoreOp(value, target, indices))


def _init(
    compute: te.ComputeOp,
    reduce: te.ReduceOp,
    environment: Environment,
    targets: Sequence[SSAValue],
    indices: Sequence[SSAValue],
) -> loop.InitOp:
    """Build the operation that stores the initial value of the reduction."""
    init = loop.InitOp()
    block = init.body.block
    for op in te.start_operations(compute):
        edit.append(block, _translate(op, environment))
    starts = [environment.values[v] for v in reduce.starts] or _identities(block, reduce, targets)
    for start, target in zip(starts, targets, strict=True):
        edit.append(block, loop.StoreOp(start, target, indices))
    return init


def _identities(block: Block, reduce: te.ReduceOp, targets: Sequence[SSAValue]) -> list[SSAValue]:
    elements = [_element_type(t) for t in targets]
    if isinstance(reduce.identities, ArrayAttr):
        numbers = [a.value.data for a in reduce.identities.data]
    else:
        assert reduce.kind is not None
        numbers = [identity(reduce.kind, dtype_of_ir(e)) for e in elements]
    return [emit_constant(appender(block), n, e) for n, e in zip(numbers, elements, strict=True)]


def _element_type(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type.element_type


def _only_of_init(compute: te.ComputeOp) -> set[Operation]:
    """Return the operations of a body that only the initial value of its reduction uses."""
    found: set[Operation] = set()
    reduce = compute.terminator
    for op in reversed(te.start_operations(compute)):
        users = {use.operation for result in op.results for use in result.uses} - {reduce}
        if users <= found and not set(op.results).intersection(reduce.values):
            found.add(op)
    return found


def _combine(
    body: Block,
    reduce: te.ReduceOp,
    targets: Sequence[SSAValue],
    indices: Sequence[SSAValue],
    values: Sequence[SSAValue],
) -> list[SSAValue]:
    """Load the elements reduced so far and combine them with `values`."""
    emit = appender(body)
    accumulated = [emit(loop.LoadOp(target, indices)) for target in targets]
    if reduce.kind is not None and not any(_is_unsigned(v.type) for v in values):
        kind = reduce.kind
        pairs = zip(accumulated, values, strict=True)
        return [emit_binary(emit, kind, dtype_of_ir(value.type), old, value) for old, value in pairs]
    combine = loop.CombineOp(accumulated, values, *_combiner(reduce, [v.type for v in values]))
    edit.append(body, combine)
    return list(combine.res)


def _is_unsigned(type: Attribute) -> bool:
    """Return whether a type is unsigned, so that several operations combine two values of it."""
    return isinstance(type, IntegerType) and type.signedness.data == Signedness.UNSIGNED


def _combiner(reduce: te.ReduceOp, types: Sequence[Attribute]) -> tuple[Attribute, Region]:
    """Return the identities and the region of a `loop.combine` that combines as the reduction does."""
    if reduce.by is not None:
        assert reduce.identities is not None
        region = reduce.by.clone()
        last = region.block.last_op
        assert last is not None
        edit.append(region.block, loop.YieldOp(*last.operands))
        edit.erase(last)
        return reduce.identities, region
    assert reduce.kind is not None
    kind, dtypes = reduce.kind, [dtype_of_ir(t) for t in types]
    block = Block(arg_types=[*types, *types])
    emit = appender(block)
    triples = zip(dtypes, block.args[: len(types)], block.args[len(types) :], strict=True)
    edit.append(block, loop.YieldOp(*[emit_binary(emit, kind, dtype, old, new) for dtype, old, new in triples]))
    identities = [number_attribute(identity(kind, d), t) for d, t in zip(dtypes, types, strict=True)]
    return ArrayAttr(identities), Region(block)


def _translate(op: Operation, environment: Environment) -> Operation:
    """Translate a body operation to that of loops; operations of arith and math stay as they are."""
    match op:
        case te.ReadOp():
            otherwise = environment.values[op.otherwise] if op.otherwise is not None else None
            buffer = environment.values[op.tensor]
            guard = environment.translate(op.conditions)
            new: Operation = loop.LoadOp(buffer, environment.translate(op.index), guard, otherwise)
        case te.ApplyOp():
            new = loop.ApplyOp(op.index.substitute(environment.indices))
        case te.TestOp():
            new = loop.TestOp(environment.translate(op.conditions))
        case loop.PrintOp():
            lists = environment.translate(op.index), environment.translate(op.conditions)
            new = loop.PrintOp(op.message.data, lists[0], environment.values[op.value], lists[1])
        case _:
            new = op.clone(dict(environment.values))
    new.location = op.location
    for old_result, new_result in zip(op.results, new.results, strict=True):
        edit.rename(new_result, old_result.name_hint)
        environment.define(old_result, new_result)
    return new
