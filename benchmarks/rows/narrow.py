"""Products of narrow types: bfloat16 to bfloat16 with sums in float32, and int8 to int32, which is exact."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Row, Work, gaussians
from systems import loops, ort, ours, torch_cpu

from .matmul import exact_product

SIZES = (1024, 2048)
BFLOAT16_TOLERANCE = 2.0**-8
"""A result is rounded to eight bits, so it may be off by half of that beside its sum."""


def rows() -> list[Row]:
    return [*(bfloat16(n) for n in SIZES), *(int8(n) for n in SIZES)]


def bfloat16_inputs(n: int) -> Arrays:
    import ml_dtypes

    return [x.astype(ml_dtypes.bfloat16) for x in gaussians((n, n), (n, n))]


def int8_inputs(n: int) -> Arrays:
    rng = np.random.default_rng(0)
    return [rng.integers(-128, 128, (n, n), np.int8) for _ in range(2)]


def exact_integers(inputs: Arrays) -> np.ndarray:
    """Compute the product exactly through float64: sums stay far below 2^53."""
    return exact_product(inputs).astype(np.int64)


def bfloat16(n: int) -> Row:
    def define(a: Any, b: Any) -> Any:
        from tilewright import topi

        return topi.cast(topi.matmul(a, b, out_dtype="float32"), "bfloat16")

    return Row(
        f"matmul-bf16-{n}",
        "narrow",
        {
            "tilewright": ours.tensors(define),
            "torch": torch_cpu.eager(lambda torch, out, a, b: torch.mm(a, b, out=out)),
        },
        inputs=partial(bfloat16_inputs, n),
        expected=exact_product,
        output=((n, n), "bfloat16"),
        tolerance=BFLOAT16_TOLERANCE,
        work=Work(2 * n**3, read=4 * n * n, written=2 * n * n, dtype="bfloat16"),
        bars=(Bar(1.2, ("torch",)),),
    )


def int8(n: int) -> Row:
    def define(a: Any, b: Any) -> Any:
        from tilewright import topi

        return topi.matmul(a, b, out_dtype="int32")

    return Row(
        f"matmul-int8-{n}",
        "narrow",
        {
            "tilewright": ours.tensors(define),
            "torch": torch_cpu.eager(lambda torch, out, a, b: torch.ops.aten._int_mm.out(a, b, out=out)),
            "onnxruntime": ort.graph("y = MatMulInteger(a, b)"),
            "numba": loops.with_numba("integer_matmul"),
        },
        inputs=partial(int8_inputs, n),
        expected=exact_integers,
        output=((n, n), "int32"),
        work=Work(2 * n**3, read=2 * n * n, written=4 * n * n, dtype="int8"),
        bars=(Bar(1.2, ("torch",)),),
    )
