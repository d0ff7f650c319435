"""Moving and copying of loop bodies, and expansion of loops into their iterations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index, IndexLike
from ...dialects.indexed_op import dims_position
from ...ir import editor as edit
from ...traversal import operations


def outermost_parallel_loops(block: Block) -> Iterator[loop.ForOp]:
    """Yield the parallel loops of a block, without those inside one another."""
    for op in block.ops:
        if isinstance(op, loop.ForOp) and op.kind == loop.PARALLEL:
            yield op
            continue
        for region in op.regions:
            for inner in region.blocks:
                yield from outermost_parallel_loops(inner)


def certainly_runs(op: loop.ForOp) -> bool:
    """Return whether a loop certainly has an iteration."""
    if (trips := op.constant_trip_count) is not None:
        return trips > 0
    facts = facts_at(op)
    return all(facts.proves(upper - lower - 1, exact=False) for lower in op.lowers for upper in op.uppers)


def move_body(source: loop.ForOp, destination: loop.ForOp, replacement: Operation) -> None:
    """Move the body of `source` to `destination`, and replace `source` by `replacement`, which contains `destination`.

    Loop-carried values are those of `destination`.
    """
    for old, new in zip(source.body.block.args, destination.body.block.args, strict=True):
        edit.rename(new, old.name_hint)
        edit.replace_uses(old, new)
    edit.append(destination.body.block, *edit.detach_all(source.body.block))
    edit.insert(replacement, InsertPoint.before(source))
    for old, new in zip(source.res, destination.res, strict=True):
        edit.rename(new, old.name_hint)
        edit.replace_uses(old, new)
    edit.erase(source)


def clone_body(
    source: loop.ForOp, variable: IndexLike, carried: Sequence[SSAValue], at: InsertPoint
) -> tuple[SSAValue, ...]:
    """Insert one iteration of `source` at a point, with its variable at `variable`; return the yielded values."""
    mapping: dict[SSAValue, SSAValue] = dict(zip(source.body.block.args[1:], carried, strict=True))
    ops = list(source.body.block.ops)
    last = ops.pop() if ops and isinstance(ops[-1], loop.YieldOp) else None
    edit.insert(clone_at(source, ops, variable, mapping), at)
    return () if last is None else tuple(mapping.get(v, v) for v in last.operands)


def clone_at(
    source: loop.ForOp, ops: Sequence[Operation], variable: IndexLike, mapping: dict[SSAValue, SSAValue]
) -> list[Operation]:
    """Copy `ops`, from the body of `source`, with the loop's variable at `variable`.

    `mapping` maps other values, and gets the results of the copies.
    """
    expression, argument = Index.of(variable), source.induction_variable
    copies = [op.clone(mapping) for op in ops]
    values = _take_value(source, copies, expression) if needs_value(argument) else []
    substitute(copies, {argument: expression})
    return [*values, *copies]


def _take_value(source: loop.ForOp, copies: Sequence[Operation], expression: Index) -> list[Operation]:
    """Replace the loop's variable in operands outside of index expressions by `expression`. Returns the operation that
    computes it."""
    argument = source.induction_variable
    applied = loop.ApplyOp(expression)
    applied.location = source.location
    edit.rename(applied.res, argument.name_hint)
    for op in [nested for copy in copies for nested in operations(copy)]:
        for k, operand in enumerate(op.operands):
            if operand is argument and not _is_dim(op, k):
                edit.change(op).operands[k] = applied.res
    if applied.res.first_use is not None:
        return [applied]
    edit.erase(applied)
    return []


def inline_body(source: loop.ForOp, variable: IndexLike) -> None:
    """Replace `source`, which runs exactly once, by its body with its variable at `variable`."""
    argument = source.induction_variable
    expression = Index.of(variable)
    for use in [u.operation for u in argument.uses]:
        if isinstance(use, loop.IndexedOp):
            use.substitute_indices({argument: expression})
    if argument.first_use is not None:
        applied = loop.ApplyOp(expression)
        applied.location = source.location
        edit.rename(applied.res, argument.name_hint)
        edit.insert(applied, InsertPoint.before(source))
        edit.replace_uses(argument, applied.res)
    for carried, initial in zip(source.body.block.args[1:], source.iter_args, strict=True):
        edit.replace_uses(carried, initial)
    ops = edit.detach_all(source.body.block)
    if ops and isinstance(last := ops[-1], loop.YieldOp):
        for result, value in zip(source.res, last.operands, strict=True):
            edit.replace_uses(result, value)
        edit.erase(ops.pop())
    edit.insert(ops, InsertPoint.before(source))
    edit.erase(source)


def substitute(ops: Sequence[Operation], mapping: Mapping[SSAValue, Index]) -> None:
    """Replace values by expressions in the index expressions of `ops` and everything inside them."""
    for op in ops:
        for nested in operations(op):
            if isinstance(nested, loop.IndexedOp):
                nested.substitute_indices(mapping)


def needs_value(variable: SSAValue) -> bool:
    """Return whether an operand that is no part of an index expression is `variable`."""
    return any(not _is_dim(use.operation, use.index) for use in variable.uses)


def _is_dim(op: Operation, position: int) -> bool:
    """Return whether an operand belongs to the index expressions of an operation."""
    if not isinstance(op, loop.IndexedOp):
        return False
    start, count = dims_position(op)
    return start <= position < start + count


def expand(op: loop.ForOp) -> None:
    """Replace a loop by its iterations; its trip count is constant."""
    trips = op.constant_trip_count
    if trips is None:
        fail(
            "TW0501",
            f"loop {name_of(op.induction_variable)} is unrolled, but its trip count is no constant",
            op=op,
            help="make the loop serial, or split it by a constant",
        )
    bounds = op.constant_bounds
    first = op.lowers[0] if bounds is None else bounds[0]
    carried: Sequence[SSAValue] = tuple(op.iter_args)
    for k in range(trips):
        carried = clone_body(op, first + k, carried, InsertPoint.before(op))
    edit.replace(op, (), carried)
