"""Emission of `arith` operations in any language: operators, comparisons by predicate, conversions of integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Attribute, Operation

from .text import ADD, AND, MULTIPLY, OR, PRIMARY, UNARY, Expression, binary, joined
from .types import TypeNames, is_bit, width_of

Rule = Callable[[Operation, Sequence[Expression]], Expression]
"""Writes an operation whose operands are written."""

FLOAT_BINARY = {
    "arith.addf": ("+", ADD),
    "arith.subf": ("-", ADD),
    "arith.mulf": ("*", MULTIPLY),
    "arith.divf": ("/", MULTIPLY),
}
INTEGER_BINARY = {"arith.addi": ("+", ADD), "arith.subi": ("-", ADD), "arith.muli": ("*", MULTIPLY)}
SHIFTS = {"arith.shli": "<<", "arith.shrui": ">>", "arith.shrsi": ">>"}
DIVISIONS = (
    *("arith.divsi", "arith.divui", "arith.remsi", "arith.remui"),
    *("arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"),
)
INTEGER_PREDICATES = (
    *(("==", True), ("!=", True), ("<", True), ("<=", True), (">", True), (">=", True)),
    *(("<", False), ("<=", False), (">", False), (">=", False)),
)
"""By number: the operator, and whether it takes a sign into account."""
_ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<="}
_UNORDERED = {9: "<=", 10: "<", 11: ">=", 12: ">"}
"""For "unordered or x": the comparison that is false exactly then."""


@dataclass(frozen=True)
class Words:
    """The words of a language for comparisons and conversions of integers."""

    types: TypeNames
    cast: Callable[[str, Expression], Expression]
    inverse: Callable[[Expression], Expression]
    minus: Callable[[Expression], Expression]
    """Of one bit: 0 or -1."""
    equality: int
    """The precedence of `==`."""
    relation: int
    """The precedence of `<`."""
    conjunction: str
    disjunction: str
    false: str
    true: str

    @property
    def rules(self) -> dict[str, Rule]:
        """The functions that write operations which differ in words alone."""
        casts = (*("arith.extsi", "arith.extui", "arith.trunci"), *("arith.index_cast", "arith.index_castui"))
        others = {"arith.cmpf": self.compare_floats, "vector.broadcast": _broadcast}
        return {**others, **dict.fromkeys(casts, self.cast_integer)}

    def compare(self, sign: str, a: Expression, b: Expression) -> Expression:
        """Return `a sign b`."""
        return binary(sign, self.equality if sign in ("==", "!=") else self.relation, a, b)

    def compare_floats(self, op: Operation, operands: Sequence[Expression]) -> Expression:
        """Write `arith.cmpf`, which may repeat its operands."""
        assert isinstance(op, arith.CmpfOp)
        predicate, (a, b) = op.predicate.value.data, operands
        if sign := _ORDERED.get(predicate):
            return self.compare(sign, a, b)
        if sign := _UNORDERED.get(predicate):
            return self.inverse(self.compare(sign, a, b))
        less = joined(self.disjunction, OR, [self.compare(sign, a, b) for sign in "<>"])
        match predicate:
            case 0 | 15:
                return Expression(self.true if predicate else self.false)
            case 6:
                return less
            case 7:
                return joined(self.conjunction, AND, [self.compare("==", x, x) for x in (a, b)])
            case 8:
                return self.inverse(less)
            case 13:
                return self.compare("!=", a, b)
            case _:
                return joined(self.disjunction, OR, [self.compare("!=", x, x) for x in (a, b)])

    def as_unsigned(self, value: Expression, type_: Attribute) -> Expression:
        """Return an integer's bits without a sign."""
        if 1 < width_of(type_) < 8:
            return _low_bits(value, type_)
        return value if is_bit(type_) else self.cast(self.types.unsigned(type_), value)

    def as_integer(self, value: Expression, type_: Attribute) -> Expression:
        """Return the low bits of a wider or unsigned integer as a value of `type_`."""
        if is_bit(type_):
            return Expression(f"({value.at(UNARY)} & 1) != 0", self.equality, value.reads, is_simple=False)
        if width_of(type_) < 8:
            value = _low_bits(value, type_)
        return self.cast(self.types.value(type_), value)

    def as_number(self, value: Expression, type_: Attribute, *, is_unsigned: bool) -> Expression:
        """Return an integer as an expression of its unsigned or its signed value, to be widened or converted."""
        if is_unsigned:
            return self.as_unsigned(value, type_)
        return self.minus(value) if is_bit(type_) else value

    def cast_integer(self, op: Operation, operands: Sequence[Expression]) -> Expression:
        """Write the casts between integers, and between them and indices."""
        source, target = op.operands[0].type, op.results[0].type
        (value,) = operands
        if width_of(target) < width_of(source):
            return self.as_integer(value, target)
        if width_of(target) > width_of(source):
            value = self.as_number(value, source, is_unsigned=op.name in ("arith.extui", "arith.index_castui"))
        name = self.types.value(target)
        return value if name == self.types.value(source) else self.cast(name, value)


def _low_bits(value: Expression, type_: Attribute) -> Expression:
    """Return as many of the lowest bits of an integer as a type of fewer than 8 has."""
    mask = (1 << width_of(type_)) - 1
    return Expression(f"({value.at(UNARY)} & {mask})", PRIMARY, value.reads, is_simple=False)


def _broadcast(op: Operation, operands: Sequence[Expression]) -> Expression:
    return operands[0]
