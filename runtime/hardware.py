"""Constants of hardware that programs meet while they run, each named with its quantity and its unit."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from pathlib import Path


@cache
def machine_name() -> str:
    """The name of this machine in measurements: its processor, and the number of its CPUs."""
    name = platform.processor() or platform.machine()
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    return f"{name}, {os.cpu_count() or 1} CPUs"


CACHE_LINE_BYTES = 64
"""Of x86-64 and most AArch64; as wide as the widest vector."""

LARGE_PAGE_BYTES = 2 << 20
"""Of x86-64 and most AArch64: addresses of a page are translated by one entry of a table."""

MOST_CPU_THREADS = 4096
"""More is a mistake: each thread gets a stack, and memory of its own."""

# Grids of threads, by the names that CUDA gives them

GRID_AXES = "xyz"
BLOCK_INDEX, THREAD_INDEX = "blockIdx", "threadIdx"
"""What numbers the blocks of a grid, and the threads of a block."""

# GPUs of NVIDIA (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")

WARP_THREADS = 32
MOST_BLOCK_THREADS = 1024
MOST_THREADS_ALONG_AXES = (MOST_BLOCK_THREADS, MOST_BLOCK_THREADS, 64)
"""Threads of a block along x, y and z."""
MOST_BLOCKS_ALONG_AXES = ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)
"""Blocks of a grid along x, y and z."""
DEVICE_ALIGNMENT_BYTES = 256
"""What allocations of a device's memory begin at multiples of."""
STATIC_SHARED_BYTES = 48 << 10
"""Shared memory that any block may have; a kernel asks for more as it is launched."""
DEFAULT_ARCH = "sm_90"
"""The kind of GPUs that code is made for unless a target names another."""
