"""Values of the operations in the simulator, against numpy."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilewright.backends.cuda import simulator
from tilewright.backends.cuda.operations.reference import matrix, scalars

KERNELS = simulator.load(Path(__file__).parent / "kernels" / "operations.py")


def values(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng(list(shape)).standard_normal(shape).astype(dtype)


def run(name: str, *arrays: np.ndarray) -> np.ndarray:
    simulator.launch(KERNELS.function(name), 1, 32, arrays)
    return arrays[-1]


@pytest.mark.parametrize(
    ("name", "width", "dtype"),
    [
        ("vectors_f32", 4, np.float32),
        ("vectors_f64", 2, np.float64),
        ("vectors_f16", 8, np.float16),
        ("vectors_u8", 16, np.uint8),
    ],
)
def test_vectors(name: str, width: int, dtype: Any) -> None:
    A = (values(32 * width) * 10).astype(np.int8).astype(dtype)
    assert np.array_equal(run(name, A, np.zeros_like(A)), A)


def test_vectors_are_split() -> None:
    A = values(128) > 0
    assert np.array_equal(run("vectors_bool", A, np.zeros_like(A)), A.reshape(32, 4)[:, ::-1].ravel())
    B = np.arange(64) << 40
    assert np.array_equal(run("vectors_i64", B, np.zeros_like(B)), B.reshape(32, 2)[:, ::-1].ravel())
    C = values(128)
    assert np.array_equal(run("vectors_shared", C, np.zeros_like(C)), C.reshape(32, 4)[::-1].ravel())


def test_registers_set_at_once() -> None:
    A = values(128)
    x = A.reshape(32, 4)
    expected = [np.tile(x[:, ::-1], 4), np.repeat(x, 2, axis=1), x, x[:, 3:], x[:, 2:3]]
    assert np.array_equal(run("registers", A, np.zeros(32 * 30, np.float32)), np.concatenate(expected, axis=1).ravel())


def test_narrow_floats() -> None:
    A = values(32, dtype=np.float16)
    assert np.array_equal(run("narrow_f16", A, np.zeros_like(A)), (A.astype(np.float32) * 3).astype(np.float16))
    B = values(32, dtype=ml_dtypes.bfloat16)
    expected = (B.astype(np.float32) * 3).astype(ml_dtypes.bfloat16)
    assert np.array_equal(run("narrow_bf16", B, np.zeros_like(B)), expected)


@pytest.mark.parametrize(("name", "dtype", "columns"), [("single_f32", np.float32, 16), ("single_f64", np.float64, 8)])
def test_single_values(name: str, dtype: Any, columns: int) -> None:
    x = np.abs(values(32, dtype=dtype)) * 4
    x[:4] = [0.5, 2.5, 1.5, np.nan]
    y = x[::-1]
    C = run(name, x, np.zeros((32, columns), dtype))
    wide = x.astype(np.float64)
    z = y.astype(np.float64) * wide + (0.5 if dtype == np.float64 else wide)
    largest = np.maximum(wide, y) if dtype == np.float32 else 2 * np.maximum(wide, y)
    expected = [1 / np.sqrt(wide), np.exp2(wide), np.cbrt(wide), np.rint(wide), np.floor(wide + 0.5), z]
    for column, reference in enumerate([*expected, np.minimum(wide, y), largest]):
        assert np.allclose(C[:, column], reference, rtol=1e-6, atol=0, equal_nan=True), column
    if dtype == np.float32:
        assert np.array_equal(C[:, 8], np.fmin(x, y))
        assert np.array_equal(C[:, 9], np.fmax(x, y))


def test_fast_functions() -> None:
    x = np.abs(values(32)) + np.float32(0.1)
    C = run("fast", x, np.zeros((32, 12), np.float32))
    w = x.astype(np.float64)
    functions = [np.exp, np.exp2, np.log, np.log2, np.sin, np.cos, np.tanh, np.sqrt]
    expected = [*(f(w) for f in functions), w**-0.5, 1 / w, w / 3, w**1.5]
    assert np.allclose(C, np.stack(expected, 1), rtol=1e-6)


def test_bits() -> None:
    x = values(32)
    C = run("bits", x, np.zeros((32, 8), np.uint32))
    half, brain = x.astype(np.float16), x.astype(ml_dtypes.bfloat16)
    assert np.array_equal(C[:, 0], x.view(np.uint32))
    assert np.array_equal(C[:, 1], x.view(np.uint32))
    assert np.array_equal(C[:, 2], half.view(np.uint16).astype(np.uint32) + brain.view(np.uint16))
    assert np.array_equal(C[:, 4], half.view(np.uint16) | np.uint32(0x4000) << np.uint32(16))
    assert np.array_equal(C[:, 5], brain.view(np.uint16) | np.uint32(0x4000) << np.uint32(16))
    both = half.astype(ml_dtypes.bfloat16).astype(np.float32) + 2
    assert np.array_equal(C[:, 6], both.astype(np.float32).view(np.uint32))
    assert np.array_equal(C[:, 7], np.arange(32) | 7 << 16)
    y = values(32, dtype=np.float64)
    assert np.array_equal(run("bits_f64", y, np.zeros(32, np.uint64)), y.view(np.uint64) + 1)


def test_matrices_are_loaded_in_fragments() -> None:
    A = np.arange(256, dtype=np.uint16)
    C = run("matrices", A, np.zeros((32, 16), np.uint32))
    lane = np.arange(32)
    first, second = 8 * (lane // 4) + 2 * (lane % 4), 8 * (2 * (lane % 4)) + lane // 4
    for m in range(4):
        assert np.array_equal(C[:, m], (first + 64 * m) | (first + 64 * m + 1) << 16)
        assert np.array_equal(C[:, 4 + m], (second + 64 * m) | (second + 64 * m + 8) << 16)
    assert np.array_equal(C[:, 8:10], C[:, :2])
    assert np.array_equal(C[:, 10:12], C[:, 4:6])
    assert np.array_equal(C[:, 12:16], C[:, [0, 4, 0, 4]])


@pytest.mark.parametrize(("kind", "dtype"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_product_of_halves(kind: str, dtype: Any) -> None:
    """Fragments filled element by element, as the tables of the PTX ISA say."""
    A, B, C = values(16, 16, dtype=dtype), values(1, 16, 8, dtype=dtype)[0], values(16, 8)
    a, b, c = np.zeros((32, 8), dtype), np.zeros((32, 4), dtype), np.zeros((32, 4), np.float32)
    for lane in range(32):
        group, part = divmod(lane, 4)
        for i in range(8):
            a[lane, i] = A[group + (0 if i < 2 or 4 <= i < 6 else 8), part * 2 + (i & 1) + (0 if i < 4 else 8)]
        for i in range(4):
            b[lane, i] = B[part * 2 + (i & 1) + (0 if i < 2 else 8), group]
            c[lane, i] = C[group + (0 if i < 2 else 8), part * 2 + (i & 1)]
    D = matrix.mma_m16n8k16(a.view(np.uint32), b.view(np.uint32), c, kind)
    expected = A.astype(np.float64) @ B.astype(np.float64) + C
    for lane in range(32):
        group, part = divmod(lane, 4)
        for i in range(4):
            assert abs(D[lane, i] - expected[group + (0 if i < 2 else 8), part * 2 + (i & 1)]) < 1e-6 * 16


def test_product_of_tf32() -> None:
    A, B, C = values(16, 8), values(1, 8, 8)[0], values(16, 8)
    a, b, c = np.zeros((32, 4), np.float32), np.zeros((32, 2), np.float32), np.zeros((32, 4), np.float32)
    for lane in range(32):
        group, part = divmod(lane, 4)
        for i in range(4):
            a[lane, i] = A[group + 8 * (i & 1), part + 4 * (i >> 1)]
            c[lane, i] = C[group + 8 * (i >> 1), part * 2 + (i & 1)]
        for i in range(2):
            b[lane, i] = B[part + 4 * i, group]
    D = matrix.mma_m16n8k8_tf32(a.view(np.uint32), b.view(np.uint32), c)
    short = [(m.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32).astype(np.float64) for m in (A, B)]
    expected = short[0] @ short[1] + C
    for lane in range(32):
        group, part = divmod(lane, 4)
        for i in range(4):
            assert abs(D[lane, i] - expected[group + 8 * (i >> 1), part * 2 + (i & 1)]) < 1e-5


def test_products_in_a_kernel() -> None:
    A, B = (np.random.default_rng(n).integers(0, 2**14, 64 * n).astype(np.uint16) for n in (4, 2))
    a, b = A.view(np.uint32).reshape(32, 4), B.view(np.uint32).reshape(32, 2)
    c = np.tile(np.arange(4, dtype=np.float32), (32, 1))
    c = matrix.mma_m16n8k16(a, b, c, "f16")
    c = matrix.mma_m16n8k16(a, b, c, "bf16")
    c = matrix.mma_m16n8k8_tf32(a, b, c)
    result = run("products", a.copy(), b.copy(), np.zeros((32, 4), np.float32))
    assert np.array_equal(result, c)


def test_copies() -> None:
    A = values(128)
    C = run("copies", A, np.zeros(64, np.float32))
    i = np.arange(32)
    assert np.array_equal(C[:32], A[i] + np.where(i < 8, A[i], 0))
    assert np.array_equal(C[32:], A[i] + A[2 * i])
    D = run("zeros", A, np.zeros((32, 4), np.float32))
    assert np.array_equal(D[:10, 2:], A.reshape(32, 4)[:10, 2:])
    assert (D[10:, 2:] == 0).all()
    assert np.array_equal(D[:20, :2], A[:40].reshape(20, 2))
    assert (D[20:, :2] == 0).all()


FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(FLOATS, FLOATS, FLOATS)
def test_fma_rounds_once(x: float, y: float, z: float) -> None:
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    with np.errstate(all="ignore"):
        result = scalars.fma(np.float32(x), np.float32(y), np.float32(z))
        if not math.isfinite(result):
            assert abs(exact) >= Fraction(float(np.finfo(np.float32).max))
            return
        neighbours = [np.nextafter(result, np.float32(side)) for side in (-np.inf, np.inf)]
    for other in neighbours:
        if math.isfinite(other):
            assert abs(Fraction(float(result)) - exact) <= abs(Fraction(float(other)) - exact)


@given(st.integers(0, 2**32 - 1))
def test_bits_of_narrow_floats(bits: int) -> None:
    with np.errstate(all="ignore"):
        x = np.uint32(bits).view(np.float32)
        if x == x:
            assert scalars.bf16_bits(x) == int(x.astype(ml_dtypes.bfloat16).view(np.uint16))
            assert scalars.f16_bits(x) == int(x.astype(np.float16).view(np.uint16))
        tf32 = np.uint32(scalars.tf32_bits(x)).view(np.float32)
        if np.isfinite(x) and np.isfinite(tf32):
            assert abs(float(tf32) - float(x)) <= 2.0**-11 * abs(float(x)) + 2.0**-137
