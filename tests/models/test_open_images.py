"""Networks of any number of images, and of images of any height and width: one program computes what onnxruntime does.

Convolutions keep their register tiles, packed weights and transformed tiles; remarks say so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
import tilewright
from convolutions import Convolution
from onnx import TensorProto, helper, numpy_helper
from tilewright.diagnostics.remarks import collect_remarks

onnxruntime = pytest.importorskip("onnxruntime")

TARGET = "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M"


def _nodes(conv: Convolution, rng: np.random.Generator) -> tuple[list[onnx.NodeProto], list[onnx.TensorProto]]:
    """Return a convolution, a ReLU, and a pointwise convolution that keeps the channels in blocks."""
    weights = {"w": conv.weight_shape, "b": (conv.outputs,), "v": (conv.outputs, conv.outputs, 1, 1)}
    first = helper.make_node(
        "Conv",
        ["x", "w", "b"],
        ["c"],
        pads=conv.padding,
        strides=[conv.stride] * 2,
        dilations=[conv.dilation] * 2,
        group=conv.groups,
    )
    nodes = [first, helper.make_node("Relu", ["c"], ["r"]), helper.make_node("Conv", ["r", "v"], ["y"])]
    return nodes, [_weights(rng, name, shape) for name, shape in weights.items()]


def _weights(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> onnx.TensorProto:
    scale = np.sqrt(2 / max(np.prod(shape[1:]), 1))
    return numpy_helper.from_array((rng.standard_normal(shape) * scale).astype(np.float32), name)


def _model(nodes: Any, weights: Any, shape: tuple[int | str, ...]) -> bytes:
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()


def _differences(model: bytes, program: Any, shapes: list[tuple[int, ...]]) -> list[str]:
    """Return the inputs on which a program and onnxruntime do not agree."""
    session, rng, found = onnxruntime.InferenceSession(model), np.random.default_rng(1), list[str]()
    for shape in shapes:
        x = rng.standard_normal(shape).astype(np.float32)
        (expected,) = session.run(None, {"x": x})
        result = np.asarray(program(x))
        if result.shape != expected.shape or not np.allclose(result, expected, rtol=1e-4, atol=1e-4):
            found.append(f"{shape}: {np.abs(result - expected).max() if result.shape == expected.shape else 'shape'}")
    return found


CONVOLUTIONS = [
    Convolution(16, 16),
    Convolution(3, 24, kernel=7, stride=2),
    Convolution(16, 32, stride=2, dilation=2),
    Convolution(16, 16, groups=2),
    Convolution(16, 16, groups=16, stride=2),
    Convolution(72, 40, kernel=1),
    Convolution(19, 13, kernel=5),
]


@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=pytest.mark.full)])
@pytest.mark.each("conv", CONVOLUTIONS, ids=str, shards=2)
def test_convolutions_of_open_sizes(conv: Convolution, threads: int) -> None:
    """Of any number of images, and of images of any size: primes, one pixel, and less than a tile."""
    nodes, weights = _nodes(conv, np.random.default_rng(0))
    failures: list[str] = []
    sizes = {"n": (13, 11), "h": ("h", "w")}
    for batch, image in (("n", sizes["n"]), ("n", sizes["h"]), (2, sizes["h"])):
        model = _model(nodes, weights, (batch, conv.inputs, *image))
        program = tilewright.compile(model, target=f"{TARGET} -threads={threads}")
        batches = (1, 2, 5) if batch == "n" else (2,)
        images = [(13, 11)] if image == sizes["n"] else [(13, 11), (7, 29), (5, 5)]
        shapes = [(n, conv.inputs, *size) for n in batches for size in images]
        failures += [f"{batch} x {image}: {text}" for text in _differences(model, program, shapes)]
    assert not failures


def _network() -> tuple[list[onnx.NodeProto], list[onnx.TensorProto]]:
    """Return convolutions of all forms with pools, a residual, a join and a product behind them."""
    rng, node = np.random.default_rng(0), helper.make_node
    nodes = [
        node("Conv", ["x", "w1"], ["a1"], pads=[1] * 4, strides=[2, 2]),
        node("Relu", ["a1"], ["a2"]),
        node("Conv", ["a2", "w2", "b2"], ["a3"], pads=[1] * 4),
        node("Add", ["a3", "a2"], ["a4"]),
        node("MaxPool", ["a4"], ["a5"], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4),
        node("Conv", ["a5", "w3"], ["a6"], pads=[1] * 4, group=32),
        node("Clip", ["a6", "low", "high"], ["a7"]),
        node("Conv", ["a7", "w4"], ["a8"]),
        node("Concat", ["a8", "a5"], ["a9"], axis=1),
        node("AveragePool", ["a9"], ["a10"], kernel_shape=[2, 2], strides=[2, 2]),
        node("GlobalAveragePool", ["a10"], ["a11"]),
        node("Flatten", ["a11"], ["a12"]),
        node("Gemm", ["a12", "w5", "b5"], ["y"], transB=1),
    ]
    shapes = {
        "w1": (32, 3, 3, 3),
        "w2": (32, 32, 3, 3),
        "b2": (32,),
        "w3": (32, 1, 3, 3),
        "w4": (48, 32, 1, 1),
        "w5": (10, 80),
        "b5": (10,),
    }
    limits = [numpy_helper.from_array(np.float32(value), name) for name, value in (("low", 0), ("high", 6))]
    return nodes, [*(_weights(rng, name, shape) for name, shape in shapes.items()), *limits]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_network_of_open_batch_stays_in_blocks(threads: int) -> None:
    model = _model(*_network(), ("n", 3, 53, 37))
    with collect_remarks() as remarks:
        program = tilewright.compile(model, target=f"{TARGET} -threads={threads}")
    codes = [remark.code for remark in remarks]
    messages = "\n".join(remark.message for remark in remarks if remark.code in ("TW0758", "TW0759", "TW0764"))
    assert messages.count("graph.conv2d is computed on blocks") == 4, messages
    assert "multiplies transformed tiles" in messages
    assert codes.count("TW0763") >= 3, "register tiles of convolutions that sum over channels"
    assert not _differences(model, program, [(n, 3, 53, 37) for n in (1, 2, 5)])


def test_a_network_of_open_images_stays_in_blocks() -> None:
    model = _model(*_network(), ("n", 3, "h", "w"))
    program = tilewright.compile(model, target=f"{TARGET} -threads=2")
    assert not _differences(model, program, [(1, 3, 53, 37), (2, 3, 31, 64), (5, 3, 19, 23)])


def test_an_open_batch_has_the_tiles_of_one_image() -> None:
    """The plans say the same of either, but for the loop over images, down to the first pool over whole images."""
    nodes, weights = _network()
    nodes[-4].output[0] = "y"
    tiles: list[list[str]] = []
    for batch in (1, "n"):
        with collect_remarks() as remarks:
            tilewright.compile(_model(nodes[:-3], weights, (batch, 3, 53, 37)), target=f"{TARGET} -threads=1")
        tiles.append([remark.message for remark in remarks if remark.code == "TW0763"])
    assert tiles[0] == tiles[1]
