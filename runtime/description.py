"""What a saved program says of itself: the functions, their arguments, their constants.

A saved library holds one block of bytes under the symbol `tilewright_module`:

    8 bytes   TILEWRGT
    uint32    version of this form
    uint32    bytes of the description
    the description, JSON in UTF-8
    the constants, each at an offset from the start that is a multiple of 64

Numbers are little-endian. Whoever reads another version refuses it.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arguments import Argument, Default, Signature
from .buffers import Array, rounded
from .checks import Check, Checks
from .extent import Combination, Dimension, Division, Extent

SYMBOL = "tilewright_module"
USE_OPENMP = "tilewright_use_openmp"
"""The library's function that takes the addresses of an OpenMP runtime, in the order of `openmp.SYMBOLS`."""
MAGIC = b"TILEWRGT"
VERSION = 6
HEADER = struct.Struct("<8sII")


@dataclass(frozen=True)
class Entry:
    """A function that callers enter: its native symbol and what a call of it needs."""

    name: str
    symbol: str
    signature: Signature
    constants: tuple[Array, ...]
    arena_size: int
    """Bytes."""
    checks: Checks | None = None
    thread_arena_size: int = 0
    """Bytes of the arena for each thread."""


MALFORMED = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)
"""What reading a description raises where it is not what was written."""


def encode(entries: Sequence[Entry], features: Sequence[str]) -> tuple[list[memoryview], dict[int, int]]:
    """The block for these entries, piece by piece, and the offset of each constant by its identity.

    `features` are the instruction sets that the code uses. Constants are not copied: they may be all of a model.
    """
    distinct = {id(c): c for entry in entries for c in entry.constants}
    sizes = {key: rounded(c.nbytes) for key, c in distinct.items()}
    start = 0
    # The description holds offsets, whose digits are part of its length: it is written until it fits.
    while True:
        offsets: dict[int, int] = {}
        end = start
        for key, size in sizes.items():
            offsets[key] = end
            end += size
        text = json.dumps({"features": [*features], "entries": [_entry(e, offsets) for e in entries]}).encode()
        needed = rounded(HEADER.size + len(text))
        if needed == start:
            break
        start = needed
    pieces = [memoryview((HEADER.pack(MAGIC, VERSION, len(text)) + text).ljust(start, b"\0"))]
    for key, constant in distinct.items():
        pieces.append(np.ascontiguousarray(constant).reshape(-1).view(np.uint8).data)
        pieces.append(memoryview(bytes(sizes[key] - constant.nbytes)))
    return pieces, offsets


def decode(text: str) -> tuple[list[tuple[Entry, list[int]]], list[str]]:
    """The entries of a description, whose constants are empty arrays beside the offsets of their data; and the
    instruction sets. Raises one of `MALFORMED` for what `encode` does not write."""
    data = json.loads(text)
    found = [_read_entry(entry) for entry in data["entries"]]
    if not found:
        raise ValueError("it has no entries")
    return found, [*map(read_text, data["features"])]


def read_text(value: Any) -> str:
    """A string of a description. Raises TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"expected text, but got {value!r}")
    return value


def read_count(value: Any, least: int = 0) -> int:
    """A number of a description, `least` at least. Raises TypeError or ValueError for anything else."""
    if type(value) is not int:
        raise TypeError(f"expected a number, but got {value!r}")
    if not least <= value < 1 << 62:
        raise ValueError(f"expected a number from {least} on, but got {value}")
    return value


def encode_signature(signature: Signature) -> dict[str, Any]:
    """A signature as JSON has it."""
    return {
        "inputs": [_argument(a) for a in signature.inputs],
        "outputs": [_argument(a) for a in signature.outputs],
        "order": [*signature.order],
        "defaults": [{**_argument(default), "digest": default.digest} for default in signature.defaults],
    }


def decode_signature(data: Mapping[str, Any]) -> Signature:
    """A signature of `encode_signature`. Raises one of `MALFORMED` for anything else."""
    inputs = tuple(_read_argument(a) for a in data["inputs"])
    outputs = tuple(_read_argument(a) for a in data["outputs"])
    order = tuple(place if isinstance(place, str) else read_count(place) for place in data["order"])
    numbers = [place for place in order if isinstance(place, int)]
    if order and sorted(numbers) != list(range(len(inputs) + len(outputs))):
        raise ValueError(f"expected an order of all arguments, but got {list(order)}")
    defaults = tuple(_read_default(default) for default in data["defaults"])
    return Signature(inputs, outputs, order, defaults)


def _entry(entry: Entry, offsets: dict[int, int]) -> dict[str, Any]:
    return {
        "name": entry.name,
        "symbol": entry.symbol,
        **encode_signature(entry.signature),
        "arena": entry.arena_size,
        "thread_arena": entry.thread_arena_size,
        "checks": None if entry.checks is None else [entry.checks.places, entry.checks.checks],
        "constants": [{"dtype": c.dtype.name, "shape": c.shape, "offset": offsets[id(c)]} for c in entry.constants],
    }


def _read_entry(data: dict[str, Any]) -> tuple[Entry, list[int]]:
    constants = tuple(_placeholder(c["shape"], read_dtype(c["dtype"])) for c in data["constants"])
    signature = decode_signature(data)
    entry = Entry(
        read_text(data["name"]),
        read_text(data["symbol"]),
        signature,
        constants,
        read_count(data["arena"]),
        _read_checks(data["checks"]),
        read_count(data["thread_arena"]),
    )
    return entry, [read_count(c["offset"]) for c in data["constants"]]


def _read_checks(data: Any) -> Checks | None:
    if data is None:
        return None
    places, checks = data
    return Checks(tuple(map(read_check, checks)), tuple(map(read_count, places)))


def read_check(data: Any) -> Check:
    message, file, line, column = data
    return Check(read_text(message), read_text(file), read_count(line), read_count(column))


def _placeholder(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """An array of that shape and dtype without memory behind it."""
    return np.broadcast_to(np.empty((), dtype), tuple(map(read_count, shape)))


def _argument(argument: Argument) -> dict[str, Any]:
    shape = [encode_dimension(d) for d in argument.shape]
    value = None if argument.value is None else argument.value.hex()
    return {
        "name": argument.name,
        "dtype": argument.dtype.name,
        "shape": shape,
        "strides": argument.strides,
        "value": value,
        "shape_of": argument.shape_of,
    }


def _read_argument(data: dict[str, Any]) -> Argument:
    shape = tuple(decode_dimension(d) for d in data["shape"])
    strides = data["strides"] and tuple(None if s is None else read_count(s) for s in data["strides"])
    if strides is not None and len(strides) != len(shape):
        raise ValueError(f"expected a stride for each of {len(shape)} dimensions, but got {strides}")
    shape_of = None if data["shape_of"] is None else read_text(data["shape_of"])
    value = _read_value(data["value"])
    argument = Argument(read_text(data["name"]), read_dtype(data["dtype"]), shape, strides, value, shape_of)
    if argument.value is not None and (argument.array.shape != shape or argument.array.nbytes != len(argument.value)):
        raise ValueError(f"expected a value of shape {list(shape)}, but got {len(argument.value)} bytes")
    return argument


def _read_default(data: dict[str, Any]) -> Default:
    argument = _read_argument(data)
    return Default(argument.name, argument.dtype, argument.shape, digest=read_text(data["digest"]))


def _read_value(data: Any) -> bytes | None:
    return None if data is None else bytes.fromhex(read_text(data))


def encode_dimension(dimension: Dimension) -> Any:
    """A size as JSON has it."""
    return dimension if isinstance(dimension, int) else _extent(dimension)


def _extent(extent: Extent) -> dict[str, Any]:
    terms = [[atom if isinstance(atom, str) else _atom(atom), c] for atom, c in extent.terms]
    return {"constant": extent.constant, "terms": terms}


def _atom(atom: Division | Combination) -> dict[str, Any]:
    if isinstance(atom, Combination):
        return {"kind": atom.kind, "lhs": _extent(atom.lhs), "rhs": _extent(atom.rhs)}
    return {"kind": atom.kind, "numerator": _extent(atom.numerator), "divisor": atom.divisor}


def decode_dimension(data: Any) -> Dimension:
    """A size of `encode_dimension`."""
    return _read_extent(data) if isinstance(data, dict) else read_count(data)


def _read_extent(data: dict[str, Any]) -> Extent:
    return Extent(_read_integer(data["constant"]), tuple((_read_atom(a), _read_integer(c)) for a, c in data["terms"]))


def _read_integer(value: Any) -> int:
    return -read_count(-value) if isinstance(value, int) and value < 0 else read_count(value)


def _read_atom(data: Any) -> str | Division | Combination:
    if isinstance(data, str):
        return data
    if "lhs" in data:
        return Combination(
            _one_of(data["kind"], "*", "floordiv", "min", "max"), _read_extent(data["lhs"]), _read_extent(data["rhs"])
        )
    kind = _one_of(data["kind"], "floordiv", "mod")
    return Division(kind, _read_extent(data["numerator"]), read_count(data["divisor"], 1))


_NARROW = re.compile(r"bfloat16|float[468]_e\d+m\d+[a-z0-9]*|u?int[124]")
"""The names of the types of ml_dtypes."""


def _one_of(value: Any, *kinds: str) -> Any:
    if value not in kinds:
        raise ValueError(f"expected {', '.join(kinds)}, but got {value!r}")
    return value


def read_dtype(name: Any) -> np.dtype[Any]:
    """A dtype of numbers by its name. Raises TypeError or AttributeError for anything else.

    Narrow floats and integers are types of ml_dtypes; where that is not installed, arrays hold their bits: bfloat16 as
    uint16, all others as uint8.
    """
    try:
        dtype = np.dtype(read_text(name))
    except TypeError:
        if not _NARROW.fullmatch(name):
            raise
        try:
            import ml_dtypes
        except ImportError:
            return np.dtype(np.uint16 if name == "bfloat16" else np.uint8)
        return np.dtype(getattr(ml_dtypes, name))
    if dtype.kind not in "biufc" and dtype.isbuiltin != 2:
        raise TypeError(f"expected a type of numbers, but got {name!r}")
    return dtype
