"""A small image network as ONNX has it."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper


def network() -> ModelProto:
    """Return two convolutions with what stands around them in image networks, and a classifier."""
    rng = np.random.default_rng(0)

    def weight(name: str, *shape: int):
        return numpy_helper.from_array(rng.standard_normal(shape, np.float32) * 0.2, name)

    nodes = [
        helper.make_node("Conv", ["data", "w0", "b0"], ["c0"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c0"], ["r0"]),
        helper.make_node("MaxPool", ["r0"], ["p0"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["p0", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["c1", "p0"], ["s"]),
        helper.make_node("Relu", ["s"], ["r1"]),
        helper.make_node("GlobalAveragePool", ["r1"], ["g"]),
        helper.make_node("Flatten", ["g"], ["f"]),
        helper.make_node("Gemm", ["f", "w2", "b2"], ["scores"]),
    ]
    weights = [weight("w0", 8, 3, 3, 3), weight("b0", 8), weight("w1", 8, 8, 3, 3), weight("b1", 8)]
    weights += [weight("w2", 8, 5), weight("b2", 5)]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("data", TensorProto.FLOAT, [1, 3, 16, 16])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [1, 5])],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
