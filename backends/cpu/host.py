"""The target that describes the machine that this process runs on."""

from __future__ import annotations

import platform
from collections.abc import Collection
from functools import cache
from pathlib import Path

from ...dialects.target import AARCH64, X86_64, CpuTargetAttr
from ...runtime.cpu_features import usable_features
from ...runtime.openmp import available_threads

_VECTOR_BITS = (("avx512f", 512), ("avx2", 256), ("avx", 256), ("sse2", 128), ("neon", 128))
USUAL_CACHES = (32 << 10, 512 << 10, 4 << 20)
USUAL_THREADS = 4
"""What to count on where the machine is not known."""
_SUFFIXES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@cache
def host_target() -> CpuTargetAttr:
    """The CPU of this machine: the features that it reports, its caches, the threads for this process."""
    features = host_features()
    return CpuTargetAttr.get(features, vector_bits(features), _host_caches(), available_threads())


def vector_bits(features: Collection[str]) -> int:
    """The width of the widest vectors that these instruction sets compute on."""
    return next((width for name, width in _VECTOR_BITS if name in features), 64)


def host_architecture() -> str:
    """This machine's architecture, as triples name it."""
    name = platform.machine().lower()
    return {"amd64": X86_64, "arm64": AARCH64}.get(name, name)


def obstacle_here(target: CpuTargetAttr) -> str | None:
    """Why this machine does not run code for `target`; None where it does."""
    if target.architecture != (here := host_architecture()):
        return f"this machine is {here}"
    missing = sorted({f.data for f in target.features} - set(host_features()))
    return f"this machine has no {', '.join(missing)}" if missing else None


def code_triple(target: CpuTargetAttr) -> str:
    """LLVM's name of the kind of machine that code is made for; empty for this machine's."""
    if target.triple or target.architecture == host_architecture():
        return target.triple
    return f"{target.architecture}-unknown-linux-gnu"


def foreign_triple(target: CpuTargetAttr) -> str:
    """The kind of machine that the compilers of this one make no code for; empty where they do."""
    return "" if target.architecture == host_architecture() else code_triple(target)


@cache
def host_features() -> tuple[str, ...]:
    """LLVM's names of the instruction sets of this machine that this process may use, sorted."""
    from llvmlite import binding

    return usable_features(sorted(name for name, on in binding.get_host_cpu_features().items() if on))


def _host_caches() -> tuple[int, int, int]:
    """Bytes of data cache at levels one to three for one core; usual sizes where the system does not tell."""
    sizes: dict[int, int] = dict(enumerate(USUAL_CACHES, 1))
    for index in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            level = int((index / "level").read_text())
            kind = (index / "type").read_text().strip()
            size = _parse_size((index / "size").read_text().strip())
        except (OSError, ValueError):
            continue
        if kind != "Instruction" and level in sizes:
            sizes[level] = size
    return sizes[1], sizes[2], sizes[3]


def _parse_size(text: str) -> int:
    """The bytes of the kernel's notation: `512K`."""
    return int(text[:-1]) * _SUFFIXES[text[-1]] if text[-1:] in _SUFFIXES else int(text)
