"""Float arithmetic against exact rational arithmetic, rounded by an independent rule."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilewright.semantics.rounding import fma, narrow

from .running import assert_identical, run_op

DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
# significant bits, least exponent of a normal number, greatest exponent
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127), "f32": (24, -126, 127), "f64": (53, -1022, 1023)}
SPECIAL = [0.0, -0.0, 1.0, -1.0, 1.5, -2.75, 3.0, 0.1, 1e-3, 1e4, math.inf, -math.inf, math.nan]


def rounded(exact: Fraction, type: str) -> float:
    """Return the nearest number of a format, ties to even."""
    precision, least, greatest = FORMATS[type]
    if exact == 0:
        return 0.0
    exponent = math.floor(math.log2(abs(exact.numerator)) - math.log2(exact.denominator))
    while abs(exact) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    while abs(exact) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - precision + 1)
    result = round(exact / unit) * unit  # Python rounds ties to even
    sign = 1 if exact > 0 else -1
    return math.copysign(math.inf if abs(result) >= Fraction(2) ** (greatest + 1) else float(result), sign)


def pairs(type: str) -> tuple[np.ndarray, np.ndarray]:
    info = ml_dtypes.finfo(DTYPES[type])
    numbers = [*SPECIAL, float(info.max), float(info.tiny), float(info.smallest_subnormal), 1.0 + float(info.eps)]
    a, b = zip(*itertools.product(numbers, numbers), strict=True)
    return np.array(a).astype(DTYPES[type]), np.array(b).astype(DTYPES[type])


def exactly(operator: Callable[[Fraction, Fraction], Fraction], native: Callable[[float, float], float], type: str):
    """Return the operation on floats: exact and rounded for finite numbers, else as IEEE has it in any format."""

    def apply(a: float, b: float) -> float:
        with np.errstate(all="ignore"):
            limit = native(np.float64(a), np.float64(b))
        if not (math.isfinite(a) and math.isfinite(b)) or limit == 0 and (a == 0 or b == 0 or a == -b):
            return limit
        if b == 0 and operator is truediv:
            return limit
        return rounded(operator(Fraction(a), Fraction(b)), type)

    return apply


def truediv(a: Fraction, b: Fraction) -> Fraction:
    return a / b


ARITHMETIC = {
    "addf": (lambda a, b: a + b, lambda a, b: a + b),
    "subf": (lambda a, b: a - b, lambda a, b: a - b),
    "mulf": (lambda a, b: a * b, lambda a, b: a * b),
    "divf": (truediv, lambda a, b: a / b),
}


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_is_rounded_once(name: str, type: str) -> None:
    a, b = pairs(type)
    apply = exactly(*ARITHMETIC[name], type)
    expected = np.array([apply(float(x), float(y)) for x, y in zip(a, b, strict=True)]).astype(DTYPES[type])
    assert_identical(run_op(lambda t: f"arith.{name} %a, %b : {t(type)}", [type, type], type, a, b), expected)


def larger(a: float, b: float) -> float:
    return max((a, b), key=lambda x: (x, math.copysign(1, x)))


def smaller(a: float, b: float) -> float:
    return min((a, b), key=lambda x: (x, math.copysign(1, x)))


EXTREMES = {
    "maximumf": lambda a, b: math.nan if math.isnan(a) or math.isnan(b) else larger(a, b),
    "minimumf": lambda a, b: math.nan if math.isnan(a) or math.isnan(b) else smaller(a, b),
    "maxnumf": lambda a, b: b if math.isnan(a) else a if math.isnan(b) else larger(a, b),
    "minnumf": lambda a, b: b if math.isnan(a) else a if math.isnan(b) else smaller(a, b),
}


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize("name", EXTREMES)
def test_extremes(name: str, type: str) -> None:
    a, b = pairs(type)
    expected = [EXTREMES[name](float(x), float(y)) for x, y in zip(a, b, strict=True)]
    actual = run_op(lambda t: f"arith.{name} %a, %b : {t(type)}", [type, type], type, a, b)
    assert_identical(actual, np.array(expected).astype(DTYPES[type]))


def unordered(a: float, b: float) -> bool:
    return math.isnan(a) or math.isnan(b)


ORDERS: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "ne": lambda a, b: not unordered(a, b) and a != b,
}
PREDICATES: dict[str, Callable[[float, float], bool]] = {
    "false": lambda a, b: False,
    "true": lambda a, b: True,
    "ord": lambda a, b: not unordered(a, b),
    "uno": unordered,
    **{f"o{name}": order for name, order in ORDERS.items()},
    **{f"u{name}": lambda a, b, order=order: order(a, b) or unordered(a, b) for name, order in ORDERS.items()},
}


@pytest.mark.each("type", DTYPES)
@pytest.mark.parametrize("predicate", PREDICATES)
def test_comparisons(predicate: str, type: str) -> None:
    a, b = pairs(type)
    expected = [PREDICATES[predicate](float(x), float(y)) for x, y in zip(a, b, strict=True)]
    actual = run_op(lambda t: f"arith.cmpf {predicate}, %a, %b : {t(type)}", [type, type], "i1", a, b)
    assert_identical(actual, np.array(expected))


@pytest.mark.parametrize("type", DTYPES)
def test_select(type: str) -> None:
    a, b = pairs(type)
    condition = np.arange(a.size) % 3 == 0

    def text(t: Callable[[str], str]) -> str:
        return f"arith.select %a, %b, %c : {'' if t('i1') == 'i1' else t('i1') + ', '}{t(type)}"

    assert_identical(run_op(text, ["i1", type, type], type, condition, a, b), np.where(condition, a, b))


UNARY: dict[str, Callable[[float], float]] = {
    "arith.negf": lambda x: -x,
    "math.absf": abs,
    "math.sqrt": lambda x: math.nan if x < 0 else math.sqrt(x),
    "math.floor": lambda x: x if not math.isfinite(x) else math.copysign(math.floor(x), x),
    "math.ceil": lambda x: x if not math.isfinite(x) else math.copysign(math.ceil(x), x),
    "math.trunc": lambda x: x if not math.isfinite(x) else math.copysign(math.trunc(x), x),
    "math.roundeven": lambda x: x if not math.isfinite(x) else math.copysign(round(x), x),
    "math.round": lambda x: x if not math.isfinite(x) else math.copysign(math.floor(abs(x) + 0.5), x),
    "math.exp": lambda x: math.inf if x > 709 else math.exp(x),
    "math.erf": math.erf,
    "math.tanh": math.tanh,
    "math.sin": lambda x: math.sin(x) if math.isfinite(x) else math.nan,
    "math.cos": lambda x: math.cos(x) if math.isfinite(x) else math.nan,
    "math.log": lambda x: math.nan if x < 0 else -math.inf if x == 0 else math.log(x),
    "math.rsqrt": lambda x: math.nan if x < 0 else math.copysign(math.inf, x) if x == 0 else 1 / math.sqrt(x),
}


@pytest.mark.parametrize("type", ["f16", "bf16", "f32"])
@pytest.mark.each("name", UNARY)
def test_unary(name: str, type: str) -> None:
    """The narrower formats, where the double of the function, rounded, is the correct result."""
    numbers = [*SPECIAL, 0.5, 2.5, -0.5, -3.5, 0.49997, 7.3, 88.0, -100.0, 1e5, 5e-5]
    with np.errstate(over="ignore"):
        a = np.array(numbers).astype(DTYPES[type])
    values = [UNARY[name](float(x)) for x in a]
    expected = [v if not math.isfinite(v) or v == 0 else rounded(Fraction(v), type) for v in values]
    with np.errstate(over="ignore"):
        assert_identical(
            run_op(lambda t: f"{name} %a : {t(type)}", [type], type, a), np.array(expected).astype(DTYPES[type])
        )


@pytest.mark.each(
    "name",
    ["acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cosh", "exp2", "expm1", "log10", "log1p", "log2"]
    + ["sinh", "tan", "exp", "log", "sin", "cos", "tanh", "erf", "sqrt"],
)
def test_functions_of_doubles(name: str) -> None:
    a = np.array([0.1, 0.25, 0.5, 0.75, 0.9]) + (1.0 if name == "acosh" else 0.0)
    function = {"cbrt": np.cbrt, "exp2": np.exp2}.get(name) or getattr(math, name)
    actual = run_op(lambda t: f"math.{name} %a : {t('f64')}", ["f64"], "f64", a)
    np.testing.assert_allclose(actual, [function(float(x)) for x in a], rtol=4e-16)


@pytest.mark.parametrize("type", DTYPES)
@pytest.mark.parametrize(("name", "function"), [("powf", math.pow), ("atan2", math.atan2), ("copysign", math.copysign)])
def test_binary_functions(name: str, function: Callable[[float, float], float], type: str) -> None:
    a, b = (
        np.array(x).astype(DTYPES[type]) for x in zip(*itertools.product([0.5, 1.5, 2.0], [-2, 0, 0.5, 3]), strict=True)
    )
    expected = np.array([function(float(x), float(y)) for x, y in zip(a, b, strict=True)]).astype(DTYPES[type])
    assert_identical(run_op(lambda t: f"math.{name} %a, %b : {t(type)}", [type, type], type, a, b), expected)


def exact_fma(a: float, b: float, c: float, type: str) -> float:
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return rounded(exact, type) if exact else a * b + c


@pytest.mark.parametrize("type", DTYPES)
def test_fma_is_rounded_once(type: str) -> None:
    """Among random operands those whose sum lies near a tie, where a rounded product would go the other way."""
    rng = np.random.default_rng(0)
    dtype, eps = DTYPES[type], float(ml_dtypes.finfo(DTYPES[type]).eps)
    a = (1 + rng.integers(-8, 9, 200) * eps).astype(dtype)
    b = (1 + rng.integers(-8, 9, 200) * eps).astype(dtype)
    c = np.concatenate([rng.choice([eps, -eps, eps / 2, 1.0, -1.0, eps**2], 100), rng.standard_normal(100)]).astype(
        dtype
    )
    expected = [exact_fma(float(x), float(y), float(z), type) for x, y, z in zip(a, b, c, strict=True)]
    actual = run_op(lambda t: f"math.fma %a, %b, %c : {t(type)}", [type] * 3, type, a, b, c)
    np.testing.assert_array_equal(actual, np.array(expected).astype(dtype))
    if type != "bf16":
        assert (actual != a * b + c).any(), "expected an operand whose product rounds the other way"


@pytest.mark.parametrize("type", DTYPES)
def test_fma_of_special_values(type: str) -> None:
    numbers = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan]
    a, b, c = (np.array(x).astype(DTYPES[type]) for x in zip(*itertools.product(numbers, repeat=3), strict=True))
    with np.errstate(invalid="ignore"):
        expected = a * b + c
    assert_identical(run_op(lambda t: f"math.fma %a, %b, %c : {t(type)}", [type] * 3, type, a, b, c), expected)


floats32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(floats32, floats32, floats32)
def test_fma_of_any_floats(a: float, b: float, c: float) -> None:
    with np.errstate(over="ignore"):
        actual = fma(*(np.array([x], np.float32) for x in (a, b, c)))
    np.testing.assert_array_equal(actual, np.float32(exact_fma(a, b, c, "f32")))


@given(st.floats(allow_nan=False), st.sampled_from(["bf16", "f16", "f32"]))
def test_narrowing_rounds_once(value: float, type: str) -> None:
    with np.errstate(over="ignore"):
        actual = float(narrow(np.float64(value), np.dtype(DTYPES[type])))
    assert actual == (rounded(Fraction(value), type) if math.isfinite(value) else value)


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_integer_powers(type: str) -> None:
    a, b = np.repeat([0.5, -1.5, 3.0], 5).astype(DTYPES[type]), np.tile([-2, -1, 0, 1, 7], 3).astype(np.int32)
    expected = np.array([float(x) ** int(y) for x, y in zip(a, b, strict=True)]).astype(DTYPES[type])
    actual = run_op(lambda t: f"math.fpowi %a, %b : {t(type)}, {t('i32')}", [type, "i32"], type, a, b)
    assert_identical(actual, expected)
