"""Pixels of PNG files as browsers write them: 8 bits a channel, not interlaced."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.int64]
"""Height x width x (red, green, blue)."""


def decode(png: bytes) -> Image:
    """The pixels of a PNG file."""
    assert png.startswith(b"\x89PNG")
    place, data, header = 8, b"", b""
    while place < len(png):
        length, kind = struct.unpack_from(">I4s", png, place)
        body = png[place + 8 : place + 8 + length]
        header, data = (body, data) if kind == b"IHDR" else (header, data + body if kind == b"IDAT" else data)
        place += 12 + length
    width, height, depth, colour, *_, interlace = struct.unpack(">IIBBBBB", header)
    assert depth == 8 and colour in (2, 6) and interlace == 0
    channels = 3 if colour == 2 else 4
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + width * channels)
    pixels = np.zeros((height + 1, width + 1, channels), np.int64)  # with a border of zeros above and at the left
    for number, row in enumerate(rows):
        _unfilter(int(row[0]), row[1:].reshape(width, channels).astype(np.int64), pixels[number], pixels[number + 1])
    return pixels[1:, 1:, :3]


def _unfilter(kind: int, row: Any, above: Any, result: Any) -> None:
    match kind:
        case 0:
            result[1:] = row
        case 1:
            result[1:] = np.cumsum(row, axis=0) % 256
        case 2:
            result[1:] = (row + above[1:]) % 256
        case _:
            for x in range(len(row)):
                left, up, corner = result[x], above[x + 1], above[x]
                result[x + 1] = (row[x] + ((left + up) // 2 if kind == 3 else _paeth(left, up, corner))) % 256


def _paeth(left: Any, up: Any, corner: Any) -> Any:
    estimate = left + up - corner
    a, b, c = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    return np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
