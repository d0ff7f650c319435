"""Networks as torch.onnx.export writes them, at a fraction of their size.

The idioms are the exporter's: names such as "/layer1/layer1.0/Conv_output_0", ReLU6 as Clip with scalar constants,
`x.mean([2, 3])` as ReduceMean, `torch.flatten` as Flatten or as a chain of shape operators.
"""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper

from .models import model_of


class Exporter:
    """Appends nodes; each method takes and gives the name of a value."""

    def __init__(self, opset: int, seed: int = 0) -> None:
        self.opset = opset
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, np.ndarray] = {}
        self.rng = np.random.default_rng(seed)

    def node(self, operator: str, *inputs: str, **attributes: object) -> str:
        name = f"/{operator.lower()}/{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, inputs, [f"{name}_output_0"], name=name, **attributes))
        return f"{name}_output_0"

    def weight(self, *shape: int) -> str:
        name = f"onnx::Conv_{len(self.constants)}"
        fan_in = max(int(np.prod(shape[1:])), 1)
        self.constants[name] = (self.rng.standard_normal(shape) * np.sqrt(2 / fan_in)).astype(np.float32)
        return name

    def scalar(self, value: float | int | list[int], dtype: type = np.float32) -> str:
        tensor = onnx.numpy_helper.from_array(np.array(value, dtype))
        return self.node("Constant", value=tensor)

    def conv(self, x: str, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> str:
        pad = kernel // 2
        attributes = {
            "dilations": [1, 1],
            "group": groups,
            "kernel_shape": [kernel, kernel],
            "pads": [pad] * 4,
            "strides": [stride, stride],
        }
        weight = self.weight(outputs, inputs // groups, kernel, kernel)
        return self.node("Conv", x, weight, self.weight(outputs), **attributes)

    def relu6(self, x: str) -> str:
        return self.node("Clip", x, self.scalar(0.0), self.scalar(6.0))

    def model(self, output: str, batch: int | str, size: int) -> onnx.ModelProto:
        shape = (batch, 3, size, size)
        return model_of(self.nodes, {"input": ("float32", shape)}, [output], self.constants, self.opset)


def resnet(batch: int | str = 1, opset: int = 17) -> onnx.ModelProto:
    """Return version 1.5 of ResNet: the stride of a bottleneck is in its 3x3 convolution. Batch norms are folded, as
    export does."""
    e = Exporter(opset)
    x = e.node("Relu", e.conv("input", 3, 8, 7, 2))
    x = e.node("MaxPool", x, ceil_mode=0, kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2])
    channels = 8
    for width, stride in ((4, 1), (8, 2)):
        for block in range(2):
            step = stride if block == 0 else 1
            y = e.node("Relu", e.conv(x, channels, width, 1))
            y = e.node("Relu", e.conv(y, width, width, 3, step))
            y = e.conv(y, width, width * 4, 1)
            shortcut = e.conv(x, channels, width * 4, 1, step) if block == 0 else x
            x = e.node("Relu", e.node("Add", y, shortcut))
            channels = width * 4
    x = e.node("Flatten", e.node("GlobalAveragePool", x), axis=1)
    return e.model(e.node("Gemm", x, e.weight(10, channels), e.weight(10), alpha=1.0, beta=1.0, transB=1), batch, 32)


def mobilenet(batch: int | str = 1, opset: int = 13) -> onnx.ModelProto:
    """Return version 2 of MobileNet: inverted residuals with depthwise convolutions, and a view computed from the
    batch's size."""
    e = Exporter(opset, seed=1)
    x = e.relu6(e.conv("input", 3, 8, 3, 2))
    channels = 8
    for outputs, stride, expand in ((8, 1, 1), (12, 2, 6), (12, 1, 6)):
        hidden = channels * expand
        y = x if expand == 1 else e.relu6(e.conv(x, channels, hidden, 1))
        y = e.relu6(e.conv(y, hidden, hidden, 3, stride, groups=hidden))
        y = e.conv(y, hidden, outputs, 1)
        x = e.node("Add", x, y) if stride == 1 and channels == outputs else y
        channels = outputs
    x = e.relu6(e.conv(x, channels, 24, 1))
    x = e.node("ReduceMean", x, axes=[2, 3], keepdims=1) if opset < 18 else e.node("GlobalAveragePool", x)
    rows = e.node("Gather", e.node("Shape", x), e.scalar(0, np.int64), axis=0)
    sizes = e.node("Concat", e.node("Unsqueeze", rows, e.scalar([0], np.int64)), e.scalar([-1], np.int64), axis=0)
    x = e.node("Reshape", x, sizes)
    return e.model(e.node("Gemm", x, e.weight(10, 24), e.weight(10), transB=1), batch, 32)
