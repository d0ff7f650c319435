"""Calls of relay's operators, each with arrays and what numpy computes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from tilewright import relay


@dataclass(frozen=True)
class Case:
    """A call: of variables of the arrays' types, and of the arrays."""

    name: str
    make: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    expected: Callable[..., Any]

    def variables(self, prefix: str = "x") -> list[Any]:
        return [relay.var(f"{prefix}{k}", shape=a.shape, dtype=a.dtype.name) for k, a in enumerate(self.arrays)]

    def results(self) -> list[np.ndarray]:
        """Return the results of numpy."""
        with np.errstate(all="ignore"):
            found = self.expected(*self.arrays)
        return [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


_rng = np.random.default_rng(7)


def real(*shape: int) -> np.ndarray:
    return _rng.standard_normal(shape).astype(np.float32)


def positive(*shape: int) -> np.ndarray:
    return (np.abs(real(*shape)) + 0.1).astype(np.float32)


def part(*shape: int) -> np.ndarray:
    """Return numbers from -0.9 to 0.9."""
    return _rng.uniform(-0.9, 0.9, shape).astype(np.float32)


def whole(*shape: int, low: int = -7, high: int = 8, dtype: str = "int32") -> np.ndarray:
    return _rng.integers(low, high, shape).astype(dtype)


def truth(*shape: int) -> np.ndarray:
    return _rng.integers(0, 2, shape).astype(bool)


_ERF = np.vectorize(math.erf)

_UNARY: dict[str, tuple[Callable[..., np.ndarray], Callable[..., Any]]] = {
    "abs": (real, np.abs), "acos": (part, np.arccos), "acosh": (lambda *s: positive(*s) + 1, np.arccosh),
    "asin": (part, np.arcsin), "asinh": (real, np.arcsinh), "atan": (real, np.arctan), "atanh": (part, np.arctanh),
    "bitwise_not": (whole, np.invert), "ceil": (real, np.ceil), "copy": (real, lambda x: x), "cos": (real, np.cos),
    "cosh": (real, np.cosh), "erf": (real, _ERF), "exp": (real, np.exp), "floor": (real, np.floor),
    "isfinite": (real, np.isfinite), "isinf": (real, np.isinf), "isnan": (real, np.isnan), "log": (positive, np.log),
    "log10": (positive, np.log10), "log2": (positive, np.log2), "logical_not": (truth, np.logical_not),
    "negative": (real, np.negative), "reciprocal": (positive, np.reciprocal), "round": (real, np.round),
    "rsqrt": (positive, lambda x: 1 / np.sqrt(x)), "sigmoid": (real, lambda x: 1 / (1 + np.exp(-x))),
    "sign": (real, np.sign), "sin": (real, np.sin), "sinh": (real, np.sinh), "sqrt": (positive, np.sqrt),
    "tan": (part, np.tan), "tanh": (real, np.tanh), "trunc": (real, np.trunc),
    "fast_erf": (real, _ERF), "fast_exp": (real, np.exp), "fast_tanh": (real, np.tanh),
    "device_copy": (real, lambda x: x), "zeros_like": (real, np.zeros_like), "ones_like": (whole, np.ones_like),
}  # fmt: skip

_BINARY: dict[str, tuple[Callable[..., np.ndarray], Callable[..., Any]]] = {
    "add": (real, np.add), "subtract": (real, np.subtract), "multiply": (real, np.multiply),
    "divide": (positive, np.divide), "power": (positive, np.power), "maximum": (real, np.maximum),
    "minimum": (real, np.minimum), "floor_divide": (positive, np.floor_divide),
    "trunc_divide": (positive, lambda a, b: np.trunc(a / b)), "mod": (positive, np.fmod),
    "floor_mod": (positive, np.mod), "trunc_mod": (positive, np.fmod), "equal": (whole, np.equal),
    "not_equal": (whole, np.not_equal), "less": (real, np.less), "less_equal": (real, np.less_equal),
    "greater": (real, np.greater), "greater_equal": (real, np.greater_equal), "logical_and": (truth, np.logical_and),
    "logical_or": (truth, np.logical_or), "logical_xor": (truth, np.logical_xor),
    "bitwise_and": (whole, np.bitwise_and), "bitwise_or": (whole, np.bitwise_or),
    "bitwise_xor": (whole, np.bitwise_xor),
    "left_shift": (lambda *s: whole(*s, low=0, high=5), np.left_shift),
    "right_shift": (lambda *s: whole(*s, low=0, high=5), np.right_shift),
}  # fmt: skip


def _elementwise() -> list[Case]:
    cases = [Case(name, getattr(relay, name), (draw(2, 5),), ref) for name, (draw, ref) in _UNARY.items()]
    cases += [
        Case(name, getattr(relay, name), (draw(2, 3, 4), draw(3, 1)), ref) for name, (draw, ref) in _BINARY.items()
    ]
    signed = (whole(4, 5), np.where((b := whole(4, 5)) == 0, 3, b).astype("int32"))
    cases += [
        Case("floor_divide of integers", relay.floor_divide, signed, np.floor_divide),
        Case("floor_mod of integers", relay.floor_mod, signed, np.mod),
        Case("mod of integers", relay.mod, signed, np.fmod),
        Case("divide of integers", relay.divide, signed, lambda a, b: np.trunc(a / b).astype("int32")),
        Case("clip", lambda x: relay.clip(x, -0.5, 0.5), (real(3, 4),), lambda x: np.clip(x, -0.5, 0.5)),
        Case("numbers beside tensors", lambda x: 2.0 - x * 3.0 + 1.0 / x, (positive(3),), lambda x: 2 - x * 3 + 1 / x),
        Case("comparison", lambda x, y: x < y, (real(3), real(3)), np.less),
        Case("negation", lambda x: -x, (real(3),), np.negative),
        Case("einsum", lambda a, b: relay.einsum([a, b], "ij,jk->ik"), (real(3, 4), real(4, 5)), np.matmul),
        Case("shape_of", relay.shape_of, (real(3, 4, 5),), lambda x: np.array(x.shape, "int32")),
        Case("ndarray_size", relay.ndarray_size, (real(3, 4, 5),), lambda x: np.int32(x.size)),
        Case("full", lambda: relay.full(relay.const(3.5), (2, 3), "float32"), (), lambda: np.full((2, 3), 3.5)),
        Case("full_like", lambda x: relay.full_like(x, relay.const(2)), (real(2, 3),), lambda x: np.full_like(x, 2)),
        Case("zeros", lambda: relay.zeros((2, 3), "int32"), (), lambda: np.zeros((2, 3), "int32")),
        Case("ones", lambda: relay.ones((2, 3), "float32"), (), lambda: np.ones((2, 3), "float32")),
        Case("stack", lambda a, b: relay.stack([a, b], 1), (real(2, 3), real(2, 3)), lambda a, b: np.stack([a, b], 1)),
        Case(
            "concatenate",
            lambda a, b: relay.concatenate(relay.Tuple([a, b]), axis=-1),
            (real(2, 3), real(2, 5)),
            lambda a, b: np.concatenate([a, b], 1),
        ),
    ]
    return cases


def _log_sum_exp(x: np.ndarray) -> np.ndarray:
    return np.log(np.exp(x.astype(np.float64)).sum(1))


def _reductions() -> list[Case]:
    names = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min, "mean": np.mean}
    x = real(2, 3, 4)
    cases: list[Case] = []
    for name, ref in names.items():
        op = getattr(relay, name)
        cases += [
            Case(f"{name} of all", op, (x,), ref),
            Case(
                f"{name} of one, kept", lambda x, op=op: op(x, 1, True), (x,), lambda x, f=ref: f(x, 1, keepdims=True)
            ),
            Case(
                f"{name} of others", lambda x, op=op: op(x, axis=1, exclude=True), (x,), lambda x, f=ref: f(x, (0, 2))
            ),
        ]
    for name, ref in {"all": np.all, "any": np.any}.items():
        op = getattr(relay, name)
        cases.append(Case(name, lambda x, op=op: op(x, -1), (truth(4, 3),), lambda x, f=ref: f(x, -1)))
    for name, position in {"argmax": np.argmax, "argmin": np.argmin}.items():
        op = getattr(relay, name)
        cases += [
            Case(name, lambda x, op=op: op(x, 1), (x,), lambda x, f=position: f(x, 1).astype("int32")),
            Case(f"{name} of all", op, (x,), lambda x, f=position: np.int32(f(x))),
            Case(
                f"{name} of two, kept",
                lambda x, op=op: op(x, (0, 2), keepdims=True),
                (x,),
                lambda x, f=position: f(x.transpose(1, 0, 2).reshape(3, -1), 1).astype("int32").reshape(1, 3, 1),
            ),
        ]
    ties = np.array([[1, 3, 3], [2, 2, 0]], "float32")
    cases += [
        Case(
            "last of equals", lambda x: relay.argmax(x, 1, select_last_index=True), (ties,), lambda x: np.int32([2, 1])
        ),
        Case("variance", lambda x: relay.variance(x, 1), (x,), lambda x: x.var(1)),
        Case("unbiased variance", lambda x: relay.variance(x, 1, unbiased=True), (x,), lambda x: x.var(1, ddof=1)),
        Case("std", lambda x: relay.std(x, (0, 2), True), (x,), lambda x: x.std((0, 2), keepdims=True)),
        Case("mean_variance", lambda x: relay.mean_variance(x, 1), (x,), lambda x: (x.mean(1), x.var(1))),
        Case("mean_std", lambda x: relay.mean_std(x, 1), (x,), lambda x: (x.mean(1), x.std(1))),
        Case("logsumexp", lambda x: relay.logsumexp(x, 1), (x,), _log_sum_exp),
    ]
    return cases


def _scattered(x: np.ndarray, positions: np.ndarray, updates: np.ndarray, combine: Any = None) -> np.ndarray:
    result = x.copy()
    for index in np.ndindex(*positions.shape):
        at = (index[0], positions[index])
        result[at] = updates[index] if combine is None else combine(result[at], updates[index])
    return result


def _masked(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    return np.where(np.arange(x.shape[0])[:, None, None] < lengths[None, :, None], x, -1).astype(x.dtype)


def _moves() -> list[Case]:
    x, matrix = real(2, 3, 4), real(4, 6)
    positions = whole(2, 5, low=0, high=3)
    wild = np.array([-9, 0, 2, 7], "int32")
    return [
        Case(
            "strided_set",
            lambda x, v: relay.strided_set(x, v, [3, 1], [0, 6], [-1, 2]),
            (matrix, real(3, 3)),
            lambda x, v: _set(x, (slice(3, 0, -1), slice(1, 6, 2)), v),
        ),
        Case(
            "matrix_set_diag",
            lambda x, d: relay.matrix_set_diag(x, d),
            (x, real(2, 3)),
            lambda x, d: _set(x, (slice(None), range(3), range(3)), d),
        ),
        Case(
            "matrix_set_diag of several",
            lambda x, d: relay.matrix_set_diag(x, d, (-1, 1), "LEFT_RIGHT"),
            (real(3, 4), real(3, 3)),
            lambda x, d: _set(
                _set(_set(x, (range(3), range(1, 4)), d[0]), (range(3), range(3)), d[1]), ([1, 2], [0, 1]), d[2, 1:]
            ),
        ),
        Case("embedding", relay.embedding, (matrix, whole(2, 3, low=0, high=4)), lambda table, i: table[i]),
        Case("cast", lambda x: relay.cast(x, "int32"), (x * 5,), lambda x: x.astype("int32")),
        Case("astype", lambda x: x.astype("float16"), (x,), lambda x: x.astype("float16")),
        Case("cast_like", relay.cast_like, (x, whole(2)), lambda x, y: x.astype("int32")),
        Case("reinterpret", lambda x: relay.reinterpret(x, "int32"), (x,), lambda x: x.view("int32")),
        Case("expand_dims", lambda x: relay.expand_dims(x, 1, 2), (x,), lambda x: x.reshape(2, 1, 1, 3, 4)),
        Case("squeeze", relay.squeeze, (real(1, 3, 1),), np.squeeze),
        Case("squeeze of one", lambda x: relay.squeeze(x, [0]), (real(1, 3, 1),), lambda x: x[0]),
        Case("transpose", relay.transpose, (x,), np.transpose),
        Case("transpose by axes", lambda x: relay.transpose(x, (0, -1, 1)), (x,), lambda x: x.transpose(0, 2, 1)),
        Case("reshape", lambda x: relay.reshape(x, (0, -1)), (x,), lambda x: x.reshape(2, 12)),
        Case("reshape by a constant", lambda x: relay.reshape(x, relay.const([6, 4])), (x,), lambda x: x.reshape(6, 4)),
        Case("reshape -2", lambda x: relay.reshape(x, (2, -2, 1)), (x,), lambda x: x.reshape(2, 3, 4, 1)),
        Case("reshape -3", lambda x: relay.reshape(x, (-3, -2)), (x,), lambda x: x.reshape(6, 4)),
        Case("reshape -4", lambda x: relay.reshape(x, (0, 0, -4, 2, -1)), (x,), lambda x: x.reshape(2, 3, 2, 2)),
        Case("reverse_reshape", lambda x: relay.reverse_reshape(x, (-1, 0)), (x,), lambda x: x.reshape(6, 4)),
        Case("reshape_like", relay.reshape_like, (x, matrix), lambda x, y: x.reshape(y.shape)),
        Case(
            "broadcast_to", lambda x: relay.broadcast_to(x, (5, 3, 2)), (real(3, 1),), lambda x: x + np.zeros((5, 3, 2))
        ),
        Case("broadcast_to_like", relay.broadcast_to_like, (real(3, 1), real(2, 3, 4)), lambda x, y: x + 0 * y),
        Case("collapse_sum_like", relay.collapse_sum_like, (x, real(3, 1)), lambda x, y: x.sum((0, 2))[:, None]),
        Case("collapse_sum_to", lambda x: relay.collapse_sum_to(x, (4,)), (x,), lambda x: x.sum((0, 1))),
        Case(
            "arange",
            lambda: relay.arange(relay.const(1), relay.const(8), relay.const(2), "int32"),
            (),
            lambda: np.arange(1, 8, 2, "int32"),
        ),
        Case("arange to", lambda: relay.arange(4, dtype="float32"), (), lambda: np.arange(4, dtype="float32")),
        Case(
            "meshgrid",
            lambda a, b: relay.meshgrid([a, b]).astuple(),
            (real(3), real(4)),
            lambda a, b: tuple(np.meshgrid(a, b, indexing="ij")),
        ),
        Case("repeat", lambda x: relay.repeat(x, 3, 1), (x,), lambda x: np.repeat(x, 3, 1)),
        Case("tile", lambda x: relay.tile(x, (2, 1, 3)), (matrix,), lambda x: np.tile(x, (2, 1, 3))),
        Case("tile of less", lambda x: relay.tile(x, 2), (matrix,), lambda x: np.tile(x, 2)),
        Case("reverse", lambda x: relay.reverse(x, 1), (x,), lambda x: x[:, ::-1]),
        Case(
            "reverse_sequence",
            lambda x, n: relay.reverse_sequence(x, n, 1, 0),
            (x, np.int32([2, 3])),
            lambda x, n: np.stack([np.concatenate([a[:k][::-1], a[k:]]) for a, k in zip(x, n, strict=True)]),
        ),
        Case("where", relay.where, (truth(3, 1), real(3, 4), real(3, 4)), np.where),
        Case(
            "where of numbers",
            relay.where,
            (whole(3, low=0, high=2), real(3), real(3)),
            lambda c, a, b: np.where(c, a, b),
        ),
        Case("split", lambda x: relay.split(x, 2, 1).astuple(), (matrix,), lambda x: tuple(np.split(x, 2, 1))),
        Case("split at", lambda x: relay.split(x, (1, 4), -1)[1], (matrix,), lambda x: x[:, 1:4]),
        Case("strided_slice", lambda x: relay.strided_slice(x, [1, -2], [4, 6]), (matrix,), lambda x: x[1:4, -2:6]),
        Case(
            "strided_slice by steps",
            lambda x: relay.strided_slice(x, [3, 0], [0, 6], [-1, 2]),
            (matrix,),
            lambda x: x[3:0:-1, 0:6:2],
        ),
        Case(
            "strided_slice of axes", lambda x: relay.strided_slice(x, [1], [3], axes=[-1]), (x,), lambda x: x[..., 1:3]
        ),
        Case(
            "strided_slice by sizes",
            lambda x: relay.strided_slice(x, [1, 2], [2, -1], slice_mode="size"),
            (matrix,),
            lambda x: x[1:3, 2:],
        ),
        Case("slice_like", relay.slice_like, (matrix, real(2, 3)), lambda x, y: x[:2, :3]),
        Case(
            "slice_like of axes", lambda x, y: relay.slice_like(x, y, [-1]), (matrix, real(2, 3)), lambda x, y: x[:, :3]
        ),
        Case(
            "layout_transform",
            lambda x: relay.layout_transform(x, "NCHW", "NHWC"),
            (real(1, 2, 3, 4),),
            lambda x: x.transpose(0, 2, 3, 1),
        ),
        Case(
            "layout_transform to blocks",
            lambda x: relay.layout_transform(x, "NCHW", "NCHW4c"),
            (real(1, 8, 2, 3),),
            lambda x: x.reshape(1, 2, 4, 2, 3).transpose(0, 1, 3, 4, 2),
        ),
        Case("take", lambda x, i: relay.take(x, i, axis=1), (x, positions), lambda x, i: np.take(x, i, 1)),
        Case(
            "take clipped", lambda x, i: relay.take(x, i, 0), (matrix, wild), lambda x, i: np.take(x, i, 0, mode="clip")
        ),
        Case(
            "take wrapped",
            lambda x, i: relay.take(x, i, 0, mode="wrap"),
            (matrix, wild),
            lambda x, i: np.take(x, i, 0, mode="wrap"),
        ),
        Case("take of all", relay.take, (matrix, whole(3, low=0, high=24)), lambda x, i: x.reshape(-1)[i]),
        Case(
            "gather",
            lambda x, i: relay.gather(x, 1, i),
            (real(2, 3), positions),
            lambda x, i: np.take_along_axis(x, i, 1),
        ),
        Case("gather_nd", relay.gather_nd, (x, np.int32([[0, 1, 1], [2, 0, 1]])), lambda x, i: x[i[0], i[1]]),
        Case(
            "adv_index",
            lambda x, i, j: relay.adv_index([x, i, j]),
            (x, np.int32([[0], [1]]), np.int32([2, 0])),
            lambda x, i, j: x[i, j],
        ),
        Case(
            "scatter_elements",
            lambda x, i, u: relay.scatter_elements(x, i, u, 1),
            (real(2, 6), np.int32([[1, 4], [0, 5]]), real(2, 2)),
            _scattered,
        ),
        Case(
            "scatter",
            lambda x, i, u: relay.scatter(x, i, u, 1),
            (real(2, 6), np.int32([[1, 4], [0, 5]]), real(2, 2)),
            _scattered,
        ),
        Case(
            "scatter_add",
            lambda x, i, u: relay.scatter_add(x, i, u, 1),
            (real(2, 6), np.int32([[1, 1], [0, 5]]), real(2, 2)),
            lambda x, i, u: _scattered(x, i, u, np.add),
        ),
        Case(
            "scatter by maximum",
            lambda x, i, u: relay.scatter_elements(x, i, u, 1, "max"),
            (real(2, 6), np.int32([[1, 1], [0, 5]]), real(2, 2)),
            lambda x, i, u: _scattered(x, i, u, np.maximum),
        ),
        Case(
            "scatter_nd",
            relay.scatter_nd,
            (real(3, 4), np.int32([[2, 0], [1, 3]]), real(2)),
            lambda x, i, u: _put(x, i, u),
        ),
        Case(
            "sparse_to_dense",
            lambda i, v: relay.sparse_to_dense(i, (3, 4), v, 0.5),
            (np.int32([[0, 1], [2, 3]]), real(2)),
            lambda i, v: _put(np.full((3, 4), 0.5, "float32"), i.T, v),
        ),
        Case(
            "one_hot",
            lambda i: relay.one_hot(i, relay.const(2.0), relay.const(-1.0), 4, 1, "float32"),
            (positions,),
            lambda i: np.where(i[:, None, :] == np.arange(4)[:, None], 2, -1).astype("float32"),
        ),
        Case("sequence_mask", lambda x, n: relay.sequence_mask(x, n, -1.0), (x, np.int32([1, 0, 2])), _masked),
        Case(
            "unravel_index",
            lambda i: relay.unravel_index(i, relay.const([3, 4, 5])),
            (whole(6, low=0, high=60),),
            lambda i: np.stack(np.unravel_index(i, (3, 4, 5))).astype("int32"),
        ),
        Case(
            "invert_permutation",
            relay.invert_permutation,
            (np.int32([2, 0, 3, 1]),),
            lambda x: np.argsort(x).astype("int32"),
        ),
        Case("trilu", lambda x: relay.trilu(x, relay.const(1), upper=True), (matrix,), lambda x: np.triu(x, 1)),
        Case("cumsum", lambda x: relay.cumsum(x, 1), (x,), lambda x: x.cumsum(1)),
        Case(
            "cumsum of all, exclusive",
            lambda x: relay.cumsum(x, exclusive=True),
            (x,),
            lambda x: x.cumsum() - x.reshape(-1),
        ),
        Case("cumprod", lambda x: relay.cumprod(x, 2, dtype="float64"), (x,), lambda x: x.astype("float64").cumprod(2)),
        Case(
            "unique",
            lambda x: relay.unique(x, return_counts=True)[2],
            (np.int32([5, 1, 5, 2]),),
            lambda x: np.unique(x, return_inverse=True)[1].astype("int32"),
        ),
        Case("sort", lambda x: relay.sort(x, 1), (matrix,), lambda x: np.sort(x, 1)),
        Case("sort downwards", lambda x: relay.sort(x, 0, is_ascend=False), (matrix,), lambda x: -np.sort(-x, 0)),
        Case("argsort", relay.argsort, (matrix,), lambda x: np.argsort(x, -1, kind="stable").astype("int32")),
        Case(
            "topk",
            lambda x: relay.topk(x, 2),
            (matrix,),
            lambda x: (-np.sort(-x, 1)[:, :2], np.argsort(-x, 1, kind="stable")[:, :2].astype("int32")),
        ),
        Case("topk least", lambda x: relay.topk(x, 3, 0, "values", True), (matrix,), lambda x: np.sort(x, 0)[:3]),
        Case(
            "searchsorted",
            relay.searchsorted,
            (np.sort(real(9)), real(4)),
            lambda s, v: np.searchsorted(s, v).astype("int32"),
        ),
    ]


def _set(x: np.ndarray, chosen: Any, values: np.ndarray) -> np.ndarray:
    result = x.copy()
    result[chosen] = values
    return result


def _put(x: np.ndarray, positions: np.ndarray, values: np.ndarray) -> np.ndarray:
    result = x.copy()
    result[tuple(positions)] = values
    return result


def padded(x: np.ndarray, padding: Sequence[int], value: float = 0) -> np.ndarray:
    """Return an image with margins [before each axis, after each axis]."""
    rank = len(padding) // 2
    pairs = list(zip(padding[:rank], padding[rank:], strict=True))
    return np.pad(x, [(0, 0), (0, 0), *pairs], constant_values=value)


def windows(x: np.ndarray, kernel: Sequence[int], strides: Sequence[int], dilation: Sequence[int]) -> np.ndarray:
    """Return the windows of an image: [batch, channels, positions..., window...]."""
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, dilation, strict=True)]
    axes = tuple(range(2, 2 + len(kernel)))
    view = sliding_window_view(x, reach, axes)
    steps = (
        slice(None),
        slice(None),
        *(slice(None, None, s) for s in strides),
        *(slice(None, None, d) for d in dilation),
    )
    return view[steps]


def convolved(
    x: np.ndarray,
    w: np.ndarray,
    strides: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int = 1,
) -> np.ndarray:
    """Return a convolution, one group after another."""
    rank = w.ndim - 2
    parts: list[np.ndarray] = []
    images, kernels = (np.split(a, groups, axis) for a, axis in ((padded(x, padding), 1), (w, 0)))
    for image, kernel in zip(images, kernels, strict=True):
        view = windows(image, w.shape[2:], strides, dilation)
        inner = (1, *range(2 + rank, 2 + 2 * rank))
        parts.append(np.tensordot(view, kernel, (inner, tuple(range(1, 2 + rank)))))
    return np.moveaxis(np.concatenate(parts, -1), -1, 1)


def transposed(x: np.ndarray, w: np.ndarray, stride: int, padding: int, more: int = 0) -> np.ndarray:
    """Return a transposed convolution of an NCHW image, pixel by pixel."""
    batch, _, height, width = x.shape
    _, outputs, r, s = w.shape
    whole_ = np.zeros((batch, outputs, (height - 1) * stride + r + more, (width - 1) * stride + s + more))
    for i, j in np.ndindex(height, width):
        at = (slice(None), slice(None), slice(i * stride, i * stride + r), slice(j * stride, j * stride + s))
        whole_[at] += np.tensordot(x[:, :, i, j], w, (1, 0))
    end = [size - padding for size in whole_.shape[2:]]
    return whole_[:, :, padding : end[0], padding : end[1]]


def _last(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(x, 1, -1)


def _first(x: np.ndarray) -> np.ndarray:
    return np.moveaxis(x, -1, 1)


def _convolutions() -> list[Case]:
    nn = relay.nn
    x, w = real(1, 4, 9, 8), real(6, 4, 3, 3)
    one, four = (1, 1), (1, 1, 1, 1)
    odd = {"strides": (2, 1), "padding": (1, 0, 2, 1), "dilation": (1, 2)}
    return [
        Case(
            "conv2d",
            lambda x, w: nn.conv2d(x, w, channels=6, kernel_size=3),
            (x, w),
            lambda x, w: convolved(x, w, one, (0,) * 4, one),
        ),
        Case(
            "conv2d of margins",
            lambda x, w: nn.conv2d(x, w, **odd),
            (x, w),
            lambda x, w: convolved(x, w, (2, 1), (1, 0, 2, 1), (1, 2)),
        ),
        Case(
            "conv2d in groups",
            lambda x, w: nn.conv2d(x, w, padding=1, groups=2),
            (x, real(6, 2, 3, 3)),
            lambda x, w: convolved(x, w, one, four, one, 2),
        ),
        Case(
            "conv2d of each channel",
            lambda x, w: nn.conv2d(x, w, padding=(1, 1), groups=4, channels=4),
            (x, real(4, 1, 3, 3)),
            lambda x, w: convolved(x, w, one, four, one, 4),
        ),
        Case(
            "conv2d of each channel, twice",
            lambda x, w: nn.conv2d(x, w, groups=4),
            (x, real(4, 2, 3, 3)),
            lambda x, w: convolved(x, w.reshape(8, 1, 3, 3), one, (0,) * 4, one, 4),
        ),
        Case(
            "conv2d NHWC",
            lambda x, w: nn.conv2d(x, w, data_layout="NHWC", kernel_layout="HWIO", padding=1),
            (_last(x).copy(), w.transpose(2, 3, 1, 0).copy()),
            lambda x, w: _last(convolved(_first(x), w.transpose(3, 2, 0, 1), one, four, one)),
        ),
        Case(
            "conv2d NHWC of each channel",
            lambda x, w: nn.conv2d(x, w, data_layout="NHWC", kernel_layout="HWOI", groups=4),
            (_last(x).copy(), real(3, 3, 4, 1)),
            lambda x, w: _last(convolved(_first(x), w.transpose(2, 3, 0, 1), one, (0,) * 4, one, 4)),
        ),
        Case(
            "conv2d into another layout",
            lambda x, w: nn.conv2d(x, w, out_layout="NHWC"),
            (x, w),
            lambda x, w: _last(convolved(x, w, one, (0,) * 4, one)),
        ),
        Case(
            "conv2d of blocks",
            lambda x, w: nn.conv2d(x, w, data_layout="NCHW2c", padding=1),
            (real(1, 2, 5, 5, 2), w),
            lambda x, w: (
                convolved(x.transpose(0, 1, 4, 2, 3).reshape(1, 4, 5, 5), w, one, four, one)
                .reshape(1, 3, 2, 5, 5)
                .transpose(0, 1, 3, 4, 2)
            ),
        ),
        Case(
            "conv2d of bytes",
            lambda x, w: nn.conv2d(x, w, out_dtype="int32"),
            (whole(1, 4, 6, 6, dtype="int8"), whole(3, 4, 3, 3, dtype="int8")),
            lambda x, w: convolved(x.astype("int32"), w.astype("int32"), one, (0,) * 4, one),
        ),
        Case(
            "conv1d",
            lambda x, w: nn.conv1d(x, w, strides=2, padding=(1, 2), dilation=2),
            (real(2, 3, 11), real(5, 3, 3)),
            lambda x, w: convolved(x, w, (2,), (1, 2), (2,)),
        ),
        Case(
            "conv1d NWC",
            lambda x, w: nn.conv1d(x, w, data_layout="NWC", kernel_layout="WIO"),
            (real(2, 11, 3), real(3, 3, 5)),
            lambda x, w: _last(convolved(_first(x), w.transpose(2, 1, 0), (1,), (0, 0), (1,))),
        ),
        Case(
            "conv3d",
            lambda x, w: nn.conv3d(x, w, padding=(1, 0, 1), strides=(1, 2, 1)),
            (real(1, 2, 4, 6, 5), real(3, 2, 3, 2, 3)),
            lambda x, w: convolved(x, w, (1, 2, 1), (1, 0, 1) * 2, (1, 1, 1)),
        ),
        Case(
            "conv2d_transpose",
            lambda x, w: nn.conv2d_transpose(x, w, strides=2, padding=1, output_padding=1),
            (real(1, 3, 4, 5), real(3, 2, 3, 3)),
            lambda x, w: transposed(x, w, 2, 1, 1),
        ),
        Case(
            "conv2d_transpose OIHW",
            lambda x, w: nn.conv2d_transpose(x, w, kernel_layout="OIHW"),
            (real(1, 3, 4, 5), real(2, 3, 3, 3)),
            lambda x, w: transposed(x, w.transpose(1, 0, 2, 3), 1, 0),
        ),
        Case(
            "conv1d_transpose",
            lambda x, w: nn.conv1d_transpose(x, w, strides=2),
            (real(1, 3, 4), real(3, 2, 3)),
            lambda x, w: transposed(x[:, :, None].repeat(1, 2), w[:, :, None], 2, 0)[:, :, 0],
        ),
        Case(
            "conv3d_transpose",
            lambda x, w: nn.conv3d_transpose(x, w, strides=(1, 2, 2)),
            (real(1, 3, 1, 3, 3), real(3, 2, 1, 2, 2)),
            lambda x, w: transposed(x[:, :, 0], w[:, :, 0], 2, 0)[:, :, None],
        ),
    ]


def _pooled(
    x: np.ndarray,
    how: str,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    counted: bool = False,
) -> np.ndarray:
    """Return the pooled windows; a mean is taken over the elements inside, or with `counted` over all."""
    ones = (1,) * len(kernel)
    axes = tuple(range(-len(kernel), 0))
    if how == "max":
        return windows(padded(x, padding, -np.inf), kernel, strides, ones).max(axes)
    total = windows(padded(x, padding), kernel, strides, ones).sum(axes)
    inside = windows(padded(np.ones_like(x), padding, int(counted)), kernel, strides, ones).sum(axes)
    return total / np.maximum(inside, 1)


def _max_gradient(g: np.ndarray, x: np.ndarray) -> np.ndarray:
    wide = _pooled(x, "max", (2, 2), (2, 2), (0,) * 4).repeat(2, 2).repeat(2, 3)
    found = np.where(wide == x[:, :, :6], g.repeat(2, 2).repeat(2, 3), 0)
    return np.pad(found, ((0, 0), (0, 0), (0, 1), (0, 0)))


def _adapted(x: np.ndarray, sizes: Sequence[int], how: Any) -> np.ndarray:
    result = np.zeros((*x.shape[:2], *sizes))
    for position in np.ndindex(*sizes):
        parts = [slice(p * n // s, -(-(p + 1) * n // s)) for p, n, s in zip(position, x.shape[2:], sizes, strict=True)]
        result[(slice(None), slice(None), *position)] = how(
            x[(slice(None), slice(None), *parts)], tuple(range(2, x.ndim))
        )
    return result


def _pools() -> list[Case]:
    nn = relay.nn
    x, line, cube = real(1, 2, 7, 8), real(2, 3, 9), real(1, 2, 4, 5, 4)
    three, two = (3, 3), (2, 2)
    return [
        Case(
            "max_pool2d",
            lambda x: nn.max_pool2d(x, three, two, padding=1),
            (x,),
            lambda x: _pooled(x, "max", three, two, (1,) * 4),
        ),
        Case(
            "max_pool2d NHWC",
            lambda x: nn.max_pool2d(x, two, two, layout="NHWC"),
            (_last(x).copy(),),
            lambda x: _last(_pooled(_first(x), "max", two, two, (0,) * 4)),
        ),
        Case(
            "max_pool2d that hangs over",
            lambda x: nn.max_pool2d(x, three, two, ceil_mode=True),
            (x,),
            lambda x: _pooled(x, "max", three, two, (0, 0, 1, 1)),
        ),
        Case(
            "avg_pool2d",
            lambda x: nn.avg_pool2d(x, three, two, padding=(1, 1)),
            (x,),
            lambda x: _pooled(x, "avg", three, two, (1,) * 4),
        ),
        Case(
            "avg_pool2d with margins",
            lambda x: nn.avg_pool2d(x, three, padding=1, count_include_pad=True),
            (x,),
            lambda x: _pooled(x, "avg", three, (1, 1), (1,) * 4, True),
        ),
        Case("max_pool2d_grad", lambda g, x: nn.max_pool2d_grad(g, x, two, two), (real(1, 2, 3, 4), x), _max_gradient),
        Case(
            "avg_pool2d_grad",
            lambda g, x: nn.avg_pool2d_grad(g, x, two, two),
            (real(1, 2, 3, 4), x),
            lambda g, x: np.pad((g / 4).repeat(2, 2).repeat(2, 3), ((0, 0), (0, 0), (0, 1), (0, 0))),
        ),
        Case(
            "max_pool1d",
            lambda x: nn.max_pool1d(x, 3, 2, padding=(1, 1)),
            (line,),
            lambda x: _pooled(x, "max", (3,), (2,), (1, 1)),
        ),
        Case(
            "avg_pool1d",
            lambda x: nn.avg_pool1d(x, (3,), (2,)),
            (line,),
            lambda x: _pooled(x, "avg", (3,), (2,), (0, 0)),
        ),
        Case(
            "max_pool3d",
            lambda x: nn.max_pool3d(x, (2, 3, 2), (1, 2, 1)),
            (cube,),
            lambda x: _pooled(x, "max", (2, 3, 2), (1, 2, 1), (0,) * 6),
        ),
        Case(
            "avg_pool3d",
            lambda x: nn.avg_pool3d(x, (2, 2, 2), (2, 2, 2)),
            (cube,),
            lambda x: _pooled(x, "avg", (2, 2, 2), (2, 2, 2), (0,) * 6),
        ),
        *(
            Case(name, getattr(nn, name), (given,), lambda x, f=f: f(x, axis=tuple(range(2, x.ndim)), keepdims=True))
            for kind, f in (("max", np.max), ("avg", np.mean))
            for name, given in (
                (f"global_{kind}_pool1d", line),
                (f"global_{kind}_pool2d", x),
                (f"global_{kind}_pool3d", cube),
            )
        ),
        Case(
            "global_avg_pool2d NHWC",
            lambda x: nn.global_avg_pool2d(x, "NHWC"),
            (x,),
            lambda x: x.mean((1, 2), keepdims=True),
        ),
        Case(
            "adaptive_avg_pool2d",
            lambda x: nn.adaptive_avg_pool2d(x, (3, 5)),
            (x,),
            lambda x: _adapted(x, (3, 5), np.mean),
        ),
        Case(
            "adaptive_max_pool2d",
            lambda x: nn.adaptive_max_pool2d(x, (3, None)),
            (x,),
            lambda x: _adapted(x, (3, 8), np.max),
        ),
        Case(
            "adaptive_avg_pool1d", lambda x: nn.adaptive_avg_pool1d(x, 4), (line,), lambda x: _adapted(x, (4,), np.mean)
        ),
        Case(
            "adaptive_max_pool1d", lambda x: nn.adaptive_max_pool1d(x, 4), (line,), lambda x: _adapted(x, (4,), np.max)
        ),
        Case(
            "adaptive_avg_pool3d",
            lambda x: nn.adaptive_avg_pool3d(x, 2),
            (cube,),
            lambda x: _adapted(x, (2, 2, 2), np.mean),
        ),
        Case(
            "adaptive_max_pool3d",
            lambda x: nn.adaptive_max_pool3d(x, 2),
            (cube,),
            lambda x: _adapted(x, (2, 2, 2), np.max),
        ),
        Case("upsampling", lambda x: nn.upsampling(x, 2, 3), (x,), lambda x: x.repeat(2, 2).repeat(3, 3)),
        Case("upsampling NHWC", lambda x: nn.upsampling(x, 2, 2, "NHWC"), (x,), lambda x: x.repeat(2, 1).repeat(2, 2)),
        Case(
            "upsampling3d",
            lambda x: nn.upsampling3d(x, 1, 2, 2, coordinate_transformation_mode="asymmetric"),
            (cube,),
            lambda x: x.repeat(2, 3).repeat(2, 4),
        ),
    ]


def _normal(x: np.ndarray, axes: Any, epsilon: float = 1e-5) -> np.ndarray:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def _softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def _local(x: np.ndarray) -> np.ndarray:
    squares = np.pad(x * x, ((0, 0), (1, 1), (0, 0), (0, 0)))
    total = squares[:, :-2] + squares[:, 1:-1] + squares[:, 2:]
    return x / (2 + 0.3 / 3 * total) ** 0.75


def _csr() -> tuple[np.ndarray, ...]:
    return np.float32([1, 2, 3, 4]), np.int32([0, 2, 1, 3]), np.int32([0, 2, 3, 4])


_DENSE_OF_CSR = np.float32([[1, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]])


def _networks() -> list[Case]:
    nn = relay.nn
    x, rows = real(2, 4, 3, 5), real(3, 6)
    vectors = (real(4), real(4), real(4), positive(4))
    at = np.reshape
    return [
        Case("dense", lambda x, w: nn.dense(x, w, units=5), (rows, real(5, 6)), lambda x, w: x @ w.T),
        Case("dense of batches", nn.dense, (real(2, 3, 6), real(5, 6)), lambda x, w: x @ w.T),
        Case(
            "dense of bytes",
            lambda x, w: nn.dense(x, w, out_dtype="int32"),
            (whole(3, 6, dtype="int8"), whole(5, 6, dtype="int8")),
            lambda x, w: x.astype("int32") @ w.T.astype("int32"),
        ),
        Case("matmul", lambda a, b: nn.matmul(a, b, transpose_a=True), (real(6, 3), real(6, 4)), lambda a, b: a.T @ b),
        Case("batch_matmul", nn.batch_matmul, (real(2, 3, 4), real(2, 5, 4)), lambda a, b: a @ b.transpose(0, 2, 1)),
        Case(
            "batch_matmul as it is",
            lambda a, b: nn.batch_matmul(a, b, transpose_b=False),
            (real(2, 3, 4), real(1, 4, 5)),
            np.matmul,
        ),
        Case("bias_add", nn.bias_add, (x, real(4)), lambda x, b: x + b[:, None, None]),
        Case("bias_add at the end", lambda x, b: nn.bias_add(x, b, -1), (x, real(5)), np.add),
        Case("relu", nn.relu, (x,), lambda x: np.maximum(x, 0)),
        Case("leaky_relu", lambda x: nn.leaky_relu(x, 0.2), (x,), lambda x: np.where(x > 0, x, 0.2 * x)),
        Case("prelu", nn.prelu, (x, real(4)), lambda x, a: np.where(x > 0, x, a[:, None, None] * x)),
        Case("softmax", nn.softmax, (rows,), _softmax),
        Case("softmax of channels", lambda x: nn.softmax(x, axis=1), (x,), lambda x: _softmax(x, 1)),
        Case("log_softmax", nn.log_softmax, (rows,), lambda x: np.log(_softmax(x))),
        Case("dropout", nn.dropout, (rows,), lambda x: x),
        Case("dropout_raw", nn.dropout_raw, (rows,), lambda x: (x, np.ones_like(x))),
        Case(
            "batch_norm",
            lambda x, *v: nn.batch_norm(x, *v)[0],
            (x, *vectors),
            lambda x, g, b, m, v: _by_channel(x, lambda c: (c(x) - c(m)) / np.sqrt(c(v) + 1e-5) * c(g) + c(b)),
        ),
        Case(
            "batch_norm without scale",
            lambda x, *v: nn.batch_norm(x, *v, scale=False, center=False)[0],
            (x, *vectors),
            lambda x, g, b, m, v: _by_channel(x, lambda c: (c(x) - c(m)) / np.sqrt(c(v) + 1e-5)),
        ),
        Case(
            "batch_norm of the last axis",
            lambda x, *v: nn.batch_norm(x, *v, axis=-1, epsilon=0.1)[0],
            (real(2, 3, 4), *vectors),
            lambda x, g, b, m, v: (x - m) / np.sqrt(v + 0.1) * g + b,
        ),
        Case("layer_norm", nn.layer_norm, (rows, real(6), real(6)), lambda x, g, b: _normal(x, -1) * g + b),
        Case(
            "instance_norm",
            nn.instance_norm,
            (x, real(4), real(4)),
            lambda x, g, b: _normal(x, (2, 3)) * at(g, (4, 1, 1)) + at(b, (4, 1, 1)),
        ),
        Case(
            "group_norm",
            lambda x, g, b: nn.group_norm(x, g, b, 2),
            (x, real(4), real(4)),
            lambda x, g, b: _normal(x.reshape(2, 2, -1), 2).reshape(x.shape) * at(g, (4, 1, 1)) + at(b, (4, 1, 1)),
        ),
        Case("lrn", lambda x: nn.lrn(x, 3, bias=2, alpha=0.3, beta=0.75), (x,), _local),
        Case(
            "l2_normalize",
            lambda x: nn.l2_normalize(x, 1e-3, [1]),
            (x,),
            lambda x: x / np.sqrt(np.maximum((x * x).sum(1, keepdims=True), 1e-3)),
        ),
        Case("batch_flatten", nn.batch_flatten, (x,), lambda x: x.reshape(2, -1)),
        Case(
            "pad",
            lambda x: nn.pad(x, ((0, 1), (2, 0)), 3.0),
            (rows,),
            lambda x: np.pad(x, ((0, 1), (2, 0)), constant_values=3),
        ),
        Case(
            "pad by the border",
            lambda x: nn.pad(x, ((1, 1), (0, 2)), pad_mode="edge"),
            (rows,),
            lambda x: np.pad(x, ((1, 1), (0, 2)), "edge"),
        ),
        Case(
            "mirror_pad",
            lambda x: nn.mirror_pad(x, ((1, 0), (2, 2)), "REFLECT"),
            (rows,),
            lambda x: np.pad(x, ((1, 0), (2, 2)), "reflect"),
        ),
        Case("dilate", lambda x: nn.dilate(x, (2, 1), 0.5), (rows,), _dilated),
        Case(
            "fifo_buffer",
            lambda x, b: nn.fifo_buffer(x, b, 1),
            (real(2, 2), real(2, 5)),
            lambda x, b: np.concatenate([b, x], 1)[:, 2:],
        ),
        Case(
            "space_to_batch_nd",
            lambda x: nn.space_to_batch_nd(x, [2, 2], [[0, 0], [1, 0]]),
            (real(1, 4, 3, 2),),
            lambda x: (
                np.pad(x, ((0, 0), (0, 0), (1, 0), (0, 0)))
                .reshape(1, 2, 2, 2, 2, 2)
                .transpose(2, 4, 0, 1, 3, 5)
                .reshape(4, 2, 2, 2)
            ),
        ),
        Case(
            "batch_to_space_nd",
            lambda x: nn.batch_to_space_nd(x, [2, 2], [[0, 0], [1, 0]]),
            (real(4, 2, 2, 2),),
            lambda x: x.reshape(2, 2, 1, 2, 2, 2).transpose(2, 3, 0, 4, 1, 5).reshape(1, 4, 4, 2)[:, :, 1:],
        ),
        Case(
            "depth_to_space",
            lambda x: nn.depth_to_space(x, 2),
            (real(1, 8, 2, 3),),
            lambda x: x.reshape(1, 2, 2, 2, 2, 3).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 6),
        ),
        Case(
            "space_to_depth",
            lambda x: nn.space_to_depth(x, 2),
            (real(1, 2, 4, 6),),
            lambda x: x.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3),
        ),
        Case("cross_entropy", nn.cross_entropy, (positive(3, 4), part(3, 4)), lambda p, t: -(t * np.log(p)).sum() / 3),
        Case(
            "cross_entropy_with_logits",
            nn.cross_entropy_with_logits,
            (real(3, 4), part(3, 4)),
            lambda p, t: -(t * p).sum() / 3,
        ),
        *(
            Case(
                f"nll_loss by {kind}",
                lambda p, t, w, kind=kind: nn.nll_loss(p, t, w, kind, 1),
                (real(4, 3, 2), whole(4, 2, low=0, high=3), positive(3)),
                lambda p, t, w, kind=kind: _losses(p, t, w, kind),
            )
            for kind in ("none", "sum", "mean")
        ),
        Case(
            "sparse_transpose",
            lambda *csr: nn.sparse_transpose(csr).astuple(),
            (np.float32([1, 2, 3, 4]), np.int32([0, 2, 2, 1]), np.int32([0, 2, 3, 4])),
            lambda *csr: (np.float32([1, 4, 2, 3]), np.int32([0, 2, 0, 1]), np.int32([0, 1, 2, 4])),
        ),
        Case(
            "sparse_dense",
            lambda x, *csr: nn.sparse_dense(x, csr),
            (real(2, 4), *_csr()),
            lambda x, *csr: x @ _DENSE_OF_CSR.T,
        ),
    ]


def _losses(p: np.ndarray, t: np.ndarray, w: np.ndarray, kind: str) -> np.ndarray:
    share = np.where(t == 1, 0, w[t])
    losses = -np.take_along_axis(p, t[:, None], 1)[:, 0] * share
    return losses if kind == "none" else losses.sum() / (share.sum() if kind == "mean" else 1)


def _by_channel(x: np.ndarray, compute: Callable[[Callable[[np.ndarray], np.ndarray]], np.ndarray]) -> np.ndarray:
    return compute(lambda v: v if v.ndim == x.ndim else v.reshape(-1, *[1] * (x.ndim - 2)))


def _dilated(x: np.ndarray) -> np.ndarray:
    result = np.full((2 * x.shape[0] - 1, x.shape[1]), 0.5, x.dtype)
    result[::2] = x
    return result


def _linear(x: np.ndarray, size: int, axis: int, aligned: bool) -> np.ndarray:
    """Return an array whose axis has another size, interpolated between neighbours."""
    extent = x.shape[axis]
    positions = (
        np.arange(size) * (extent - 1) / (size - 1) if aligned else (np.arange(size) + 0.5) * extent / size - 0.5
    )
    low = np.floor(positions).astype(int)
    weight = (positions - low).reshape([-1 if d == axis else 1 for d in range(x.ndim)])
    first, second = (np.take(x, np.clip(at, 0, extent - 1), axis) for at in (low, low + 1))
    return first + (second - first) * weight


def _both(x: np.ndarray, sizes: Sequence[int], aligned: bool = False) -> np.ndarray:
    return _linear(_linear(x, sizes[0], 2, aligned), sizes[1], 3, aligned)


def _images() -> list[Case]:
    image = relay.image
    x = real(1, 2, 6, 5)
    boxes, numbers = np.float32([[0, 0, 1, 1], [0.2, 0.2, 0.8, 0.8]]), np.int32([0, 0])
    regions = np.float32([[0, 0, 0, 4, 4], [0, 1, 1, 3, 4]])
    rows = np.float32([[[0, 0.9, 0, 0, 2, 2], [0, 0.8, 0, 0, 2, 2.1], [1, 0.1, 3, 3, 5, 5], [0, 0.7, 3, 3, 5, 5]]])
    return [
        Case("resize2d", lambda x: image.resize2d(x, (9, 4)), (x,), lambda x: _both(x, (9, 4))),
        Case(
            "resize2d with aligned corners",
            lambda x: image.resize2d(x, (9, 4), method="bilinear", coordinate_transformation_mode="align_corners"),
            (x,),
            lambda x: _both(x, (9, 4), True),
        ),
        Case(
            "resize2d NHWC",
            lambda x: image.resize2d(x, (9, 4), layout="NHWC"),
            (_last(x).copy(),),
            lambda x: _last(_both(_first(x), (9, 4))),
        ),
        Case(
            "resize2d to the nearest",
            lambda x: image.resize2d(
                x, (12, 10), method="nearest_neighbor", coordinate_transformation_mode="asymmetric"
            ),
            (x,),
            lambda x: x.repeat(2, 2).repeat(2, 3),
        ),
        Case("resize1d", lambda x: image.resize1d(x, (7,)), (real(1, 2, 4),), lambda x: _linear(x, 7, 2, False)),
        Case(
            "resize3d",
            lambda x: image.resize3d(x, (2, 6, 5)),
            (real(1, 1, 4, 3, 5),),
            lambda x: _linear(_linear(x, 2, 2, False), 6, 3, False),
        ),
        Case(
            "crop_and_resize",
            lambda x, b, n: image.crop_and_resize(x, b, n, (6, 5), "NCHW"),
            (x, boxes[:1], numbers[:1]),
            lambda x, b, n: x,
        ),
        Case("affine_grid", lambda m: image.affine_grid(m, (3, 4)), (real(2, 2, 3),), _moved_positions),
        Case("grid_sample", lambda x, g: image.grid_sample(x, g), (x, _grid(6, 5)), lambda x, g: x),
        Case(
            "roi_pool",
            lambda x, r: relay.vision.roi_pool(x, r, (1, 1), 1.0),
            (x, regions),
            lambda x, r: np.stack([x[0, :, 0:5, 0:5].max((1, 2)), x[0, :, 1:5, 1:4].max((1, 2))])[:, :, None, None],
        ),
        Case(
            "roi_align of equal pixels",
            lambda x, r: relay.vision.roi_align(x, r, (2, 2), 1.0, 2),
            (np.full((1, 2, 6, 6), 3, "float32"), regions),
            lambda x, r: np.full((2, 2, 2, 2), 3, "float32"),
        ),
        Case("get_valid_counts", lambda x: relay.vision.get_valid_counts(x, 0.5)[0], (rows,), lambda x: np.int32([3])),
        Case(
            "non_max_suppression",
            lambda x: relay.vision.non_max_suppression(
                *_valid(x), iou_threshold=0.5, return_indices=False, invalid_to_bottom=True
            ),
            (rows,),
            lambda x: np.stack([x[0, 0], x[0, 3], np.full(6, -1), np.full(6, -1)])[None].astype("float32"),
        ),
        Case(
            "all_class_non_max_suppression",
            lambda b, s: relay.vision.all_class_non_max_suppression(b, s, 2, 0.5, 0.0)[1],
            (np.float32([[[0, 0, 1, 1], [0, 0, 1, 1.05], [3, 3, 4, 4]]]), np.float32([[[0.9, 0.8, 0.7]]])),
            lambda b, s: np.int64([2]),
        ),
    ]


def _valid(x: Any) -> tuple[Any, Any, Any]:
    count, data, positions = relay.vision.get_valid_counts(x, 0.5)
    return data, count, positions


def _grid(height: int, width: int) -> np.ndarray:
    """Return the positions of the elements themselves."""
    rows, columns = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    return np.stack([columns, rows])[None].astype(np.float32)


def _moved_positions(m: np.ndarray) -> np.ndarray:
    positions = np.concatenate([_grid(3, 4)[0].reshape(2, -1), np.ones((1, 12))])
    return (m @ positions).reshape(2, 2, 3, 4)


CASES = [*_elementwise(), *_reductions(), *_moves(), *_convolutions(), *_pools(), *_networks(), *_images()]
