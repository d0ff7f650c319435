"""Schedules for other machines: each vector length makes other tiles, and all must agree.

Longer vectors than the machine has are split by LLVM, so the tiles of a wider machine run here too.
"""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper
from tilewright.backends.cpu.host import host_target
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.frontends.onnx import import_model

GENERATOR = np.random.default_rng(0)


def network() -> onnx.ModelProto:
    """Return convolutions of several kinds, pooling, a residual sum and a matrix product, on odd sizes."""
    weights = {
        "w0": GENERATOR.standard_normal((13, 3, 3, 3)) * 0.3,
        "b0": GENERATOR.standard_normal(13),
        "w1": GENERATOR.standard_normal((13, 13, 1, 1)) * 0.3,
        "w2": GENERATOR.standard_normal((13, 1, 3, 3)) * 0.3,
        "w3": GENERATOR.standard_normal((13 * 7 * 7, 11)) * 0.1,
    }
    nodes = [
        helper.make_node("Conv", ["x", "w0", "b0"], ["c0"], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c0"], ["r0"]),
        helper.make_node("Conv", ["r0", "w1"], ["c1"]),
        helper.make_node("Add", ["c1", "r0"], ["s1"]),
        helper.make_node("Conv", ["s1", "w2"], ["c2"], group=13, pads=[1, 1, 1, 1]),
        helper.make_node("MaxPool", ["c2"], ["p2"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        helper.make_node("Flatten", ["p2"], ["f2"]),
        helper.make_node("Gemm", ["f2", "w3"], ["y"]),
    ]
    initializers = [numpy_helper.from_array(w.astype(np.float32), name) for name, w in weights.items()]
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 27, 27])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 11])],
        initializers,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("threads", (1, 2))
@pytest.mark.parametrize("vector_bits", (128, 256, 512))
def test_every_vector_length_agrees(vector_bits: int, threads: int):
    model = network()
    target = CpuTargetAttr.get(
        [f.data for f in host_target().features], vector_bits, (32 << 10, 512 << 10, 4 << 20), threads
    )
    module = import_model(model)
    module.attributes[TARGET_ATTRIBUTE] = target
    x = np.random.default_rng(1).standard_normal((1, 3, 27, 27)).astype(np.float32)
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": x})[0]
    actual = np.asarray(tilewright.compile(module, threads=threads)(x))
    assert np.abs(actual - expected).max() < 1e-5 * np.ptp(expected)
