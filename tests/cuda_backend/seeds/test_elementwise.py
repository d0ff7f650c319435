"""Elementwise programs of users for a GPU, in the simulator against numpy."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.passes.framework.intrinsics import unregister_lowering

RANDOM = np.random.default_rng(0)


def bound(compute, inputs, factor: int = 64):
    """Return a schedule of blocks of `factor` threads."""
    schedule = te.create_schedule(compute.op)
    block, thread = schedule[compute].split(compute.op.axis[0], factor=factor)
    schedule[compute].bind(block, te.thread_axis("blockIdx.x"))
    schedule[compute].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [*inputs, compute]


@pytest.mark.parametrize("size", [1, 63, 64, 200])
def test_vector_add(size: int) -> None:
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    c = te.compute(a.shape, lambda i: a[i] + b[i], name="C")
    add = tvm.build(*bound(c, [a, b]), tvm.target.Target("cuda", host="llvm"), name="myadd", device="simulator")
    x, y = RANDOM.normal(size=(2, size)).astype(np.float32)
    z = np.zeros(size, np.float32)
    add(x, y, z)
    np.testing.assert_array_equal(z, x + y)
    assert "def myadd_kernel0(A, B, C, n):" in add.imported_modules[0].get_source()


@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (33, 20)])
def test_bound_multiply(shape: tuple[int, int]) -> None:
    """Blocks along the rows, threads along the columns of a matrix whose sizes come with the call."""
    m, n = te.var("m"), te.var("n")
    a, b = te.placeholder((m, n), name="A"), te.placeholder((m, n), name="B")
    c = te.compute((m, n), lambda i, j: a[i, j] * b[i, j], name="C")
    schedule = te.create_schedule([c.op])
    schedule[c].bind(c.op.axis[0], te.thread_axis("blockIdx.x"))
    schedule[c].bind(c.op.axis[1], te.thread_axis("threadIdx.x"))
    multiply = tvm.build(schedule, [a, b, c], target="cuda", name="mult", device="simulator")
    x, y = RANDOM.normal(size=(2, *shape)).astype(np.float32)
    np.testing.assert_array_equal(multiply(x, y), x * y)


def test_sigmoid() -> None:
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute(a.shape, lambda i: te.sigmoid(a[i]), name="B")
    sigmoid = tvm.build(*bound(b, [a]), "cuda", name="mysigm", device="simulator")
    x = RANDOM.normal(0, 5, 100).astype(np.float32)
    np.testing.assert_allclose(sigmoid(x), 1 / (1 + np.exp(-x.astype(np.float64))), rtol=1e-6)


def test_mylog() -> None:
    """An intrinsic of the user, with a rule for this target."""

    def mylog(x):
        return tvm.tir.call_intrin(x.dtype, "tir.mylog_of_seed", x)

    def rule(op):
        return tvm.tir.call_pure_extern("float32", "logf", op.args[0]) if op.dtype == "float32" else op

    tvm.ir.register_op_attr("tir.mylog_of_seed", "TCallEffectKind", tvm.tir.CallEffectKind.Pure)
    tvm.ir.register_intrin_lowering("tir.mylog_of_seed", target="cuda", f=rule, level=99)
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute(a.shape, lambda i: mylog(a[i]), name="B")
    try:
        module = tvm.build(*bound(b, [a]), "cuda", name="mykernel", device="simulator")
    finally:
        unregister_lowering("tir.mylog_of_seed", "cuda", 99)
    assert "math.log(" in module.imported_modules[0].get_source()
    x = RANDOM.uniform(0.1, 10, 100).astype(np.float32)
    np.testing.assert_allclose(module(x), np.log(x.astype(np.float64)), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", [lambda x: x + x, lambda x: x * x, te.sigmoid, te.log])
def test_they_are_compiled(nvvm, function) -> None:
    """The elementwise programs above become PTX in single precision."""
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute(a.shape, lambda i: function(a[i]), name="B")
    ptx = tvm.build(*bound(b, [a]), "cuda").get_source("ptx")
    assert ".visible .entry" in ptx and ".f64" not in ptx
