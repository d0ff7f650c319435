"""Scalar functions and operators of every element type, interpreted and compiled, against numpy."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import te, tir
from tilewright.script import from_source
from tilewright.semantics import evaluate

from .running import expect

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield


def numpy_type(dtype: str):
    return ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype).type


def check(inputs: dict[str, np.ndarray], dtype: str, body, *expected: np.ndarray, rtol: float = 0.0) -> None:
    """Check that the body over elements of the inputs gives these arrays."""
    tensors = [te.placeholder(x.shape, dtype, name) for name, x in inputs.items()]
    (size,) = next(iter(inputs.values())).shape
    outputs = te.compute((size,), lambda i: body(*(t[i] for t in tensors)), name="o")
    expect([*tensors, *outputs], list(inputs.values()), *expected, rtol=rtol)


UNARY = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
}  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
def test_functions_of_floats(dtype: str) -> None:
    real = numpy_type(dtype)
    x = np.array([0.0, 0.25, -0.5, 0.75, 1.0, 2.5, -3.0, np.nan], real)
    wide = x.astype(np.float64)
    expected = [f(wide).astype(real) for f in UNARY.values()]
    step = float(ml_dtypes.finfo(real).eps)
    check({"x": x}, dtype, lambda a: tuple(getattr(te, name)(a) for name in UNARY), *expected, rtol=4 * step)


@pytest.mark.parametrize("dtype", FLOATS)
def test_operators_of_floats(dtype: str) -> None:
    real = numpy_type(dtype)
    x = np.array([1, -2.5, 7.25, np.nan, np.inf, -np.inf, -0.75, 3, 1000, 2.5], real)
    y = np.array([0.5, 1.5, -2, 1, 2, 3, 1, 0, 0.75, -0.5], real)
    wide_x, wide_y = x.astype(np.float64), y.astype(np.float64)
    exact = [
        x + y, x - y, x * y, x / y, np.fmod(wide_x, wide_y), np.abs(x), -x, np.floor(x), np.ceil(x), np.trunc(x),
        np.rint(x), np.maximum(x, y), np.minimum(x, y), np.where(x < y, x, y), np.maximum(x, real(1)),
    ]  # fmt: skip
    check(
        {"x": x, "y": y}, dtype,
        lambda a, b: (
            a + b, a - b, a * b, a / b, te.fmod(a, b), te.abs(a), -a, te.floor(a), te.ceil(a), te.trunc(a), te.round(a),
            te.max(a, b), te.min(a, b), te.Select(a < b, a, b), te.max(a, 1),
        ),
        *(e.astype(real) for e in exact),
    )  # fmt: skip
    check(
        {"x": x, "y": y}, dtype,
        lambda a, b: (te.isnan(a), te.isinf(a), te.isfinite(a), a < b, a <= b, a > b, a >= b, a == b, a != b,
                      te.likely(a < b)),
        np.isnan(x), np.isinf(x), np.isfinite(x), x < y, x <= y, x > y, x >= y, x == y, x != y, x < y,
    )  # fmt: skip
    check(
        {"x": np.abs(x), "y": y}, dtype, lambda a, b: (te.power(a, b), te.atan2(a, b)),
        np.power(np.abs(wide_x), wide_y).astype(real), np.arctan2(np.abs(wide_x), wide_y).astype(real),
        rtol=4 * float(ml_dtypes.finfo(real).eps),
    )  # fmt: skip


def integers(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Return operands, of which the second is never 0."""
    low = np.iinfo(dtype).min
    x = np.array([1, -2, 7, 100, low, -1, 0, 3, 5, low], np.int64).astype(dtype)
    return x, np.array([5, 1, 7, 3, 2, 6, 1, 4, -3 if low else 3, 7], np.int64).astype(dtype)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_operators_of_integers(dtype: str) -> None:
    x, y = integers(dtype)
    bits = 8 * x.dtype.itemsize
    unsigned = x.view(f"u{x.dtype.itemsize}")
    quotient = (x - np.fmod(x, y)) // y
    shift = y & 7
    check(
        {"x": x, "y": y}, dtype,
        lambda a, b: (
            a + b, a - b, a * b, a // b, a % b, te.truncdiv(a, b), te.truncmod(a, b), te.fmod(a, b), te.floordiv(a, b),
            te.floormod(a, b), te.div(a, b), te.indexdiv(a, b), te.indexmod(a, b),
            a & b, a | b, a ^ b, ~a, a << (b & 7), a >> (b & 7), te.popcount(a), te.clz(a),
            te.max(a, b), te.min(a, b), te.Select(a < b, a, b), te.floor(a),
        ),
        x + y, x - y, x * y, x // y, x % y, quotient, np.fmod(x, y), np.fmod(x, y), x // y, x % y,
        quotient, x // y, x % y, x & y, x | y, x ^ y,
        ~x, x << shift, x >> shift, np.array([int(v).bit_count() for v in unsigned]).astype(dtype),
        np.array([bits - int(v).bit_length() for v in unsigned]).astype(dtype), np.maximum(x, y), np.minimum(x, y),
        np.where(x < y, x, y), x,
    )  # fmt: skip
    check(
        {"x": x, "y": y}, dtype,
        lambda a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b, te.isnan(a), te.isfinite(a), a.astype("float32")),
        x < y, x <= y, x > y, x >= y, x == y, x != y, np.zeros(10, bool), np.ones(10, bool), x.astype(np.float32),
    )  # fmt: skip


def test_quotients_rounded_up_at_the_ends_of_every_type() -> None:
    for dtype in INTEGERS:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        pairs = [(a, b) for a in (low, low + 1, 0, 1, 9, high - 1, high) for b in (1, 2, 10, high, low or 3)]
        x, y = (np.array(column, dtype) for column in zip(*pairs, strict=True))
        expected = np.array([-(-a // b) for a, b in pairs], dtype)
        tens = np.array([-(-a // 10) for a, _ in pairs], dtype)
        body = lambda a, b: (tir.ceildiv(a, b), te.ceildiv(a, 10))  # noqa: E731
        check({"x": x, "y": y}, dtype, body, expected, tens)
        source = f"""
from tilewright.script import tir as T
@T.prim_func
def f(X: T.Buffer(({len(x)},), "{dtype}"), Y: T.Buffer(({len(x)},), "{dtype}"), Z: T.Buffer(({len(x)},), "{dtype}")):
    for i in range({len(x)}):
        Z[i] = T.ceildiv(X[i], Y[i])
"""
        z = np.zeros_like(x)
        tilewright.build(from_source(source), target="c")(x, y, z)
        np.testing.assert_array_equal(z, expected, err_msg=dtype)


def test_quotients_rounded_up_are_sizes_and_indices() -> None:
    n = te.var("n")
    a = te.placeholder((n,), name="a")
    b = te.compute((tir.ceildiv(n, 4),), lambda i: a[te.min(i * 4, n - 1)] + te.ceildiv(i, 2), name="b")
    program = tilewright.build([a, b], [a, b])
    for size in (1, 3, 4, 5, 10):
        x = np.arange(size, dtype=np.float32)
        steps = np.arange(-(-size // 4))
        np.testing.assert_array_equal(program(x), x[::4] + -(-steps // 2))
    assert [str(e) for e in (te.ceildiv(7, 2), te.ceildiv(n, 1), te.ceildiv(-7, 2))] == ["4", "n", "-3"]


def test_operators_have_names() -> None:
    x, y = integers("int32")
    check(
        {"x": x, "y": y}, "int32",
        lambda a, b: (
            tir.shift_left(a, b & 7), tir.shift_right(a, b & 7), tir.bitwise_and(a, b), tir.bitwise_or(a, b),
            tir.bitwise_xor(a, b), tir.bitwise_not(a), tir.reinterpret("float32", a), tir.infinity("float32"),
        ),
        x << (y & 7), x >> (y & 7), x & y, x | y, x ^ y, ~x, x.view(np.float32), np.full(10, np.inf, np.float32),
    )  # fmt: skip


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers(dtype: str) -> None:
    x, y = integers(dtype)
    if np.iinfo(dtype).min:
        x[3], y[3] = -1, -5
    a, b = te.placeholder(x.shape, dtype, "a"), te.placeholder(x.shape, dtype, "b")
    module = te.to_module([a, b, *te.compute(x.shape, lambda i: (te.pow(a[i], b[i]), a[i] ** 5, a[i] ** 0), name="o")])
    modulus = 1 << 8 * x.dtype.itemsize
    powers = [0 if q < 0 and abs(int(p)) != 1 else pow(int(p), abs(int(q)), modulus) for p, q in zip(x, y, strict=True)]
    expected = np.array(powers, np.uint64).astype(f"u{x.dtype.itemsize}").view(dtype)
    for outputs in (evaluate(module, x, y), tilewright.compile(module)(x, y)):
        for found, want in zip(outputs, (expected, x**5, np.ones_like(x)), strict=True):
            np.testing.assert_array_equal(found, want)


def test_conditions() -> None:
    x = np.array([0, 1, 0, 1, 1], bool)
    y = np.array([0, 0, 1, 1, 0], bool)
    check(
        {"x": x, "y": y}, "bool",
        lambda a, b: (te.all(a, b, a), te.any(a, b, b), ~a, a ^ b, a == b, a != b, te.likely(a), te.Select(a, b, ~b)),
        x & y, x | y, ~x, x ^ y, x == y, x != y, x, np.where(x, y, ~y),
    )  # fmt: skip


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_conversions_to_every_type(dtype: str) -> None:
    x = np.array([0, 1, 2, 5, 100], numpy_type(dtype))
    targets = [*FLOATS, *INTEGERS, "bool"]
    expected = [x != 0 if t == "bool" else x.astype(numpy_type(t)) for t in targets]
    check({"x": x}, dtype, lambda a: tuple(a.astype(t) for t in targets), *expected)


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
def test_limits(dtype: str) -> None:
    real = numpy_type(dtype)
    limits = ml_dtypes.finfo(real) if dtype in FLOATS else np.iinfo(dtype)
    x = np.zeros(2, real)
    ends = np.array([limits.min, limits.max], real)
    check(
        {"x": x}, dtype, lambda a: (te.max(a, te.min_value(dtype)), te.min_value(dtype), te.max_value(dtype)),
        x, ends[[0, 0]], ends[[1, 1]],
    )  # fmt: skip


@pytest.mark.parametrize("target", ["llvm", "c", "interpreter"])
@pytest.mark.parametrize(
    ("given", "wanted"),
    [("int32", "float32"), ("float32", "uint32"), ("uint64", "float64"), ("float16", "int16"), ("int8", "uint8")],
)
def test_bits_of_a_number_as_another_type(given: str, wanted: str, target: str) -> None:
    x = np.array([0, 1, -1, 2.5, -1e30, 1e-3]).astype(wanted if "int" in given else given, casting="unsafe").view(given)
    A = te.placeholder((6,), given, "A")
    B = te.compute((6,), lambda i: te.call_intrin(wanted, "tir.reinterpret", A[i]), name="B")
    result = tilewright.build(te.create_schedule(B.op), [A, B], target)(x)
    assert result.dtype == wanted
    np.testing.assert_array_equal(result.view(given), x)


def test_bits_of_other_numbers_are_refused() -> None:
    with pytest.raises(tilewright.TilewrightError, match="TW0531.*a number of 32 bits as float32, but got .* of int64"):
        te.call_intrin("float32", "tir.reinterpret", te.const(1, "int64"))
