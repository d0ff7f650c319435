"""Memory of calls: in large pages where it is large, aligned, and leased by one call at a time."""

from __future__ import annotations

import mmap
import os

import numpy as np
import pytest
from tilewright.hardware import LARGE_PAGE_BYTES
from tilewright.runtime.buffers import ALIGNMENT, ArenaPool, address_of, all_aligned, large_block


@pytest.mark.parametrize(
    "size", [1, 1000, LARGE_PAGE_BYTES // 2 - 1, LARGE_PAGE_BYTES // 2, LARGE_PAGE_BYTES, 3 * LARGE_PAGE_BYTES + 5]
)
def test_blocks_are_aligned_and_writable(size: int) -> None:
    block = large_block(size)
    assert block.shape == (size,) and block.dtype == np.uint8
    assert address_of(block) % ALIGNMENT == 0
    block[:] = 7
    assert int(block.sum()) == 7 * size


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="this system has no large pages to ask for")
def test_what_fills_half_a_large_page_starts_at_one() -> None:
    assert address_of(large_block(LARGE_PAGE_BYTES // 2)) % LARGE_PAGE_BYTES == 0
    assert address_of(large_block(LARGE_PAGE_BYTES + 1)) % LARGE_PAGE_BYTES == 0


def test_a_system_without_large_pages_gives_ordinary_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)
    block = large_block(LARGE_PAGE_BYTES)
    assert block.shape == (LARGE_PAGE_BYTES,) and address_of(block) % ALIGNMENT == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_processes_do_not_share_blocks() -> None:
    block = large_block(LARGE_PAGE_BYTES)
    block[:] = 7
    child = os.fork()
    if child == 0:
        block[:] = 8
        os._exit(0)
    os.waitpid(child, 0)
    assert (block == 7).all()


def test_constants_that_are_copied_lie_behind_one_another() -> None:
    values = np.arange(70, dtype=np.int8)
    unaligned, strided, empty = values[1:], values.reshape(7, 10)[:, ::2], np.zeros((0, 3), np.float32)[:, ::2]
    there = large_block(64).view(np.float32)
    found = all_aligned([unaligned, there, strided, unaligned, empty, np.full((), 5.0)])
    assert found[1] is there and found[0] is found[3]
    for array, copy in zip([unaligned, there, strided, unaligned, empty], found, strict=False):
        assert copy.flags.c_contiguous and address_of(copy) % ALIGNMENT == 0 and copy.dtype == array.dtype
        np.testing.assert_array_equal(copy, array)
    assert address_of(found[2]) - address_of(found[0]) == 128, "69 bytes take two lines"
    assert float(found[5]) == 5.0


def test_what_no_memory_holds_is_refused_as_arrays_are() -> None:
    with pytest.raises(MemoryError):
        large_block(1 << 60)


def test_concurrent_calls_have_separate_blocks() -> None:
    pool = ArenaPool(LARGE_PAGE_BYTES)
    first, second = pool.take(), pool.take()
    assert first is not None and second is not None and not np.shares_memory(first, second)
    pool.give_back(first)
    assert pool.take() is first
    assert ArenaPool(0).take() is None
