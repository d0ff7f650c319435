"""A perceptron of three layers for images of digits."""

from __future__ import annotations

from typing import Any

from ...nd import NDArray
from ..analysis import free_vars
from ..expr import var
from ..functions import Function
from ..op import nn
from .init import create_workload
from .layers import dense_add_bias

__all__ = ["get_net", "get_workload"]


def get_net(
    batch_size: int, num_classes: int = 10, image_shape: tuple[int, ...] = (1, 28, 28), dtype: str = "float32"
) -> Function:
    """Return the function: layers of 128 and 64 units with relu, and softmax over the classes."""
    value: Any = nn.batch_flatten(var("data", shape=(batch_size, *image_shape), dtype=dtype))
    for number, units in enumerate((128, 64), 1):
        value = nn.relu(dense_add_bias(value, units=units, name=f"fc{number}"))
    value = nn.softmax(dense_add_bias(value, units=num_classes, name="fc3"))
    return Function(free_vars(value), value)


def get_workload(
    batch_size: int, num_classes: int = 10, image_shape: tuple[int, ...] = (1, 28, 28), dtype: str = "float32"
) -> tuple[Any, dict[str, NDArray]]:
    """Return the module, and random parameters."""
    return create_workload(get_net(batch_size, num_classes, image_shape, dtype))
