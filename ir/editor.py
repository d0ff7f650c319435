"""The editor: functions that change IR in a way that a transaction can undo.

    from tilewright.passes import editor as edit

A pass creates operations with the constructors of xDSL and of the dialects. It inserts, moves, replaces and erases them
with these functions, and assigns to a field of `edit.change(op)`. A `transaction` that fails undoes such changes. New
operations get the source location of the operation that they replace or extend. The rewriter of patterns uses the
editor (`ir.editing_rewriter`). Rewrites are counted by `ir.rewrites`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue, Use
from xdsl.rewriter import InsertPoint, Rewriter

from ..diagnostics.locations import is_known, set_missing_locations
from .journal import Journal

__all__ = [
    "append",
    "append_block",
    "change",
    "detach",
    "detach_all",
    "detach_block",
    "erase",
    "erase_argument",
    "inline",
    "insert",
    "insert_argument",
    "move",
    "rename",
    "replace",
    "replace_body",
    "replace_uses",
    "retype",
    "transaction",
]

OpT = TypeVar("OpT", bound=Operation)

_journal: ContextVar[Journal | None] = ContextVar("journal", default=None)


@contextmanager
def transaction() -> Generator[None]:
    """Undo all changes that the editor made inside the `with` when it ends with an exception.

    Transactions nest. Erased operations are restored as the same Python objects.
    """
    journal, outer = Journal(), _journal.get()
    token = _journal.set(journal)
    try:
        yield
    except BaseException:
        journal.undo()
        raise
    else:
        if outer is not None:
            outer.join(journal)
    finally:
        _journal.reset(token)


def active_journal() -> Journal | None:
    """Return the journal of the innermost transaction, if one is open."""
    return _journal.get()


def change(op: OpT) -> OpT:
    """Return `op`, so that an operand, attribute, property or field of it can be assigned.

    `change(op).operands[0] = value`, `change(op).attributes["name"] = value`, `change(op).kind = value`.
    """
    if (journal := _journal.get()) is not None:
        journal.note_operation(op)
    return op


def insert(ops: Operation | Sequence[Operation], point: InsertPoint, *, of: Operation | None = None) -> None:
    """Insert new or detached operations at `point`.

    `of`: the operation that they are made for; they take its source location where they have none.
    """
    ops = [ops] if isinstance(ops, Operation) else ops
    if (journal := _journal.get()) is not None:
        journal.note_block(point.block)
    Rewriter.insert_op(ops, point)
    if of is not None:
        _locate(ops, of.location)


def append(block: Block, *ops: Operation) -> None:
    """Insert new or detached operations at the end of `block`."""
    if (journal := _journal.get()) is not None:
        journal.note_block(block)
    block.add_ops(ops)


def detach(op: OpT) -> OpT:
    """Remove an operation from its block, to be inserted elsewhere."""
    assert op.parent is not None, f"expected '{op.name}' to stand in a block"
    if (journal := _journal.get()) is not None:
        journal.note_block(op.parent)
    op.detach()
    return op


def detach_all(block: Block) -> list[Operation]:
    """Remove all operations from `block`, and return them."""
    return [detach(op) for op in list(block.ops)]


def move(ops: Operation | Sequence[Operation], point: InsertPoint) -> None:
    """Move operations to `point`, in the order given."""
    ops = [ops] if isinstance(ops, Operation) else ops
    before = point.insert_before
    while before is not None and before in ops:
        before = before.next_op
    for op in ops:
        detach(op)
    insert(ops, InsertPoint(point.block, before))


def erase(op: Operation, *, safe_erase: bool = True) -> None:
    """Erase an operation, in a block or detached. Raises ValueError where a result is used, unless `safe_erase` is
    False: then the users have to be erased, too."""
    journal = _journal.get()
    if journal is None:
        Rewriter.erase_op(op, safe_erase)
        return
    for result in op.results:
        journal.note_users(result)
        result.erase(safe_erase)
    if op.parent is not None:
        detach(op)
    journal.drop(op)


def replace(
    op: Operation,
    by: Operation | Sequence[Operation],
    results: Sequence[SSAValue | None] | None = None,
    *,
    safe_erase: bool = True,
) -> None:
    """Replace `op` by new operations, or by none, and its results by `results`, by default those of the last operation.

    New operations take the source location of `op` where they have none, and the name of its first result. None among
    `results` stands for a result that has no use.
    """
    new = [by] if isinstance(by, Operation) else by
    values = (new[-1].results if new else ()) if results is None else results
    _locate(new, op.location)
    insert(new, InsertPoint.after(op))
    for old, value in zip(op.results, values, strict=True):
        if value is not None:
            replace_uses(old, value)
    for result in (result for each in new for result in each.results if op.results and not result.name_hint):
        rename(result, op.results[0].name_hint)
    erase(op, safe_erase=safe_erase)


def replace_uses(value: SSAValue, by: SSAValue, where: Callable[[Use], bool] | None = None) -> None:
    """Replace the uses of `value`: all, or those for which `where` returns true."""
    if (journal := _journal.get()) is not None:
        journal.note_users(value)
        journal.note_name(by)  # which takes that of `value` where it has none
    if where is None:
        value.replace_all_uses_with(by)
    else:
        value.replace_uses_with_if(by, where)


def rename(value: SSAValue, name: str | None) -> None:
    """Set the name of a value, or remove it."""
    if (journal := _journal.get()) is not None:
        journal.note_name(value)
    value.name_hint = name


def retype(value: SSAValue, type: Attribute) -> SSAValue:
    """Change the type of an argument or a result, and return the value that replaces it."""
    if (journal := _journal.get()) is not None:
        journal.note_users(value)
        owner = value.owner
        _ = journal.note_block(owner) if isinstance(owner, Block) else journal.note_operation(owner)
    return Rewriter.replace_value_with_new_type(value, type)


def insert_argument(block: Block, type: Attribute, position: int) -> BlockArgument:
    """Insert an argument into `block`, and return it."""
    if (journal := _journal.get()) is not None:
        journal.note_block(block)
    return block.insert_arg(type, position)


def erase_argument(argument: BlockArgument, *, safe_erase: bool = True) -> None:
    """Erase an argument of a block. Raises ValueError where it is used, unless `safe_erase` is False."""
    if (journal := _journal.get()) is not None:
        journal.note_block(argument.block)
        journal.note_users(argument)
    argument.block.erase_arg(argument, safe_erase)


def inline(block: Block, point: InsertPoint, arguments: Sequence[SSAValue] = ()) -> None:
    """Move the operations of `block` to `point`, with values for its arguments, and detach the block."""
    for argument, value in zip(block.args, arguments, strict=True):
        replace_uses(argument, value)
    move(list(block.ops), point)
    if block.parent is not None:
        detach_block(block)


def detach_block(block: Block) -> Block:
    """Remove a block from its region."""
    region = block.parent
    assert region is not None, "expected a block of a region"
    if (journal := _journal.get()) is not None:
        journal.note_region(region)
    return region.detach_block(block)


def append_block(region: Region, block: Block) -> None:
    """Insert a new or detached block at the end of `region`."""
    if (journal := _journal.get()) is not None:
        journal.note_region(region)
    region.add_block(block)


def replace_body(op: Operation, body: Region) -> None:
    """Replace the one region of `op` by a new one or by that of another operation, and drop the old operations."""
    if (holder := body.parent) is not None:
        change(holder).detach_region(body)
    (old,) = change(op).regions
    journal = _journal.get()
    op.detach_region(old)
    if journal is None:
        old.drop_all_references()
    else:
        for nested in (each for block in old.blocks for each in block.ops):
            journal.drop(nested)
    op.add_region(body)


def _locate(ops: Sequence[Operation], location: LocationAttr) -> None:
    for op in ops:
        if not is_known(op.location):
            set_missing_locations(op, location)
