"""Imported models as kernels of CUDA, in the simulator against onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
import onnxruntime
import pytest
import tilewright
from onnx import TensorProto, helper, numpy_helper
from tilewright.backends.cuda.module import KernelProgram
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.driver.lowering import lower_module
from tilewright.driver.targets import Target
from tilewright.frontends.onnx import import_model

GENERATOR = np.random.default_rng(0)


def draw(*shape: int, scale: float = 0.3) -> np.ndarray:
    return (GENERATOR.standard_normal(shape) * scale).astype(np.float32)


def model_of(
    nodes: Sequence[onnx.NodeProto],
    weights: Mapping[str, np.ndarray],
    shape: Sequence[int | str],
    outputs: Sequence[int | str],
    dtype: int = TensorProto.FLOAT,
) -> onnx.ModelProto:
    graph = helper.make_graph(
        list(nodes),
        "network",
        [helper.make_tensor_value_info("x", dtype, shape)],
        [helper.make_tensor_value_info("y", dtype, outputs)],
        [numpy_helper.from_array(w, name) for name, w in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def image_network() -> onnx.ModelProto:
    """Return convolutions of several kinds, normalisation, pooling, a residual sum, a matrix product and a softmax."""
    weights = {
        "w0": draw(8, 3, 3, 3),
        "b0": draw(8),
        **{name: draw(8) for name in ("scale", "shift", "mean")},
        "variance": np.abs(draw(8)) + 1,
        "w1": draw(8, 8, 1, 1),
        "w2": draw(8, 1, 3, 3),
        "w3": draw(8, 11),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w0", "b0"], ["c0"], strides=[2, 2], pads=[1, 1, 1, 1]),
        node("BatchNormalization", ["c0", "scale", "shift", "mean", "variance"], ["n0"]),
        node("Relu", ["n0"], ["r0"]),
        node("Conv", ["r0", "w1"], ["c1"]),
        node("Add", ["c1", "r0"], ["s1"]),
        node("Conv", ["s1", "w2"], ["c2"], group=8, pads=[1, 1, 1, 1]),
        node("MaxPool", ["c2"], ["p2"], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
        node("GlobalAveragePool", ["p2"], ["g2"]),
        node("Flatten", ["g2"], ["f2"]),
        node("Gemm", ["f2", "w3"], ["d"]),
        node("Softmax", ["d"], ["y"]),
    ]
    return model_of(nodes, weights, [1, 3, 13, 13], [1, 11])


def sequence_network(batch: int | str) -> onnx.ModelProto:
    """Return attention of one head with layer normalisation."""
    weights = {
        **{name: draw(24, 24) for name in ("wq", "wk", "wv", "wo")},
        "scale": draw(24) + 1,
        "shift": draw(24),
        "root": np.array(24**0.5, np.float32),
    }
    node = helper.make_node
    nodes = [
        node("LayerNormalization", ["x", "scale", "shift"], ["n"], axis=-1),
        *(node("MatMul", ["n", f"w{part}"], [part]) for part in "qkv"),
        node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
        node("MatMul", ["q", "kt"], ["a"]),
        node("Div", ["a", "root"], ["b"]),
        node("Softmax", ["b"], ["p"], axis=-1),
        node("MatMul", ["p", "v"], ["o"]),
        node("MatMul", ["o", "wo"], ["w"]),
        node("Add", ["w", "x"], ["y"]),
    ]
    return model_of(nodes, weights, [batch, 9, 24], [batch, 9, 24])


def half_network() -> onnx.ModelProto:
    weights = {"w0": draw(16, 40).astype(np.float16), "w1": draw(40, 10).astype(np.float16)}
    node = helper.make_node
    nodes = [node("MatMul", ["x", "w0"], ["a"]), node("Relu", ["a"], ["b"]), node("MatMul", ["b", "w1"], ["c"])]
    return model_of([*nodes, node("Softmax", ["c"], ["y"])], weights, [5, 16], [5, 10], TensorProto.FLOAT16)


def agree(model: onnx.ModelProto, *inputs: np.ndarray, tolerance: float = 1e-5) -> None:
    session = onnxruntime.InferenceSession(model.SerializeToString())
    module = import_model(model)
    with collect_remarks() as remarks:
        program = tilewright.compile(module, target="cuda", device="simulator")
    assert not [str(r) for r in remarks if r.code in ("TW0409", "TW0647")]
    for x in inputs:
        (expected,) = session.run(None, {"x": x})
        assert np.abs(np.asarray(program(x)) - expected).max() < tolerance * np.ptp(expected)


def test_image_network() -> None:
    """Called twice: what is kept from the first call serves the second."""
    agree(image_network(), draw(1, 3, 13, 13, scale=1), draw(1, 3, 13, 13, scale=1))


@pytest.mark.full
@pytest.mark.parametrize("batch", [2, "n"])
def test_sequence_network(batch: int | str) -> None:
    agree(sequence_network(batch), *(draw(n, 9, 24, scale=1) for n in ((2,) if batch == 2 else (1, 2))))


def test_weights_of_half_precision() -> None:
    agree(half_network(), draw(5, 16, scale=1).astype(np.float16), tolerance=5e-3)


def test_memory_is_planned_for_the_whole_model() -> None:
    """Whatever kernels hand to one another lies in one array, however many of them there are."""
    module = import_model(image_network())
    module.attributes["tw.target"] = Target.of("cuda").attribute()
    program = KernelProgram.of(lower_module(module)).program
    (entry,) = program.entries
    assert len(entry.launches) > 5
    assert len(entry.temporaries) == 1
    assert len(program.constants) >= 5, "weights, which are no arguments of a call"
