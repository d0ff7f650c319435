"""Parameters as bytes: arrays by name in one block of bytes, little endian.

    uint64    0xF7E58D4F05049CB7
    uint64    0
    uint64    number of names; each name as uint64, its bytes, and these in UTF-8
    uint64    number of arrays; each array in the order of the names:
        uint64    0xDD5E40F096B4A13F
        uint64    0
        int32[2]  device: 1, 0 (the CPU)
        int32     rank
        uint8[2]  type and bits of an element; uint16 lanes (1)
        int64     each size of the shape
        int64     bytes; the elements in row-major order

The types are numbered as by DLPack. Older files have bool as unsigned integers of one bit, a byte each.

Packages are mapped. So that programs read large arrays without a copy, an array of zeros named `x.aligning` precedes
each large array `x`, which then begins at a multiple of 64 bytes. `unpack_params` leaves these zeros out, and other
readers ignore names that their graph does not have.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, NoReturn

import numpy as np

from .buffers import ALIGNMENT, Array, aligned_empty
from .errors import fail
from .expectations import expect_type

LIST_MAGIC = 0xF7E58D4F05049CB7
ARRAY_MAGIC = 0xDD5E40F096B4A13F

_WORD = struct.Struct("<Q")
_HEAD = struct.Struct("<QQ")
_TENSOR = struct.Struct("<iiiBBH")
_SIZE = struct.Struct("<q")
_CPU = 1
_MOST_DIMENSIONS = 32
_ALIGNING = ".aligning"
"""The end of the names of zeros that let the array behind them be aligned."""
_LEAST_ALIGNED = 1024
"""Bytes from which on an array has zeros before it; the others are copied when they are loaded."""

_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}
"""The numbers of numpy's kinds."""
_NARROW = {
    "bfloat16": 4,
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
}
"""The numbers of floats that numpy has from ml_dtypes."""


def pack_params(params: Mapping[str, Any]) -> bytearray:
    """Return the bytes for arrays by name, in the order of the mapping; arrays of a device are copied to the host.

    Raises TilewrightError TW0725 for what is no mapping of names, TW0778 for elements that the format does not have.
    """
    return bytearray().join(param_pieces(params))


def param_pieces(params: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of `pack_params`, piece by piece: arrays that lie in row-major order are not copied."""
    expect_type("params", params, Mapping)
    for name in params:
        expect_type("name", name, str)
    names = [name.encode() for name in params]
    count = _WORD.pack(len(params))
    yield _HEAD.pack(LIST_MAGIC, 0) + count + b"".join(_WORD.pack(len(name)) + name for name in names) + count
    for name, value in params.items():
        array, header = _array_header(name, value)
        yield header
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def aligned_params(params: Mapping[str, Array]) -> dict[str, Array]:
    """Return the arrays, and zeros before large ones, so that those begin at multiples of ALIGNMENT in the bytes of
    `pack_params`."""
    names = [*params, *(f"{name}{_ALIGNING}" for name, array in params.items() if _is_large(array))]
    at = _HEAD.size + 2 * _WORD.size + sum(_WORD.size + len(name.encode()) for name in names)
    found: dict[str, Array] = {}
    for name, array in params.items():
        if _is_large(array):
            # One byte at least: other readers of the format may refuse an array without elements.
            gap = -(at + _header_bytes(1) + _header_bytes(array.ndim)) % ALIGNMENT or ALIGNMENT
            found[f"{name}{_ALIGNING}"] = np.zeros(gap, np.uint8)
            at += _header_bytes(1) + gap
        found[name] = array
        at += _header_bytes(array.ndim) + array.nbytes
    return found


def unpack_params(data: bytes | bytearray | memoryview) -> dict[str, Array]:
    """Return the arrays of `pack_params`'s bytes, by name: copies that are aligned as arguments of programs are.

    Raises TilewrightError TW0777 for bytes that are not such a block, whole and with nothing behind it.
    """
    expect_type("data", data, bytes, bytearray, memoryview)
    found: dict[str, Array] = {}
    for name, array in params_in(data).items():
        found[name] = copy = aligned_empty(array.shape, array.dtype)
        copy[...] = array
    return found


def params_in(data: bytes | bytearray | memoryview) -> dict[str, Array]:
    """Return the arrays of `unpack_params` in place, which need not be aligned to their elements; copies where the
    machine has another order of bytes."""
    return dict(_Reader(memoryview(data).cast("B")).arrays())


def host_array(value: Any) -> Array:
    """Return an array of the host: itself, or the copy that an array of a device gives."""
    copy = getattr(value, "numpy", None)
    return np.asarray(value if isinstance(value, np.ndarray) or copy is None else copy())


def _array_header(name: str, value: Any) -> tuple[Array, bytes]:
    """Return an array in little-endian order, and the header that precedes its bytes."""
    array = host_array(value)
    kind = _NARROW.get(array.dtype.name, _KINDS.get(array.dtype.kind))
    if kind is None or array.ndim > _MOST_DIMENSIONS:
        fail(
            "TW0778",
            f"expected an array of numbers for parameter '{name}', but got {array.dtype} of rank {array.ndim}",
        )
    if array.dtype.name not in _NARROW:
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    header = _HEAD.pack(ARRAY_MAGIC, 0) + _TENSOR.pack(_CPU, 0, array.ndim, kind, 8 * array.itemsize, 1)
    return array, header + b"".join(map(_SIZE.pack, array.shape)) + _SIZE.pack(array.nbytes)


def _is_large(array: Array) -> bool:
    return array.nbytes >= _LEAST_ALIGNED


def _header_bytes(rank: int) -> int:
    """Return the bytes before the elements of an array."""
    return _HEAD.size + _TENSOR.size + _SIZE.size * (rank + 1)


class _Reader:
    """The bytes that are still to be read."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    def arrays(self) -> Iterator[tuple[str, Array]]:
        self._magic(LIST_MAGIC, "a list of parameters")
        names = [self._name() for _ in range(self._count("names", least=8))]
        if len({*names}) < len(names):
            self._refuse(f"the name '{next(n for n in names if names.count(n) > 1)}' stands there twice")
        count = self._count("arrays", least=32)
        if count != len(names):
            self._refuse(f"it has {len(names)} names, but {count} arrays")
        for name, following in zip(names, [*names[1:], ""]):
            array = self._array(name)
            if not (name == f"{following}{_ALIGNING}" and _are_aligning(array)):
                yield name, array
        if self._at != len(self._data):
            self._refuse(f"{len(self._data) - self._at} bytes stand behind the last array")

    def _array(self, name: str) -> Array:
        self._magic(ARRAY_MAGIC, f"array '{name}'")
        device, _, rank, kind, bits, lanes = self._unpack(_TENSOR)
        if device != _CPU or not 0 <= rank <= _MOST_DIMENSIONS:
            self._refuse(f"array '{name}' has device {device} and rank {rank}")
        dtype = _dtype(kind, bits) if lanes == 1 else None
        if dtype is None:
            self._refuse(f"array '{name}' has elements of type {kind} of {bits} bits and {lanes} lanes")
        shape = [self._unpack(_SIZE)[0] for _ in range(rank)]
        (size,) = self._unpack(_SIZE)
        if min(shape, default=0) < 0 or prod(shape) * dtype.itemsize != size:
            self._refuse(f"array '{name}' of shape {shape} and {dtype.name} states {size} bytes")
        values = self._take(size)
        if dtype == np.bool_ and size and np.frombuffer(values, np.uint8).max() > 1:
            self._refuse(f"array '{name}' of bool has other bytes than 0 and 1")
        try:
            array: Array = np.ndarray(shape, dtype, values)
        except ValueError:  # sizes beyond numpy's, beside one of 0
            self._refuse(f"array '{name}' has shape {shape}")
        return array if array.dtype.isnative else array.astype(dtype.newbyteorder("="))

    def _magic(self, magic: int, what: str) -> None:
        found, reserved = self._unpack(_HEAD)
        if (found, reserved) != (magic, 0):
            self._refuse(f"{what} begins with other numbers")

    def _name(self) -> str:
        try:
            return bytes(self._take(self._unpack(_WORD)[0])).decode()
        except UnicodeDecodeError:
            self._refuse("a name is no text in UTF-8")

    def _count(self, what: str, least: int) -> int:
        """Return a number of parts that have `least` bytes at least."""
        (count,) = self._unpack(_WORD)
        if count * least > len(self._data) - self._at:
            self._refuse(f"it states {count} {what}, but has {len(self._data)} bytes")
        return count

    def _unpack(self, form: struct.Struct) -> tuple[Any, ...]:
        return form.unpack(self._take(form.size))

    def _take(self, size: int) -> memoryview:
        if size > len(self._data) - self._at:
            self._refuse(f"it ends at byte {len(self._data)}")
        self._at += size
        return self._data[self._at - size : self._at]

    def _refuse(self, why: str) -> NoReturn:
        fail("TW0777", f"expected parameters that save_param_dict wrote, but {why}")


def _are_aligning(array: Array) -> bool:
    """Return if elements are those of zeros that `aligned_params` puts before an array."""
    return array.dtype == np.uint8 and array.ndim == 1 and array.size <= ALIGNMENT and not array.any()


def _dtype(kind: int, bits: int) -> np.dtype[Any] | None:
    """Return numpy's type for DLPack's number, little endian; bits of floats that numpy lacks where ml_dtypes is
    absent."""
    if (kind, bits) in ((6, 8), (1, 1)):
        return np.dtype(np.bool_)
    for letter, number in _KINDS.items():
        if number == kind and bits in ((8, 16, 32, 64) if letter in "iu" else (16, 32, 64)) and letter != "b":
            return np.dtype(f"<{letter}{bits // 8}")
    name = next((each for each, number in _NARROW.items() if number == kind), None)
    if name is None or bits != (16 if name == "bfloat16" else 8):
        return None
    try:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError):
        return np.dtype(f"<u{bits // 8}")
