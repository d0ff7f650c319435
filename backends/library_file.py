"""Saved libraries: their constants are appended to the linker's output, or written to a file beside it.

A linker would read and write the weights of a model several times. So the linker gets only the head of the block of
`runtime.description`, and the constants are appended to its output: to a shared library as a separate segment, which
the system's loader maps, and to an object file as the rest of the section with the head.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

from ..diagnostics.files import fail_writing, written_whole
from ..runtime.description import DISTANCE, DISTANCE_AT, Encoded, Entry, encode
from ..runtime.library import SEAL, SEAL_MARK
from ..runtime.tensor_files import aligned_arrays, pieces_of

BLOCK_SECTION = ".tw_block"
"""The section of the head, and in an object file also of the constants."""
CONSTANTS_SECTION = ".tw_constants"
"""The section header for the constants of a shared library, so that tools which rewrite a library keep them."""

MOST_INSIDE = 2 << 30
"""The most bytes of constants that are saved inside a library by default."""

_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_LOAD, _NOTE, _READABLE = 1, 4, 4
_ALLOCATED = 2
_PAGE = 1 << 16
"""The largest page of the machines that code is made for."""


class Writer(Protocol):
    """Code of a backend that can be saved as a library."""

    @property
    def entries(self) -> Sequence[Entry]: ...

    def write_library(self, path: Path, weights: str = "") -> Encoded:
        """Write a shared library, or an object file where the name ends in .o, and return its encoded block.

        Constants are left out where `weights` names the file that has them.
        """
        ...


def save_library(code: Writer, path: Path, weights: str | None) -> None:
    """Write a shared library, its constants "inside" or "beside" it in a file of safetensors; without a word, beside
    where they have more than MOST_INSIDE bytes. Raises TilewrightError TW0204 where a file cannot be written."""
    block = encode(code.entries, [], digests=False)
    if weights == "inside" or (weights is None and block.size <= MOST_INSIDE):
        code.write_library(path)
    else:
        beside = path.with_suffix(".safetensors")
        write_weights(beside, block)
        code.write_library(path, beside.name)


def write_weights(path: Path, block: Encoded) -> None:
    """Write constants as a file of safetensors, in which they lie as in a library: at multiples of 64 bytes."""
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            file.writelines(pieces_of(aligned_arrays(block.constants)))
    except OSError as error:
        fail_writing(path, error)


def write_shared(linked: bytes, block: Encoded, file: BinaryIO) -> None:
    """Write a shared library with its constants and seal; `linked` has the head of the block and no constants."""
    data = bytearray(linked)
    inside = block.size if DISTANCE.unpack_from(block.head, DISTANCE_AT)[0] else 0
    if inside:
        data += bytes(-len(data) % _PAGE)
        _map_behind(data, inside)
    file.write(data)
    if inside:
        for piece in block.pieces():
            file.write(piece)
    file.write(SEAL.pack(SEAL_MARK, len(data), hashlib.sha256(data).digest()))


def write_relocatable(linked: bytes, block: Encoded, file: BinaryIO) -> None:
    """Write an object file with its constants; `linked` has the head of the block alone in its section."""
    data = bytearray(linked)
    data += bytes(-len(data) % 64)
    section = _section(data, BLOCK_SECTION)
    name, kind, flags, address, _, _, link, information, alignment, entry = _SECTION.unpack_from(data, section)
    inside = block.size if DISTANCE.unpack_from(block.head, DISTANCE_AT)[0] else 0
    size = len(block.head) + inside
    _SECTION.pack_into(data, section, name, kind, flags, address, len(data), size, link, information, alignment, entry)
    file.write(data)
    file.write(block.head)
    for piece in block.pieces() if inside else ():
        file.write(piece)


def _map_behind(data: bytearray, constants: int) -> None:
    """Add a segment to a library that maps `constants` bytes after `data`, and state the distance in its head."""
    segments = _segments(data)
    end = max(address + in_memory for kind, _, _, address, _, _, in_memory, _ in segments if kind == _LOAD)
    address = -(-end // _PAGE) * _PAGE
    _replace_note(data, segments, (_LOAD, _READABLE, len(data), address, address, constants, constants, _PAGE))
    head = _SECTION.unpack_from(data, _section(data, BLOCK_SECTION))
    DISTANCE.pack_into(data, head[4] + DISTANCE_AT, address - head[3])
    at = _section(data, CONSTANTS_SECTION)
    name, kind, _, _, _, _, link, information, _, entry = _SECTION.unpack_from(data, at)
    _SECTION.pack_into(data, at, name, kind, _ALLOCATED, address, len(data), constants, link, information, 64, entry)


def _segments(data: bytearray) -> list[tuple[int, ...]]:
    table, count = _HEADER.unpack_from(data)[4], _HEADER.unpack_from(data)[9]
    return [_SEGMENT.unpack_from(data, table + n * _SEGMENT.size) for n in range(count)]


def _replace_note(data: bytearray, segments: list[tuple[int, ...]], segment: tuple[int, ...]) -> None:
    """Replace a note, which is not needed at run time, by a segment. Loaders require mapped segments in ascending
    order, so the note has to come after all mapped segments."""
    last = max(number for number, (kind, *_) in enumerate(segments) if kind == _LOAD)
    number = next(number for number, (kind, *_) in enumerate(segments) if kind == _NOTE and number > last)
    _SEGMENT.pack_into(data, _HEADER.unpack_from(data)[4] + number * _SEGMENT.size, *segment)


def _section(data: bytearray, name: str) -> int:
    """Return the position of a section's header in the file."""
    unpacked = _HEADER.unpack_from(data)
    table, size, count, names = unpacked[5], unpacked[10], unpacked[11], unpacked[12]
    strings = _SECTION.unpack_from(data, table + names * size)[4]
    for number in range(count):
        at = table + number * size
        start = strings + _SECTION.unpack_from(data, at)[0]
        if bytes(data[start : data.index(0, start)]) == name.encode():
            return at
    raise ValueError(f"the linker's result has no section {name}")
