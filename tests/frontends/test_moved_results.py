"""Results of convolutions and transposes that are read at indices which no loop runs over; onnxruntime is compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tilewright
from onnx.helper import make_node
from tilewright.frontends.onnx import import_model

from .models import model_of, onnxruntime_results


@pytest.fixture(autouse=True)
def object_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))


PRODUCERS = {
    "convolution": (16, [make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4)]),
    "grouped convolution": (8, [make_node("Conv", ["x", "w"], ["c"], pads=[1] * 4, group=2)]),
    "transpose": (16, [make_node("Transpose", ["x"], ["c"], perm=[0, 3, 1, 2])]),
    "convolution and transpose": (
        16,
        [make_node("Conv", ["x", "w"], ["r"], pads=[1] * 4), make_node("Transpose", ["r"], ["c"], perm=[0, 2, 3, 1])],
    ),
}
"""Inputs of a channel's window, and nodes."""

CONSUMERS = {
    "rows gathered": make_node("Gather", ["c", "i"], ["y"], axis=2),
    "columns gathered": make_node("Gather", ["c", "i"], ["y"], axis=3),
    "channels gathered": make_node("Gather", ["c", "i"], ["y"], axis=1),
    "rows gathered where the model says": make_node("Gather", ["c", "p"], ["y"], axis=2),
    "linear": make_node("Resize", ["c", "", "s"], ["y"], mode="linear"),
    "linear at corners": make_node(
        "Resize", ["c", "", "s"], ["y"], mode="linear", coordinate_transformation_mode="align_corners"
    ),
    "nearest": make_node("Resize", ["c", "", "s"], ["y"], mode="nearest"),
}


@pytest.mark.sampled(3)
@pytest.mark.each("consumer", CONSUMERS, shards=3)
@pytest.mark.parametrize("producer", PRODUCERS)
def test_reads_at_other_indices(producer: str, consumer: str) -> None:
    draw = np.random.default_rng(0)
    channels, nodes = PRODUCERS[producer]
    x = draw.standard_normal((1, 16, 9, 12)).astype(np.float32)
    constants = {
        "w": draw.standard_normal((16, channels, 3, 3)).astype(np.float32),
        "p": np.array([3, 0, -1]),
        "s": np.array([1, 1, 2, 2], np.float32),
    }
    used = {name for node in (*nodes, CONSUMERS[consumer]) for name in node.input}
    inputs = {"x": x, **({"i": np.array([1, 0, -2])} if "i" in used else {})}
    kept = {name: array for name, array in constants.items() if name in used}
    model = model_of([*nodes, CONSUMERS[consumer]], inputs, ["y"], kept)
    program = tilewright.compile(import_model(model), threads=1)
    (expected,) = onnxruntime_results(model, *inputs.values())
    np.testing.assert_allclose(program(*inputs.values()), expected, rtol=1e-4, atol=1e-4)
