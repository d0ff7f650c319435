"""The operator `soft_cap`: an activation whose values stay between -cap and cap."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import tilewright
from tilewright import te
from tilewright.dialects import graph
from tilewright.dialects.graph.properties import float_prop


def reference(x: np.ndarray, cap: float) -> np.ndarray:
    """Return the reference result of the operator."""
    return (cap * np.tanh(x / cap)).astype(x.dtype)


def expression(x: te.Tensor, cap: float) -> te.Tensor:
    """Return the tensor expression that is compiled."""
    return te.compute(x.shape, lambda *i: cap * te.tanh(x(*i) / cap), name="soft_cap")


@tilewright.register_operator(kind="elementwise", reference=reference, te=expression)
class SoftCapOp(graph.UnaryOp):
    """cap * tanh(x / cap).

    ```mlir
    %y = graph.soft_cap %x cap 5.0 : tensor<4xf32>
    ```
    """

    name = "graph.soft_cap"
    ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

    cap = float_prop(30.0)
