"""The description inside a saved program: the functions, their arguments, their constants.

A saved library holds one block of bytes under the symbol `tilewright_module`, its head:

    8 bytes   TILEWRGT
    uint32    version of this form
    uint32    bytes of the description
    int64     from the start of the head to that of the constants, 0 where they are not in the library
    uint64    bytes of the constants
    the description, JSON in UTF-8, and zeros to a multiple of 64

A library of kernels for a GPU states their text in the description, in the form of `runtime.kernels.saved`; each of its
entries has all of the program's constants and no symbol.

The constants lie one behind another, each at a multiple of 64 bytes: in the library, where the system maps them, or in
a file beside it, which the description names. The description has a digest of each constant, so that a damaged one is
found when it is first used rather than by reading all of them at once. Numbers are little-endian. A reader refuses all
versions but its own.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
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
USE_WEIGHTS = "tilewright_use_weights"
"""The library's function that takes the address of its constants, where they lie in a file beside it."""
MAGIC = b"TILEWRGT"
VERSION = 7
HEADER = struct.Struct("<8sIIqQ")
DISTANCE = struct.Struct("<q")
DISTANCE_AT = 16
"""The position of the distance in a head."""


@dataclass(frozen=True)
class Entry:
    """A function that callers enter: its native symbol, its signature and the memory that a call needs."""

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
"""The exceptions that malformed descriptions raise while they are read."""


@dataclass(frozen=True)
class Encoded:
    """The block of a program as bytes: a head, followed by the constants."""

    head: bytes
    """A multiple of 64 bytes long, as if the constants followed it."""
    constants: Mapping[str, Array]
    """The distinct constants by name (`constant_names`), in order."""
    offsets: Mapping[int, int]
    """Of each constant from the first one, by identity."""
    size: int
    """Bytes of all constants."""
    weights: str
    """The name of the file that they are to be in; empty where the program has them."""

    def with_distance(self, distance: int) -> bytes:
        """Return the head of a library whose constants are that far from it."""
        return self.head[:DISTANCE_AT] + DISTANCE.pack(distance) + self.head[DISTANCE_AT + DISTANCE.size :]

    def pieces(self) -> Iterator[memoryview]:
        """Yield the bytes of the constants, in order. They are not copied: they may be all of a model."""
        for constant in self.constants.values():
            yield data_of(constant)
            yield memoryview(bytes(rounded(constant.nbytes) - constant.nbytes))


@dataclass(frozen=True)
class Constant:
    """A constant as a description states it."""

    name: str
    offset: int
    """From the first constant."""
    digest: str
    """SHA-256 of its bytes; empty where the writer trusts the file."""


@dataclass(frozen=True)
class Description:
    """A description that was read."""

    entries: tuple[tuple[Entry, tuple[Constant, ...]], ...]
    """The entries, whose constants are arrays without memory, and the positions of their constants."""
    features: tuple[str, ...]
    """The instruction sets that the code uses."""
    weights: str
    """The name of the file beside that has the constants; empty where the library has them."""
    made_for: str
    """The text of the target."""
    kernels: str = ""
    """The text of the kernels; empty for machine code."""


def encode(
    entries: Sequence[Entry],
    features: Sequence[str],
    *,
    weights: str = "",
    made_for: str = "",
    digests: bool = True,
    kernels: str = "",
) -> Encoded:
    """Return the block for these entries.

    `features` are the instruction sets that the code uses, `made_for` is the text of the target, `weights` the name of
    the file that the constants are to be in, for a library without them, `kernels` the text of kernels for a GPU.
    Without `digests` damage to constants is not found.
    """
    distinct = list({id(c): c for entry in entries for c in entry.constants}.values())
    names = constant_names([entry.signature for entry in entries], len(distinct))
    known: dict[int, Constant] = {}
    end = 0
    for name, constant in zip(names, distinct):
        digest = hashlib.sha256(data_of(constant)).hexdigest() if digests else ""
        known[id(constant)] = Constant(name, end, digest)
        end += rounded(constant.nbytes)
    data: dict[str, Any] = {
        "features": [*features],
        "weights": weights,
        "made_for": made_for,
        "entries": [_entry(entry, known) for entry in entries],
    }
    if kernels:
        data["kernels"] = kernels
    text = json.dumps(data).encode()
    needed = rounded(HEADER.size + len(text))
    head = (HEADER.pack(MAGIC, VERSION, len(text), 0 if weights else needed, end) + text).ljust(needed, b"\0")
    offsets = {key: constant.offset for key, constant in known.items()}
    return Encoded(head, {known[id(c)].name: c for c in distinct}, offsets, end, weights)


def constant_names(signatures: Sequence[Signature], count: int) -> list[str]:
    """Return the names of a program's distinct constants, in order: p0, p1 and so on, without those that inputs
    have."""
    taken = {argument.name for signature in signatures for argument in signature.inputs}
    names = (f"p{number}" for number in range(count + len(taken)))
    return [name for name in names if name not in taken][:count]


def data_of(array: Array) -> memoryview:
    """Return the bytes of an array in row-major order, not copied where they lie so."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def decode(text: str) -> Description:
    """Return the content of a description. Raises one of `MALFORMED` for what `encode` does not write."""
    data = json.loads(text)
    found = tuple(_read_entry(entry) for entry in data["entries"])
    if not found:
        raise ValueError("it has no entries")
    features = tuple(map(read_text, data["features"]))
    weights, made_for, kernels = data["weights"], data["made_for"], data.get("kernels", "")
    return Description(found, features, read_text(weights), read_text(made_for), read_text(kernels))


def read_text(value: Any) -> str:
    """Return a string of a description. Raises TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"expected text, but got {value!r}")
    return value


def read_count(value: Any, least: int = 0) -> int:
    """Return a number of a description, `least` at least. Raises TypeError or ValueError for anything else."""
    if type(value) is not int:
        raise TypeError(f"expected a number, but got {value!r}")
    if not least <= value < 1 << 62:
        raise ValueError(f"expected a number from {least} on, but got {value}")
    return value


def encode_signature(signature: Signature) -> dict[str, Any]:
    """Return a signature as JSON has it."""
    return {
        "inputs": [_argument(a) for a in signature.inputs],
        "outputs": [_argument(a) for a in signature.outputs],
        "order": [*signature.order],
        "defaults": [{**_argument(default), "digest": default.digest} for default in signature.defaults],
    }


def decode_signature(data: Mapping[str, Any]) -> Signature:
    """Return a signature of `encode_signature`. Raises one of `MALFORMED` for anything else."""
    inputs = tuple(_read_argument(a) for a in data["inputs"])
    outputs = tuple(_read_argument(a) for a in data["outputs"])
    order = tuple(each if isinstance(each, str) else read_count(each) for each in data["order"])
    numbers = [each for each in order if isinstance(each, int)]
    if order and sorted(numbers) != list(range(len(inputs) + len(outputs))):
        raise ValueError(f"expected an order of all arguments, but got {list(order)}")
    defaults = tuple(_read_default(default) for default in data["defaults"])
    return Signature(inputs, outputs, order, defaults)


def _entry(entry: Entry, known: Mapping[int, Constant]) -> dict[str, Any]:
    return {
        "name": entry.name,
        "symbol": entry.symbol,
        **encode_signature(entry.signature),
        "arena": entry.arena_size,
        "thread_arena": entry.thread_arena_size,
        "checks": None if entry.checks is None else [entry.checks.positions, entry.checks.checks],
        "constants": [{"dtype": c.dtype.name, "shape": c.shape, **vars(known[id(c)])} for c in entry.constants],
    }


def _read_entry(data: dict[str, Any]) -> tuple[Entry, tuple[Constant, ...]]:
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
    return entry, tuple(_read_constant(c) for c in data["constants"])


def _read_constant(data: dict[str, Any]) -> Constant:
    return Constant(read_text(data["name"]), read_count(data["offset"]), read_text(data["digest"]))


def _read_checks(data: Any) -> Checks | None:
    if data is None:
        return None
    positions, checks = data
    return Checks(tuple(map(read_check, checks)), tuple(map(read_count, positions)))


def read_check(data: Any) -> Check:
    message, file, line, column = data
    return Check(read_text(message), read_text(file), read_count(line), read_count(column))


def _placeholder(shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Return an array of that shape and dtype without memory behind it."""
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
    """Return a size as JSON has it."""
    return dimension if isinstance(dimension, int) else _extent(dimension)


def _extent(extent: Extent) -> dict[str, Any]:
    terms = [[atom if isinstance(atom, str) else _atom(atom), c] for atom, c in extent.terms]
    return {"constant": extent.constant, "terms": terms}


def _atom(atom: Division | Combination) -> dict[str, Any]:
    if isinstance(atom, Combination):
        return {"kind": atom.kind, "lhs": _extent(atom.lhs), "rhs": _extent(atom.rhs)}
    return {"kind": atom.kind, "numerator": _extent(atom.numerator), "divisor": atom.divisor}


def decode_dimension(data: Any) -> Dimension:
    """Return a size of `encode_dimension`."""
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
    """Return a dtype of numbers by its name. Raises TypeError or AttributeError for anything else.

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
