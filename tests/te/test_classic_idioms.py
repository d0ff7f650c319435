"""Idioms of te programs: places that splits move, numbers of shapes, scalars beside tensors, `tvm.arith`."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.driver.build_module import schedule_to_module


@pytest.mark.parametrize("fused", [False, True])
def test_a_stage_stays_at_an_axis_that_is_split_or_fused_later(fused: bool) -> None:
    A = te.compute((10, 6), lambda i, j: i * 2.0, name="A")
    B = te.compute((10, 6), lambda i, j: A[i, j] + j, name="B")
    s = te.create_schedule(B.op)
    s[A].compute_at(s[B], B.op.axis[1])
    if fused:
        s[B].fuse(*B.op.axis)
    else:
        s[B].split(B.op.axis[1], 4)
    actual = np.zeros((10, 6), np.float32)
    tvm.build(s, [B])(actual)
    np.testing.assert_array_equal(actual, 2 * np.arange(10)[:, None] + np.arange(6))


def test_constants_fold_and_are_sizes() -> None:
    n = tvm.runtime.convert(10)
    A = te.placeholder((n + 5,), name="A")
    assert A.shape == (15,) and A.shape[0].value == 15 and isinstance(A.shape[0], tir.IntImm)
    C = te.compute((n,), lambda i: A(n + 5 - i - 1), name="C")
    x, y = np.arange(15, dtype=np.float32), np.zeros(10, np.float32)
    tvm.build(te.create_schedule(C.op), [A, C])(x, y)
    np.testing.assert_array_equal(y, x[:4:-1])


def test_a_scalar_beside_a_tensor_makes_a_tensor() -> None:
    n, A = te.var("n"), te.placeholder((8,), name="A")
    B = n - A * te.const(2.0)
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    tvm.build(te.create_schedule(B.op), [n, A, B])(3, x, y)
    np.testing.assert_array_equal(y, 3 - 2 * x)


def test_an_analyzer_simplifies_and_proves() -> None:
    m, analyzer = te.var("m"), tvm.arith.Analyzer()
    assert str(analyzer.simplify(m * 4 + m - 2 * m)) == "m * 3"
    assert analyzer.can_prove(m * 2 >= m) and not analyzer.can_prove(m > 0)
    assert analyzer.simplify(tir.stmt_functor.substitute(m * 4, {m: 5})).value == 20


def test_what_was_said_of_loops_can_be_asked() -> None:
    A = te.compute((8, 8), lambda i, j: i + j, name="A")
    s = te.create_schedule(A.op)
    i, j = s[A].leaf_iter_vars
    s[A].unroll(i)
    s[A].vectorize(j)
    kinds = [s[A].iter_var_attrs[axis].iter_type for axis in (i, j)]
    assert kinds == [te.schedule.IterVar.Unrolled, te.schedule.IterVar.Vectorized]
    assert set(schedule_to_module(s).functions) == {"main"}
