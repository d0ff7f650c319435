"""Random parameters for networks: `create_workload` draws a value for each variable of a function but the input."""

from __future__ import annotations

from collections.abc import Callable
from math import prod, sqrt
from typing import Any

import numpy as np

from ....diagnostics.expectations import expect_type
from ....dialects.dtypes import numpy_dtype
from ....dialects.ir_module import IRModule
from ...nd import NDArray, array
from ..functions import Function
from ..types import TensorType

__all__ = ["Constant", "Initializer", "Xavier", "create_workload"]

Drawn = Callable[[str, np.ndarray], None]


class Initializer:
    """Fills an array by the end of its name: biases, betas and means are zeros, gammas and variances are ones."""

    def __call__(self, desc: str, arr: np.ndarray) -> None:
        """Fill the array of the parameter `desc`."""
        if desc.endswith(("bias", "beta", "mean")):
            arr[...] = 0
        elif desc.endswith(("gamma", "var")):
            arr[...] = 1
        else:
            self._init_weight(desc, arr)

    def _init_weight(self, name: str, arr: np.ndarray) -> None:
        raise NotImplementedError


class Constant(Initializer):
    """Fills weights with one number."""

    def __init__(self, value: float) -> None:
        self.value = value

    def _init_weight(self, name: str, arr: np.ndarray) -> None:
        arr[...] = self.value


class Xavier(Initializer):
    """Draws weights as Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks"
    (2010), section 4.2.1: with variance `magnitude` over the number of inputs, of outputs, or their mean."""

    def __init__(self, rnd_type: str = "uniform", factor_type: str = "avg", magnitude: float = 3) -> None:
        self.rnd_type, self.factor_type, self.magnitude = rnd_type, factor_type, magnitude

    def _init_weight(self, name: str, arr: np.ndarray) -> None:
        window = prod(arr.shape[2:])
        inputs = arr.shape[1] * window if arr.ndim > 1 else arr.shape[0]
        outputs = arr.shape[0] * window
        factor = {"avg": (inputs + outputs) / 2, "in": inputs, "out": outputs}[self.factor_type]
        scale = sqrt(self.magnitude / factor)
        if self.rnd_type == "uniform":
            arr[...] = np.random.uniform(-scale, scale, size=arr.shape)
        else:
            arr[...] = np.random.normal(0, scale, size=arr.shape)


def create_workload(net: Any, initializer: Drawn | None = None, seed: int = 0) -> tuple[IRModule, dict[str, NDArray]]:
    """Return the module of a function, and random values of its parameters other than `data`, equal for one seed."""
    expect_type("net", net, Function)
    fill: Drawn = Xavier() if initializer is None else initializer
    params: dict[str, NDArray] = {}
    state = np.random.get_state()
    np.random.seed(seed)
    try:
        for param in net.params:
            if param.name_hint == "data":
                continue
            given = param.checked_type
            assert isinstance(given, TensorType)
            values = np.zeros(given.concrete_shape, numpy_dtype(given.dtype))
            fill(param.name_hint, values)
            params[param.name_hint] = array(values)
    finally:
        np.random.set_state(state)
    return IRModule.from_expr(net), params
