"""Register buffers as SSA values: the value of each chunk, and the chunks that loops and branches carry.

This is SSA construction on structured control flow (Braun et al., "Simple and Efficient Construction of Static Single
Assignment Form", CC 2013, with sealed blocks known from the structure). Every loop and branch has a frame of the chunks
that it assigns. A read of a chunk that the loop has not assigned yet creates a carried value, whose initial and final
values are known at the end of the loop.

`Values` defines the representation of values: names of LLVM for the emitter, SSA values for `expand-registers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeVar

from xdsl.dialects.builtin import MemRefType

ValueT = TypeVar("ValueT")


@dataclass(eq=False)
class RegisterBuffer:
    """A buffer whose elements are values, held in chunks of `width` neighbours."""

    type: MemRefType
    width: int
    home: int = 0
    """The depth of the region that allocated it: how many loops and branches are around."""


Chunk = tuple[RegisterBuffer, int]


class ChunkValues(Protocol[ValueT]):
    """Construction of values at the current insertion point. A chunk of width 1 is a scalar."""

    def undefined(self, chunk: Chunk) -> ValueT:
        """Return the value of a chunk that was never assigned."""
        ...

    def carried(self, chunk: Chunk, depth: int) -> ValueT:
        """Return the value of a chunk at the start of an iteration of the loop at this depth."""
        ...

    def extract(self, chunk: Chunk, value: ValueT, lane: int) -> ValueT:
        """Return an element of a chunk."""
        ...

    def insert(self, chunk: Chunk, value: ValueT, element: ValueT, lane: int) -> ValueT:
        """Return a chunk with another element."""
        ...

    def append(self, buffer: RegisterBuffer, lanes: int, vector: ValueT | None, element: ValueT, lane: int) -> ValueT:
        """Return a vector of `lanes` elements of which those up to `lane` are known; None before the first."""
        ...

    def take(self, buffer: RegisterBuffer, lanes: int, vector: ValueT, lane: int) -> ValueT:
        """Return an element of a vector of `lanes` elements."""
        ...

    def column(self, buffer: RegisterBuffer, rows: Sequence[ValueT], position: int) -> ValueT:
        """Return the elements at one position of chunks, as a vector."""
        ...


@dataclass
class _Frame(Generic[ValueT]):
    kind: Literal["function", "loop", "branch"]
    values: dict[Chunk, ValueT] = field(default_factory=dict[Chunk, ValueT])
    carried: dict[Chunk, ValueT] = field(default_factory=dict[Chunk, ValueT])
    written: dict[Chunk, None] = field(default_factory=dict[Chunk, None])


@dataclass(frozen=True)
class Carried(Generic[ValueT]):
    """A chunk that a loop carries."""

    chunk: Chunk
    within: ValueT
    """At the start of an iteration."""
    before: ValueT
    after: ValueT
    """At the end of an iteration."""


class RegisterFile(Generic[ValueT]):
    """The register buffers of one function."""

    def __init__(self, values: ChunkValues[ValueT]) -> None:
        self._make = values
        self._frames: list[_Frame[ValueT]] = [_Frame("function")]

    def allocate(self, buffer: RegisterBuffer) -> None:
        """State that `buffer` belongs to the current region, and that all its elements are undefined."""
        buffer.home = len(self._frames) - 1
        for chunk in [c for c in self._frames[-1].values if c[0] is buffer]:
            del self._frames[-1].values[chunk]

    # Accesses

    def read(self, buffer: RegisterBuffer, position: int, lanes: int | None) -> ValueT:
        """Return `lanes` neighbours from `position` on, as a vector (a scalar for None)."""
        width = buffer.width
        number, start = divmod(position, width)
        if lanes == width and start == 0 or width == 1 and lanes is None:
            return self.current((buffer, number))
        if lanes is None:
            return self._extract(buffer, position)
        return self.gather(buffer, range(position, position + lanes))

    def gather(self, buffer: RegisterBuffer, positions: Sequence[int]) -> ValueT:
        """Return elements at any positions as a vector."""
        vector: ValueT | None = None
        for lane, position in enumerate(positions):
            vector = self._make.append(buffer, len(positions), vector, self._extract(buffer, position), lane)
        assert vector is not None
        return vector

    def column(self, buffer: RegisterBuffer, positions: Sequence[int]) -> ValueT:
        """Return the elements at one position of as many chunks as a vector has elements, as a vector made of whole
        chunks."""
        rows = [self.current((buffer, p // buffer.width)) for p in positions]
        return self._make.column(buffer, rows, positions[0] % buffer.width)

    def write(self, buffer: RegisterBuffer, position: int, lanes: int | None, value: ValueT) -> None:
        """Assign `lanes` neighbours from `position` on."""
        width = buffer.width
        number, start = divmod(position, width)
        if lanes == width and start == 0 or width == 1 and lanes is None:
            self.assign((buffer, number), value)
        elif lanes is None:
            self._insert(buffer, position, value)
        else:
            self.scatter(buffer, range(position, position + lanes), value)

    def scatter(self, buffer: RegisterBuffer, positions: Sequence[int], value: ValueT) -> None:
        """Assign the lanes of a vector to any elements, in order."""
        for lane, position in enumerate(positions):
            self._insert(buffer, position, self._make.take(buffer, len(positions), value, lane))

    # Regions

    def enter(self, kind: Literal["loop", "branch"]) -> None:
        self._frames.append(_Frame(kind))

    def leave_loop(self) -> tuple[list[Carried[ValueT]], list[tuple[Chunk, ValueT]]]:
        """Close a loop. Returns the chunks that it carries, and the assigned chunks that live on, with their values at
        its end.

        Whoever closes it assigns these their values behind the loop.
        """
        frame = self._frames.pop()
        carried = [Carried(c, value, self.current(c), frame.values[c]) for c, value in frame.carried.items()]
        return carried, [(chunk, frame.values[chunk]) for chunk in self._outliving(frame)]

    def leave_branch(self) -> dict[Chunk, ValueT]:
        """Close one side of a branch; the chunks it assigned that live on."""
        frame = self._frames.pop()
        return {chunk: frame.values[chunk] for chunk in self._outliving(frame)}

    def meet(self, one: dict[Chunk, ValueT], other: dict[Chunk, ValueT]) -> Iterator[tuple[Chunk, ValueT, ValueT]]:
        """Yield the chunks that either side of a branch has assigned, with the value of each side.

        Whoever asks assigns each the value behind the branch.
        """
        for chunk in one | other:
            a = one[chunk] if chunk in one else self.current(chunk)
            b = other[chunk] if chunk in other else self.current(chunk)
            yield chunk, a, b

    # Chunks

    def current(self, chunk: Chunk) -> ValueT:
        """Return the value that a chunk has here."""
        for depth in range(len(self._frames) - 1, chunk[0].home - 1, -1):
            frame = self._frames[depth]
            if chunk in frame.values:
                return frame.values[chunk]
            if frame.kind == "loop" and depth > chunk[0].home:
                value = self._make.carried(chunk, depth)
                frame.carried[chunk] = frame.values[chunk] = value
                return value
        return self._make.undefined(chunk)

    def assign(self, chunk: Chunk, value: ValueT) -> None:
        """Let a chunk have a value from here on."""
        self._frames[-1].values[chunk] = value
        self._frames[-1].written[chunk] = None

    def _outliving(self, frame: _Frame[ValueT]) -> list[Chunk]:
        return [chunk for chunk in frame.written if chunk[0].home < len(self._frames)]

    def _extract(self, buffer: RegisterBuffer, position: int) -> ValueT:
        number, lane = divmod(position, buffer.width)
        value = self.current((buffer, number))
        return value if buffer.width == 1 else self._make.extract((buffer, number), value, lane)

    def _insert(self, buffer: RegisterBuffer, position: int, element: ValueT) -> None:
        number, lane = divmod(position, buffer.width)
        chunk = (buffer, number)
        if buffer.width > 1:
            element = self._make.insert(chunk, self.current(chunk), element, lane)
        self.assign(chunk, element)
