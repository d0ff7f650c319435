"""The one door through which programs are changed.

Passes and schedule primitives build new operations as xDSL has it; what changes a program goes through these functions,
`from ..ir import editor as edit`. They let a `transaction` take everything back, and give operations the location of
what they are made for. Rewrites are counted by `ir.rewrites`.
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

OpT = TypeVar("OpT", bound=Operation)

_journal: ContextVar[Journal | None] = ContextVar("journal", default=None)


@contextmanager
def transaction() -> Generator[None]:
    """Take back all changes made inside the `with` where it ends with an exception.

    Transactions nest. Operations that were erased are as they were afterwards; who holds one may go on using it.
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
    """The journal of the innermost transaction, if one is open."""
    return _journal.get()


def change(op: OpT) -> OpT:
    """`op`, of which an operand, attribute, property or field is about to be set: `change(op).operands[0] = value`."""
    if (journal := _journal.get()) is not None:
        journal.note_operation(op)
    return op


def insert(ops: Operation | Sequence[Operation], point: InsertPoint, *, of: Operation | None = None) -> None:
    """Put new or detached operations at `point`.

    `of`: what they are made for or from, whose location they take where they have none.
    """
    ops = [ops] if isinstance(ops, Operation) else ops
    if (journal := _journal.get()) is not None:
        journal.note_block(point.block)
    Rewriter.insert_op(ops, point)
    if of is not None:
        _locate(ops, of.location)


def append(block: Block, *ops: Operation) -> None:
    """Put new or detached operations at the end of `block`."""
    if (journal := _journal.get()) is not None:
        journal.note_block(block)
    block.add_ops(ops)


def detach(op: OpT) -> OpT:
    """Take an operation out of its block, to be put elsewhere."""
    assert op.parent is not None, f"expected '{op.name}' to stand in a block"
    if (journal := _journal.get()) is not None:
        journal.note_block(op.parent)
    op.detach()
    return op


def detach_all(block: Block) -> list[Operation]:
    """The operations of `block`, taken out of it."""
    return [detach(op) for op in list(block.ops)]


def move(ops: Operation | Sequence[Operation], point: InsertPoint) -> None:
    """Take operations out of their blocks and put them at `point`, in the order given."""
    ops = [ops] if isinstance(ops, Operation) else ops
    before = point.insert_before
    while before is not None and before in ops:
        before = before.next_op
    for op in ops:
        detach(op)
    insert(ops, InsertPoint(point.block, before))


def erase(op: Operation, *, safe_erase: bool = True) -> None:
    """Remove an operation, in a block or detached. Raises ValueError where a result is used, unless `safe_erase` is
    False: then the users are to go, too."""
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
    """Put new operations in the place of `op`; their values are `results`, or those of the last one.

    They take the location of `op` where they have none, and its first result's name. None among `results` stands for
    one that nothing uses.
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
    """Let users of `value` use another one: all, or those `where` says so."""
    if (journal := _journal.get()) is not None:
        journal.note_users(value)
        journal.note_name(by)  # which takes that of `value` where it has none
    if where is None:
        value.replace_all_uses_with(by)
    else:
        value.replace_uses_with_if(by, where)


def rename(value: SSAValue, name: str | None) -> None:
    """Let a value have another name, or none."""
    if (journal := _journal.get()) is not None:
        journal.note_name(value)
    value.name_hint = name


def retype(value: SSAValue, type: Attribute) -> SSAValue:
    """Let an argument or a result have another type; the value that stands for it from now on."""
    if (journal := _journal.get()) is not None:
        journal.note_users(value)
        owner = value.owner
        _ = journal.note_block(owner) if isinstance(owner, Block) else journal.note_operation(owner)
    return Rewriter.replace_value_with_new_type(value, type)


def insert_argument(block: Block, type: Attribute, position: int) -> BlockArgument:
    """A new argument of `block`."""
    if (journal := _journal.get()) is not None:
        journal.note_block(block)
    return block.insert_arg(type, position)


def erase_argument(argument: BlockArgument, *, safe_erase: bool = True) -> None:
    """Remove an argument of its block. Raises ValueError where it is used, unless `safe_erase` is False."""
    if (journal := _journal.get()) is not None:
        journal.note_block(argument.block)
        journal.note_users(argument)
    argument.block.erase_arg(argument, safe_erase)


def inline(block: Block, point: InsertPoint, arguments: Sequence[SSAValue] = ()) -> None:
    """Move the operations of `block` to `point`, with values for its arguments; the block goes."""
    for argument, value in zip(block.args, arguments, strict=True):
        replace_uses(argument, value)
    move(list(block.ops), point)
    if block.parent is not None:
        detach_block(block)


def detach_block(block: Block) -> Block:
    """Take a block out of its region."""
    region = block.parent
    assert region is not None, "expected a block of a region"
    if (journal := _journal.get()) is not None:
        journal.note_region(region)
    return region.detach_block(block)


def append_block(region: Region, block: Block) -> None:
    """Put a new or detached block at the end of `region`."""
    if (journal := _journal.get()) is not None:
        journal.note_region(region)
    region.add_block(block)


def replace_body(op: Operation, body: Region) -> None:
    """Give `op`, which has one region, another one, of its own or of another operation; what stood in it goes."""
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
