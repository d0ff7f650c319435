"""Halves that are only copied stay as they are; others are computed with as float32."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import te

TYPES = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}


def run(compute, *shapes: tuple[int, ...], dtype: str) -> tuple[str, np.ndarray, list[np.ndarray]]:
    """Return the kernels, the result and the operands, which are of any bits, NaNs among them."""
    inputs = [te.placeholder(shape, dtype, name=f"A{n}") for n, shape in enumerate(shapes)]
    output = compute(*inputs)
    module = tilewright.build([output], [*inputs, output], target="cuda", device="simulator")
    rng = np.random.default_rng(3)
    values = [rng.integers(0, 1 << 16, shape).astype(np.uint16).view(TYPES[dtype]) for shape in shapes]
    return module.get_source(), module(*values), values


def same_bits(a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_array_equal(a.view(np.uint16), np.ascontiguousarray(b).view(np.uint16))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [8, 64, 65])
def test_copies(dtype: str, size: int) -> None:
    source, result, (x,) = run(lambda a: te.compute(a.shape, lambda i: a[size - 1 - i], name="B"), (size,), dtype=dtype)
    assert "device.load_" not in source and "device.store_" not in source and "float32(" not in source
    same_bits(result, x[::-1])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", [8, 63])
def test_copies_under_conditions(dtype: str, size: int) -> None:
    def shifted(a):
        zero = te.const(0.0, dtype)
        return te.compute((size + 4,), lambda i: te.if_then_else(te.all(i >= 2, i < size + 2), a[i - 2], zero))

    source, result, (x,) = run(shifted, (size,), dtype=dtype)
    assert "device.load_" not in source and "device.store_" not in source
    same_bits(result, np.concatenate([np.zeros(2, x.dtype), x, np.zeros(2, x.dtype)]))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(8, 8), (33, 34)])
def test_transposed_copies(dtype: str, shape: tuple[int, int]) -> None:
    source, result, (x,) = run(lambda a: te.compute(shape[::-1], lambda i, j: a[j, i], name="B"), shape, dtype=dtype)
    assert "device.load_" not in source and "device.store_" not in source
    same_bits(result, x.T)


@pytest.mark.parametrize("dtype", TYPES)
def test_what_is_computed_with_is_widened(dtype: str) -> None:
    source, result, (x,) = run(lambda a: te.compute((64,), lambda i: a[i] + a[i], name="B"), (64,), dtype=dtype)
    assert "float32" in source or "device.bf16_value" in source
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, x + x)
