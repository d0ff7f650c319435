"""Tensor intrinsics under the names of `topi.cuda.tensor_intrin`.

Strides are those of the program's buffers, including the padding by `storage_align`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import te, tir
from ...schedule.tensor_intrinsics import TensorIntrin
from ...te import Tensor


def dp4a(
    x_scope: str = "local", y_scope: str = "local", z_scope: str = "local", dtypes: Sequence[str] = ("int8", "int8")
) -> TensorIntrin:
    """Return the intrinsic `z[0] = sum of x[k] * y[k]` for 4 bytes in a 32-bit integer, which is unsigned where y
    is."""
    result = "int32" if dtypes[1] == "int8" else "uint32"
    x, y = te.placeholder((4,), dtypes[0], "x"), te.placeholder((4,), dtypes[1], "y")
    k = te.reduce_axis((0, 4), name="rc")
    z = te.compute((1,), lambda i: te.sum(x[k].astype(result) * y[k].astype(result), axis=k), name="z")
    return te.decl_tensor_intrin(z.op, lambda ins, outs: te.described(rc="unrolled"), "dp4a")


def intrin_wmma_load_matrix_A(
    strides_dst: Sequence[Any],
    strides_from: Sequence[Any],
    shape: Sequence[int],
    layout: str,
    A_shape: Sequence[int],
    C_shape: Sequence[int],
    in_dtype: str,
) -> TensorIntrin:
    """Load a tile of the left matrix, of `A_shape`, from shared memory. `shape` is (m, n, k) of the instruction."""
    return _load("wmma.matrix_a", strides_from, shape, layout, A_shape, in_dtype)


def intrin_wmma_load_matrix_W(
    strides_dst: Sequence[Any],
    strides_from: Sequence[Any],
    shape: Sequence[int],
    layout: str,
    A_shape: Sequence[int],
    C_shape: Sequence[int],
    in_dtype: str,
) -> TensorIntrin:
    """Load a tile of the right matrix, of `A_shape`, from shared memory. `shape` is (m, n, k) of the instruction."""
    return _load("wmma.matrix_b", strides_from, shape, layout, A_shape, in_dtype)


def intrin_wmma_store_matrix(
    strides_dst: Sequence[Any],
    strides_from: Sequence[Any],
    shape: Sequence[int],
    out_dtype: str,
    A_shape: Sequence[int],
    C_shape: Sequence[int],
) -> TensorIntrin:
    """Store a tile of the result, of `C_shape`, to shared memory. `shape` is (m, n, k) of the instruction."""
    tile = te.placeholder(A_shape, out_dtype, "A")
    copy = te.compute(C_shape, lambda *i: tile(*i), name="C")
    binds = {tile: _declared(tile, "wmma.accumulator"), copy: _declared(copy, "shared")}

    def body(ins: Any, outs: Any) -> Any:
        return _statement(
            "tvm_store_matrix_sync", ins[0].data, *shape, _tile_of(ins[0]), outs[0].access_ptr("w"), strides_dst[0],
            "row_major",
        )  # fmt: skip

    return te.decl_tensor_intrin(copy.op, body, "wmma_store_matrix", binds=binds)


def intrin_wmma_gemm(
    AL_gemm: Tensor,
    WL_gemm: Tensor,
    CL_compute: Tensor,
    strides_A: Sequence[Any],
    strides_W: Sequence[Any],
    strides_Conv: Sequence[Any],
    shape: Sequence[int],
) -> TensorIntrin:
    """Multiply tiles, as `CL_compute` says of the placeholders. `shape` is (m, n, k) of the instruction."""
    scopes = {AL_gemm: "wmma.matrix_a", WL_gemm: "wmma.matrix_b", CL_compute: "wmma.accumulator"}

    def body(ins: Any, outs: Any) -> Any:
        (a, b), (c,) = ins, outs
        update = _statement("tvm_mma_sync", *(part for each in (c, a, b, c) for part in (each.data, _tile_of(each))))
        return update, _statement("tvm_fill_fragment", c.data, *shape, _tile_of(c), 0.0), update

    binds = {tensor: _declared(tensor, scope) for tensor, scope in scopes.items()}
    return te.decl_tensor_intrin(CL_compute.op, body, "wmma_gemm", binds=binds)


def _load(
    scope: str, strides: Sequence[Any], shape: Sequence[int], layout: str, extents: Sequence[int], dtype: str
) -> TensorIntrin:
    tile = te.placeholder(extents, dtype, "A")
    copy = te.compute(extents, lambda *i: tile(*i), name="C")
    binds = {tile: _declared(tile, "shared"), copy: _declared(copy, scope)}

    def body(ins: Any, outs: Any) -> Any:
        return _statement(
            "tvm_load_matrix_sync", outs[0].data, *shape, _tile_of(outs[0]), ins[0].access_ptr("r"), strides[0], layout
        )  # fmt: skip

    return te.decl_tensor_intrin(copy.op, body, "wmma_load_matrix", binds=binds)


def _declared(tensor: Tensor, scope: str) -> Any:
    factor = 1
    for extent in tensor.shape:
        factor *= int(extent)  # pyright: ignore[reportArgumentType]
    return tir.decl_buffer(
        tensor.shape, tensor.dtype, tensor.name, scope=scope, data_alignment=32, offset_factor=factor
    )  # fmt: skip


def _tile_of(buffer: Any) -> Any:
    """Return the number of a tile among those of its buffer."""
    return buffer.elem_offset // buffer.factor


def _statement(name: str, *arguments: Any) -> Any:
    ib = tir.ir_builder.create()
    ib.emit(tir.call_intrin("handle", f"tir.{name}", *arguments))
    return ib.get()
