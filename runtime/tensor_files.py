"""Files of named arrays in the format of safetensors, read with numpy alone: nothing of a file is executed.

    8 bytes   the length of the header, little-endian
    the header, JSON in UTF-8: name -> {"dtype", "shape", "data_offsets": [first, end]}, and "__metadata__"
    the elements of the arrays, each dense in row-major order; offsets count from the end of the header

Header and arrays cover the file without gaps. Values are little-endian.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np

from .buffers import ALIGNMENT, Array, rounded
from .description import MALFORMED, read_count, read_dtype

_LENGTH = struct.Struct("<Q")
_MOST_HEADER = 100_000_000
"""Bytes; the limit of the format."""
_METADATA = "__metadata__"

_DTYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "I16": "int16", "U16": "uint16", "F16": "float16", "BF16": "bfloat16",
    "I32": "int32", "U32": "uint32", "F32": "float32", "C64": "complex64", "F64": "float64", "I64": "int64",
    "U64": "uint64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2",
}  # fmt: skip
"""The format's names of element types -> numpy's, and those of narrow floats."""


class DamagedTensorFile(ValueError):
    """A file that violates the format."""


def aligned_arrays(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays, and arrays of padding behind those whose bytes are no multiple of ALIGNMENT; elements that the
    format has no name for as bytes."""
    padded: dict[str, Array] = {}
    for name, array in arrays.items():
        is_known = array.dtype.name in _DTYPES.values()
        padded[name] = array if is_known else np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        if gap := rounded(array.nbytes) - array.nbytes:
            padded[f"{name}.padding"] = np.zeros(gap, np.uint8)
    return padded


def pieces_of(arrays: Mapping[str, Array]) -> Iterator[memoryview]:
    """Yield the bytes of a file of these arrays, piece by piece; arrays that are contiguous are not copied. The first
    one begins at a multiple of ALIGNMENT."""
    names = {dtype: name for name, dtype in _DTYPES.items()}
    header: dict[str, Any] = {}
    end = 0
    for name, array in arrays.items():
        header[name] = {
            "dtype": names[array.dtype.name],
            "shape": array.shape,
            "data_offsets": [end, end + array.nbytes],
        }
        end += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(_LENGTH.size + len(text)) % ALIGNMENT)
    yield memoryview(_LENGTH.pack(len(text)) + text)
    for array in arrays.values():
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def arrays_of(data: bytes | memoryview) -> dict[str, Array]:
    """Return the arrays of a file's content, by name; they share its memory. Raises DamagedTensorFile."""
    if len(data) < _LENGTH.size:
        raise DamagedTensorFile("it is cut short")
    (length,) = _LENGTH.unpack_from(data)
    start = _LENGTH.size + length
    if length > _MOST_HEADER or start > len(data):
        raise DamagedTensorFile("its header is longer than the file")
    try:
        header = json.loads(bytes(data[_LENGTH.size : start]))
        header.pop(_METADATA, None)
        return dict(_read_arrays(header, memoryview(data)[start:]))
    except MALFORMED as error:
        raise DamagedTensorFile(f"its header is malformed ({error})") from None


def _read_arrays(header: Mapping[str, Any], elements: memoryview) -> Iterator[tuple[str, Array]]:
    end = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        dtype, shape = read_dtype(_DTYPES[entry["dtype"]]), tuple(map(read_count, entry["shape"]))
        first, last = map(read_count, entry["data_offsets"])
        if first != end or last - first != prod(shape) * dtype.itemsize:
            raise ValueError(f"expected '{name}' at byte {end} with {prod(shape) * dtype.itemsize} bytes")
        end = last
        yield name, np.frombuffer(elements[first:last], dtype).reshape(shape)
    if end != len(elements):
        raise ValueError(f"expected arrays of {len(elements)} bytes, but got {end}")
