"""Building blocks of statements: over rows of iteration variables, with bodies cloned from others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..dialects.index_expr import Index
from ..ir import editor as edit


class Row(NamedTuple):
    """A planned iteration variable: its name, its kind, its binding and its extent."""

    name: str | None
    kind: str
    binding: Index
    extent: Index


def block_over(label: str, rows: Sequence[Row], guard: Sequence[Index], like: Operation) -> loop.BlockOp:
    """Return a detached block without statements, at the location of another operation."""
    body = Block(arg_types=[IndexType()] * len(rows))
    for argument, row in zip(body.args, rows, strict=True):
        edit.rename(argument, row.name)
    block = loop.BlockOp(
        label, [r.kind for r in rows], [r.binding for r in rows], [r.extent for r in rows], guard, Region(body)
    )
    block.location = like.location
    return block


def clone_ops(
    ops: Iterable[Operation], body: Block, mapping: dict[SSAValue, SSAValue], expressions: Mapping[SSAValue, Index]
) -> None:
    """Append copies of operations to a body, with other values for some and expressions for others.

    `mapping` learns the results of the copies. An expression that is used as a value becomes a `loop.apply`.
    """
    applied: dict[SSAValue, loop.ApplyOp] = {}
    for value, e in expressions.items():
        applied[value] = loop.ApplyOp(e)
        edit.rename(applied[value].res, value.name_hint)
        edit.append(body, applied[value])
        mapping[value] = applied[value].res
    known: dict[SSAValue, Index] = {apply.res: expressions[value] for value, apply in applied.items()}
    for op in ops:
        clone = op.clone(mapping)
        edit.append(body, clone)
        for nested in clone.walk():
            if isinstance(nested, loop.IndexedOp):
                nested.substitute_indices(known)
    for value, apply in applied.items():
        del mapping[value]
        if apply.res.first_use is None:
            edit.erase(apply)


def inline_first_iteration(op: loop.ForOp) -> None:
    """Replace a loop by its body at the first iteration; the loop has one lower bound and carries no values."""
    variable, first = op.induction_variable, op.lowers[0]
    for user in [use.operation for use in variable.uses]:
        if isinstance(user, loop.IndexedOp):
            user.substitute_indices({variable: first})
    if variable.first_use is not None:
        apply = loop.ApplyOp(first)
        edit.rename(apply.res, variable.name_hint)
        edit.insert(apply, InsertPoint.before(op))
        edit.replace_uses(variable, apply.res)
    ops = list(op.body.block.ops)
    for nested in ops:
        edit.detach(nested)
    edit.insert(ops, InsertPoint.before(op))
    edit.erase(op)
