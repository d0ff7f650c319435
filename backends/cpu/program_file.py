"""A compiled program as bytes: the description of its entries, constants, object files, and files of the caller.

    uint64    bytes of the block of `runtime.description`, a multiple of 64
    uint64    how many object files there are
    uint64    how many other files there are
    ... to 64 bytes
    the block, whose constants lie at multiples of 64
    the sizes of the files, uint64 each, and the files

Numbers are little-endian. The bytes are not checked, because the cache returns only bytes that it wrote.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace

from ...runtime.buffers import ALIGNMENT, Array
from ...runtime.description import HEADER, MAGIC, VERSION, Entry, decode, encode

_HEAD = struct.Struct("<QQQ40x")
assert _HEAD.size == ALIGNMENT

Parts = tuple[list[Entry], list[bytes]]
"""The entries of a program and its object files."""


def encode_program(
    entries: Sequence[Entry], objects: Sequence[bytes], others: Sequence[bytes | memoryview]
) -> list[bytes | memoryview]:
    """Return the pieces of a program and of other files that are kept with it, in order."""
    block = encode(entries, [], digests=False)
    files = [*objects, *others]
    head = _HEAD.pack(len(block.head) + block.size, len(objects), len(others))
    return [head, block.head, *block.pieces(), struct.pack(f"<{len(files)}Q", *map(len, files)), *files]


def decode_program(data: Array) -> tuple[Parts, list[memoryview]] | None:
    """Return the program of bytes that are aligned to 64, and the other files; None where they are of another version.

    Constants and other files stay where they are, in one piece of memory, where large pages serve the constants.
    """
    block_size, object_count, other_count = _HEAD.unpack_from(data.data)
    body = data[_HEAD.size :]
    entries = _entries(body[:block_size])
    files = _files(body[block_size:].data, object_count + other_count)
    return None if entries is None else ((entries, [*map(bytes, files[:object_count])]), files[object_count:])


def _entries(block: Array) -> list[Entry] | None:
    magic, version, length, distance, _ = HEADER.unpack_from(block.data)
    if magic != MAGIC or version != VERSION:
        return None
    constants = block[distance:]
    return [
        replace(
            entry,
            constants=tuple(_constant(constants, c.offset, a) for c, a in zip(stated, entry.constants, strict=True)),
        )
        for entry, stated in decode(bytes(block[HEADER.size : HEADER.size + length]).decode()).entries
    ]


def _constant(block: Array, offset: int, like: Array) -> Array:
    """Return the data at `offset` as an array of the shape and dtype of `like`, in place."""
    size = like.size * like.dtype.itemsize
    return block[offset : offset + size].view(like.dtype).reshape(like.shape)


def _files(data: memoryview, count: int) -> list[memoryview]:
    sizes = struct.unpack_from(f"<{count}Q", data)
    start = 8 * count
    found: list[memoryview] = []
    for size in sizes:
        found.append(data[start : start + size])
        start += size
    return found
