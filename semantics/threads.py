"""The threads of a block, which run at once from barrier to barrier.

Each thread is a generator that yields where it waits; they are resumed in turn, so that one operating system thread
runs them all and their order is the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import product
from typing import TypeAlias

from xdsl.ir import Operation

from ..diagnostics import fail
from .races import Races

Thread: TypeAlias = Generator[Operation, None, None]
"""The operations of one thread; what is yielded is the barrier where it waits."""


def run_block(op: Operation, thread: Callable[..., Thread], extents: Sequence[int], races: Races | None = None) -> None:
    """Run a block of so many threads along each axis. Raises TW0535 where they do not meet at the same barrier."""
    threads = [thread(*numbers) for numbers in product(*map(range, extents))]
    if races is not None:
        races.start(op)
    while threads:
        waiting: list[Operation | None] = []
        for number, each in enumerate(threads):
            if races is not None:
                races.thread = number
            waiting.append(next(each, None))
        barrier = waiting[0]
        if any(other is not barrier for other in waiting):
            _fail_divergent(waiting)
        if races is not None:
            races.meet(barrier)
        if barrier is None:
            return


def _fail_divergent(waiting: Sequence[Operation | None]) -> None:
    barrier = next(op for op in waiting if op is not None)
    here = waiting.count(barrier)
    fail(
        "TW0535",
        f"expected all {len(waiting)} threads of a block at the barrier, but only {here} reach it",
        op=barrier,
        help="no condition and no loop bound around a barrier may depend on the thread",
    )
