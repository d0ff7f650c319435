"""Tensors without elements: programs compile, sums over nothing are zeros, and loops without iterations fuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, topi
from tilewright.schedule import Schedule
from tilewright.schedule.tensor_intrinsics import TensorIntrin

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


@pytest.mark.each("target", TARGETS)
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


def plus_one(shape: tuple[int, int]) -> tuple[te.Tensor, te.Tensor]:
    a = te.placeholder(shape, name="A")
    return a, te.compute(shape, lambda i, j: a[i, j] + 1, name="C")


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("shape", [(4, 0), (0, 4), (0, 0)])
def test_tiles_without_elements(shape: tuple[int, int], depth: int) -> None:
    sch = Schedule(tilewright.IRModule({"main": te.create_prim_func(plus_one(shape))}))
    outer = sch.blockize(sch.get_loops(sch.get_block("C"))[depth])
    extents = [extent.constant for *_, extent in sch.block(outer).iteration()]
    assert extents == ([] if depth == 0 else [shape[0]])
    values = np.ones(shape, np.float32)
    np.testing.assert_array_equal(tilewright.build(sch, threads=1)(values), values + 1)


def test_a_reduction_over_tiles_without_elements_has_a_separate_init() -> None:
    a = te.placeholder((3, 0), name="A")
    k = te.reduce_axis((0, 0), "k")
    c = te.compute((3,), lambda i: te.sum(a[i, k], axis=k), name="C")
    sch = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, c])}))
    block = sch.get_block("C")
    with pytest.raises(TilewrightError, match="its tiles have no element, so that its init would never") as caught:
        sch.blockize(sch.get_loops(block)[1])
    assert caught.value.code == "TW0433" and "decompose_reduction" in str(caught.value.help)
    sch.decompose_reduction(block, sch.get_loops(block)[1])
    sch.blockize(sch.get_loops(block)[1])
    np.testing.assert_array_equal(tilewright.build(sch, threads=1)(np.ones((3, 0), np.float32)), np.zeros(3))


def test_an_intrinsic_does_not_compute_a_tile_without_elements() -> None:
    x = te.placeholder((1,), name="x")
    y = te.compute((1,), lambda i: x[i] + 1, name="y")
    implementation = te.create_prim_func([x, y])
    TensorIntrin.register("one_element", te.create_prim_func([x, y]), implementation, override=True)
    sch = Schedule(tilewright.IRModule({"main": te.create_prim_func(plus_one((4, 0)))}))
    with pytest.raises(TilewrightError, match="runs over no element") as caught:
        sch.tensorize(sch.get_loops(sch.get_block("C"))[1], "one_element")
    assert caught.value.code == "TW0434"
