"""A compiled program as one file: what its entries are, its constants, its object files.

    8 bytes   TILEPROG
    32 bytes  the SHA-256 of all that follows the first 64 bytes
    uint64    bytes of the block of `runtime.description`, a multiple of 64
    uint64    how many object files there are
    ... to 64 bytes
    the block, whose constants lie at multiples of 64
    the sizes of the object files, uint64 each, and the files

Numbers are little-endian.
"""

from __future__ import annotations

import hashlib
import os
import struct
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...runtime.buffers import ALIGNMENT, Array, aligned_empty
from ...runtime.description import HEADER, MAGIC, VERSION, Entry, decode, encode

_MARK = b"TILEPROG"
_HEAD = struct.Struct("<8s32sQQ8x")
assert _HEAD.size == ALIGNMENT

Parts = tuple[list[Entry], list[bytes]]
"""The entries of a program and its object files."""


def write_program(path: Path, entries: Sequence[Entry], objects: Sequence[bytes]) -> None:
    """Write the file at once. Raises OSError where that is impossible."""
    block, _ = encode(entries, [])
    sizes = struct.pack(f"<{len(objects)}Q", *map(len, objects))
    parts = (*block, sizes, *objects)
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_HEAD.pack(_MARK, digest.digest(), sum(map(len, block)), len(objects)))
            file.writelines(parts)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def read_program(path: Path) -> Parts | None:
    """The program of a file; None where it is damaged or of another version. Raises OSError where it cannot be read.

    Constants lie in one piece of memory, where large pages serve them, and not in a mapping of the file.
    """
    with path.open("rb") as file:
        data = aligned_empty((os.fstat(file.fileno()).st_size,), np.dtype(np.uint8))
        count = file.readinto(data.data)
    if count != data.size or count < _HEAD.size:
        return None
    mark, digest, block_size, object_count = _HEAD.unpack_from(data.data)
    body = data[_HEAD.size :]
    if mark != _MARK or hashlib.sha256(body.data).digest() != digest:
        return None
    data.flags.writeable = body.flags.writeable = False
    entries = _entries(body[:block_size])
    return None if entries is None else (entries, _objects(body[block_size:], object_count))


def _entries(block: Array) -> list[Entry] | None:
    magic, version, length = HEADER.unpack_from(block.data)
    if magic != MAGIC or version != VERSION:
        return None
    described, _ = decode(bytes(block[HEADER.size : HEADER.size + length]).decode())
    return [
        replace(entry, constants=tuple(_constant(block, o, c) for o, c in zip(offsets, entry.constants, strict=True)))
        for entry, offsets in described
    ]


def _constant(block: Array, offset: int, like: Array) -> Array:
    """The data at `offset` as an array of the shape and dtype of `like`, in place."""
    size = like.size * like.dtype.itemsize
    return block[offset : offset + size].view(like.dtype).reshape(like.shape)


def _objects(data: Array, count: int) -> list[bytes]:
    sizes = struct.unpack_from(f"<{count}Q", data.data)
    start = 8 * count
    found: list[bytes] = []
    for size in sizes:
        found.append(bytes(data[start : start + size]))
        start += size
    return found
