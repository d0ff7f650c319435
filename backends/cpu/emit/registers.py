"""Register buffers: chunks of elements as SSA values, and the phis that carry them.

This is SSA construction on structured control flow (Braun et al., "Simple and Efficient Construction of
Static Single Assignment Form", CC 2013, with sealed blocks known from the structure). Every loop and branch
has a frame of the chunks assigned in it. Reading a chunk that a loop has not assigned yet makes a phi at its
head, whose incoming values are known when the loop ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from .buffers import RegisterBuffer
from .code import Code
from .columns import column
from .types import storage_type, value_type, with_lanes

Chunk = tuple[RegisterBuffer, int]


@dataclass
class _Frame:
    kind: Literal["function", "loop", "branch"]
    values: dict[Chunk, str] = field(default_factory=dict[Chunk, str])
    phis: dict[Chunk, str] = field(default_factory=dict[Chunk, str])
    written: dict[Chunk, None] = field(default_factory=dict[Chunk, None])


class RegisterFile:
    """The register buffers of one function."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._frames = [_Frame("function")]

    def allocate(self, buffer: RegisterBuffer) -> None:
        """State that `buffer` belongs to the current region, and that all its elements are undefined."""
        buffer.home = len(self._frames) - 1
        for chunk in [c for c in self._frames[-1].values if c[0] is buffer]:
            del self._frames[-1].values[chunk]

    def read(self, buffer: RegisterBuffer, position: int, lanes: int | None) -> str:
        """`lanes` neighbours from `position` on, as a vector (a scalar for None)."""
        width = buffer.width
        number, start = divmod(position, width)
        if lanes == width and start == 0 or width == 1 and lanes is None:
            return self._read_chunk((buffer, number))
        if lanes is None:
            return self._extract(buffer, position)
        return self.gather(buffer, range(position, position + lanes))

    def gather(self, buffer: RegisterBuffer, positions: Sequence[int]) -> str:
        """Any elements as a vector."""
        element, vector = value_type(buffer.type.element_type), "poison"
        for lane, position in enumerate(positions):
            value = self._extract(buffer, position)
            type_ = with_lanes(element, len(positions))
            vector = self._code.define(f"insertelement {type_} {vector}, {element} {value}, i64 {lane}")
        return vector

    def column(self, buffer: RegisterBuffer, positions: Sequence[int]) -> str:
        """Elements at one place of as many chunks as a vector, by shuffles of the chunks."""
        rows = [self._read_chunk((buffer, p // buffer.width)) for p in positions]
        bits = storage_type(buffer.type.element_type)[1] * 8
        element = value_type(buffer.type.element_type)
        return column(self._code, rows, element, bits, buffer.width, positions[0] % buffer.width)

    def write(self, buffer: RegisterBuffer, position: int, lanes: int | None, value: str) -> None:
        """Assign `lanes` neighbours from `position` on."""
        width = buffer.width
        number, start = divmod(position, width)
        if lanes == width and start == 0 or width == 1 and lanes is None:
            self._write_chunk((buffer, number), value)
        elif lanes is None:
            self._insert(buffer, position, value)
        else:
            self.scatter(buffer, range(position, position + lanes), value)

    def scatter(self, buffer: RegisterBuffer, positions: Sequence[int], value: str) -> None:
        """Assign the lanes of a vector to any elements, in order."""
        type_ = with_lanes(value_type(buffer.type.element_type), len(positions))
        for lane, position in enumerate(positions):
            self._insert(buffer, position, self._code.define(f"extractelement {type_} {value}, i64 {lane}"))

    # Regions

    def enter(self, kind: Literal["loop", "branch"]) -> None:
        self._frames.append(_Frame(kind))

    def leave_loop(self, before: str, latch: str, may_skip: bool) -> tuple[list[str], list[str]]:
        """Close a loop entered from block `before` and repeated from block `latch`.

        Returns the phis of its head, and those of its exit, which is reached from `before` too where it
        `may_skip`.
        """
        frame = self._frames.pop()
        head = [
            f"  {phi} = phi {_chunk_type(c)} [ {self._read_chunk(c)}, %{before} ], [ {frame.values[c]}, %{latch} ]"
            for c, phi in frame.phis.items()
        ]
        exits: list[str] = []
        for chunk in self._outliving(frame):
            value = frame.values[chunk]
            if may_skip:
                skipped, name = self._read_chunk(chunk), self._code.fresh("r")
                exits.append(f"  {name} = phi {_chunk_type(chunk)} [ {skipped}, %{before} ], [ {value}, %{latch} ]")
                value = name
            self._write_chunk(chunk, value)
        return head, exits

    def leave_branch(self) -> dict[Chunk, str]:
        """Close one side of a branch; the chunks it assigned that live on."""
        frame = self._frames.pop()
        return {chunk: frame.values[chunk] for chunk in self._outliving(frame)}

    def merge(self, one: dict[Chunk, str], one_end: str, other: dict[Chunk, str], other_end: str) -> None:
        """Write the phis where two sides of a branch, which end in the given blocks, meet."""
        for chunk in one | other:
            a = one[chunk] if chunk in one else self._read_chunk(chunk)
            b = other[chunk] if chunk in other else self._read_chunk(chunk)
            type_ = _chunk_type(chunk)
            self._write_chunk(chunk, self._code.define(f"phi {type_} [ {a}, %{one_end} ], [ {b}, %{other_end} ]", "r"))

    # Chunks

    def _outliving(self, frame: _Frame) -> list[Chunk]:
        return [chunk for chunk in frame.written if chunk[0].home < len(self._frames)]

    def _read_chunk(self, chunk: Chunk) -> str:
        for depth in range(len(self._frames) - 1, chunk[0].home - 1, -1):
            frame = self._frames[depth]
            if chunk in frame.values:
                return frame.values[chunk]
            if frame.kind == "loop" and depth > chunk[0].home:
                phi = self._code.fresh("r")
                frame.phis[chunk] = frame.values[chunk] = phi
                return phi
        return "poison"

    def _write_chunk(self, chunk: Chunk, value: str) -> None:
        self._frames[-1].values[chunk] = value
        self._frames[-1].written[chunk] = None

    def _extract(self, buffer: RegisterBuffer, position: int) -> str:
        number, lane = divmod(position, buffer.width)
        value = self._read_chunk((buffer, number))
        if buffer.width == 1:
            return value
        return self._code.define(f"extractelement {_chunk_type((buffer, number))} {value}, i64 {lane}")

    def _insert(self, buffer: RegisterBuffer, position: int, value: str) -> None:
        number, lane = divmod(position, buffer.width)
        chunk = (buffer, number)
        if buffer.width > 1:
            element = value_type(buffer.type.element_type)
            old = self._read_chunk(chunk)
            value = self._code.define(f"insertelement {_chunk_type(chunk)} {old}, {element} {value}, i64 {lane}")
        self._write_chunk(chunk, value)


def _chunk_type(chunk: Chunk) -> str:
    buffer = chunk[0]
    return with_lanes(value_type(buffer.type.element_type), None if buffer.width == 1 else buffer.width)
