"""Processors by LLVM's names, as `-mcpu=` takes them: the level of each, and its further instruction sets.

A name is an abbreviation for instruction sets: a target that names a processor equals the target that names its level
and lists these sets, so that passes never see the name of a processor. Sets that no rule and no level uses are left
out. The data is from LLVM's descriptions of the processors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .target import AARCH64, RISCV64, WASM32, X86_64
from .target_features import LEVELS, with_implied


class Processor(NamedTuple):
    """A level and the instruction sets beyond it."""

    level: str
    more: tuple[str, ...] = ()


def _x86(level: int, *more: str) -> Processor:
    return Processor("x86-64" if level == 1 else f"x86-64-v{level}", more)


_WESTMERE = _x86(2, "pclmul")
_SANDY_BRIDGE = _x86(2, "avx", "pclmul", "xsave")
_IVY_BRIDGE = _x86(2, "avx", "f16c", "pclmul", "xsave")
_HASWELL = _x86(3, "pclmul")
_SKYLAKE = _x86(3, "aes", "pclmul")
_ALDER_LAKE = _x86(3, "avxvnni", "gfni", "pclmul", "sha", "vaes", "vpclmulqdq")
_SIERRA_FOREST = _x86(3, *_ALDER_LAKE.more, "avxifma", "avxneconvert", "avxvnniint8")
_SKYLAKE_SERVER = _x86(4, "aes", "pclmul")
_CASCADE_LAKE = _x86(4, "aes", "avx512vnni", "pclmul")
_CANNON_LAKE = _x86(4, "aes", "avx512ifma", "avx512vbmi", "pclmul", "sha")
_ICE_LAKE = _x86(
    4, *_CANNON_LAKE.more, "avx512bitalg", "avx512vbmi2", "avx512vnni", "avx512vpopcntdq", "gfni", "vaes", "vpclmulqdq"
)
_SAPPHIRE_RAPIDS = _x86(4, *_ICE_LAKE.more, "amx-bf16", "amx-int8", "avx512bf16", "avx512fp16", "avxvnni")
_ZEN = _x86(3, "aes", "pclmul", "sha", "sse4a")
_ZEN_3 = _x86(3, *_ZEN.more, "vaes", "vpclmulqdq")
_ZEN_4 = _x86(4, *_ICE_LAKE.more, "avx512bf16", "sse4a")
_ZEN_5 = _x86(4, *_ZEN_4.more, "avx512vp2intersect", "avxvnni")

_CORTEX_A72 = Processor("armv8-a", ("aes", "crc", "sha2"))
_CORTEX_A76 = Processor("armv8.2-a", ("aes", "dotprod", "fullfp16", "sha2"))
_NEOVERSE_V1 = Processor("armv8.2-a", (*_CORTEX_A76.more, "bf16", "i8mm", "sve"))
_NEOVERSE_V2 = Processor("armv8.2-a", (*_NEOVERSE_V1.more, "sve2"))

PROCESSORS: Mapping[str, Mapping[str, Processor]] = {
    X86_64: {
        "core2": _x86(1, "cx16", "sahf", "ssse3"),
        "penryn": _x86(1, "cx16", "sahf", "sse4.1"),
        **dict.fromkeys(("corei7", "nehalem"), _x86(2)),
        "westmere": _WESTMERE,
        **dict.fromkeys(("corei7-avx", "sandybridge"), _SANDY_BRIDGE),
        **dict.fromkeys(("core-avx-i", "ivybridge"), _IVY_BRIDGE),
        **dict.fromkeys(("broadwell", "core-avx2", "haswell"), _HASWELL),
        "skylake": _SKYLAKE,
        **dict.fromkeys(("alderlake", "arrowlake", "gracemont", "meteorlake", "raptorlake"), _ALDER_LAKE),
        "sierraforest": _SIERRA_FOREST,
        **dict.fromkeys(("skx", "skylake-avx512"), _SKYLAKE_SERVER),
        "cascadelake": _CASCADE_LAKE,
        "cooperlake": _x86(4, *_CASCADE_LAKE.more, "avx512bf16"),
        "cannonlake": _CANNON_LAKE,
        **dict.fromkeys(("icelake-client", "icelake-server", "rocketlake"), _ICE_LAKE),
        "tigerlake": _x86(4, *_ICE_LAKE.more, "avx512vp2intersect"),
        **dict.fromkeys(("emeraldrapids", "sapphirerapids"), _SAPPHIRE_RAPIDS),
        "graniterapids": _x86(4, *_SAPPHIRE_RAPIDS.more, "amx-fp16"),
        "silvermont": _x86(2, "movbe", "pclmul"),
        "goldmont": _x86(2, "aes", "movbe", "pclmul", "sha", "xsave"),
        "tremont": _x86(2, "aes", "gfni", "movbe", "pclmul", "sha", "xsave"),
        **dict.fromkeys(("znver1", "znver2"), _ZEN),
        "znver3": _ZEN_3,
        "znver4": _ZEN_4,
        "znver5": _ZEN_5,
    },
    AARCH64: {
        **dict.fromkeys(("cortex-a53", "cortex-a57", "cortex-a72", "cortex-a73"), _CORTEX_A72),
        **dict.fromkeys(
            ("cortex-a55", "cortex-a75", "cortex-a76", "cortex-a77", "cortex-a78", "cortex-x1", "neoverse-n1"),
            _CORTEX_A76,
        ),
        "apple-m1": _CORTEX_A76,
        "neoverse-v1": _NEOVERSE_V1,
        **dict.fromkeys(("neoverse-n2", "neoverse-v2"), _NEOVERSE_V2),
    },
    RISCV64: {},
    WASM32: {},
}
"""Architecture -> LLVM's name of a processor -> its level and instruction sets."""


def processor(name: str, architecture: str) -> Processor | None:
    """Return the level and the sets of a level's or a processor's name; None for other names."""
    return Processor(name) if name in LEVELS[architecture] else PROCESSORS[architecture].get(name)


def features_of(described: Processor, architecture: str) -> set[str]:
    """Return all instruction sets of a processor."""
    return {*LEVELS[architecture][described.level], *with_implied(described.more, architecture)}
