"""Constants of hardware that the runtime uses, each named with its quantity and its unit."""

from __future__ import annotations

import os
import platform
import re
from contextlib import suppress
from functools import cache
from pathlib import Path


@cache
def machine_name() -> str:
    """Return the name of this machine in measurements: its processor, and the number of its CPUs."""
    name = ""
    with suppress(OSError):
        name = processor_name(Path("/proc/cpuinfo").read_text(errors="replace"))
    return f"{name or platform.processor() or platform.machine()}, {os.cpu_count() or 1} CPUs"


_NAMES = ("model name", "uarch", "cpu model", "cpu")
"""Fields of /proc/cpuinfo that name a processor: on x86-64, RISC-V, MIPS, and PowerPC."""
_IMPLEMENTER, _PART, _REVISION = "CPU implementer", "CPU part", ("CPU variant", "CPU revision")
"""Fields of AArch64, whose processors have numbers: 0x41 and 0xd0c are ARM's Neoverse N1."""


def processor_name(cpuinfo: str) -> str:
    """Return the processor that a text of /proc/cpuinfo is about, each kind of core once; empty where it names none."""
    names: dict[str, None] = {}
    for core in re.split(r"\n\s*\n", cpuinfo):
        pairs = (line.partition(":") for line in core.splitlines() if ":" in line)
        fields = {name.strip(): value.strip() for name, _, value in pairs}
        name = next((fields[each] for each in _NAMES if fields.get(each)), "")
        if not name and fields.get(_IMPLEMENTER) and fields.get(_PART):
            numbers = [f"implementer {fields[_IMPLEMENTER]} part {fields[_PART]}"]
            numbers += [f"{each.split()[1]} {fields[each]}" for each in _REVISION if fields.get(each)]
            name = " ".join(numbers)
        if name:
            names[name] = None
    return " + ".join(names)


CACHE_LINE_BYTES = 64
"""Of x86-64 and most AArch64; as wide as the widest vector."""

LARGE_PAGE_BYTES = 2 << 20
"""Of x86-64 and most AArch64: addresses of a page are translated by one entry of a table."""

MOST_CPU_THREADS = 4096
"""A larger number is a mistake: each thread gets a stack and a part of the arena."""

# Grids of threads, by the names that CUDA gives them

GRID_AXES = "xyz"
BLOCK_INDEX, THREAD_INDEX = "blockIdx", "threadIdx"
"""The prefixes of tags of loops: for the blocks of a grid, and for the threads of a block."""

# GPUs of NVIDIA (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")

WARP_THREADS = 32
MOST_BLOCK_THREADS = 1024
MOST_THREADS_ALONG_AXES = (MOST_BLOCK_THREADS, MOST_BLOCK_THREADS, 64)
"""Threads of a block along x, y and z."""
MOST_BLOCKS_ALONG_AXES = ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)
"""Blocks of a grid along x, y and z."""
DEVICE_ALIGNMENT_BYTES = 256
"""The alignment of allocations in a device's memory."""
STATIC_SHARED_BYTES = 48 << 10
"""Shared memory that a kernel may declare statically; more is dynamic shared memory, requested at launch."""
DEFAULT_ARCH = "sm_90"
"""The kind of GPUs that code is made for unless a target names another."""
