"""Steps that the primitives share: substituting variables, guarding and nesting bodies, removing empty loops."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ..analysis.access import blocks_in
from ..analysis.domain import loop_ranges, loops_around
from ..dialects import loop
from ..dialects.index_expr import Index, Range, Variable
from ..ir import editor as edit
from ..traversal import operations
from .unique_names import names_of, numbered

ARRANGED = "tw.arranged"
"""The attribute of a block that a schedule has arranged beside others, which default schedules leave alone."""


def substitute_variable(
    op: loop.ForOp,
    replacement: Index,
    ranges_at: loop.ForOp,
    keep: Operation | None = None,
    *,
    preserve_unit_iters: bool = False,
) -> None:
    """Replace the induction variable of `op` by an expression, which may use that variable itself.

    `ranges_at` is the innermost loop around the uses whose variables `replacement` reads: their ranges
    simplify floordiv and mod. Uses outside index expressions read a `loop.apply`. `keep` stands first in
    the body of that loop and keeps its uses. Variables of loops of one iteration go, unless
    `preserve_unit_iters` says that they stay.
    """
    variable = op.induction_variable
    users = list(dict.fromkeys(use.operation for use in variable.uses if use.operation is not keep))
    ranges = loop_ranges((*loops_around(ranges_at), ranges_at))
    if preserve_unit_iters:
        ranges = {v: (lo, hi) for v, (lo, hi) in ranges.items() if lo is None or lo != hi}
    outside = _uses_outside_expressions(variable, users)
    for user in users:
        if isinstance(user, loop.IndexedOp):
            _substitute(user, variable, replacement, ranges)
    if outside:
        apply = loop.ApplyOp(replacement)
        apply.location = op.location
        edit.rename(apply.res, variable.name_hint)
        start = InsertPoint.at_start(ranges_at.body.block) if keep is None else InsertPoint.after(keep)
        edit.insert(apply, start)
        for user, position in outside:
            edit.change(user).operands[position] = apply.res


def _uses_outside_expressions(variable: SSAValue, users: Sequence[Operation]) -> list[tuple[Operation, int]]:
    found: list[tuple[Operation, int]] = []
    for user in users:
        start, count = loop.dims_position(user) if isinstance(user, loop.IndexedOp) else (0, 0)
        for position, operand in enumerate(user.operands):
            if operand is variable and not start <= position < start + count:
                found.append((user, position))
    return found


def _substitute(user: loop.IndexedOp, variable: SSAValue, replacement: Index, ranges: dict[Variable, Range]) -> None:
    lists = {
        name: [e.substitute({variable: replacement}).with_ranges(ranges) for e in expressions]
        for name, expressions in user.index_lists().items()
    }
    user.set_index_lists(**lists)


def guard_body(op: loop.ForOp, condition: Index) -> None:
    """Run the body of `op` only where `condition >= 0`: as a guard of its blocks, where that covers all of it.

    Elsewhere the body stands in a `loop.if`; so does one that delinearizes, which is defined within the extents only.
    """
    blocks = blocks_in(op)
    delinearizes = any(isinstance(nested, loop.DelinearizeOp) for nested in operations(op))
    if blocks and not delinearizes and not _has_effects_outside_blocks(op.body.block):
        for block in blocks:
            add_guard(block, condition)
        return
    body = op.body.block
    needed = _computed_inside(op, condition)
    for computed in needed:
        edit.detach(computed)
    inner = Block()
    edit.append(inner, *edit.detach_all(body))
    guarded = loop.IfOp([condition], Region(inner))
    guarded.location = op.location
    edit.append(body, *needed, guarded)


def _computed_inside(op: loop.ForOp, index: Index) -> list[Operation]:
    """Return the operations in the body of `op` that compute the variables of `index`, in their order."""
    found = set[Operation]()
    pending = [v for v in index.variables if isinstance(v, OpResult)]
    while pending:
        owner = pending.pop().op
        if op.is_ancestor(owner) and owner not in found:
            found.add(owner)
            pending += [v for v in owner.operands if isinstance(v, OpResult)]
    return [nested for nested in operations(op) if nested in found]


def add_guard(block: loop.BlockOp, *conditions: Index) -> None:
    """Restrict the instances of `block`; conditions that it has already are not repeated."""
    known, ranges = block.conditions, loop_ranges(loops_around(block))
    fresh = [e for e in (e.with_ranges(ranges) for e in conditions) if e not in known]
    if fresh:
        block.set_index_lists(guard=(*known, *fresh))


def _has_effects_outside_blocks(body: Block) -> bool:
    for op in body.ops:
        if isinstance(op, (loop.BlockOp, loop.AllocOp)):
            continue
        if isinstance(op, (loop.ForOp, loop.IfOp)):
            if any(_has_effects_outside_blocks(b) for region in op.regions for b in region.blocks):
                return True
        elif not is_side_effect_free(op):
            return True
    return False


def wrap(inner: loop.ForOp, outer: loop.ForOp) -> None:
    """Put `outer`, whose body is empty, around `inner`."""
    edit.insert(outer, InsertPoint.before(inner))
    edit.append(outer.body.block, edit.detach(inner))


def nest(loops: Sequence[loop.ForOp]) -> None:
    """Chain loops with empty bodies: each holds the next."""
    for outer, inner in zip(loops, loops[1:], strict=False):
        edit.append(outer.body.block, inner)


def only_op(op: loop.ForOp) -> Operation | None:
    """Return the single operation in the body of `op`."""
    first = op.body.block.first_op
    return first if first is not None and first.next_op is None else None


def only_effect(op: loop.ForOp) -> Operation | None:
    """Return the single operation in the body of `op` that is more than a computation of values."""
    found = [nested for nested in op.body.block.ops if not is_side_effect_free(nested)]
    return found[0] if len(found) == 1 else None


def remove_emptied(body: Block | None) -> None:
    """Erase loops and conditionals around `body` that do nothing, from the inside out."""
    while body is not None and all(is_side_effect_free(op) or isinstance(op, loop.AllocOp) for op in body.ops):
        parent = body.parent_op()
        if not isinstance(parent, (loop.ForOp, loop.IfOp)) or parent.results:
            return
        if isinstance(parent, loop.IfOp) and any(b.ops for r in parent.regions for b in r.blocks if b is not body):
            return
        body = parent.parent
        edit.erase(parent)


def function_of(op: Operation) -> FuncOp:
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, FuncOp):
        parent = parent.parent_op()
    assert parent is not None, "expected an operation within a function"
    return parent


def unique_label(function: FuncOp, wanted: str) -> str:
    """Return a label for a block that is about to be made: `wanted`, or with a number behind it where a block has
    that."""
    names = names_of(function)
    label = next(label for label in numbered(wanted) if not names.has_label(label))
    names.claim_label(label)
    return label
