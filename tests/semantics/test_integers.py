"""Integer arithmetic against Python's integers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from .running import assert_identical, run_op

DTYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64}
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}


def truncated(a: int, b: int) -> int:
    return (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def or_zero(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda a, b: function(a, b) if b else 0


# name -> (whether operands are signed, the function of two Python integers, exact)
BINARY: dict[str, tuple[bool, Callable[[int, int], int]]] = {
    "addi": (True, lambda a, b: a + b),
    "subi": (True, lambda a, b: a - b),
    "muli": (True, lambda a, b: a * b),
    "divsi": (True, or_zero(truncated)),
    "divui": (False, or_zero(lambda a, b: a // b)),
    "remsi": (True, or_zero(lambda a, b: a - truncated(a, b) * b)),
    "remui": (False, or_zero(lambda a, b: a % b)),
    "floordivsi": (True, or_zero(lambda a, b: a // b)),
    "ceildivsi": (True, or_zero(lambda a, b: -(-a // b))),
    "ceildivui": (False, or_zero(lambda a, b: -(-a // b))),
    "minsi": (True, min),
    "maxsi": (True, max),
    "minui": (False, min),
    "maxui": (False, max),
    "andi": (False, lambda a, b: a & b),
    "ori": (False, lambda a, b: a | b),
    "xori": (False, lambda a, b: a ^ b),
}
SHIFTS: dict[str, tuple[bool, Callable[[int, int], int]]] = {
    "shli": (True, lambda a, b: a << b),
    "shrsi": (True, lambda a, b: a >> b),
    "shrui": (False, lambda a, b: a >> b),
}
COMPARISONS: dict[str, tuple[bool, Callable[[int, int], bool]]] = {
    "eq": (True, lambda a, b: a == b),
    "ne": (True, lambda a, b: a != b),
    "slt": (True, lambda a, b: a < b),
    "sle": (True, lambda a, b: a <= b),
    "sgt": (True, lambda a, b: a > b),
    "sge": (True, lambda a, b: a >= b),
    "ult": (False, lambda a, b: a < b),
    "ule": (False, lambda a, b: a <= b),
    "ugt": (False, lambda a, b: a > b),
    "uge": (False, lambda a, b: a >= b),
}


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def python(array: np.ndarray, bits: int, is_signed: bool) -> list[int]:
    return [signed(int(x), bits) if is_signed else int(x) & ((1 << bits) - 1) for x in array]


def wrapped(values: list[int], type: str) -> np.ndarray:
    numbers = [signed(v, BITS[type]) for v in values]
    return np.array([bool(n) for n in numbers] if type == "i1" else numbers, DTYPES[type])


def pairs(type: str) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of extreme, small and random numbers."""
    bits = BITS[type]
    if bits == 1:
        numbers = [0, 1]
    else:
        top = 1 << (bits - 1)
        small = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10]
        drawn = np.random.default_rng(0).integers(-top, top, 3).tolist()
        numbers = [*small, *drawn, -top, -top + 1, top - 1, top - 2]
    a, b = zip(*itertools.product(numbers, numbers), strict=True)
    return np.array(a).astype(DTYPES[type]), np.array(b).astype(DTYPES[type])


@pytest.mark.each("type", DTYPES)
@pytest.mark.parametrize("name", BINARY)
def test_binary(name: str, type: str) -> None:
    is_signed, function = BINARY[name]
    a, b = pairs(type)
    expected = [function(x, y) for x, y in zip(*(python(v, BITS[type], is_signed) for v in (a, b)), strict=True)]
    actual = run_op(lambda t: f"arith.{name} %a, %b : {t(type)}", [type, type], type, a, b)
    assert_identical(actual, wrapped(expected, type))


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64", "index"])
@pytest.mark.parametrize("name", SHIFTS)
def test_shifts(name: str, type: str) -> None:
    is_signed, function = SHIFTS[name]
    bits = BITS[type]
    a = np.repeat(pairs(type)[0][:: len(pairs(type)[0]) // 16], bits + 3)
    b = np.resize(np.arange(bits + 3), a.size).astype(a.dtype)
    expected = [function(x, int(y)) for x, y in zip(python(a, bits, is_signed), b, strict=True)]
    actual = run_op(lambda t: f"arith.{name} %a, %b : {t(type)}", [type, type], type, a, b)
    assert_identical(actual, wrapped(expected, type))


@pytest.mark.each("type", DTYPES)
@pytest.mark.parametrize("predicate", COMPARISONS)
def test_comparisons(predicate: str, type: str) -> None:
    is_signed, function = COMPARISONS[predicate]
    a, b = pairs(type)
    expected = [function(x, y) for x, y in zip(*(python(v, BITS[type], is_signed) for v in (a, b)), strict=True)]
    actual = run_op(lambda t: f"arith.cmpi {predicate}, %a, %b : {t(type)}", [type, type], "i1", a, b)
    assert_identical(actual, np.array(expected))


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64"])
def test_absolute_value_wraps(type: str) -> None:
    a, _ = pairs(type)
    expected = wrapped([abs(x) for x in python(a, BITS[type], True)], type)
    assert_identical(run_op(lambda t: f"math.absi %a : {t(type)}", [type], type, a), expected)


@pytest.mark.parametrize("name", ["ctpop", "ctlz", "cttz"])
@pytest.mark.parametrize("type", ["i8", "i32", "i64"])
def test_bit_counts(name: str, type: str) -> None:
    digits = [f"{x:0{BITS[type]}b}" for x in python(pairs(type)[0], BITS[type], False)]
    count = {
        "ctpop": lambda d: d.count("1"),
        "ctlz": lambda d: len(d.split("1")[0]),
        "cttz": lambda d: len(d.rsplit("1")[-1]),
    }[name]
    actual = run_op(lambda t: f"math.{name} %a : {t(type)}", [type], type, pairs(type)[0])
    assert_identical(actual, wrapped([count(d) for d in digits], type))


def test_integer_power() -> None:
    a, b = (np.array(x, np.int32) for x in zip(*itertools.product(range(-3, 4), range(-2, 40, 3)), strict=True))

    def power(x: int, y: int) -> int:
        if y >= 0:
            return x**y
        return 0 if abs(x) != 1 else x ** (-y)

    expected = wrapped([power(int(x), int(y)) for x, y in zip(a, b, strict=True)], "i32")
    assert_identical(run_op(lambda t: f"math.ipowi %a, %b : {t('i32')}", ["i32", "i32"], "i32", a, b), expected)
