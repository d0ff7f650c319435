"""Calls between functions made part of their callers: the host launches kernels, and calls nothing else."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects.loop import AllocOp, ApplyOp, BindOp, DimOp
from ...ir import editor as edit


def with_calls_inlined(module: ModuleOp) -> ModuleOp:
    """The module, or where functions call others a copy without calls outside of kernels. Raises TW0601 for a call of
    what has no body, and for recursion."""
    if not any(isinstance(op, func.CallOp) for op in module.walk()):
        return module
    module = module.clone()
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    for function in functions.values():
        _inline_calls(function, functions)
    called = {op.callee.root_reference.data for op in module.walk() if isinstance(op, func.CallOp)}
    for name, function in functions.items():
        is_private = function.sym_visibility is not None and function.sym_visibility.data == "private"
        if is_private and name not in called:
            edit.erase(function)
    return module


def _inline_calls(function: func.FuncOp, functions: dict[str, func.FuncOp], depth: int = 0) -> None:
    """Replace the calls of a function's own block by the operations of what they call, until there are none."""
    if not function.body.blocks:
        return
    while call := next((op for op in function.body.block.ops if isinstance(op, func.CallOp)), None):
        depth += 1
        callee = functions.get(call.callee.root_reference.data)
        if callee is None or not callee.body.blocks:
            fail("TW0601", f"expected a definition of function @{call.callee.root_reference.data}", op=call)
        if callee is function or depth > 10_000:
            fail("TW0601", f"expected functions without recursion, but @{function.sym_name.data} has some", op=call)
        _inline(call, callee)


def _inline(call: func.CallOp, callee: func.FuncOp) -> None:
    """Sizes of what the caller allocates are those that it allocates it with, and its arguments are bound already: its
    own sizes are made of its arguments'."""
    assert call.parent is not None
    bound = {op.buffer for op in call.parent.ops if isinstance(op, BindOp)}
    values: dict[SSAValue, SSAValue] = dict(zip(callee.body.block.args, call.operands, strict=True))
    for op in callee.body.block.ops:
        if isinstance(op, func.ReturnOp) or (isinstance(op, BindOp) and values.get(op.buffer) in bound):
            continue
        if isinstance(op, DimOp) and isinstance(alloc := values.get(op.buffer, op.buffer).owner, AllocOp):
            size = ApplyOp(alloc.shape[op.dimension.value.data])
            size.location = op.location
            values[op.res] = size.res
            edit.insert(size, InsertPoint.before(call))
            continue
        edit.insert(op.clone(values), InsertPoint.before(call))
    edit.erase(call)
