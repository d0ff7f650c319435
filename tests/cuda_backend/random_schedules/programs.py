"""Random tensor programs with their meaning in numpy: what random schedules for a GPU are tried on.

Inputs hold small integers, so that sums in any order are exact and results can be compared for equality. A size that
the program states as a variable takes several values, for one compiled program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from tilewright import te

Array = np.ndarray
SIZES = (1, 2, 3, 4, 5, 7, 8, 8, 11, 12, 16, 16, 17)
DTYPES = ("float32", "float32", "float32", "int32", "float64", "int64", "float16", "uint8")


@dataclass(frozen=True)
class Program:
    """A program: its arguments, inputs first, and the numpy function of the inputs that gives the outputs."""

    kind: str
    args: list[te.Tensor]
    inputs: int
    sizes: list[tuple[int, ...]]
    """The extents of each call: the ones that the program states as numbers are the same in all."""
    shapes: Callable[..., list[tuple[int, ...]]]
    """The shapes of the inputs for the extents of a call."""
    reference: Callable[..., tuple[Array, ...]]

    @property
    def outputs(self) -> list[te.Tensor]:
        return self.args[self.inputs :]

    def calls(self) -> Iterator[tuple[list[Array], tuple[Array, ...]]]:
        """Yield inputs, and the outputs that they give."""
        for sizes in self.sizes:
            shapes = self.shapes(*sizes)
            inputs = [
                _array(k, shape, tensor.dtype) for k, (shape, tensor) in enumerate(zip(shapes, self.args, strict=False))
            ]
            with np.errstate(over="ignore"):
                yield inputs, self.reference(*inputs)


def _extents(
    rng: Random, count: int, symbolic: bool = True, empty: bool = False
) -> tuple[list[tuple[int, ...]], list[Any]]:
    """Return sizes for each call, and what the program states: one program in five has sizes known only when it is
    called.

    Those may be zero in a program that is `empty` then.
    """
    numbers = [rng.choice(SIZES) for _ in range(count)]
    unknown = [symbolic and rng.random() < 0.5 for _ in range(count)] if rng.random() < 0.2 else [False] * count
    shape = [te.var(f"n{k}") if u else n for k, (n, u) in enumerate(zip(numbers, unknown, strict=True))]
    ones = [1 if u else n for n, u in zip(numbers, unknown, strict=True)]
    others = [rng.choice(SIZES) if u else n for n, u in zip(numbers, unknown, strict=True)]
    none = [0 if u and empty else n for u, n in zip(unknown, others, strict=True)]
    return list(dict.fromkeys(map(tuple, (numbers, ones, others, none)))), shape


def _array(seed: int, shape: Sequence[int], dtype: str) -> Array:
    low = 0 if dtype.startswith("u") else -3
    return np.random.default_rng((seed, *shape)).integers(low, 4, tuple(shape)).astype(dtype)


def _zero(dtype: str) -> Any:
    return te.const(0, dtype)


def elementwise(rng: Random) -> Program:
    sizes, shape = _extents(rng, 2, empty=True)
    dtype = rng.choice(DTYPES)
    a, b = te.placeholder(shape, dtype, name="A"), te.placeholder((shape[1],), dtype, name="B")
    c = te.compute(shape, lambda i, j: a[i, j] * te.const(2, dtype) + b[j], name="C")
    two = np.dtype(dtype).type(2)
    return Program("elementwise", [a, b, c], 2, sizes, lambda n, m: [(n, m), (m,)], lambda a, b: (a * two + b,))


def transpose(rng: Random) -> Program:
    """Return a program that reads across, and backwards too."""
    sizes, (n, m) = _extents(rng, 2, empty=True)
    dtype, backwards = rng.choice(DTYPES), rng.random() < 0.5
    a = te.placeholder((n, m), dtype, name="A")
    c = te.compute((m, n), lambda i, j: a[n - 1 - j, i] if backwards else a[j, i], name="C")
    return Program(
        "transpose",
        [a, c],
        1,
        sizes,
        lambda *s: [s],
        lambda a: (np.ascontiguousarray((a[::-1] if backwards else a).T),),
    )


def reduction(rng: Random) -> Program:
    """Return a reduction along rows, columns or both."""
    sizes, (n, m) = _extents(rng, 2)
    dtype = rng.choice(("float32", "float32", "int32", "float64"))
    combine, collect = rng.choice([(te.sum, np.sum), (te.max, np.max), (te.min, np.min)])
    along = rng.choice(["rows", "columns", "both"])
    a = te.placeholder((n, m), dtype, name="A")
    if along == "both":
        i, j = te.reduce_axis((0, n), "ri"), te.reduce_axis((0, m), "rj")
        c = te.compute((1,), lambda _: combine(a[i, j], axis=[i, j]), name="C")
        return Program(
            "reduction of all", [a, c], 1, sizes, lambda *s: [s], lambda a: (collect(a).reshape(1).astype(dtype),)
        )
    k = te.reduce_axis((0, m if along == "rows" else n), "k")
    kept, axis = (n, 1) if along == "rows" else (m, 0)
    c = te.compute((kept,), lambda i: combine(a[i, k] if along == "rows" else a[k, i], axis=k), name="C")
    return Program(
        f"reduction along {along}", [a, c], 1, sizes, lambda *s: [s], lambda a: (collect(a, axis).astype(dtype),)
    )


def matmul(rng: Random) -> Program:
    """Return a product of operands as they are or transposed; at times something is done with the product."""
    sizes, (n, m, d) = _extents(rng, 3, empty=True)
    dtype, acc = rng.choice([("float32", "float32"), ("float32", "float32"), ("float16", "float32"), ("int8", "int32")])
    across = rng.random() < 0.3
    a, b = te.placeholder((n, d), dtype, name="A"), te.placeholder((m, d) if across else (d, m), dtype, name="B")
    k = te.reduce_axis((0, d), "k")

    def term(i: Any, j: Any) -> Any:
        left, right = a[i, k], b[j, k] if across else b[k, j]
        return left.astype(acc) * right.astype(acc) if acc != dtype else left * right

    c = te.compute((n, m), lambda i, j: te.sum(term(i, j), axis=k), name="C")

    def shapes(n: int, m: int, d: int) -> list[tuple[int, ...]]:
        return [(n, d), (m, d) if across else (d, m)]

    def product(a: Array, b: Array) -> Array:
        return a.astype(acc) @ (b.T if across else b).astype(acc)

    if rng.random() < 0.6:
        return Program("matmul", [a, b, c], 2, sizes, shapes, lambda a, b: (product(a, b),))
    e = te.compute((n, m), lambda i, j: te.max(c[i, j], _zero(acc)) + te.const(1, acc), name="E")
    zero, one = np.dtype(acc).type(0), np.dtype(acc).type(1)
    return Program("matmul+", [a, b, e], 2, sizes, shapes, lambda a, b: (np.maximum(product(a, b), zero) + one,))


def batch_matmul(rng: Random) -> Program:
    sizes, (z, n, m, d) = _extents(rng, 4, symbolic=False)
    a, b = te.placeholder((z, n, d), name="A"), te.placeholder((z, d, m), name="B")
    k = te.reduce_axis((0, d), "k")
    c = te.compute((z, n, m), lambda z, i, j: te.sum(a[z, i, k] * b[z, k, j], axis=k), name="C")
    return Program(
        "batch matmul", [a, b, c], 2, sizes, lambda z, n, m, d: [(z, n, d), (z, d, m)], lambda a, b: (a @ b,)
    )


def convolution(rng: Random) -> Program:
    channels, filters, kernel = rng.randint(1, 4), rng.randint(1, 5), rng.randint(1, 3)
    stride, pad = rng.randint(1, 2), rng.randint(0, 1)
    h, w = (rng.randint(kernel, 9) for _ in range(2))
    x = te.placeholder((channels, h, w), name="X")
    f = te.placeholder((filters, channels, kernel, kernel), name="F")

    def padded(c: Any, i: Any, j: Any) -> Any:
        inside = te.all(i >= pad, i < h + pad, j >= pad, j < w + pad)
        return te.if_then_else(inside, x[c, i - pad, j - pad], 0.0)

    p = te.compute((channels, h + 2 * pad, w + 2 * pad), padded, name="P")
    rc, ri, rj = (te.reduce_axis((0, e), n) for e, n in ((channels, "rc"), (kernel, "ri"), (kernel, "rj")))
    out = [(e + 2 * pad - kernel) // stride + 1 for e in (h, w)]
    c = te.compute(
        (filters, *out),
        lambda o, i, j: te.sum(p[rc, i * stride + ri, j * stride + rj] * f[o, rc, ri, rj], axis=[rc, ri, rj]),
        name="C",
    )

    def reference(x: Array, f: Array) -> tuple[Array]:
        p = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(p, (kernel, kernel), axis=(1, 2))[:, ::stride, ::stride]
        return (np.einsum("chwij,fcij->fhw", windows, f),)

    shapes = [(channels, h, w), (filters, channels, kernel, kernel)]
    return Program("convolution", [x, f, c], 2, [()], lambda: shapes, reference)


def planes(rng: Random) -> Program:
    """Return results along two dimensions, each a sum over two more, of which either may have no terms."""
    sizes, (n, m, p) = _extents(rng, 3, empty=True)
    count = rng.choice((2, 3, 4))
    dtype = rng.choice(("float32", "int32", "float64"))
    a = te.placeholder((count, n, m, p), dtype, name="A")
    k, q = te.reduce_axis((0, m), "k"), te.reduce_axis((0, p), "q")
    c = te.compute((count, n), lambda i, j: te.sum(a[i, j, k, q], axis=[k, q]), name="C")
    return Program("planes", [a, c], 1, sizes, lambda *s: [(count, *s)], lambda a: (a.sum((2, 3), dtype=dtype),))


def normalisation(rng: Random) -> Program:
    """Return a softmax of rows without the exponential: largest value, difference, sum, and a last pass."""
    sizes, (n, m) = _extents(rng, 2)
    a = te.placeholder((n, m), name="A")
    k, l = te.reduce_axis((0, m), "k"), te.reduce_axis((0, m), "l")  # noqa: E741
    b = te.compute((n,), lambda i: te.max(a[i, k], axis=k), name="M")
    d = te.compute((n, m), lambda i, j: a[i, j] - b[i], name="D")
    s = te.compute((n,), lambda i: te.sum(d[i, l], axis=l), name="S")
    e = te.compute((n, m), lambda i, j: d[i, j] * 2.0 + s[i], name="E")

    def reference(a: Array) -> tuple[Array]:
        d = a - a.max(1, keepdims=True)
        return (d * 2 + d.sum(1, keepdims=True),)

    return Program("normalisation", [a, e], 1, sizes, lambda *s: [s], reference)


def argmax(rng: Random) -> Program:
    sizes, (n, m) = _extents(rng, 2)
    a = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")

    def better(x: Any, y: Any) -> Any:
        first = te.any(x[1] > y[1], te.all(x[1] == y[1], x[0] < y[0]))
        return te.Select(first, x[0], y[0]), te.Select(first, x[1], y[1])

    reducer = te.comm_reducer(better, lambda index, value: (te.max_value(index), te.min_value(value)), name="argmax")
    at, value = te.compute((n,), lambda i: reducer((k.astype("int32"), a[i, k]), axis=k), name="C")
    return Program(
        "argmax", [a, at, value], 1, sizes, lambda *s: [s], lambda a: (a.argmax(1).astype(np.int32), a.max(1))
    )


def chain(rng: Random) -> Program:
    """Return three stages, the second of which looks to the side; the middle one is a result at times."""
    sizes, (n,) = _extents(rng, 1)
    shift = rng.randint(0, 2)
    a = te.placeholder((n,), name="A")
    b = te.compute((n + shift,), lambda i: te.if_then_else(i < n, a[i], 0.0) + 1, name="B")
    c = te.compute((n,), lambda i: b[i] * 2 - b[i + shift], name="C")
    d = te.compute((n,), lambda i: c[i] * c[i], name="D")
    args = [a, c, d] if rng.random() < 0.25 else [a, d]

    def reference(a: Array) -> tuple[Array, ...]:
        b = np.pad(a, (0, shift)) + 1
        c = b[: len(a)] * 2 - b[shift:]
        return (c, c * c) if len(args) == 3 else (c * c,)

    return Program("chain", args, 1, sizes, lambda n: [(n,)], reference)


PROGRAMS: tuple[Callable[[Random], Program], ...] = (
    elementwise,
    transpose,
    reduction,
    reduction,
    matmul,
    matmul,
    matmul,
    batch_matmul,
    convolution,
    convolution,
    planes,
    normalisation,
    argmax,
    chain,
)
"""Programs with a meaning of their own; `expressions` makes chains of any."""
