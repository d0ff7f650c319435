"""Memory of a kernel, every access of which is checked.

A shadow stores for each cell the stamps (`stamps.py`) of the last write and of the reads since the last barrier. Two
accesses of a cell, at least one of which is a write and not both of which are atomic, race in these cases: they are by
different threads of a block without a barrier between them (or, inside a warp, a syncwarp), or by different blocks.
These are the data races of the PTX memory model, except that fences are not modelled: accesses that `threadfence` and a
flag order are reported as races. In global memory whose elements belong to one thread each, accesses by two threads
race even with a barrier between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .faults import Fault, Poison
from .stamps import ATOMIC, COPYING, IN_FLIGHT, INITIALISED, SEVERAL, THREAD, access_of
from .types import Scalar

Data = Any
"""Elements: a list, a memoryview (whose integers are Python's) or an array of numpy."""


@dataclass
class Memory:
    """An array in a kernel. Accesses take the thread's stamp and the line of the source."""

    name: str
    space: str
    element: Scalar
    size: int
    alignment: int
    load: Callable[[int, int, int], Any]
    store: Callable[[int, Any, int, int], None]
    atomic: Callable[[int, Callable[[Any], Any], int, int], Any]
    claim: Callable[[int, int, int], None]
    """An asynchronous copy to an element begins."""
    complete: Callable[[int, Any, int, int], None]
    """It has ended."""

    @property
    def label(self) -> str:
        return f"'{self.name}', {self.space} memory of {self.size} elements"

    def aligned(self, index: int, size: int, line: int) -> None:
        """Refuse an access of `size` bytes at an address that it does not divide."""
        need = min(size, 16)
        if self.alignment % need:
            raise Fault(
                "TW0657",
                f"access of {size} bytes to {self.label}, which is aligned to {self.alignment} bytes",
                line=line,
                help=f"allocate it with alignment={need}",
            )
        if index * self.element.itemsize % need:
            raise Fault(
                "TW0657",
                f"access of {size} bytes at element {index} of {self.label}: the address is no multiple of {need}",
                line=line,
            )

    def loads(self, index: int, count: int, me: int, line: int) -> tuple[Any, ...]:
        """Return the elements of a vector."""
        self.aligned(index, count * self.element.itemsize, line)
        load = self.load
        return tuple([load(i, me, line) for i in range(index, index + count)])

    def stores(self, index: int, values: tuple[Any, ...], me: int, line: int) -> None:
        """Write the elements of a vector."""
        self.aligned(index, len(values) * self.element.itemsize, line)
        for i, value in enumerate(values, index):
            self.store(i, value, me, line)


def outside(memory: str, size: int, index: int, line: int) -> NoReturn:
    """Raise the fault of an index that is no element's."""
    raise Fault("TW0652", f"access to element {index} of {memory}, which has {size} elements", line=line)


@dataclass
class Shadow:
    """The state of the cells of one memory: their last writes and reads."""

    name: str
    space: str
    size: int
    initialised: bool
    owner: str = ""
    """The owner of each element: one thread, one block, or all threads."""
    writer: list[int] = field(init=False)
    first: list[int] = field(init=False)
    """The first read of an epoch."""
    second: list[int] = field(init=False)
    """The first read by another thread than that."""
    earlier: list[int] = field(init=False)
    """A read by an earlier block."""
    listeners: list[Callable[[int, int], None]] = field(default_factory=list[Callable[[int, int], None]])
    begin: int = 2
    """The least stamp of this block; 2 for memory of one block."""

    def __post_init__(self) -> None:
        self.writer = [INITIALISED if self.initialised else 0] * self.size
        self.first, self.second, self.earlier = ([0] * self.size for _ in range(3))

    def advance(self, epoch: int) -> None:
        """Note that a barrier was passed, or a block began; `epoch` is the least stamp from here on."""
        for listener in self.listeners:
            listener(epoch, self.begin)

    def nothing(self) -> list[Any]:
        """Return the elements of memory to which nothing was written."""
        return [Poison(self.name, self.space, self, cell) for cell in range(self.size)]

    def hazard(self, cell: int, stamp: int, me: int, line: int, verb: str, did: str) -> None:
        """Raise a fault, unless a syncwarp stands between the two accesses of this epoch."""
        if stamp < IN_FLIGHT and self.owner != "thread":
            one, other = access_of(stamp), access_of(me)
            same_warp = one.thread is not None and other.thread is not None and one.thread >> 5 == other.thread >> 5
            if same_warp and one.synchronisations < other.synchronisations:
                return
        self.race(cell, line, verb, did, stamp)

    def race(self, cell: int, line: int, verb: str, did: str, stamp: int) -> NoReturn:
        element = f"element {cell} of '{self.name}'"
        if stamp >= IN_FLIGHT:
            did, help = "is copying to", "wait for the copy (cp_async_wait), then pass a barrier"
        elif self.owner:
            help = f"different {self.owner}s have disjoint elements: rows are mixed up, or all use the scratch of one"
        elif self.space == "shared":
            help = "a barrier between the two orders them"
        else:
            help = "threads of a block are ordered by barriers, blocks by nothing but the end of the launch"
        code = "TW0654" if self.space == "shared" else "TW0655"
        raise Fault(code, f"{verb} of {element}, {self.space} memory, races", line=line, other=(did, stamp), help=help)


def shadowed(name: str, element: Scalar, data: Data, shadow: Shadow, alignment: int) -> Memory:
    """Return memory whose cells are its elements, with a shadow."""
    space, size = shadow.space, shadow.size
    writer, first, second, earlier = shadow.writer, shadow.first, shadow.second, shadow.earlier
    hazard = shadow.hazard
    epoch = begin = 2
    quiet = [0] * size  # cells that several threads have read in this epoch and none has written: nothing to note

    def advance(new_epoch: int, new_begin: int) -> None:
        nonlocal epoch, begin
        # No barrier orders accesses of different threads to memory that belongs to one thread.
        epoch, begin = new_begin if shadow.owner == "thread" else new_epoch, new_begin

    shadow.listeners.append(advance)

    def load(i: int, me: int, line: int) -> Any:
        if 0 <= i < size:
            if quiet[i] is epoch:
                return data[i]
            w = writer[i]
            if w >= begin:
                if w >= epoch and (w ^ me) & THREAD:
                    hazard(i, w, me, line, "read", "wrote")
            elif w > 1:  # another block's
                shadow.race(i, line, "read", "wrote", w)
            r = first[i]
            if r < epoch:
                if 1 < r < begin:
                    earlier[i] = r
                first[i] = me + line
            elif (r ^ me) & THREAD:
                if second[i] < epoch:
                    second[i] = me + line
                if w < epoch:
                    quiet[i] = epoch
            return data[i]
        return outside(f"'{name}', {space} memory", size, i, line)

    def check(i: int, me: int, line: int, after_atomic: bool = False) -> None:
        """Check that this thread may write."""
        if not 0 <= i < size:
            outside(f"'{name}', {space} memory", size, i, line)
        w = writer[i]
        if w >= epoch:
            if (w ^ me) & THREAD and not after_atomic:
                hazard(i, w, me, line, "write", "wrote")
        elif 1 < w < begin and not after_atomic:
            shadow.race(i, line, "write", "wrote", w)
        r = first[i]
        if r >= epoch:
            if (r ^ me) & THREAD:
                hazard(i, r, me, line, "write", "read")
            r = second[i]
            if r >= epoch and (r ^ me) & THREAD:
                hazard(i, r, me, line, "write", "read")
            quiet[i] = 0
        elif 1 < r < begin:
            earlier[i] = r
        if earlier[i]:
            shadow.race(i, line, "write", "read", earlier[i])

    def store(i: int, value: Any, me: int, line: int) -> None:
        check(i, me, line)
        writer[i] = me + line
        data[i] = value

    def atomic(i: int, update: Callable[[Any], Any], me: int, line: int) -> Any:
        w = writer[i] if 0 <= i < size else 1
        both = w > 1 and bool(w & ATOMIC)
        check(i, me, line, both)
        if not both or begin <= w < epoch:
            writer[i] = me + line + ATOMIC
        elif w >= epoch and (w ^ me) & THREAD:
            writer[i] = epoch + SEVERAL + line + ATOMIC
        old = data[i]
        data[i] = update(old)
        return old

    def claim(i: int, me: int, line: int) -> None:
        check(i, me, line)
        writer[i] = IN_FLIGHT + me + COPYING + line

    def complete(i: int, value: Any, me: int, line: int) -> None:
        writer[i] = me + line
        data[i] = value

    return Memory(name, space, element, size, alignment, load, store, atomic, claim, complete)


def read_only(name: str, element: Scalar, data: Data, size: int, alignment: int) -> Memory:
    """Return global memory that the kernel never writes: nothing can race."""

    def load(i: int, me: int, line: int) -> Any:
        if 0 <= i < size:
            return data[i]
        return outside(f"'{name}', global memory", size, i, line)

    def unused(*_: Any) -> NoReturn:
        raise AssertionError(f"'{name}' is written after all")

    return Memory(name, "global", element, size, alignment, load, unused, unused, unused, unused)


def dynamic_view(name: str, element: Scalar, data: Data, cells: Memory, ratio: int, alignment: int) -> Memory:
    """Return dynamic shared memory seen as elements of `ratio` cells each, where it is seen with several types."""
    size = cells.size // ratio

    def over(i: int, line: int) -> range:
        if not 0 <= i < size:
            outside(f"'{name}', shared memory", size, i, line)
        return range(i * ratio, i * ratio + ratio)

    def load(i: int, me: int, line: int) -> Any:
        found = [cells.load(cell, me, line) for cell in over(i, line)]
        poison = [value for value in found if isinstance(value, Poison)]
        return poison[0] if poison else data[i]

    def store(i: int, value: Any, me: int, line: int) -> None:
        is_defined = not isinstance(value, Poison)
        for cell in over(i, line):
            cells.store(cell, 0 if is_defined else value, me, line)
        if is_defined:
            data[i] = value

    def atomic(i: int, update: Callable[[Any], Any], me: int, line: int) -> Any:
        for cell in over(i, line):
            cells.atomic(cell, _defined, me, line)
        old = data[i]
        data[i] = update(old)
        return old

    def claim(i: int, me: int, line: int) -> None:
        for cell in over(i, line):
            cells.claim(cell, me, line)

    def complete(i: int, value: Any, me: int, line: int) -> None:
        for cell in over(i, line):
            cells.complete(cell, 0, me, line)
        data[i] = value

    return Memory(name, "shared", element, size, alignment, load, store, atomic, claim, complete)


def _defined(value: Any) -> Any:
    """Return the value of a cell, unless nothing was written to it."""
    return int(value)


def local_array(name: str, size: int) -> list[Any]:
    """Return memory of one thread: a list of poison."""
    return [Poison(name)] * size


def local_load(data: list[Any], name: str, index: int, line: int) -> Any:
    """Return an element whose index was not proved to be one."""
    if 0 <= index < len(data):
        return data[index]
    return outside(f"'{name}', local memory", len(data), index, line)


def local_store(data: list[Any], name: str, index: int, value: Any, line: int) -> None:
    if not 0 <= index < len(data):
        outside(f"'{name}', local memory", len(data), index, line)
    data[index] = value


def local_stores(data: list[Any], name: str, index: int, values: tuple[Any, ...], line: int) -> None:
    for i, value in enumerate(values, index):
        local_store(data, name, i, value, line)
