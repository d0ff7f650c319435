"""The classifiers of the onnx wheel at batch 1, with seeded random weights and without their final softmax."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Row, gaussians
from systems import ort, ours, torch_cpu

NETWORKS = ("resnet50", "squeezenet", "densenet121", "inception_v1", "shufflenet", "vgg19")
IMAGE = (1, 3, 224, 224)
CLASSES = 1000


def rows() -> list[Row]:
    return [network(name) for name in NETWORKS]


def network(name: str) -> Row:
    load = partial(_model, name)
    systems = {"tilewright": ours.model(load), "torch": torch_cpu.model(load), "onnxruntime": ort.model(load)}
    return Row(
        name,
        "networks",
        systems,
        inputs=partial(gaussians, IMAGE, seed=1),
        expected=partial(_exact, name),
        output=(OUTPUTS.get(name, (1, CLASSES)), "float32"),
        bars=(Bar(1.0, ("onnxruntime",)),),
    )


OUTPUTS: dict[str, tuple[int, ...]] = {"squeezenet": (1, CLASSES, 1, 1)}
"""Where the network ends in a pooling rather than in a linear layer."""


def _model(name: str) -> Any:
    from tilewright.frontends.onnx.light_models import light_model

    return light_model(name)


def _exact(name: str, inputs: Arrays) -> np.ndarray:
    """The reference implementation of ONNX, in float64."""
    from onnx import TensorProto, numpy_helper
    from onnx.reference import ReferenceEvaluator

    model = _model(name)
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            wide = numpy_helper.to_array(tensor).astype(np.float64)
            tensor.CopyFrom(numpy_helper.from_array(wide, tensor.name))
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        if value.type.tensor_type.elem_type == TensorProto.FLOAT:
            value.type.tensor_type.elem_type = TensorProto.DOUBLE
    (argument,) = model.graph.input
    return ReferenceEvaluator(model).run(None, {argument.name: inputs[0].astype(np.float64)})[0]
