"""The operations of `arith` as Python expressions, each on scalars: of vectors one lane at a time.

A rule takes the operation and its operands and returns the result. Integers wrap around: results are cast to their
type, which truncates them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation

from ....dialects.lane_constants import integer_in_lanes
from ...written.arithmetic import (
    FLOAT_BINARY,
    INTEGER_BINARY,
    INTEGER_PREDICATES,
    SHIFTS,
    Rule,
    Words,
)
from ...written.text import (
    MULTIPLY,
    OR,
    SHIFT,
    Expression,
    binary,
    call,
    joined,
)
from ...written.types import element_of, is_bit, is_integer, width_of
from .text import BIT_AND, BIT_OR, BIT_XOR, RELATION, conditional, inverse, negated
from .types import TYPES, literal, narrow_name, rounded, unsigned_type, value_type

_BITWISE = {"arith.andi": ("&", BIT_AND), "arith.ori": ("|", BIT_OR), "arith.xori": ("^", BIT_XOR)}
_DIVISIONS = {"arith.divui": "//", "arith.floordivsi": "//", "arith.remui": "%"}
_INTEGER_EXTREMES = {"arith.minsi": "<", "arith.maxsi": ">", "arith.minui": "<", "arith.maxui": ">"}
_FLOAT_EXTREMES = {"arith.maximumf": ">", "arith.minimumf": "<", "arith.maxnumf": ">", "arith.minnumf": "<"}


def _minus(bit: Expression) -> Expression:
    """Return -1 for True, which is the sign of an i1."""
    return conditional(bit, Expression("int64(-1)"), Expression("int64(0)"))


WORDS = Words(
    TYPES,
    cast=call,
    inverse=inverse,
    minus=_minus,
    equality=RELATION,
    relation=RELATION,
    conjunction="and",
    disjunction="or",
    false="False",
    true="True",
)
as_unsigned, as_integer = WORDS.as_unsigned, WORDS.as_integer

REPEATING = frozenset({"arith.cmpf", "math.absi", "vector.broadcast", *_FLOAT_EXTREMES, *_INTEGER_EXTREMES, *SHIFTS})
"""Operations whose text may hold an operand more than once, which is a name then."""


def _float_binary(op: Operation, operands: Sequence[Expression]) -> Expression:
    return binary(*FLOAT_BINARY[op.name], *operands)


def _negate(op: Operation, operands: Sequence[Expression]) -> Expression:
    return negated(operands[0])


def _integer_binary(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    if is_bit(type_):
        return binary("&", BIT_AND, *operands) if op.name == "arith.muli" else binary("!=", RELATION, *operands)
    result = binary(*INTEGER_BINARY[op.name], *operands)
    return result if isinstance(type_, IndexType) else call(value_type(type_), result)


def _bitwise(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    result = binary(*_BITWISE[op.name], *operands)
    return result if is_bit(type_) else call(value_type(type_), result)


def _shift(op: Operation, operands: Sequence[Expression]) -> Expression:
    """Shift an integer: by as many bits as there are or more, all are shifted out; copies of the sign come in from the
    left."""
    type_ = op.results[0].type
    width, sign = width_of(type_), SHIFTS[op.name]
    is_signed = op.name == "arith.shrsi"
    value, by = operands if is_signed else (as_unsigned(operands[0], type_), operands[1])
    amount = integer_in_lanes(op.operands[1])
    if amount is not None and 0 <= amount < width and width >= 8:
        return as_integer(binary(sign, SHIFT, value, Expression(str(amount))), type_)
    if width == 1:
        return value if is_signed else conditional(by, Expression("False"), value)
    by = as_unsigned(by, type_)
    fits = binary("<", RELATION, by, Expression(f"{unsigned_type(type_)}({width})"))
    least = conditional(fits, by, Expression(f"{unsigned_type(type_)}({width - 1})"))
    if is_signed:
        return as_integer(binary(sign, SHIFT, value, call(value_type(type_), least)), type_)
    moved = as_integer(binary(sign, SHIFT, value, by), type_)
    return conditional(fits, moved, literal(0, type_))


def _division(op: Operation, operands: Sequence[Expression]) -> Expression:
    """Return a division of 64-bit integers as Python computes it: the divisor is neither 0 nor -1."""
    type_, is_unsigned = op.results[0].type, op.name.endswith("ui")
    a, b = (call("uint64", as_unsigned(o, type_)) if is_unsigned else call("int64", o) for o in operands)
    return as_integer(binary(_DIVISIONS[op.name], MULTIPLY, a, b), type_)


def _signed(value: Expression, type_: Attribute) -> Expression:
    """Return an integer as an int64; the one bit of an i1 is its sign."""
    return _minus(value) if is_bit(type_) else call("int64", value)


def _integer_extreme(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    unsigned = op.name.endswith("ui")
    if is_bit(type_):  # signed, True is -1
        is_and = op.name in ("arith.minui", "arith.maxsi")
        return binary("&" if is_and else "|", BIT_AND if is_and else BIT_OR, *operands)
    compared = [as_unsigned(o, type_) for o in operands] if unsigned else operands
    return conditional(binary(_INTEGER_EXTREMES[op.name], RELATION, *compared), *operands)


def _float_extreme(op: Operation, operands: Sequence[Expression]) -> Expression:
    """Return the first operand where the comparison holds or, by its kind, where one of the two is no number."""
    a, b = operands
    holds = binary(_FLOAT_EXTREMES[op.name], RELATION, a, b)
    other = b if op.name.endswith("numf") else a
    return conditional(joined("or", OR, [holds, binary("!=", RELATION, other, other)]), a, b)


def _compare_integers(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, arith.CmpiOp)
    sign, signed = INTEGER_PREDICATES[op.predicate.value.data]
    type_ = op.lhs.type
    if is_bit(type_) and sign not in ("==", "!="):
        operands = [_signed(o, type_) if signed else call("int64", o) for o in operands]
    elif not signed:
        operands = [as_unsigned(o, type_) for o in operands]
    return WORDS.compare(sign, *operands)


def _select(op: Operation, operands: Sequence[Expression]) -> Expression:
    return conditional(*operands)


def _float_cast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if value_type(source) == value_type(target):
        return rounded(value, target)
    return call(value_type(target), value)


def _to_float(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = op.operands[0].type, element_of(op.results[0].type)
    value = WORDS.as_number(operands[0], source, is_unsigned=op.name == "arith.uitofp")
    return call(value_type(target), value)


def _to_integer(op: Operation, operands: Sequence[Expression]) -> Expression:
    target = op.results[0].type
    if is_bit(target):
        return binary("!=", RELATION, operands[0], literal(0.0, op.operands[0].type))
    if op.name == "arith.fptoui":
        return call(value_type(target), call(unsigned_type(target), operands[0]))
    return call(value_type(target), operands[0])


def _bitcast(op: Operation, operands: Sequence[Expression]) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if source == target:
        return value
    if not is_integer(source):
        value = call(f"device.{_AS_BITS[_float_name(source)]}", value)
    if is_integer(target):
        return call(value_type(target), value)
    bits = unsigned_type(source) if isinstance(source, IntegerType) else "uint64"
    return call(f"device.{_FROM_BITS[_float_name(target)]}", call(bits, value))


_AS_BITS = {"f16": "f16_bits", "bf16": "bf16_bits", "float32": "float_as_uint", "float64": "double_as_ulong"}
_FROM_BITS = {"f16": "f16_value", "bf16": "bf16_value", "float32": "uint_as_float", "float64": "ulong_as_double"}


def _float_name(type_: Attribute) -> str:
    return narrow_name(type_) or value_type(type_)


ARITHMETIC: dict[str, Rule] = {
    **WORDS.rules,
    "arith.bitcast": _bitcast,
    "arith.cmpi": _compare_integers,
    "arith.negf": _negate,
    "arith.select": _select,
    **dict.fromkeys(("arith.extf", "arith.truncf"), _float_cast),
    **dict.fromkeys(("arith.sitofp", "arith.uitofp"), _to_float),
    **dict.fromkeys(("arith.fptosi", "arith.fptoui"), _to_integer),
    **dict.fromkeys(FLOAT_BINARY, _float_binary),
    **dict.fromkeys(INTEGER_BINARY, _integer_binary),
    **dict.fromkeys(_BITWISE, _bitwise),
    **dict.fromkeys(SHIFTS, _shift),
    **dict.fromkeys(_DIVISIONS, _division),
    **dict.fromkeys(_INTEGER_EXTREMES, _integer_extreme),
    **dict.fromkeys(_FLOAT_EXTREMES, _float_extreme),
}
"""The function that writes each operation."""
