"""Random numbers and sorting by functions of Python."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.contrib import random


def built(*tensors: te.Tensor):
    return tvm.build(te.create_schedule([t.op for t in tensors]), [*tensors], "llvm")


def test_random_tensors() -> None:
    program = built(
        random.uniform(2, 3, size=(50, 40)), random.normal(5.0, 0.5, (50, 40)), random.randint(-3, 4, (500,), "int8")
    )
    tvm.get_global_func("tvm.contrib.random.seed")(7)
    uniform, normal, integers = program()
    assert 2 <= uniform.min() < 2.01 and 2.99 < uniform.max() < 3 and abs(uniform.mean() - 2.5) < 0.05
    assert abs(normal.mean() - 5) < 0.05 and abs(normal.std() - 0.5) < 0.05
    assert integers.dtype == np.int8 and {*integers.tolist()} == {*range(-3, 4)}
    again = program()
    assert not np.array_equal(again[0], uniform)
    random.seed(7)
    for one, other in zip(program(), (uniform, normal, integers), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_sorting_keeps_the_order_of_equal_elements(axis: int, ascending: bool) -> None:
    A = te.placeholder((5, 7), name="A")
    kinds = [("argsort", "int32"), ("sort", "float32")]
    results = [
        te.extern(
            (5, 7), [A], lambda i, o, k=k: tir.call_packed(f"tvm.contrib.sort.{k}", i[0], o[0], axis, ascending),
            name=k, dtype=d,
        )
        for k, d in kinds
    ]  # fmt: skip
    program = tvm.build(te.create_schedule([r.op for r in results]), [A, *results], "llvm")
    x = np.random.default_rng(0).integers(0, 3, (5, 7)).astype(np.float32)
    indices, values = program(x)
    np.testing.assert_array_equal(indices, np.argsort(x if ascending else -x, axis, kind="stable"))
    np.testing.assert_array_equal(values, np.take_along_axis(x, indices, axis))


def test_functions_of_the_package_can_be_replaced() -> None:
    tvm.register_func("tvm.contrib.random.uniform", lambda low, high, y: y.copyfrom(np.full(y.shape, high)))
    try:
        np.testing.assert_array_equal(built(random.uniform(0, 9, (3,)))(), [9, 9, 9])
    finally:
        tvm._ffi.remove_global_func("tvm.contrib.random.uniform")
    assert tvm.get_global_func("tvm.contrib.random.uniform") is random.fill_uniform
    assert tvm.get_global_func("tvm.contrib.cblas.matmul", allow_missing=True) is None
