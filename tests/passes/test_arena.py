"""Offsets in an arena: nothing that lives at the same time overlaps, and little is wasted."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tilewright.passes.shared.arena_offsets import ALIGNMENT, Lifetime, aligned, assign_offsets

lifetimes = st.lists(
    st.tuples(st.integers(0, 1000), st.integers(0, 12), st.integers(0, 12)).map(
        lambda t: Lifetime(t[0], min(t[1:]), max(t[1:]))
    ),
    max_size=12,
)


@given(lifetimes)
def test_buffers_that_live_together_are_disjoint(buffers: list[Lifetime]) -> None:
    offsets, size = assign_offsets(buffers)
    for offset, buffer in zip(offsets, buffers, strict=True):
        assert offset % ALIGNMENT == 0 and offset >= 0 and offset + buffer.size <= size
    for i, j in combinations(range(len(buffers)), 2):
        if not set(buffers[i].steps).isdisjoint(buffers[j].steps):
            assert offsets[i] + buffers[i].size <= offsets[j] or offsets[j] + buffers[j].size <= offsets[i]


@given(lifetimes)
def test_the_arena_is_between_the_peak_and_the_sum(buffers: list[Lifetime]) -> None:
    _, size = assign_offsets(buffers)
    peak = max((sum(aligned(b.size) for b in buffers if b.first <= t <= b.last) for t in range(13)), default=0)
    assert peak <= size <= sum(aligned(b.size) for b in buffers)


def test_a_chain_takes_two_slots() -> None:
    chain = [Lifetime(100, t, t + 1) for t in range(8)]
    assert assign_offsets(chain) == ([0, 128] * 4, 256)


def test_the_smallest_gap_that_fits_is_taken() -> None:
    long = [Lifetime(256, 0, 1), Lifetime(128, 0, 9), Lifetime(64, 0, 1), Lifetime(63, 0, 9)]
    offsets, size = assign_offsets([*long, Lifetime(32, 5, 6)])
    assert size == 512
    assert offsets == [0, 256, 384, 448, 384]


def test_nothing_takes_nothing() -> None:
    assert assign_offsets([]) == ([], 0)
