"""MobileNet: depthwise convolutions, each followed by a pointwise convolution.

Howard et al.: "MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications" (2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...nd import NDArray
from ..analysis import free_vars
from ..expr import Expr, var
from ..functions import Function
from ..op import nn
from .init import create_workload
from .layers import batch_norm_infer, conv2d, conv_kernel_layout, dense_add_bias

__all__ = ["conv_block", "get_workload", "mobile_net", "separable_conv_block"]

_PLAN = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1))
"""Channels and strides of the separable convolutions (table 1)."""


def conv_block(
    data: Any, name: str, channels: int, kernel_size: Any = (3, 3), strides: Any = (1, 1), padding: Any = (1, 1),
    epsilon: float = 1e-5, layout: str = "NCHW",
) -> Expr:  # fmt: skip
    """Return a convolution, normalised, with relu."""
    window = {"kernel_size": kernel_size, "strides": strides, "padding": padding}
    layouts = {"data_layout": layout, "kernel_layout": conv_kernel_layout(layout)}
    value = conv2d(data, channels=channels, name=f"{name}_conv", **window, **layouts)
    return nn.relu(batch_norm_infer(value, epsilon=epsilon, axis=layout.index("C"), name=f"{name}_bn"))


def separable_conv_block(
    data: Any, name: str, depthwise_channels: int, pointwise_channels: int, kernel_size: Any = (3, 3),
    downsample: bool = False, padding: Any = (1, 1), epsilon: float = 1e-5, layout: str = "NCHW",
    dtype: str = "float32",
) -> Expr:  # fmt: skip
    """Return a depthwise convolution and one of single pixels, each normalised, with relu."""
    window = {"kernel_size": kernel_size, "strides": (2, 2) if downsample else (1, 1), "padding": padding}
    layouts = {"data_layout": layout, "kernel_layout": conv_kernel_layout(layout, True)}
    value = conv2d(
        data,
        channels=depthwise_channels,
        groups=depthwise_channels,
        name=f"{name}_depthwise_conv1",
        **window,
        **layouts,
    )
    value = nn.relu(batch_norm_infer(value, epsilon=epsilon, axis=layout.index("C"), name=f"{name}_bn1"))
    return conv_block(
        value, f"{name}_point", pointwise_channels, (1, 1), padding=(0, 0), epsilon=epsilon, layout=layout
    )


def mobile_net(
    num_classes: int = 1000, data_shape: Sequence[int] = (1, 3, 224, 224), dtype: str = "float32", alpha: float = 1.0,
    is_shallow: bool = False, layout: str = "NCHW",
) -> Function:  # fmt: skip
    """Return the function; `alpha` scales the numbers of channels, `is_shallow` leaves out the five equal layers."""
    value = conv_block(var("data", shape=data_shape, dtype=dtype), "conv_block_1", int(32 * alpha), strides=(2, 2),
                       layout=layout)  # fmt: skip
    channels = int(32 * alpha)
    plan = [step for k, step in enumerate(_PLAN) if not is_shallow or not 6 <= k <= 10]
    for number, (outputs, stride) in enumerate(plan, 1):
        wide = int(outputs * alpha)
        value = separable_conv_block(
            value, f"separable_conv_block_{number}", channels, wide, downsample=stride == 2, layout=layout, dtype=dtype
        )
        channels = wide
    value = nn.batch_flatten(nn.global_avg_pool2d(value, layout=layout))
    value = nn.softmax(dense_add_bias(value, units=num_classes, name="fc"))
    return Function(free_vars(value), value)


def get_workload(
    batch_size: int = 1, num_classes: int = 1000, image_shape: Sequence[int] = (3, 224, 224), dtype: str = "float32",
    layout: str = "NCHW",
) -> tuple[Any, dict[str, NDArray]]:  # fmt: skip
    """Return the module, and random parameters."""
    return create_workload(mobile_net(num_classes, (batch_size, *image_shape), dtype, layout=layout))
