"""Emulation of hybrid script by Python: each name of the language as a function of numbers and numpy arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from ...te.dtypes import dtype_info

_range = range


def _loop(*bounds: Any) -> Any:
    return _range(*(int(b) for b in bounds))


def _grid(*extents: Any) -> Iterator[tuple[int, ...]]:
    return (tuple(map(int, point)) for point in np.ndindex(*(int(e) for e in extents)))


def _zeros(shape: Any, dtype: str = "float32", scope: str = "global") -> np.ndarray:
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    return np.zeros(tuple(int(n) for n in sizes), dtype_info(dtype).name)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _limit(dtype: str, sign: int) -> Any:
    if dtype_info(dtype).is_float:
        return np.dtype(dtype).type(sign * math.inf)
    return np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min


def _max_num_threads(allow_none: bool = True) -> int:
    return 1024


EMULATED: dict[str, Any] = {
    "range": _loop,
    "serial": _loop,
    "parallel": _loop,
    "vectorize": _loop,
    "unroll": _loop,
    "const_range": _loop,
    "bind": lambda thread, extent: _loop(extent),
    "grid": _grid,
    "allocate": _zeros,
    "output_tensor": _zeros,
    "max_num_threads": _max_num_threads,
    "ceil_div": lambda a, b: -(-a // b),
    "likely": lambda condition: condition,
    "inf": lambda dtype: _limit(dtype, 1),
    "ninf": lambda dtype: _limit(dtype, -1),
    "sigmoid": _sigmoid,
    "popcount": lambda x: int(x).bit_count(),
    "power": np.power,
    "erf": np.vectorize(math.erf, otypes=[float]),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "fmod": np.fmod,
    "atan2": np.arctan2,
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "min": min,
    "max": max,
    **{
        name: getattr(np, name)
        for name in (
            "exp", "exp2", "log", "log2", "log10", "sqrt", "tanh", "sin", "cos", "tan", "floor", "ceil", "round",
            "trunc", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
            "uint64",
        )
    },
}  # fmt: skip
"""Name of the language -> its Python implementation."""


def emulate(function: FunctionType, arguments: tuple[Any, ...]) -> Any:
    """Run the script on numbers and arrays, statement by statement in Python, and return its result."""
    names = {**function.__globals__, **EMULATED}
    run: Callable[..., Any] = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    return run(*arguments)
