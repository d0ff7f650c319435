"""Inlining of calls between functions of upstream MLIR."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from .functions import return_of

MOST_OPERATIONS = 100_000
"""The most operations of a function whose calls are replaced."""


def inline_calls(module: ModuleOp) -> None:
    """Replace each call of a function of the module by its operations, and remove private functions that nothing calls
    any more.

    Raises TilewrightError TW0574 for recursion and for functions that become too long, TW0570 for a function with
    branches that is called.
    """
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, FuncOp) and f.body.blocks}
    inlined: set[str] = set()
    done: set[str] = set()
    for function in functions.values():
        _inline_in(function, functions, done, [], inlined)
    called = {call.callee.root_reference.data for call in operations(module) if isinstance(call, CallOp)}
    for name in inlined - called:
        visibility = functions[name].sym_visibility
        if visibility is not None and visibility.data == "private":
            edit.erase(functions[name])


def _inline_in(
    function: FuncOp, functions: dict[str, FuncOp], done: set[str], callers: list[str], inlined: set[str]
) -> None:
    name = function.sym_name.data
    if name in done:
        return
    for call in [op for op in operations(function) if isinstance(op, CallOp)]:
        callee = functions.get(call.callee.root_reference.data)
        if callee is None:
            continue
        if callee.sym_name.data in (*callers, name):
            fail(
                "TW0574",
                f"expected functions that do not call themselves, but @{callee.sym_name.data} does",
                op=call,
                help="write the recursion as a loop",
            )
        _inline_in(callee, functions, done, [*callers, name], inlined)
        if may_rewrite("inline", call, is_needed=True):
            _inline(call, callee)
            inlined.add(callee.sym_name.data)
            _check_size(function, call)
    done.add(name)


def _inline(call: CallOp, callee: FuncOp) -> None:
    last = return_of(callee)
    values: dict[SSAValue, SSAValue] = dict(zip(callee.body.block.args, call.arguments, strict=True))
    copies: list[Operation] = [op.clone(values) for op in callee.body.block.ops if op is not last]
    edit.insert(copies, InsertPoint.before(call), of=call)
    edit.replace(call, [], [values.get(value, value) for value in last.operands])


def _check_size(function: FuncOp, call: Operation) -> None:
    if sum(1 for _ in operations(function)) > MOST_OPERATIONS:
        fail(
            "TW0574",
            f"expected calls whose operations are at most {MOST_OPERATIONS} in one function, but @"
            f"{function.sym_name.data} has more",
            op=function,
            help="leave out functions, or compile them in separate modules",
        )
