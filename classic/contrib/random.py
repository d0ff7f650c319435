"""Tensors of random numbers: `tilewright.contrib.random.uniform(0, 1, size=(m, n))`.

The numbers come from numpy's generator when the program runs, and differ from those of TVM for the same seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...te import extern
from ...tir.packed import call_packed

_generator = np.random.default_rng()


def seed(number: int) -> None:
    """Let the numbers of this process begin anew: the same seed gives the same ones."""
    global _generator
    _generator = np.random.default_rng(number)


def uniform(low: float, high: float, size: Sequence[int]) -> Any:
    """Return a float32 tensor of numbers from `low` to below `high`, all equally likely."""
    return _tensor("uniform", float(low), float(high), size, "float32")


def normal(loc: float, scale: float, size: Sequence[int]) -> Any:
    """Return a float32 tensor of normally distributed numbers of mean `loc` and standard deviation `scale`."""
    return _tensor("normal", float(loc), float(scale), size, "float32")


def randint(low: int, high: int, size: Sequence[int], dtype: str = "int32") -> Any:
    """Return a tensor of integers from `low` to `high` - 1, all equally likely."""
    return _tensor("randint", low, high, size, dtype)


def fill_uniform(low: float, high: float, result: Any) -> None:
    """Fill an array with uniform numbers, as `uniform` does at run time."""
    result.copyfrom(_generator.uniform(low, high, result.shape).astype(result.dtype))


def fill_normal(loc: float, scale: float, result: Any) -> None:
    """Fill an array with normal numbers, as `normal` does at run time."""
    result.copyfrom(_generator.normal(loc, scale, result.shape).astype(result.dtype))


def fill_integers(low: int, high: int, result: Any) -> None:
    """Fill an array with random integers, as `randint` does at run time."""
    result.copyfrom(_generator.integers(low, high, result.shape, result.dtype))


def _tensor(name: str, first: float, second: float, size: Sequence[int], dtype: str) -> Any:
    def body(_: Any, outs: Any) -> Any:
        return call_packed(f"tvm.contrib.random.{name}", first, second, outs[0])

    return extern(tuple(size), [], body, name=name, dtype=dtype)
