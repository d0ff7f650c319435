"""Tensor intrinsics under the names of `topi.x86.tensor_intrin`."""

from __future__ import annotations

from ... import te
from ...schedule.tensor_intrinsics import TensorIntrin


def dot_16x1x16_uint8_int8_int32() -> TensorIntrin:
    """Return the intrinsic `output[i] = sum of data[k] * kernel[i, k]` for 16 rows of 4 bytes, data unsigned, kernel
    signed, in int32."""
    data = te.placeholder((4,), "uint8", "data")
    kernel = te.placeholder((16, 4), "int8", "kernel")
    k = te.reduce_axis((0, 4), name="k")
    output = te.compute(
        (16,), lambda i: te.sum(data[k].astype("int32") * kernel[i, k].astype("int32"), axis=k), name="output"
    )
    return te.decl_tensor_intrin(
        output.op, lambda ins, outs: te.described(i="vectorized", k="unrolled"), "dot_16x1x16_uint8_int8_int32"
    )


dot_16x1x16_uint8_int8_int32_skylake = dot_16x1x16_uint8_int8_int32
dot_16x1x16_uint8_int8_int32_cascadelake = dot_16x1x16_uint8_int8_int32
