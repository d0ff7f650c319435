"""Dynamic race detection: an element is accessed by two threads without a barrier between them, and one access writes.

The same is detected for two iterations of a parallel loop. Accesses are recorded while a program runs: buffers that
threads can share are arrays that report every access. The translated code is the same with and without detection. A run
is evidence for the inputs of this run only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ..diagnostics import fail
from ..dialects.loop import GLOBAL, PARALLEL, SHARED, WARP, BarrierOp, ForOp, separates
from .values import Array

_SEVERAL = -1
_SCOPES = (WARP, SHARED, GLOBAL)


class Races:
    """The accesses of the threads of one block, or of the iterations of one parallel loop, since their last barrier.

    Accesses are recorded by the address of the element.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        """The thread or the iteration that runs; None outside of blocks and of parallel loops."""
        self._around: Operation | None = None
        self._made: list[Array] = []
        """The allocations of threads since the last barrier, kept so that no other array gets the same addresses."""
        self._readers: dict[str, dict[int, int]] = {}
        self._writers: dict[str, dict[int, int]] = {}
        self._forget(*_SCOPES)

    def start(self, around: Operation) -> None:
        """Start the threads of a block or the iterations of a parallel loop."""
        self._around = around
        self._forget(*_SCOPES)

    def meet(self, barrier: Operation | None) -> None:
        """Note that all threads wait at a barrier, or have come to their end."""
        self.thread = None
        self._made.clear()
        self._forget(*(s for s in _SCOPES if not isinstance(barrier, BarrierOp) or separates(barrier, s)))

    def watch(self, array: Array, scope: str) -> Array:
        """Return the same memory as an array that reports its accesses."""
        watched = array.view(Watched)
        watched.races = self
        family = scope.partition(".")[0]
        watched.scope = family if family in _SCOPES else GLOBAL
        if self.thread is not None:
            self._made.append(watched)
        return watched

    def touch(self, array: Watched, key: Any, *, writes: bool) -> None:
        """Note that the running thread reads or writes elements. Raises TW0537 where another thread is in its way."""
        thread = self.thread
        if thread is None:
            return
        readers, writers = self._readers[array.scope], self._writers[array.scope]
        for address in np.atleast_1d(array.addresses()[key]).ravel().tolist():
            others = {writers.get(address, thread)}
            if writes:
                others.add(readers.get(address, thread))
                writers[address] = thread
            else:
                readers[address] = thread if readers.get(address, thread) == thread else _SEVERAL
            if others != {thread}:
                self._fail(array, writes)

    def _fail(self, array: Watched, writes: bool) -> None:
        self.thread = None
        what = "writes" if writes else "reads"
        expected = f"a barrier between threads that meet in {array.scope} memory"
        if isinstance(self._around, ForOp) and self._around.kind == PARALLEL:
            expected = "iterations of a parallel loop to access disjoint elements"
        fail(
            "TW0537",
            f"expected {expected}, but one {what} an element of {[*array.shape]} that another one "
            f"{'accesses' if writes else 'writes'}",
            op=self._around,
        )

    def _forget(self, *scopes: str) -> None:
        for scope in scopes:
            self._readers[scope] = {}
            self._writers[scope] = {}


class Watched(np.ndarray[Any, Any]):
    """An array that records the elements that are read and written by index; views of it record too."""

    races: Races | None
    scope: str
    _addresses: Array | None

    def __array_finalize__(self, obj: Any) -> None:
        self.races = getattr(obj, "races", None)
        self.scope = getattr(obj, "scope", GLOBAL)
        self._addresses = None

    def __getitem__(self, key: Any) -> Any:
        if self.races is not None:
            self.races.touch(self, key, writes=False)
        found: Any = super().__getitem__(key)
        return np.asarray(found) if isinstance(found, np.ndarray) else found

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.races is not None:
            self.races.touch(self, key, writes=True)
        super().__setitem__(key, value)

    def addresses(self) -> Array:
        """Return the address of each element."""
        if self._addresses is None:
            first = np.array(self.__array_interface__["data"][0], np.int64)
            for d, (extent, stride) in enumerate(zip(self.shape, self.strides, strict=True)):
                steps = np.arange(extent) * stride
                first = first + steps.reshape([-1, *[1] * (self.ndim - d - 1)])
            self._addresses = np.broadcast_to(first, self.shape)
        return self._addresses
