"""Generated inputs for a run of a model: random values, zeros or ones."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..semantics.random_streams import Purpose, generator

FILL_MODES = ("random", "zeros", "ones")


class Input(Protocol):
    """An input of a program."""

    @property
    def name(self) -> str: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def shape(self) -> Sequence[object]:
        """An int for each fixed size; something that prints as its name for a symbolic one."""
        ...

    @property
    def value(self) -> bytes | None:
        """The elements of the only value that the input may have."""
        ...


def drawn_inputs(
    inputs: Sequence[Input], sizes: Mapping[str, int], mode: str = "random", seed: int = 0
) -> dict[str, npt.NDArray[Any]]:
    """Draw inputs by name, of a mode of `FILL_MODES`: "random" are normal numbers for floats, 0 to 9 for integers, the
    same ones for a seed; an input that may have one value has that. `sizes` are the symbolic ones.

    Raises MemoryError for an input that is larger than any memory.
    """
    numbers = generator(Purpose.MODEL_INPUTS, seed)
    result: dict[str, npt.NDArray[Any]] = {}
    for given in inputs:
        shape = [size if isinstance(size, int) else sizes[str(size)] for size in given.shape]
        if 8 * math.prod(shape) > sys.maxsize:
            raise MemoryError(f"input '{given.name}' has {' x '.join(map(str, shape))} elements")
        if given.value is not None:
            array = np.frombuffer(given.value, given.dtype).reshape(shape)
        elif mode != "random":
            array = np.full(shape, mode == "ones", given.dtype)
        elif given.dtype == np.bool_:
            array = numbers.integers(0, 2, shape)
        elif np.issubdtype(given.dtype, np.integer):
            array = numbers.integers(0, 10, shape)
        else:
            array = numbers.standard_normal(shape)
        result[given.name] = array.astype(given.dtype)
    return result
