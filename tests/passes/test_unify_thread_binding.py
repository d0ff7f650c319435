"""Kernels whose loops over threads differ in extent: one extent, the same values, and one kernel of OpenCL C."""

from __future__ import annotations

import random

import numpy as np
import tilewright
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import te
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run

from .test_phase1 import ops, parse

BLOCKS, SIZE = 3, 12


def kernel(seed: int) -> str:
    """Return loops over one or two axes of threads, in turn, of several bounds, each adding to its own part of C."""
    rng = random.Random(seed)
    lines: list[str] = []
    for k in range(rng.randint(2, 4)):
        lower = rng.choice(("0", "0", "1", "2"))
        upper = rng.choice(("4", "7", str(SIZE), f"min(%n, {SIZE})", f"min(%n - %b * 4, {SIZE})"))
        inner = rng.choice(("", f'loop.for %u{k} = 0 to {rng.choice((1, 2))} kind thread<"threadIdx.y"> {{'))
        index = f"%b, %t{k}"
        lines += [
            f'loop.for %t{k} = {lower} to {upper} kind thread<"threadIdx.x"> {{',
            inner,
            f"  %x{k} = loop.load %A[{index}] : {MATRIX}",
            f"  %c{k} = loop.load %C[{index}] : {MATRIX}",
            f"  %s{k} = arith.addf %x{k}, %c{k} : f32",
            f"  loop.store %s{k}, %C[{index}] : {MATRIX}",
            "}" if inner else "",
            "}",
        ]
    body = "\n".join(lines)
    return f"""
func.func @main(%I: memref<?xf32> {{tw.name = "I"}}, %A: {MATRIX} {{tw.name = "A"}},
                %C: {MATRIX} {{tw.name = "C", tw.output}}) {{
  %n = loop.dim %I, 0 : memref<?xf32>
  loop.for %b = 0 to {BLOCKS} kind thread<"blockIdx.x"> {{
{body}
  }}
  func.return
}}"""


MATRIX = f"memref<{BLOCKS}x{SIZE}xf32>"


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([1, 5, 9, 30]))
def test_random_kernels(seed: int, n: int) -> None:
    text = kernel(seed)
    a = np.random.default_rng(seed).integers(-4, 5, (BLOCKS, SIZE)).astype(np.float32)
    inputs = (np.zeros(n, np.float32), a)
    expected, found = np.zeros_like(a), np.zeros_like(a)
    run(parse(text), "main", *inputs, expected)
    module = parse(text)
    PassManager(parse_pipeline("unify-thread-binding")).run(context(), module)
    run(module, "main", *inputs, found)
    np.testing.assert_array_equal(found, expected, err_msg=str(module))
    bounds: dict[str, set[object]] = {}
    for op in ops(module, loop.ForOp):
        assert isinstance(op, loop.ForOp)
        bounds.setdefault(op.kind.tag.data, set()).add((op.lowers, op.uppers))
    assert all(len(each) == 1 for each in bounds.values())


def test_stages_with_separate_threads_are_one_kernel() -> None:
    a = te.placeholder((8, 20), name="A")
    b = te.compute((8, 20), lambda i, j: a[i, j] * 2.0, name="B")
    c = te.compute((8, 10), lambda i, j: b[i, j] + b[i, 19 - j], name="C")
    s = te.create_schedule(c.op)
    s[b].set_scope("shared")
    block, thread = te.thread_axis("blockIdx.x"), te.thread_axis("threadIdx.x")
    s[c].bind(c.op.axis[0], block)
    s[b].compute_at(s[c], c.op.axis[0])
    s[c].bind(c.op.axis[1], thread)
    s[b].bind(b.op.axis[1], thread)
    source = tilewright.build(s, [a, c], "opencl").get_source("cl")
    assert source.count("__kernel") == 1
    assert "< 10) {" in source
    x = np.arange(160, dtype=np.float32).reshape(8, 20)
    program = tilewright.build(s, [a, c], "interpreter")
    np.testing.assert_array_equal(program(x), 2 * (x[:, :10] + x[:, :9:-1]))
