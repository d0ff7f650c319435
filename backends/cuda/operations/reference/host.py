"""Device operations as Python functions for numba's simulator: loads, stores and functions of single values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....printing import print_line
from ..table import OPERATIONS
from . import scalars


def host_function(name: str) -> Callable[..., Any]:
    """Return the operation on numpy arrays and scalars. Raises NotImplementedError for operations of several
    threads."""
    operation = OPERATIONS[name]
    narrow = name.rpartition("_")[2]
    match operation.kind:
        case "scalar":
            return getattr(scalars, name)
        case "load" if operation.width == 1:
            return lambda array, index: getattr(scalars, f"{narrow}_value")(_bits(array[index]))
        case "load":
            return lambda array, index: tuple(array[index + i] for i in range(operation.width))
        case "store" if operation.width == 1:
            return lambda array, index, value: _store_bits(array, index, getattr(scalars, f"{narrow}_bits")(value))
        case "store":
            return _store_all
        case "print":
            return print_line
        case _:
            raise NotImplementedError(f"{name} has no meaning in numba's simulator")


def _bits(value: Any) -> int:
    return int(value.view(np.uint16)) if isinstance(value, np.generic) else int(value)


def _store_bits(array: Any, index: int, bits: int) -> None:
    array[index] = np.uint16(bits).view(array.dtype)


def _store_all(array: Any, index: int, values: tuple[Any, ...]) -> None:
    for i, value in enumerate(values, index):
        array[i] = value
