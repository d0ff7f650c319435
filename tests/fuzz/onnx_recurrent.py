"""Makers of recurrent layers, of what goes along sequences, and of random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import helper

from .onnx_pool import Info, Pool, Size, Unfit

_GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
_ACTIVATIONS = {"LSTM": 3, "GRU": 2, "RNN": 1}


def recurrent(g: Pool, operator: str) -> None:
    """Add a recurrent operator with all inputs and attributes but `layout`, which onnxruntime does not run."""
    steps: Size = g.draw.between(1, 5)
    batch: Size = "n" if g.is_symbolic and g.draw.chance(0.6) else g.draw.between(1, 3)
    size, hidden = g.draw.between(1, 4), g.draw.one_of((1, 2, 4, 8))
    direction = g.draw.one_of(("forward", "reverse", "bidirectional"))
    ways, gates = 1 + (direction == "bidirectional"), _GATES[operator]
    x = g.operand(
        "float32", least=3, most=3, fits=lambda info: isinstance(info.shape[0], int) and isinstance(info.shape[2], int)
    ) if g.draw.chance(0.3) else g.input("float32", (steps, batch, size))  # fmt: skip
    steps, batch, size = x.size(0), x.shape[1], x.size(2)
    if batch is None:
        raise Unfit

    def weight(*shape: int) -> str:
        return g.parameter("float32", shape, -0.8, 0.8)

    def state() -> str:
        return g.input("float32", (ways, batch, hidden)).name

    inputs = [x.name, weight(ways, gates * hidden, size), weight(ways, gates * hidden, hidden)]
    inputs.append(weight(ways, 2 * gates * hidden) if g.draw.chance(0.6) else "")
    inputs.append(g.input("int32", (batch,), (1, steps + 1)).name if g.draw.chance(0.3) else "")
    inputs.append(state() if g.draw.chance(0.5) else "")
    if operator == "LSTM":
        inputs.append(state() if g.draw.chance(0.5) else "")
        inputs.append(weight(ways, 3 * hidden) if g.draw.chance(0.3) else "")
    while not inputs[-1]:
        inputs.pop()
    attributes: dict[str, Any] = {"hidden_size": hidden, "direction": direction}
    if g.draw.chance(0.3):
        names = [g.draw.one_of(("Tanh", "Sigmoid", "Relu", "Softsign")) for _ in range(_ACTIVATIONS[operator] * ways)]
        attributes["activations"] = names
    if g.draw.chance(0.2):
        attributes["clip"] = 0.6
    if operator == "GRU":
        attributes["linear_before_reset"] = g.draw.between(0, 1)
    if operator == "LSTM" and g.draw.chance(0.2):
        attributes["input_forget"] = 1
    kept = ("float32", (ways, batch, hidden))
    types = [("float32", (steps, ways, batch, hidden)), kept, *([kept] if operator == "LSTM" else [])]
    g.typed(operator, inputs, types, **attributes)


def reverse(g: Pool, operator: str) -> None:
    x = g.operand("float32", least=2, fits=lambda info: all(isinstance(size, int) for size in info.shape[:2]))
    time = g.draw.between(0, 1)
    lengths = g.input("int64", (x.size(1 - time),), (1, x.size(time) + 1))
    g.one(operator, [x.name, lengths.name], time_axis=time, batch_axis=1 - time)


def tensor_scatter(g: Pool, operator: str) -> None:
    """Add a scatter of the part of a cache that a step writes."""
    batch, most, width = (g.draw.between(1, 4) for _ in range(3))
    count = g.draw.between(1, most)
    cache = g.input("float32", (batch, 2, most, width))
    update = g.parameter("float32", (batch, 2, count, width))
    mode = g.draw.one_of(("linear", "circular"))
    limits = (0, most - count + 1 if mode == "linear" else most)
    indices = [g.input("int64", (batch,), limits).name] if g.draw.chance(0.8) else []
    g.one(operator, [cache.name, update, *indices], mode=mode, axis=-2)


# Random numbers are those of whoever draws them: what is compared is their type, their shape and their bounds.


def _within(g: Pool, made: Info, operator: str, limit: float) -> None:
    """Compare random numbers with a limit, so that later nodes do not see the numbers."""
    del g.values[made.name]
    g.typed(operator, [made.name, g.constant(np.array(limit, made.dtype))], [("bool", made.shape)])


def random_uniform(g: Pool, operator: str) -> None:
    attributes: dict[str, Any] = {"low": 1.0, "high": 2.0, "seed": float(g.draw.between(0, 99))}
    if operator.endswith("Like"):
        x = g.operand("float32")
        made = g.one(operator, [x.name], **attributes)
    else:
        made = g.one(operator, [], shape=[g.draw.between(1, 4) for _ in range(g.draw.between(1, 3))], **attributes)
    limit = g.draw.one_of((1.0, 2.0))
    _within(g, made, "Less" if limit == 1 else "Greater", limit)


def random_normal(g: Pool, operator: str) -> None:
    attributes: dict[str, Any] = {"mean": 1.0, "scale": 2.0}
    if operator.endswith("Like"):
        x = g.operand("float32")
        made = g.one(operator, [x.name], **attributes)
    else:
        made = g.one(operator, [], shape=[g.draw.between(1, 4) for _ in range(g.draw.between(1, 3))], **attributes)
    _within(g, made, "Less", 1e3)


def multinomial(g: Pool, operator: str) -> None:
    classes = g.draw.between(1, 5)
    x = g.input("float32", (g.draw.between(1, 3), classes))
    dtype = g.draw.one_of(("int32", "int64"))
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    made = g.one(operator, [x.name], sample_size=g.draw.between(1, 6), dtype=kind)
    _within(g, made, "Less", classes)


def bit_cast(g: Pool, operator: str) -> None:
    x = g.operand(g.draw.one_of(("int32", "int64", "uint8", "int8")))
    same = {"int32": "FLOAT", "int64": "DOUBLE", "uint8": "INT8", "int8": "UINT8"}
    to = onnx.TensorProto.DataType.Value(same[x.dtype])
    made = g.one(operator, [x.name], to=to)
    if made.dtype.startswith("float"):  # bits of small integers are numbers that processors may take for zero
        del g.values[made.name]
        back = helper.np_dtype_to_tensor_dtype(np.dtype(x.dtype))
        g.like(x, operator, [made.name], to=back)


_NAMES: dict[Callable[[Pool, str], None], str] = {
    recurrent: "GRU LSTM RNN",
    reverse: "ReverseSequence",
    tensor_scatter: "TensorScatter",
    random_uniform: "RandomUniform RandomUniformLike",
    random_normal: "RandomNormal RandomNormalLike",
    multinomial: "Multinomial",
    bit_cast: "BitCast",
}

MAKERS: dict[str, Callable[[Pool, str], None]] = {
    name: maker for maker, names in _NAMES.items() for name in names.split()
}
"""ONNX operator -> the function that puts a node of it into a model."""
