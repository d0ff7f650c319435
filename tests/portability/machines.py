"""The machines that programs are built for here: targets, and which programs each of them can get wrong."""

from __future__ import annotations

from collections.abc import Sequence

from .cases import cases

SSE2 = "llvm -mcpu=x86-64"
WITHOUT_FMA = "llvm -mcpu=x86-64-v3 -mattr=-fma"
SCALAR = "llvm -mcpu=x86-64 -vector-width=8"
AVX512 = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4"
NEON = "llvm -mtriple=aarch64-linux-gnu"

FUNCTIONS = "functions"

_CHOSEN = {
    WITHOUT_FMA: ("matmul", "convolution", "softmax"),
    SCALAR: ("matmul", "softmax", "masks_and_gathers", "narrow_arithmetic", "roundings"),
    AVX512: ("matmul", "convolution", "reductions", "masks_and_gathers", "narrow_arithmetic"),
}


def programs_on(target: str) -> Sequence[str]:
    """Return the names of the programs that are built for a target: all, where it is not said otherwise."""
    return _CHOSEN.get(target, (*cases(), FUNCTIONS))
