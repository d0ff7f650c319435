"""A torch network from an ONNX classifier: the operators of the light models, which are of opset 9."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F

Attributes = Mapping[str, Any]


class Network(nn.Module):
    """The nodes of a graph in order; weights are parameters, integers (shapes) are Python's."""

    def __init__(self, graph: Any) -> None:
        super().__init__()
        self.nodes = list(graph.node)
        self.input, self.output = graph.input[0].name, graph.output[0].name
        self.shapes: dict[str, list[int]] = {}
        self.names: dict[str, str] = {}
        for tensor in graph.initializer:
            values = numpy_helper.to_array(tensor)
            if values.dtype == np.int64:
                self.shapes[tensor.name] = values.tolist()
            else:
                self.names[tensor.name] = f"weight{len(self.names)}"
                self.register_buffer(self.names[tensor.name], torch.from_numpy(values.copy()))

    def forward(self, x: Tensor) -> Tensor:
        values: dict[str, Any] = {self.input: x, **self.shapes}
        values |= {name: getattr(self, buffer) for name, buffer in self.names.items()}
        for node in self.nodes:
            attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
            arguments = [values[name] for name in node.input if name]
            values[node.output[0]] = OPERATORS[node.op_type](attributes, *arguments)
        return values[self.output]


def network(model: Any) -> Network:
    """Return the network of a model, in evaluation mode."""
    return Network(model.graph).eval()


def _padded(x: Tensor, attributes: Attributes, value: float) -> tuple[Tensor, list[int]]:
    """Return x with the uneven part of the padding around it, and the remaining padding."""
    pads = list(attributes.get("pads", [0, 0, 0, 0]))
    half = len(pads) // 2
    if pads[:half] == pads[half:]:
        return x, pads[:half]
    around = [amount for k in reversed(range(half)) for amount in (pads[k], pads[half + k])]
    return F.pad(x, around, value=value), [0] * half


def _convolution(attributes: Attributes, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    x, padding = _padded(x, attributes, 0.0)
    strides, dilations = attributes.get("strides", [1, 1]), attributes.get("dilations", [1, 1])
    return F.conv2d(x, weight, bias, strides, padding, dilations, attributes.get("group", 1))


def _max_pool(attributes: Attributes, x: Tensor) -> Tensor:
    x, padding = _padded(x, attributes, -torch.inf)
    return F.max_pool2d(x, attributes["kernel_shape"], attributes.get("strides", [1, 1]), padding)


def _average_pool(attributes: Attributes, x: Tensor) -> Tensor:
    counted = bool(attributes.get("count_include_pad", 0))
    kernel, strides = attributes["kernel_shape"], attributes.get("strides", [1, 1])
    ones = torch.ones_like(x[:1, :1])
    x, padding = _padded(x, attributes, 0.0)
    means = F.avg_pool2d(x, kernel, strides, padding, count_include_pad=counted)
    if counted or x.shape[2:] == ones.shape[2:]:
        return means
    # Uneven padding has become pixels, which are not to be counted.
    ones, padding = _padded(ones, attributes, 0.0)
    return means / F.avg_pool2d(ones, kernel, strides, padding)


def _batch_norm(attributes: Attributes, x: Tensor, *parameters: Tensor) -> Tensor:
    scale, bias, mean, variance = parameters
    return F.batch_norm(x, mean, variance, scale, bias, eps=attributes.get("epsilon", 1e-5))


def _gemm(attributes: Attributes, a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    a, b = a.t() if attributes.get("transA") else a, b.t() if attributes.get("transB") else b
    return torch.addmm(c, a, b, beta=attributes.get("beta", 1.0), alpha=attributes.get("alpha", 1.0))


def _reshape(attributes: Attributes, x: Tensor, shape: list[int]) -> Tensor:
    return x.reshape([x.shape[k] if size == 0 else size for k, size in enumerate(shape)])


def _unsqueeze(attributes: Attributes, x: Tensor) -> Tensor:
    for axis in sorted(attributes["axes"]):
        x = x.unsqueeze(axis)
    return x


def _local_response(attributes: Attributes, x: Tensor) -> Tensor:
    size, alpha = attributes["size"], attributes.get("alpha", 1e-4)
    return F.local_response_norm(x, size, alpha, attributes.get("beta", 0.75), attributes.get("bias", 1.0))


def _layer_norm(attributes: Attributes, x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    return F.layer_norm(x, scale.shape, scale, shift, attributes.get("epsilon", 1e-5))


OPERATORS: dict[str, Callable[..., Tensor]] = {
    "Add": lambda attributes, a, b: a + b,
    "AveragePool": _average_pool,
    "BatchNormalization": _batch_norm,
    "Concat": lambda attributes, *xs: torch.cat(xs, attributes["axis"]),
    "Conv": _convolution,
    "Div": lambda attributes, a, b: a / b,
    "Dropout": lambda attributes, x: x,
    "Erf": lambda attributes, x: torch.erf(x),
    "Gemm": _gemm,
    "GlobalAveragePool": lambda attributes, x: x.mean((2, 3), keepdim=True),
    "LRN": _local_response,
    "LayerNormalization": _layer_norm,
    "MatMul": lambda attributes, a, b: a @ b,
    "MaxPool": _max_pool,
    "Mul": lambda attributes, a, b: a * b,
    "Relu": lambda attributes, x: F.relu(x),
    "Reshape": _reshape,
    "Softmax": lambda attributes, x: x.softmax(attributes["axis"]),
    "Sum": lambda attributes, *xs: sum(xs[1:], xs[0]),
    "Transpose": lambda attributes, x: x.permute(attributes["perm"]),
    "Unsqueeze": _unsqueeze,
}
