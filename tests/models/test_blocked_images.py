"""Networks whose images stand in blocks of channels, against ONNX's reference: whatever the number of channels is."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import onnx.reference
import pytest
import tilewright
from onnx import numpy_helper
from tilewright.frontends.onnx import import_model

NETWORKS = {
    "filled, other operators, an addend": (
        {"w": (30, 64, 1, 1), "b": (30,), "c": (1, 30, 3, 3)},
        "u = Conv (x, w, b) e = Exp (u) p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (e) y = Add (p, c)",
    ),
    "filled, then convolved: the zeros have become minus infinity": (
        {"w": (30, 64, 1, 1), "v": (32, 30, 3, 3)},
        "u = Conv (x, w) a = Abs (u) l = Log (a) r = Relu (l) y = Conv <pads = [1, 1, 1, 1]> (r, v)",
    ),
    "filled and joined": (
        {"w": (30, 64, 1, 1), "v": (34, 64, 1, 1)},
        "u = Conv (x, w) t = Conv (x, v) s = Sigmoid (u) y = Concat <axis = 1> (s, t)",
    ),
    "groups of channels that fill no vector": (
        {"w": (60, 16, 3, 3), "b": (60,)},
        "u = Conv <group = 4, pads = [1, 1, 1, 1]> (x, w, b) y = Relu (u)",
    ),
    "channels alone, in steps": (
        {"w": (64, 1, 3, 3)},
        "y = Conv <group = 64, strides = [2, 2], pads = [1, 1, 1, 1]> (x, w)",
    ),
    "channels alone": ({"w": (64, 1, 3, 3)}, "y = Conv <group = 64, pads = [1, 1, 1, 1]> (x, w)"),
    "an image as it lies": ({"w": (32, 64, 3, 3)}, "y = Conv <pads = [1, 1, 1, 1], strides = [2, 1]> (x, w)"),
}


def network(name: str) -> onnx.ModelProto:
    weights, nodes = NETWORKS[name]
    text = f'<ir_version: 10, opset_import: ["" : 22]> g (float[1, 64, 6, 6] x) => (float y) {{ {nodes} }}'
    model = onnx.parser.parse_model(text)
    rng = np.random.default_rng(0)
    for weight, shape in weights.items():
        values = rng.standard_normal(shape).astype(np.float32)
        model.graph.initializer.append(numpy_helper.from_array(values, weight))
    return model


@pytest.mark.parametrize("name", NETWORKS)
def test_values_are_those_of_the_reference(name: str) -> None:
    model = network(name)
    x = np.random.default_rng(1).standard_normal((1, 64, 6, 6)).astype(np.float32)
    (expected,) = onnx.reference.ReferenceEvaluator(model).run(None, {"x": x})
    actual = np.asarray(tilewright.compile(import_model(model), threads=1)(x))
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())
