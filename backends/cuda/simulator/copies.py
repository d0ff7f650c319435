"""Pending asynchronous copies from global to shared memory (PTX ISA, cp.async).

The elements are read when a copy starts and are written when the thread waits for its group. In between, every access
to the destination is a race. Afterwards other threads see the elements past a barrier, as if the thread had stored
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .faults import Fault
from .memory import Memory

_Arrival = tuple[Callable[[int, Any, int, int], None], int, Any, int]


class Copies:
    """The copies that one thread has started and not waited for."""

    __slots__ = ("_started", "_groups")

    def __init__(self) -> None:
        self._started: list[_Arrival] = []
        self._groups: list[list[_Arrival]] = []

    def begin(
        self, target: Memory, index: int, source: Memory, first: int, size: int, me: int, line: int, real: bool = True
    ) -> None:
        """Copy `size` bytes; where not `real`, zeros come instead and `source` is not read."""
        count = size // target.element.itemsize
        target.aligned(index, size, line)
        if count * target.element.itemsize != size:
            raise Fault("TW0657", f"copy of {size} bytes to {target.label}: no whole elements", line=line)
        if real:
            source.aligned(first, size, line)
        zero = target.element.dtype.type(0) if target.element.kind == "f" else 0
        for k in range(count):
            value = source.load(first + k, me, line) if real else zero
            target.claim(index + k, me, line)
            self._started.append((target.complete, index + k, value, line))

    def commit(self) -> None:
        """Make a group of the copies since the last one."""
        self._groups.append(self._started)
        self._started = []

    def wait(self, left: int, me: int) -> None:
        """Wait until at most `left` of the latest groups are under way."""
        keep = max(len(self._groups) - left, 0)
        for group in self._groups[:keep]:
            _arrive(group, me)
        del self._groups[:keep]

    def wait_all(self, me: int) -> None:
        self.commit()
        self.wait(0, me)


def _arrive(group: list[_Arrival], me: int) -> None:
    for complete, index, value, line in group:
        complete(index, value, me, line)
