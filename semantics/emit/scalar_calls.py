"""Translation of calls of intrinsics, by a reference or a lowering rule, and of scalar functions of libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.pattern_rewriter import PatternRewriter

from ...diagnostics import fail
from ...dialects.dtypes import dtype_name
from ...dialects.loop import CallIntrinOp, CallPureExternOp, YieldOp
from ..foreign import extern_reference, native_scalar_function
from ..intrinsics import find_intrinsic, interpreter_rules
from ..values import dtype_of, element_of
from .function import Emit, FunctionEmitter

NO_RULE = "TW0533"


def _emit_intrinsic(emitter: FunctionEmitter, op: CallIntrinOp) -> None:
    intrinsic = find_intrinsic(op.symbol)
    if intrinsic is not None and intrinsic.reference is not None:
        _emit_function(emitter, op, intrinsic.reference)
        return
    body = _lowered(op)
    for argument, value in zip(body.args, op.values, strict=True):
        emitter.alias(argument, emitter.name(value))
    *ops, last = body.ops
    for each in ops:
        emitter.emit(each)
    emitter.alias(op.res, emitter.name(last.operands[0]))


def _emit_extern(emitter: FunctionEmitter, op: CallPureExternOp) -> None:
    reference = extern_reference(op.symbol)
    if reference is None:
        dtype = dtype_of(op.res.type, op)
        reference = np.vectorize(native_scalar_function(op, emitter.function), otypes=[dtype])
    _emit_function(emitter, op, reference)


def _emit_function(emitter: FunctionEmitter, op: CallIntrinOp | CallPureExternOp, function: Callable[..., Any]) -> None:
    """Emit the call of a numpy function, its result of exactly the operation's type."""
    dtype = dtype_of(op.res.type, op)

    def call(*operands: Any) -> Any:
        return np.asarray(function(*operands)).astype(dtype, copy=False)[()]

    emitter.set(op.res, f"{emitter.bind(call, op.symbol.replace('.', '_'))}({', '.join(emitter.names(op.values))})")


def _lowered(op: CallIntrinOp) -> Block:
    """Return the block by which a rule replaces a call: over the call's operands, ending with a yield of its result.

    A rule may answer with calls that other rules replace; those are met when the block's operations are translated.
    """
    for rule in interpreter_rules(op.symbol, dtype_name(element_of(op.res.type))):
        block = Block(arg_types=[value.type for value in op.values])
        call = CallIntrinOp(op.symbol, block.args, op.res.type)
        block.add_ops([call, YieldOp(call.res)])
        ModuleOp(Region(block))
        if rule(call, PatternRewriter(call)):
            return block
    fail(
        NO_RULE,
        f"expected a reference of intrinsic '{op.symbol}', or a rule for target 'interpreter', but there is neither",
        op=op,
        help="register_intrinsic(name, reference=...) takes a function on numpy arrays",
    )


def _emit_calls(emitter: FunctionEmitter, op: Operation) -> None:
    if isinstance(op, CallIntrinOp):
        _emit_intrinsic(emitter, op)
    else:
        assert isinstance(op, CallPureExternOp)
        _emit_extern(emitter, op)


EMIT: dict[str, Emit] = dict.fromkeys(("loop.call_intrin", "loop.call_pure_extern"), _emit_calls)
