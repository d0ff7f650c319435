"""Instruction sets by name: the sets of each kind of machine, and the sets that a set implies.

Each level of an architecture has typical cache sizes, so that a target that names a level and no caches is the same
target on every machine.

LLVM adds implied instruction sets: code for `+avx2` alone contains AVX instructions. The target has to state the same
sets. So a set is added together with the sets that it implies, and removed together with the sets that imply it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from .target import AARCH64, RISCV64, WASM32, X86_64

_LEVEL_1 = ("cmov", "cx8", "fxsr", "mmx", "sse", "sse2")
_LEVEL_2 = (*_LEVEL_1, "cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_LEVEL_3 = (*_LEVEL_2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
_LEVEL_4 = (*_LEVEL_3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
_RV64GC = ("a", "c", "f", "m", "d")

LEVELS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    X86_64: {"x86-64": _LEVEL_1, "x86-64-v2": _LEVEL_2, "x86-64-v3": _LEVEL_3, "x86-64-v4": _LEVEL_4},
    AARCH64: {
        "armv8-a": ("fp-armv8", "neon"),
        "armv8.2-a": ("crc", "fp-armv8", "lse", "neon", "rdm"),
    },
    RISCV64: {"rv64gc": _RV64GC, "rv64gcv": (*_RV64GC, "v")},
    WASM32: {"simd128": ("bulk-memory", "nontrapping-fptoint", "sign-ext", "simd128")},
}
"""Architecture -> its levels, the least first, and their instruction sets by LLVM's names: those of the x86-64 psABI,
what is mandatory in versions of the Arm architecture, RISC-V as Linux distributions require it, without and with
vectors, and WebAssembly as all current browsers have it."""

USUAL_CACHES: Mapping[str, tuple[int, int, int]] = {
    "x86-64": (32 << 10, 512 << 10, 4 << 20),
    "x86-64-v2": (32 << 10, 256 << 10, 8 << 20),
    "x86-64-v3": (32 << 10, 512 << 10, 8 << 20),
    "x86-64-v4": (48 << 10, 1 << 20, 32 << 20),
    "armv8-a": (32 << 10, 512 << 10, 4 << 20),
    "armv8.2-a": (64 << 10, 1 << 20, 32 << 20),
    "rv64gc": (32 << 10, 512 << 10, 2 << 20),
    "rv64gcv": (32 << 10, 512 << 10, 4 << 20),
    "simd128": (32 << 10, 512 << 10, 4 << 20),
}
"""Level -> bytes of data cache, first to third level, as processors of that level commonly have them for one core."""

USUAL_THREADS = 4
"""The number of threads that is assumed where it is not stated."""

MOST_THREADS: Mapping[str, int] = {WASM32: 1}
"""Architecture -> how many threads run a program at most, where there is a limit."""

_IMPLIED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    X86_64: {
        "sse2": ("sse",),
        "sse3": ("sse2",),
        "ssse3": ("sse3",),
        "sse4.1": ("ssse3",),
        "sse4.2": ("sse4.1",),
        "avx": ("sse4.2",),
        "avx2": ("avx",),
        "f16c": ("avx",),
        "fma": ("avx",),
        "avx512f": ("avx2", "f16c", "fma"),
        **dict.fromkeys(("avx512bw", "avx512cd", "avx512dq", "avx512vl"), ("avx512f",)),
        **dict.fromkeys(("avx512ifma", "avx512vnni", "avx512vpopcntdq", "avx512vp2intersect"), ("avx512f",)),
        **dict.fromkeys(("avx512bf16", "avx512bitalg", "avx512vbmi", "avx512vbmi2"), ("avx512bw",)),
        "avx512fp16": ("avx512bw", "avx512dq", "avx512vl"),
        **dict.fromkeys(("avxifma", "avxneconvert", "avxvnni", "avxvnniint16", "avxvnniint8"), ("avx2",)),
        **dict.fromkeys(("aes", "gfni", "pclmul", "sha"), ("sse2",)),
        "vaes": ("aes", "avx2"),
        "vpclmulqdq": ("avx", "pclmul"),
        "sse4a": ("sse3",),
        "fma4": ("avx", "sse4a"),
        "xop": ("fma4",),
        **dict.fromkeys(("amx-bf16", "amx-complex", "amx-fp16", "amx-int8"), ("amx-tile",)),
    },
    AARCH64: {
        "neon": ("fp-armv8",),
        "fullfp16": ("fp-armv8",),
        **dict.fromkeys(("aes", "bf16", "dotprod", "i8mm", "rdm", "sha2"), ("neon",)),
        "sve": ("fullfp16", "neon"),
        "sve2": ("sve",),
    },
    RISCV64: {
        "d": ("f",),
        "v": ("d",),
        "zfhmin": ("f",),
        "zfh": ("zfhmin",),
        "zvfhmin": ("v", "zfhmin"),
        "zvfh": ("zfh", "zvfhmin"),
        "zvl256b": ("v",),
        "zvl512b": ("zvl256b",),
    },
    WASM32: {"relaxed-simd": ("simd128",)},
}
"""Architecture -> instruction set -> those that it builds upon, as LLVM has it."""


def baseline(architecture: str) -> tuple[str, ...]:
    """Return the instruction sets of every machine of an architecture."""
    return next(iter(LEVELS[architecture].values()))


def highest_level(features: Collection[str], architecture: str) -> str | None:
    """Return the highest level that has no other instruction sets than these; None where there is none."""
    fitting = [level for level, sets in LEVELS[architecture].items() if set(sets) <= set(features)]
    return fitting[-1] if fitting else None


def with_implied(features: Iterable[str], architecture: str) -> set[str]:
    """Return the instruction sets and all that they build upon."""
    known = _IMPLIED[architecture]
    result: set[str] = set()
    waiting = [*features]
    while waiting:
        feature = waiting.pop()
        if feature not in result:
            result.add(feature)
            waiting += known.get(feature, ())
    return result


def without(features: Iterable[str], removed: str, architecture: str) -> set[str]:
    """Return the instruction sets that do not build upon `removed`."""
    return {feature for feature in features if removed not in with_implied([feature], architecture)}


def belongs_elsewhere(feature: str, architecture: str) -> bool:
    """Return whether an instruction set is known, but of other architectures only."""
    return any(feature in _names(a) for a in LEVELS) and feature not in _names(architecture)


def _names(architecture: str) -> Collection[str]:
    implied = _IMPLIED[architecture]
    levels = (feature for level in LEVELS[architecture].values() for feature in level)
    return {*levels, *implied, *(feature for features in implied.values() for feature in features)}
