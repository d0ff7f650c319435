"""Real networks: import, compile and run all nine light models, and agree with onnxruntime; no rule is refused.

All have random weights. As shipped, every output is one repeated value, which says little: that weights of
ConstantOfShape and a final softmax compile too is seen in the smallest networks, one with a softmax of images and one
of vectors.

Errors are measured against the spread of the outputs before the softmax. The tolerance is worth something only if a
small fault exceeds it, so one test scales each layer's weights by 1 % and demands that the check fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.analysis.access import blocks_in
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.frontends.onnx import import_model
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model, light_model_path, prepared
from tilewright.passes.instruments import Instrument
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

TOLERANCE = 1e-4
SMALL = ("squeezenet", "shufflenet")
HIDDEN, FEWER = 4096, 256
"""The units of the hidden layers of the largest networks, which have up to half a gigabyte of weights, and those that
they have here: a few copies of all weights would take more memory than a test may have."""


def network(name: str, seed: int | None = 0) -> onnx.ModelProto:
    """A light model with fewer hidden units."""
    model = onnx.load(light_model_path(name))
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.INT64:  # the shape of a weight
            sizes = numpy_helper.to_array(tensor)
            tensor.CopyFrom(numpy_helper.from_array(np.where(sizes == HIDDEN, FEWER, sizes), tensor.name))
    del model.graph.value_info[:]
    return prepared(model, seed)


def reference(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def image(seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((1, 3, 224, 224)).astype(np.float32)


def deviation(actual: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference over the spread of the expected outputs."""
    assert actual.shape == expected.shape and actual.dtype == expected.dtype
    return float(np.abs(actual - expected).max() / np.ptp(expected))


@dataclass
class Scheduled(Instrument):
    """Notes for each kernel whether default schedules made a loop of it a vector."""

    vectorized: list[bool] = field(default_factory=list)

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        if pass_.name == "auto-schedule":
            kernels = [op for op in module.ops if isinstance(op, FuncOp) and blocks_in(op)]
            self.vectorized = ["kind vectorized" in str(kernel) for kernel in kernels]


@pytest.mark.parametrize("name", LIGHT_MODELS)
def test_random_weights_agree_with_onnxruntime(name: str):
    model, x = network(name), image()
    scheduled = Scheduled()
    with collect_remarks() as remarks, tilewright.PassContext(instruments=[scheduled]):
        program = tilewright.compile(import_model(model))
    assert [str(r) for r in remarks if r.code == "TW0409"] == []
    assert sum(scheduled.vectorized) > 0.9 * len(scheduled.vectorized) > 0
    assert deviation(np.asarray(program(x)), reference(model, x)) < TOLERANCE


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SMALL)
def test_as_shipped_agrees_with_onnxruntime(name: str):
    model, x = network(name, seed=None), image()
    expected = reference(model, x)
    actual = np.asarray(tilewright.compile(import_model(model))(x))
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-7)


def kernels(model: onnx.ModelProto) -> list[str]:
    """The initializers that convolutions and matrix products take as weights."""
    names = {tensor.name for tensor in model.graph.initializer}
    weights = [node.input[1] for node in model.graph.node if node.op_type in ("Conv", "Gemm")]
    return [name for name in weights if name in names]


@pytest.mark.full
@pytest.mark.parametrize("name", SMALL)
def test_the_check_sees_one_percent_in_any_layer(name: str):
    model, x = light_model(name), image()
    expected = reference(model, x)
    layers = kernels(model)
    assert len(layers) > 20
    for layer in layers:
        scaled = onnx.ModelProto()
        scaled.CopyFrom(model)
        (tensor,) = (t for t in scaled.graph.initializer if t.name == layer)
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor) * np.float32(1.01), layer))
        assert deviation(reference(scaled, x), expected) > TOLERANCE, layer
