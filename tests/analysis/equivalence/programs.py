"""Programs that schedules are tried on, static and of symbolic sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tilewright as tvm
from tilewright import te
from tilewright.schedule import Schedule
from xdsl.dialects.func import FuncOp


def size(is_symbolic: bool, name: str, value: int) -> Any:
    """Return a size that is known when the program is called, or a constant."""
    return te.var(name) if is_symbolic else value


def dense_relu(is_symbolic: bool) -> Schedule:
    """Schedule max(A B + bias, 0)."""
    n, m, k = (size(is_symbolic, name, value) for name, value in (("n", 64), ("m", 48), ("k", 32)))
    a, b = te.placeholder((n, k), name="A"), te.placeholder((k, m), name="B")
    bias = te.placeholder((m,), name="bias")
    r = te.reduce_axis((0, k), "r")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    d = te.compute((n, m), lambda i, j: c[i, j] + bias[j], name="D")
    e = te.compute((n, m), lambda i, j: te.max(d[i, j], 0.0), name="E")
    return schedule([a, b, bias, e])


def padded_convolution(is_symbolic: bool) -> Schedule:
    """Return a 3x3 convolution of an image with a border of zeros."""
    n = size(is_symbolic, "n", 16)
    x, w = te.placeholder((n, n), name="X"), te.placeholder((3, 3), name="W")

    def padded(i: Any, j: Any) -> Any:
        inside = te.all(i >= 1, i < n + 1, j >= 1, j < n + 1)
        return te.if_then_else(inside, x[i - 1, j - 1], 0.0)

    p = te.compute((n + 2, n + 2), padded, name="P")
    u, v = te.reduce_axis((0, 3), "u"), te.reduce_axis((0, 3), "v")
    c = te.compute((n, n), lambda i, j: te.sum(p[i + u, j + v] * w[u, v], axis=[u, v]), name="C")
    return schedule([x, w, c])


def softmax_chain(is_symbolic: bool) -> Schedule:
    """Schedule exp(x - max) / sum of exp(x - max), in rows."""
    n, m = size(is_symbolic, "n", 64), size(is_symbolic, "m", 48)
    x = te.placeholder((n, m), name="X")
    k, r = te.reduce_axis((0, m), "k"), te.reduce_axis((0, m), "r")
    largest = te.compute((n,), lambda i: te.max(x[i, k], axis=k), name="M")
    e = te.compute((n, m), lambda i, j: te.exp(x[i, j] - largest[i]), name="E")
    total = te.compute((n,), lambda i: te.sum(e[i, r], axis=r), name="S")
    y = te.compute((n, m), lambda i, j: e[i, j] / total[i], name="Y")
    return schedule([x, y])


def stencil(is_symbolic: bool) -> Schedule:
    """Return sums and then products of neighbours on rings of 8."""
    n = size(is_symbolic, "n", 16)
    x = te.placeholder((n, 8), name="X")
    a = te.compute((n, 8), lambda i, j: x[i, j] + x[i, (j + 1) % 8], name="A")
    b = te.compute((n, 8), lambda i, j: a[i, j] * a[i, (j + 7) % 8], name="B")
    return schedule([x, b])


def transposition(is_symbolic: bool) -> Schedule:
    """Return twice a matrix, rows as columns."""
    n, m = size(is_symbolic, "n", 64), size(is_symbolic, "m", 48)
    x = te.placeholder((n, m), name="X")
    t = te.compute((m, n), lambda i, j: x[j, i], name="T")
    y = te.compute((m, n), lambda i, j: t[i, j] + t[i, j], name="Y")
    return schedule([x, y])


def schedule(arguments: list[Any]) -> Schedule:
    return Schedule(tvm.IRModule({"main": te.create_prim_func(arguments)}))


PROGRAMS: dict[str, Callable[[bool], Schedule]] = {
    "dense_relu": dense_relu,
    "padded_convolution": padded_convolution,
    "softmax_chain": softmax_chain,
    "stencil": stencil,
    "transposition": transposition,
}


def function_of(s: Schedule) -> FuncOp:
    """Return a copy of the function of a schedule as it is."""
    return s.func.clone()
