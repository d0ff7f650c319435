"""Networks for small devices, written in ONNX with seeded random weights; the onnx wheel has no files of them."""

from __future__ import annotations

from typing import Any

import numpy as np

MOBILE_STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""Of MobileNetV2 (Sandler et al. 2018): how many times as wide a block is inside, outputs, blocks, stride."""

EFFICIENT_STAGES = (
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
)
"""Of EfficientNet-B0 (Tan and Le 2019): how many times as wide a block is inside, window, stride, outputs, blocks."""


class _Network:
    """Nodes and weights of a classifier of images."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(0)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: Any) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.asarray(array, np.float32), f"w{len(self.constants)}"))
        return self.constants[-1].name

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def conv(self, x: str, inputs: int, outputs: int, kernel: int = 1, stride: int = 1, *, deep: bool = False) -> str:
        """Return a convolution with a bias; `deep` for one of each channel alone."""
        shape = (outputs, 1 if deep else inputs, kernel, kernel)
        weight = self.random.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))
        bias = self.random.uniform(-0.1, 0.1, outputs)
        around = {"pads": [kernel // 2] * 4, "strides": [stride] * 2, "group": outputs if deep else 1}
        return self.node("Conv", x, self.constant(weight), self.constant(bias), **around)

    def bounded(self, x: str) -> str:
        """Append ReLU6 and return its result."""
        return self.node("Clip", x, self.constant(0), self.constant(6))

    def silu(self, x: str) -> str:
        return self.node("Mul", x, self.node("Sigmoid", x))

    def gated(self, x: str, channels: int, hidden: int) -> str:
        """Append squeeze and excitation and return the result."""
        inner = self.silu(self.conv(self.node("GlobalAveragePool", x), channels, hidden))
        return self.node("Mul", x, self.node("Sigmoid", self.conv(inner, hidden, channels)))

    def model(self, features: str, channels: int) -> Any:
        """Return the network with a linear layer of 1000 classes behind the means of the features."""
        from onnx import TensorProto, helper

        flat = self.node("Flatten", self.node("GlobalAveragePool", features))
        weight = self.random.standard_normal((1000, channels)) / np.sqrt(channels)
        result = self.node("Gemm", flat, self.constant(weight), self.constant(np.zeros(1000)), transB=1)
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 3, 224, 224))]
        outputs = [helper.make_tensor_value_info(result, TensorProto.FLOAT, (1, 1000))]
        graph = helper.make_graph(self.nodes, "network", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def mobilenet_v2() -> Any:
    """Build inverted residuals bounded by 6."""
    net, channels = _Network(), 32
    x = net.bounded(net.conv("x", 3, channels, 3, 2))
    for wider, outputs, count, stride in MOBILE_STAGES:
        for step in (stride, *[1] * (count - 1)):
            hidden, before = channels * wider, x
            if wider > 1:
                x = net.bounded(net.conv(x, channels, hidden))
            x = net.bounded(net.conv(x, hidden, hidden, 3, step, deep=True))
            x = net.conv(x, hidden, outputs)
            x = net.node("Add", before, x) if step == 1 and outputs == channels else x
            channels = outputs
    return net.model(net.bounded(net.conv(x, channels, 1280)), 1280)


def efficientnet_b0() -> Any:
    """Build inverted residuals with SiLU, whose channels are gated."""
    net, channels = _Network(), 32
    x = net.silu(net.conv("x", 3, channels, 3, 2))
    for wider, kernel, stride, outputs, count in EFFICIENT_STAGES:
        for step in (stride, *[1] * (count - 1)):
            hidden, before = channels * wider, x
            if wider > 1:
                x = net.silu(net.conv(x, channels, hidden))
            x = net.silu(net.conv(x, hidden, hidden, kernel, step, deep=True))
            x = net.conv(net.gated(x, hidden, max(1, channels // 4)), hidden, outputs)
            x = net.node("Add", before, x) if step == 1 and outputs == channels else x
            channels = outputs
    return net.model(net.silu(net.conv(x, channels, 1280)), 1280)


def wide() -> Any:
    """Build convolutions of 3 x 3 of many channels, halved in size four times."""
    net, channels = _Network(), 64
    x = net.node("Relu", net.conv("x", 3, channels, 3, 2))
    for outputs in (128, 256, 512):
        x = net.node("Relu", net.conv(x, channels, outputs, 3, 2))
        before = x
        x = net.node("Relu", net.conv(x, outputs, outputs, 3))
        x = net.node("Relu", net.node("Add", before, net.conv(x, outputs, outputs, 3)))
        channels = outputs
    return net.model(x, channels)


NETWORKS = {"mobilenet_v2": mobilenet_v2, "efficientnet_b0": efficientnet_b0, "wide": wide}
