"""The target that describes the machine that this process runs on.

The environment variable TILEWRIGHT_HOST replaces it by another target: its text, for example `llvm -mcpu=x86-64-v3
-caches=32K,512K,8M -threads=4`, or the file of a target. Programs are then planned for that machine, but the check
whether a program can run here still uses the instruction sets of this machine.
"""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from ...diagnostics import fail
from ...dialects.target import AARCH64, X86_64, CpuTargetAttr
from ...dialects.target_features import USUAL_CACHES
from ...dialects.target_text import cpu_target, parse_size, vector_bits, with_file, with_triple
from ...runtime.cpu_features import usable_features
from ...runtime.openmp import available_threads

HOST_VARIABLE = "TILEWRIGHT_HOST"
"""The environment variable that describes the machine to plan for where a target does not say."""


def host_target() -> CpuTargetAttr:
    """Return the CPU that code is compiled for where a target names none: the CPU that TILEWRIGHT_HOST describes, else
    this one.

    Raises TilewrightError TW0612 where the variable does not describe a CPU.
    """
    described = os.environ.get(HOST_VARIABLE, "").strip()
    return _described(with_triple(with_file(described))) if described else measured_target()


@cache
def _described(text: str) -> CpuTargetAttr:
    kind, *_ = text.split()
    if kind not in ("llvm", "cpu"):
        fail("TW0612", f"expected {HOST_VARIABLE} to describe a CPU, but got '{text}'", help=_DESCRIPTION)
    return cpu_target(text, host_architecture(), measured_target)


_DESCRIPTION = f'describe one, as in {HOST_VARIABLE}="llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4"'


@cache
def measured_target() -> CpuTargetAttr:
    """Return the CPU of this machine: the features that it reports, its caches, the threads for this process."""
    features = host_features()
    return CpuTargetAttr.get(features, vector_bits(features), _host_caches(), available_threads())


def host_architecture() -> str:
    """Return this machine's architecture, as triples name it."""
    name = platform.machine().lower()
    return {"amd64": X86_64, "arm64": AARCH64}.get(name, name)


def obstacle_here(target: CpuTargetAttr) -> str | None:
    """Return the reason why this machine does not run code for `target`; None where it does."""
    if target.architecture != (here := host_architecture()):
        return f"this machine is {here}"
    missing = sorted({f.data for f in target.features} - set(host_features()))
    return f"this machine has no {', '.join(missing)}" if missing else None


def code_triple(target: CpuTargetAttr) -> str:
    """Return LLVM's name of the kind of machine that code is made for; empty for this machine's."""
    if target.triple or target.architecture == host_architecture():
        return target.triple
    return f"{target.architecture}-unknown-linux-gnu"


def foreign_triple(target: CpuTargetAttr) -> str:
    """Return the kind of machine that the compilers of this one make no code for; empty where they do."""
    return "" if target.architecture == host_architecture() else code_triple(target)


@cache
def host_features() -> tuple[str, ...]:
    """Return LLVM's names of the instruction sets of this machine that this process may use, sorted."""
    from llvmlite import binding

    return usable_features(sorted(name for name, on in binding.get_host_cpu_features().items() if on))


def _host_caches() -> tuple[int, int, int]:
    """Return the bytes of data cache at levels one to three for one core; usual sizes where the system does not report
    them."""
    usual = next(iter(USUAL_CACHES.values()))
    sizes: dict[int, int] = dict(enumerate(usual, 1))
    for index in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            level = int((index / "level").read_text())
            kind = (index / "type").read_text().strip()
            size = parse_size((index / "size").read_text().strip())
        except (OSError, ValueError):
            continue
        if kind != "Instruction" and level in sizes:
            sizes[level] = size
    return sizes[1], sizes[2], sizes[3]
