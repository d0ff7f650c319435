"""Rows of GPU kernels: one problem in tilewright, in torch, and in numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

Spec = tuple[tuple[int, ...], str]
"""The shape and the type of an array."""

BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


@dataclass(frozen=True)
class Row:
    """A problem. Nothing is imported or computed before it runs."""

    name: str
    inputs: tuple[Spec, ...]
    output: Spec
    define: Callable[..., Any]
    """The result as a tensor expression of placeholders like the inputs; for a network, its ONNX model."""
    torch: Callable[..., Any]
    """`torch(module, *inputs)` makes the result; in float64 it is the reference for all results."""
    numpy: Callable[..., np.ndarray]
    """The same of arrays of float64."""
    torch_into: Callable[..., object] | None = None
    """`torch_into(module, out, *inputs)`, the fastest way that writes into a tensor that is there."""
    operations: float = 0.0
    tolerance: float = 1e-5
    """Of the largest magnitude in the expected result."""
    is_copying: bool = False
    """True where memory bounds it: then it is compared with a copy of as many bytes, too."""
    compiled: bool = False
    """True where torch.compile is a peer, because torch has no single kernel for the problem."""
    bars: dict[str, float] = field(default_factory=dict[str, float])
    """Peer -> the required speedup of ours over it, 'copy' for the share of copy bandwidth."""
    is_network: bool = False

    @property
    def bytes(self) -> float:
        """Each input and the output once."""
        return float(sum(prod(shape) * BYTES[dtype] for shape, dtype in (*self.inputs, self.output)))


def build(row: Row, target: str, device: str | None) -> Any:
    """Return the program of a row with default schedules."""
    import tilewright
    from tilewright import te

    if row.is_network:
        from tilewright.frontends.onnx import import_model

        return tilewright.compile(import_model(row.define()), target, device=device)
    placeholders = [te.placeholder(shape, dtype, name=f"x{k}") for k, (shape, dtype) in enumerate(row.inputs)]
    arguments = [*placeholders, row.define(*placeholders)]
    return tilewright.build(arguments, arguments, target, device=device)
