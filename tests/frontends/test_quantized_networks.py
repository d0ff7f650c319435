"""Networks as onnxruntime's quantiser writes them: all products on integers, results as onnxruntime's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnxruntime.quantization import QuantType

from ..models.exports.products import counted
from .quantized_networks import NETWORKS, QUANTIZED, drawn, quantized

FORMS: list[tuple[str, dict[str, Any]]] = [
    ("QDQ", {}),
    ("QDQ", {"per_channel": True, "activation_type": QuantType.QInt8}),
    ("QDQ", {"weight_type": QuantType.QUInt8}),
    ("QOperator", {}),
    ("QOperator", {"per_channel": True}),
    ("dynamic", {}),
    ("dynamic", {"weight_type": QuantType.QUInt8}),
]


def products_of_activations(model: onnx.ModelProto) -> int:
    constants = {tensor.name for tensor in model.graph.initializer}
    return sum(node.op_type == "MatMul" and constants.isdisjoint(node.input) for node in model.graph.node)


@pytest.mark.sampled(2)
@pytest.mark.each(
    ("name", "form", "options"),
    [(name, form, options) for name in NETWORKS for form, options in FORMS],
    ids=[f"{name}-{form}-{k}" for name in NETWORKS for k, (form, _) in enumerate(FORMS)],
    shards=2,
)
def test_all_products_are_on_integers(name: str, form: str, options: dict[str, Any], tmp_path: Path) -> None:
    network = NETWORKS[name]()
    quantized(network, form, tmp_path, **options)
    found = counted(tmp_path / QUANTIZED)
    assert found.quantised > 4
    # The dynamic form leaves products of two activations.
    assert found.floats == (products_of_activations(network) if form == "dynamic" else 0)
    assert (found.missing, found.unnamed) == (0, 0), found.reasons


@pytest.mark.sampled(3)
@pytest.mark.each(
    ("name", "form"), [(name, form) for name in NETWORKS for form in ("QDQ", "QOperator", "dynamic")], shards=2
)
def test_results_are_those_of_onnxruntime(name: str, form: str, tmp_path: Path) -> None:
    model = quantized(NETWORKS[name](), form, tmp_path)
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    # Fusions of what stands between conversions, a gelu among them, are other functions of floats.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    program = tilewright.compile(model)
    for seed in range(3):
        call = drawn(model, seed)
        (wanted,) = session.run(None, call)
        result = np.asarray(program(*call.values()))
        # A quantum of the result at most, where a tie is near.
        np.testing.assert_allclose(result, wanted, atol=0.02 * float(np.abs(wanted).max()), rtol=0)
        assert np.median(np.abs(result - wanted)) <= 1e-5 * float(np.abs(wanted).max())
