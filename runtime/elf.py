"""Checks of an ELF file's headers, which the system's loader trusts.

The checks cover the header and the table of segments of a shared library for 64-bit little-endian machines, because
damage there crashes the loader.
"""

from __future__ import annotations

import struct
from mmap import mmap

_IDENT = b"\x7fELF\x02\x01\x01"
"""64 bits, little-endian, version 1."""
_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SHARED, _LOAD, _DYNAMIC, _WITHOUT_BYTES = 3, 1, 2, 8
_LARGEST = 1 << 40

MACHINES = {62: "x86_64", 183: "aarch64", 243: "riscv64"}
"""Numbers in ELF headers -> the system's names of the machines."""


def machine_of(data: bytes | mmap) -> str | None:
    """Return the kind of machine that a file is for; None where it is not known."""
    return MACHINES.get(_HEADER.unpack_from(data)[1]) if len(data) >= _HEADER.size else None


def problem_of(data: bytes | mmap) -> str | None:
    """Return the reason why the loader cannot use a file; None where header and segments are valid."""
    if data[: len(_IDENT)] != _IDENT or len(data) < _HEADER.size:
        return "it is no shared library"
    kind, _, version, _, table, sections, _, size, segment_size, count, section_size, section_count, _ = (
        _HEADER.unpack_from(data)
    )
    if kind != _SHARED or version != 1:
        return "it is no shared library"
    if sections + section_size * section_count > len(data):
        return "it is cut short"
    if size != _HEADER.size or segment_size != _SEGMENT.size or table + count * segment_size > len(data):
        return "its header is damaged"
    segments = [_SEGMENT.unpack_from(data, table + n * segment_size) for n in range(count)]
    return _problem_of_segments(segments, len(data))


def _problem_of_segments(segments: list[tuple[int, ...]], size: int) -> str | None:
    loaded: list[tuple[int, int]] = []
    for kind, _, offset, address, _, in_file, in_memory, alignment in segments:
        if kind == _LOAD:
            fits = offset + in_file <= size and in_file <= in_memory < _LARGEST and address < _LARGEST
            if not fits or (alignment > 1 and (alignment & (alignment - 1) or (address - offset) % alignment)):
                return "its segments are damaged"
            loaded.append((address, address + in_memory))
    if not loaded or loaded != sorted(loaded):
        return "its segments are damaged"
    dynamic = [
        (address, address + in_memory) for kind, _, _, address, _, _, in_memory, _ in segments if kind == _DYNAMIC
    ]
    inside = [any(low <= first and last <= high for low, high in loaded) for first, last in dynamic]
    return None if inside == [True] else "its table of symbols is damaged"


def end_of(data: bytes | mmap) -> int:
    """Return the end of the last part that the header of a whole file refers to: segments, sections and the section
    table."""
    unpacked = _HEADER.unpack_from(data)
    table, size, count = unpacked[5], unpacked[10], unpacked[11]
    segments = [_SEGMENT.unpack_from(data, unpacked[4] + n * _SEGMENT.size) for n in range(unpacked[9])]
    sections = [_SECTION.unpack_from(data, table + n * size) for n in range(count)] if size == _SECTION.size else []
    ends = [offset + in_file for kind, _, offset, _, _, in_file, _, _ in segments if kind == _LOAD]
    ends += [section[4] + section[5] for section in sections if section[1] != _WITHOUT_BYTES]
    return max(*ends, table + size * count)


def is_mapped(data: bytes | mmap, at: int, distance: int, size: int) -> bool:
    """Return if a library maps `size` bytes at the distance `distance` from the address of byte `at` of the file."""
    table, count = _HEADER.unpack_from(data)[4], _HEADER.unpack_from(data)[9]
    segments = [_SEGMENT.unpack_from(data, table + n * _SEGMENT.size) for n in range(count)]
    loaded = [(offset, address, held) for kind, _, offset, address, _, held, _, _ in segments if kind == _LOAD]
    starts = [address - offset + at + distance for offset, address, held in loaded if offset <= at < offset + held]
    return any(address <= start and start + size <= address + held for start in starts for _, address, held in loaded)
