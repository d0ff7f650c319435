"""Tiles of matrices in scopes wmma.*, by the calls that classic programs make, in the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError

N = 16


def declared(tensor: Any, scope: str) -> Any:
    return tir.decl_buffer(tensor.shape, tensor.dtype, tensor.name, scope=scope, data_alignment=32, offset_factor=256)


def call(name: str, *arguments: Any) -> Any:
    ib = tir.ir_builder.create()
    ib.emit(tir.call_intrin("handle", f"tir.{name}", *arguments))
    return ib.get()


def load(scope: str, layout: str = "row_major", memory: str = "shared", dtype: str = "float16") -> Any:
    tile = te.placeholder((N, N), dtype, "tile")
    copy = te.compute((N, N), lambda i, j: tile[i, j], name="copy")
    binds = {tile: declared(tile, memory), copy: declared(copy, scope)}

    def body(ins: Any, outs: Any) -> Any:
        at = outs[0].elem_offset // 256
        return call("tvm_load_matrix_sync", outs[0].data, N, N, N, at, ins[0].access_ptr("r"), N, layout)

    return te.decl_tensor_intrin(copy.op, body, "load", binds=binds)


def product(turned: bool = False, dtype: str = "float16", start: Any = 0.0, result: str = "float32") -> Any:
    left, right = te.placeholder((N, N), dtype, "left"), te.placeholder((N, N), dtype, "right")
    k = te.reduce_axis((0, N), "k")

    def term(i: Any, j: Any) -> Any:
        return te.sum(left[i, k].astype(result) * right[(j, k) if turned else (k, j)].astype(result), axis=k)

    sums = te.compute((N, N), term, name="sums")
    scopes = {left: "wmma.matrix_a", right: "wmma.matrix_b", sums: "wmma.accumulator"}

    def body(ins: Any, outs: Any) -> Any:
        (a, b), (c,) = ins, outs
        pairs = [each for buffer in (c, a, b, c) for each in (buffer.data, buffer.elem_offset // 256)]
        update = call("tvm_mma_sync", *pairs)
        return update, call("tvm_fill_fragment", c.data, N, N, N, c.elem_offset // 256, start), update

    binds = {tensor: declared(tensor, scope) for tensor, scope in scopes.items()}
    return te.decl_tensor_intrin(sums.op, body, "product", binds=binds)


def store() -> Any:
    tile = te.placeholder((N, N), "float32", "tile")
    copy = te.compute((N, N), lambda i, j: tile[i, j], name="copy")
    binds = {tile: declared(tile, "wmma.accumulator"), copy: declared(copy, "global")}

    def body(ins: Any, outs: Any) -> Any:
        at = ins[0].elem_offset // 256
        return call("tvm_store_matrix_sync", ins[0].data, N, N, N, at, outs[0].access_ptr("w"), N, "row_major")

    return te.decl_tensor_intrin(copy.op, body, "store", binds=binds)


def matmul(m: int, n: int, k: int, turned: bool, memory: str, dtype: str) -> tuple[Any, list[Any]]:
    """Schedule C = A B, or A times B transposed; a warp computes a tile of 16 x 16."""
    a = te.placeholder((m, k), dtype, "A")
    b = te.placeholder((n, k) if turned else (k, n), dtype, "B")
    t = te.reduce_axis((0, k), "t")
    c = te.compute(
        (m, n),
        lambda i, j: te.sum(a[i, t].astype("float32") * b[(j, t) if turned else (t, j)].astype("float32"), axis=t),
        name="C",
    )
    s = te.create_schedule(c.op)
    staged = [s.cache_read(x, "shared", [c]) for x in (a, b)] if memory == "shared" else [a, b]
    tiles = [s.cache_read(x, scope, [c]) for x, scope in zip(staged, ("wmma.matrix_a", "wmma.matrix_b"), strict=True)]
    sums = s.cache_write(c, "wmma.accumulator")
    warps = te.thread_axis("threadIdx.y")
    rows, columns = c.op.axis
    (by, rows), (bx, columns) = s[c].split(rows, factor=N), s[c].split(columns, factor=2 * N)
    wx, columns = s[c].split(columns, factor=N)
    s[c].reorder(by, bx, wx, rows, columns)
    for axis, thread in ((by, te.thread_axis("blockIdx.y")), (bx, te.thread_axis("blockIdx.x")), (wx, warps)):
        s[c].bind(axis, thread)
    s[c].tensorize(rows, store())
    s[sums].compute_at(s[c], wx)
    step, terms = s[sums].split(sums.op.reduce_axis[0], factor=N)
    s[sums].reorder(step, *sums.op.axis, terms)
    s[sums].tensorize(sums.op.axis[0], product(turned, dtype))
    for x in staged if memory == "shared" else ():
        s[x].compute_at(s[sums], step)
        rest, lanes = s[x].split(s[x].fuse(*x.op.axis), factor=32)
        rest, inner = s[x].split(rest, factor=2)
        s[x].bind(lanes, te.thread_axis((0, 32), "threadIdx.x"))
        s[x].bind(inner, warps)
    layouts = ("row_major", "col_major" if turned else "row_major")
    for x, scope, layout in zip(tiles, ("wmma.matrix_a", "wmma.matrix_b"), layouts, strict=True):
        s[x].compute_at(s[sums], step)
        s[x].tensorize(x.op.axis[0], load(scope, layout, memory, dtype))
    return s, [a, b, c]


@pytest.mark.parametrize(
    ("turned", "memory", "dtype"),
    [
        (False, "shared", "float16"),
        (True, "shared", "float16"),
        (True, "global", "float16"),
        (False, "global", "bfloat16"),
    ],
)
def test_products_of_tiles(turned: bool, memory: str, dtype: str) -> None:
    s, args = matmul(32, 64, 48, turned, memory, dtype)
    kernel = tvm.build(s, args, "cuda", device="simulator")
    source = kernel.get_source()
    assert "device.mma_" in source and ("device.ldmatrix" in source) == (memory == "shared")
    rng = np.random.default_rng(0)
    from tilewright.dialects.dtypes import numpy_dtype

    shapes = ((32, 48), (64, 48) if turned else (48, 64))
    a, b = (rng.standard_normal(shape).astype(numpy_dtype(dtype)) for shape in shapes)
    c = np.zeros((32, 64), np.float32)
    kernel(a, b, c)
    wide = [x.astype(np.float64) for x in (a, b)]
    np.testing.assert_allclose(c, wide[0] @ (wide[1].T if turned else wide[1]), atol=1e-3)


def convolution(images: int, size: int, inner: int, outer: int, warps: int, steps: int) -> tuple[Any, list[Any]]:
    """Return a convolution by 3 x 3 with padding 1 of 16 images and 16 channels at a time. A block of warps x warps
    warps computes a pixel; a warp computes two tiles of 16 x 16, and `steps` of its input channels are fetched at
    once."""
    a = te.placeholder((images, size, size, inner, N, N), "float16", "A")
    w = te.placeholder((3, 3, inner, outer, N, N), "float16", "W")
    around = te.compute(
        (images, size + 2, size + 2, inner, N, N),
        lambda n, y, x, c, i, k: tir.if_then_else(
            tir.all(y >= 1, y - 1 < size, x >= 1, x - 1 < size), a[n, y - 1, x - 1, c, i, k], tir.const(0.0, "float16")
        ),
        name="around",
    )
    dy, dx, c, t = (
        te.reduce_axis((0, extent), name) for extent, name in ((3, "dy"), (3, "dx"), (inner, "c"), (N, "t"))
    )
    out = te.compute(
        (images, size, size, outer, N, N),
        lambda n, y, x, o, i, j: te.sum(
            around[n, y + dy, x + dx, c, i, t].astype("float32") * w[dy, dx, c, o, t, j].astype("float32"),
            axis=[dy, dx, c, t],
        ),
        name="out",
    )
    s = te.create_schedule(out.op)
    s[around].compute_inline()
    staged = [s.cache_read(x, "shared", [out]) for x in (around, w)]
    tiles = [s.cache_read(x, scope, [out]) for x, scope in zip(staged, ("wmma.matrix_a", "wmma.matrix_b"), strict=True)]
    sums = s.cache_write(out, "wmma.accumulator")
    by_rows, by_columns = te.thread_axis((0, warps), "threadIdx.y"), te.thread_axis((0, warps), "threadIdx.z")
    n, y, x, o, i, j = out.op.axis
    pixel = s[out].fuse(y, x)
    bx, n = s[out].split(n, factor=warps)
    by, o = s[out].split(o, factor=2 * warps)
    wz, o = s[out].split(o, factor=2)
    s[out].reorder(pixel, bx, by, n, wz, o, i, j)
    for axis, tag in ((pixel, "blockIdx.z"), (bx, "blockIdx.x"), (by, "blockIdx.y")):
        s[out].bind(axis, te.thread_axis(tag))
    s[out].bind(n, by_rows)
    s[out].bind(wz, by_columns)
    s[out].tensorize(i, store())
    s[sums].compute_at(s[out], wz)
    n, _, _, o, i, j = sums.op.axis
    dy, dx, c, t = sums.op.reduce_axis
    co, ci = s[sums].split(c, factor=steps)
    s[sums].reorder(co, dy, ci, dx, n, o, i, j, t)
    s[sums].tensorize(i, product())
    for fetched, axis in zip(staged, (0, 3), strict=True):
        s[fetched].compute_at(s[sums], dy)
        row, rest = s[fetched].split(fetched.op.axis[axis], nparts=warps)
        column, _ = s[fetched].split(rest, nparts=warps)
        _, lanes = s[fetched].split(s[fetched].fuse(*fetched.op.axis[-2:]), factor=32)
        s[fetched].bind(row, by_rows)
        s[fetched].bind(column, by_columns)
        s[fetched].bind(lanes, te.thread_axis((0, 32), "threadIdx.x"))
    for tile, scope in zip(tiles, ("wmma.matrix_a", "wmma.matrix_b"), strict=True):
        s[tile].compute_at(s[sums], dx)
        s[tile].tensorize(tile.op.axis[-2], load(scope))
    return s, [a, w, out]


def test_a_convolution_of_tiles() -> None:
    images, size, inner, outer = 2, 2, 2, 4
    s, args = convolution(images, size, inner, outer, 2, 2)
    with tvm.transform.PassContext(config={"tir.UnrollLoop": {"auto_max_step": 16}}):
        kernel = tvm.build(s, args, "cuda", device="simulator")
    assert "device.mma_" in kernel.get_source() and "device.ldmatrix" in kernel.get_source()
    rng = np.random.default_rng(0)
    a = rng.standard_normal((images, size, size, inner, N, N)).astype(np.float16)
    w = rng.standard_normal((3, 3, inner, outer, N, N)).astype(np.float16)
    result = np.zeros((images, size, size, outer, N, N), np.float32)
    kernel(a, w, result)
    around = np.pad(a.astype(np.float64), ((0, 0), (1, 1), (1, 1), (0, 0), (0, 0), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(around, (3, 3), (1, 2))  # n, y, x, c, i, t, dy, dx
    expected = np.einsum("nyxcitab,abcotj->nyxoij", windows, w.astype(np.float64), optimize=True)
    np.testing.assert_allclose(result, expected, atol=1e-3)


def test_fill_starts_where_it_says() -> None:
    """An intrinsic that starts from 1 is found out when it is checked: its description starts from 0."""
    intrinsic = product(start=1.0)
    assert intrinsic.body is None and intrinsic.reset is not None and intrinsic.update is not None
    with pytest.raises(TilewrightError, match="TW0430.*reset and update"):
        intrinsic.check()


REFUSED: dict[str, tuple[Any, str]] = {
    "bytes": (lambda: product(dtype="int8"), "expected tiles of float16 or bfloat16 as operands, but got int8"),
    "narrow results": (lambda: product(result="float16"), "expected tiles of float32 as results"),
    "layout": (lambda: load("wmma.matrix_a", "diagonal"), "expected a layout row_major or col_major"),
    "scope": (lambda: load("wmma.accumulator"), "expected to load a tile of scope 'wmma.matrix_a'"),
    "number": (lambda: product(start="x"), "expected a number to fill a tile with"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    make, message = REFUSED[name]
    with pytest.raises(TilewrightError, match="TW0430") as raised:
        make()
    assert message in str(raised.value)


def test_another_tile_of_a_buffer_is_refused() -> None:
    tile = te.placeholder((N, N), "float16", "tile")
    copy = te.compute((N, N), lambda i, j: tile[i, j], name="copy")
    binds = {tile: declared(tile, "shared"), copy: declared(copy, "wmma.matrix_a")}

    def body(ins: Any, outs: Any) -> Any:
        at = outs[0].elem_offset // 256 + 1
        return call("tvm_load_matrix_sync", outs[0].data, N, N, N, at, ins[0].access_ptr("r"), N, "row_major")

    with pytest.raises(TilewrightError, match="TW0430.*the number of the tile that starts"):
        te.decl_tensor_intrin(copy.op, body, "load", binds=binds)


def test_foreign_code_gets_no_tile() -> None:
    tile = declared(te.placeholder((N, N), "float16", "tile"), "wmma.matrix_a")
    with pytest.raises(TilewrightError, match="TW0430.*'tile' is a tile of a matrix"):
        tir.call_extern("int32", "f", tile.access_ptr("r"))


def test_a_tile_that_lies_elsewhere_is_refused() -> None:
    a = te.placeholder((N, N), "float16", "A")
    b = te.compute((N, N), lambda i, j: a[i, j], name="B")
    s = te.create_schedule(b.op)
    copy = s.cache_read(a, "local", [b])
    s[copy].tensorize(copy.op.axis[0], load("wmma.matrix_a", memory="global"))
    with pytest.raises(TilewrightError, match="TW0426.*in scope 'warp.mma_a', but it lies in scope 'local'"):
        tvm.lower(s, [a, b])
