"""Equations of arithmetic as rewrite rules to a normal form: equal expressions often have the same one.

Each rule stands below its equation. Constants are called a, b and c; they are folded, and move to the right and out of
sums. The two sides of most equations are poison for the same operands, so that these rules apply to both programs. The
rules of `SOURCE_RULES` drop poison, and apply to the program before only. Operations with flags are not rewritten in
the program after; in the program before a flag may be dropped first. Integers are two's complement of a known width.
The type `index` has no known width, so no rule rewrites its sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Attribute

from ..polyhedral.expression_trees import Apply, Choice, Constant, Expression, apply, choice, constant, flags_of
from ..polyhedral.expression_trees import without_flags as _without_flags
from .algebra import COMMUTATIVE, Algebra

SELECT = "arith.select"
COMPARE = "arith.cmpi"
EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE = range(10)
_NEGATED = {EQ: NE, NE: EQ, SLT: SGE, SLE: SGT, SGT: SLE, SGE: SLT, ULT: UGE, ULE: UGT, UGT: ULE, UGE: ULT}
_TURNED = {SGT: SLT, SGE: SLE, UGT: ULT, UGE: ULE}
"""Predicates that are replaced by their counterparts, with the operands exchanged."""

Rule: TypeAlias = "Callable[[Apply], Expression | None]"


class Equations:
    """The normal forms of the expressions of one program."""

    def __init__(self, *, of_source: bool, may_be_poison: Callable[[Expression], bool] = lambda _: True) -> None:
        """Prepare the equations; `of_source` says that expressions are of the program before, whose flags and poison
        may be dropped."""
        self.of_source = of_source
        self.may_be_poison = may_be_poison
        self._known: dict[Expression, Expression] = {}
        self._rules = (*_RULES, *SOURCE_RULES, self._nested) if of_source else (*_RULES, self._nested)

    def simplified(self, e: Expression) -> Expression:
        """Return an expression with the values of another one, to which no rule applies."""
        known = self._known.get(e)
        if known is None:
            self._known[e] = known = self._simplify(e)
        return known

    def _simplify(self, e: Expression) -> Expression:
        if isinstance(e, Choice):
            return choice([(where, self.simplified(case)) for where, case in e.cases], e.type)
        if not isinstance(e, Apply):
            return e
        new = apply(e.name, e.properties, e.type, [self.simplified(operand) for operand in e.operands])
        if flags_of(new) and not self.of_source:
            return new
        new = _without_flags(new)
        if [name for name, _ in new.properties] != (["predicate"] if new.name == COMPARE else []):
            return new  # a property that no equation knows
        for rule in self._rules:
            found = rule(new)
            if found is not None:
                return self.simplified(found)
        return new

    def _nested(self, e: Apply) -> Expression | None:
        """select(t, select(u, x, y), y) == select(t & u, x, y), and so on, where both choices can give y.

        Where t decides alone, the right side is poison for a u that is poison, and the left side is not: fine in the
        program after, of which more is asked then, and in the program before for a u that is never poison.
        """
        if e.name != SELECT:
            return None
        outer = e.operands[0]
        for inner, rest, holds in ((e.operands[1], e.operands[2], True), (e.operands[2], e.operands[1], False)):
            if not isinstance(inner, Apply) or not _is(inner, SELECT) or rest not in inner.operands[1:]:
                continue
            condition, x, y = inner.operands
            if self.of_source and self.may_be_poison(condition):
                continue
            parts = [outer if holds else _not(outer), condition if y is rest else _not(condition)]
            both = _binary("arith.andi", parts[0], parts[1], IntegerType(1))
            return apply(SELECT, [], e.type, [both, x if y is rest else y, rest])
        return None


# Numbers


def _width(type: Attribute) -> int | None:
    return type.width.data if isinstance(type, IntegerType) else None


def _number(e: Expression) -> int | None:
    """Return the bits of an integer constant, as an unsigned number."""
    return e.bits if isinstance(e, Constant) and isinstance(e.type, IntegerType) else None


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) else bits


def _constant(type: Attribute, number: int) -> Constant:
    width = _width(type)
    assert width is not None
    return constant(type, number & ((1 << width) - 1))


def _binary(name: str, first: Expression, second: Expression, type: Attribute) -> Apply:
    return apply(name, [], type, [first, second])


def _compare(predicate: int, first: Expression, second: Expression) -> Apply:
    return apply(COMPARE, [("predicate", IntegerAttr(predicate, i64))], IntegerType(1), [first, second])


def _predicate(e: Expression) -> int | None:
    if not isinstance(e, Apply) or e.name != COMPARE:
        return None
    value = dict(e.properties)["predicate"]
    return value.value.data if isinstance(value, IntegerAttr) else None


def _is(e: Expression, name: str) -> bool:
    """Return whether an expression is the operation of this name, without flags and properties."""
    return isinstance(e, Apply) and e.name == name and not e.properties


# Constants


def _truncated(x: int, y: int) -> int:
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


_UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda x, y: x + y,
    "arith.subi": lambda x, y: x - y,
    "arith.muli": lambda x, y: x * y,
    "arith.andi": lambda x, y: x & y,
    "arith.ori": lambda x, y: x | y,
    "arith.xori": lambda x, y: x ^ y,
    "arith.maxui": max,
    "arith.minui": min,
}
_SIGNED: dict[str, Callable[[int, int], int]] = {"arith.maxsi": max, "arith.minsi": min}
_SHIFTS = ("arith.shli", "arith.shrui", "arith.shrsi")
_UNSIGNED_DIVISIONS: dict[str, Callable[[int, int], int]] = {
    "arith.divui": lambda x, y: x // y,
    "arith.remui": lambda x, y: x % y,
    "arith.ceildivui": lambda x, y: -(-x // y),
}
_SIGNED_DIVISIONS: dict[str, Callable[[int, int], int]] = {
    "arith.divsi": _truncated,
    "arith.remsi": lambda x, y: x - y * _truncated(x, y),
    "arith.floordivsi": lambda x, y: x // y,
    "arith.ceildivsi": lambda x, y: -(-x // y),
}
_COMPARED: dict[int, Callable[[int, int], bool]] = {
    EQ: lambda x, y: x == y,
    NE: lambda x, y: x != y,
    SLT: lambda x, y: x < y,
    SLE: lambda x, y: x <= y,
    SGT: lambda x, y: x > y,
    SGE: lambda x, y: x >= y,
}


def _folded(e: Apply) -> Expression | None:
    """Fold a op b to a constant, where it is defined and no poison."""
    numbers = [_number(operand) for operand in e.operands]
    widths = [_width(getattr(operand, "type", IndexType())) for operand in e.operands]
    if len(numbers) != 2 or None in numbers or None in widths:
        return None
    found = _value(e, numbers[0] or 0, numbers[1] or 0, widths[0] or 0)
    return None if found is None else _constant(e.type, found)


def _value(e: Apply, x: int, y: int, width: int) -> int | None:
    """Return the number that an operation gives for two others of a width, given as unsigned."""
    first, second = _signed(x, width), _signed(y, width)
    if e.name in _UNSIGNED:
        return _UNSIGNED[e.name](x, y)
    if e.name in _SIGNED:
        return _SIGNED[e.name](first, second)
    if e.name in _SHIFTS:
        if y >= width:
            return None
        return x << y if e.name == "arith.shli" else (x if e.name == "arith.shrui" else first) >> y
    if e.name in _UNSIGNED_DIVISIONS:
        return _UNSIGNED_DIVISIONS[e.name](x, y) if y else None
    if e.name in _SIGNED_DIVISIONS:
        return _SIGNED_DIVISIONS[e.name](first, second) if second not in (0, -1) else None
    if (predicate := _predicate(e)) is not None:
        if predicate in (EQ, NE) or predicate < ULT:
            return int(_COMPARED[predicate](first, second))
        return int(_COMPARED[predicate - ULT + SLT](x, y))
    return None


def _constant_right(e: Apply) -> Expression | None:
    """Move a constant to the right: a op x == x op a, where op commutes."""
    first, second = e.operands if len(e.operands) == 2 else (None, None)
    if first is None or second is None or _number(first) is None or _number(second) is not None:
        return None
    if e.name in COMMUTATIVE:
        return _binary(e.name, second, first, e.type)
    predicate = _predicate(e)
    return _compare(predicate, second, first) if predicate in (EQ, NE) else None


_EXACT = Algebra()


def _identity(e: Apply) -> Expression | None:
    """x op identity == x, of the integer operations whose terms may change order; x / 1 == x, x << 0 == x."""
    if len(e.operands) != 2 or _width(e.type) is None:
        return None
    x, second = e.operands
    if (number := _number(second)) is None:
        return None
    if _EXACT.is_identity(e.name, e.type, number) or (e.name in _SHIFTS and number == 0):
        return x
    is_division = e.name in ("arith.divui", "arith.divsi", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui")
    return x if is_division and _width(e.type) != 1 and number == 1 else None


def _idempotent(e: Apply) -> Expression | None:
    """x op x == x."""
    names = ("arith.andi", "arith.ori", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui")
    return e.operands[0] if e.name in names and e.operands[0] is e.operands[1] else None


# Sums and products

_GATHERED = ("arith.addi", "arith.muli", "arith.andi", "arith.ori", "arith.xori")


def _difference_of_constant(e: Apply) -> Expression | None:
    """x - a == x + -a."""
    number = _number(e.operands[1]) if e.name == "arith.subi" else None
    return None if number is None else _binary("arith.addi", e.operands[0], _constant(e.type, -number), e.type)


def _shift_of_constant(e: Apply) -> Expression | None:
    """x << a == x * 2 ** a, for a below the width."""
    number, width = _number(e.operands[1]) if e.name == "arith.shli" else None, _width(e.type)
    if number is None or width is None or number >= width:
        return None
    return _binary("arith.muli", e.operands[0], _constant(e.type, 1 << number), e.type)


def _gathered(e: Apply) -> Expression | None:
    """(x op a) op b == x op (a op b), (x op a) op y == (x op y) op a, x op (y op a) == (x op y) op a."""
    if e.name not in _GATHERED or _width(e.type) is None:
        return None
    first, second = e.operands
    for one, other in ((first, second), (second, first)):
        if not isinstance(one, Apply) or not _is(one, e.name) or _number(one.operands[1]) is None:
            continue
        x, a = one.operands
        if _number(other) is not None:
            return _binary(e.name, x, _binary(e.name, a, other, e.type), e.type)
        rest = (x, other) if one is first else (other, x)
        return _binary(e.name, _binary(e.name, *rest, e.type), a, e.type)
    return None


def _difference_of_sums(e: Apply) -> Expression | None:
    """(x + a) - y == (x - y) + a, x - (y + a) == (x - y) + -a."""
    if e.name != "arith.subi" or _width(e.type) is None:
        return None
    for k, operand in enumerate(e.operands):
        if not isinstance(operand, Apply) or not _is(operand, "arith.addi"):
            continue
        x, second = operand.operands
        if (a := _number(second)) is not None:
            parts = [x if k == m else each for m, each in enumerate(e.operands)]
            rest = _binary("arith.subi", parts[0], parts[1], e.type)
            return _binary("arith.addi", rest, _constant(e.type, a if k == 0 else -a), e.type)
    return None


# Comparisons


def _turned(e: Apply) -> Expression | None:
    """x > y == y < x, x >= y == y <= x."""
    turned = _TURNED.get(_predicate(e) or EQ)
    return None if turned is None else _compare(turned, e.operands[1], e.operands[0])


def _strict(e: Apply) -> Expression | None:
    """x <= a == x < a + 1 and a <= x == a - 1 < x, where that does not overflow."""
    predicate, width = _predicate(e), _width(getattr(e.operands[0], "type", IndexType()))
    if predicate not in (SLE, ULE) or width is None:
        return None
    strict = SLT if predicate == SLE else ULT
    least = (1 << (width - 1)) if predicate == SLE else 0
    greatest = least - 1 if predicate == SLE else (1 << width) - 1
    first, second = e.operands
    if (a := _number(second)) is not None and a != greatest:
        return _compare(strict, first, _constant(_type(second), a + 1))
    if (a := _number(first)) is not None and a != least:
        return _compare(strict, _constant(_type(first), a - 1), second)
    return None


def _of_truth(e: Apply) -> Expression | None:
    """(t != false) == t, (t == true) == t, (t == false) == not t, (t != true) == not t."""
    predicate = _predicate(e)
    if predicate not in (EQ, NE) or _width(_type(e.operands[0])) != 1 or _number(e.operands[1]) is None:
        return None
    truth = e.operands[0]
    return truth if (predicate == EQ) == (_number(e.operands[1]) == 1) else _not(truth)


def _negated(e: Apply) -> Expression | None:
    """not (x < y) == x >= y, and so on."""
    if e.name != "arith.xori" or _width(e.type) != 1 or _number(e.operands[1]) != 1:
        return None
    comparison = e.operands[0]
    predicate = _predicate(comparison)
    if predicate is None or not isinstance(comparison, Apply):
        return None
    return _compare(_NEGATED[predicate], *comparison.operands)


def _not(truth: Expression) -> Expression:
    return _binary("arith.xori", truth, constant(IntegerType(1), 1), IntegerType(1))


def _type(e: Expression) -> Attribute:
    return e.type


# Choices


def _chosen(e: Apply) -> Expression | None:
    """select(true, x, y) == x, select(false, x, y) == y."""
    number = _number(e.operands[0]) if e.name == SELECT else None
    return None if number is None else e.operands[1 if number else 2]


def _choice_by_negation(e: Apply) -> Expression | None:
    """select(not t, x, y) == select(t, y, x), select(x != y, u, v) == select(x == y, v, u)."""
    if e.name != SELECT or not isinstance(condition := e.operands[0], Apply):
        return None
    _, first, second = e.operands
    if _is(condition, "arith.xori") and _number(condition.operands[1]) == 1:
        return apply(SELECT, [], e.type, [condition.operands[0], second, first])
    if _predicate(condition) == NE:
        return apply(SELECT, [], e.type, [_compare(EQ, *condition.operands), second, first])
    return None


def _choice_of_truth(e: Apply) -> Expression | None:
    """select(t, true, false) == t, select(t, false, true) == not t."""
    if e.name != SELECT or _width(e.type) != 1:
        return None
    numbers = tuple(_number(operand) for operand in e.operands[1:])
    return {(1, 0): e.operands[0], (0, 1): _not(e.operands[0])}.get(numbers)  # pyright: ignore[reportArgumentType]


def _extreme(e: Apply) -> Expression | None:
    """select(x < y, x, y) == min(x, y), select(x < y, y, x) == max(x, y); of constants also a <= y as a - 1 < y."""
    if e.name != SELECT or not isinstance(condition := e.operands[0], Apply):
        return None
    predicate = _predicate(condition)
    if predicate not in (SLT, SLE, ULT, ULE) or (width := _width(e.type)) is None:
        return None
    letter = "s" if predicate in (SLT, SLE) else "u"
    for x, y in _bounds(condition, predicate, width):
        if e.operands[1:] == (x, y):
            return _binary(f"arith.min{letter}i", x, y, e.type)
        if e.operands[1:] == (y, x):
            return _binary(f"arith.max{letter}i", x, y, e.type)
    return None


def _bounds(condition: Apply, predicate: int, width: int) -> Sequence[tuple[Expression, Expression]]:
    """Return the operands of comparisons that are equal to one that is strict or not, by its constants."""
    x, y = condition.operands
    found = [(x, y)]
    if predicate not in (SLT, ULT):
        return found
    least = 1 << (width - 1) if predicate == SLT else 0
    greatest = least - 1 if predicate == SLT else (1 << width) - 1
    if (a := _number(x)) is not None and a != greatest:
        found.append((_constant(x.type, a + 1), y))
    if (a := _number(y)) is not None and a != least:
        found.append((x, _constant(y.type, a - 1)))
    return found


# Casts


def _cast(e: Apply) -> Expression | None:
    """trunc(ext x), ext(ext x) and trunc(trunc x) are one cast, or none; casts of constants are constants."""
    if e.name not in ("arith.extsi", "arith.extui", "arith.trunci") or (width := _width(e.type)) is None:
        return None
    inner = e.operands[0]
    if (number := _number(inner)) is not None:
        of = _width(inner.type)
        assert of is not None
        return _constant(e.type, _signed(number, of) if e.name == "arith.extsi" else number)
    if not isinstance(inner, Apply) or inner.properties:
        return None
    x, names = inner.operands[0], (e.name, inner.name)
    of = _width(x.type)
    if inner.name not in ("arith.extsi", "arith.extui", "arith.trunci") or of is None:
        return None
    if e.name == "arith.trunci" and inner.name != "arith.trunci":
        name = inner.name if width > of else "arith.trunci"
        return x if width == of else apply(name, [], e.type, [x])
    if names[0] == names[1] or names == ("arith.extsi", "arith.extui"):
        return apply(inner.name, [], e.type, [x])  # a zero-extended value is not negative
    return None


def _index_cast(e: Apply) -> Expression | None:
    """index_cast(index_cast x) == x, for integers that fit into an index."""
    for name in ("arith.index_cast", "arith.index_castui"):
        if e.name == name and isinstance(e.type, IntegerType) and e.type.width.data <= 64:
            inner = e.operands[0]
            if isinstance(inner, Apply) and _is(inner, name) and inner.operands[0].type == e.type:
                return inner.operands[0]
    return None


# Divisions that round


def _rounded(e: Apply) -> Expression | None:
    """Rewrite a rounded division: for a > 1 and q = x / a, floordiv(x, a) == q - 1 where q * a != x < 0, ceildiv(x, a)
    == q + 1 where q * a != x >= 0, else q."""
    if e.name not in ("arith.floordivsi", "arith.ceildivsi") or (width := _width(e.type)) is None:
        return None
    x, divisor = e.operands
    a = _number(divisor)
    if a is None or _signed(a, width) < 2:
        return None
    quotient = _binary("arith.divsi", x, divisor, e.type)
    is_inexact = _compare(NE, x, _binary("arith.muli", quotient, divisor, e.type))
    is_floor = e.name == "arith.floordivsi"
    sign = _compare(SLT if is_floor else SGE, x, _constant(e.type, 0))
    condition = _binary("arith.andi", is_inexact, sign, IntegerType(1))
    rounded = _binary("arith.addi", quotient, _constant(e.type, -1 if is_floor else 1), e.type)
    return apply(SELECT, [], e.type, [condition, rounded, quotient])


# Floats


def _float_identity(e: Apply) -> Expression | None:
    """x * 1 == x, x / 1 == x, x + -0 == x, x - 0 == x, -(-x) == x."""
    form = Algebra(reassociates=True)
    if e.name == "arith.negf":
        inner = e.operands[0]
        return inner.operands[0] if isinstance(inner, Apply) and _is(inner, "arith.negf") else None
    if len(e.operands) != 2 or not isinstance(number := e.operands[1], Constant):
        return None
    x, bits = e.operands[0], number.bits
    match e.name:
        case "arith.mulf" | "arith.divf":
            return x if form.is_identity("arith.mulf", e.type, bits) else None
        case "arith.addf" | "arith.subf" if form.is_identity("arith.addf", e.type, bits):
            return x if (bits == 0) == (e.name == "arith.subf") else None
        case _:
            return None


def _float_constant_right(e: Apply) -> Expression | None:
    """Move a constant to the right: a + x == x + a, a * x == x * a."""
    if e.name not in ("arith.addf", "arith.mulf"):
        return None
    first, second = e.operands
    is_left = isinstance(first, Constant) and not isinstance(second, Constant)
    return _binary(e.name, second, first, e.type) if is_left else None


_RULES: tuple[Rule, ...] = (
    *(_folded, _constant_right, _identity, _idempotent, _difference_of_constant, _shift_of_constant, _gathered),
    *(_difference_of_sums, _of_truth, _turned, _strict, _negated),
    *(_chosen, _choice_by_negation, _choice_of_truth, _extreme, _cast, _index_cast, _rounded),
    *(_float_constant_right, _float_identity),
)


# Equations whose right side forgets an operand, and with it that this may be poison


def _annihilated(e: Apply) -> Expression | None:
    """x * 0 == 0, x & 0 == 0, x | ones == ones."""
    width = _width(e.type)
    number = _number(e.operands[1]) if len(e.operands) == 2 else None
    if number is None or width is None:
        return None
    is_zero = e.name in ("arith.muli", "arith.andi") and number == 0
    is_full = e.name == "arith.ori" and number == (1 << width) - 1
    return e.operands[1] if is_zero or is_full else None


def _same(e: Apply) -> Expression | None:
    """x - x == 0, x ^ x == 0, (x == x) == true and so on, select(t, x, x) == x."""
    if e.name == SELECT:
        return e.operands[1] if e.operands[1] is e.operands[2] else None
    if len(e.operands) != 2 or e.operands[0] is not e.operands[1] or _width(e.type) is None:
        return None
    if e.name in ("arith.subi", "arith.xori"):
        return _constant(e.type, 0)
    predicate = _predicate(e)
    return None if predicate is None else _constant(e.type, int(predicate in (EQ, SLE, SGE, ULE, UGE)))


SOURCE_RULES: tuple[Rule, ...] = (_annihilated, _same)
"""Rules for the program before alone: the program after may have poison where the right side has none."""
