"""Constants of hardware that all programs for it share, each named with its quantity and its unit.

What differs between machines (vectors, caches, threads, shared memory) is stated by a target; what passes assume of a
machine's speed stands with the rule that assumes it.
"""

from __future__ import annotations

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
THREAD_TAGS = tuple(f"{index}.{axis}" for index in (BLOCK_INDEX, THREAD_INDEX) for axis in GRID_AXES)
"""The axes that a loop can be bound to: `blockIdx.x` to `threadIdx.z`."""
LANE_TAG, WARP_TAG = f"{THREAD_INDEX}.x", f"{THREAD_INDEX}.y"
"""The axes that the lanes of a warp are along, and warps that run an instruction together."""

# GPUs of NVIDIA (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")

WARP_THREADS = 32
WARP_MASK = (1 << WARP_THREADS) - 1
"""A bit for each lane."""
MOST_BLOCK_THREADS = 1024
MOST_THREADS_ALONG_AXES = (MOST_BLOCK_THREADS, MOST_BLOCK_THREADS, 64)
"""Threads of a block along x, y and z."""
MOST_BLOCKS_ALONG_AXES = ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)
"""Blocks of a grid along x, y and z."""
MOST_RESIDENT_BLOCKS = 16
"""Blocks that a multiprocessor of any kind can run at a time."""
MULTIPROCESSOR_REGISTERS = 1 << 16
"""Of 32 bits."""
THREAD_ACCESS_BYTES = 16
"""What one thread loads or stores at once, at most, from a multiple of as many on."""
ASYNC_COPY_BYTES = (16, 8, 4)
"""What one instruction copies from global to shared memory while others run, in both from a multiple of as many on."""
DEVICE_ALIGNMENT_BYTES = 256
"""What allocations of a device's memory begin at multiples of."""
STATIC_SHARED_BYTES = 48 << 10
"""Shared memory that any block may have; a kernel asks for more as it is launched."""
DEFAULT_ARCH = "sm_90"
"""The kind of GPUs that code is made for unless a target names another."""
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
"""Kinds of GPUs -> shared memory that a block may have there. A name that ends in "a" has what only that kind has: no
later one runs it."""
SWIZZLE_PIECE_BYTES, SWIZZLE_LINE_BYTES, SWIZZLE_PERIOD_BYTES = 16, 128, 1024
"""What a swizzle of shared memory moves as a whole, within a line, and after how many bytes it repeats itself: it
permutes by addresses, so arrays begin at multiples (PTX ISA, "Strides" of wgmma)."""
