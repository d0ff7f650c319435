"""Memory for buffers of sizes that calls state: large blocks are found again, and what others allocate is theirs."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest
from tilewright.backends.cpu.kept_blocks import addresses, free_kept_blocks

LARGE, SMALL = 1 << 20, 1 << 10


@pytest.fixture
def functions() -> Iterator[tuple[ctypes._CFuncPtr, ctypes._CFuncPtr]]:  # pyright: ignore[reportPrivateUsage]
    """Provide the two functions that programs call, with nothing kept before and after."""
    found = addresses()
    size = ctypes.c_size_t
    free_kept_blocks()
    yield (
        ctypes.CFUNCTYPE(ctypes.c_void_p, size, size)(found["aligned_alloc"]),
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(found["free"]),
    )
    free_kept_blocks()


def test_a_large_block_is_found_again_for_as_many_bytes_or_somewhat_fewer(functions: tuple) -> None:
    allocate, release = functions
    first = allocate(64, LARGE)
    assert first % 64 == 0
    ctypes.memset(first, 255, LARGE)
    release(first)
    again = allocate(64, LARGE // 2 + 64)
    assert again == first
    other = allocate(64, LARGE)
    assert other != first, "a block in use is nobody else's"
    release(again)
    assert allocate(64, LARGE) == first, "a block keeps the size that it was made with"
    for block in (first, other):
        release(block)


def test_blocks_at_one_time_do_not_overlap(functions: tuple) -> None:
    """More than are kept: the others are freed."""
    allocate, release = functions
    for _ in range(3):
        blocks = sorted(allocate(64, LARGE) for _ in range(12))
        assert all(b - a >= LARGE for a, b in zip(blocks, blocks[1:], strict=False))
        for block in blocks:
            release(block)


def test_small_blocks_and_those_of_others_are_freed_as_usual(functions: tuple) -> None:
    allocate, release = functions
    libc = ctypes.CDLL(None)
    libc.malloc.restype = libc.aligned_alloc.restype = ctypes.c_void_p
    libc.malloc.argtypes, libc.aligned_alloc.argtypes = [ctypes.c_size_t], [ctypes.c_size_t] * 2
    for block in (allocate(64, SMALL), libc.malloc(LARGE), libc.malloc(SMALL), libc.aligned_alloc(64, SMALL), None):
        release(block)


def test_more_memory_than_there_is(functions: tuple) -> None:
    allocate, _ = functions
    assert allocate(64, (1 << 64) - 64) is None
