"""Each operator that onnxruntime's quantiser rewrites, in each of its forms: imported and computed as there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType
from onnxruntime.quantization.registry import IntegerOpsRegistry, QDQRegistry, QLinearOpsRegistry
from tilewright.dialects import context
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate

from .quantized_networks import quantized

_rng = np.random.default_rng(4)
IMAGE = [1, 4, 6, 6]


def real(*shape: int) -> np.ndarray:
    return np.asarray(_rng.standard_normal(shape)).astype(np.float32)


def reals(*values: float) -> np.ndarray:
    return np.array(values if len(values) > 1 else values[0], np.float32)


Form = tuple[list[int], list[np.ndarray], dict[str, Any]]

NODES: dict[str, Form] = {
    "Add": (IMAGE, [real(4, 1, 1)], {}),
    "ArgMax": (IMAGE, [], {"axis": 1}),
    "Attention": ([1, 3, 8], [real(8, 24), real(24)], {"num_heads": 2, "domain": "com.microsoft"}),
    "AveragePool": (IMAGE, [], {"kernel_shape": [2, 2]}),
    "BatchNormalization": (IMAGE, [*(np.abs(real(4)) for _ in range(4))], {}),
    "Clip": (IMAGE, [reals(-0.5), reals(1.5)], {}),
    "Concat": (IMAGE, [real(1, 2, 6, 6)], {"axis": 1}),
    "Conv": (IMAGE, [real(5, 4, 3, 3), real(5)], {"pads": [1, 1, 1, 1]}),
    "ConvTranspose": (IMAGE, [real(4, 3, 2, 2)], {"strides": [2, 2]}),
    "CumSum": (IMAGE, [np.array(1)], {}),
    "Flatten": (IMAGE, [], {}),
    "Gather": (IMAGE, [np.array([1, 0])], {"axis": 1}),
    "GatherElements": ([2, 3], [np.array([[1, 0, 1]])], {"axis": 0}),
    "Gemm": ([3, 8], [real(8, 5), real(5)], {}),
    "GlobalAveragePool": (IMAGE, [], {}),
    "InstanceNormalization": (IMAGE, [real(4), real(4)], {}),
    "LSTM": ([5, 2, 6], [real(1, 16, 6), real(1, 16, 4), real(1, 32)], {"hidden_size": 4}),
    "LayerNormalization": ([2, 3, 8], [real(8), real(8)], {}),
    "LeakyRelu": (IMAGE, [], {"alpha": 0.2}),
    "MatMul": ([2, 3, 8], [real(8, 5)], {}),
    "MaxPool": (IMAGE, [], {"kernel_shape": [2, 2]}),
    "Mul": (IMAGE, [real(4, 1, 1)], {}),
    "Pad": (IMAGE, [np.array([0, 0, 1, 1, 0, 0, 1, 1])], {}),
    "Relu": (IMAGE, [], {}),
    "Reshape": (IMAGE, [np.array([1, -1])], {}),
    "Resize": (IMAGE, [np.zeros(0, np.float32), reals(1, 1, 2, 2)], {"mode": "nearest"}),
    "Sigmoid": (IMAGE, [], {}),
    "Slice": (IMAGE, [np.array([1]), np.array([3]), np.array([2])], {}),
    "Softmax": ([2, 8], [], {"axis": -1}),
    "Split": (IMAGE, [np.array([1, 3])], {"axis": 1}),
    "Squeeze": (IMAGE, [np.array([0])], {}),
    "TopK": (IMAGE, [np.array([2])], {"axis": 1}),
    "Transpose": (IMAGE, [], {"perm": [0, 2, 3, 1]}),
    "Unsqueeze": (IMAGE, [np.array([0])], {}),
    "Where": (IMAGE, [real(1, 4, 6, 6)], {}),
}
"""The shape of the input, the constants behind it, and attributes."""
ELSEWHERE = {("QOperator", "Where"), ("QOperator", "EmbedLayerNormalization"), ("dynamic", "EmbedLayerNormalization")}
"""Forms that are tested as nodes alone: embeddings read indices, and of Where the quantiser drops an input."""
REGISTRIES = {"QDQ": QDQRegistry, "QOperator": QLinearOpsRegistry, "dynamic": IntegerOpsRegistry}
FORMS = [(form, name) for form, names in REGISTRIES.items() for name in names if (form, name) not in ELSEWHERE]
WRITTEN = {
    ("QOperator", "Conv"): "QLinearConv",
    ("QOperator", "MatMul"): "QLinearMatMul",
    ("QOperator", "Gemm"): "QGemm",
    **{
        ("QOperator", name): f"QLinear{name}"
        for name in ("Add", "Mul", "LeakyRelu", "Sigmoid", "GlobalAveragePool", "AveragePool", "Concat", "Softmax")
    },
    ("dynamic", "Conv"): "ConvInteger",
    ("dynamic", "MatMul"): "MatMulInteger",
    ("dynamic", "Attention"): "QAttention",
    ("dynamic", "LSTM"): "DynamicQuantizeLSTM",
}
"""The operators that the quantiser writes."""


REMOVED = ("Relu", "Clip")
"""Operators whose bounds are those of the quantised type."""


def one_node(operator: str) -> onnx.ModelProto:
    """Return an operator between a copy of the input and one of its first result."""
    shape, constants, attributes = NODES[operator]
    names = [f"c{k}" for k in range(len(constants))]
    data = [numpy_helper.from_array(array, name) for name, array in zip(names, constants, strict=True)]
    inputs = ["a", *names]
    if operator == "Where":
        data.append(numpy_helper.from_array(real(*shape) > 0, "condition"))
        inputs = ["condition", *inputs]
    results = ["r", "second"] if operator in ("TopK", "Split") else ["r"]
    ends = helper.make_node("Identity", ["r"], ["y"], name="end")
    nodes = [
        helper.make_node("LeakyRelu", ["x"], ["a"], name="start", alpha=1.0),
        helper.make_node(operator, inputs, results, name="node", **attributes),
        ends,
    ]
    graph = helper.make_graph(
        nodes,
        "one",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.INT64 if operator == "ArgMax" else TensorProto.FLOAT, None)],
        data,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return onnx.shape_inference.infer_shapes(helper.make_model(graph, opset_imports=opsets, ir_version=8))


def test_every_operator_of_the_registry_has_a_model() -> None:
    assert {name for _, name in FORMS} <= {*NODES}


@pytest.mark.each(("form", "operator"), FORMS)
def test_what_the_quantiser_writes_is_computed(form: str, operator: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"op_types_to_quantize": ["LeakyRelu", operator]} if form != "dynamic" else {}
    model = quantized(one_node(operator), form, tmp_path, **options, weight_type=QuantType.QInt8)
    assert WRITTEN.get((form, operator), operator) in {node.op_type for node in model.graph.node} or operator in REMOVED
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level, settings.intra_op_num_threads = 4, 1
    settings.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), settings)
    module = import_model(model)
    PassManager(parse_pipeline("infer-types,integer-products,fold-constant,dead-code")).run(context(), module)
    x = np.random.default_rng(2).standard_normal(NODES[operator][0]).astype(np.float32)
    (wanted,) = session.run(None, {"x": x})
    result = evaluate(module, x)[0]
    assert (result.shape, result.dtype) == (wanted.shape, wanted.dtype)
    # A quantum of the result, where a tie is near.
    quantum = (float(wanted.max()) - float(wanted.min())) / 100
    assert (np.abs(result - wanted) > 1e-5).mean() < 0.05 and np.abs(result - wanted).max() <= quantum
