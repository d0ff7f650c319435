"""Products of bytes as pairs of 16-bit numbers: `pmaddwd` of SSE2, AVX2 and AVX-512, `vpdpwssd` of VNNI.

Signed and unsigned bytes are widened during packing, so that a pair of products and its sum are exact. The accumulated
result wraps around in 32 bits.
"""

from __future__ import annotations

from .register_tile import ALL_BYTES, RegisterTile, register_kernel

_OPERANDS = (*ALL_BYTES, ("int16", "int16"))
_PACKED = ("int16", "int16")


def _multiply_and_add(intrinsic: str, rows: int, lanes: int) -> RegisterTile:
    sums, pairs = f"<{lanes} x i32>", f"<{2 * lanes} x i16>"
    return RegisterTile(
        rows,
        2,
        lanes,
        "i32",
        2,
        pairs,
        (f"declare {sums} @llvm.x86.{intrinsic}({pairs}, {pairs})",),
        (
            f"{{new}}.terms = call {sums} @llvm.x86.{intrinsic}({pairs} {{left}}, {pairs} {{right}})",
            f"{{new}} = add {sums} {{old}}, {{new}}.terms",
        ),
    )


def _accumulate(width: int, rows: int) -> RegisterTile:
    lanes = width // 32
    sums, pairs = f"<{lanes} x i32>", f"<{2 * lanes} x i16>"
    intrinsic = f"llvm.x86.avx512.vpdpwssd.{width}"
    return RegisterTile(
        rows,
        2,
        lanes,
        "i32",
        2,
        pairs,
        (f"declare {sums} @{intrinsic}({sums}, {pairs}, {pairs})",),
        (f"{{new}} = call {sums} @{intrinsic}({sums} {{old}}, {pairs} {{left}}, {pairs} {{right}})",),
    )


KERNELS = (
    register_kernel(
        "pmaddwd_sse2", ("sse2",), _OPERANDS, _PACKED, "int32", 16, _multiply_and_add("sse2.pmadd.wd", 4, 4)
    ),
    register_kernel(
        "pmaddwd_avx2", ("avx2",), _OPERANDS, _PACKED, "int32", 32, _multiply_and_add("avx2.pmadd.wd", 4, 8)
    ),
    register_kernel(
        "pmaddwd_avx512",
        ("avx512bw",),
        _OPERANDS,
        _PACKED,
        "int32",
        60,
        _multiply_and_add("avx512.pmaddw.d.512", 8, 16),
    ),
    register_kernel("vpdpwssd_avxvnni", ("avxvnni",), _OPERANDS, _PACKED, "int32", 33, _accumulate(256, 4)),
    register_kernel("vpdpwssd_avx512", ("avx512vnni",), _OPERANDS, _PACKED, "int32", 64, _accumulate(512, 8)),
)
