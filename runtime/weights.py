"""Constants of programs in files beside them: safetensors files, mapped rather than read.

The form is that of the safetensors library: the length of a header, the header as JSON, the bytes of all tensors
without gaps. `Module.save` writes tensors of padding between those of a program, so that each begins at a multiple of
64 bytes; where another tool has written the file, they are copied.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ..diagnostics import fail
from ..diagnostics.files import open_file, reason
from .buffers import Array

_LENGTH = struct.Struct("<Q")
_LONGEST_HEADER = 100_000_000
"""Bytes, as in the safetensors library."""


@contextmanager
def open_mapped(path: Path) -> Iterator[mmap]:
    """The bytes of a file, mapped. Raises TilewrightError TW0204 where it cannot be read, TW0711 where it is empty."""
    try:
        with open_file(path) as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            yield data
    except OSError as error:
        fail("TW0204", f"cannot read '{path}': {reason(error)}", help="name a regular file that you may read")
    except ValueError:
        fail("TW0711", f"expected a program that was saved, but '{path}' is empty")


def weights_beside(path: Path, name: str) -> Mapping[str, Array]:
    """The constants in the file `name` beside the program at `path`, by name.

    Raises TilewrightError TW0711 where it is missing, not beside it, or no file of safetensors.
    """
    if not name or Path(name).name != name:
        _refuse(name, "it does not lie beside the program")
    beside = path.with_name(name)
    try:
        with open_file(beside) as file:
            data = np.frombuffer(mmap(file.fileno(), 0, access=ACCESS_READ), np.uint8)
    except (OSError, ValueError) as error:
        _refuse(str(beside), reason(error) if isinstance(error, OSError) else "it is empty")
    try:
        return _tensors(data)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, struct.error) as error:
        _refuse(str(beside), f"its header is malformed ({error})")


def weight(weights: Mapping[str, Array], name: str, like: Array, called: str) -> Array:
    """A constant by name, with the shape and dtype of `like`. Raises TilewrightError TW0711 where there is none."""
    found = weights.get(name)
    if found is None or found.nbytes != like.nbytes:
        what = "none" if found is None else f"{found.nbytes} bytes"
        fail("TW0711", f"expected {like.nbytes} bytes of constant {name} for '{called}', but the weights have {what}")
    return found.reshape(-1).view(np.uint8).view(like.dtype).reshape(like.shape)


def _tensors(data: Array) -> dict[str, Array]:
    (length,) = _LENGTH.unpack_from(data.data)
    if not 2 <= length <= min(_LONGEST_HEADER, data.size - _LENGTH.size):
        raise ValueError(f"a header of {length} bytes")
    start = _LENGTH.size + length
    header: dict[str, Any] = json.loads(bytes(data[_LENGTH.size : start]))
    found: dict[str, Array] = {}
    for name, stated in header.items():
        if name != "__metadata__":
            first, last = stated["data_offsets"]
            if type(first) is not int or type(last) is not int or not 0 <= first <= last <= data.size - start:
                raise ValueError(f"tensor {name} from byte {first} to {last}")
            found[name] = data[start + first : start + last]
    return found


def _refuse(name: str, why: str) -> NoReturn:
    fail(
        "TW0711",
        f"expected the constants of the program in '{name}', but it cannot be used: {why}",
        help="keep the file of weights beside the program",
    )
