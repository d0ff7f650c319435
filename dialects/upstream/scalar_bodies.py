"""The scalar bodies of named linalg operations, on one element of each operand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...ir import editor as edit

Emit = Callable[[Operation], SSAValue]


class NoBody(Exception):
    """An error: the operation is not defined for these element types."""


def build_body(name: str, block: Block, inputs: int, *, unsigned: bool = False) -> SSAValue:
    """Append the operations of `name` to `block`, whose arguments are the elements of the operands. Returns the
    resulting element.

    Inputs are converted to the element type of the output first. Raises NoBody.
    """
    values, output = list(block.args[:inputs]), block.args[inputs]

    def emit(op: Operation) -> SSAValue:
        edit.append(block, op)
        return op.results[0]

    target = output.type
    if name == "select":
        return emit(arith.SelectOp(*values))
    if name.startswith("pool_"):
        return _combine(name.removeprefix("pool_"), emit, output, _cast(emit, values[0], target, unsigned=unsigned))
    values = [_cast(emit, value, target, unsigned=unsigned) for value in values]
    if name == "copy":
        return values[0]
    if name == "mul_add":
        product = _combine("mul", emit, *values)
        return _combine("add", emit, output, product)
    if len(values) == 2:
        return _combine(name, emit, *values)
    return _unary(name, emit, values[0])


def _cast(emit: Emit, value: SSAValue, target: Attribute, *, unsigned: bool) -> SSAValue:
    source = value.type
    if source == target:
        return value
    if isinstance(source, IntegerType) and isinstance(target, IntegerType):
        if source.width.data > target.width.data:
            return emit(arith.TruncIOp(value, target))
        return emit(arith.ExtUIOp(value, target) if unsigned else arith.ExtSIOp(value, target))
    if isinstance(source, IntegerType) and isinstance(target, AnyFloat):
        return emit(arith.UIToFPOp(value, target) if unsigned else arith.SIToFPOp(value, target))
    if isinstance(source, AnyFloat) and isinstance(target, IntegerType):
        return emit(arith.FPToUIOp(value, target) if unsigned else arith.FPToSIOp(value, target))
    if isinstance(source, AnyFloat) and isinstance(target, AnyFloat):
        narrows = source.bitwidth > target.bitwidth
        return emit(arith.TruncFOp(value, target) if narrows else arith.ExtFOp(value, target))
    raise NoBody(f"a conversion from {source} to {target}")


_FLOAT: dict[str, type[Operation]] = {
    "add": arith.AddfOp,
    "sub": arith.SubfOp,
    "mul": arith.MulfOp,
    "div": arith.DivfOp,
    "max": arith.MaximumfOp,
    "min": arith.MinimumfOp,
    "powf": math.PowFOp,
}
_INTEGER: dict[str, type[Operation]] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "div": arith.DivSIOp,
    "div_unsigned": arith.DivUIOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
    "max_unsigned": arith.MaxUIOp,
    "min_unsigned": arith.MinUIOp,
}
_TRUTH: dict[str, type[Operation]] = {"add": arith.OrIOp, "mul": arith.AndIOp}


def _combine(name: str, emit: Emit, left: SSAValue, right: SSAValue) -> SSAValue:
    type_ = left.type
    is_truth = isinstance(type_, IntegerType) and type_.width.data == 1
    table = _TRUTH if is_truth else _INTEGER if isinstance(type_, IntegerType) else _FLOAT
    if name not in table:
        raise NoBody(f"'{name}' of {type_}")
    return emit(table[name](left, right))  # pyright: ignore[reportCallIssue]


_UNARY: dict[str, type[Operation]] = {
    "exp": math.ExpOp,
    "log": math.LogOp,
    "abs": math.AbsFOp,
    "ceil": math.CeilOp,
    "floor": math.FloorOp,
    "negf": arith.NegfOp,
    "round": math.RoundOp,
    "sqrt": math.SqrtOp,
    "rsqrt": math.RsqrtOp,
    "tanh": math.TanhOp,
    "erf": math.ErfOp,
}


def _unary(name: str, emit: Emit, value: SSAValue) -> SSAValue:
    type_ = value.type
    if name == "square":
        return _combine("mul", emit, value, value)
    if isinstance(type_, AnyFloat) and name == "reciprocal":
        return emit(arith.DivfOp(emit(arith.ConstantOp(FloatAttr(1.0, type_))), value))
    if isinstance(type_, AnyFloat) and name in _UNARY:
        return emit(_UNARY[name](value))  # pyright: ignore[reportCallIssue]
    if isinstance(type_, IntegerType) and name == "abs":
        return emit(math.AbsIOp(value))
    raise NoBody(f"'{name}' of {type_}")


def element_types(values: Sequence[SSAValue]) -> list[Attribute]:
    """Return the element types of tensors and memrefs; of a scalar, its type."""
    return [getattr(value.type, "element_type", value.type) for value in values]
