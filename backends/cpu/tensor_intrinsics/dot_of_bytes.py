"""Products of unsigned and signed bytes, four at once: `vpdpbusd` of AVX-512 VNNI and AVX-VNNI.

The first operand of the instruction is unsigned and the second signed; the sum of four products never saturates. Either
operand may be the left matrix, so there is a kernel for each case. If both matrices are signed, the left one is packed
as unsigned bytes by adding 128, and the initial values of the sums compensate for it.

There are two shapes of tiles for 512 bits. The wide one loads ten vectors for 24 instructions, the narrow one ten for
16. The narrow one is used for results with few columns, or with a number of columns that leaves wide tiles mostly
empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....schedule.product_kernels import ProductKernel
from .register_tile import RegisterTile, register_kernel

Extents = tuple[int, int, int]
"""The rows, vectors and steps of a tile."""


def _tile(width: int, extents: Extents, *, left_unsigned: bool, left_offset: int = 0) -> RegisterTile:
    lanes = width // 32
    rows, vectors, steps = extents
    sums, bytes_ = f"<{lanes} x i32>", f"<{4 * lanes} x i8>"
    intrinsic = f"llvm.x86.avx512.vpdpbusd.{width}"
    unsigned, signed = ("left", "right") if left_unsigned else ("right", "left")
    call = f"call {sums} @{intrinsic}({sums} {{old}}, {bytes_} {{{unsigned}}}, {bytes_} {{{signed}}})"
    return RegisterTile(
        rows,
        vectors,
        lanes,
        "i32",
        1,
        bytes_,
        (f"declare {sums} @{intrinsic}({sums}, {bytes_}, {bytes_})",),
        (f"{{new}} = {call}",),
        left_offset,
        steps,
    )


def _kernels(feature: str, width: int, extents: Extents, speed: float, suffix: str = "") -> Iterator[ProductKernel]:
    name, features = f"vpdpbusd_{feature}{suffix}", (feature,)
    unsigned, signed = "uint8", "int8"
    for order, left, right in (("", unsigned, signed), ("_swapped", signed, unsigned)):
        tile = _tile(width, extents, left_unsigned=left == unsigned)
        yield register_kernel(name + order, features, ((left, right),), (left, right), "int32", speed, tile)
    tile = _tile(width, extents, left_unsigned=True, left_offset=128)
    packed = unsigned, signed
    yield register_kernel(f"{name}_signed", features, ((signed, signed),), packed, "int32", speed, tile)


KERNELS = (
    *_kernels("avxvnni", 256, (4, 2, 4), 64),
    *_kernels("avx512vnni", 512, (6, 4, 8), 128),
    *_kernels("avx512vnni", 512, (8, 2, 4), 112, "_narrow"),
)
