"""The operations of `arith` as Python expressions, each on scalars: of vectors one lane at a time.

A rule gets the operation, its operands and the lane, and gives the result. Integers wrap around and divide as the
reference semantics have it: results are cast to their type, which cuts off what does not fit, and quotients whose
divisor may be zero or whose sign matters are helpers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from ...written.text import (
    ADD,
    AND,
    CONDITIONAL,
    MULTIPLY,
    OR,
    SHIFT,
    UNARY,
    Expression,
    binary,
    call,
    joined,
    reads_of,
)
from ...written.types import element_of, width_of
from .text import BIT_AND, BIT_OR, BIT_XOR, RELATION, conditional, inverse, negated
from .types import literal, narrow_name, rounded, unsigned_type, value_type

Rule = Callable[[Operation, Sequence[Expression], int], Expression]

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
_INTEGER_EXTREMES = {"arith.minsi": "<", "arith.maxsi": ">", "arith.minui": "<", "arith.maxui": ">"}
_FLOAT_EXTREMES = {"arith.maximumf": ">", "arith.minimumf": "<", "arith.maxnumf": ">", "arith.minnumf": "<"}
_SHIFTS = {"arith.shli": "<<", "arith.shrui": ">>", "arith.shrsi": ">>"}
_INTEGER_PREDICATES = (
    *(("==", True), ("!=", True), ("<", True), ("<=", True), (">", True), (">=", True)),
    *(("<", False), ("<=", False), (">", False), (">=", False)),
)
_ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
_UNORDERED = {9: "<=", 10: "<", 11: ">=", 12: ">"}
"""For "unordered or x": the comparison that is false exactly then."""

REPEATING = frozenset(
    {"arith.cmpf", "math.absi", "vector.broadcast", *_FLOAT_EXTREMES, *_INTEGER_EXTREMES, *_SHIFTS, *_DIVISIONS}
)
"""Operations whose text may hold an operand more than once, which is a name then."""


def as_unsigned(value: Expression, type_: Attribute) -> Expression:
    """An integer's bits without a sign."""
    return value if width_of(type_) == 1 else call(unsigned_type(type_), value)


def as_integer(value: Expression, type_: Attribute) -> Expression:
    """The low bits of a wider or unsigned integer as a value of `type_`."""
    if width_of(type_) == 1:
        low = binary("&", BIT_AND, value, Expression("1"))
        return binary("!=", RELATION, low, Expression("0"))
    return call(value_type(type_), value)


def _is_bit(type_: Attribute) -> bool:
    return width_of(type_) == 1 and isinstance(element_of(type_), IntegerType)


def _constant(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    assert isinstance(op, arith.ConstantOp)
    value = op.value
    if isinstance(value, (IntegerAttr, FloatAttr)):
        return literal(value.value.data, op.result.type)
    numbers: list[Any] = list(value.iter_values())  # pyright: ignore[reportAttributeAccessIssue]
    return literal(numbers[lane if len(numbers) > 1 else 0], op.result.type)


def _float_binary(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    return rounded(binary(*_FLOAT_BINARY[op.name], *operands), op.results[0].type)


def _negate(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    return negated(operands[0])


def _integer_binary(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    type_ = op.results[0].type
    if _is_bit(type_):
        return binary("&", BIT_AND, *operands) if op.name == "arith.muli" else binary("!=", RELATION, *operands)
    result = binary(*_INTEGER_BINARY[op.name], *operands)
    return result if isinstance(type_, IndexType) else call(value_type(type_), result)


def _bitwise(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    type_ = op.results[0].type
    result = binary(*_BITWISE[op.name], *operands)
    return result if _is_bit(type_) else call(value_type(type_), result)


def _shift(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    """By as many bits as there are or more, all are shifted out; copies of the sign come in from the left."""
    type_ = op.results[0].type
    width, sign = width_of(type_), _SHIFTS[op.name]
    is_signed = op.name == "arith.shrsi"
    value, by = operands if is_signed else (as_unsigned(operands[0], type_), operands[1])
    amount = constant_of(op.operands[1])
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


def constant_of(value: SSAValue) -> int | None:
    """The integer that a value is, where that is written down."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "vector.broadcast":
        return constant_of(owner.operands[0])
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _division(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    """Python rounds quotients down and gives remainders the divisor's sign. By 0 the result is 0, and the least integer
    divided by -1 is itself."""
    type_, kind = op.results[0].type, op.name.removeprefix("arith.")
    is_unsigned = kind.endswith("ui")
    a, b = (call("uint64", as_unsigned(o, type_)) if is_unsigned else _signed(o, type_) for o in operands)
    template = _QUOTIENTS[kind]
    if is_unsigned:
        guarded = f"({template}) if {{b}} != uint64(0) else uint64(0)"
    else:
        opposite = "0" if kind == "remsi" else "-{a} if {b} == -1 else 0"
        guarded = f"({template}) if {{b}} != 0 and {{b}} != -1 else {opposite}"
    divisor = constant_of(op.operands[1])
    chosen = template if divisor is not None and divisor > 0 and width_of(type_) > 1 else guarded
    text = chosen.format(a=a.at(UNARY), b=b.at(UNARY))
    return as_integer(Expression(text, CONDITIONAL, reads_of(a, b), is_simple=False), type_)


_QUOTIENTS = {
    "divsi": "{a} // {b} + 1 if {a} % {b} != 0 and ({a} < 0) != ({b} < 0) else {a} // {b}",
    "remsi": "{a} % {b} - {b} if {a} % {b} != 0 and ({a} < 0) != ({b} < 0) else {a} % {b}",
    "floordivsi": "{a} // {b}",
    "ceildivsi": "{a} // {b} + 1 if {a} % {b} != 0 else {a} // {b}",
    "divui": "{a} // {b}",
    "remui": "{a} % {b}",
    "ceildivui": "{a} // {b} + uint64(1) if {a} % {b} != uint64(0) else {a} // {b}",
}
"""Where the divisor is not 0, and not -1."""


def _signed(value: Expression, type_: Attribute) -> Expression:
    """An integer as an int64; the one bit of an i1 is its sign."""
    return (
        conditional(value, Expression("int64(-1)"), Expression("int64(0)")) if _is_bit(type_) else call("int64", value)
    )


def _integer_extreme(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    type_ = op.results[0].type
    unsigned = op.name.endswith("ui")
    if _is_bit(type_):  # signed, True is -1
        is_and = op.name in ("arith.minui", "arith.maxsi")
        return binary("&" if is_and else "|", BIT_AND if is_and else BIT_OR, *operands)
    compared = [as_unsigned(o, type_) for o in operands] if unsigned else operands
    return conditional(binary(_INTEGER_EXTREMES[op.name], RELATION, *compared), *operands)


def _float_extreme(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    """The first operand where the comparison holds or, by its kind, where one of the two is no number."""
    a, b = operands
    holds = binary(_FLOAT_EXTREMES[op.name], RELATION, a, b)
    other = b if op.name.endswith("numf") else a
    return conditional(joined("or", OR, [holds, binary("!=", RELATION, other, other)]), a, b)


def _compare_integers(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    assert isinstance(op, arith.CmpiOp)
    sign, signed = _INTEGER_PREDICATES[op.predicate.value.data]
    type_ = op.lhs.type
    if _is_bit(type_) and sign not in ("==", "!="):
        operands = [_signed(o, type_) if signed else call("int64", o) for o in operands]
    elif not signed:
        operands = [as_unsigned(o, type_) for o in operands]
    return binary(sign, RELATION, *operands)


def _compare_floats(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    assert isinstance(op, arith.CmpfOp)
    a, b = operands
    predicate = op.predicate.value.data
    if sign := _ORDERED.get(predicate):
        return binary(sign, RELATION, a, b)
    if sign := _UNORDERED.get(predicate):
        return inverse(binary(sign, RELATION, a, b))
    less = joined("or", OR, [binary(sign, RELATION, a, b) for sign in "<>"])
    match predicate:
        case 0 | 15:
            return Expression("True" if predicate else "False")
        case 6:
            return less
        case 7:
            return joined("and", AND, [binary("==", RELATION, x, x) for x in (a, b)])
        case 8:
            return inverse(less)
        case 13:
            return binary("!=", RELATION, a, b)
        case _:
            return joined("or", OR, [binary("!=", RELATION, x, x) for x in (a, b)])


def _select(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    return conditional(*operands)


def _float_cast(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if narrow_name(target):
        return rounded(value, target)  # a double is rounded to odd before: see `steps`
    return value if value_type(source) == value_type(target) else call(value_type(target), value)


def _to_float(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    source, target = op.operands[0].type, element_of(op.results[0].type)
    (value,) = operands
    if narrow_name(target) and width_of(source) > 16:
        return rounded(value, target)  # a float32 already: see `steps`
    if op.name == "arith.uitofp":
        value = as_unsigned(value, source)
    elif _is_bit(source):
        value = _signed(value, source)
    return rounded(call(value_type(target), value), target)


def _to_integer(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    target = op.results[0].type
    if width_of(target) == 1:
        return binary("!=", RELATION, operands[0], literal(0.0, op.operands[0].type))
    if op.name == "arith.fptoui":
        return call(value_type(target), call(unsigned_type(target), operands[0]))
    return call(value_type(target), operands[0])


def _integer_cast(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    narrow, wide = width_of(source), width_of(target)
    if wide < narrow:
        return as_integer(value, target)
    if narrow == wide:
        return value if value_type(source) == value_type(target) else call(value_type(target), value)
    if op.name in ("arith.extui", "arith.index_castui"):
        value = as_unsigned(value, source)
    elif narrow == 1:
        value = _signed(value, source)
    return call(value_type(target), value)


def _bitcast(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
    source, target = element_of(op.operands[0].type), element_of(op.results[0].type)
    (value,) = operands
    if source == target:
        return value
    if not isinstance(source, (IntegerType, IndexType)):
        value = call(f"device.{_AS_BITS[_float_name(source)]}", value)
    if isinstance(target, (IntegerType, IndexType)):
        return call(value_type(target), value)
    bits = unsigned_type(source) if isinstance(source, IntegerType) else "uint64"
    return call(f"device.{_FROM_BITS[_float_name(target)]}", call(bits, value))


_AS_BITS = {"f16": "f16_bits", "bf16": "bf16_bits", "float32": "float_as_uint", "float64": "double_as_ulong"}
_FROM_BITS = {"f16": "f16_value", "bf16": "bf16_value", "float32": "uint_as_float", "float64": "ulong_as_double"}


def _float_name(type_: Attribute) -> str:
    return narrow_name(type_) or value_type(type_)


def _broadcast(op: Operation, operands: Sequence[Expression], lane: int) -> Expression:
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
