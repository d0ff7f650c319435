"""Programs that save a program's host part and its kernels by hand, link them, and load both again."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
import tilewright.testing
from tilewright import te
from tilewright.contrib import cc, utils


@pytest.mark.parametrize("tgt", ["cuda", "llvm"])
def test_a_device_library_imported_into_a_program(driver: Any, drivers: ModuleType, tgt: str) -> None:
    tgt_host = "llvm"
    n = te.var("n")
    A = te.placeholder((n,), name="A")
    B = te.placeholder((n,), name="B")
    C = te.compute(A.shape, lambda i: A[i] + B[i], name="C")
    s = te.create_schedule(C.op)
    bx, tx = s[C].split(C.op.axis[0], factor=64)
    if tgt == "cuda" or tgt == "rocm" or tgt.startswith("opencl"):
        s[C].bind(bx, te.thread_axis("blockIdx.x"))
        s[C].bind(tx, te.thread_axis("threadIdx.x"))
    fadd = tvm.build(s, [A, B, C], tgt, target_host=tgt_host, name="myadd")

    temp = utils.tempdir()
    fadd.save(temp.relpath("myadd.o"))
    if tgt == "cuda":
        fadd.imported_modules[0].save(temp.relpath("myadd.ptx"))
    cc.create_shared(temp.relpath("myadd.so"), [temp.relpath("myadd.o")])

    fadd1 = tvm.runtime.load_module(temp.relpath("myadd.so"))
    if tgt == "cuda":
        fadd1_dev = tvm.runtime.load_module(temp.relpath("myadd.ptx"))
        fadd1.import_module(fadd1_dev)
        assert fadd1.imported_modules[0].get_source("ptx") == fadd.imported_modules[0].get_source("ptx")

    ctx = tvm.device(tgt, 0) if tgt == "cuda" else tvm.cpu(0)
    n = 1000
    a = tvm.nd.array(np.random.default_rng(1).uniform(size=n).astype(A.dtype), ctx)
    b = tvm.nd.array(np.random.default_rng(2).uniform(size=n).astype(B.dtype), ctx)
    c = tvm.nd.array(np.zeros(n, dtype=C.dtype), ctx)
    fadd1(a, b, c)
    tvm.testing.assert_allclose(c.numpy(), a.numpy() + b.numpy())
