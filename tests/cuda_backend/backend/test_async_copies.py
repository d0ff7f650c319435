"""Pipelines whose copies to shared memory go on while threads work: cp.async, its groups and its waits."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError
from tilewright.driver import lower_module
from tilewright.driver.programs import as_module
from tilewright.passes import collect_remarks
from tilewright.semantics import evaluate

THREADS, TILE, DEPTH = 4, 4, 8
RANDOM = np.random.default_rng(0)


def matmul(
    m: int, n: int, k: int, stages: int = 2, vector: int = 4, dtype: str = "float32", asynchronous: bool = True
) -> tuple[Any, list[Any]]:
    """Schedule C = A B, its operands brought to shared memory `stages - 1` steps ahead."""
    a, b = te.placeholder((m, k), dtype, name="A"), te.placeholder((k, n), dtype, name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    s = te.create_schedule(c.op)
    shared = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    sums = s.cache_write(c, "local")
    threads = [te.thread_axis((0, THREADS), f"threadIdx.{tag}") for tag in "yx"]
    order: list[Any] = []
    for axis, block, thread in zip(c.op.axis, "yx", threads, strict=True):
        outer, inner = s[c].split(axis, factor=THREADS * TILE)
        middle, inner = s[c].split(inner, nparts=THREADS)
        s[c].bind(outer, te.thread_axis(f"blockIdx.{block}"))
        s[c].bind(middle, thread)
        order.append((outer, middle, inner))
    s[c].reorder(*(axis for level in zip(*order, strict=True) for axis in level))
    s[sums].compute_at(s[c], order[1][1])
    outer, inner = s[sums].split(s[sums].op.reduce_axis[0], factor=DEPTH)
    s[sums].reorder(outer, inner, *s[sums].op.axis)
    s[sums].pragma(outer, "num_stages", stages)
    if asynchronous:
        s[sums].pragma(outer, "software_pipeline_async_stages", [0])
    for stage in shared:
        s[stage].compute_at(s[sums], outer)
        rest, lanes = s[stage].split(s[stage].fuse(*s[stage].op.axis), factor=vector)
        s[stage].vectorize(lanes)
        for thread in reversed(threads):
            rest, lane = s[stage].split(rest, factor=THREADS)
            s[stage].bind(lane, thread)
    return s, [a, b, c]


def operands(m: int, n: int, k: int, dtype: str = "float32") -> list[np.ndarray]:
    return [RANDOM.integers(-4, 5, shape).astype(dtype) for shape in ((m, k), (k, n))]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("k", [8, 16, 24, 40])
def test_values(stages: int, k: int) -> None:
    """Loops shorter than the pipeline, as long, and longer."""
    module = tilewright.build(*matmul(16, 16, k, stages), "cuda", device="simulator")
    x, y = operands(16, 16, k)
    np.testing.assert_array_equal(module(x, y), x @ y)


@pytest.mark.parametrize(("m", "n", "k"), [(30, 32, 40), (16, 30, 24), (17, 16, 20)])
def test_borders(m: int, n: int, k: int) -> None:
    """Copies at a border stay under their conditions; threads that make none make empty groups."""
    module = tilewright.build(*matmul(m, n, k, 3), "cuda", device="simulator")
    x, y = operands(m, n, k)
    np.testing.assert_array_equal(module(x, y), x @ y)


@pytest.mark.parametrize(
    ("dtype", "vector", "size"),
    [("float32", 4, 16), ("float32", 2, 8), ("float32", 1, 4), ("float64", 2, 16), ("float16", 4, 8), ("int8", 4, 4)],
)
def test_sizes(dtype: str, vector: int, size: int) -> None:
    module = tilewright.build(*matmul(16, 16, 32, vector=vector, dtype=dtype), "cuda", device="simulator")
    assert f"device.cp_async{size}(" in module.get_source()
    x, y = operands(16, 16, 32, dtype)
    np.testing.assert_array_equal(module(x, y), x @ y)


def test_too_small_to_copy() -> None:
    """No instruction copies two bytes: a store waits for them, as ever."""
    module = tilewright.build(*matmul(16, 16, 32, vector=1, dtype="float16"), "cuda", device="simulator")
    assert "device.cp_async2(" not in module.get_source() and "device.cp_async_commit()" in module.get_source()
    x, y = operands(16, 16, 32, "float16")
    np.testing.assert_array_equal(module(x, y), x @ y)


def steady(source: str) -> list[str]:
    """Return the statements of the loop over the steps in which everything runs, without what stands deeper."""
    lines = source.splitlines()
    first = next(n for n, line in enumerate(lines) if re.match(r"    for ko in range", line))
    body = lines[first + 1 :]
    body = body[: next((n for n, line in enumerate(body) if not line.startswith(" " * 8)), None)]
    return [line.strip() for line in body if re.match(r" {8}\S", line)]


@pytest.mark.parametrize("stages", [2, 3, 4])
def test_groups_and_waits(stages: int) -> None:
    """A step waits for the copies of its own terms alone, and has one barrier."""
    source = tilewright.build(*matmul(16, 16, 64, stages), "cuda", device="simulator").get_source()
    body = steady(source)
    assert body[:2] == [f"device.cp_async_wait({stages - 2})", "cuda.syncthreads()"]
    assert body.count("cuda.syncthreads()") == 1 and body.count("device.cp_async_commit()") == 1
    waits = [int(n) for n in re.findall(r"cp_async_wait\((\d+)\)", source)]
    assert waits == [stages - 2, *reversed(range(stages - 1))]
    assert source.count("device.cp_async_commit()") == stages


def test_reading_before_the_wait_is_found() -> None:
    """Without any one of the waits a thread reads what may still be on its way."""
    module = tilewright.build(*matmul(16, 16, 64, 3), "cuda", device="simulator")
    source, (x, y) = module.get_source(), operands(16, 16, 64)
    flat = [x.ravel(), y.ravel(), np.zeros(256, np.float32)]
    simulator.launch(simulator.parse(source, "kernel.py").function("main_kernel0"), (1, 1), (4, 4), flat)
    np.testing.assert_array_equal(flat[2].reshape(16, 16), x @ y)
    lines = source.splitlines()
    waits = [n for n, line in enumerate(lines) if "cp_async_wait" in line]
    assert len(waits) == 3
    for n in waits:
        without = [*lines[:n], lines[n].replace(lines[n].strip(), "pass"), *lines[n + 1 :]]
        function = simulator.parse("\n".join(without), "kernel.py").function("main_kernel0")
        with pytest.raises(TilewrightError, match="is copying to"):
            simulator.launch(function, (1, 1), (4, 4), flat)


def test_the_interpreter_makes_copies_at_once() -> None:
    lowered = lower_module(as_module(*matmul(16, 16, 24), "main"))
    x, y = operands(16, 16, 24)
    np.testing.assert_array_equal(evaluate(lowered, x, y)[0], x @ y)


def test_other_targets_have_none() -> None:
    with collect_remarks() as remarks:
        lowered = lower_module(as_module(*matmul(16, 16, 24), "main"))
    assert "async" not in str(lowered)
    assert any(r.code == "TW0666" and "the target has no such copies" in r.message for r in remarks)


def test_converted_elements_are_no_copies() -> None:
    a = te.placeholder((64,), "float16", name="A")
    wide = te.compute((64,), lambda i: a[i].astype("float32"), name="wide")
    b = te.compute((64,), lambda i: wide[i] + 1.0, name="B")
    s = te.create_schedule(b.op)
    outer, inner = s[b].split(b.op.axis[0], factor=8)
    block, outer = s[b].split(outer, factor=4)
    s[b].bind(block, te.thread_axis("blockIdx.x"))
    s[b].bind(inner, te.thread_axis("threadIdx.x"))
    s[wide].set_scope("shared")
    s[wide].compute_at(s[b], outer)
    s[wide].bind(wide.op.axis[0], te.thread_axis("threadIdx.x"))
    s[b].pragma(outer, "num_stages", 2)
    s[b].pragma(outer, "software_pipeline_async_stages", [0])
    with collect_remarks() as remarks:
        module = tilewright.build(s, [a, b], "cuda", device="simulator")
    assert any(r.code == "TW0666" and "converts or computes elements" in r.message for r in remarks)
    assert "cp_async" not in module.get_source()
    x = RANDOM.integers(0, 9, 64).astype(np.float16)
    np.testing.assert_array_equal(module(x), x.astype(np.float32) + 1)


def test_ptx(vectors_of_shared: None) -> None:
    ptx = tilewright.build(*matmul(64, 64, 64, 3), "cuda -arch=sm_80").get_source("ptx")
    assert re.search(r"cp\.async\.cg\.shared\.global \[\S+\], \[\S+\], 16;", ptx)
    assert "cp.async.commit_group" in ptx and "cp.async.wait_group 1;" in ptx
    assert not re.search(r"\.local\b|\.f64\b|ld\.global", ptx)
