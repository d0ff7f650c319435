"""The effect of each scheduling primitive, as the difference of the loops before and after it.

A schedule never changes the results: after every step the program is built and compared with numpy.

    python examples/what_primitives_do.py
"""

from __future__ import annotations

import difflib
from collections.abc import Callable

import numpy as np
import tilewright as tvm
from tilewright import te


def product() -> tuple[te.Tensor, te.Tensor, te.Tensor]:
    """Compute C = A * B element by element, of any size."""
    n, m = te.var("n"), te.var("m")
    a, b = te.placeholder((n, m), name="A"), te.placeholder((n, m), name="B")
    return a, b, te.compute((n, m), lambda i, j: a[i, j] * b[i, j], name="C")


def split(stage: te.Stage, i: te.Axis, j: te.Axis) -> None:
    stage.split(i, factor=32)


def parallel(stage: te.Stage, i: te.Axis, j: te.Axis) -> None:
    stage.parallel(i)


def tile(stage: te.Stage, i: te.Axis, j: te.Axis) -> None:
    stage.tile(i, j, x_factor=16, y_factor=8)


def tile_and_reorder(stage: te.Stage, i: te.Axis, j: te.Axis) -> None:
    xo, yo, xi, yi = stage.tile(i, j, x_factor=16, y_factor=8)
    stage.reorder(yo, yi, xo, xi)


def fuse(stage: te.Stage, i: te.Axis, j: te.Axis) -> None:
    stage.fuse(i, j)


def vectorize(stage: te.Stage, i: te.Axis, j: te.Axis) -> None:
    _, inner = stage.split(j, factor=8)
    stage.vectorize(inner)


def show_elementwise() -> None:
    steps: list[Callable[[te.Stage, te.Axis, te.Axis], None]]
    steps = [split, parallel, tile, tile_and_reorder, fuse, vectorize]
    a, b, c = product()
    plain = text(te.create_schedule(c.op), [a, b, c])
    x, y = (np.random.default_rng(k).standard_normal((37, 21), dtype=np.float32) for k in range(2))
    for step in steps:
        a, b, c = product()
        s = te.create_schedule(c.op)
        step(s[c], *c.op.axis)
        show(step.__name__, plain, text(s, [a, b, c]))
        np.testing.assert_array_equal(tvm.build(s, [a, b, c])(x, y), x * y)


def show_placement() -> None:
    """Show two computes one after the other, then the first inside the loop of the second, then no first at all."""

    def chain() -> tuple[te.Tensor, te.Tensor, te.Tensor]:
        n = te.var("n")
        a = te.placeholder((n,), name="A")
        b = te.compute((n,), lambda i: a[i] + 1, name="B")
        return a, b, te.compute((n,), lambda i: b[i] * 2, name="C")

    a, b, c = chain()
    separate = text(te.create_schedule(c.op), [a, c])
    x = np.arange(100, dtype=np.float32)
    for name in ("compute_at", "compute_inline"):
        a, b, c = chain()
        s = te.create_schedule(c.op)
        if name == "compute_at":
            s[b].compute_at(s[c], c.op.axis[0])
        else:
            s[b].compute_inline()
        show(name, separate, text(s, [a, c]))
        np.testing.assert_array_equal(tvm.build(s, [a, c])(x), (x + 1) * 2)


def show_reduction() -> None:
    """Show a sum over rows: the reduce axis is split like any other, and its parts become results of their own."""
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")
    b = te.compute((n,), lambda i: te.sum(a[i, k], axis=k), name="B")
    s = te.create_schedule(b.op)
    plain = text(s, [a, b])
    _, ki = s[b].split(b.op.reduce_axis[0], factor=8)
    s.rfactor(b, ki)
    show("rfactor", plain, text(s, [a, b]))
    x = np.random.default_rng(0).integers(-9, 9, (13, 29)).astype(np.float32)
    np.testing.assert_array_equal(tvm.build(s, [a, b])(x), x.sum(axis=1))


def text(schedule: te.Schedule, args: list[te.Tensor]) -> str:
    return str(tvm.lower(schedule, args, simple_mode=True))


def show(name: str, before: str, after: str) -> None:
    print(f"\n{name}\n{'=' * len(name)}")
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    print("\n".join(line for line in lines if not line.startswith(("---", "+++", "@@"))))


if __name__ == "__main__":
    show_elementwise()
    show_placement()
    show_reduction()
