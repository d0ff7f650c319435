"""Random tensor programs with their meaning in numpy: what random schedules are tried on.

Inputs hold small integers, so that sums in any order are exact and results can be compared for equality. A size that
the program states as a variable takes several values, for one compiled function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from tilewright import te

from .choices import Choices, Drawn, pick

Array = np.ndarray
SIZES = (1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 16, 17)


@dataclass(frozen=True, repr=False)
class Computation:
    """A program: its arguments, inputs first, and the numpy function of the inputs that gives the outputs."""

    kind: str
    args: list[te.Tensor]
    sizes: list[tuple[int, ...]]
    """The extents of each call: the ones that the program states as numbers are the same in all."""

    shapes: Callable[..., list[tuple[int, ...]]]
    """The shapes of the inputs for the extents of a call."""

    reference: Callable[..., tuple[Array, ...]]

    def __repr__(self) -> str:
        return f"{self.kind} of {', '.join(map(repr, self.args))}, sizes {self.sizes}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis would print the fields, which share expressions

    def calls(self) -> Iterator[tuple[list[Array], tuple[Array, ...]]]:
        """Yield inputs, and the outputs that they give."""
        for sizes in self.sizes:
            inputs = [_array(k, shape) for k, shape in enumerate(self.shapes(*sizes))]
            yield inputs, self.reference(*inputs)


def extents(choices: Choices, count: int) -> tuple[list[tuple[int, ...]], list[int | te.Var]]:
    """Return sizes for each call, and what the program states: one in three is known only when the program is called.

    What is known then is 0 in some call, and 1 in another.
    """
    numbers = [pick(choices, SIZES) for _ in range(count)]
    symbolic = [choices.between(0, 2) == 0 for _ in range(count)]
    shape = [te.var(f"n{k}") if s else n for k, (n, s) in enumerate(zip(numbers, symbolic, strict=True))]
    calls = [[k if s else n for n, s in zip(numbers, symbolic, strict=True)] for k in (0, 1)]
    for _ in range(2):
        calls.append([pick(choices, (0, 1, *SIZES)) if s else n for n, s in zip(numbers, symbolic, strict=True)])
    return list(dict.fromkeys(map(tuple, (numbers, *calls)))), shape


def _array(seed: int, shape: Sequence[int]) -> Array:
    return np.random.default_rng((seed, *shape)).integers(-4, 5, tuple(shape)).astype(np.float32)


def elementwise(choices: Choices) -> Computation:
    sizes, shape = extents(choices, 2)
    a, b = te.placeholder(shape, name="A"), te.placeholder((shape[1],), name="B")
    c = te.compute(shape, lambda i, j: a[i, j] * 2 + b[j], name="C")
    return Computation("elementwise", [a, b, c], sizes, lambda n, m: [(n, m), (m,)], lambda a, b: (a * 2 + b,))


def stencil(choices: Choices) -> Computation:
    sizes, shape = extents(choices, 2)
    a = te.placeholder(shape, name="A")
    rows, columns = shape

    def padded(i, j):
        inside = te.all(i >= 1, i < rows + 1, j >= 1, j < columns + 1)
        return te.if_then_else(inside, a[i - 1, j - 1], 0.0)

    p = te.compute((rows + 2, columns + 2), padded, name="P")
    c = te.compute(shape, lambda i, j: p[i, j + 1] + p[i + 2, j + 1] + p[i + 1, j] - p[i + 1, j + 2], name="C")

    def reference(a: Array) -> tuple[Array]:
        p = np.pad(a, 1)
        return (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] - p[1:-1, 2:],)

    return Computation("stencil", [a, c], sizes, lambda *shape: [shape], reference)


def matmul(choices: Choices) -> Computation:
    sizes, (rows, columns, depth) = extents(choices, 3)
    a, b = te.placeholder((rows, depth), name="A"), te.placeholder((depth, columns), name="B")
    k = te.reduce_axis((0, depth), "k")
    c = te.compute((rows, columns), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")

    def shapes(n: int, m: int, d: int) -> list[tuple[int, ...]]:
        return [(n, d), (d, m)]

    if choices.between(0, 1):
        return Computation("matmul", [a, b, c], sizes, shapes, lambda a, b: (a @ b,))
    e = te.compute((rows, columns), lambda i, j: te.max(c[i, j], 0.0), name="E")
    return Computation("matmul", [a, b, e], sizes, shapes, lambda a, b: (np.maximum(a @ b, 0),))


def convolution(choices: Choices) -> Computation:
    channels, filters, kernel = choices.between(1, 3), choices.between(1, 4), choices.between(1, 3)
    stride, pad = choices.between(1, 2), choices.between(0, 1)
    h, w = (choices.between(kernel, 9) for _ in range(2))
    x = te.placeholder((channels, h, w), name="X")
    f = te.placeholder((filters, channels, kernel, kernel), name="F")

    def padded(c, i, j):
        inside = te.all(i >= pad, i < h + pad, j >= pad, j < w + pad)
        return te.if_then_else(inside, x[c, i - pad, j - pad], 0.0)

    p = te.compute((channels, h + 2 * pad, w + 2 * pad), padded, name="P")
    rc, ri, rj = (te.reduce_axis((0, e), n) for e, n in ((channels, "rc"), (kernel, "ri"), (kernel, "rj")))
    out = [(e + 2 * pad - kernel) // stride + 1 for e in (h, w)]

    def window(o, i, j):
        return te.sum(p[rc, i * stride + ri, j * stride + rj] * f[o, rc, ri, rj], axis=[rc, ri, rj])

    c = te.compute((filters, *out), window, name="C")

    def reference(x: Array, f: Array) -> tuple[Array]:
        p = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(p, (kernel, kernel), axis=(1, 2))[:, ::stride, ::stride]
        return (np.einsum("chwij,fcij->fhw", windows, f),)

    shapes = [(channels, h, w), (filters, channels, kernel, kernel)]
    return Computation("convolution", [x, f, c], [()], lambda: shapes, reference)


def reduction(choices: Choices) -> Computation:
    """Return a reduction along rows or columns; the largest value too."""
    sizes, (rows, columns) = extents(choices, 2)
    a = te.placeholder((rows, columns), name="A")
    along_rows, largest = choices.between(0, 1) == 1, choices.between(0, 1) == 1
    k = te.reduce_axis((0, columns if along_rows else rows), "k")
    combine = te.max if largest else te.sum
    kept = rows if along_rows else columns
    c = te.compute((kept,), lambda i: combine(a[i, k] if along_rows else a[k, i], axis=k), name="C")

    def collect(a: Array, axis: int) -> Array:
        return np.max(a, axis=axis, initial=-np.inf) if largest else np.sum(a, axis=axis)

    kind = "row reduction" if along_rows else "column reduction"
    axis = 1 if along_rows else 0
    return Computation(kind, [a, c], sizes, lambda *shape: [shape], lambda a: (collect(a, axis=axis),))


def argmax(choices: Choices) -> Computation:
    sizes, (rows, columns) = extents(choices, 2)
    a = te.placeholder((rows, columns), name="A")
    k = te.reduce_axis((0, columns), "k")

    def better(x, y):
        first = te.any(x[1] > y[1], te.all(x[1] == y[1], x[0] < y[0]))
        return te.Select(first, x[0], y[0]), te.Select(first, x[1], y[1])

    reducer = te.comm_reducer(better, lambda index, value: (te.max_value(index), te.min_value(value)), name="argmax")
    at, value = te.compute((rows,), lambda i: reducer((k.astype("int32"), a[i, k]), axis=k), name="C")

    def reference(a: Array) -> tuple[Array, Array]:
        if a.shape[1] == 0:
            least = np.finfo(np.float32).min
            return np.full(len(a), np.iinfo(np.int32).max, np.int32), np.full(len(a), least, np.float32)
        return a.argmax(axis=1).astype(np.int32), a.max(axis=1)

    return Computation("argmax", [a, at, value], sizes, lambda *shape: [shape], reference)


ORDERED: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "difference": (lambda x, y: x - y, np.subtract),
    "later": (lambda x, y: te.Select(y != 0, y, x), lambda x, y: np.where(y != 0, y, x)),
    "halved sum": (lambda x, y: x * 0.5 + y, lambda x, y: x * np.float32(0.5) + y),
    "bounded sum": (lambda x, y: te.minimum(x + y, 4.0), lambda x, y: np.minimum(x + y, np.float32(4))),
}
"""Combiners whose terms have an order, in te and in numpy."""


def ordered_reduction(choices: Choices) -> Computation:
    """Return rows or columns combined by a function that breaks a law of reducers: no schedule may change the order."""
    sizes, (rows, columns) = extents(choices, 2)
    a = te.placeholder((rows, columns), name="A")
    along_rows, name = choices.between(0, 1) == 1, pick(choices, tuple(ORDERED))
    combine, reference = ORDERED[name]
    reducer = te.comm_reducer(combine, lambda dtype: te.const(0, dtype), name="ordered")
    k = te.reduce_axis((0, columns if along_rows else rows), "k")
    kept = rows if along_rows else columns
    c = te.compute((kept,), lambda i: reducer(a[i, k] if along_rows else a[k, i], axis=k), name="C")

    def fold(a: Array) -> tuple[Array]:
        terms = a.T if along_rows else a
        found = np.zeros(terms.shape[1], np.float32)
        for term in terms:
            found = reference(found, term)
        return (found,)

    return Computation(f"{name} along {'rows' if along_rows else 'columns'}", [a, c], sizes, lambda *s: [s], fold)


def chain(choices: Choices) -> Computation:
    """Return three stages, the second of which looks to the side."""
    sizes, (size,) = extents(choices, 1)
    shift = choices.between(0, 2)
    a = te.placeholder((size,), name="A")
    b = te.compute((size + shift,), lambda i: te.if_then_else(i < size, a[i], 0.0) + 1, name="B")
    c = te.compute((size,), lambda i: b[i] * 2 - b[i + shift], name="C")
    d = te.compute((size,), lambda i: c[i] * c[i], name="D")
    args = [a, c, d] if choices.between(0, 3) == 0 else [a, d]

    def reference(a: Array) -> tuple[Array, ...]:
        b = np.pad(a, (0, shift)) + 1
        c = b[: len(a)] * 2 - b[shift:]
        return (c, c * c) if len(args) == 3 else (c * c,)

    return Computation("chain", args, sizes, lambda n: [(n,)], reference)


def split_sums(choices: Choices) -> Computation:
    """Return sums over two axes from a start of their own, and what stands between them."""
    sizes, (rows, columns, depth) = extents(choices, 3)
    a = te.placeholder((rows, columns, depth), name="A")
    k, l = te.reduce_axis((0, columns), "k"), te.reduce_axis((0, depth), "l")  # noqa: E741
    s = te.compute((rows,), lambda i: te.sum(a[i, k, l], axis=[k, l]), name="S")
    m = te.reduce_axis((0, depth), "m")
    q = te.compute((rows, columns), lambda i, j: te.sum(a[i, j, m], axis=m), name="Q")
    p = te.compute((rows, columns), lambda i, j: q[i, j] - s[rows - 1 - i], name="P")

    def reference(a: Array) -> tuple[Array]:
        return (a.sum(2) - a.sum((1, 2))[::-1, None],)

    return Computation("split sums", [a, p], sizes, lambda *shape: [shape], reference)


MAKERS = (elementwise, stencil, matmul, convolution, reduction, argmax, ordered_reduction, chain, split_sums)


def computation(choices: Choices) -> Computation:
    """Return one of the programs above."""
    return pick(choices, MAKERS)(choices)


COMPUTATIONS = st.composite(lambda draw: computation(Drawn(draw)))()
