"""The members of an uncompressed tar file, found in its bytes without copying them.

The form is that of POSIX (ustar), with GNU's sizes beyond 8 GB. Extended headers are skipped: they hold times and
owners. The reader only moves forward, so it ends on any input, and nothing is extracted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

BLOCK_BYTES = 512
_NAME, _SIZE, _CHECKSUM, _KIND, _PREFIX = slice(0, 100), slice(124, 136), slice(148, 156), 156, slice(345, 500)
_FILES, _FOLDER, _EXTENDED = b"0\0", ord("5"), b"xg"


class Member(NamedTuple):
    """A file in a tar."""

    name: str
    start: int
    """The position of its first byte."""
    size: int


def members(data: memoryview) -> Iterator[Member]:
    """Yield the files of a tar in order. Raises ValueError for bytes that are none, for links and for devices."""
    at = 0
    while at + BLOCK_BYTES <= len(data):
        header = bytes(data[at : at + BLOCK_BYTES])
        if not any(header):
            return
        if _number(header[_CHECKSUM]) != sum(header) - sum(header[_CHECKSUM]) + 8 * ord(" "):
            raise ValueError(f"the header at byte {at} is damaged")
        size, start = _number(header[_SIZE]), at + BLOCK_BYTES
        if size > len(data) - start:
            raise ValueError("it is cut short")
        kind = header[_KIND]
        name = "/".join(part for part in (_text(header[_PREFIX]), _text(header[_NAME])) if part)
        name = name[2:] if name.startswith("./") else name
        if kind in _FILES:
            yield Member(name, start, size)
        elif kind != _FOLDER and kind not in _EXTENDED:
            raise ValueError(f"'{name[:80]}' is no regular file")
        at = start + -(-size // BLOCK_BYTES) * BLOCK_BYTES
    raise ValueError("it is cut short")


def _number(field: bytes) -> int:
    """Return a number in octal digits, or in binary ones where the first bit says so."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    text = field.strip(b" \0")
    if not text.isdigit():
        raise ValueError(f"expected a number in octal digits, but got {field!r}")
    return int(text, 8)


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode()
