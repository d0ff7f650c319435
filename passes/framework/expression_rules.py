"""Lowering rules that return expressions: `rule(call) -> expression`.

The rule gets the operation as a call with `dtype` and `args`. The expression is written for scalars. If the operation
computes vectors, each operation of the expression is created on vectors.

The definition of a scalar function is a rule of the lowest level. It serves targets without another rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import IndexType, ModuleOp, VectorType, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects.dtypes import dtype_name
from ...dialects.loop import CallIntrinOp, ScalarCallOp
from ...dialects.target import TargetAttr
from ...ir import editor as edit
from ...semantics.intrinsics import DEFINED, OPERATIONS
from ...te.body import BodyEmitter
from ...te.calls import Call
from ...te.dtypes import dtype_of_ir
from ...te.expr import Axis, Choice, Expr, Parameter, Read, Reduce, Var, as_expr, walk
from ...te.functions import DEFINITIONS
from ...traversal import operations
from .intrinsics import is_replaced
from .rewriting import rewrite

BAD_RESULT = "TW0534"

_NAMES = {operation: name for name, operation in reversed(OPERATIONS.items())}


@dataclass(frozen=True)
class ExpressionRule:
    """A rule on operations that applies a rule on calls."""

    function: Callable[[Call], Any]

    def __call__(self, op: Operation, rewriter: PatternRewriter) -> bool:
        parameters = tuple(Parameter(f"arg{k}", _dtype(v.type)) for k, v in enumerate(op.operands))
        call = Call(_name(op), parameters, _dtype(op.results[0].type))
        result = self.function(call)
        if result is None or result is call or _is_same_call(result, call):
            return False
        _replace(op, rewriter, self._checked(op, call, result), parameters)
        return True

    def _checked(self, op: Operation, call: Call, result: Any) -> Expr:
        where = f"rule '{self.function.__name__}' of '{call.symbol}'"
        expr = as_expr(result, call.dtype)
        if expr.dtype != call.dtype:
            fail(BAD_RESULT, f"expected {where} to return {call.dtype}, but got {expr.dtype}", op=op)
        for node in walk(expr):
            if isinstance(node, (Axis, Var, Read, Reduce)) or (
                isinstance(node, Parameter) and not _is_one_of(node, call.args)
            ):
                fail(BAD_RESULT, f"expected {where} to use the call's operands only, but got `{node}`", op=op)
        return expr


class _ScalarEmitter(BodyEmitter):
    """Emits expressions without loads, so that both operands of a select can be computed."""

    def _guarded_choice(self, expr: Choice) -> SSAValue:
        return self._select(*(self.scalar(operand) for operand in expr.operands))


def _replace(op: Operation, rewriter: PatternRewriter, expr: Expr, parameters: tuple[Parameter, ...]) -> None:
    """Replace `op` by the operations of an expression."""
    block = Block(arg_types=[_element(v.type) for v in op.operands])
    builder = Builder(InsertPoint.at_end(block))
    values = {p: _without_index(builder, a) for p, a in zip(parameters, block.args, strict=True)}
    result = _ScalarEmitter(builder, {}, {}, values).scalar(expr)
    type = op.results[0].type
    if isinstance(type, IndexType):
        result = builder.insert(arith.IndexCastOp(result, type)).result
    known: dict[SSAValue, SSAValue] = dict(zip(block.args, op.operands, strict=True))
    made = [new for each in block.ops for new in _widened(each, known, type)]
    replacement = known[result]
    edit.rename(replacement, replacement.name_hint or op.results[0].name_hint)
    rewriter.replace(op, made, [replacement])


def _without_index(builder: Builder, value: SSAValue) -> SSAValue:
    """Return `value` in the type that rules see it with: an index is an int64."""
    return builder.insert(arith.IndexCastOp(value, i64)).result if isinstance(value.type, IndexType) else value


def _widened(op: Operation, known: dict[SSAValue, SSAValue], like: Attribute) -> Sequence[Operation]:
    """Build `op` on the scalars or vectors that correspond to its operands, and add its result to `known`."""
    if not isinstance(like, VectorType):
        made = [op.clone(known)]
    elif isinstance(op, arith.ConstantOp):
        constant = op.clone()
        wide = VectorType(constant.result.type, like.get_shape())
        made = [constant, vector.BroadcastOp(constant.result, wide)]
    else:
        types = [VectorType(r.type, like.get_shape()) for r in op.results]
        operands = [known[v] for v in op.operands]
        made = [type(op).create(operands=operands, result_types=types, properties=op.properties)]
    known[op.results[0]] = made[-1].results[0]
    return made


def _is_same_call(result: Any, call: Call) -> bool:
    return (
        isinstance(result, Call)
        and not result.is_extern
        and result.symbol == call.symbol
        and len(result.args) == len(call.args)
        and all(a is b for a, b in zip(result.args, call.args, strict=True))
    )


def _is_one_of(node: Expr, nodes: tuple[Expr, ...]) -> bool:
    """Return whether a node is in a list by identity; `==` of nodes would build a comparison."""
    return any(node is each for each in nodes)


def _name(op: Operation) -> str:
    return op.symbol if isinstance(op, ScalarCallOp) else _NAMES.get(op.name, op.name)


def _dtype(type: Attribute) -> str:
    element = _element(type)
    return "int64" if isinstance(element, IndexType) else dtype_of_ir(element)


def _element(type: Attribute) -> Attribute:
    return type.element_type if isinstance(type, VectorType) else type


def definition_of(call: Call) -> Expr:
    """Return the rule of the lowest level for functions in `DEFINED`: the expression that such a function is."""
    return DEFINITIONS[call.symbol](*call.args)


def expand_definitions(module: ModuleOp, target: TargetAttr | None) -> None:
    """Replace calls of the functions in `DEFINED` by their definitions where `target` has no rule for them.

    ```mlir
    %b = loop.call_intrin "isnan"(%a) : (f32) -> i1
    // becomes
    %b = arith.cmpf une, %a, %a : f32
    ```
    Where the target is not known, calls are left to `lower-intrinsics`.
    """
    if target is not None and any(isinstance(op, CallIntrinOp) and op.symbol in DEFINED for op in operations(module)):
        rewrite(module, [_Expand(target.kind)])


class _Expand(RewritePattern):
    """Expands calls for which the target has no rule."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.rule = ExpressionRule(definition_of)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, CallIntrinOp) or op.symbol not in DEFINED:
            return
        if not is_replaced(op.symbol, self.target, dtype_name(op.res.type)):
            self.rule(op, rewriter)
