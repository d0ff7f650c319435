"""Conversions: numbers that fit keep their value, others are rounded, wrapped or the format's least number."""

from __future__ import annotations

import math
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from .running import assert_identical, run_op

INTEGERS = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def numbers(type: str) -> np.ndarray:
    if type == "i1":
        return np.array([False, True])
    limits = np.iinfo(INTEGERS[type])
    return np.array([0, 1, -1, 5, -100, limits.min, limits.max, limits.max - 1], INTEGERS[type])


def value(number: np.generic, is_signed: bool) -> int:
    """Return an integer as a signed or an unsigned number."""
    if number.dtype == np.bool_:
        return int(number) * (-1 if is_signed else 1)
    return int(number) if is_signed else int(number) % (1 << 8 * number.itemsize)


def cast(name: str, source: str, target: str) -> Callable[[Callable[[str], str]], str]:
    return lambda t: f"arith.{name} %a : {t(source)} to {t(target)}"


@pytest.mark.parametrize(("source", "target"), [("i1", "i8"), ("i1", "i64"), ("i8", "i32"), ("i32", "i64")])
@pytest.mark.parametrize("name", ["extsi", "extui"])
def test_extensions(name: str, source: str, target: str) -> None:
    a = numbers(source)
    expected = np.array([value(x, name == "extsi") for x in a], INTEGERS[target])
    assert_identical(run_op(cast(name, source, target), [source], target, a), expected)


@pytest.mark.parametrize(("source", "target"), [("i64", "i8"), ("i32", "i1"), ("i16", "i8")])
def test_truncation_keeps_the_low_bits(source: str, target: str) -> None:
    a = numbers(source)
    with np.errstate(over="ignore"):
        expected = a.astype(np.uint64).astype(INTEGERS[target]) if target != "i1" else (a & 1).astype(bool)
    assert_identical(run_op(cast("trunci", source, target), [source], target, a), expected)


@pytest.mark.each("source", INTEGERS)
@pytest.mark.parametrize("target", FLOATS)
@pytest.mark.parametrize("name", ["sitofp", "uitofp"])
def test_integers_to_floats(name: str, source: str, target: str) -> None:
    a = numbers(source)
    exact = [value(x, name == "sitofp") for x in a]
    if target == "bf16" and source == "i64":
        # Exact in a double, and rounded from there.
        exact = [int(float(x)) for x in exact]
    with np.errstate(over="ignore"):
        expected = np.array([np.float64(x).astype(FLOATS[target]) for x in exact])
    assert_identical(run_op(cast(name, source, target), [source], target, a), expected)


def test_an_integer_beside_a_tie_is_rounded_once() -> None:
    """2^62 + 2^54 is halfway between two numbers of bf16; one more decides, though a double does not hold it."""
    a = np.array([2**62 + 2**54, 2**62 + 2**54 + 1, -(2**62) - 2**54, -(2**62) - 2**54 - 1])
    expected = np.array([2.0**62, 2.0**62 + 2.0**55, -(2.0**62), -(2.0**62) - 2.0**55]).astype(ml_dtypes.bfloat16)
    assert_identical(run_op(cast("sitofp", "i64", "bf16"), ["i64"], "bf16", a), expected)


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", ["i8", "i32", "i64"])
def test_floats_to_signed_integers(source: str, target: str) -> None:
    floats = [0.0, -0.0, 0.9, -0.9, 1.5, -2.5, 100.0, 127.0, 128.0, -128.0, -129.0, 1e5, -1e5, 1e30, -1e30]
    with np.errstate(over="ignore"):
        a = np.array([*floats, math.inf, -math.inf, math.nan]).astype(FLOATS[source])
    low, high = -(1 << BITS[target] - 1), 1 << BITS[target] - 1
    whole = [math.trunc(float(x)) if math.isfinite(float(x)) else high for x in a]
    expected = np.array([x if low <= x < high else low for x in whole], INTEGERS[target])
    assert_identical(run_op(cast("fptosi", source, target), [source], target, a), expected)


@pytest.mark.parametrize("target", ["i8", "i32", "i64"])
def test_floats_to_unsigned_integers(target: str) -> None:
    a = np.array([0.0, 0.9, 1.5, 127.0, 200.0, 255.9, 256.0, 3e9, 1e19, -1.0, -0.5, math.inf, math.nan])
    high = 1 << BITS[target]
    whole = [math.trunc(x) if math.isfinite(x) else -1 for x in a]
    expected = np.array([x if 0 <= x < high else high - 1 for x in whole], np.uint64).astype(INTEGERS[target])
    assert_identical(run_op(cast("fptoui", "f64", target), ["f64"], target, a), expected)


@pytest.mark.parametrize(
    ("name", "source", "target"),
    [("extf", "f16", "f32"), ("extf", "bf16", "f64"), ("extf", "f32", "f64"), ("truncf", "f64", "f32")]
    + [("truncf", "f32", "f16"), ("truncf", "f32", "bf16"), ("truncf", "f64", "f16")],
)
def test_float_formats(name: str, source: str, target: str) -> None:
    numbers = [0.0, -0.0, 1 / 3, -1e-8, 65519.0, 65520.0, 1e-45, 3e38, math.inf, math.nan]
    with np.errstate(over="ignore"):
        a = np.array(numbers).astype(FLOATS[source])
        expected = a.astype(FLOATS[target])
    assert_identical(run_op(cast(name, source, target), [source], target, a), expected)


def test_a_double_beside_a_tie_is_rounded_once() -> None:
    a = np.array([1 + 2**-8, 1 + 2**-8 + 2**-40, -1 - 2**-8 - 2**-40, 1 + 2**-8 - 2**-40])
    expected = np.array([1.0, 1 + 2**-7, -1 - 2**-7, 1.0]).astype(ml_dtypes.bfloat16)
    assert_identical(run_op(cast("truncf", "f64", "bf16"), ["f64"], "bf16", a), expected)


@pytest.mark.parametrize(("source", "target"), [("i32", "f32"), ("f32", "i32"), ("f64", "i64"), ("i16", "bf16")])
def test_bitcast(source: str, target: str) -> None:
    dtypes = {**INTEGERS, **FLOATS}
    a = np.arange(6).astype(dtypes[source])
    assert_identical(run_op(cast("bitcast", source, target), [source], target, a), a.view(dtypes[target]))


@pytest.mark.parametrize("source", INTEGERS)
def test_index_from_integers_keeps_the_sign(source: str) -> None:
    a = numbers(source)
    expected = np.array([value(x, True) for x in a], np.int64)
    assert_identical(run_op(cast("index_cast", source, "index"), [source], "index", a), expected)


@pytest.mark.parametrize("target", INTEGERS)
def test_index_to_integers_keeps_the_low_bits(target: str) -> None:
    a = np.array([0, 1, 2, -1, 300, -70000, 2**40 + 7])
    expected = (a & 1).astype(bool) if target == "i1" else a.astype(INTEGERS[target])
    assert_identical(run_op(cast("index_cast", "index", target), ["index"], target, a), expected)
