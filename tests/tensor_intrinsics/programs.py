"""Products of matrices as users write them, their inputs, and what they should give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import tilewright
from tilewright import te
from tilewright.dialects import loop
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.lowering import lower_module
from tilewright.driver.programs import as_module
from tilewright.driver.targets import Target


def numpy_dtype(name: str) -> np.dtype[Any]:
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def drawn(rng: np.random.Generator, dtype: str, shape: Sequence[int]) -> np.ndarray:
    """Return integers of the whole range, or floats around zero."""
    numbers = numpy_dtype(dtype)
    if numbers.kind in "iu":
        info = np.iinfo(numbers)
        return rng.integers(info.min, info.max, shape, numbers, endpoint=True)
    return rng.standard_normal(shape, np.float32).astype(numbers)


def product(
    left: str,
    right: str,
    result: str,
    sizes: tuple[int, int, int],
    *,
    transposed: tuple[bool, bool] = (False, False),
    batch: int | None = None,
) -> list[te.Tensor]:
    """Return arguments of `C[i, j] = sum over k of A[i, k] * B[k, j]`, of a batch where asked."""
    m, n, depth = sizes
    lead = () if batch is None else (batch,)
    a = te.placeholder((*lead, *((depth, m) if transposed[0] else (m, depth))), left, "A")
    b = te.placeholder((*lead, *((n, depth) if transposed[1] else (depth, n))), right, "B")
    k = te.reduce_axis((0, depth), "k")

    def element(*index: Any) -> te.Expr:
        *outer, i, j = index
        x = a(*outer, *((k, i) if transposed[0] else (i, k)))
        y = b(*outer, *((j, k) if transposed[1] else (k, j)))
        return te.sum(x.astype(result) * y.astype(result), axis=k)

    return [a, b, te.compute((*lead, m, n), element, name="C")]


def expected(a: np.ndarray, b: np.ndarray, transposed: tuple[bool, bool] = (False, False)) -> np.ndarray:
    """Return the product, exact for integers."""
    wide = np.int64 if a.dtype.kind in "iu" else np.float64
    x, y = a.astype(wide), b.astype(wide)
    return (x.swapaxes(-1, -2) if transposed[0] else x) @ (y.swapaxes(-1, -2) if transposed[1] else y)


def calls(args: Sequence[te.Tensor], target: str) -> set[str]:
    """Return the foreign functions that a program calls, compiled for a target."""
    lowered = _lowered(args, target)
    return {op.callee for op in lowered.walk() if isinstance(op, loop.CallExternOp)}


def scopes(args: Sequence[te.Tensor], target: str) -> set[str]:
    """Return the scopes of the buffers that a program allocates on a target."""
    return {loop.scope_of(op.res.type) for op in _lowered(args, target).walk() if isinstance(op, loop.AllocOp)}


def parallel_loops(args: Sequence[te.Tensor], target: str) -> list[int]:
    """Return the trip counts of a program's parallel loops on a target."""
    ops = [op for op in _lowered(args, target).walk() if isinstance(op, loop.ForOp)]
    return [op.constant_trip_count or 0 for op in ops if op.kind == loop.PARALLEL]


def _lowered(args: Sequence[te.Tensor], target: str) -> Any:
    module = as_module(list(args), None, "main")
    module.attributes[TARGET_ATTRIBUTE] = Target(target).attribute()
    return lower_module(module)


def run(args: Sequence[te.Tensor], *inputs: np.ndarray, target: str = "llvm", threads: int = 1) -> np.ndarray:
    return np.asarray(tilewright.build(list(args), target=target, threads=threads)(*inputs))
