"""How much memory a test takes: the peak of its process above what that held before, and its largest child's."""

from __future__ import annotations

import resource
from pathlib import Path

LIMIT = 1 << 30
"""Bytes that no test exceeds."""

_KIB = 1 << 10


class Meter:
    """Measures from its construction on."""

    def __init__(self) -> None:
        _forget_peak()
        self._before = _peak(resource.RUSAGE_SELF)
        self._children = _peak(resource.RUSAGE_CHILDREN)

    def taken(self) -> int:
        """Bytes by which the peak has grown, or those of a child where one was larger than all before it.

        A child begins as a copy of this process: one that is not larger has taken nothing.
        """
        own, children = _peak(resource.RUSAGE_SELF), _peak(resource.RUSAGE_CHILDREN)
        return max(own - self._before, children if children > max(own, self._children) else 0)


def check(name: str, taken: int) -> None:
    """Fail for a test that took more than LIMIT bytes."""
    assert taken <= LIMIT, f"{name} took {taken >> 20} MiB, more than {LIMIT >> 20}"


def _peak(who: int) -> int:
    return resource.getrusage(who).ru_maxrss * _KIB


def _forget_peak() -> None:
    """Let the peak of this process start at what it holds, where the system can do so; else it never falls."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return
