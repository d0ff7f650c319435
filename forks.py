"""Safety of forks: critical sections during which no thread may fork the process.

The child of a fork has one thread and a copy of all memory. A lock that another thread held at the fork, such as one
inside LLVM, stays locked in the child forever. Work under such locks runs inside `held_off`: a fork waits until no
thread is inside, and threads wait to enter until the fork is done. A section is short compared with a compilation: the
code generation of one function by LLVM, not that of a model.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property


class _Gate:
    """The number of threads inside of sections, and a flag that a fork waits for them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._inside = 0
        self._forks = 0
        self._own = threading.local()

    def enter(self, *, blocking: bool = True) -> bool:
        """Go in; False where that would mean to wait and `blocking` is false."""
        if not self._lock.acquire(blocking=blocking):
            return False
        try:
            while self._forks and not self._depth:
                if not blocking:
                    return False
                self._changed.wait()
            self._inside += 1
            self._own.depth = self._depth + 1
            return True
        finally:
            self._lock.release()

    def leave(self) -> None:
        with self._lock:
            self._inside -= 1
            self._own.depth = self._depth - 1
            self._changed.notify_all()

    def close(self) -> None:
        """Wait until all others have left, and keep the lock until `reopen`."""
        self._lock.acquire()
        self._forks += 1
        while self._inside > self._depth:
            self._changed.wait()

    def reopen(self) -> None:
        self._forks -= 1
        self._changed.notify_all()
        self._lock.release()

    def reopen_in_child(self) -> None:
        """Reset the gate: the other threads are gone, those that waited here as well."""
        depth = self._depth
        self.__init__()
        self._inside = self._own.depth = depth

    @property
    def _depth(self) -> int:
        return getattr(self._own, "depth", 0)


_gate = _Gate()


@contextmanager
def held_off() -> Generator[None]:
    """Let forks of this process wait for the body of the `with`; it may be entered again by the same thread."""
    _gate.enter()
    try:
        yield
    finally:
        _gate.leave()


def held_off_at_once(work: Callable[[], None]) -> bool:
    """Do work as inside `held_off` if this needs no waiting: for finalizers, which run in any thread."""
    if not _gate.enter(blocking=False):
        return False
    try:
        work()
    finally:
        _gate.leave()
    return True


def _renew_property_locks() -> None:
    """Give this package's `cached_property` objects new locks: before Python 3.12 each holds one while it computes."""
    package = __name__.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != package:
            continue
        for owner in [value for value in vars(module).values() if isinstance(value, type)]:
            for value in vars(owner).values():
                if isinstance(value, cached_property):
                    value.lock = threading.RLock()  # pyright: ignore[reportAttributeAccessIssue]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_gate.close, after_in_parent=_gate.reopen, after_in_child=_gate.reopen_in_child)
    if sys.version_info < (3, 12):
        os.register_at_fork(after_in_child=_renew_property_locks)
