"""tilewright behind `onnx.backend.base`."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest
from onnx import helper
from onnx.backend.base import Backend
from tilewright.diagnostics import TilewrightError
from tilewright.frontends.onnx import backend

MODEL = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["" : 21]>
g (float[n, 3] x, float[3] y) => (float[n, 3] s, float[n, 3] p) <float[3] w = {1.0, 2.0, 3.0}> {
  s = Add(x, y)
  p = Mul(x, w)
}""")


def test_a_model_is_prepared_and_run() -> None:
    assert issubclass(backend.TilewrightBackend, Backend)
    prepared = backend.prepare(MODEL)
    for rows in (1, 4):
        x, y = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3), np.ones(3, np.float32)
        for given in ([x, y], {"y": y, "x": x}):
            total, product = prepared.run(given)
            np.testing.assert_array_equal(total, x + 1)
            np.testing.assert_array_equal(product, x * np.array([1, 2, 3], np.float32))


def test_wrong_inputs_are_refused() -> None:
    prepared = backend.prepare(MODEL)
    x = np.ones((2, 3), np.float32)
    with pytest.raises(TilewrightError, match="expected 2 inputs, but got 1"):
        prepared.run([x])
    with pytest.raises(TilewrightError, match="expected the inputs x, y, but got x, z"):
        prepared.run({"x": x, "z": x})


def test_nodes_run_alone() -> None:
    node = helper.make_node("Gemm", ["a", "b", ""], ["c"], transB=1)
    a, b = np.ones((2, 3), np.float32), np.arange(12, dtype=np.float32).reshape(4, 3)
    (result,) = backend.run_node(node, [a, b])
    np.testing.assert_array_equal(result, a @ b.T)


def test_devices_and_operators() -> None:
    assert (
        backend.supports_device("CPU") and backend.supports_device("CUDA:0") and not backend.supports_device("OPENCL")
    )
    assert backend.is_compatible(MODEL) and not backend.is_compatible(MODEL, "OPENCL")
    with pytest.raises(TilewrightError, match="expected a device of CPU, CUDA, but got 'OPENCL'"):
        backend.prepare(MODEL, "OPENCL")
    node = helper.make_node("ImageDecoder", ["x"], ["y"])
    graph = helper.make_graph(
        [node], "g", [helper.make_tensor_value_info("x", 1, (2, 3))], [onnx.ValueInfoProto(name="y")]
    )
    assert not backend.is_compatible(helper.make_model(graph))
