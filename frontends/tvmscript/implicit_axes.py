"""Axes of blocks that a script leaves out: a block that uses the variable of a loop around it gets an axis for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, IndexType, StringAttr
from xdsl.ir import Block, BlockArgument, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.names import script_name
from ...ir import editor as edit

if TYPE_CHECKING:
    from .state import Scope


def bind(name: str, value: object, blocks: Sequence[Scope]) -> Index | None:
    """The variable `name` of a loop within the blocks, outermost first, each of which gets a spatial axis for it.

    None where the bounds of the loop vary within the function. Spatial says nothing of dependences, which are found.
    """
    if not isinstance(value, Index):
        return None
    variable = value.single_value
    op = variable.block.parent_op() if isinstance(variable, BlockArgument) else None
    if not isinstance(op, loop.ForOp) or not all(len(b) == 1 and _is_size(b[0]) for b in (op.lowers, op.uppers)):
        return None
    low = op.lowers[0]
    for scope in blocks:
        assert isinstance(scope.owner, loop.BlockOp)
        value = Index.of(_axis(scope.owner, f"v{name}", value - low, op.uppers[0] - low)) + low
        scope.names[name] = value
    return value


def _is_size(bound: Index) -> bool:
    """Return whether a bound is made of constants and of values that the top of the function computes."""
    blocks = (o if isinstance(o := value.owner, Block) else o.parent for value in bound.values())
    return all(block is not None and block.parent_op() is None for block in blocks)


def _axis(block: loop.BlockOp, name: str, binding: Index, extent: Index) -> SSAValue:
    argument = edit.insert_argument(block.body.block, IndexType(), len(block.variables))
    edit.rename(argument, script_name(name))
    bindings, extents = block.index_list("bindings"), block.index_list("extents")
    block.iteration_kinds = ArrayAttr([*block.iteration_kinds, StringAttr("spatial")])
    block.set_index_lists(bindings=[*bindings, binding], extents=[*extents, extent])
    return argument
