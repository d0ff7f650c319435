"""CPUs that one measurement has to itself among all processes of a user that measure.

Each CPU has a file, which is locked while something is measured on it. The system frees the lock when the process ends.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import ExitStack, contextmanager
from pathlib import Path


def lock_file(cpu: int) -> Path:
    """Return the file of a CPU."""
    folder = Path(tempfile.gettempdir()) / f"tilewright-cpus-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / str(cpu)


@contextmanager
def cpus_alone(cpus: Collection[int], count: int, before_waiting: Callable[[], None]) -> Generator[set[int]]:
    """Hold `count` of these CPUs, the highest that are free; where too few are, wait for the highest ones.

    They are waited for from the lowest up, with nothing held before, so that no two processes wait for each other.
    """
    ordered = sorted(cpus, reverse=True)
    with ExitStack() as stack:
        held = _free(ordered, count, stack)
        if len(held) < count:
            stack.close()
            before_waiting()
            held = set(ordered[:count])
            for cpu in sorted(held):
                fcntl.flock(_opened(cpu, stack), fcntl.LOCK_EX)
        yield held


def _free(cpus: Iterable[int], count: int, stack: ExitStack) -> set[int]:
    """Lock up to `count` CPUs that no process holds."""
    held = set[int]()
    for cpu in cpus:
        if len(held) == count:
            break
        try:
            fcntl.flock(_opened(cpu, stack), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        held.add(cpu)
    return held


def _opened(cpu: int, stack: ExitStack) -> int:
    return stack.enter_context(lock_file(cpu).open("w")).fileno()
