"""Equations of arithmetic: both sides have the same bits, and the same poison, for all operands of few bits."""

from __future__ import annotations

import random
import struct
from itertools import product

import pytest
from tilewright.analysis.equivalence.equations import SELECT, SOURCE_RULES, Equations
from tilewright.analysis.polyhedral.expression_trees import (
    Apply,
    Constant,
    Expression,
    ReadValue,
    apply,
    constant,
    read_value,
    walk,
)
from xdsl.dialects.arith import IntegerOverflowAttr, IntegerOverflowFlag
from xdsl.dialects.builtin import Float32Type, IndexType, IntegerAttr, IntegerType, i1, i64

WIDTHS = (1, 2, 3)
POISON = None
UNDEFINED = "undefined"
Value = int | None | str

BINARY = (
    *("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui", "shli", "shrsi", "shrui"),
    *("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"),
)


def number(bits: int, width: int) -> int:
    return bits - 2**width if bits >= 2 ** (width - 1) else bits


def quotient(x: int, y: int) -> int:
    return int(x / y)


def divided(name: str, x: int, y: int, width: int) -> Value:
    """Return a division, undefined by 0 and where it overflows."""
    if name.endswith("ui"):
        return UNDEFINED if y == 0 else {"div": x // y, "rem": x % y, "ceildiv": (x + y - 1) // y}[name[:-2]]
    a, b = number(x, width), number(y, width)
    if b == 0 or (b == -1 and a == -(2 ** (width - 1))):
        return UNDEFINED
    floor = a // b
    return {"div": quotient(a, b), "rem": a - b * quotient(a, b), "floordiv": floor, "ceildiv": floor + (a % b != 0)}[
        name[:-2]
    ]


def computed(name: str, x: int, y: int, width: int) -> Value:
    """Return the result of an operation on two numbers of a width, given as unsigned."""
    a, b = number(x, width), number(y, width)
    if "div" in name or "rem" in name:
        return divided(name, x, y, width)
    if name.startswith("sh"):
        return POISON if y >= width else {"shli": x << y, "shrsi": a >> y, "shrui": x >> y}[name]
    plain = {"addi": x + y, "subi": x - y, "muli": x * y, "andi": x & y, "ori": x | y, "xori": x ^ y}
    return (plain | {"maxsi": max(a, b), "minsi": min(a, b), "maxui": max(x, y), "minui": min(x, y)})[name]


def compared(predicate: int, x: int, y: int, width: int) -> bool:
    a, b = (x, y) if predicate >= 6 else (number(x, width), number(y, width))
    return [a == b, a != b, a < b, a <= b, a > b, a >= b, a < b, a <= b, a > b, a >= b][predicate]


def width_of(e: Expression) -> int:
    assert isinstance(e.type, IntegerType)
    return e.type.width.data


def value(e: Expression, of: dict[int, Value]) -> Value:
    """Return the bits of an expression, poison, or undefined."""
    match e:
        case Constant():
            return e.bits
        case ReadValue():
            return of[e.read]
        case Apply(name=name, operands=operands):
            values = [value(operand, of) for operand in operands]
        case _:
            raise AssertionError(e)
    if UNDEFINED in values:
        return UNDEFINED
    if name == SELECT:
        return POISON if values[0] is POISON else values[1 if values[0] else 2]
    if POISON in values:
        return POISON
    numbers = [n for n in values if isinstance(n, int)]
    width = width_of(operands[0])
    if name == "arith.cmpi":
        predicate = dict(e.properties)["predicate"]
        assert isinstance(predicate, IntegerAttr)
        return int(compared(predicate.value.data, *numbers, width))
    if name in ("arith.extsi", "arith.extui", "arith.trunci"):
        found: Value = number(numbers[0], width) if name == "arith.extsi" else numbers[0]
    else:
        found = computed(name.removeprefix("arith."), *numbers, width)
    return found % 2 ** width_of(e) if isinstance(found, int) else found


class Drawing:
    """Random expressions over two reads of one width."""

    def __init__(self, rng: random.Random, width: int) -> None:
        self.rng = rng
        self.width = width

    def drawn(self, width: int, depth: int) -> Expression:
        """Return an expression whose values have a width."""
        rng, type_ = self.rng, IntegerType(width)
        if depth == 0 or rng.random() < 0.15:
            if width == self.width and rng.random() < 0.5:
                return read_value(rng.randrange(2), type_)
            return constant(type_, rng.randrange(2**width))
        kind = rng.random()
        if width == 1 and kind < 0.4:
            operands = self._both(rng.choice(WIDTHS), depth)
            return apply("arith.cmpi", [("predicate", IntegerAttr(rng.randrange(10), i64))], i1, operands)
        if kind < 0.2:
            operands = self._both(width, depth)
            truth = apply("arith.cmpi", [("predicate", IntegerAttr(rng.randrange(10), i64))], i1, operands)
            return apply(SELECT, [], type_, [truth, *rng.choices([*operands, self.drawn(width, depth - 1)], k=2)])
        if kind < 0.3:
            return apply(SELECT, [], type_, [self.drawn(1, depth - 1), *self._both(width, depth)])
        if kind < 0.45:
            of = rng.choice([w for w in WIDTHS if w != width])
            names = ("arith.trunci",) if of > width else ("arith.extsi", "arith.extui")
            return apply(rng.choice(names), [], type_, [self.drawn(of, depth - 1)])
        return apply(f"arith.{rng.choice(BINARY)}", [], type_, self._both(width, depth))

    def _both(self, width: int, depth: int) -> list[Expression]:
        first = self.drawn(width, depth - 1)
        return [first, first if self.rng.random() < 0.2 else self.drawn(width, depth - 1)]


def has_shift(e: Expression) -> bool:
    return any(isinstance(x, Apply) and "sh" in x.name for x in walk(e))


@pytest.mark.parametrize(("of_source", "reads"), [(False, [POISON]), (True, [POISON]), (True, [])])
def test_simplified_expressions_have_the_same_values(of_source: bool, reads: list[Value]) -> None:
    """`reads`: reads that are no numbers."""
    may_be_poison = has_shift if of_source and not reads else lambda e: True
    rng, equations = random.Random(5), Equations(of_source=of_source, may_be_poison=may_be_poison)
    changed = 0
    wrong: list[tuple[object, ...]] = []
    for _ in range(2000):
        width = rng.choice(WIDTHS)
        e = Drawing(rng, width).drawn(rng.choice(WIDTHS), 3)
        simple = equations.simplified(e)
        changed += simple is not e
        assert equations.simplified(simple) is simple
        for x, y in product((*reads, *range(2**width)), repeat=2):
            before, after = value(e, {0: x, 1: y}), value(simple, {0: x, 1: y})
            is_free = before is UNDEFINED or (before if of_source else after) is POISON
            if not is_free and before != after:
                wrong.append((e, simple, x, y, before, after))
    assert wrong == []
    assert changed > 1200


def test_every_rule_of_the_source_forgets_an_operand() -> None:
    """The program after may be poison where such a rule says that it is none."""
    x = read_value(0, IntegerType(8))
    zero, ones = constant(x.type, 0), constant(x.type, 255)
    forgotten = [apply(f"arith.{name}", [], x.type, [x, zero]) for name in ("muli", "andi")]
    forgotten += [apply("arith.ori", [], x.type, [x, ones]), apply("arith.subi", [], x.type, [x, x])]
    forgotten += [apply("arith.xori", [], x.type, [x, x])]
    for e in forgotten:
        assert isinstance(Equations(of_source=True).simplified(e), Constant)
        assert x in set(walk(Equations(of_source=False).simplified(e)))
    assert len(SOURCE_RULES) == 2


def test_flags_stay_in_the_program_after() -> None:
    x, two = read_value(0, IntegerType(8)), constant(IntegerType(8), 2)
    nsw = [("overflowFlags", IntegerOverflowAttr([IntegerOverflowFlag.NSW]))]
    inner = apply("arith.addi", nsw, x.type, [x, two])
    e = apply("arith.addi", [], x.type, [inner, two])
    assert Equations(of_source=False).simplified(e) is e
    assert Equations(of_source=True).simplified(e) is apply("arith.addi", [], x.type, [x, constant(x.type, 4)])


def test_sums_of_indices_are_left() -> None:
    x, two = read_value(0, IndexType()), constant(IndexType(), 2)
    e = apply("arith.addi", [], x.type, [apply("arith.addi", [], x.type, [x, two]), two])
    assert Equations(of_source=True).simplified(e) is e


def _bits(number: float) -> int:
    return int.from_bytes(struct.pack("<f", number), "little")


@pytest.mark.parametrize(
    ("name", "number", "is_same"),
    [
        ("mulf", 1.0, True),
        ("divf", 1.0, True),
        ("addf", -0.0, True),
        ("subf", 0.0, True),
        ("addf", 0.0, False),  # -0.0 + 0.0 is 0.0
        ("subf", -0.0, False),  # -0.0 - -0.0 is 0.0
        ("mulf", -1.0, False),
        ("mulf", 0.0, False),
    ],
)
def test_numbers_that_keep_every_float(name: str, number: float, is_same: bool) -> None:
    x = read_value(0, Float32Type())
    e = apply(f"arith.{name}", [], x.type, [x, constant(x.type, _bits(number))])
    assert (Equations(of_source=False).simplified(e) is x) == is_same
