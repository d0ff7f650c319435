"""Comparing the results of two runs: exactly, or within a tolerance of the outputs' spread.

A relative tolerance per element would reject a correct sum of large terms that is nearly zero; so the tolerance is
scaled by the range of the whole output. Zeros of either sign are equal, and so are NaNs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .values import Array

_TOLERANCES = {
    "float64": 1e-10,
    "float32": 1e-4,
    "float16": 2e-2,
    "bfloat16": 1e-1,
    "float8_e4m3fn": 0.125,
    "float8_e4m3fnuz": 0.125,
    "float8_e5m2": 0.25,
    "float8_e5m2fnuz": 0.25,
    "float8_e8m0fnu": 0.5,
    "float4_e2m1fn": 0.25,
}


@dataclass(frozen=True)
class Difference:
    """The first element of an output that differs, in row-major order."""

    output: int
    position: tuple[int, ...]
    expected: Any
    actual: Any
    allowed: float
    """The largest absolute error that was allowed; 0 where values have to be equal."""
    count: int
    """The number of elements of the output that differ."""

    def __str__(self) -> str:
        where = f"output {self.output} at [{', '.join(map(str, self.position))}]"
        others = f"; {self.count} elements differ" if self.count > 1 else ""
        allowed = f" within {self.allowed:.3g}" if self.allowed else ""
        return f"{where}: expected {self.expected!s}{allowed}, but got {self.actual!s}{others}"


@dataclass(frozen=True)
class Mismatch:
    """Outputs that cannot be compared element by element: another number, dtype or shape."""

    expected: str
    actual: str

    def __str__(self) -> str:
        return f"expected {self.expected}, but got {self.actual}"


def default_tolerance(dtype: np.dtype[Any]) -> float:
    """Return the error, relative to the spread of the output, that another order of float operations may cause."""
    return _TOLERANCES.get(dtype.name, 0.0)


def first_difference(
    expected: Sequence[Any], actual: Sequence[Any], *, exact: bool = True, tolerance: float | None = None
) -> Difference | Mismatch | None:
    """Return the first difference of two lists of outputs; None where they agree.

    Integers and bools must be equal. So must floats if `exact`; otherwise they may differ by `tolerance`, by default
    that of their dtype, times the spread of the expected output.
    """
    if len(expected) != len(actual):
        return Mismatch(f"{len(expected)} outputs", str(len(actual)))
    for output, (first, second) in enumerate(zip(expected, actual, strict=True)):
        a, b = np.asarray(first), np.asarray(second)
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return Mismatch(f"output {output} of {_describe(a)}", _describe(b))
        relative = default_tolerance(a.dtype) if tolerance is None else tolerance
        allowed = 0.0 if exact or not default_tolerance(a.dtype) else relative * spread(a)
        wrong = _differs(a, b, allowed)
        if wrong.any():
            position = tuple(int(i) for i in np.unravel_index(int(wrong.argmax()), wrong.shape))
            return Difference(output, position, a[position], b[position], allowed, int(wrong.sum()))
    return None


def spread(array: Array) -> float:
    """Return the distance between the greatest and the least finite element, or their magnitude if all are alike."""
    finite = array[np.isfinite(array)].astype(np.float64)
    if finite.size == 0:
        return 0.0
    return float(finite.max() - finite.min()) or float(abs(finite[0]))


def _differs(a: Array, b: Array, allowed: float) -> Array:
    equal = np.asarray(a == b)
    if default_tolerance(a.dtype):
        equal |= (a != a) & (b != b)
    if allowed:
        with np.errstate(invalid="ignore"):
            equal |= np.abs(a.astype(np.float64) - b.astype(np.float64)) <= allowed
    return ~equal


def _describe(array: Array) -> str:
    return f"{array.dtype}{[*array.shape]}"
