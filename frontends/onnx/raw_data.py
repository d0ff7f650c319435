"""Removal of the elements of large tensors from the message of an ONNX model, so that decoding does not copy them.

Decoding a model copies all of its weights, and each access of `TensorProto.raw_data` copies them again. So the elements
of large tensors are removed from the message first; the tensors then refer to offsets in the model's file, as tensors
with external data do. A protobuf message is a sequence of fields, each a tag and a value; messages and bytes are
prefixed with their length (protobuf.dev, "Encoding").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

LEAST_BYTES = 1 << 16
"""Elements of fewer bytes stay in the message."""

_VARINT, _LENGTH = 0, 2
_SIZES = {1: 8, 5: 4}
"""The kinds of fields: a number, bytes behind their length, and others of so many bytes."""

_TENSOR = "tensor"
_MESSAGES: Mapping[str, Mapping[int, str]] = {
    "model": {7: "graph"},
    "graph": {1: "node", 5: _TENSOR},
    "node": {5: "attribute"},
    "attribute": {5: _TENSOR, 6: "graph", 10: _TENSOR, 11: "graph"},
}
"""Messages -> the fields that hold other ones, and their kind."""

_DATA_TYPE, _RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 2, 9, 13, 14
_STRING, _EXTERNAL = 8, 1
_MOST_FIELDS = 64
"""Of a tensor whose elements are not one field each."""
_DEEPEST = 100
"""Messages within each other; protobuf reads no deeper ones."""


def without_raw_data(model: memoryview, location: str) -> bytes:
    """Return the message of a model whose large tensors have external data in a file called `location`, at the offsets
    at which their elements lie in `model`. Bytes that are no message are returned unchanged, for the decoder to report.
    """
    try:
        found = _Cutter(model, location).rewritten(0, len(model), "model", _DEEPEST)
    except (IndexError, ValueError):
        found = None
    return bytes(model) if found is None else b"".join(found.pieces)


class _Field(NamedTuple):
    number: int
    kind: int
    at: int
    """The position of its tag."""
    first: int
    last: int
    """The positions of its value and behind that."""


@dataclass
class _Message:
    """A message in pieces, those of the original among them."""

    pieces: list[bytes | memoryview] = field(default_factory=list)
    size: int = 0

    def add(self, *pieces: bytes | memoryview) -> None:
        self.pieces += pieces
        self.size += sum(map(len, pieces))


@dataclass
class _Cutter:
    data: memoryview
    location: str

    def rewritten(self, start: int, end: int, message: str, depth: int) -> _Message | None:
        """Return the message at a position without elements of large tensors; None where it has none."""
        result, kept = _Message(), start
        for each in self._fields(start, end) if depth else ():
            inner = _MESSAGES[message].get(each.number)
            if inner is None or each.kind != _LENGTH or each.last - each.first < LEAST_BYTES:
                continue
            if inner == _TENSOR:
                new = self._tensor(each.first, each.last)
            else:
                new = self.rewritten(each.first, each.last, inner, depth - 1)
            if new is not None:
                result.add(self.data[kept : each.at], _head(each.number, new.size))
                result.add(*new.pieces)
                kept = each.last
        if kept == start:
            return None
        result.add(self.data[kept:end])
        return result

    def _tensor(self, start: int, end: int) -> _Message | None:
        """Return a tensor with its elements in the model's file; None where they are no bytes of it."""
        fields: list[_Field] = []
        for each in self._fields(start, end):
            fields.append(each)
            if len(fields) > _MOST_FIELDS:
                return None
        numbers = [each.number for each in fields]
        if numbers.count(_RAW_DATA) != 1 or _EXTERNAL_DATA in numbers or _DATA_LOCATION in numbers:
            return None
        raw = fields[numbers.index(_RAW_DATA)]
        types = [self._varint(each.first)[0] for each in fields if each.number == _DATA_TYPE]
        if raw.kind != _LENGTH or raw.last - raw.first < LEAST_BYTES or _STRING in types:
            return None
        result = _Message()
        result.add(self.data[start : raw.at], self.data[raw.last : end])
        stated = {"location": self.location, "offset": str(raw.first), "length": str(raw.last - raw.first)}
        for key, value in stated.items():
            entry = _text(1, key) + _text(2, value)
            result.add(_head(_EXTERNAL_DATA, len(entry)) + entry)
        result.add(_encoded(_DATA_LOCATION << 3 | _VARINT) + _encoded(_EXTERNAL))
        return result

    def _fields(self, at: int, end: int) -> Iterator[_Field]:
        """Yield the fields of a message. Raises ValueError or IndexError for bytes that are no message."""
        while at < end:
            tag, first = self._varint(at)
            kind = tag & 7
            if kind == _VARINT:
                last = self._varint(first)[1]
            elif kind == _LENGTH:
                length, first = self._varint(first)
                last = first + length
            elif kind in _SIZES:
                last = first + _SIZES[kind]
            else:
                raise ValueError(f"expected a kind of fields, but got {kind}")
            if last > end:
                raise ValueError(f"expected a field to end at {end}, but it ends at {last}")
            yield _Field(tag >> 3, kind, at, first, last)
            at = last

    def _varint(self, at: int) -> tuple[int, int]:
        """Return the number at a position, and the position behind it: seven bits a byte, the lowest first."""
        value = shift = 0
        while shift < 64:
            byte = self.data[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value, at
        raise ValueError("expected a number of 64 bits")


def _encoded(value: int) -> bytes:
    """Encode a number as `_varint` reads it."""
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def _head(number: int, size: int) -> bytes:
    """Return the tag and the length of a field of so many bytes."""
    return _encoded(number << 3 | _LENGTH) + _encoded(size)


def _text(number: int, text: str) -> bytes:
    content = text.encode()
    return _head(number, len(content)) + content
