"""Products of bytes as they are deployed: activations that are quantised on the way, weights of int8 known beforehand.

Rows of a known number, of an open one, few rows as in decoding, and products of two computed matrices.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from harness.row import Arrays, Row, Work
from systems import ort, ours

FIXED = ((128, 768, 768), (128, 768, 3072), (128, 3072, 768))
"""Rows, terms and columns of an encoder's layers."""
FEW = ((1, 2048, 2048), (1, 768, 3072), (2, 768, 3072), (4, 2048, 2048), (5, 768, 768), (8, 768, 3072))
"""Sizes of a step of decoding."""
OPEN = ((1, 768, 3072), (5, 768, 768), (17, 768, 3072), (33, 3072, 768), (128, 768, 768))
"""Sizes of calls of a program whose number of rows is open."""
COMPUTED = ((12, 128, 64, 128), (12, 128, 128, 64))
"""Matrices, rows, terms and columns of attention."""

DYNAMIC = """
    q, s, z = DynamicQuantizeLinear(a)
    p = MatMulInteger(q, b, z)
    f = Cast<to = 1>(p)
    t = Mul(s, c)
    y = Mul(f, t)
"""
CONSTANTS = (1, 2)
BOTH_COMPUTED = "y = MatMulInteger(a, b, c, d)"


def rows() -> list[Row]:
    return [
        *(dynamic("dynamic", *sizes) for sizes in (*FIXED, *FEW)),
        *(dynamic("dynamic-open", *sizes, is_open=True) for sizes in OPEN),
        *(computed(*sizes) for sizes in COMPUTED),
    ]


def dynamic(name: str, m: int, k: int, n: int, *, is_open: bool = False) -> Row:
    """Return a matrix of floats, quantised by its range, times int8."""
    return Row(
        f"{name}-{m}x{k}x{n}",
        "byte_products",
        {
            "tilewright": ours.graph(DYNAMIC, CONSTANTS, open_rows=is_open),
            "onnxruntime": ort.graph(DYNAMIC, CONSTANTS, open_rows=is_open),
        },
        inputs=partial(dynamic_inputs, m, k, n),
        expected=dequantised_product,
        output=((m, n), "float32"),
        work=Work(2 * m * k * n, read=4 * m * k + k * n, written=4 * m * n, dtype="int8"),
    )


def dynamic_inputs(m: int, k: int, n: int) -> Arrays:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, k), dtype=np.float32)
    return [a, rng.integers(-127, 128, (k, n)).astype(np.int8), np.array(0.01, np.float32)]


def dequantised_product(inputs: Arrays) -> np.ndarray:
    """Return the exact product of the integers, times their scale; these are rounded as the standard says, in
    float32."""
    a, b, scale = inputs
    low, high = min(a.min(), np.float32(0)), max(a.max(), np.float32(0))
    step = (high - low) / np.float32(255)
    zero = np.clip(np.round(-low / step), 0, 255)
    q = np.clip(np.round(a / step) + zero, 0, 255)
    return (q.astype(np.float64) - zero) @ b.astype(np.float64) * (step * scale)


def computed(batch: int, m: int, k: int, n: int) -> Row:
    """Return the row of a product of two matrices of bytes with zero points, of which none is known beforehand."""
    return Row(
        f"computed-bytes-{batch}x{m}x{k}x{n}",
        "byte_products",
        {
            "tilewright": ours.graph(BOTH_COMPUTED, (2, 3)),
            "onnxruntime": ort.graph(BOTH_COMPUTED, (2, 3)),
        },
        inputs=partial(computed_inputs, batch, m, k, n),
        expected=integer_product,
        output=((batch, m, n), "int32"),
        work=Work(2 * batch * m * k * n, read=batch * (m + n) * k, written=4 * batch * m * n, dtype="int8"),
    )


def computed_inputs(batch: int, m: int, k: int, n: int) -> Arrays:
    rng = np.random.default_rng(0)
    bytes_ = [rng.integers(0, 256, (batch, *shape)).astype(np.uint8) for shape in ((m, k), (k, n))]
    return [*bytes_, np.array(131, np.uint8), np.array(120, np.uint8)]


def integer_product(inputs: Arrays) -> np.ndarray:
    a, b, a_zero, b_zero = (x.astype(np.int64) for x in inputs)
    return (a - a_zero) @ (b - b_zero)
