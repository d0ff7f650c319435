"""Matrix products whose right operand is a weight that is known beforehand: packing it is not timed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from harness.row import Row, Work, gaussians
from systems import ort, ours, torch_cpu

from .matmul import exact_product

SIZES = (512, 1024, 2048)
LAYERS = ((16, 3072, 768), (128, 3072, 768))
"""Rows, columns and terms of a transformer's layers."""

WEIGHT = (1,)
"""The number of the input that is constant."""


def rows() -> list[Row]:
    return [*(prepacked(f"{n}", n, n, n) for n in SIZES), *(prepacked(f"{m}x{k}x{n}", m, n, k) for m, n, k in LAYERS)]


def packed_by_mkl(torch: Any, a: Any, b: Any) -> Callable[[], Any]:
    """Return the call that torch.compile generates for a linear layer of a frozen network."""
    weight = b.t().contiguous()
    packed = torch.ops.mkl._mkl_reorder_linear_weight(weight, a.shape[0])
    return partial(torch.ops.mkl._mkl_linear, a, packed, weight, None, a.shape[0])


def prepacked(name: str, m: int, n: int, k: int) -> Row:
    return Row(
        f"matmul-f32-{name}-prepacked",
        "prepacked",
        {
            "tilewright": ours.graph("y = MatMul(a, b)", constants=WEIGHT),
            "torch": torch_cpu.prepared(packed_by_mkl),
            "onnxruntime": ort.graph("y = MatMul(a, b)", constants=WEIGHT),
        },
        inputs=partial(gaussians, (m, k), (k, n)),
        expected=exact_product,
        output=((m, n), "float32"),
        work=Work(2 * m * n * k, read=4 * (m * k + k * n), written=4 * m * n),
    )
