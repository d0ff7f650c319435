"""A function in two versions, of which it calls one."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Region
from xdsl.rewriter import InsertPoint

from ..dialects.index_expr import Index
from ..dialects.loop import BindOp, DimOp, IfOp
from ..ir import editor as edit


def leave_sizes(function: FuncOp) -> None:
    """Erase all but the sizes of the arguments, and what they are computed from."""
    for op in reversed(list(function.body.block.ops)):
        states_sizes = isinstance(op, DimOp) or (isinstance(op, BindOp) and isinstance(op.buffer, BlockArgument))
        if not (states_sizes or isinstance(op, ReturnOp) or any(result.uses for result in op.results)):
            edit.erase(op)


def call_one(
    function: FuncOp, first: FuncOp, second: FuncOp, suffixes: tuple[str, str], conditions: Sequence[Index]
) -> None:
    """Let a function of sizes call `first` where all conditions are >= 0, else `second`, which become private."""
    bodies: list[Region] = []
    for version, suffix in zip((first, second), suffixes, strict=True):
        edit.change(version).sym_name = StringAttr(f"{function.sym_name.data}_{suffix}")
        edit.change(version).sym_visibility = StringAttr("private")
        edit.insert(version, InsertPoint.after(function))
        bodies.append(Region(Block([CallOp(version.sym_name.data, function.body.block.args, [])])))
    last = function.body.block.last_op
    assert last is not None
    edit.insert(IfOp(conditions, *bodies), InsertPoint.before(last))
