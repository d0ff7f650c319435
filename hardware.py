"""Constants of hardware that are the same on all machines, each named with its quantity and its unit.

A target states the facts that differ between machines (vectors, caches, threads, latencies, bandwidths).
`schedule/rules/coefficients.py` has the numbers that were fitted to measured times. The runtime defines the constants
that compiled programs need at run time; they are imported here.
"""

from __future__ import annotations

from .runtime.hardware import BLOCK_INDEX as BLOCK_INDEX
from .runtime.hardware import CACHE_LINE_BYTES as CACHE_LINE_BYTES
from .runtime.hardware import DEFAULT_ARCH as DEFAULT_ARCH
from .runtime.hardware import DEVICE_ALIGNMENT_BYTES as DEVICE_ALIGNMENT_BYTES
from .runtime.hardware import GRID_AXES as GRID_AXES
from .runtime.hardware import LARGE_PAGE_BYTES as LARGE_PAGE_BYTES
from .runtime.hardware import MOST_BLOCK_THREADS as MOST_BLOCK_THREADS
from .runtime.hardware import MOST_BLOCKS_ALONG_AXES as MOST_BLOCKS_ALONG_AXES
from .runtime.hardware import MOST_CPU_THREADS as MOST_CPU_THREADS
from .runtime.hardware import MOST_THREADS_ALONG_AXES as MOST_THREADS_ALONG_AXES
from .runtime.hardware import STATIC_SHARED_BYTES as STATIC_SHARED_BYTES
from .runtime.hardware import THREAD_INDEX as THREAD_INDEX
from .runtime.hardware import WARP_THREADS as WARP_THREADS
from .runtime.hardware import machine_name as machine_name

# Grids of threads, by the names that CUDA gives them

THREAD_TAGS = tuple(f"{index}.{axis}" for index in (BLOCK_INDEX, THREAD_INDEX) for axis in GRID_AXES)
"""The axes that a loop can be bound to: `blockIdx.x` to `threadIdx.z`."""
LANE_TAG, WARP_TAG = f"{THREAD_INDEX}.x", f"{THREAD_INDEX}.y"
"""The axes that the lanes of a warp are along, and warps that run an instruction together."""

# GPUs of NVIDIA (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")

WARP_MASK = (1 << WARP_THREADS) - 1
"""A bit for each lane."""
MOST_RESIDENT_BLOCKS = 16
"""Blocks that a multiprocessor of any kind can run at a time."""
MULTIPROCESSOR_REGISTERS = 1 << 16
"""Of 32 bits."""
THREAD_ACCESS_BYTES = 16
"""The largest number of bytes of one load or store of a thread, and their alignment."""
ASYNC_COPY_BYTES = (16, 8, 4)
"""The numbers of bytes that one asynchronous copy moves from global to shared memory. Both addresses are multiples."""
SHARED_BYTES_OF_ARCH: dict[str, int] = {
    "sm_75": 64 << 10,
    "sm_80": 163 << 10,
    "sm_86": 99 << 10,
    "sm_87": 163 << 10,
    "sm_89": 99 << 10,
    "sm_90": 227 << 10,
    "sm_90a": 227 << 10,
    "sm_100": 227 << 10,
    "sm_120": 99 << 10,
}
"""Kinds of GPUs -> shared memory that a block may have there. Code for a name that ends in "a" uses features of that
kind alone: no later kind runs it."""
SWIZZLE_PIECE_BYTES, SWIZZLE_LINE_BYTES, SWIZZLE_PERIOD_BYTES = 16, 128, 1024
"""The bytes of the pieces that a swizzle of shared memory permutes, of the lines around them, and of its period.
It permutes by addresses, so arrays begin at multiples of the period (PTX ISA, "Strides" of wgmma)."""
