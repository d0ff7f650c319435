"""One row an operator: how it is called, on which operands, and what numpy makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tilewright import te, topi
from tilewright.te import Tensor

SIZES = {"n": (3, 1), "m": (5, 7)}
"""The symbolic sizes of two calls."""


@dataclass(frozen=True)
class Row:
    """
    `call` makes the operator of placeholders and `expected` its result of arrays. An operand is a shape with names for
    symbolic sizes; its type may follow as in "int32" or, for indices below 4, "index".
    """

    name: str
    call: Callable[..., Any]
    expected: Callable[..., Any]
    shapes: tuple[tuple[Any, ...], ...]
    dtypes: tuple[str, ...]
    positive: bool = False
    tolerance: float = 2e-5

    def __str__(self) -> str:
        shapes = "_".join("x".join(map(str, shape)) or "scalar" for shape in self.shapes)
        return f"{self.name}-{shapes}-{'_'.join(dict.fromkeys(self.dtypes))}"

    @property
    def calls(self) -> int:
        """Return how many sizes to try."""
        return 2 if any(isinstance(size, str) for shape in self.shapes for size in shape) else 1

    def placeholders(self) -> list[Tensor]:
        names = {name: te.var(name) for name in SIZES}
        return [
            te.placeholder([names.get(size, size) for size in shape], "int32" if dtype == "index" else dtype, f"x{k}")
            for k, (shape, dtype) in enumerate(zip(self.shapes, self.dtypes, strict=True))
        ]

    def arrays(self, call: int) -> list[np.ndarray]:
        rng = np.random.default_rng(len(str(self)) + call)
        sizes = {name: values[call] for name, values in SIZES.items()}
        shapes = ([sizes.get(size, size) for size in shape] for shape in self.shapes)
        return [_draw(rng, shape, dtype, self.positive) for shape, dtype in zip(shapes, self.dtypes, strict=True)]


def _draw(rng: np.random.Generator, shape: Sequence[int], dtype: str, positive: bool) -> np.ndarray:
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype == "index":
        return np.asarray(rng.integers(0, 4, shape), np.int32)
    if "int" in dtype:
        return np.asarray(rng.integers(1 if positive or dtype.startswith("u") else -6, 7, shape), dtype)
    return np.asarray(rng.uniform(0.1, 2.0, shape) if positive else rng.standard_normal(shape), dtype)


def row(
    name: str,
    call: Callable[..., Any],
    expected: Callable[..., Any],
    *shapes: tuple[Any, ...],
    dtype: str = "float32",
    dtypes: tuple[str, ...] = (),
    positive: bool = False,
    tolerance: float = 2e-5,
) -> Row:
    return Row(name, call, expected, shapes, dtypes or (dtype,) * len(shapes), positive, tolerance)


def _erf(x: np.ndarray) -> np.ndarray:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


_UNARY: dict[str, tuple[Any, Any, str]] = {
    "exp": (topi.exp, np.exp, "any"),
    "log": (topi.log, np.log, "positive"),
    "sqrt": (topi.sqrt, np.sqrt, "positive"),
    "rsqrt": (topi.rsqrt, lambda x: 1 / np.sqrt(x), "positive"),
    "reciprocal": (topi.reciprocal, lambda x: 1 / x, "positive"),
    "tanh": (topi.tanh, np.tanh, "any"),
    "sigmoid": (topi.sigmoid, _sigmoid, "any"),
    "erf": (topi.erf, _erf, "any"),
    "sin": (topi.sin, np.sin, "any"),
    "exp2": (topi.exp2, np.exp2, "any"),
    "expm1": (topi.expm1, np.expm1, "any"),
    "log2": (topi.log2, np.log2, "positive"),
    "log10": (topi.log10, np.log10, "positive"),
    "log1p": (topi.log1p, np.log1p, "positive"),
    "tan": (topi.tan, np.tan, "any"),
    "asin": (lambda x: topi.asin(topi.tanh(x)), lambda x: np.arcsin(np.tanh(x)), "any"),
    "acos": (lambda x: topi.acos(topi.tanh(x)), lambda x: np.arccos(np.tanh(x)), "any"),
    "atan": (topi.atan, np.arctan, "any"),
    "sinh": (topi.sinh, np.sinh, "any"),
    "cosh": (topi.cosh, np.cosh, "any"),
    "asinh": (topi.asinh, np.arcsinh, "any"),
    "acosh": (lambda x: topi.acosh(x + 1), lambda x: np.arccosh(x + 1), "positive"),
    "atanh": (lambda x: topi.atanh(x / 4), lambda x: np.arctanh(x / 4), "any"),
    "cos": (topi.cos, np.cos, "any"),
    "abs": (topi.abs, np.abs, "any"),
    "negative": (topi.negative, np.negative, "any"),
    "sign": (topi.sign, np.sign, "any"),
    "floor": (topi.floor, np.floor, "any"),
    "ceil": (topi.ceil, np.ceil, "any"),
    "round": (topi.round, np.round, "any"),
    "trunc": (topi.trunc, np.trunc, "any"),
    "identity": (topi.identity, lambda x: x, "any"),
    "relu": (topi.nn.relu, lambda x: np.maximum(x, 0), "any"),
    "leaky_relu": (lambda x: topi.nn.leaky_relu(x, 0.1), lambda x: np.where(x > 0, x, 0.1 * x), "any"),
    "elu": (lambda x: topi.nn.elu(x, 0.5), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x)), "any"),
    "gelu": (topi.nn.gelu, lambda x: x * (1 + _erf(x / math.sqrt(2))) / 2, "any"),
    "gelu_tanh": (
        lambda x: topi.nn.gelu(x, "tanh"),
        lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        "any",
    ),
    "silu": (topi.nn.silu, lambda x: x * _sigmoid(x), "any"),
    "swish": (topi.nn.swish, lambda x: x * _sigmoid(x), "any"),
    "softplus": (topi.nn.softplus, lambda x: np.log1p(np.exp(x)), "any"),
    "hard_sigmoid": (topi.nn.hard_sigmoid, lambda x: np.clip(0.2 * x + 0.5, 0, 1), "any"),
    "hard_swish": (topi.nn.hard_swish, lambda x: x * np.clip(x + 3, 0, 6) / 6, "any"),
    "clip": (lambda x: topi.clip(x, -0.5, 0.75), lambda x: np.clip(x, -0.5, 0.75), "any"),
    "cast": (lambda x: topi.cast(x, "int32"), lambda x: x.astype(np.int32), "any"),
}

_BINARY: dict[str, tuple[Any, Any]] = {
    "add": (topi.add, np.add),
    "subtract": (topi.subtract, np.subtract),
    "multiply": (topi.multiply, np.multiply),
    "maximum": (topi.maximum, np.maximum),
    "minimum": (topi.minimum, np.minimum),
    "equal": (topi.equal, np.equal),
    "not_equal": (topi.not_equal, np.not_equal),
    "less": (topi.less, np.less),
    "less_equal": (topi.less_equal, np.less_equal),
    "greater": (topi.greater, np.greater),
    "greater_equal": (topi.greater_equal, np.greater_equal),
}

_REDUCTIONS = {
    "sum": (topi.sum, np.sum),
    "prod": (topi.prod, np.prod),
    "max": (topi.max, np.max),
    "min": (topi.min, np.min),
    "mean": (topi.mean, np.mean),
}


def _operators(a: Any, b: Any) -> Any:
    return (2 - a) * b / 4 + (-b) ** 2 - abs(a)


ELEMENTWISE = [
    *(
        row(name, call, expected, ("n", 1, 5), positive=domain == "positive", tolerance=5e-5)
        for name, (call, expected, domain) in _UNARY.items()
    ),
    *(row(name, *_UNARY[name][:2], (5, 3), dtype="int32") for name in ("abs", "negative", "sign", "relu", "floor")),
    *(row(name, *_UNARY[name][:2], (7,), dtype="float64") for name in ("tanh", "exp", "gelu")),
    *(row(name, *_UNARY[name][:2], (7,), dtype="float16", tolerance=4e-3) for name in ("exp", "silu")),
    row("clip", lambda x: topi.clip(x, -3, 300), lambda x: np.clip(x, -3, 127), (9,), dtype="int8"),
    *(row(name, *_BINARY[name], ("n", 3, 5), (3, 1)) for name in _BINARY),
    *(row(name, *_BINARY[name], (7,), (7,), dtype="int8") for name in ("add", "multiply", "less", "maximum")),
    row("add", topi.broadcast_add, np.add, ("n", "m"), ("m",), dtype="float64"),
    row("add", lambda a: a + 1, lambda a: a + 1, ()),
    row("multiply", topi.broadcast_multiply, np.multiply, (2, 1), (1, 3), dtype="float16", tolerance=1e-3),
    row("divide", topi.divide, np.divide, (4, 5), (5,), positive=True),
    row(
        "divide",
        topi.broadcast_divide,
        lambda a, b: np.trunc(a / b).astype(np.int32),
        (31,),
        (31,),
        dtype="int32",
        positive=True,
    ),
    row("divide", lambda a: topi.divide(a, 2.5), lambda a: a / np.float32(2.5), (9,), dtype="int32"),
    row("power", topi.power, np.power, (4, 5), (5,), positive=True),
    row("power", lambda a: topi.power(a, 3), lambda a: a**3, (9,), dtype="int32"),
    row("mod", topi.mod, np.fmod, (31,), (31,), dtypes=("int32", "uint8")),
    row("floor_mod", topi.floor_mod, np.mod, (31,), (31,), dtypes=("int32", "uint8")),
    row("floor_divide", topi.floor_divide, np.floor_divide, (31,), (31,), dtypes=("int32", "uint8")),
    row("floor_divide", topi.floor_divide, lambda a, b: np.floor(a / b), ("n", 5), (5,)),
    row("mod", topi.mod, np.fmod, ("n", 5), (5,)),
    row("floor_mod", topi.floor_mod, np.mod, ("n", 5), (5,)),
    row("left_shift", topi.left_shift, np.left_shift, (9,), (9,), dtype="int32", positive=True),
    row("right_shift", lambda a: topi.right_shift(a, 1), lambda a: a >> 1, (9,), dtype="int32"),
    row("bitwise_and", topi.bitwise_and, np.bitwise_and, (31,), (31,), dtype="int32"),
    row("bitwise_or", topi.bitwise_or, np.bitwise_or, (31,), (31,), dtype="uint8"),
    row("bitwise_xor", topi.bitwise_xor, np.bitwise_xor, (31,), (31,), dtype="int64"),
    row("bitwise_not", topi.bitwise_not, np.bitwise_not, (31,), dtype="int32"),
    row("logical_and", topi.logical_and, np.logical_and, (4, 5), (5,), dtype="bool"),
    row("logical_or", topi.logical_or, np.logical_or, (4, 5), (5,), dtype="bool"),
    row("logical_xor", topi.logical_xor, np.logical_xor, (4, 5), (5,), dtype="bool"),
    row("logical_not", topi.logical_not, np.logical_not, (5,), dtype="bool"),
    row("where", topi.where, np.where, (3, 1), ("n", 3, 5), (5,), dtypes=("bool", "float32", "float32")),
    row(
        "where", lambda c, x: topi.where(c, x, 0), lambda c, x: np.where(c, x, 0), (5,), (5,), dtypes=("bool", "int32")
    ),
    row("operators", _operators, _operators, ("n", 5), (5,)),
    row("operators", lambda a: (a // 3 + a % 4 - 1) & 6, lambda a: (a // 3 + a % 4 - 1) & 6, (9,), dtype="int64"),
    row("operators", lambda a: ~(a < 0) | (a >= 1), lambda a: ~(a < 0) | (a >= 1), (9,)),
    row("isnan", lambda x: topi.isnan(x / x), lambda x: x == 0, (9,), dtype="float32"),
    row("isinf", lambda x: topi.isinf(1 / topi.trunc(x)), lambda x: np.trunc(x) == 0, (19,)),
    row("isfinite", lambda x: topi.isfinite(1 / topi.trunc(x)), lambda x: np.trunc(x) != 0, (19,)),
    row("cast", lambda x: topi.cast(x, "bool"), lambda x: x != 0, (15,), dtype="int32"),
    row("prelu", topi.nn.prelu, lambda x, s: np.where(x > 0, x, x * s[:, None]), ("n", 3, 5), (3,)),
]


def _reduced(function: Any, axis: Any, keepdims: bool) -> Callable[..., Any]:
    return lambda x: function(x, axis=axis, keepdims=keepdims)


REDUCTIONS = [
    *(
        row(name, _reduced(call, axis, keepdims), _reduced(expected, axis, keepdims), shape)
        for name, (call, expected) in _REDUCTIONS.items()
        for axis, keepdims, shape in ((1, False, (3, 5)), ((0, -1), True, (4, 3, 17)), (0, False, ("n", "m")))
    ),
    row("sum", topi.sum, np.sum, ("n", 5)),
    row("sum", _reduced(topi.sum, -1, False), lambda x: x.sum(-1, dtype=np.int8), (3, 5), dtype="int8"),
    row("sum", _reduced(topi.sum, 0, False), _reduced(np.sum, 0, False), (33, 2), dtype="float64"),
    row("max", _reduced(topi.max, 1, False), _reduced(np.max, 1, False), (2, 1, 3), dtype="int64"),
    row("min", _reduced(topi.min, (), False), lambda x: x, (2, 3)),
    row("all", _reduced(topi.all, 1, True), _reduced(np.all, 1, True), ("n", 3), dtype="bool"),
    row("any", _reduced(topi.any, 0, False), _reduced(np.any, 0, False), (3, 4), dtype="bool"),
    row("argmax", _reduced(topi.argmax, -1, False), lambda x: x.argmax(-1), ("n", 17)),
    row("argmin", _reduced(topi.argmin, 0, True), lambda x: x.argmin(0, keepdims=True), (5, 3)),
    row("argmax", lambda x: topi.argmax(x), lambda x: x.argmax(), (3, 4), dtype="int8"),
    row(
        "argmin",
        lambda x: topi.argmin(x, 1, select_last_index=True, dtype="int32"),
        lambda x: x.shape[1] - 1 - x[:, ::-1].argmin(1),
        (3, 40),
        dtype="int32",
    ),
    row("argmax", lambda x: topi.argmax(topi.sqrt(x), 1), lambda x: np.sqrt(x).argmax(1), ("n", 9)),
    row("cumsum", lambda x: topi.nn.relu(topi.cumsum(x, 0)), lambda x: np.maximum(np.cumsum(x, 0), 0), ("n", 5)),
    row("cumsum", lambda x: topi.cumsum(x, -1), lambda x: np.cumsum(x, -1), ("n", 5)),
    row("cumsum", lambda x: topi.cumsum(x), lambda x: np.cumsum(x, dtype=np.int32), (3, 5), dtype="int32"),
    row(
        "cumsum",
        lambda x: topi.cumsum(x, 0, exclusive=True, reverse=True),
        lambda x: np.flip(np.cumsum(np.flip(x, 0), 0), 0) - x,
        (5, 2),
    ),
]


def _split_sum(x: Any) -> Any:
    a, b, c = topi.split(x, [2, 3], axis=1)
    return topi.concatenate([c, a, b], axis=1)


def _fancy(x: np.ndarray, i: np.ndarray) -> np.ndarray:
    return x[tuple(i)]


MOVEMENT = [
    row("reshape", lambda x: topi.reshape(x, (3, -1, 2)), lambda x: x.reshape(3, -1, 2), (2, 6)),
    row("reshape", lambda x: topi.reshape(x, (-1,)), lambda x: x.reshape(-1), ("n", 3, 2)),
    row("reshape", lambda x: topi.reshape(x, (x.shape[0], -1)), lambda x: x.reshape(len(x), 6), ("n", 3, 2)),
    row("transpose", topi.transpose, np.transpose, ("n", 3, 5)),
    row("transpose", lambda x: topi.transpose(x, (1, -1, 0)), lambda x: x.transpose(1, 2, 0), (2, 3, 5), dtype="int8"),
    row("expand_dims", lambda x: topi.expand_dims(x, -1, 2), lambda x: x[..., None, None], ("n", 3)),
    row("squeeze", topi.squeeze, np.squeeze, (1, 3, 1, 2)),
    row("squeeze", lambda x: topi.squeeze(x, -1), lambda x: x[..., 0], ("n", 3, 1)),
    row("broadcast_to", lambda x: topi.broadcast_to(x, (2, 3, 4)), lambda x: np.broadcast_to(x, (2, 3, 4)), (3, 1)),
    row(
        "concatenate",
        lambda a, b: topi.concatenate([a, b], -1),
        lambda a, b: np.concatenate([a, b], -1),
        ("n", 3),
        ("n", 5),
    ),
    row("concatenate", lambda a, b: topi.concatenate((a, b)), lambda a, b: np.concatenate([a, b]), ("n", 3), ("m", 3)),
    row("stack", lambda a, b: topi.stack([a, b, a], 1), lambda a, b: np.stack([a, b, a], 1), ("n", 3), ("n", 3)),
    row("split", _split_sum, lambda x: np.concatenate([x[:, 3:], x[:, :3]], 1), ("n", 7)),
    row("split", lambda x: topi.split(x, 3)[1], lambda x: np.split(x, 3)[1], (6, 2), dtype="int32"),
    row(
        "strided_slice",
        lambda x: topi.strided_slice(x, [1, 4], [7, 0], [2, -1]),
        lambda x: x[1:7:2, 4:0:-1],
        (8, 5),
    ),
    row("strided_slice", lambda x: topi.strided_slice(x, [1], [-1], [2], [-1]), lambda x: x[:, 1:-1:2], (2, "m")),
    row("flip", lambda x: topi.flip(x, -1), lambda x: x[:, ::-1], (2, "m")),
    row("tile", lambda x: topi.tile(x, (2, 1, 3)), lambda x: np.tile(x, (2, 1, 3)), ("n", 3)),
    row("repeat", lambda x: topi.repeat(x, 3, 1), lambda x: np.repeat(x, 3, 1), ("n", 3)),
    row(
        "take",
        lambda x, i: topi.take(x, i, 1),
        lambda x, i: np.take(x, i, 1),
        ("n", 4),
        (2, 3),
        dtypes=("float32", "index"),
    ),
    row(
        "take",
        lambda x, i: topi.take(x, i - 2),
        lambda x, i: np.take(x, i - 2, mode="clip"),
        (1, 3),
        (5,),
        dtypes=("float64", "index"),
    ),
    row(
        "take",
        lambda x, i: topi.take(x, i - 2, 0, "wrap"),
        lambda x, i: np.take(x, i - 2, 0, mode="wrap"),
        ("n", 2),
        (5,),
        dtypes=("float32", "index"),
    ),
    row(
        "gather",
        lambda x, i: topi.gather(x, -1, i),
        lambda x, i: np.take_along_axis(x, i, -1),
        ("n", 4),
        ("n", 3),
        dtypes=("float32", "index"),
    ),
    row("gather_nd", topi.gather_nd, _fancy, (4, 4, 3), (2, 5), dtypes=("float32", "index")),
    row(
        "one_hot", lambda i: topi.one_hot(i, 1, 0, 4), lambda i: np.eye(4, dtype=np.float32)[i], ("n", 3), dtype="index"
    ),
    row(
        "one_hot",
        lambda i: topi.one_hot(i, 2, -1, 3, 0, "int8"),
        lambda i: np.where(np.arange(3)[:, None] == i, 2, -1),
        (5,),
        dtype="index",
    ),
    row("full", lambda x: topi.full_like(x, 2.5) + x, lambda x: x + 2.5, ("n", 3)),
    row("zeros", lambda x: x + topi.zeros((3,)) + topi.ones((1, 3)), lambda x: x + 1, (2, 3)),
    row("arange", lambda x: x + topi.arange(3, 13, 2), lambda x: x + np.arange(3, 13, 2), (1,)),
    row(
        "arange",
        lambda x: x * topi.arange(x.shape[0], dtype="int64"),
        lambda x: x * np.arange(len(x)),
        ("n",),
        dtype="int64",
    ),
]


LINEAR = [
    row("matmul", topi.matmul, np.matmul, ("n", 7), (7, 5)),
    row("matmul", lambda a, b: topi.matmul(a, b, True, True), lambda a, b: a.T @ b.T, (7, 3), (5, 7), dtype="float64"),
    row("matmul", topi.matmul, np.matmul, (2, 1, 3, 7), (4, 7, 5)),
    row("matmul", topi.matmul, np.matmul, (7,), (7, 5), dtype="int32"),
    row("matmul", topi.matmul, np.matmul, (2, 3, 7), (7,)),
    row("tensordot", lambda a, b: topi.tensordot(a, b, 1), lambda a, b: np.tensordot(a, b, 1), ("n", 7), (7, 5)),
    row(
        "tensordot",
        lambda a, b: topi.tensordot(a, b, ((1, 0), (0, -1))),
        lambda a, b: np.tensordot(a, b, ((1, 0), (0, 2))),
        (3, 4, 5),
        (4, 2, 3),
    ),
    *(
        row("einsum", lambda *x, f=f: topi.einsum(f, *x), lambda *x, f=f: np.einsum(f, *x), *shapes)
        for f, *shapes in (("ij,jk->ik", ("n", 7), (7, 5)), ("bij,bkj", (2, 3, 7), (2, 5, 7)), ("ii->i", (4, 4)))
    ),
    row("dense", topi.nn.dense, lambda x, w, b: x @ w.T + b, ("n", 7), (5, 7), (5,)),
    row(
        "dense",
        lambda x, w: topi.nn.dense(x, w, out_dtype="int32"),
        lambda x, w: x.astype(np.int32) @ w.T.astype(np.int32),
        (3, 33),
        (5, 33),
        dtype="int8",
    ),
    row("nn.matmul", topi.nn.matmul, lambda a, b, c: a @ b + c, ("n", 7), (7, 5), (5,)),
    row("batch_matmul", topi.nn.batch_matmul, lambda a, b: a @ b.swapaxes(1, 2), ("n", 3, 7), ("n", 5, 7)),
]
