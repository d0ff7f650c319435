"""Copies of arrays, refused with TW0708 before allocation where the machine has too little memory.

Strides of 0 make an array of any shape out of one element, so a dense copy may be larger than the machine's memory.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import TilewrightError, fail

_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""A container's limit, where Linux sets one."""


def contiguous_copy(array: npt.NDArray[Any], what: str) -> npt.NDArray[Any]:
    """Return a C-contiguous copy of `array`, which messages call `what`. Raises TW0708 without enough
    memory."""
    expect_memory(array.shape, array.dtype, f"a contiguous copy of {what}", repeats=0 in array.strides)
    try:
        return np.array(array, order="C")
    except (MemoryError, ValueError) as error:
        raise TilewrightError("TW0708", f"expected enough memory for a contiguous copy of {what}: {error}") from None


def expect_memory(shape: Sequence[int], dtype: np.dtype[Any], what: str, *, repeats: bool = False) -> None:
    """Raise TW0708 where an array is larger than the memory of this machine.

    With `repeats` the array is a copy of an array with strides of 0, and the remedy mentions these.
    """
    size, memory = prod(shape) * dtype.itemsize, _memory_bytes()
    if memory is not None and size > memory:
        fail(
            "TW0708",
            f"expected enough memory for {what}: {size} bytes for shape {[*shape]}, but there are {memory}",
            help="strides of 0 repeat elements, and the copy has each of them: pass an array of a shape that fits into "
            "memory"
            if repeats
            else None,
        )


@cache
def _memory_bytes() -> int | None:
    """Return the memory that this process may have at most; None where the system does not say it."""
    known: list[int] = []
    with suppress(AttributeError, OSError, ValueError):
        known.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):
        known.append(int(_LIMIT.read_text()))
    return min((n for n in known if n > 0), default=None)
