"""Tensor intrinsics of topi under their classic names: schedules of classic programs, in the simulator and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from tilewright import build, te, topi
from tilewright.schedule.tensor_intrinsics import TensorIntrin

SIDE = 16
SHAPE = (SIDE, SIDE, SIDE)


def _gemm() -> TensorIntrin:
    """Return an intrinsic for sums over the products of a tile of A and a tile of B, which lies transposed."""
    a, b = te.placeholder((SIDE, SIDE), "float16", "a"), te.placeholder((SIDE, SIDE), "float16", "b")
    k = te.reduce_axis((0, SIDE), "k")
    c = te.compute(
        (SIDE, SIDE), lambda i, j: te.sum(a[i, k].astype("float32") * b[j, k].astype("float32"), axis=k), name="c"
    )
    return topi.cuda.tensor_intrin.intrin_wmma_gemm(a, b, c, [SIDE, 1], [SIDE, 1], [SIDE, 1], SHAPE)


def _batch_matmul(batches: int, rows: int, columns: int, terms: int, offset: int) -> tuple[Any, list[Any]]:
    """Return the schedule that classic programs give `batch_matmul_tensorcore`: rows in shared memory lie `offset`
    apart."""
    x = te.placeholder((batches, rows, terms), "float16", "x")
    y = te.placeholder((batches, columns, terms), "float16", "y")
    k = te.reduce_axis((0, terms), "k")
    out = te.compute(
        (batches, rows, columns),
        lambda b, i, j: te.sum(x[b, i, k].astype("float32") * y[b, j, k].astype("float32"), axis=k),
        name="out",
    )
    s = te.create_schedule(out.op)
    shared = [s.cache_read(each, "shared", [out]) for each in (x, y)]
    scopes = ("wmma.matrix_a", "wmma.matrix_b")
    tiles = [s.cache_read(each, scope, [out]) for each, scope in zip(shared, scopes, strict=True)]
    sums = s.cache_write(out, "wmma.accumulator")
    stride = 2 * SIDE + offset
    b, i, j = out.op.axis
    (by, i), (bx, j) = s[out].split(i, factor=SIDE), s[out].split(j, factor=SIDE)
    s[out].reorder(b, by, bx, i, j)
    for axis, tag in ((b, "blockIdx.z"), (by, "blockIdx.y"), (bx, "blockIdx.x")):
        s[out].bind(axis, te.thread_axis(tag))
    intrinsics = topi.cuda.tensor_intrin
    extents = (SIDE, SIDE)
    s[out].tensorize(
        i, intrinsics.intrin_wmma_store_matrix([columns, 1], [SIDE, 1], SHAPE, "float32", extents, extents)
    )
    s[sums].compute_at(s[out], bx)
    outer, inner = s[sums].split(sums.op.reduce_axis[0], factor=2 * SIDE)
    step, inner = s[sums].split(inner, factor=SIDE)
    sb, si, sj = sums.op.axis
    s[sums].reorder(sb, outer, step, si, sj, inner)
    s[sums].tensorize(si, _gemm())
    for each in shared:
        s[each].compute_at(s[sums], outer)
        s[each].storage_align(each.op.axis[1], stride - 1, stride)
        rest, lanes = s[each].split(s[each].fuse(*each.op.axis[1:]), factor=32)
        s[each].bind(lanes, te.thread_axis((0, 32), "threadIdx.x"))
    loads = (
        intrinsics.intrin_wmma_load_matrix_A([SIDE, 1], [stride, 1], SHAPE, "row_major", extents, extents, "float16"),
        intrinsics.intrin_wmma_load_matrix_W([SIDE, 1], [stride, 1], SHAPE, "col_major", extents, extents, "float16"),
    )
    for each, load in zip(tiles, loads, strict=True):
        s[each].compute_at(s[sums], step)
        s[each].tensorize(each.op.axis[1], load)
    return s, [x, y, out]


def test_batches_of_products_on_tensor_cores() -> None:
    rng = np.random.default_rng(0)
    for offset in (0, 8):
        s, args = _batch_matmul(2, 32, 16, 64, offset)
        kernel = build(s, args, "cuda", device="simulator")
        source = kernel.get_source()
        assert "device.mma_" in source and "device.ldmatrix" in source
        x, y = (rng.standard_normal(each.shape).astype(np.float16) for each in args[:2])
        result = np.zeros((2, 32, 16), np.float32)
        kernel(x, y, result)
        expected = x.astype(np.float64) @ y.astype(np.float64).transpose(0, 2, 1)
        np.testing.assert_allclose(result, expected, atol=1e-3)


def test_the_operator_and_its_schedule() -> None:
    x, y = te.placeholder((2, 32, 16), "float16", "x"), te.placeholder((2, 16, 16), "float16", "y")
    out = topi.cuda.batch_matmul_tensorcore(x, y)
    kernel = build(topi.cuda.schedule_batch_matmul_tensorcore(out), [x, y, out], "cuda", device="simulator")
    rng = np.random.default_rng(1)
    a, b = (rng.standard_normal(each.shape).astype(np.float16) for each in (x, y))
    result = np.zeros(tuple(map(int, out.shape)), out.dtype)
    kernel(a, b, result)
    expected = a.astype(np.float64) @ b.astype(np.float64).transpose(0, 2, 1)
    np.testing.assert_allclose(result.astype(np.float64), expected, rtol=2e-3, atol=1e-2)


def test_products_of_four_bytes() -> None:
    for dtypes in (("int8", "int8"), ("uint8", "uint8")):
        intrinsic = topi.cuda.tensor_intrin.dp4a(dtypes=dtypes)
        intrinsic.check()
    intrinsic = topi.cuda.tensor_intrin.dp4a()
    x, y = te.placeholder((8, 16), "int8", "x"), te.placeholder((8, 16), "int8", "y")
    k = te.reduce_axis((0, 16), "k")
    z = te.compute((8,), lambda i: te.sum(x[i, k].astype("int32") * y[i, k].astype("int32"), axis=k), name="z")
    s = te.create_schedule(z.op)
    (i,), (ko, ki) = z.op.axis, s[z].split(k, factor=4)
    io, ii = s[z].split(i, factor=1)
    s[z].reorder(io, ko, ii, ki)
    s[z].tensorize(ii, intrinsic)
    s[z].bind(io, te.thread_axis("threadIdx.x"))
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-128, 128, (8, 16)).astype(np.int8) for _ in range(2))
    result = np.zeros(8, np.int32)
    build(s, [x, y, z], "cuda", device="simulator")(a, b, result)
    np.testing.assert_array_equal(result, (a.astype(np.int32) * b).sum(1))


def test_products_of_bytes_on_a_processor() -> None:
    names = ("dot_16x1x16_uint8_int8_int32", "dot_16x1x16_uint8_int8_int32_cascadelake")
    x, w = te.placeholder((4,), "uint8", "x"), te.placeholder((2, 16, 4), "int8", "w")
    k = te.reduce_axis((0, 4), "k")
    out = te.compute(
        (2, 16), lambda o, i: te.sum(x[k].astype("int32") * w[o, i, k].astype("int32"), axis=k), name="out"
    )
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 256, 4).astype(np.uint8), rng.integers(-128, 128, (2, 16, 4)).astype(np.int8)
    for name in names:
        intrinsic = getattr(topi.x86.tensor_intrin, name)()
        intrinsic.check()
        s = te.create_schedule(out.op)
        s[out].tensorize(out.op.axis[1], intrinsic)
        for target in ("interpreter", "cpu", "c"):
            result = np.zeros((2, 16), np.int32)
            build(s, [x, w, out], target)(a, b, result)
            np.testing.assert_array_equal(result, (a.astype(np.int32) * b).sum(2), err_msg=f"{name} {target}")
