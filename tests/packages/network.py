"""A small network, and what tests of packages compile it for."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TARGET = "llvm -mcpu=x86-64-v2"
RNG = np.random.default_rng(5)
X = RNG.standard_normal((2, 6)).astype(np.float32)


def network(width: int = 20) -> onnx.ModelProto:
    """Return two products, whose weights have 6 * width and width * 3 elements, and a bias."""
    weights = {
        "first": RNG.standard_normal((6, width)).astype(np.float32),
        "second": RNG.standard_normal((width, 3)).astype(np.float32),
        "bias": RNG.standard_normal((3,)).astype(np.float32),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "first"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("MatMul", ["r", "second"], ["s"]),
        helper.make_node("Add", ["s", "bias"], ["y"]),
    ]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 6])
    result = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    tensors = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "network", [given], [result], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
