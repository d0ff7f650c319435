"""Blocks whose accesses went through views that loops around them move."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import BlockArgument, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...traversal import operations
from .refusal import refuse_form


def close_block(block: loop.BlockOp) -> None:
    """Give a block an iteration variable for each loop around it that its body uses.

    A view whose place a loop decides lets the body depend on that loop. Raises TilewrightError TW0571 where the extent
    of the loop is not one number or value.
    """
    used: dict[SSAValue, loop.ForOp] = {}
    for op in operations(block):
        for operand in op.operands if op is not block else ():
            if not isinstance(operand, BlockArgument) or block.is_ancestor(operand.block):
                continue
            holder = operand.block.parent_op()
            if isinstance(holder, loop.ForOp):
                used[operand] = holder
    for variable, holder in used.items():
        first, extent = _range(block, holder)
        argument = edit.insert_argument(block.body.block, IndexType(), len(block.variables))
        edit.rename(argument, f"v{variable.name_hint or ''}")
        bindings = [*block.index_list("bindings"), Index.of(variable) - first]
        extents = [*block.index_list("extents"), extent]
        edit.change(block).iteration_kinds = ArrayAttr([*block.iteration_kinds, StringAttr("spatial")])
        block.set_index_lists(bindings=bindings, extents=extents)
        for op in operations(block):
            if op is not block and isinstance(op, loop.IndexedOp):
                op.substitute_indices({variable: Index.of(argument) + first})
        left = [use for use in variable.uses if use.operation is not block and block.is_ancestor(use.operation)]
        if left:
            refuse_form(block, "expected a body that uses loops around it in indices only")


def _range(block: loop.BlockOp, holder: loop.ForOp) -> tuple[Index, Index]:
    """Return the first value of a loop's variable, and the greatest number of iterations."""
    if len(holder.lowers) != 1 or len(holder.uppers) != 1:
        refuse_form(
            block,
            "expected views inside of loops with one bound each",
            help="take the minimum of the bounds before the loop",
        )
    return holder.lowers[0], holder.uppers[0] - holder.lowers[0]
