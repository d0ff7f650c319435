"""Classifiers as they are deployed, at batch 1: bytes of onnxruntime's quantiser, in both of its forms, and float16.

Beside onnxruntime with the same model, and beside our float32 network.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from harness.row import Arrays, Bar, Row, gaussians
from systems import ort, ours
from systems.deployed import HALF, OPERATORS, QDQ, deployed
from systems.image_networks import NETWORKS

from .networks import IMAGE, OUTPUTS

LIGHT = ("resnet50", "squeezenet", "shufflenet")
FLOAT = "tilewright-float32"
TOLERANCES = {QDQ: 0.1, OPERATORS: 0.1, HALF: 0.02}
"""Of the largest result. A number next to a tie may become the next integer, and deep networks pass that on."""


def rows() -> list[Row]:
    return [network(name, form) for name in (*LIGHT, *NETWORKS) for form in (QDQ, OPERATORS, HALF)]


def network(name: str, form: str) -> Row:
    load, plain = partial(_model, name, form), partial(_network, name)
    systems = {"tilewright": ours.model(load), "onnxruntime": ort.model(load), FLOAT: ours.model(plain)}
    return Row(
        f"{name}-{form}",
        "deployed",
        systems,
        inputs=partial(gaussians, IMAGE, seed=1),
        expected=partial(_expected, name, form),
        output=(OUTPUTS.get(name, (1, 1000)), "float32"),
        tolerance=TOLERANCES[form],
        bars=(Bar(0.7, ("onnxruntime",)), Bar(0.95 if form == HALF else 1.5, (FLOAT,))),
    )


def _network(name: str) -> Any:
    from tilewright.frontends.onnx.light_models import light_model

    return NETWORKS[name]() if name in NETWORKS else light_model(name)


def _model(name: str, form: str) -> Any:
    return deployed(_network(name), form)


def _expected(name: str, form: str, inputs: Arrays) -> np.ndarray:
    """Return the result of onnxruntime with exact sums of bytes, operator by operator."""
    return ort.run_exactly(_model(name, form), inputs)
