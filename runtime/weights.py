"""Constants of programs in files beside them: safetensors files, mapped rather than read.

`Module.save` writes arrays of padding between those of a program, so that each begins at a multiple of 64 bytes; where
another tool has written the file, they are copied.
"""

from __future__ import annotations

from collections.abc import Mapping
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NoReturn

import numpy as np

from .buffers import Array
from .errors import fail
from .files import open_file, reason
from .tensor_files import arrays_of


def mapped(path: Path) -> mmap:
    """Return the bytes of a file, mapped for as long as something refers to them. Raises TilewrightError TW0204 where
    it cannot be read, TW0711 where it is empty."""
    try:
        with open_file(path) as file:
            return mmap(file.fileno(), 0, access=ACCESS_READ)
    except OSError as error:
        fail("TW0204", f"cannot read '{path}': {reason(error)}", help="name a regular file that you may read")
    except ValueError:
        fail("TW0711", f"expected a program that was saved, but '{path}' is empty")


def weights_beside(path: Path, name: str) -> Mapping[str, Array]:
    """Return the constants in the file `name` beside the program at `path`, by name.

    Raises TilewrightError TW0711 where it is missing, not beside it, or no file of safetensors.
    """
    if not name or Path(name).name != name:
        _refuse(name, "it does not lie beside the program")
    beside = path.with_name(name)
    try:
        with open_file(beside) as file:
            return arrays_of(memoryview(mmap(file.fileno(), 0, access=ACCESS_READ)))
    except OSError as error:
        _refuse(str(beside), reason(error))
    except ValueError as error:  # an empty file, or a damaged one
        _refuse(str(beside), str(error))


def weight(weights: Mapping[str, Array], name: str, like: Array, called: str) -> Array:
    """Return a constant by name, with the shape and dtype of `like`. Raises TilewrightError TW0711 where there is
    none."""
    found = weights.get(name)
    if found is None or found.nbytes != like.nbytes:
        what = "none" if found is None else f"{found.nbytes} bytes"
        fail("TW0711", f"expected {like.nbytes} bytes of constant {name} for '{called}', but the weights have {what}")
    return found.reshape(-1).view(np.uint8).view(like.dtype).reshape(like.shape)


def _refuse(name: str, why: str) -> NoReturn:
    fail(
        "TW0711",
        f"expected the constants of the program in '{name}', but it cannot be used: {why}",
        help="keep the file of weights beside the program",
    )
