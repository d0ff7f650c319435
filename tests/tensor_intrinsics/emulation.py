"""Instructions of other machines as functions that this one runs, so that the text of a kernel can be run anywhere.

A kernel's text calls instructions as LLVM's intrinsics; here their names are replaced by those of functions.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np
from tilewright.schedule.product_kernels import ProductKernel
from tilewright.toolchain import load_functions

_TILES = """
#include <string.h>
static unsigned char tiles[8][16][64], configured;
static void fail(void) { __builtin_trap(); }

void emulated_ldtilecfg(const unsigned char *c) {
  if (c[0] != 1) fail();
  for (int t = 0; t < 8; ++t)
    if (c[16 + 2 * t] != 64 || c[17 + 2 * t] != 0 || c[48 + t] != 16) fail();
  configured = 1;
}
void emulated_tilerelease(void) { configured = 0; memset(tiles, 0xcd, sizeof tiles); }
void emulated_tilezero(char t) { if (!configured) fail(); memset(tiles[(int)t], 0, 1024); }
void emulated_tileloadd64(char t, const char *p, long stride) {
  if (!configured) fail();
  for (int r = 0; r < 16; ++r) memcpy(tiles[(int)t][r], p + r * stride, 64);
}
void emulated_tilestored64(char t, char *p, long stride) {
  if (!configured) fail();
  for (int r = 0; r < 16; ++r) memcpy(p + r * stride, tiles[(int)t][r], 64);
}
#define DOT(name, left, right)                                                            \\
  void emulated_##name(char d, char a, char b) {                                          \\
    int *c = (int *)tiles[(int)d];                                                        \\
    for (int m = 0; m < 16; ++m)                                                          \\
      for (int k = 0; k < 16; ++k)                                                        \\
        for (int n = 0; n < 16; ++n)                                                      \\
          for (int q = 0; q < 4; ++q)                                                     \\
            c[16 * m + n] += (int)((left *)tiles[(int)a][m])[4 * k + q] *                 \\
                             (int)((right *)tiles[(int)b][k])[4 * n + q];                 \\
  }
DOT(tdpbssd, signed char, signed char)
DOT(tdpbsud, signed char, unsigned char)
DOT(tdpbusd, unsigned char, signed char)
DOT(tdpbuud, unsigned char, unsigned char)
static float number(unsigned short h) { unsigned u = (unsigned)h << 16; float f; memcpy(&f, &u, 4); return f; }
void emulated_tdpbf16ps(char d, char a, char b) {
  float *c = (float *)tiles[(int)d];
  for (int m = 0; m < 16; ++m)
    for (int k = 0; k < 16; ++k)
      for (int n = 0; n < 16; ++n)
        for (int q = 0; q < 2; ++q)
          c[16 * m + n] += number(((unsigned short *)tiles[(int)a][m])[2 * k + q]) *
                           number(((unsigned short *)tiles[(int)b][k])[2 * n + q]);
}
"""


def _dot(name: str, lanes: int, bits: int, left: str, right: str, *, accumulates: bool) -> str:
    """Return a sum of the products in each 32 bits of two vectors."""
    group, whole, wide = 32 // bits, f"<{lanes} x i32>", f"<{lanes * 32 // bits} x i32>"
    vector = f"<{lanes * group} x i{bits}>"
    parameters = f"{whole} %acc, {vector} %x, {vector} %y" if accumulates else f"{vector} %x, {vector} %y"
    lines = [
        f"define internal {whole} @{name}({parameters}) {{",
        f"  %a = {left} {vector} %x to {wide}",
        f"  %b = {right} {vector} %y to {wide}",
        f"  %p = mul {wide} %a, %b",
    ]
    total = "%acc" if accumulates else "zeroinitializer"
    for q in range(group):
        order = ", ".join(f"i32 {group * lane + q}" for lane in range(lanes))
        lines.append(f"  %q{q} = shufflevector {wide} %p, {wide} poison, <{lanes} x i32> <{order}>")
        lines.append(f"  %s{q} = add {whole} {total}, %q{q}")
        total = f"%s{q}"
    return "\n".join((*lines, f"  ret {whole} {total}", "}"))


def _dot_of_bf16() -> str:
    lines = [
        "define internal <16 x float> @emulated_avx512bf16_dpbf16ps_512"
        "(<16 x float> %acc, <32 x bfloat> %x, <32 x bfloat> %y) {",
        "  %a = fpext <32 x bfloat> %x to <32 x float>",
        "  %b = fpext <32 x bfloat> %y to <32 x float>",
        "  %p = fmul <32 x float> %a, %b",
    ]
    total = "%acc"
    for q in range(2):
        order = ", ".join(f"i32 {2 * lane + q}" for lane in range(16))
        lines.append(f"  %q{q} = shufflevector <32 x float> %p, <32 x float> poison, <16 x i32> <{order}>")
        lines.append(f"  %s{q} = fadd <16 x float> {total}, %q{q}")
        total = f"%s{q}"
    return "\n".join((*lines, f"  ret <16 x float> {total}", "}"))


def _saturated_pairs(name: str, lanes: int) -> str:
    """Return sums of two products of a byte without sign and one with it, saturated to 16 bits."""
    bytes_, wide = f"<{4 * lanes} x i8>", f"<{4 * lanes} x i32>"
    whole, halves = f"<{2 * lanes} x i32>", f"<{2 * lanes} x i16>"
    lines = [
        f"define internal {halves} @{name}({bytes_} %x, {bytes_} %y) {{",
        f"  %a = zext {bytes_} %x to {wide}",
        f"  %b = sext {bytes_} %y to {wide}",
        f"  %p = mul {wide} %a, %b",
    ]
    for q in range(2):
        order = ", ".join(f"i32 {2 * pair + q}" for pair in range(2 * lanes))
        lines.append(f"  %q{q} = shufflevector {wide} %p, {wide} poison, <{2 * lanes} x i32> <{order}>")
    return "\n".join(
        (
            *lines,
            f"  %s = add {whole} %q0, %q1",
            f"  %high = icmp sgt {whole} %s, splat (i32 32767)",
            f"  %t = select <{2 * lanes} x i1> %high, {whole} splat (i32 32767), {whole} %s",
            f"  %low = icmp slt {whole} %t, splat (i32 -32768)",
            f"  %u = select <{2 * lanes} x i1> %low, {whole} splat (i32 -32768), {whole} %t",
            f"  %r = trunc {whole} %u to {halves}",
            f"  ret {halves} %r",
            "}",
        )
    )


def _permuted(name: str, lanes: int) -> str:
    """Return a choice: each byte is one of two vectors side by side, by seven bits of a number."""
    bytes_, both = f"<{lanes} x i8>", f"<{2 * lanes} x i8>"
    order = ", ".join(f"i32 {k}" for k in range(2 * lanes))
    lines = [
        f"define internal {bytes_} @{name}({bytes_} %a, {bytes_} %n, {bytes_} %b) {{",
        f"  %s = shufflevector {bytes_} %a, {bytes_} %b, <{2 * lanes} x i32> <{order}>",
        f"  %m = and {bytes_} %n, splat (i8 {2 * lanes - 1})",
    ]
    before = "poison"
    for k in range(lanes):
        lines += [
            f"  %i{k} = extractelement {bytes_} %m, i64 {k}",
            f"  %e{k} = extractelement {both} %s, i8 %i{k}",
            f"  %r{k} = insertelement {bytes_} {before}, i8 %e{k}, i64 {k}",
        ]
        before = f"%r{k}"
    return "\n".join((*lines, f"  ret {bytes_} {before}", "}"))


def _dots(names: dict[str, int], left: str, right: str) -> dict[str, str]:
    """Return sums of four products of bytes that are added to words, by name, with the number of words."""
    return {name: _dot(name, lanes, 8, left, right, accumulates=True) for name, lanes in names.items()}


_VECTORS = {
    "emulated_sse2_pmadd_wd": _dot("emulated_sse2_pmadd_wd", 4, 16, "sext", "sext", accumulates=False),
    "emulated_avx2_pmadd_wd": _dot("emulated_avx2_pmadd_wd", 8, 16, "sext", "sext", accumulates=False),
    "emulated_avx512_pmaddw_d_512": _dot("emulated_avx512_pmaddw_d_512", 16, 16, "sext", "sext", accumulates=False),
    **{
        f"emulated_avx512_vpdpwssd_{width}": _dot(
            f"emulated_avx512_vpdpwssd_{width}", width // 32, 16, "sext", "sext", accumulates=True
        )
        for width in (256, 512)
    },
    **_dots({f"emulated_avx512_vpdpbusd_{width}": width // 32 for width in (128, 256, 512)}, "zext", "sext"),
    **_dots({f"emulated_avx2_vpdpbssd_{width}": width // 32 for width in (128, 256)}, "sext", "sext"),
    **_dots({f"emulated_avx2_vpdpbuud_{width}": width // 32 for width in (128, 256)}, "zext", "zext"),
    **_dots({f"emulated_neon_sdot_v{n}i32_v{4 * n}i8": n for n in (2, 4)}, "sext", "sext"),
    **_dots({f"emulated_neon_udot_v{n}i32_v{4 * n}i8": n for n in (2, 4)}, "zext", "zext"),
    **_dots({f"emulated_neon_usdot_v{n}i32_v{4 * n}i8": n for n in (2, 4)}, "zext", "sext"),
    **{
        name: _saturated_pairs(name, lanes)
        for name, lanes in {
            "emulated_ssse3_pmadd_ub_sw_128": 4,
            "emulated_avx2_pmadd_ub_sw": 8,
            "emulated_avx512_pmaddubs_w_512": 16,
        }.items()
    },
    "emulated_avx512bf16_dpbf16ps_512": _dot_of_bf16(),
    "emulated_avx512_vpermi2var_qi_512": _permuted("emulated_avx512_vpermi2var_qi_512", 64),
}


def emulated(text: str) -> str:
    """Return the text of a kernel with functions in place of instructions."""
    text = re.sub(r"llvm\.(?:x86|aarch64)\.([\w.]+)", lambda m: f"emulated_{m[1].replace('.', '_')}", text)
    text = text.replace("i8 immarg", "i8")
    used = [name for name in _VECTORS if f"@{name}(" in text]
    text = "\n".join(line for line in text.splitlines() if not any("declare" in line and n in line for n in used))
    return "\n".join((text, *(_VECTORS[name] for name in used)))


def native_kernel(kernel: ProductKernel, text: str) -> Any:
    """Return the kernel as a function of three arrays and its numbers."""
    address = load_functions((("llvm", emulated(text)), ("c", _TILES)), (kernel.name,))[kernel.name]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, *[ctypes.c_int] * 5)(address)

    def call(c: np.ndarray, a: np.ndarray, b: np.ndarray, *numbers: int) -> None:
        function(c.ctypes.data, a.ctypes.data, b.ctypes.data, *numbers)

    return call
