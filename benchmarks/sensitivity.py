"""The effect of one percent in a single layer on the outputs of the light models: the comparison must detect it.

    python benchmarks/sensitivity.py [--models resnet50 squeezenet]

For each convolution and matrix product in turn its weights are scaled by 1.01, and the outputs before the softmax are
compared with those of the model as it was, both by onnxruntime. Printed is the smallest effect of a model's layers, as
a part of the outputs' spread; a model whose smallest effect is within the tolerance fails.
"""

from __future__ import annotations

import argparse

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from tilewright.frontends.onnx.light_models import LIGHT_MODELS, light_model

TOLERANCE = 1e-4


def outputs(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {session.get_inputs()[0].name: x})[0]


def smallest_effect(name: str) -> tuple[int, float]:
    """Return the number of layers of the model, and the smallest effect of one."""
    model = light_model(name)
    x = np.random.default_rng(1).standard_normal((1, 3, 224, 224)).astype(np.float32)
    expected = outputs(model, x)
    layers = {node.input[1] for node in model.graph.node if node.op_type in ("Conv", "Gemm")}
    effects: list[float] = []
    for tensor in model.graph.initializer:
        if tensor.name in layers:
            kept = numpy_helper.to_array(tensor).copy()
            tensor.CopyFrom(numpy_helper.from_array(kept * np.float32(1.01), tensor.name))
            effects.append(float(np.abs(outputs(model, x) - expected).max() / np.ptp(expected)))
            tensor.CopyFrom(numpy_helper.from_array(kept, tensor.name))
    return len(effects), min(effects)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", choices=LIGHT_MODELS, default=LIGHT_MODELS, metavar="NAME")
    failed = False
    for name in parser.parse_args().models:
        layers, effect = smallest_effect(name)
        failed |= effect <= TOLERANCE
        print(f"{name:16} {layers:4} layers, smallest effect {effect:.1e} of the spread", flush=True)
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
