"""The first program of loops with blocks: written, scheduled step by step, and run on the host and on threads."""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te, tir
from tilewright.script import ir as I
from tilewright.script import tir as T


@I.ir_module
class Shifted:
    @T.prim_func
    def main(a: T.handle, b: T.handle):
        T.func_attr({"global_symbol": "main", "tir.noalias": True})
        X = T.match_buffer(a, (12,), dtype="float32")
        Y = T.match_buffer(b, (12,), dtype="float32")
        for i in range(12):
            with T.block("Y"):
                vi = T.axis.spatial(12, i)
                Y[vi] = X[vi] - 3.0


X = np.linspace(0, 5, 12, dtype=np.float32)


def test_the_module_is_built_and_called() -> None:
    built = tvm.build(Shifted, target="llvm")
    x, y = tvm.nd.array(X), tvm.nd.array(np.zeros(12, dtype="float32"))
    built(x, y)
    np.testing.assert_array_equal(y.numpy(), X - 3)


def test_it_is_split_reordered_and_run_by_threads() -> None:
    sch = tir.Schedule(Shifted)
    block = sch.get_block("Y")
    (i,) = sch.get_loops(block)
    first, second, third = sch.split(i, factors=[2, 2, 3])
    sch.reorder(first, third, second)
    assert repr(sch).splitlines()[1:] == [
        "  for %ia = 0 to 2",
        "    for %ic = 0 to 3",
        "      for %ib = 0 to 2",
        '        block "Y"',
    ]
    sch.bind(first, "blockIdx.x")
    sch.bind(third, "threadIdx.x")
    assert 'loop.for %ic = 0 to 3 kind thread<"threadIdx.x">' in sch.mod.script()
    np.testing.assert_array_equal(np.asarray(tvm.compile(sch.mod, target="cuda", device="simulator")(X)), X - 3)


def test_a_function_of_tensors_is_scheduled_alike() -> None:
    A = te.placeholder((12,), dtype="float32", name="X")
    B = te.compute((12,), lambda *index: A(*index) - 3.0, name="Y")
    sch = tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, B])}))
    (i,) = sch.get_loops(sch.get_block("Y"))
    outer, inner = sch.split(i, factors=[None, 4])
    sch.parallel(outer)
    sch.vectorize(inner)
    np.testing.assert_array_equal(np.asarray(tvm.build(sch.mod, target="llvm")(X)), X - 3)
