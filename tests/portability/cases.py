"""Programs whose values are compared on every kind of machine: odd sizes, so that vectors have tails everywhere.

All of them are built as functions of one module. What is expected comes from numpy, computed in float64 where rounding
is left open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from tilewright import te, topi

Array = NDArray[Any]
EXACT = 0.0


@dataclass(frozen=True)
class Case:
    """A program: its tensors, the arrays that it is called with, and what it computes of them."""

    tensors: Sequence[te.Tensor]
    inputs: Sequence[Array]
    expected: Sequence[Array]
    tolerance: float
    """Of the largest magnitude that is expected; EXACT for bits."""

    def check(self, results: Sequence[Array]) -> None:
        for actual, expected in zip(results, self.expected, strict=True):
            assert actual.dtype == expected.dtype and actual.shape == expected.shape
            if self.tolerance == EXACT:
                np.testing.assert_array_equal(actual, expected)
                floats = np.issubdtype(actual.dtype, np.floating)
                assert not floats or (np.signbit(actual) == np.signbit(expected))[~np.isnan(expected)].all()
            else:
                error = np.abs(actual.astype(np.float64) - expected.astype(np.float64)).max()
                assert error <= self.tolerance * np.abs(expected.astype(np.float64)).max()


def _random(*shape: int) -> Array:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def matmul() -> Case:
    m, n, k = 37, 43, 29
    a, b = te.placeholder((m, k), name="a"), te.placeholder((k, n), name="b")
    axis = te.reduce_axis((0, k), "k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, axis] * b[axis, j], axis=axis), name="c")
    x, y = _random(m, k), _random(k, n)
    return Case([a, b, c], [x, y], [(x.astype(np.float64) @ y).astype(np.float32)], 1e-6)


def convolution() -> Case:
    """Return a convolution by 3 x 3 with a border of zeros, three channels to ten, bias and relu behind it."""
    image, kernel = te.placeholder((3, 13, 17), name="x"), te.placeholder((10, 3, 3, 3), name="w")
    bias = te.placeholder((10,), name="b")
    c, u, v = (te.reduce_axis((0, 3), name) for name in "cuv")

    def padded(channel: Any, i: Any, j: Any) -> Any:
        inside = te.all(i >= 1, i < 14, j >= 1, j < 18)
        return te.if_then_else(inside, image[channel, i - 1, j - 1], 0.0)

    framed = te.compute((3, 15, 19), padded, name="framed")
    product = te.compute(
        (10, 13, 17),
        lambda o, i, j: te.sum(framed[c, i + u, j + v] * kernel[o, c, u, v], axis=[c, u, v]),
        name="product",
    )
    y = te.compute((10, 13, 17), lambda o, i, j: te.maximum(product[o, i, j] + bias[o], 0.0), name="y")
    x, w, b = _random(3, 13, 17), _random(10, 3, 3, 3), _random(10)
    frame = np.pad(x.astype(np.float64), ((0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(frame, (3, 3), (1, 2))
    expected = np.maximum(np.einsum("cijuv,ocuv->oij", windows, w) + b[:, None, None], 0)
    return Case([image, kernel, bias, y], [x, w, b], [expected.astype(np.float32)], 1e-6)


def softmax() -> Case:
    a = te.placeholder((5, 37), name="a")
    x = _random(5, 37) * 4
    powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return Case([a, topi.nn.softmax(a)], [x], [(powers / powers.sum(1, keepdims=True)).astype(np.float32)], 1e-6)


def reductions() -> Case:
    """Return reductions over rows, over columns, and the position of the largest."""
    a = te.placeholder((23, 41), name="a")
    x = _random(23, 41)
    rows, columns, most = topi.sum(a, 1), topi.sum(a, 0), topi.max(a, 1)
    tensors = [
        te.compute((23,), lambda i: rows[i], name="rows"),
        te.compute((41,), lambda i: columns[i], name="columns"),
        most,
        topi.argmax(a, 1),
    ]
    wide = x.astype(np.float64)
    expected = [wide.sum(1), wide.sum(0), wide.max(1)]
    return Case([a, *tensors], [x], [*(e.astype(np.float32) for e in expected), x.argmax(1).astype(np.int32)], 1e-6)


def masks_and_gathers() -> Case:
    """Return rows picked by number, every third element, a transpose, and neighbours beyond the end that count as
    -1."""
    a, numbers = te.placeholder((11, 13), name="a"), te.placeholder((19,), "int32", name="numbers")
    picked = te.compute((19, 13), lambda i, j: a[numbers[i], j], name="picked")
    third = te.compute((11, 5), lambda i, j: a[i, j * 3], name="third")
    turned = te.compute((13, 11), lambda i, j: a[j, i], name="turned")
    shifted = te.compute((11, 13), lambda i, j: te.if_then_else(j + 3 < 13, a[i, j + 3], -1.0), name="shifted")
    x, rows = _random(11, 13), np.random.default_rng(0).integers(0, 11, 19).astype(np.int32)
    beyond = np.full_like(x, -1)
    beyond[:, :-3] = x[:, 3:]
    outputs = [picked, third, turned, shifted]
    return Case([a, numbers, *outputs], [x, rows], [x[rows], x[:, ::3], np.ascontiguousarray(x.T), beyond], EXACT)


def integers() -> Case:
    """Return sums, products, quotients, remainders, shifts, extremes and comparisons of bytes to 64 bits."""
    generator = np.random.default_rng(0)
    tensors: list[te.Tensor] = []
    outputs: list[te.Tensor] = []
    inputs: list[Array] = []
    expected: list[Array] = []
    for dtype in ("int8", "uint16", "int32", "int64"):
        info = np.iinfo(dtype)
        x, y = generator.integers(info.min, info.max, (2, 45), dtype, endpoint=True)
        x[0], y[0] = info.min, 7
        y[y == 0] = 3
        y[y == np.array(-1).astype(dtype)] = 5
        a, b = (te.placeholder((45,), dtype, name=f"{n}_{dtype}") for n in "ab")
        inputs += [x, y]
        tensors += [a, b]
        outputs += [
            te.compute((45,), lambda i, a=a, b=b: a[i] * b[i] + a[i], name=f"sum_{dtype}"),
            te.compute((45,), lambda i, a=a, b=b: te.floordiv(a[i], b[i]), name=f"quotient_{dtype}"),
            te.compute((45,), lambda i, a=a, b=b: te.floormod(a[i], b[i]), name=f"rest_{dtype}"),
            te.compute((45,), lambda i, a=a, b=b: te.maximum(a[i] >> 3, te.minimum(a[i], b[i])), name=f"top_{dtype}"),
        ]
        expected += [x * y + x, x // y, x % y, np.maximum(x >> np.array(3, dtype), np.minimum(x, y))]
    return Case([*tensors, *outputs], inputs, expected, EXACT)


def every_half() -> Case:
    """Return all f16 numbers as f32, and all f32 numbers halfway between two f16 numbers, a little more and a little
    less."""
    numbers = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    a = te.placeholder(numbers.shape, "float16", name="a")
    widened = te.compute(numbers.shape, lambda i: a[i].astype("float32"), name="widened")
    # The last of them lies between the largest f16 number and the one that would follow.
    steps = np.unique(np.abs(numbers[np.isfinite(numbers)]))
    following = np.append(steps[1:].astype(np.float64), 65536.0)
    middle = ((steps.astype(np.float64) + following) / 2).astype(np.float32)
    ties = np.concatenate([middle, np.nextafter(middle, np.float32(0)), np.nextafter(middle, np.float32(np.inf))])
    special = np.array([np.inf, np.nan, 0, 1e-30, 1e-45, 65504, 65519.99, 1e5, 3e38], np.float32)
    samples = np.concatenate([ties, special, -ties, -special])
    b = te.placeholder(samples.shape, name="b")
    narrowed = te.compute(samples.shape, lambda i: b[i].astype("float16"), name="narrowed")
    with np.errstate(all="ignore"):
        expected = [numbers.astype(np.float32), samples.astype(np.float16)]
    return Case([a, b, widened, narrowed], [numbers, samples], expected, EXACT)


def narrow_arithmetic() -> Case:
    """Return arithmetic of f16 and bf16: each operation is rounded by itself."""
    tensors: list[te.Tensor] = []
    outputs: list[te.Tensor] = []
    inputs: list[Array] = []
    expected: list[Array] = []
    for dtype in (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16)):
        x, y = (values.astype(dtype) for values in (_random(53) * 5, _random(53, 1)[:, 0]))
        a, b = (te.placeholder((53,), dtype.name, name=f"{n}_{dtype.name}") for n in "ab")
        inputs += [x, y]
        tensors += [a, b]
        outputs += [
            te.compute((53,), lambda i, a=a, b=b: a[i] * b[i] + a[i], name=f"sum_{dtype.name}"),
            te.compute((53,), lambda i, a=a, b=b: te.maximum(a[i] / b[i], b[i]), name=f"top_{dtype.name}"),
            te.compute((53,), lambda i, a=a: te.floor(te.sqrt(te.abs(a[i]))), name=f"root_{dtype.name}"),
        ]
        expected += [x * y + x, np.maximum(x / y, y), np.floor(np.sqrt(np.abs(x)))]
    return Case([*tensors, *outputs], inputs, expected, EXACT)


def roundings() -> Case:
    """Return roundings to integers, in every direction, of f32 and f64: ties, numbers without fractions, what has no
    value."""
    sides = np.arange(-40, 41) / 4
    special = [0.0, np.inf, np.nan, 0.49999997, 8388607.5, 8388608.5, 4503599627370495.5, 1e300, 2.0**62]
    tensors: list[te.Tensor] = []
    outputs: list[te.Tensor] = []
    inputs: list[Array] = []
    expected: list[Array] = []
    for dtype in ("float32", "float64"):
        with np.errstate(over="ignore"):
            x = np.concatenate([sides, special, [-s for s in special]]).astype(dtype)
        a = te.placeholder(x.shape, dtype, name=f"a_{dtype}")
        tensors.append(a)
        inputs.append(x)
        for function, reference in (
            (te.floor, np.floor),
            (te.ceil, np.ceil),
            (te.trunc, np.trunc),
            (te.round, np.rint),
        ):
            name = f"{function.__name__}_{dtype}"
            outputs.append(te.compute(x.shape, lambda i, a=a, f=function: f(a[i]), name=name))
            expected.append(reference(x))
    return Case([*tensors, *outputs], inputs, expected, EXACT)


FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[[Array], Array], float, float]] = {
    "exp": (te.exp, np.exp, -104, 89),
    "exp2": (te.exp2, np.exp2, -150, 128),
    "expm1": (te.expm1, np.expm1, -30, 88),
    "log": (te.log, np.log, 1e-44, 3e38),
    "log2": (te.log2, np.log2, 1e-44, 3e38),
    "log10": (te.log10, np.log10, 1e-44, 3e38),
    "log1p": (te.log1p, np.log1p, -0.999, 1e30),
    "sin": (te.sin, np.sin, -1e4, 1e4),
    "cos": (te.cos, np.cos, -1e4, 1e4),
    "tan": (te.tan, np.tan, -50, 50),
    "tanh": (te.tanh, np.tanh, -10, 10),
    "sinh": (te.sinh, np.sinh, -88, 88),
    "cosh": (te.cosh, np.cosh, -88, 88),
    "asin": (te.asin, np.arcsin, -1, 1),
    "acos": (te.acos, np.arccos, -1, 1),
    "atan": (te.atan, np.arctan, -1e4, 1e4),
    "asinh": (te.asinh, np.arcsinh, -1e4, 1e4),
    "acosh": (te.acosh, np.arccosh, 1, 1e4),
    "atanh": (te.atanh, np.arctanh, -0.999, 0.999),
    "erf": (te.erf, np.vectorize(math.erf), -4, 4),
    "sigmoid": (te.sigmoid, lambda x: 1 / (1 + np.exp(-x)), -100, 100),
    "sqrt": (te.sqrt, np.sqrt, 0, 3e38),
    "rsqrt": (te.rsqrt, lambda x: 1 / np.sqrt(x), 1e-44, 3e38),
}
"""Name -> the function of te, its reference in float64, and the range of the samples."""

ULPS = 2.0


def samples(low: float, high: float) -> Array:
    """Return numbers evenly spread over a range, and of every magnitude in it; some of no value."""
    generator = np.random.default_rng(0)
    magnitudes = np.exp2(generator.uniform(-40, np.log2(max(abs(low), abs(high))), 400))
    spread = generator.uniform(low, high, 601)
    numbers = np.concatenate([spread, magnitudes, -magnitudes]).astype(np.float32)
    numbers = numbers[(numbers >= np.float32(low)) & (numbers <= np.float32(high))]
    edges = np.array([low, high, 0, np.inf, -np.inf, np.nan], np.float32)
    # A multiple of every vector's lanes: twenty functions need not show that tails are right.
    kept = (len(numbers) + len(edges)) // 64 * 64 - len(edges)
    return np.concatenate([generator.permutation(numbers)[:kept], edges])


def functions() -> list[te.Tensor]:
    """Return a tensor of samples for each function, then its values."""
    arguments = {n: te.placeholder(samples(*f[2:]).shape, name=f"x_{n}") for n, f in FUNCTIONS.items()}
    values = [
        te.compute(a.shape, lambda i, a=a, f=FUNCTIONS[n][0]: f(a[i]), name=f"y_{n}") for n, a in arguments.items()
    ]
    return [*arguments.values(), *values]


def function_inputs() -> list[Array]:
    return [samples(*f[2:]) for f in FUNCTIONS.values()]


def check_functions(results: Sequence[Array]) -> None:
    """Check that every value is within 2 units in the last place of the exact one, and exact where that is not
    finite."""
    for (name, (_, reference, low, high)), actual in zip(FUNCTIONS.items(), results, strict=True):
        x = samples(low, high)
        with np.errstate(all="ignore"):
            exact = np.asarray(reference(x.astype(np.float64)))
            rounded = exact.astype(np.float32)
        finite = np.isfinite(rounded)
        np.testing.assert_array_equal(actual[~finite], rounded[~finite], err_msg=name)
        unit = np.spacing(np.maximum(np.abs(rounded[finite]), np.float32(1e-45))).astype(np.float64)
        error = np.abs(actual[finite] - exact[finite]) / unit
        assert error.max() <= ULPS, f"{name}({x[finite][error.argmax()]}) is off by {error.max()} ulp"


MAKERS: tuple[Callable[[], Case], ...] = (
    matmul,
    convolution,
    softmax,
    reductions,
    masks_and_gathers,
    integers,
    every_half,
    narrow_arithmetic,
    roundings,
)


@cache
def cases() -> dict[str, Case]:
    return {make.__name__: make() for make in MAKERS}


@cache
def programs() -> dict[str, Sequence[te.Tensor]]:
    """Return all programs, as `tilewright.build` takes them."""
    return {**{name: case.tensors for name, case in cases().items()}, "functions": functions()}
