"""The constants of a model: arrays in its C file, or a file whose address the caller passes.

The file begins with four words of 8 bytes: `MAGIC`, the bytes of the file, the digest of all words behind the header,
and 0. Each constant begins at a multiple of 64 bytes. Words are in the byte order of the target, so `MAGIC` differs on
a machine of the other byte order, which refuses the file.
"""

from __future__ import annotations

import hashlib
import struct
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from ....dialects.constant_data import constant_array
from ....dialects.loop import ConstantOp
from ....runtime.buffers import ALIGNMENT, Array, rounded
from .types import alias_of

MAGIC = int.from_bytes(b"TWEIGHTS", "little")
HEADER = struct.Struct("<QQQQ")
_FACTOR = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: an odd number whose multiples spread over all bits."""
_PIECE = 1 << 20
"""Bytes, a multiple of ALIGNMENT."""
_WIDTH = 118


@dataclass(frozen=True)
class Weights:
    """The constants of a program, by number, without those that are written as literals in its functions."""

    arrays: Sequence[Array]
    """The distinct ones."""
    types: Sequence[str]
    """The C types of their elements in memory."""
    positions: Sequence[int]
    """The array of each constant of the program, by position."""
    in_file: bool
    """True where they lie in a file."""

    @property
    def bytes(self) -> int:
        """The bytes of their elements."""
        return sum(array.nbytes for array in self.arrays)

    @cached_property
    def offsets(self) -> list[int]:
        """The position of each in the file, and the end of the file."""
        offsets = [ALIGNMENT]
        for array in self.arrays:
            offsets.append(offsets[-1] + rounded(array.nbytes))
        return offsets

    @cached_property
    def digest(self) -> int:
        """The digest of the words behind the header: their sum, each multiplied by an odd number for its position."""
        total, position = 0, 0
        for piece in (piece for array in self.arrays for piece in _pieces(array)):
            words = np.frombuffer(piece, np.uint64)
            with np.errstate(over="ignore"):
                factors = np.arange(position + 1, position + 1 + len(words), dtype=np.uint64) * np.uint64(_FACTOR)
                total = (total + int((words * (factors | np.uint64(1))).sum(dtype=np.uint64))) % (1 << 64)
            position += len(words)
        return total

    def pointer(self, number: int) -> str:
        """Return a pointer to the elements of a constant of the program."""
        position = self.positions[number]
        if not self.in_file:
            return f"tw_weights_{position}"
        return f"(const {self.types[position]} *)(const void *)(weights + {self.offsets[position]})"

    def definitions(self) -> list[str]:
        """Return the arrays as C."""
        if self.in_file:
            return []
        named = enumerate(zip(self.arrays, self.types, strict=True))
        return [_definition(f"tw_weights_{number}", type_, array) for number, (array, type_) in named]

    def pieces(self) -> Iterator[memoryview]:
        """Yield the content of the file."""
        yield memoryview(HEADER.pack(MAGIC, self.offsets[-1], self.digest, 0).ljust(ALIGNMENT, b"\0"))
        for array in self.arrays:
            yield from _pieces(array)


def weights_of(constants: Sequence[Operation], limit: int) -> Weights:
    """Return the weights of these operations, equal ones once; above `limit` bytes they lie in a file."""
    arrays: list[Array] = []
    types: list[str] = []
    positions: list[int] = []
    found: dict[tuple[bytes, str], int] = {}
    for op in constants:
        assert isinstance(op, ConstantOp) and isinstance(op.res.type, MemRefType)
        array, type_ = constant_array(op.value), alias_of(op.res.type.element_type)
        key = (hashlib.sha256(_bytes(array)).digest(), type_)
        if key not in found:
            found[key] = len(arrays)
            arrays.append(array)
            types.append(type_)
        positions.append(found[key])
    return Weights(arrays, types, positions, sum(array.nbytes for array in arrays) > limit)


def _bytes(array: Array) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _pieces(array: Array) -> Iterator[memoryview]:
    """Yield the bytes of an array and the gap behind it, in whole words and in pieces that are small beside weights."""
    data, end = _bytes(array), array.nbytes - array.nbytes % ALIGNMENT
    for start in range(0, end, _PIECE):
        yield data[start : min(start + _PIECE, end)]
    if end < array.nbytes:
        yield memoryview(bytes(data[end:]).ljust(ALIGNMENT, b"\0"))


def _definition(name: str, type_: str, array: Array) -> str:
    texts = _element_texts(array) or ["0"]
    lines = textwrap.wrap(", ".join(texts), _WIDTH, break_long_words=False, break_on_hyphens=False)
    body = "\n".join(f"  {line}" for line in lines)
    return f"static const {type_} {name}[{len(texts)}] = {{\n{body}\n}};"


def _element_texts(array: Array) -> list[str]:
    """Return the elements as constants of C, each of which reads back as the element."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.dtype.name not in ("float32", "float64"):
        if flat.dtype.kind not in "iu":
            flat = flat.view(f"u{flat.dtype.itemsize}")
        return [*map(_integer_text, flat.tolist())] if flat.dtype.itemsize == 8 else [*map(str, flat.tolist())]
    suffix = "f" if flat.dtype.itemsize == 4 else ""
    texts = [f"{text}{suffix}" for text in flat.astype(str).tolist()]
    for position in np.flatnonzero(~np.isfinite(flat)).tolist():
        sign = "-" if np.signbit(flat[position]) else ""
        texts[position] = "NAN" if np.isnan(flat[position]) else f"{sign}INFINITY"
    return texts


def _integer_text(value: int) -> str:
    if value == -(1 << 63):
        return "INT64_MIN"
    return f"UINT64_C({value})" if value >= 1 << 63 else f"INT64_C({value})"
