"""Products of unsigned and signed bytes, four at once: `vpdpbusd` of AVX-512 VNNI and AVX-VNNI.

The instruction takes its first operand as unsigned and its second as signed; the sum of four products never
saturates. Which of the two is the left matrix does not matter to it, so there is a kernel for each.
"""

from __future__ import annotations

from ....schedule.product_kernels import ProductKernel
from .family import register_kernel
from .register_tile import RegisterTile


def _tile(width: int, rows: int, *, left_unsigned: bool) -> RegisterTile:
    lanes = width // 32
    sums, bytes_ = f"<{lanes} x i32>", f"<{4 * lanes} x i8>"
    intrinsic = f"llvm.x86.avx512.vpdpbusd.{width}"
    unsigned, signed = ("left", "right") if left_unsigned else ("right", "left")
    call = f"call {sums} @{intrinsic}({sums} {{old}}, {bytes_} {{{unsigned}}}, {bytes_} {{{signed}}})"
    return RegisterTile(
        rows,
        2,
        lanes,
        "i32",
        1,
        bytes_,
        (f"declare {sums} @{intrinsic}({sums}, {bytes_}, {bytes_})",),
        (f"{{new}} = {call}",),
    )


def _kernels(feature: str, width: int, rows: int, speed: float) -> tuple[ProductKernel, ProductKernel]:
    def kernel(name: str, left: str, right: str) -> ProductKernel:
        tile = _tile(width, rows, left_unsigned=left == "uint8")
        return register_kernel(name, (feature,), ((left, right),), (left, right), "int32", speed, tile)

    return (
        kernel(f"vpdpbusd_{feature}", "uint8", "int8"),
        kernel(f"vpdpbusd_{feature}_swapped", "int8", "uint8"),
    )


KERNELS = (*_kernels("avxvnni", 256, 4, 64), *_kernels("avx512vnni", 512, 8, 128))
