"""A tiled matrix product as GPUs run it: blocks of threads that fetch tiles together into shared memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.dialects import context
from tilewright.dialects.loop import SHARED, AllocOp, BarrierOp, scope_of
from tilewright.driver.programs import as_module
from tilewright.passes.framework.base import level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import default_pipeline
from tilewright.semantics.program import Program
from xdsl.dialects.builtin import ModuleOp


def tiled_matmul(n: int, threads: int, tile: int, depth: int) -> tuple[Any, list[Any]]:
    """Schedule C = A B; a block has threads x threads threads of tile x tile elements each, and steps of `depth` along
    k."""
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    shared = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    registers = [s.cache_read(t, "local", [c]) for t in shared]
    accumulators = s.cache_write(c, "local")
    ty, tx = (te.thread_axis((0, threads), f"threadIdx.{axis}") for axis in "yx")
    rows, columns = (s[c].split(axis, factor=threads * tile) for axis in c.op.axis)
    (yo, yi), (xo, xi) = ((outer, s[c].split(inner, nparts=threads)) for outer, inner in (rows, columns))
    s[c].reorder(yo, xo, yi[0], xi[0], yi[1], xi[1])
    for axis, tag in ((yo, "blockIdx.y"), (xo, "blockIdx.x")):
        s[c].bind(axis, te.thread_axis(tag))
    s[c].bind(yi[0], ty)
    s[c].bind(xi[0], tx)
    s[accumulators].compute_at(s[c], xi[0])
    ko, ki = s[accumulators].split(s[accumulators].op.reduce_axis[0], factor=depth)
    s[accumulators].reorder(ko, ki, *s[accumulators].op.axis)
    for stage in shared:
        s[stage].compute_at(s[accumulators], ko)
        by_rows, rest = s[stage].split(s[stage].fuse(*s[stage].op.axis), nparts=threads)
        by_columns, _ = s[stage].split(rest, nparts=threads)
        s[stage].bind(by_rows, ty)
        s[stage].bind(by_columns, tx)
    for stage in registers:
        s[stage].compute_at(s[accumulators], ki)
    return s, [a, b, c]


def lowered(schedule: Any, arguments: list[Any], last_phase: int) -> ModuleOp:
    module = as_module(schedule, arguments, "main").clone()
    PassManager(default_pipeline(level_of(module), last_phase)).run(context(), module)
    return module


@pytest.mark.parametrize(("n", "threads", "tile", "depth"), [(8, 2, 2, 4), (7, 2, 2, 3)])
def test_the_product(n: int, threads: int, tile: int, depth: int) -> None:
    schedule, arguments = tiled_matmul(n, threads, tile, depth)
    a, b = np.random.default_rng(n).integers(-4, 5, (2, n, n)).astype(np.float32)
    for last_phase in (1, 3):
        module = lowered(schedule, arguments, last_phase)
        np.testing.assert_array_equal(Program(module).evaluate("main", a, b)[0], a @ b)
    module = lowered(schedule, arguments, 3)
    np.testing.assert_array_equal(Program(module, finds_races=True).evaluate("main", a, b)[0], a @ b)
    # Where the depth does not divide the sum, the last step stands apart, and so do its tiles, small as they are.
    assert sum(isinstance(op, BarrierOp) for op in module.walk()) == (2 if n % depth == 0 else 3)
    for op in module.walk():
        if isinstance(op, AllocOp) and scope_of(op.res.type) == SHARED:
            assert op.res.type.get_shape() == (threads * tile * depth,)


def test_the_kernel() -> None:
    text = tilewright.build(*tiled_matmul(64, 4, 2, 8), "opencl").get_source("cl")
    lines = [line.split("//")[0].strip() for line in text.splitlines()]
    assert {"__local float A_shared[64];", "__local float B_shared[64];", "float C_local[4];"} <= set(lines)
    step = lines.index("for (long ko = 0; ko < 8; ++ko) {")
    first, second = (n for n, line in enumerate(lines) if line == "barrier(CLK_LOCAL_MEM_FENCE);")
    fetches = [n for n, line in enumerate(lines) if line.startswith(("A_shared[", "B_shared["))]
    multiply = next(n for n, line in enumerate(lines) if line.startswith("C_local[") and "+ t *" in line)
    assert step < first < min(fetches) < max(fetches) < second < multiply
