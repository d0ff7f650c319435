"""Registers as LLVM values: chunks are vectors, and phis carry them around loops and behind branches."""

from __future__ import annotations

from collections.abc import Sequence

from ....passes.shared.register_file import Chunk, RegisterBuffer, RegisterFile
from .code import Code
from .columns import column
from .types import storage_type, value_type, with_lanes


class Registers(RegisterFile[str]):
    """The register buffers of one function."""

    def __init__(self, code: Code) -> None:
        super().__init__(_Names(code))
        self._code = code

    def close_loop(self, before: str, latch: str, may_skip: bool) -> tuple[list[str], list[str]]:
        """Close a loop entered from block `before` and repeated from block `latch`.

        Returns the phis of the loop's header and of its exit block. If the loop `may_skip`, `before` is a predecessor
        of the exit block too.
        """
        carried, outliving = self.leave_loop()
        head = [
            f"  {c.within} = phi {_chunk_type(c.chunk)} [ {c.before}, %{before} ], [ {c.after}, %{latch} ]"
            for c in carried
        ]
        exits: list[str] = []
        for chunk, value in outliving:
            if may_skip:
                skipped, name = self.current(chunk), self._code.fresh("r")
                exits.append(f"  {name} = phi {_chunk_type(chunk)} [ {skipped}, %{before} ], [ {value}, %{latch} ]")
                value = name
            self.assign(chunk, value)
        return head, exits

    def merge(self, one: dict[Chunk, str], one_end: str, other: dict[Chunk, str], other_end: str) -> None:
        """Write the phis where two sides of a branch, which end in the given blocks, meet."""
        for chunk, a, b in self.meet(one, other):
            type_ = _chunk_type(chunk)
            self.assign(chunk, self._code.define(f"phi {type_} [ {a}, %{one_end} ], [ {b}, %{other_end} ]", "r"))


class _Names:
    """The SSA values of registers, by their names."""

    def __init__(self, code: Code) -> None:
        self._code = code

    def undefined(self, chunk: Chunk) -> str:
        return "poison"

    def carried(self, chunk: Chunk, depth: int) -> str:
        return self._code.fresh("r")

    def extract(self, chunk: Chunk, value: str, lane: int) -> str:
        return self._code.define(f"extractelement {_chunk_type(chunk)} {value}, i64 {lane}")

    def insert(self, chunk: Chunk, value: str, element: str, lane: int) -> str:
        type_ = value_type(chunk[0].type.element_type)
        return self._code.define(f"insertelement {_chunk_type(chunk)} {value}, {type_} {element}, i64 {lane}")

    def append(self, buffer: RegisterBuffer, lanes: int, vector: str | None, element: str, lane: int) -> str:
        type_ = value_type(buffer.type.element_type)
        whole = f"{with_lanes(type_, lanes)} {vector or 'poison'}"
        return self._code.define(f"insertelement {whole}, {type_} {element}, i64 {lane}")

    def take(self, buffer: RegisterBuffer, lanes: int, vector: str, lane: int) -> str:
        type_ = with_lanes(value_type(buffer.type.element_type), lanes)
        return self._code.define(f"extractelement {type_} {vector}, i64 {lane}")

    def column(self, buffer: RegisterBuffer, rows: Sequence[str], position: int) -> str:
        bits = storage_type(buffer.type.element_type)[1] * 8
        return column(self._code, rows, value_type(buffer.type.element_type), bits, buffer.width, position)


def _chunk_type(chunk: Chunk) -> str:
    buffer = chunk[0]
    return with_lanes(value_type(buffer.type.element_type), None if buffer.width == 1 else buffer.width)
