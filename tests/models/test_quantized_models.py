"""Light ResNet-50 as onnxruntime's quantiser writes it: every convolution and its classifier on integers, and right."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import version_converter
from onnxruntime.quantization import QuantType
from onnxruntime.quantization.shape_inference import quant_pre_process
from tilewright.frontends.onnx.light_models import light_model

from ..frontends.quantized_networks import QUANTIZED, drawn, quantized
from .exports.products import counted

FORMS: dict[str, dict[str, Any]] = {
    "QDQ": {"per_channel": True},
    "QOperator": {},
    "dynamic": {"weight_type": QuantType.QUInt8},
}


@pytest.fixture(scope="module")
def resnet50(tmp_path_factory: pytest.TempPathFactory) -> onnx.ModelProto:
    """Return the network with its normalisations in the convolutions, as the quantiser expects it, in a version with
    scales of channels."""
    folder = tmp_path_factory.mktemp("resnet50")
    onnx.save(version_converter.convert_version(light_model("resnet50"), 13), folder / "light.onnx")
    quant_pre_process(str(folder / "light.onnx"), str(folder / "prepared.onnx"), skip_symbolic_shape=True)
    return onnx.load(folder / "prepared.onnx")


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
def test_resnet50_is_computed_on_integers(form: str, resnet50: onnx.ModelProto, tmp_path: Path) -> None:
    model = quantized(resnet50, form, tmp_path, **FORMS[form])
    kinds = Counter(node.op_type for node in resnet50.graph.node)
    assert (kinds["Conv"], kinds["Gemm"]) == (53, 1)
    found = counted(tmp_path / QUANTIZED)
    assert (found.quantised, found.floats, found.missing) == (54, 0, 0), found.reasons
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.x64quantprecision", "1")
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    call = drawn(model, 7)
    (wanted,) = session.run(None, call)
    result = np.asarray(tilewright.compile(model)(*call.values()))
    assert result.shape == wanted.shape
    assert np.abs(result - wanted).max() <= 2 / 255 * np.ptp(wanted)  # quanta that a tie moves on the way
