"""The operations of `arith` as C expressions, each on scalars and on one lane of vectors.

A rule gets the operation and its operands and gives the result. Integers wrap around and divide as the reference
semantics have it: C leaves both undefined, so sums are made without signs and quotients by helpers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..written.text import ADD, AND, MULTIPLY, OR, SHIFT, Expression, binary, call, joined
from ..written.types import element_of, width_of
from .text import BIT_AND, BIT_OR, BIT_XOR, EQUALITY, RELATION, cast, conditional, unary
from .types import literal, narrow_name, unsigned_type, value_type

Rule = Callable[[Operation, Sequence[Expression]], Expression]

_FLOAT_BINARY = {
    "arith.addf": ("+", ADD),
    "arith.subf": ("-", ADD),
    "arith.mulf": ("*", MULTIPLY),
    "arith.divf": ("/", MULTIPLY),
}
_INTEGER_BINARY = {"arith.addi": ("+", ADD), "arith.subi": ("-", ADD), "arith.muli": ("*", MULTIPLY)}
_BITWISE = {"arith.andi": ("&", BIT_AND), "arith.ori": ("|", BIT_OR), "arith.xori": ("^", BIT_XOR)}
_DIVISIONS = (
    *("arith.divsi", "arith.divui", "arith.remsi", "arith.remui"),
    *("arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"),
)
_INTEGER_EXTREMES = {
    "arith.minsi": "tw_least",
    "arith.maxsi": "tw_most",
    "arith.minui": "tw_umin",
    "arith.maxui": "tw_umax",
}
_FLOAT_EXTREMES = ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf")
_SHIFTS = {"arith.shli": ("<<", False), "arith.shrui": (">>", False), "arith.shrsi": (">>", True)}
_INTEGER_PREDICATES = (
    *(("==", EQUALITY, True), ("!=", EQUALITY, True), ("<", RELATION, True), ("<=", RELATION, True)),
    *((">", RELATION, True), (">=", RELATION, True), ("<", RELATION, False), ("<=", RELATION, False)),
    *((">", RELATION, False), (">=", RELATION, False)),
)
_ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
_UNORDERED = {9: "<=", 10: "<", 11: ">=", 12: ">"}
"""For "unordered or x": the comparison that is false exactly then."""


def rounded(value: Expression, type_: Attribute) -> Expression:
    """A `float` rounded to the narrow float of `type_`; unchanged for other types."""
    narrow = narrow_name(type_)
    return value if narrow is None else call(f"tw_round_{narrow}", value)


def as_unsigned(value: Expression, type_: Attribute) -> Expression:
    """An integer's bits without a sign."""
    return value if width_of(type_) == 1 else cast(unsigned_type(type_), value)


def as_integer(value: Expression, type_: Attribute) -> Expression:
    """The low bits of a wider or unsigned integer as a value of `type_`."""
    if width_of(type_) == 1:
        return binary("!=", EQUALITY, binary("&", BIT_AND, value, Expression("1")), Expression("0"))
    return cast(value_type(type_), value)


def _constant(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, arith.ConstantOp)
    return constant_value(op)


def constant_value(op: arith.ConstantOp) -> Expression:
    """The literal of a constant; of a vector that is the same in all lanes, that of a lane."""
    value = op.value
    if isinstance(value, (IntegerAttr, FloatAttr)):
        return literal(value.value.data, op.result.type)
    numbers: list[Any] = list(value.iter_values())  # pyright: ignore[reportAttributeAccessIssue]
    if len(set(map(str, numbers))) == 1:
        return literal(numbers[0], op.result.type)
    listed = ", ".join(literal(n, op.result.type).text for n in numbers)
    return Expression(f"((const {value_type(op.result.type)}[]){{{listed}}})[lane]", is_simple=False)


def _float_binary(op: Operation, operands: Sequence[Expression]) -> Expression:
    return rounded(binary(*_FLOAT_BINARY[op.name], *operands), op.results[0].type)


def _negate(op: Operation, operands: Sequence[Expression]) -> Expression:
    return unary("-", operands[0])


def _integer_binary(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    width = width_of(type_)
    if width == 1:
        sign, level = ("&", BIT_AND) if op.name == "arith.muli" else ("^", BIT_XOR)
        return binary(sign, level, *operands)
    if width >= 32:
        operands = [as_unsigned(o, type_) for o in operands]
    return cast(value_type(type_), binary(*_INTEGER_BINARY[op.name], *operands))


def _bitwise(op: Operation, operands: Sequence[Expression]) -> Expression:
    result = binary(*_BITWISE[op.name], *operands)
    return result if width_of(op.results[0].type) not in (8, 16) else cast(value_type(op.results[0].type), result)


def _shift(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    width, (sign, signed) = width_of(type_), _SHIFTS[op.name]
    amount = _constant_of(op.operands[1])
    value = operands[0] if signed else as_unsigned(operands[0], type_)
    if amount is not None and 0 <= amount < width and width >= 8:
        return as_integer(binary(sign, SHIFT, value, Expression(str(amount))), type_)
    by = as_unsigned(operands[1], type_)
    return as_integer(call(op.name.replace("arith.", "tw_"), value, by, Expression(str(width))), type_)


def _constant_of(value: SSAValue) -> int | None:
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "vector.broadcast":
        return _constant_of(owner.operands[0])
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _division(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_, kind = op.results[0].type, op.name.removeprefix("arith.")
    if kind.endswith("ui"):
        operands = [as_unsigned(o, type_) for o in operands]
    divisor = _constant_of(op.operands[1])
    if kind in ("divsi", "remsi", "divui", "remui") and divisor not in (None, 0, -1):
        plain = binary("/" if kind.startswith("div") else "%", MULTIPLY, *operands)
        return as_integer(plain, type_)
    return as_integer(call(f"tw_{kind}", *operands), type_)


def _integer_extreme(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    if op.name.endswith("ui"):
        operands = [as_unsigned(o, type_) for o in operands]
    elif width_of(type_) == 1:
        operands = [unary("-", o) for o in operands]
    return as_integer(call(_INTEGER_EXTREMES[op.name], *operands), type_)


def _float_extreme(op: Operation, operands: Sequence[Expression]) -> Expression:
    name = op.name.replace("arith.", "tw_")
    return call(name.removesuffix("f") if value_type(op.results[0].type) == "double" else name, *operands)


def _compare_integers(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, arith.CmpiOp)
    sign, level, signed = _INTEGER_PREDICATES[op.predicate.value.data]
    type_ = op.lhs.type
    if not signed:
        operands = [as_unsigned(o, type_) for o in operands]
    elif width_of(type_) == 1 and level == RELATION:
        operands = [unary("-", o) for o in operands]
    return binary(sign, level, *operands)


def _compare_floats(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, arith.CmpfOp)
    a, b = operands
    predicate = op.predicate.value.data
    if sign := _ORDERED.get(predicate):
        return binary(sign, EQUALITY if sign == "==" else RELATION, a, b)
    if sign := _UNORDERED.get(predicate):
        return unary("!", binary(sign, RELATION, a, b))
    both = [binary("==", EQUALITY, x, x) for x in (a, b)]
    either = [binary("!=", EQUALITY, x, x) for x in (a, b)]
    less = [binary(sign, RELATION, a, b) for sign in "<>"]
    match predicate:
        case 0 | 15:
            return Expression("true" if predicate else "false")
        case 6:
            return joined("||", OR, less)
        case 7:
            return joined("&&", AND, both)
        case 8:
            return unary("!", joined("||", OR, less))
        case 13:
            return binary("!=", EQUALITY, a, b)
        case _:
            return joined("||", OR, either)


def _select(op: Operation, operands: Sequence[Expression]) -> Expression:
    return conditional(*operands)


def _float_cast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if isinstance(source, Float64Type) and not isinstance(target, (Float32Type, Float64Type)):
        return rounded(call("tw_odd", value), target)
    if value_type(source) != value_type(target):
        value = cast(value_type(target), value)
    return rounded(value, target)


def _to_float(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = op.operands[0].type, element_of(op.results[0].type)
    (value,) = operands
    if op.name == "arith.uitofp":
        value = as_unsigned(value, source)
    elif width_of(source) == 1:
        value = unary("-", value)
    if isinstance(target, BFloat16Type) and width_of(source) > 16:
        return rounded(call("tw_odd", cast("double", value)), target)
    return rounded(cast("double" if isinstance(target, Float64Type) else "float", value), target)


def _to_integer(op: Operation, operands: Sequence[Expression]) -> Expression:
    target = op.results[0].type
    if width_of(target) == 1:
        return binary("!=", EQUALITY, operands[0], Expression("0"))
    if op.name == "arith.fptoui":
        return cast(value_type(target), cast(unsigned_type(target), operands[0]))
    return cast(value_type(target), operands[0])


def _integer_cast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    narrow, wide = width_of(source), width_of(target)
    if narrow == wide:
        return value
    if wide < narrow:
        return as_integer(value, target)
    if op.name in ("arith.extui", "arith.index_castui"):
        value = as_unsigned(value, source)
    elif narrow == 1:
        value = unary("-", value)
    return cast(value_type(target), value)


def _bitcast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if source == target:
        return value
    if isinstance(source, (Float16Type, BFloat16Type)):
        value = call(f"tw_to_{narrow_name(source)}", value)
    elif not isinstance(source, (IntegerType, IndexType)):
        value = call(f"tw_{value_type(source)}_bits", value)
    if isinstance(target, (Float16Type, BFloat16Type)):
        return call(f"tw_from_{narrow_name(target)}", cast("uint16_t", value))
    if isinstance(target, (IntegerType, IndexType)):
        return cast(value_type(target), value)
    return call(f"tw_bits_{value_type(target)}", value)


def _broadcast(op: Operation, operands: Sequence[Expression]) -> Expression:
    return operands[0]


ARITHMETIC: dict[str, Rule] = {
    "arith.bitcast": _bitcast,
    "arith.cmpf": _compare_floats,
    "arith.cmpi": _compare_integers,
    "arith.constant": _constant,
    "arith.negf": _negate,
    "arith.select": _select,
    "vector.broadcast": _broadcast,
    **dict.fromkeys(("arith.extf", "arith.truncf"), _float_cast),
    **dict.fromkeys(("arith.sitofp", "arith.uitofp"), _to_float),
    **dict.fromkeys(("arith.fptosi", "arith.fptoui"), _to_integer),
    **dict.fromkeys(("arith.extsi", "arith.extui", "arith.trunci"), _integer_cast),
    **dict.fromkeys(("arith.index_cast", "arith.index_castui"), _integer_cast),
    **dict.fromkeys(_FLOAT_BINARY, _float_binary),
    **dict.fromkeys(_INTEGER_BINARY, _integer_binary),
    **dict.fromkeys(_BITWISE, _bitwise),
    **dict.fromkeys(_SHIFTS, _shift),
    **dict.fromkeys(_DIVISIONS, _division),
    **dict.fromkeys(_INTEGER_EXTREMES, _integer_extreme),
    **dict.fromkeys(_FLOAT_EXTREMES, _float_extreme),
}
"""What writes each operation."""
