"""Convolutions by weights of any zero point: bytes stay bytes, and sums are exact at the edges of an image too."""

from __future__ import annotations

from itertools import product

import numpy as np
import onnx
import pytest
from onnx import helper
from tilewright.dialects import context, graph
from tilewright.frontends.onnx import import_model
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

from .models import model_of

KINDS = {
    "QLinearConv": ["QLinearConv x xs xz w ws wz ys yz -> y"],
    "ConvInteger": ["ConvInteger x w xz wz -> y"],
    "ConvInteger, zero point as data": ["ConvInteger x w xd wz -> y"],
    "QDQ": [
        "DequantizeLinear x xs xz -> a",
        "DequantizeLinear w ws wz -> b",
        "Conv a b -> c",
        "QuantizeLinear c ys yz -> y",
    ],
}
BYTES = ("uint8", "int8")
SIZES = [(1, 6), (2, 6), (4, 4), (4, 8)]
"""Groups and output channels of an image of four channels."""
X_SCALE, Y_SCALE, Y_ZERO = np.float32(0.1), np.float32(30), 3


def drawn(rng: np.random.Generator, dtype: str, *shape: int) -> np.ndarray:
    info = np.iinfo(dtype)
    return np.asarray(rng.integers(info.min, info.max, shape, endpoint=True)).astype(dtype)


def model(kind: str, arrays: dict[str, np.ndarray], groups: int) -> onnx.ModelProto:
    """Return one convolution with a margin before each axis."""
    axes, nodes = arrays["w"].ndim - 2, list[onnx.NodeProto]()
    for text in KINDS[kind]:
        operator, *names, _, result = text.split()
        rest = {"pads": [1] * axes + [0] * axes, "group": groups} if "Conv" in operator else {}
        nodes.append(helper.make_node(operator, names, [result], **({"axis": 0} if names[0] == "w" else rest)))
    read = {name for node in nodes for name in node.input}
    given = [name for name in ("x", "xd") if name in read]
    constants = {name: array for name, array in arrays.items() if name in read and name not in given}
    return model_of(nodes, {name: arrays[name] for name in given}, ["y"], constants, opset=17)


def sums(arrays: dict[str, np.ndarray], groups: int) -> np.ndarray:
    """Return the convolution of integers less their zero points."""
    x = arrays["x"].astype(np.int64) - int(arrays["xz"])
    axes, outputs = x.ndim - 2, len(arrays["w"])
    w = arrays["w"].astype(np.int64) - arrays["wz"].astype(np.int64).reshape(-1, *(1,) * (axes + 1))
    padded = np.pad(x, [(0, 0), (0, 0), *[(1, 0)] * axes])
    views = np.lib.stride_tricks.sliding_window_view(padded, w.shape[2:], axis=tuple(range(2, axes + 2)))
    letters, inputs, share = "ijk"[:axes], w.shape[1], outputs // groups
    parts = [
        np.einsum(f"nc...{letters},oc{letters}->no...", views[:, g * inputs :][:, :inputs], w[g * share :][:share])
        for g in range(groups)
    ]
    return np.concatenate(parts, 1)


def on_integers(found: onnx.ModelProto) -> tuple[ModuleOp, set[str]]:
    """Return the module of a model, and the types of what its convolutions read."""
    module = import_model(found)
    passes = "infer-types,integer-products,fold-constant,dead-code"
    PassManager(parse_pipeline(passes)).run(context(), module)
    ops = [op for op in module.walk() if isinstance(op, (graph.Conv2dOp, graph.Conv3dOp))]
    assert ops
    return module, {str(graph.element_of(value)) for op in ops for value in (op.x, op.weight)}


@pytest.mark.sampled(2)
@pytest.mark.each(("kind", "groups", "outputs"), [(kind, *sizes) for kind in KINDS for sizes in SIZES], shards=2)
def test_bytes_stay_bytes_and_sums_are_exact(kind: str, groups: int, outputs: int) -> None:
    rng = np.random.default_rng(groups * outputs)
    for number, (right, end, several) in enumerate(product(BYTES, (0, 3, 127, -1), (False, True))):
        axes, left = (2, 2, 2, 1, 3)[number % 5], BYTES[number % 3 % 2]
        info = np.iinfo(right)
        zero = np.full(
            (outputs,) if several else (), info.max if end == -1 and right == "uint8" else max(end, info.min)
        )
        if several:
            zero[::2] = info.min
        if kind.startswith("ConvInteger"):
            zero = zero.reshape(-1)[0]
        arrays = {
            "x": drawn(rng, left, 1, 4, *(5, 4, 3)[:axes]),
            "w": drawn(rng, right, outputs, 4 // groups, *(3, 2, 2)[:axes]),
            "xz": drawn(rng, left),
            "wz": np.asarray(zero).astype(right),
            "ws": np.asarray(rng.random((outputs,) if several else ()) + 0.1).astype(np.float32),
            "xs": np.asarray(X_SCALE),
            "ys": np.asarray(Y_SCALE),
            "yz": np.asarray(Y_ZERO, left),
        }
        arrays["xd"] = arrays["xz"]
        module, types = on_integers(model(kind, arrays, groups))
        assert types <= {"i8", "ui8"}, (number, types)
        inputs = [arrays["x"], arrays["xd"]] if kind.endswith("data") else [arrays["x"]]
        (y,) = evaluate(module, *inputs)
        exact = sums(arrays, groups)
        if y.dtype == np.int32:
            np.testing.assert_array_equal(y, exact)
            continue
        scale = np.float64(X_SCALE) * arrays["ws"].astype(np.float64).reshape(-1, *(1,) * axes) / np.float64(Y_SCALE)
        low, high = (np.rint(exact * scale + Y_ZERO + tie) for tie in (-1e-5, 1e-5))
        limits = np.iinfo(left).min, np.iinfo(left).max
        assert ((y == low.clip(*limits)) | (y == high.clip(*limits))).all(), number
