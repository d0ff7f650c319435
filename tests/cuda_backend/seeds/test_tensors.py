"""Matrix products and a convolution of users for a GPU, in the simulator against numpy: tiles in shared memory that
threads fetch together, tiles of their own in registers, virtual threads, vectors."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import te

RANDOM = np.random.default_rng(0)


def axes(*extents: int) -> list[Any]:
    """Return the axes of threads along y and x."""
    return [te.thread_axis((0, n), f"threadIdx.{tag}") for n, tag in zip(extents, "yx", strict=True)]


def close(actual: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


def tiled_matmul(n: int, threads: int, tile: int, depth: int, vector: int = 1, virtual: int = 1):
    """Schedule C = A B; a block has threads x threads threads of tile x tile elements each, and steps of `depth` along
    k."""
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    shared = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    registers = [s.cache_read(t, "local", [c]) for t in shared]
    sums = s.cache_write(c, "local")
    ty, tx = axes(threads, threads)
    order: list[Any] = []
    for axis, block, thread in zip(c.op.axis, ("blockIdx.y", "blockIdx.x"), (ty, tx), strict=True):
        outer, inner = s[c].split(axis, factor=threads * tile)
        vthread, inner = s[c].split(inner, nparts=virtual)
        middle, inner = s[c].split(inner, nparts=threads)
        s[c].bind(outer, te.thread_axis(block))
        s[c].bind(vthread, te.thread_axis((0, virtual), "vthread"))
        s[c].bind(middle, thread)
        order.append((outer, vthread, middle, inner))
    s[c].reorder(*(axis for level in zip(*order, strict=True) for axis in level))
    s[sums].compute_at(s[c], order[1][2])
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=depth)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for stage in shared:
        s[stage].compute_at(s[sums], ko)
        fused = s[stage].fuse(*s[stage].op.axis)
        if vector > 1:
            fused, lanes = s[stage].split(fused, factor=vector)
            s[stage].vectorize(lanes)
        by_rows, rest = s[stage].split(fused, nparts=threads)
        by_columns, _ = s[stage].split(rest, nparts=threads)
        s[stage].bind(by_rows, ty)
        s[stage].bind(by_columns, tx)
    for stage in registers:
        s[stage].compute_at(s[sums], ki)
    return s, [a, b, c]


@pytest.mark.parametrize(
    ("n", "threads", "tile", "depth", "vector", "virtual"),
    [(32, 4, 2, 4, 1, 1), (29, 4, 2, 4, 1, 1), (32, 4, 4, 8, 4, 1), (32, 2, 4, 4, 1, 2)],
)
def test_tiled_matmul(n: int, threads: int, tile: int, depth: int, vector: int, virtual: int) -> None:
    module = tilewright.build(*tiled_matmul(n, threads, tile, depth, vector, virtual), "cuda", device="simulator")
    source = module.get_source()
    assert "cuda.shared.array(" in source and "cuda.local.array(" in source and "cuda.syncthreads()" in source
    assert ("device.load4(" in source) == (vector == 4)
    x, y = RANDOM.normal(size=(2, n, n)).astype(np.float32)
    close(module(x, y), x.astype(np.float64) @ y)


def test_tiled_matmul_as_ptx(nvvm) -> None:
    """Sums stay in registers, and an index costs no arithmetic of 64 bits but sums."""
    ptx = tilewright.build(*tiled_matmul(64, 8, 4, 8), "cuda -arch=sm_80").get_source("ptx")
    found = re.findall(r"^\s+(?:@\S+\s+)?([a-z][\w.]*)[ \t]", ptx, re.M)
    assert found.count("fma.rn.f32") % 16 == 0 and "bar.sync" in found
    assert not [name for name in found if ".local" in name or ".f64" in name or name.startswith("div.")]


def batch_matmul(batch: int, n: int, depth: int, threads: int):
    """Schedule a batch of products: every block works on a tile of one of them."""
    a, b = te.placeholder((batch, n, depth), name="A"), te.placeholder((batch, depth, n), name="B")
    k = te.reduce_axis((0, depth), name="k")
    c = te.compute((batch, n, n), lambda z, i, j: te.sum(a[z, i, k] * b[z, k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    shared = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    sums = s.cache_write(c, "local")
    z, i, j = c.op.axis
    ty, tx = axes(threads, threads)
    rows, columns = (s[c].split(axis, factor=2 * threads) for axis in (i, j))
    (yo, yi), (xo, xi) = ((outer, s[c].split(inner, nparts=threads)) for outer, inner in (rows, columns))
    s[c].reorder(z, yo, xo, yi[0], xi[0], yi[1], xi[1])
    for axis, tag in ((z, "blockIdx.z"), (yo, "blockIdx.y"), (xo, "blockIdx.x")):
        s[c].bind(axis, te.thread_axis(tag))
    s[c].bind(yi[0], ty)
    s[c].bind(xi[0], tx)
    s[sums].compute_at(s[c], xi[0])
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=8)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for stage in shared:
        s[stage].compute_at(s[sums], ko)
        by_rows, rest = s[stage].split(s[stage].fuse(*s[stage].op.axis), nparts=threads)
        by_columns, _ = s[stage].split(rest, nparts=threads)
        s[stage].bind(by_rows, ty)
        s[stage].bind(by_columns, tx)
    return s, [a, b, c]


def test_batch_matmul() -> None:
    batch, n, depth = 3, 16, 24
    module = tilewright.build(*batch_matmul(batch, n, depth, 4), "cuda", device="simulator")
    x = RANDOM.normal(size=(batch, n, depth)).astype(np.float32)
    y = RANDOM.normal(size=(batch, depth, n)).astype(np.float32)
    close(module(x, y), x.astype(np.float64) @ y)


def convolution(
    size: int, channels: int, filters: int, batch: int, kernel: int, threads: int, tile: int, vector: int = 1
):
    """Schedule a convolution in the layout HWCN with padding 1 as tutorials of GPUs do. With vectors, the threads of
    a block are two virtual ones along each axis, and each fetches vectors of its own channels and images."""
    a = te.placeholder((size, size, channels, batch), name="A")
    w = te.placeholder((kernel, kernel, channels, filters), name="W")
    padded = te.compute(
        (size + 2, size + 2, channels, batch),
        lambda y, x, c, n: te.if_then_else(
            te.all(y >= 1, y - 1 < size, x >= 1, x - 1 < size), a[y - 1, x - 1, c, n], te.const(0.0, "float32")
        ),
        name="Apad",
    )
    rc = te.reduce_axis((0, channels), name="rc")
    ry, rx = (te.reduce_axis((0, kernel), name=name) for name in ("ry", "rx"))
    b = te.compute(
        (size, size, filters, batch),
        lambda y, x, f, n: te.sum(padded[y + ry, x + rx, rc, n] * w[ry, rx, rc, f], axis=[ry, rx, rc]),
        name="B",
    )
    s = te.create_schedule(b.op)
    s[padded].compute_inline()
    shared = [s.cache_read(t, "shared", [b]) for t in (padded, w)]
    registers = [s.cache_read(t, "local", [b]) for t in shared]
    sums = s.cache_write(b, "local")
    hi, wi, fi, ni = b.op.axis
    pixels = s[b].fuse(hi, wi)
    by, fi = s[b].split(fi, factor=threads * tile)
    bx, ni = s[b].split(ni, factor=threads * tile)
    ty, tx = axes(threads, threads)
    (vy, fi), (vx, ni) = (s[b].split(axis, nparts=2 if vector > 1 else 1) for axis in (fi, ni))
    tyz, fi = s[b].split(fi, nparts=threads)
    txz, ni = s[b].split(ni, nparts=threads)
    s[b].reorder(pixels, by, bx, vy, vx, tyz, txz, fi, ni)
    for axis, tag in ((pixels, "blockIdx.z"), (by, "blockIdx.y"), (bx, "blockIdx.x")):
        s[b].bind(axis, te.thread_axis(tag))
    for axis, name in ((vy, "vy"), (vx, "vx")):
        s[b].bind(axis, te.thread_axis((0, 2 if vector > 1 else 1), "vthread", name=name))
    s[b].bind(tyz, ty)
    s[b].bind(txz, tx)
    s[sums].compute_at(s[b], txz)
    yi, xi, fi, ni = s[sums].op.axis
    ry, rx, rc = s[sums].op.reduce_axis
    rco, rci = s[sums].split(rc, factor=2)
    s[sums].reorder(rco, ry, rx, rci, fi, ni)
    for stage in shared:
        s[stage].compute_at(s[sums], rx)
        if vector > 1:
            first, second, depth, along = s[stage].op.axis
            by_rows, depth = s[stage].split(depth, nparts=threads)
            by_columns, along = s[stage].split(along, nparts=threads)
            along, lanes = s[stage].split(along, factor=vector)
            s[stage].reorder(by_rows, by_columns, first, second, depth, along, lanes)
            s[stage].vectorize(lanes)
        else:
            by_rows, rest = s[stage].split(s[stage].fuse(*s[stage].op.axis), nparts=threads)
            by_columns, _ = s[stage].split(rest, nparts=threads)
        s[stage].bind(by_rows, ty)
        s[stage].bind(by_columns, tx)
    for stage in registers:
        s[stage].compute_at(s[sums], rci)
    return s, [a, w, b]


@pytest.mark.parametrize(("filters", "batch", "tile", "vector"), [(8, 8, 2, 1), (16, 8, 4, 2)])
def test_convolution(filters: int, batch: int, tile: int, vector: int) -> None:
    size, channels = 3, 4
    program = convolution(size, channels, filters, batch, 3, 2, tile, vector)
    module = tilewright.build(*program, "cuda", device="simulator")
    source = module.get_source()
    assert "cuda.shared.array(" in source and ("device.load2(" in source) == (vector == 2)
    x = RANDOM.normal(size=(size, size, channels, batch)).astype(np.float32)
    w = RANDOM.normal(size=(3, 3, channels, filters)).astype(np.float32)
    around = np.pad(x.astype(np.float64), ((1, 1), (1, 1), (0, 0), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(around, (3, 3), (0, 1))  # y, x, c, n, ry, rx
    close(module(x, w), np.einsum("yxcnij,ijcf->yxfn", windows, w.astype(np.float64)))


def tensor_core_matmul(m: int, n: int, depth: int, dtype: str):
    """Return the schedule of the example: fragments of a warp, loaded by ldmatrix and multiplied by mma.sync."""
    path = Path(__file__).parents[3] / "examples" / "tensor_core_matmul.py"
    spec = importlib.util.spec_from_file_location("tensor_core_matmul", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.product(m, n, depth, dtype)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_tensor_core_matmul(dtype: str) -> None:
    m, n, depth = 64, 40, 33
    module = tilewright.build(*tensor_core_matmul(m, n, depth, dtype), "cuda", device="simulator")
    assert f"device.mma_m16n8k16_{'f16' if dtype == 'float16' else 'bf16'}(" in module.get_source()
    narrow = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    x, y = RANDOM.normal(size=(m, depth)).astype(narrow), RANDOM.normal(size=(depth, n)).astype(narrow)
    bias = RANDOM.normal(size=n).astype(np.float32)
    close(module(x, y, bias), np.maximum(x.astype(np.float64) @ y.astype(np.float64) + bias, 0))


@pytest.mark.parametrize(
    "program",
    [
        lambda: batch_matmul(3, 16, 24, 4),
        lambda: convolution(4, 4, 8, 8, 3, 2, 2),
        lambda: convolution(4, 4, 16, 8, 3, 2, 4, 2),
        lambda: tensor_core_matmul(64, 64, 32, "float16"),
    ],
)
def test_they_are_compiled(nvvm, program) -> None:
    ptx = tilewright.build(*program(), "cuda").get_source("ptx")
    assert ".visible .entry" in ptx and ".f64" not in ptx
    assert ("mma.sync.aligned.m16n8k16" in ptx) == ("ldmatrix" in ptx)
