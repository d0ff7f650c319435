"""Translation of emitted C99 to OpenCL C: other names for the same types and functions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .helpers import HELPERS, helper_source, helpers_in
from .mathematics import LIBRARY_FUNCTIONS

_WORDS = {
    "int8_t": "char",
    "int16_t": "short",
    "int32_t": "int",
    "int64_t": "long",
    "uint8_t": "uchar",
    "uint16_t": "ushort",
    "uint32_t": "uint",
    "uint64_t": "ulong",
    "INT32_MIN": "INT_MIN",
    "INT64_MIN": "LONG_MIN",
    **{f"{name}f": name for name in LIBRARY_FUNCTIONS},
}
_WORD = re.compile(r"\b(" + "|".join(_WORDS) + r")\b")
_BITS = {
    "tw_float_bits": "static inline int tw_float_bits(float a) { return as_int(a); }",
    "tw_double_bits": "static inline long tw_double_bits(double a) { return as_long(a); }",
    "tw_bits_float": "static inline float tw_bits_float(int bits) { return as_float(bits); }",
    "tw_bits_double": "static inline double tw_bits_double(long bits) { return as_double(bits); }",
}
_DOUBLES = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable"
_AS_WRITTEN = "#pragma OPENCL FP_CONTRACT OFF"
"""Forbids the compiler to contract products and sums: the pass `contract-fma` decides that."""


def translate(text: str) -> str:
    """Translate C99, as this package writes it, to OpenCL C."""
    text = _WORD.sub(lambda match: _WORDS[match[1]], text)
    text = re.sub(r"INT64_C\((-?\d+)\)", r"\1L", text)
    text = re.sub(r"\bstatic const\b", "const", text)
    text = re.sub(r"^\s*fflush\(stdout\);\n?", "", text, flags=re.M)
    text = re.sub(r"^(\s*printf\(.*)$", _printing, text, flags=re.M)
    return re.sub(r"^(\s*)memcpy\(&bits, &nearest, 4\);$", r"\1bits = as_uint(nearest);", text, flags=re.M).replace(
        "memcpy(&nearest, &bits, 4);", "nearest = as_float(bits);"
    )


def _printing(match: re.Match[str]) -> str:
    """Return a call of `printf`: `long` has 64 bits."""
    return (
        match[1]
        .replace("%lld", "%ld")
        .replace("%llu", "%lu")
        .replace("(unsigned long long)", "(ulong)")
        .replace("(long long)", "(long)")
    )


def kernel_text(name: str, parameters: Sequence[str], body: str) -> str:
    """Return a kernel of OpenCL C."""
    # Kernels take no pointers to bool.
    given = [re.sub(r"\bbool \*", "uchar *", translate(p)) for p in parameters]
    head = f"__kernel void {name}({', '.join(given)}) {{"
    if len(head) > 120:
        head = f"__kernel void {name}(\n  " + ",\n  ".join(given) + "\n) {"
    body = re.sub(r"^\s*TW_PREFETCH\(.*\);\n", "", f"{body}\n", flags=re.M).removesuffix("\n")
    return f"{head}\n{translate(body)}\n}}"


def program_text(kernels: Sequence[str]) -> str:
    """Return a file of kernels, with the helpers that they call."""
    body = "\n\n".join(kernels)
    used = helpers_in(body)
    replaced = [name for name in HELPERS if name in _BITS]
    helpers = [
        next((_BITS[n] for n in replaced if f" {n}(" in text.split("{")[0]), translate(text))
        for text in helper_source(used)
    ]
    parts = [*helpers, body]
    if "double" in "".join(parts):
        parts.insert(0, _DOUBLES)
    if re.search(r"\b(?:double|float|half)\b", body):
        parts.insert(0, _AS_WRITTEN)
    return "\n\n".join(parts) + "\n"
