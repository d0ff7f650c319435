"""Removal of operations from IR that keeps the IR valid.

The results of a removed operation are replaced by an operand of the same type, a new argument of the function, or a
zero. The reduced program computes other values, which is acceptable: only the fault has to remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import IsTerminator, Pure

from ....ir import editor as edit


def functions_in(module: ModuleOp) -> list[FuncOp]:
    """Return the functions with a body."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


def removable(module: ModuleOp) -> list[Operation]:
    """Return the operations that may be taken out, in the order of the text."""
    return [op for op in module.walk() if not isinstance(op, (ModuleOp, FuncOp)) and not op.has_trait(IsTerminator)]


def remove(op: Operation) -> bool:
    """Take `op` out; whether that was possible."""
    if op.parent is None:
        return True  # inside of one that was taken out
    substitutes: list[SSAValue] = []
    for result in op.results:
        substitute = _substitute(op, result)
        if substitute is None:
            return False
        substitutes.append(substitute)
    for result, substitute in zip(op.results, substitutes, strict=True):
        edit.replace_uses(result, substitute)
    edit.erase(op)
    return True


def return_early(function: FuncOp, op: Operation) -> None:
    """Let a function end with the results of `op`, an operation of the function's block."""
    last = function.body.block.last_op
    assert last is not None
    edit.replace(last, ReturnOp(*op.results))
    edit.change(function).res_attrs = None
    function.update_function_type()


def clean(module: ModuleOp) -> None:
    """Erase everything unused: pure operations, calls, private functions, arguments."""
    changed = True
    while changed:
        changed = _erase_unused(module) | _erase_uncalled(module)
    for function in functions_in(module):
        if not _callers(function):
            _drop_arguments(function, [a.index for a in function.body.block.args if not a.first_use])


def _substitute(op: Operation, result: SSAValue) -> SSAValue | None:
    if (same := next((v for v in op.operands if v.type == result.type), None)) is not None:
        return same
    if not result.first_use:
        return result  # nobody asks for it
    parent = op.parent_op()
    if isinstance(parent, FuncOp) and not _callers(parent):
        return _add_argument(parent, result.type, result.name_hint)
    zero = _zero(result.type)
    if zero is None:
        return None
    edit.insert(zero, InsertPoint.before(op))
    return zero.results[0]


def _zero(type_: Attribute) -> arith.ConstantOp | None:
    if isinstance(type_, (IntegerType, IndexType)):
        return arith.ConstantOp(IntegerAttr(0, type_))
    if isinstance(type_, AnyFloat):
        return arith.ConstantOp(FloatAttr(0.0, type_))
    return None


def _add_argument(function: FuncOp, type_: Attribute, name: str | None) -> SSAValue:
    block = function.body.block
    argument = edit.insert_argument(block, type_, len(block.args))
    edit.rename(argument, name)
    edit.change(function).arg_attrs = None
    function.update_function_type()
    return argument


def _drop_arguments(function: FuncOp, indices: Sequence[int]) -> None:
    block = function.body.block
    if not indices or any("tw.output" in a.data for a in (function.arg_attrs.data if function.arg_attrs else ())):
        return
    for index in reversed(indices):
        edit.erase_argument(block.args[index])
    edit.change(function).arg_attrs = None
    function.update_function_type()


def _callers(function: FuncOp) -> list[CallOp]:
    module = function.parent_op()
    calls: Iterable[Operation] = module.walk() if module is not None else ()
    name = function.sym_name.data
    return [op for op in calls if isinstance(op, CallOp) and op.callee.string_value() == name]


def _erase_unused(module: ModuleOp) -> bool:
    changed = False
    for op in reversed(removable(module)):
        is_pure = op.has_trait(Pure) or op.dialect_name() == "graph" or isinstance(op, CallOp)
        if op.parent is not None and is_pure and op.results and not any(r.first_use for r in op.results):
            edit.erase(op)
            changed = True
    return changed


def _erase_uncalled(module: ModuleOp) -> bool:
    changed = False
    for function in [op for op in module.ops if isinstance(op, FuncOp)]:
        if function.sym_visibility == StringAttr("private") and not _callers(function) and _has_public(module):
            edit.erase(function)
            changed = True
    return changed


def _has_public(module: ModuleOp) -> bool:
    return any(f.sym_visibility != StringAttr("private") for f in functions_in(module))
