"""Pixels of PNG files as browsers write them: 8 bits a channel, not interlaced."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.int64]
"""Height x width x (red, green, blue)."""


def decode(png: bytes) -> Image:
    """Return the pixels of a PNG file."""
    assert png.startswith(b"\x89PNG")
    offset, data, header = 8, b"", b""
    while offset < len(png):
        length, kind = struct.unpack_from(">I4s", png, offset)
        body = png[offset + 8 : offset + 8 + length]
        header, data = (body, data) if kind == b"IHDR" else (header, data + body if kind == b"IDAT" else data)
        offset += 12 + length
    width, height, depth, colour, *_, interlace = struct.unpack(">IIBBBBB", header)
    assert depth == 8 and colour in (2, 6) and interlace == 0
    channels = 3 if colour == 2 else 4
    filtered, stride = zlib.decompress(data), width * channels
    above = bytearray(stride)
    rows: list[bytearray] = []
    for start in range(0, len(filtered), stride + 1):
        above = _unfilter(filtered[start], filtered[start + 1 : start + 1 + stride], above, channels)
        rows.append(above)
    return np.array(rows, np.int64).reshape(height, width, channels)[..., :3]


def _unfilter(kind: int, row: bytes, above: bytearray, channels: int) -> bytearray:
    """Return a row from what the file has of it: differences to the pixels at the left, above, or both."""
    result = bytearray(row)
    for x, value in enumerate(row if kind else ()):
        left, corner = (result[x - channels], above[x - channels]) if x >= channels else (0, 0)
        match kind:
            case 1:
                predicted = left
            case 2:
                predicted = above[x]
            case 3:
                predicted = (left + above[x]) // 2
            case _:
                predicted = _paeth(left, above[x], corner)
        result[x] = (value + predicted) % 256
    return result


def _paeth(left: int, up: int, corner: int) -> int:
    """Return the neighbour that is nearest to left + up - corner."""
    a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    return left if a <= b and a <= c else up if b <= c else corner
