"""Running a file of upstream MLIR on drawn inputs, and comparing what it computes with numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_TOLERANCE = {"float64": 1e-12, "float32": 2e-5, "float16": 2e-3, "bfloat16": 2e-2}


def draw(program: Any, sizes: Mapping[str, int], seed: int = 0) -> list[Array]:
    """Return an array for each input of a compiled program, with values for its symbolic sizes: by their names, or as
    `arg0_dim1` by the argument and the dimension."""
    generator = np.random.default_rng(seed)
    arrays: list[Array] = []
    for position, argument in enumerate(program.signature.inputs):
        shape = [
            n if isinstance(n, int) else sizes[str(n) if str(n) in sizes else f"arg{position}_dim{d}"]
            for d, n in enumerate(argument.shape)
        ]
        if argument.dtype.kind in "iu":
            arrays.append(generator.integers(-100, 100, shape).astype(argument.dtype))
        else:
            arrays.append(generator.standard_normal(shape).astype(argument.dtype))
    return arrays


def outputs_of(program: Any, inputs: Sequence[Array], written: Sequence[int]) -> list[Array]:
    """Return the results of a call, then the arguments that it writes."""
    arrays = [array.copy() for array in inputs]
    result = program(*arrays)
    results = [] if result is None else list(result) if isinstance(result, (list, tuple)) else [result]
    return [*results, *(arrays[number] for number in written)]


def assert_close(actual: Sequence[Array], expected: Sequence[Array]) -> None:
    """Check that integers are equal, and floats within the tolerance of their type."""
    assert len(actual) == len(expected)
    for ours, theirs in zip(actual, expected, strict=True):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert ours.shape == theirs.shape
        tolerance = _TOLERANCE.get(ours.dtype.name)
        if tolerance is None:
            np.testing.assert_array_equal(ours, theirs)
        else:
            wide = (ours.astype(np.float64), theirs.astype(np.float64))
            np.testing.assert_allclose(*wide, rtol=tolerance, atol=tolerance)
