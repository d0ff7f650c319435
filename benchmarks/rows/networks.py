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


OUTPUTS: dict[str, tuple[int, ...]] = dict.fromkeys(("squeezenet", "densenet121"), (1, CLASSES, 1, 1))
"""The output shapes of networks that end in a convolution or a pooling rather than in a linear layer."""


def _model(name: str) -> Any:
    from tilewright.frontends.onnx.light_models import light_model

    return light_model(name)


def _exact(name: str, inputs: Arrays) -> np.ndarray:
    from systems.onnx_reference import in_float64

    return in_float64(_model(name), inputs[0])
