"""Matrix products whose right operand is a weight that is known beforehand: packing it is not timed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from harness.row import Row, Work, gaussians
from systems import ort, ours, torch_cpu

from .matmul import exact_product

SIZES = (512, 1024, 2048)
WEIGHT = (1,)
"""The number of the input that is constant."""


def rows() -> list[Row]:
    return [prepacked(n) for n in SIZES]


def packed_by_mkl(torch: Any, a: Any, b: Any) -> Callable[[], Any]:
    """What torch.compile makes of a linear layer of a frozen network."""
    weight = b.t().contiguous()
    packed = torch.ops.mkl._mkl_reorder_linear_weight(weight, a.shape[0])
    return partial(torch.ops.mkl._mkl_linear, a, packed, weight, None, a.shape[0])


def prepacked(n: int) -> Row:
    return Row(
        f"matmul-f32-{n}-prepacked",
        "prepacked",
        {
            "tilewright": ours.graph("y = MatMul(a, b)", constants=WEIGHT),
            "torch": torch_cpu.prepared(packed_by_mkl),
            "onnxruntime": ort.graph("y = MatMul(a, b)", constants=WEIGHT),
        },
        inputs=partial(gaussians, (n, n), (n, n)),
        expected=exact_product,
        output=((n, n), "float32"),
        work=Work(2 * n**3, read=8 * n * n, written=4 * n * n),
    )
