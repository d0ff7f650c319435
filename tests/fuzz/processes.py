"""Draws judged by several processes, one of which may die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

T = TypeVar("T")

_CHUNK = 20


def in_processes(
    judged: Callable[[Sequence[int]], list[T]], numbers: Sequence[int], jobs: int, died: Callable[[int], T]
) -> Iterator[T]:
    """Yield the verdicts on all numbers, of which `judged` takes some at a time. A process that dies is the fault of
    one of them, which is found by running each alone: its verdict is what `died` returns."""
    chunks = [numbers[k : k + _CHUNK] for k in range(0, len(numbers), _CHUNK)]
    unfinished: list[Sequence[int]] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [(chunk, pool.submit(judged, chunk)) for chunk in chunks]
        for chunk, future in futures:
            try:
                yield from future.result()
            except BrokenProcessPool:
                unfinished.append(chunk)
    for number in (number for chunk in unfinished for number in chunk):
        yield _alone(judged, number, died)


def _alone(judged: Callable[[Sequence[int]], list[T]], number: int, died: Callable[[int], T]) -> T:
    """Return the verdict on a number that has a process of its own, so that it ends no other one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            (verdict,) = pool.submit(judged, [number]).result()
        except BrokenProcessPool:
            return died(number)
    return verdict
