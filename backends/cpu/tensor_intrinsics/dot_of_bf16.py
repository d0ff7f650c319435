"""Products of bfloat16: in pairs by `vdpbf16ps` of AVX-512, or widened to float32 during packing.

Both kernels accumulate in float32. `vdpbf16ps` flushes denormals to zero and rounds to nearest even in every rounding
mode. Intel's cores issue one 512-bit `vdpbf16ps` every second cycle, or four multiply-adds of float32 in that time,
which compute twice as many products. AMD's cores issue as many of either; `sse4a` identifies them, since no Intel core
has it.
"""

from __future__ import annotations

from .register_tile import RegisterTile, register_kernel

_NARROW = ("bfloat16", "float16")
_WIDENED = tuple((left, right) for left in _NARROW for right in _NARROW)


def _pairs(rows: int) -> RegisterTile:
    sums, pairs, intrinsic = "<16 x float>", "<32 x bfloat>", "llvm.x86.avx512bf16.dpbf16ps.512"
    return RegisterTile(
        rows,
        2,
        16,
        "float",
        2,
        pairs,
        (f"declare {sums} @{intrinsic}({sums}, {pairs}, {pairs})",),
        (f"{{new}} = call {sums} @{intrinsic}({sums} {{old}}, {pairs} {{left}}, {pairs} {{right}})",),
    )


def _multiply_add(lanes: int, rows: int) -> RegisterTile:
    vector = f"<{lanes} x float>"
    intrinsic = f"llvm.fma.v{lanes}f32"
    return RegisterTile(
        rows,
        2,
        lanes,
        "float",
        4,
        vector,
        (f"declare {vector} @{intrinsic}({vector}, {vector}, {vector})",),
        (f"{{new}} = call {vector} @{intrinsic}({vector} {{left}}, {vector} {{right}}, {vector} {{old}})",),
    )


_SINGLE = ("float32", "float32")
_PAIRS = ("bfloat16", "bfloat16")
KERNELS = (
    register_kernel("vdpbf16ps_avx512", ("avx512bf16",), (_PAIRS,), _PAIRS, "float32", 16, _pairs(8)),
    register_kernel("vdpbf16ps_amd", ("avx512bf16", "sse4a"), (_PAIRS,), _PAIRS, "float32", 64, _pairs(8)),
    register_kernel("fma_avx2", ("avx2", "fma"), _WIDENED, _SINGLE, "float32", 16, _multiply_add(8, 4)),
    register_kernel("fma_avx512", ("avx512f",), _WIDENED, _SINGLE, "float32", 32, _multiply_add(16, 8)),
)
