"""Networks as onnxruntime's quantiser writes them: all products on integers, results as onnxruntime's."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import tilewright
from onnxruntime.quantization import QuantType
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from tilewright.passes.manager import PassManager
from tilewright.passes.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp, i32

from .quantized_networks import NETWORKS, quantized

PRODUCTS = (graph.Conv2dOp, graph.DenseOp, graph.MatmulOp)
WEIGHTED = ("Conv", "Gemm", "MatMul", "QLinearConv", "QGemm", "QLinearMatMul", "ConvInteger", "MatMulInteger")
FORMS: list[tuple[str, dict[str, Any]]] = [
    ("QDQ", {}),
    ("QDQ", {"per_channel": True, "activation_type": QuantType.QInt8}),
    ("QDQ", {"weight_type": QuantType.QUInt8}),
    ("QOperator", {}),
    ("QOperator", {"per_channel": True}),
    ("dynamic", {}),
    ("dynamic", {"weight_type": QuantType.QUInt8}),
]


def counted(module: ModuleOp) -> tuple[int, int]:
    """The convolutions and products of a module that sum integers, and those of floats."""
    products = [op for op in module.walk() if isinstance(op, PRODUCTS)]
    on_integers = sum(op.out_dtype == i32 for op in products)
    return on_integers, len(products) - on_integers


@pytest.mark.each(
    ("name", "form", "options"),
    [(name, form, options) for name in NETWORKS for form, options in FORMS],
    ids=[f"{name}-{form}-{k}" for name in NETWORKS for k, (form, _) in enumerate(FORMS)],
)
def test_all_products_are_on_integers(name: str, form: str, options: dict[str, Any], tmp_path: Path) -> None:
    model = quantized(NETWORKS[name](), form, tmp_path, **options)
    module = import_model(model)
    PassManager(parse_pipeline("infer-types,integer-products,fold-constant,dead-code")).run(context(), module)
    kinds = Counter(node.op_type for node in model.graph.node)
    weighted = sum(kinds[operator] for operator in WEIGHTED)
    # The dynamic form leaves products of two activations, and Gemm becomes one of integers.
    floats = kinds["MatMul"] if form == "dynamic" else 0
    assert weighted > 4
    # Zero points of weights that are not 0 take products of sums more.
    on_integers, on_floats = counted(module)
    assert on_integers >= weighted - floats and on_floats == floats


@pytest.mark.sampled(3)
@pytest.mark.each(
    ("name", "form"), [(name, form) for name in NETWORKS for form in ("QDQ", "QOperator", "dynamic")], shards=2
)
def test_results_are_those_of_onnxruntime(name: str, form: str, tmp_path: Path) -> None:
    model = quantized(NETWORKS[name](), form, tmp_path)
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    program = tilewright.compile(model)
    for seed in range(3):
        x = np.random.default_rng(seed).standard_normal(session.get_inputs()[0].shape).astype(np.float32)
        (wanted,) = session.run(None, {"x": x})
        result = np.asarray(program(x))
        # A quantum of the result at most, where a tie is near.
        np.testing.assert_allclose(result, wanted, atol=0.02 * float(np.abs(wanted).max()), rtol=0)
        assert np.median(np.abs(result - wanted)) <= 1e-5 * float(np.abs(wanted).max())
