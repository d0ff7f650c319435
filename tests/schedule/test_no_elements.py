"""Tensors without elements: programs compile, sums over nothing are zeros, and loops without iterations fuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te, topi

Shapes = tuple[tuple[int, ...], ...]
PROGRAMS: dict[str, tuple[Callable[..., te.Tensor], Callable[..., Any], list[Shapes]]] = {
    "matmul": (
        topi.matmul,
        np.matmul,
        [((m, k), (k, n)) for m, k, n in [(4, 0, 32), (4, 3, 0), (0, 3, 32), (128, 0, 128), (128, 128, 0), (0, 0, 0)]],
    ),
    "sum of rows": (lambda x: topi.sum(x, axis=1), lambda x: x.sum(1), [((0, 5),), ((5, 0),), ((64, 0),), ((0, 64),)]),
    "sum of columns": (lambda x: topi.sum(x, axis=0), lambda x: x.sum(0), [((0, 5),), ((5, 0),), ((0, 64),)]),
    "sum": (topi.sum, np.sum, [((0, 5),), ((64, 0),)]),
    "exp": (topi.exp, np.exp, [((0,),), ((0, 64),), ((64, 0),)]),
    "transpose": (lambda x: topi.transpose(x, (1, 0)), np.transpose, [((0, 64),), ((64, 0),)]),
}
CASES = [(name, shapes) for name, (_, _, all_shapes) in PROGRAMS.items() for shapes in all_shapes]


TARGETS: dict[str, dict[str, Any]] = {
    "one thread": {"threads": 1},
    "two threads": {"threads": 2},
    "cuda": {"target": "cuda", "device": "simulator", "copy": True},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("name", "shapes"), CASES)
def test_programs_by_default_schedules(name: str, shapes: Shapes, target: str) -> None:
    program, reference, _ = PROGRAMS[name]
    inputs = [te.placeholder(shape, "float32", f"x{n}") for n, shape in enumerate(shapes)]
    values = [np.ones(shape, np.float32) for shape in shapes]
    found = np.asarray(tilewright.build([*inputs, program(*inputs)], **TARGETS[target])(*values))
    np.testing.assert_array_equal(found, reference(*values))


@pytest.mark.parametrize("shape", [(4, 0), (0, 4)])
def test_loops_without_iterations_fuse(shape: tuple[int, int]) -> None:
    a = te.placeholder(shape, "float32", "a")
    b = te.compute(shape, lambda i, j: a[i, j] + 1, name="b")
    s = te.create_schedule(b.op)
    s[b].fuse(*s[b].op.axis)
    assert tilewright.build(s, [a, b])(np.ones(shape, np.float32)).shape == shape
