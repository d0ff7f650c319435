"""A whole network in float16 and bfloat16, sums in float32, within the type's rounding of that network in float32."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper
from tilewright.frontends.onnx.light_models import light_model

TYPES = {
    "float16": (TensorProto.FLOAT16, np.dtype(np.float16), 0.02),
    "bfloat16": (TensorProto.BFLOAT16, np.dtype(ml_dtypes.bfloat16), 0.15),
}
"""The element type, and the largest deviation over the spread of the outputs."""


def narrowed(model: onnx.ModelProto, code: int, dtype: np.dtype) -> onnx.ModelProto:
    """Return a model with weights, inputs and outputs of another element type."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    for tensor in result.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            array = numpy_helper.to_array(tensor).astype(dtype)
            tensor.CopyFrom(helper.make_tensor(tensor.name, code, array.shape, array.tobytes(), raw=True))
    for value in (*result.graph.input, *result.graph.output):
        value.type.tensor_type.elem_type = code
    del result.graph.value_info[:]
    return result


@pytest.mark.full
@pytest.mark.parametrize("name", ["squeezenet"])
@pytest.mark.parametrize("type_", TYPES)
def test_a_network_of_half_the_width(type_: str, name: str) -> None:
    code, dtype, tolerance = TYPES[type_]
    model = light_model(name)
    x = np.random.default_rng(1).standard_normal((1, 3, 224, 224)).astype(dtype)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, {session.get_inputs()[0].name: x.astype(np.float32)})[0]
    found = np.asarray(tilewright.compile(narrowed(model, code, dtype))(x))
    assert found.dtype == dtype and found.shape == expected.shape
    assert np.abs(found.astype(np.float32) - expected).max() / np.ptp(expected) < tolerance
