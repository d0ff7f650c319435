"""Intervals of integers: compared with the values that the interpreter computes for all pairs of operands."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import pytest
from tilewright.analysis.integer_ranges import IntegerRanges, Interval, fits, type_range
from tilewright.dialects import context, loop
from tilewright.semantics import run
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    Signedness,
    VectorType,
    f32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.parser import Parser

I64 = (-(1 << 63), (1 << 63) - 1)
SIDES = [(-3, 4), (0, 5), (2, 6), (-7, -2), (0, 0), (-4, 0), (-2, 7), (1, 1), (-6, -5)]
"""Intervals of operands, whose values the bounds of two loops give."""

ALWAYS = ("addi", "subi", "muli", "minsi", "maxsi")
"""Operations whose interval is that of the values."""
DIVISIONS = ("divsi", "floordivsi", "ceildivsi")
"""Divisions whose interval covers the values where no divisor is 0."""
UNSIGNED = ("minui", "maxui", "divui", "ceildivui", "remui")
"""Operations that have an interval where no operand is negative."""
OTHERS = ("remsi", "andi", "ori", "xori")
SHIFTS = ("shli", "shrsi")
BINARY = (*ALWAYS, *DIVISIONS, *UNSIGNED, *OTHERS, *SHIFTS)


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def named(module: ModuleOp, name: str) -> SSAValue:
    """Return the value of that name."""
    values = [
        v for op in module.walk() for v in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args))
    ]
    return next(v for v in values if v.name_hint == name)


def interval(body: str, name: str, arguments: str = "") -> Interval | None:
    """Return the interval of the value `name` in the body of a function."""
    module = parse(f"func.func @main({arguments}) {{\n{body}\nfunc.return\n}}")
    return IntegerRanges(next(iter(module.ops)))[named(module, name)]


@lru_cache
def pairs(a: Interval, b: Interval) -> dict[str, tuple[Interval | None, Interval]]:
    """Return, by operation, the interval of its result for operands of two intervals, and that of the values it has."""
    rows, columns = a[1] - a[0] + 1, b[1] - b[0] + 1
    names = (*BINARY, "select", "absi")
    lines = [f"%{name} = arith.{name} %x, %y : i64" for name in BINARY if not _shifts_by_negative(name, b)]
    lines += [
        "%c = arith.cmpi slt, %x, %y : i64",
        "%select = arith.select %c, %x, %y : i64",
        "%absi = math.absi %x : i64",
    ]
    names = [name for name in names if any(line.startswith(f"%{name} ") for line in lines)]
    stores = [
        f"loop.store %{name}, %O[{n}, %i - {a[0]}, %j - {b[0]}] : memref<{len(names)}x{rows}x{columns}xi64>"
        for n, name in enumerate(names)
    ]
    text = f"""
    func.func @main(%O: memref<{len(names)}x{rows}x{columns}xi64> {{tw.output}}) {{
      loop.for %i = {a[0]} to {a[1] + 1} {{ loop.for %j = {b[0]} to {b[1] + 1} {{
        %x = arith.index_cast %i : index to i64
        %y = arith.index_cast %j : index to i64
        {" ".join((*lines, *stores))}
      }} }}
      func.return
    }}""".replace("- -", "+ ")
    module = parse(text)
    out = np.zeros((len(names), rows, columns), np.int64)
    run(module, "main", out)
    ranges = IntegerRanges(next(iter(module.ops)))
    assert (ranges[named(module, "x")], ranges[named(module, "y")]) == (a, b)
    return {
        name: (ranges[named(module, name)], (int(values.min()), int(values.max())))
        for name, values in zip(names, out, strict=True)
    }


def _shifts_by_negative(name: str, amounts: Interval) -> bool:
    return name in SHIFTS and amounts[0] < 0


@pytest.mark.parametrize("a", SIDES)
def test_intervals_hold_all_values(a: Interval) -> None:
    for b in SIDES:
        for name, (known, values) in pairs(a, b).items():
            assert known is not None and known[0] <= values[0] and values[1] <= known[1], (name, a, b)


@pytest.mark.parametrize("a", SIDES)
def test_intervals_have_no_value_too_many(a: Interval) -> None:
    """Of operations that rise or fall with each operand."""
    for b in SIDES:
        found = pairs(a, b)
        exact = [*ALWAYS, "absi"]
        exact += DIVISIONS if not b[0] <= 0 <= b[1] else ()
        exact += SHIFTS if b[0] >= 0 else ()
        exact += ["minui", "maxui"] if min(a[0], b[0]) >= 0 else ()
        exact += ["divui", "ceildivui"] if a[0] >= 0 and b[0] > 0 else ()
        for name in exact:
            assert found[name][0] == found[name][1], (name, a, b)
        assert found["select"][0] == (min(a[0], b[0]), max(a[1], b[1]))


@pytest.mark.parametrize("name", UNSIGNED)
def test_unsigned_operations_on_negative_operands_are_unknown(name: str) -> None:
    for a, b in product(SIDES, SIDES):
        assert (pairs(a, b)[name][0] == I64) == (min(a[0], b[0]) < 0), (a, b)


@pytest.mark.each(
    ("name", "a", "b", "expected"),
    [
        ("divsi", (-7, 5), (-1, 3), (-7, 7)),
        ("floordivsi", (-4, 9), (0, 3), (-9, 9)),
        ("remsi", (-9, 9), (-3, 4), (-3, 3)),
        ("remsi", (-9, 9), (-6, 2), (-5, 5)),
        ("remsi", (0, 9), (-3, 4), (0, 3)),
        ("remsi", (-9, 0), (1, 4), (-3, 0)),
        ("remsi", (-1, 2), (8, 8), (-1, 2)),
        ("remsi", (-9, 9), (0, 0), (0, 0)),
        ("remsi", (-9, 9), (1, 1), (0, 0)),
        ("remui", (0, 9), (0, 4), (0, 3)),
        ("andi", (0, 6), (0, 9), (0, 6)),
        ("andi", (0, 9), (0, 6), (0, 6)),
        ("andi", (-9, 9), (0, 6), (0, 6)),
        ("andi", (0, 6), (-9, 9), (0, 6)),
        ("andi", (-1, 6), (-1, 6), I64),
        ("ori", (0, 5), (0, 2), (0, 7)),
        ("ori", (0, 2), (0, 5), (0, 7)),
        ("ori", (0, 8), (0, 7), (0, 15)),
        ("ori", (0, 0), (0, 0), (0, 0)),
        ("xori", (0, 5), (0, 2), (0, 7)),
        ("xori", (0, 7), (0, 8), (0, 15)),
        ("ori", (-1, 5), (0, 2), I64),
        ("ori", (0, 5), (-1, 2), I64),
        ("shli", (-3, 5), (0, 31), (-3 << 31, 5 << 31)),
        ("shli", (-3, 5), (0, 32), I64),
        ("shrsi", (-8, 9), (0, 2), (-8, 9)),
        ("shrsi", (-8, 9), (31, 31), (-1, 0)),
        ("shrsi", (-8, 9), (32, 32), I64),
        ("shrsi", (-8, 9), (-1, 2), I64),
    ],
)
def test_stated_intervals(name: str, a: Interval, b: Interval, expected: Interval) -> None:
    """Intervals of operations that are not monotonic, and of quotients whose value by 0 is 0."""
    body = f"""loop.for %i = {a[0]} to {a[1] + 1} {{ loop.for %j = {b[0]} to {b[1] + 1} {{
      %x = arith.index_cast %i : index to i64
      %y = arith.index_cast %j : index to i64
      %r = arith.{name} %x, %y : i64
    }} }}"""
    assert interval(body, "r") == expected


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (IndexType(), I64),
        (i64, I64),
        (IntegerType(8), (-128, 127)),
        (IntegerType(8, Signedness.SIGNED), (-128, 127)),
        (IntegerType(8, Signedness.UNSIGNED), (0, 255)),
        (IntegerType(1), (0, 1)),
        (IntegerType(2), (-2, 1)),
        (VectorType(IntegerType(16), [4]), (-(1 << 15), (1 << 15) - 1)),
        (f32, None),
        (VectorType(f32, [4]), None),
        (MemRefType(i64, [DYNAMIC_INDEX]), None),
    ],
)
def test_ranges_of_types(type: Attribute, expected: Interval | None) -> None:
    assert type_range(type) == expected


def test_what_fits_into_bits() -> None:
    assert fits((-128, 127), 8)
    assert not fits((-129, 0), 8)
    assert not fits((0, 128), 8)
    assert not fits(None, 8)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%r = arith.constant -5 : i32", (-5, -5)),
        ("%r = arith.constant dense<[3, -2, 7]> : vector<3xi64>", (-2, 7)),
        ("%r = arith.constant true", (1, 1)),
        ("%r = arith.constant false", (0, 0)),
        ("%r = arith.constant dense<[true, false]> : vector<2xi1>", (0, 1)),
        ("%r = arith.constant dense<[true, true]> : vector<2xi1>", (1, 1)),
        ("%r = arith.constant 1.0 : f32", None),
        ("%c = arith.constant 9 : i64 %r = vector.broadcast %c : i64 to vector<4xi64>", (9, 9)),
    ],
)
def test_constants(body: str, expected: Interval | None) -> None:
    assert interval(body, "r") == expected


@pytest.mark.each(
    ("body", "expected"),
    [
        ("%r = arith.extsi %b : i8 to i32", (-128, 127)),
        ("%r = arith.extui %b : i8 to i32", (0, 255)),
        ("%c = arith.constant -3 : i8 %r = arith.extsi %c : i8 to i32", (-3, -3)),
        ("%c = arith.constant -3 : i8 %r = arith.extui %c : i8 to i32", (0, 255)),
        ("%c = arith.constant 3 : i8 %r = arith.extui %c : i8 to i32", (3, 3)),
        ("%r = arith.extsi %t : i1 to i32", (-1, 0)),
        ("%r = arith.extui %t : i1 to i32", (0, 1)),
        ("%c = arith.constant true %r = arith.extsi %c : i1 to i32", (-1, -1)),
        ("%c = arith.constant true %r = arith.extui %c : i1 to i32", (1, 1)),
        ("%r = arith.index_cast %t : i1 to index", (-1, 0)),
        ("%r = arith.index_cast %b : i8 to index", (-128, 127)),
        ("%c = arith.constant true %r = arith.addi %c, %c : i1", (0, 1)),
        ("%c = arith.constant true %d = arith.constant false %r = arith.maxsi %c, %d : i1", (0, 1)),
        ("%c = arith.constant 127 : i16 %r = arith.trunci %c : i16 to i8", (127, 127)),
        ("%c = arith.constant 128 : i16 %r = arith.trunci %c : i16 to i8", (-128, 127)),
        ("%c = arith.constant -129 : i16 %r = arith.trunci %c : i16 to i8", (-128, 127)),
        ("%c = arith.constant 2 : i8 %r = arith.addi %b, %c : i8", (-128, 127)),
        ("%c = arith.constant 63 : i8 %r = arith.addi %c, %c : i8", (126, 126)),
        ("%c = arith.constant 64 : i8 %r = arith.addi %c, %c : i8", (-128, 127)),
        ("%c = arith.constant 0.5 : f32 %r = arith.fptosi %c : f32 to i16", (-(1 << 15), (1 << 15) - 1)),
        ("%r = math.absi %b : i8", (-128, 127)),
    ],
)
def test_casts_and_types_that_wrap_around(body: str, expected: Interval) -> None:
    assert interval(body, "r", "%b: i8, %t: i1") == expected


def test_indices_have_the_ranges_of_loops_and_expressions() -> None:
    body = """
    loop.for %i = -2 to 9 { loop.for %j = %i to 12 {
      %e = loop.apply (%i * 3 - %j + 4) : index
      %c = arith.index_cast %e : index to i64
      %two = arith.constant 2 : index
      %p = arith.muli %i, %two : index
      %q = loop.apply (%p * -1 + 1) : index
      %v = loop.apply (%i * 8 + lane) : vector<8xindex>
      loop.if (%i - 5 >= 0) { %late = loop.apply (%i + 1) : index }
    } }
    loop.for %never = 3 to 3 { %n = loop.apply (%never) : index }
    loop.for %some = 0 to %size { %m = loop.apply (%some) : index }
    """
    module = parse(f"func.func @main(%size: index) {{ {body} func.return }}")
    ranges = IntegerRanges(next(iter(module.ops)))
    expected = {
        "i": (-2, 8),
        "j": (-2, 11),
        "e": (-6 - 11 + 4, 24 + 2 + 4),
        "c": (-13, 30),
        "p": (-4, 16),
        "q": (-15, 5),
        "v": (-16, 71),
        "late": (6, 9),
        "never": (3, 3),
        "m": I64,
        "some": I64,
    }
    assert {name: ranges[named(module, name)] for name in expected} == expected
    function = next(iter(module.ops))
    assert ranges[function.body.block.args[0]] == I64
    inner = next(op for op in module.walk() if isinstance(op, loop.ForOp))
    assert ranges[inner.induction_variable] == (-2, 8)
