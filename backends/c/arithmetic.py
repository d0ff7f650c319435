"""The operations of `arith` as C expressions, each on scalars and on one lane of vectors.

A rule takes the operation and its operands and returns the result. Integer overflow and division by zero are defined by
the reference semantics but not by C, so sums are computed on unsigned types and quotients by helpers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    BFloat16Type,
    FloatAttr,
    IntegerAttr,
)
from xdsl.ir import Attribute, Operation

from ...dialects.lane_constants import integer_in_lanes
from ..written.arithmetic import (
    DIVISIONS,
    FLOAT_BINARY,
    INTEGER_BINARY,
    INTEGER_PREDICATES,
    SHIFTS,
    Rule,
    Words,
)
from ..written.text import MULTIPLY, SHIFT, Expression, binary, call
from ..written.types import element_of, is_bit, is_integer, width_of
from .text import BIT_AND, BIT_OR, BIT_XOR, EQUALITY, RELATION, cast, conditional, unary
from .types import TYPES, literal, narrow_name, unsigned_type, value_type

_BITWISE = {"arith.andi": ("&", BIT_AND), "arith.ori": ("|", BIT_OR), "arith.xori": ("^", BIT_XOR)}
_INTEGER_EXTREMES = {
    "arith.minsi": "tw_least",
    "arith.maxsi": "tw_most",
    "arith.minui": "tw_umin",
    "arith.maxui": "tw_umax",
}
_FLOAT_EXTREMES = ("arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf")
WORDS = Words(
    TYPES,
    cast,
    inverse=partial(unary, "!"),
    minus=partial(unary, "-"),
    equality=EQUALITY,
    relation=RELATION,
    conjunction="&&",
    disjunction="||",
    false="false",
    true="true",
)
as_unsigned, as_integer = WORDS.as_unsigned, WORDS.as_integer


def rounded(value: Expression, type_: Attribute) -> Expression:
    """Return a `float` rounded to the narrow float of `type_`; unchanged for other types."""
    narrow = narrow_name(type_)
    return value if narrow is None else call(f"tw_round_{narrow}", value)


def _constant(op: Operation, operands: Sequence[Expression]) -> Expression:
    """Return a lane of a constant: a literal where the vector is the same in all lanes."""
    assert isinstance(op, arith.ConstantOp)
    value = op.value
    if isinstance(value, (IntegerAttr, FloatAttr)):
        return literal(value.value.data, op.result.type)
    numbers: list[Any] = list(value.iter_values())  # pyright: ignore[reportAttributeAccessIssue]
    if len(set(map(str, numbers))) == 1:
        return literal(numbers[0], op.result.type)
    listed = ", ".join(literal(n, op.result.type).text for n in numbers)
    return Expression(f"((const {value_type(op.result.type)}[]){{{listed}}})[lane]", is_simple=False)


def _float_binary(op: Operation, operands: Sequence[Expression]) -> Expression:
    return rounded(binary(*FLOAT_BINARY[op.name], *operands), op.results[0].type)


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
    return cast(value_type(type_), binary(*INTEGER_BINARY[op.name], *operands))


def _bitwise(op: Operation, operands: Sequence[Expression]) -> Expression:
    result = binary(*_BITWISE[op.name], *operands)
    return result if width_of(op.results[0].type) not in (8, 16) else cast(value_type(op.results[0].type), result)


def _shift(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    width, sign = width_of(type_), SHIFTS[op.name]
    amount = integer_in_lanes(op.operands[1])
    value = operands[0] if op.name == "arith.shrsi" else as_unsigned(operands[0], type_)
    if amount is not None and 0 <= amount < width and width >= 8:
        return as_integer(binary(sign, SHIFT, value, Expression(str(amount))), type_)
    by = as_unsigned(operands[1], type_)
    return as_integer(call(op.name.replace("arith.", "tw_"), value, by, Expression(str(width))), type_)


def _division(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_, kind = op.results[0].type, op.name.removeprefix("arith.")
    if kind.endswith("ui"):
        operands = [as_unsigned(o, type_) for o in operands]
    divisor = integer_in_lanes(op.operands[1])
    if kind in ("divsi", "remsi", "divui", "remui") and divisor not in (None, 0, -1):
        plain = binary("/" if kind.startswith("div") else "%", MULTIPLY, *operands)
        return as_integer(plain, type_)
    return as_integer(call(f"tw_{kind}", *operands), type_)


def _integer_extreme(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    operands = [WORDS.as_number(o, type_, is_unsigned=op.name.endswith("ui")) for o in operands]
    return as_integer(call(_INTEGER_EXTREMES[op.name], *operands), type_)


def _float_extreme(op: Operation, operands: Sequence[Expression]) -> Expression:
    name = op.name.replace("arith.", "tw_")
    return call(name.removesuffix("f") if value_type(op.results[0].type) == "double" else name, *operands)


def _compare_integers(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, arith.CmpiOp)
    sign, signed = INTEGER_PREDICATES[op.predicate.value.data]
    type_ = op.lhs.type
    if not is_bit(type_) or sign not in ("==", "!="):
        operands = [WORDS.as_number(o, type_, is_unsigned=not signed) for o in operands]
    return WORDS.compare(sign, *operands)


def _select(op: Operation, operands: Sequence[Expression]) -> Expression:
    return conditional(*operands)


def _float_cast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if value_type(source) == "double" and narrow_name(target):
        return rounded(call("tw_odd", value), target)
    if value_type(source) != value_type(target):
        value = cast(value_type(target), value)
    return rounded(value, target)


def _to_float(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = op.operands[0].type, element_of(op.results[0].type)
    value = WORDS.as_number(operands[0], source, is_unsigned=op.name == "arith.uitofp")
    if isinstance(target, BFloat16Type) and width_of(source) > 16:
        return rounded(call("tw_odd", cast("double", value)), target)
    return rounded(cast(value_type(target), value), target)


def _to_integer(op: Operation, operands: Sequence[Expression]) -> Expression:
    target = op.results[0].type
    if is_bit(target):
        return binary("!=", EQUALITY, operands[0], Expression("0"))
    if op.name == "arith.fptoui":
        return cast(value_type(target), cast(unsigned_type(target), operands[0]))
    return cast(value_type(target), operands[0])


def _bitcast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if source == target:
        return value
    if narrow := narrow_name(source):
        value = call(f"tw_to_{narrow}", value)
    elif not is_integer(source):
        value = call(f"tw_{value_type(source)}_bits", value)
    if narrow := narrow_name(target):
        return call(f"tw_from_{narrow}", cast("uint16_t", value))
    if is_integer(target):
        return cast(value_type(target), value)
    return call(f"tw_bits_{value_type(target)}", value)


ARITHMETIC: dict[str, Rule] = {
    **WORDS.rules,
    "arith.bitcast": _bitcast,
    "arith.cmpi": _compare_integers,
    "arith.constant": _constant,
    "arith.negf": _negate,
    "arith.select": _select,
    **dict.fromkeys(("arith.extf", "arith.truncf"), _float_cast),
    **dict.fromkeys(("arith.sitofp", "arith.uitofp"), _to_float),
    **dict.fromkeys(("arith.fptosi", "arith.fptoui"), _to_integer),
    **dict.fromkeys(FLOAT_BINARY, _float_binary),
    **dict.fromkeys(INTEGER_BINARY, _integer_binary),
    **dict.fromkeys(_BITWISE, _bitwise),
    **dict.fromkeys(SHIFTS, _shift),
    **dict.fromkeys(DIVISIONS, _division),
    **dict.fromkeys(_INTEGER_EXTREMES, _integer_extreme),
    **dict.fromkeys(_FLOAT_EXTREMES, _float_extreme),
}
"""The function that writes each operation."""
