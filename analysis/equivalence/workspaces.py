"""Functions whose memory is their own: workspaces, which callers lend, become allocations."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, FunctionType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...ir import editor as edit
from ..polyhedral.buffer_cells import is_workspace


def without_workspaces(function: FuncOp) -> FuncOp:
    """The function; a copy of one with workspaces, which allocates them. Their content before and after is undefined,
    as that of an allocation is."""
    lent = [k for k, type in enumerate(function.function_type.inputs) if _is_lent(function, k, type)]
    if not lent or len(function.body.blocks) != 1:
        return function
    copy = function.clone()
    block = copy.body.block
    for position in reversed(lent):
        argument = block.args[position]
        type_ = argument.type
        assert isinstance(type_, MemRefType)
        alloc = loop.AllocOp(type_, name_hint=argument.name_hint)
        edit.insert(alloc, InsertPoint.at_start(block))
        edit.replace_uses(argument, alloc.res)
        edit.erase_argument(argument)
    kept = [k for k in range(len(function.function_type.inputs)) if k not in lent]
    types = function.function_type
    edit.change(copy).function_type = FunctionType.from_lists([types.inputs.data[k] for k in kept], types.outputs.data)
    if copy.arg_attrs is not None:
        edit.change(copy).arg_attrs = ArrayAttr([copy.arg_attrs.data[k] for k in kept])
    return copy


def _is_lent(function: FuncOp, position: int, type: object) -> bool:
    return is_workspace(function, position) and isinstance(type, MemRefType) and loop.byte_size(type) is not None
