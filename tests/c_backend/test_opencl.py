"""Kernels of OpenCL C for loops that are bound to threads."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import tilewright
from needed_tools import skip_without
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.passes.framework.context import PassContext

VECTOR_ADD = """\
#pragma OPENCL FP_CONTRACT OFF

__kernel void add_kernel(__global const float *restrict A, __global float *restrict B, long n) {
  const long io = get_group_id(0);
  const long ii = get_local_id(0);
  if (io * 64 + ii < n) {
    B[io * 64 + ii] = A[io * 64 + ii] + 1.0f;
  }
}
"""


def bound(function=lambda v: v + 1.0, extent=None, name: str = "add"):
    """Build an elementwise program in groups of 64 threads."""
    a = te.placeholder((extent if extent is not None else te.var("n"),), name="A")
    b = te.compute(a.shape, lambda i: function(a[i]), name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=64)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    return tilewright.build(schedule, [a, b], "opencl", name=name)


def shared_matmul(cooperative: bool = True):
    """Schedule a product: each group computes a row; its threads copy the row of A together, or each the row for
    itself."""
    n = 16
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    copy = schedule.cache_read(a, "shared", [c])
    i, j = c.op.axis
    schedule[c].bind(i, te.thread_axis("blockIdx.x"))
    schedule[c].bind(j, te.thread_axis("threadIdx.x"))
    schedule[copy].compute_at(schedule[c], i if cooperative else j)
    if cooperative:
        schedule[copy].bind(copy.op.axis[1], te.thread_axis("threadIdx.x"))
    return schedule, [a, b, c]


def without_remarks(text: str) -> str:
    return "\n".join(line.split("  //")[0] for line in text.splitlines()) + "\n"


def test_a_kernel_keeps_its_guard_and_takes_sizes():
    module = bound()
    assert without_remarks(module.imported_modules[0].get_source()) == VECTOR_ADD
    assert module.get_source("cl") == module.imported_modules[0].get_source()
    assert "thread" in module.get_source("mlir")


def test_functions_have_no_suffix():
    text = bound(te.exp, 128).imported_modules[0].get_source()
    assert "exp(A[io * 64 + ii])" in text
    assert "expf" not in text


def test_threads_wait_for_shared_memory():
    lines = tilewright.build(*shared_matmul(), "opencl").get_source("cl").splitlines()
    stripped = [line.split("//")[0].strip() for line in lines]
    assert "__local float A_shared[16];" in stripped
    barrier = stripped.index("barrier(CLK_LOCAL_MEM_FENCE);")
    written = next(n for n, line in enumerate(stripped) if line.startswith("A_shared["))
    read = next(n for n, line in enumerate(stripped) if "* B[" in line)
    assert written < barrier < read


def test_one_kernel_for_each_nest():
    a = te.placeholder((32,), name="A")
    k = te.reduce_axis((0, 32), name="k")
    b = te.compute((32,), lambda i: te.sum(a[k], axis=k), name="B")
    c = te.compute((32,), lambda i: b[31 - i] * 2.0, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        schedule[stage].bind(stage.op.axis[0], te.thread_axis("threadIdx.x"))
    text = tilewright.build(schedule, [a, c], "opencl", name="two").get_source("cl")
    assert "__kernel void two_kernel(" in text
    assert "__kernel void two_kernel_1(" in text


def test_strides_are_parameters():
    a = te.placeholder((te.var("n"),), name="A")
    b = te.compute(a.shape, lambda i: a[i] + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    buffers = {t: tilewright.tir.decl_buffer(t.shape, t.dtype, strides=[te.var("s")]) for t in (a, b)}
    text = tilewright.build(schedule, [a, b], "opencl", binds=buffers).get_source("cl")
    assert "B[i * B_stride0] = A[i * A_stride0] + 1.0f;" in text
    assert text.count("__kernel") == 1


def test_constant_vectors_stand_outside_of_kernels():
    a = te.placeholder((16,), name="A")
    b = te.compute((16,), lambda i: a[i] * 2.0, name="B")
    schedule = te.create_schedule(b.op)
    thread, lanes = schedule[b].split(b.op.axis[0], factor=4)
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[b].vectorize(lanes)
    assert "* 2.0f" in tilewright.build(schedule, [a, b], "opencl").get_source("cl")


def unbound():
    a = te.placeholder((4,), name="A")
    return tilewright.build([a, te.compute((4,), lambda i: a[i] + 1.0, name="B")], target="opencl")


def outside_of_threads():
    a = te.placeholder((4, 4), name="A")
    b = te.compute((4, 4), lambda i, j: a[i, j] + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[1], te.thread_axis("threadIdx.x"))
    return tilewright.build(schedule, [a, b], "opencl")


def shared_by_nobody():
    return tilewright.build(*shared_matmul(cooperative=False), "opencl")


@pytest.mark.parametrize(
    ("make", "code"), [(unbound, "TW0621"), (outside_of_threads, "TW0621"), (shared_by_nobody, "TW0537")]
)
def test_not_kernels(make, code):
    with pytest.raises(TilewrightError) as raised:
        make()
    assert raised.value.code == code


def test_threads_in_several_loops_are_refused():
    with tilewright.transform.PassContext(disabled_pass=["insert-barriers"]), pytest.raises(TilewrightError) as raised:
        tilewright.build(*shared_matmul(), "opencl")
    assert raised.value.code == "TW0623"


def test_texts_that_there_are_none_of(tmp_path):
    module = bound(extent=128)
    for act, code in (
        (lambda: module.get_source("asm"), "TW0209"),
        (lambda: module.imported_modules[0].get_source("ptx"), "TW0209"),
        (lambda: module.save(tmp_path / "x.so"), "TW0614"),
    ):
        with pytest.raises(TilewrightError) as raised:
            act()
        assert raised.value.code == code
        assert ".o," not in (raised.value.help or "")
    with pytest.raises(TilewrightError) as raised:
        module.save(tmp_path / "x.o")
    assert ".cl" in (raised.value.help or "") and ".o" not in (raised.value.help or "")
    with pytest.raises(TilewrightError) as raised:
        tilewright.build(*shared_matmul(), "opencl", device="simulator")
    assert raised.value.code == "TW0612" and "'cuda'" in raised.value.help and "mcpu" not in str(raised.value)
    module.save(tmp_path / "x.cl")
    assert (tmp_path / "x.cl").read_text() == module.get_source("cl")


def test_running_needs_pyopencl(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    with pytest.raises(TilewrightError) as raised:
        bound(extent=128)(np.zeros(128, np.float32))
    assert raised.value.code == "TW0622"


def test_running():
    skip_without("opencl-device")
    x = np.random.default_rng(0).normal(size=100).astype(np.float32)
    np.testing.assert_array_equal(bound()(x), x + 1.0)
    a, b = np.random.default_rng(1).normal(size=(2, 16, 16)).astype(np.float32)
    built = tilewright.build(*shared_matmul(), "opencl")
    np.testing.assert_allclose(built(a, b), a @ b, rtol=1e-4, atol=1e-5)
    with PassContext(disabled_pass=["contract-fma"]):
        separate = bound(lambda v: v * v + v)
    np.testing.assert_array_equal(separate(x), x * x + x)  # each rounds
