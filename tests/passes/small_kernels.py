"""Small te programs of every structure that schedules tell apart, each with what numpy makes of the same inputs.

Inputs are small integers, also in floats, so that sums are exact in any order and results can be compared bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from tilewright import te
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Block, Region

Arrays = list[np.ndarray]

DTYPES = ("float32", "float64", "int32", "int8")
EXTENTS = (1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33)
"""Around the vector lengths and the tile sizes, by one less and one more."""


@dataclass(frozen=True)
class Kernel:
    """A program: its tensors, inputs first, and what it computes."""

    name: str
    tensors: tuple[te.Tensor, ...]
    compute: Callable[..., np.ndarray]
    is_exact: bool = True

    def __repr__(self) -> str:
        return f"{self.name}: {[(t.shape, str(t.dtype)) for t in self.tensors]}"

    @property
    def inputs(self) -> tuple[te.Tensor, ...]:
        return self.tensors[:-1]

    def module(self) -> ModuleOp:
        """Return @main, which calls the program as a private kernel."""
        module = te.to_module(self.tensors, "kernel")
        (kernel,) = module.ops
        assert isinstance(kernel, func.FuncOp)
        kernel.sym_visibility = StringAttr("private")
        block = Block(arg_types=kernel.function_type.inputs.data)
        call = func.CallOp(SymbolRefAttr("kernel"), block.args, kernel.function_type.outputs.data)
        block.add_ops([call, func.ReturnOp(*call.res)])
        types = kernel.function_type.inputs.data, kernel.function_type.outputs.data
        names = kernel.arg_attrs, kernel.res_attrs
        main = func.FuncOp("main", types, Region(block), arg_attrs=names[0], res_attrs=names[1])
        module.body.block.add_op(main)
        module.verify()
        return module

    def arrays(self, seed: int = 0) -> Arrays:
        rng = np.random.default_rng(seed)
        return [rng.integers(-3, 4, t.shape).astype(str(t.dtype)) for t in self.inputs]

    def expected(self, arrays: Sequence[np.ndarray]) -> np.ndarray:
        with np.errstate(all="ignore"):
            result = self.compute(*arrays)
        return np.asarray(result).astype(str(self.tensors[-1].dtype))

    def check(self, actual: Any, expected: np.ndarray, what: str) -> None:
        if self.is_exact:
            np.testing.assert_array_equal(actual, expected, err_msg=f"{what} of {self}")
        else:
            np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6, err_msg=f"{what} of {self}")


def matmul(m: int, n: int, k: int, dtype: str, *, transposed: bool, epilogue: bool) -> Kernel:
    """Return A @ B, B by rows or by columns, and with an epilogue max(· + bias, 0)."""
    a = te.placeholder((m, k), dtype, name="A")
    b = te.placeholder((n, k) if transposed else (k, n), dtype, name="B")
    d = te.placeholder((n,), dtype, name="D")
    r = te.reduce_axis((0, k), "r")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * (b[j, r] if transposed else b[r, j]), axis=r), name="C")
    e = te.compute((m, n), lambda i, j: te.maximum(c[i, j] + d[j], te.const(0, dtype)), name="E")

    def compute(x: np.ndarray, y: np.ndarray, *bias: np.ndarray) -> np.ndarray:
        product = x @ (y.T if transposed else y)
        return np.maximum(product + bias[0], 0) if bias else product

    return Kernel("matmul", (a, b, d, e) if epilogue else (a, b, c), compute)


def conv(
    channels: int, filters: int, size: int, window: int, stride: int, dilation: int, groups: int, pad: int, dtype: str
) -> Kernel:
    """Return a grouped convolution of an image with zeros around it; `channels` and `filters` are those of a group."""
    span = (window - 1) * dilation + 1
    out = (size + 2 * pad - span) // stride + 1
    x = te.placeholder((groups * channels, size, size), dtype, name="X")
    w = te.placeholder((groups * filters, channels, window, window), dtype, name="W")
    zero = te.const(0, dtype)
    inside = size + pad
    p = te.compute(
        (groups * channels, size + 2 * pad, size + 2 * pad),
        lambda c, i, j: te.if_then_else(
            te.all(i >= pad, i < inside, j >= pad, j < inside), x[c, i - pad, j - pad], zero
        ),
        name="P",
    )
    image = p if pad else x
    rc, ri, rj = (te.reduce_axis((0, n), name) for n, name in ((channels, "rc"), (window, "ri"), (window, "rj")))
    y = te.compute(
        (groups * filters, out, out),
        lambda f, i, j: te.sum(
            image[f // filters * channels + rc, i * stride + ri * dilation, j * stride + rj * dilation]
            * w[f, rc, ri, rj],
            axis=[rc, ri, rj],
        ),
        name="Y",
    )

    def compute(image: np.ndarray, weights: np.ndarray) -> np.ndarray:
        padded = np.pad(image, ((0, 0), (pad, pad), (pad, pad)))
        result = np.zeros((groups * filters, out, out), image.dtype)
        for f, c, i, j in np.ndindex(groups * filters, channels, window, window):
            rows = slice(i * dilation, i * dilation + (out - 1) * stride + 1, stride)
            columns = slice(j * dilation, j * dilation + (out - 1) * stride + 1, stride)
            result[f] += padded[f // filters * channels + c, rows, columns] * weights[f, c, i, j]
        return result

    return Kernel("conv", (x, w, y), compute)


def pool(channels: int, size: int, window: int, stride: int, pad: int, kind: str, dtype: str) -> Kernel:
    """Return the largest elements or the sums of windows that may reach beyond the image."""
    out = (size + 2 * pad - window) // stride + 1
    x = te.placeholder((channels, size, size), dtype, name="X")
    outside = te.min_value(dtype) if kind == "max" else te.const(0, dtype)
    ri, rj = te.reduce_axis((0, window), "ri"), te.reduce_axis((0, window), "rj")

    def element(c: te.Expr, i: te.Expr, j: te.Expr) -> te.Expr:
        inside = te.all(i >= pad, i < size + pad, j >= pad, j < size + pad)
        return te.if_then_else(inside, x[c, i - pad, j - pad], outside)

    combine = te.max if kind == "max" else te.sum
    y = te.compute(
        (channels, out, out),
        lambda c, i, j: combine(element(c, i * stride + ri, j * stride + rj), axis=[ri, rj]),
        name="Y",
    )

    def compute(image: np.ndarray) -> np.ndarray:
        least = (np.finfo if image.dtype.kind == "f" else np.iinfo)(image.dtype).min
        fill = least if kind == "max" else 0
        padded = np.pad(image, ((0, 0), (pad, pad), (pad, pad)), constant_values=fill)
        windows = np.lib.stride_tricks.sliding_window_view(padded, (window, window), (1, 2))[:, ::stride, ::stride]
        return windows.max((-2, -1)) if kind == "max" else windows.sum((-2, -1), dtype=image.dtype)

    return Kernel(f"{kind} pool", (x, y), compute)


def reduction(shape: tuple[int, int, int], axis: int, kind: str, dtype: str) -> Kernel:
    """Return a sum, maximum or minimum over one of three axes."""
    x = te.placeholder(shape, dtype, name="X")
    r = te.reduce_axis((0, shape[axis]), "r")
    kept = [n for d, n in enumerate(shape) if d != axis]
    combine = {"sum": te.sum, "max": te.max, "min": te.min}[kind]

    def element(i: te.Expr, j: te.Expr) -> te.Expr:
        index = [i, j]
        index.insert(axis, r)
        return x[tuple(index)]

    y = te.compute(kept, lambda i, j: combine(element(i, j), axis=r), name="Y")
    numpy = {"sum": np.sum, "max": np.max, "min": np.min}[kind]
    return Kernel(f"{kind} over axis {axis}", (x, y), lambda a: numpy(a, axis=axis).astype(a.dtype))


def chain(n: int, m: int, dtype: str) -> Kernel:
    """Return elementwise work on a matrix, a row and a column, one result twice used."""
    x = te.placeholder((n, m), dtype, name="X")
    row, column = te.placeholder((m,), dtype, name="R"), te.placeholder((n,), dtype, name="Q")
    a = te.compute((n, m), lambda i, j: x[i, j] * row[j] + column[i], name="A")
    b = te.compute((n, m), lambda i, j: te.maximum(a[i, j], te.const(0, dtype)), name="B")
    c = te.compute((n, m), lambda i, j: b[i, j] * a[i, j] - x[i, j], name="C")

    def compute(x: np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        inner = x * row + column[:, None]
        return np.maximum(inner, 0) * inner - x

    return Kernel("chain", (x, row, column, c), compute)


def moves(n: int, m: int, dtype: str) -> Kernel:
    """Return data movement alone: a transpose, a reversal, and every other column of it twice."""
    x = te.placeholder((n, m), dtype, name="X")
    t = te.compute((m, n), lambda i, j: x[j, i], name="T")
    f = te.compute((m, n), lambda i, j: t[m - 1 - i, j], name="F")
    y = te.compute((m, 2 * n), lambda i, j: f[i, j // 2], name="Y")
    return Kernel("moves", (x, y), lambda x: np.repeat(x.T[::-1], 2, axis=1))


def softmax(n: int, m: int, dtype: str) -> Kernel:
    """Return rows of exp(x - max) over their sum: reductions whose results are read along the row again."""
    x = te.placeholder((n, m), dtype, name="X")
    k, r = te.reduce_axis((0, m), "k"), te.reduce_axis((0, m), "r")
    top = te.compute((n,), lambda i: te.max(x[i, k], axis=k), name="M")
    e = te.compute((n, m), lambda i, j: te.exp(x[i, j] - top[i]), name="E")
    total = te.compute((n,), lambda i: te.sum(e[i, r], axis=r), name="S")
    y = te.compute((n, m), lambda i, j: e[i, j] / total[i], name="Y")

    def compute(x: np.ndarray) -> np.ndarray:
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    return Kernel("softmax", (x, y), compute, is_exact=False)


_extent = st.sampled_from(EXTENTS)
_small = st.sampled_from((1, 2, 3, 5, 7, 8, 9))
_dtype = st.sampled_from(DTYPES)
_float = st.sampled_from(("float32", "float64"))

CONTRACTIONS = st.one_of(
    st.builds(matmul, _extent, _extent, _small, _dtype, transposed=st.booleans(), epilogue=st.booleans()),
    st.builds(
        conv,
        st.integers(1, 3),
        st.sampled_from((1, 2, 5)),
        st.sampled_from((7, 9, 12)),
        st.integers(1, 3),
        st.integers(1, 2),
        st.integers(1, 2),
        st.integers(1, 2),
        st.integers(0, 1),
        _dtype,
    ),
    st.builds(
        pool,
        st.integers(1, 3),
        st.sampled_from((4, 8, 9, 17)),
        st.integers(1, 3),
        st.integers(1, 2),
        st.integers(0, 1),
        st.sampled_from(("max", "sum")),
        _dtype,
    ),
)
REDUCTIONS = st.builds(
    reduction, st.tuples(_small, _small, _extent), st.integers(0, 2), st.sampled_from(("sum", "max", "min")), _dtype
)
POINTWISE = st.one_of(
    st.builds(chain, _small, _extent, _dtype),
    st.builds(moves, _small, _extent, _dtype),
    st.builds(softmax, _small, _extent, _float),
)
KERNELS = st.one_of(CONTRACTIONS, REDUCTIONS, POINTWISE)
