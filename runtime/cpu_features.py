"""The instruction sets of this machine, as the system reports them: a process without a compiler has no LLVM.

Linux saves the tile registers of AMX (8 KiB) only for processes that requested them, and an access without the request
faults. So the permission is requested before AMX is reported as available.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

KERNEL_NAMES = {
    # x86-64
    "aes": "aes",
    "amx-bf16": "amx_bf16",
    "amx-int8": "amx_int8",
    "amx-tile": "amx_tile",
    "avx": "avx",
    "avx2": "avx2",
    "avx512bf16": "avx512_bf16",
    "avx512bitalg": "avx512_bitalg",
    "avx512bw": "avx512bw",
    "avx512cd": "avx512cd",
    "avx512dq": "avx512dq",
    "avx512f": "avx512f",
    "avx512fp16": "avx512_fp16",
    "avx512ifma": "avx512ifma",
    "avx512vbmi": "avx512vbmi",
    "avx512vbmi2": "avx512_vbmi2",
    "avx512vl": "avx512vl",
    "avx512vnni": "avx512_vnni",
    "avx512vpopcntdq": "avx512_vpopcntdq",
    "avxifma": "avx_ifma",
    "avxvnni": "avx_vnni",
    "bmi": "bmi1",
    "bmi2": "bmi2",
    "f16c": "f16c",
    "fma": "fma",
    "fma4": "fma4",
    "gfni": "gfni",
    "lzcnt": "abm",
    "movbe": "movbe",
    "popcnt": "popcnt",
    "sse3": "pni",
    "sse4.1": "sse4_1",
    "sse4.2": "sse4_2",
    "ssse3": "ssse3",
    "xop": "xop",
    # AArch64
    "bf16": "bf16",
    "crc": "crc32",
    "dotprod": "asimddp",
    "fp-armv8": "fp",
    "fullfp16": "asimdhp",
    "i8mm": "i8mm",
    "lse": "atomics",
    "neon": "asimd",
    "rdm": "asimdrdm",
    "sve": "sve",
    "sve2": "sve2",
    # RISC-V
    **{name: name for name in ("a", "c", "d", "f", "m", "v", "zfh", "zfhmin", "zvfh", "zvfhmin")},
}
"""LLVM's names of the sets that generated code is likely to use -> the kernel's names."""


def missing_features(features: Sequence[str]) -> list[str]:
    """Return the instruction sets of `features`, LLVM's names, that this machine is known to lack."""
    present = _flags()
    wanted = [f for f in features if f in KERNEL_NAMES]
    lacking = {f for f in wanted if KERNEL_NAMES[f] not in present} if present else set[str]()
    return sorted(lacking.union(set(features).difference(usable_features(features))))


def present_features() -> list[str]:
    """Return the instruction sets of this machine, but for tile registers; none where the system does not report
    them."""
    present = _flags()
    return [f for f, name in KERNEL_NAMES.items() if name in present and not f.startswith("amx-")]


def usable_features(features: Iterable[str]) -> tuple[str, ...]:
    """Return the instruction sets of this machine among `features` that this process may use."""
    kept = tuple(features)
    tiles = [f for f in kept if f.startswith("amx-")]
    return kept if not tiles or may_use_tiles() else tuple(f for f in kept if f not in tiles)


_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA = 158, 0x1023, 18
"""Linux on x86-64: the number of the system call, its request, and the state component of the tiles' contents."""


@cache
def may_use_tiles() -> bool:
    """Ask the system, once, to let all threads of this process use the tile registers of AMX; whether it does."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        return False
    return ctypes.CDLL(None).syscall(_ARCH_PRCTL, _REQUEST_PERMISSION, _TILE_DATA) == 0


def _flags() -> frozenset[str]:
    """Return the kernel's list of instruction sets; empty where the system does not report it.

    RISC-V's is one word, of which letters are sets: `rv64imafdcv_zfh`.
    """
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return frozenset()
    line = next((line for line in text.splitlines() if line.startswith(("flags", "Features", "isa"))), "")
    words = line.partition(":")[2].split()
    if line.startswith("isa"):
        letters, *longer = "".join(words).split("_")
        words = [*letters.removeprefix("rv64"), *longer]
    return frozenset(words)
