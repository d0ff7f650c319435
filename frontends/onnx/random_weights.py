"""
Models with random weights that behave like trained ones.

The light models of the onnx package have one repeated number for every weight, so that equal results only confirm the
structure of the graph. `with_random_weights` replaces each constant that is a weight by random numbers that fit its
use: kernels with variance 2 / fan-in (He et al. 2015, "Delving Deep into Rectifiers"), so that a layer keeps the scale
of its activations; biases near 0; variances in [0.5, 1.5]; scales near 1.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
from onnx import numpy_helper

from ...semantics.random_streams import Purpose, generator

_ROLES: dict[tuple[str, int], str] = {
    ("Conv", 1): "kernel",
    ("Conv", 2): "offset",
    ("Gemm", 1): "matrix",
    ("Gemm", 2): "offset",
    ("BatchNormalization", 1): "scale",
    ("BatchNormalization", 2): "offset",
    ("BatchNormalization", 3): "offset",
    ("BatchNormalization", 4): "variance",
    ("Mul", 1): "scale",
    ("Add", 1): "offset",
}
"""The role of a constant, by the operator and the input that it feeds."""

_PASSED_ON = ("Unsqueeze", "Reshape", "Squeeze", "Identity", "Transpose")


def with_random_weights(model: onnx.ModelProto, seed: int) -> onnx.ModelProto:
    """Return a copy of `model` with seeded random weights for its floating-point constants (initializers and
    ConstantOfShape nodes) that feed convolutions, matrix products, batch normalisations, multiplications and additions.

    The same seed gives the same weights. At a residual sum of two branches, the weights of the branch from a
    convolution or normalisation are smaller, so that deep sums do not grow.
    """
    result = onnx.ModelProto()
    result.CopyFrom(model)
    graph = result.graph
    roles = _constant_roles(graph)
    numbers = generator(Purpose.WEIGHTS, seed)
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer if tensor.data_type == 7}
    created: list[onnx.TensorProto] = []
    kept: list[onnx.NodeProto] = []
    for node in graph.node:
        name = node.output[0]
        if node.op_type == "ConstantOfShape" and name in roles and node.input[0] in shapes:
            array = _draw(numbers, roles[name], tuple(int(size) for size in shapes[node.input[0]]))
            created.append(numpy_helper.from_array(array, name))
        else:
            kept.append(node)
    for tensor in graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and tensor.name in roles:
            tensor.CopyFrom(
                numpy_helper.from_array(_draw(numbers, roles[tensor.name], tuple(tensor.dims)), tensor.name)
            )
    del graph.node[:]
    graph.node.extend(kept)
    graph.initializer.extend(created)
    result.ir_version = max(result.ir_version, 4)
    return result


def _constant_roles(graph: onnx.GraphProto) -> dict[str, tuple[str, float]]:
    """Return the role of each constant, with the gain of a kernel; roles pass through reshaping nodes."""
    roles: dict[str, tuple[str, float]] = {}
    residual = _residual_branches(graph)
    for node in graph.node:
        for index, name in enumerate(node.input):
            role = _ROLES.get((node.op_type, index))
            if role is not None:
                gain = 0.25 if node.output[0] in residual else 1.0
                roles.setdefault(name, (role, gain))
    for node in reversed(graph.node):
        if node.op_type in _PASSED_ON and node.output[0] in roles:
            roles.setdefault(node.input[0], roles[node.output[0]])
    return roles


def _residual_branches(graph: onnx.GraphProto) -> set[str]:
    """Return the outputs of normalisations and convolutions that are operands of sums."""
    branches = {name for node in graph.node if node.op_type == "Sum" for name in node.input}
    normalized = {"BatchNormalization", "Conv"}
    return {node.output[0] for node in graph.node if node.op_type in normalized and node.output[0] in branches}


def _draw(generator: np.random.Generator, role: tuple[str, float], shape: tuple[int, ...]) -> np.ndarray:
    kind, gain = role
    array = _DRAWS[kind](generator, shape)
    return (array * gain if kind in ("kernel", "matrix", "scale") else array).astype(np.float32)


_DRAWS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "kernel": lambda rng, shape: rng.standard_normal(shape) * np.sqrt(2.0 / max(np.prod(shape[1:]), 1)),
    "matrix": lambda rng, shape: rng.standard_normal(shape) * np.sqrt(2.0 / max(shape[-1], 1)),
    "scale": lambda rng, shape: rng.uniform(0.8, 1.2, shape),
    "variance": lambda rng, shape: rng.uniform(0.5, 1.5, shape),
    "offset": lambda rng, shape: rng.uniform(-0.1, 0.1, shape),
}
