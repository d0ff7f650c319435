"""Residual networks with normalisation before each convolution.

He, Zhang, Ren, Sun: "Identity Mappings in Deep Residual Networks" (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....diagnostics import fail
from ....diagnostics.locations import caller_location
from ...nd import NDArray
from ..analysis import free_vars
from ..expr import BAD_OPERAND, Expr, var
from ..functions import Function
from ..op import nn
from ..op.tensor import add
from .init import create_workload
from .layers import batch_norm_infer, conv2d, conv_kernel_layout, dense_add_bias

__all__ = ["get_net", "get_workload", "resnet"]

_STAGES = {
    18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3),
    200: (3, 24, 36, 3), 269: (3, 30, 48, 8),
}  # fmt: skip
"""Units of the four stages, by the number of layers."""

_WITH_BOTTLENECKS = 50
"""Networks of at least so many layers have units of three convolutions."""

_SMALL = 32
"""Images up to this height keep their size before the first stage."""


def residual_unit(
    data: Expr, num_filter: int, stride: tuple[int, int], dim_match: bool, name: str, bottle_neck: bool, layout: str
) -> Expr:
    """Return the operand, or a convolution of it, plus two convolutions, or three with a bottleneck."""
    axis, kernel_layout = layout.index("C"), conv_kernel_layout(layout)
    layouts = {"data_layout": layout, "kernel_layout": kernel_layout}

    def activated(value: Expr, number: int) -> Expr:
        return nn.relu(batch_norm_infer(value, epsilon=2e-5, axis=axis, name=f"{name}_bn{number}"))

    def convolved(value: Expr, number: int, channels: int, size: int, strides: tuple[int, int]) -> Expr:
        window = {"kernel_size": (size, size), "strides": strides, "padding": (size // 2, size // 2)}
        return conv2d(value, channels=channels, name=f"{name}_conv{number}", **window, **layouts)

    first = activated(data, 1)
    if bottle_neck:
        plan = [(num_filter // 4, 1, stride), (num_filter // 4, 3, (1, 1)), (num_filter, 1, (1, 1))]
    else:
        plan = [(num_filter, 3, stride), (num_filter, 3, (1, 1))]
    value = first
    for number, (channels, size, strides) in enumerate(plan, 1):
        value = convolved(value if number == 1 else activated(value, number), number, channels, size, strides)
    if dim_match:
        return add(value, data)
    return add(
        value, conv2d(first, channels=num_filter, kernel_size=(1, 1), strides=stride, name=f"{name}_sc", **layouts)
    )


def resnet(
    units: Sequence[int], num_stages: int, filter_list: Sequence[int], num_classes: int, data_shape: Sequence[int],
    bottle_neck: bool = True, layout: str = "NCHW", dtype: str = "float32",
) -> Function:  # fmt: skip
    """Return the function of a network of so many units in each stage."""
    axis, layouts = layout.index("C"), {"data_layout": layout, "kernel_layout": conv_kernel_layout(layout)}
    value: Expr = var("data", shape=data_shape, dtype=dtype)
    value = batch_norm_infer(value, epsilon=2e-5, axis=axis, scale=False, name="bn_data")
    if data_shape[layout.index("H")] <= _SMALL:
        value = conv2d(value, channels=filter_list[0], kernel_size=(3, 3), padding=(1, 1), name="conv0", **layouts)
    else:
        window = {"kernel_size": (7, 7), "strides": (2, 2), "padding": (3, 3)}
        value = conv2d(value, channels=filter_list[0], name="conv0", **window, **layouts)
        value = nn.relu(batch_norm_infer(value, epsilon=2e-5, axis=axis, name="bn0"))
        value = nn.max_pool2d(value, pool_size=(3, 3), strides=(2, 2), padding=(1, 1), layout=layout)
    for stage in range(num_stages):
        for unit in range(units[stage]):
            step = 2 if unit == 0 and stage > 0 else 1
            name = f"stage{stage + 1}_unit{unit + 1}"
            value = residual_unit(value, filter_list[stage + 1], (step, step), unit > 0, name, bottle_neck, layout)
    value = nn.relu(batch_norm_infer(value, epsilon=2e-5, axis=axis, name="bn1"))
    value = nn.batch_flatten(nn.global_avg_pool2d(value, layout=layout))
    value = nn.softmax(dense_add_bias(value, units=num_classes, name="fc1"))
    return Function(free_vars(value), value)


def get_net(
    batch_size: int, num_classes: int, num_layers: int = 50, image_shape: Sequence[int] = (3, 224, 224),
    layout: str = "NCHW", dtype: str = "float32", **kwargs: Any,
) -> Function:  # fmt: skip
    """Return the function of a network of so many layers: 18, 34, 50, 101, 152, 200 or 269.

    Networks for images of up to 32 pixels have 6 n + 2 layers, or 9 n + 2 from 164 on.
    """
    height = image_shape[layout.index("H") - 1]
    shape = (batch_size, *image_shape)
    if height <= _SMALL:
        is_deep = num_layers >= 164
        per_unit = 9 if is_deep else 6
        if (num_layers - 2) % per_unit or num_layers < 2 + per_unit:
            _refuse(num_layers, f"{per_unit} n + 2")
        filters = (16, 64, 128, 256) if is_deep else (16, 16, 32, 64)
        return resnet([(num_layers - 2) // per_unit] * 3, 3, filters, num_classes, shape, is_deep, layout, dtype)
    if num_layers not in _STAGES:
        _refuse(num_layers, ", ".join(map(str, _STAGES)))
    is_deep = num_layers >= _WITH_BOTTLENECKS
    filters = (64, 256, 512, 1024, 2048) if is_deep else (64, 64, 128, 256, 512)
    return resnet(_STAGES[num_layers], 4, filters, num_classes, shape, is_deep, layout, dtype)


def _refuse(num_layers: int, known: str) -> None:
    fail(BAD_OPERAND, f"resnet: expected {known} layers, but got {num_layers}", location=caller_location())


def get_workload(
    batch_size: int = 1, num_classes: int = 1000, num_layers: int = 18, image_shape: Sequence[int] = (3, 224, 224),
    layout: str = "NCHW", dtype: str = "float32", **kwargs: Any,
) -> tuple[Any, dict[str, NDArray]]:  # fmt: skip
    """Return the module, and random parameters."""
    return create_workload(get_net(batch_size, num_classes, num_layers, image_shape, layout, dtype, **kwargs))
