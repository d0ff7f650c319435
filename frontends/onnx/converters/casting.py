"""Conversions between element types, with ONNX's rules for 8-bit floats: saturation, and rounding of powers of two."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from ....dialects import graph
from ....te.dtypes import dtype_info
from ..node import Node, Value, dtype, scalar
from ..tensors import dtype_of
from ..text_values import is_text
from . import strings

_SATURATED = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
_POWERS = "float8_e8m0fnu"
_LEAST, _LARGEST = 2.0**-127, 2.0**127
"""The powers of two that `_POWERS` begins and ends with."""


def cast(node: Node) -> Value:
    """Convert Cast: to the type `to`, with the node's ways to saturate and to round."""
    if node.attr("to") == TensorProto.STRING:
        return strings.printed(node, node.input(0))
    to = dtype_of(node.attr("to"), "the result")
    if is_text(x := node.input(0)):
        return strings.parsed(node, np.asarray(x), to)
    return converted(node, node.input(0), to, node.flag("saturate", 1), node.attr("round_mode", "up"))


def converted(node: Node, x: Value, to: str, saturates: bool, mode: str) -> Value:
    """Convert elements to the type `to`. Numbers beyond the largest number of 8 bits become that number if a cast
    saturates, else infinity or NaN, depending on the type. `mode` rounds numbers to powers of two; signs are
    dropped."""
    if to == _POWERS and dtype(x) != to:
        x = _powers(node, _wide(node, x), saturates, mode)
    elif to in _SATURATED and saturates and dtype(x) != to:
        info = dtype_info(to)
        x = node.emit(graph.ClipOp, _wide(node, x), low=info.least, high=info.largest)
    return node.emit(graph.CastOp, x, to=to)


def _wide(node: Node, x: Value) -> Value:
    """Return numbers in float32 or float64, the type that holds all of them, or all that count, exactly."""
    source = dtype_info(dtype(x))
    exact = source.bits <= 16 or source.name == "float32"
    return node.emit(graph.CastOp, x, to="float32" if exact else "float64")


def _powers(node: Node, x: Value, saturates: bool, mode: str) -> Value:
    """Return the nearest power of two, or the next one up or down; NaN for infinities and NaN."""
    x = node.emit(graph.CastOp, x, to="float32")

    def number(value: float) -> Value:
        return scalar(np.array(value), x)

    def choose(condition: type[graph.GraphOp], a: Value, b: Value, chosen: Value, otherwise: Value) -> Value:
        return node.emit(graph.WhereOp, node.emit(condition, a, b), chosen, otherwise)

    size = node.emit(graph.AbsOp, x)
    within = node.emit(graph.ClipOp, size, low=_LEAST, high=_LARGEST)
    power = node.emit(graph.CastOp, node.emit(graph.CastOp, within, to=_POWERS), to="float32")
    if mode == "nearest":
        if not saturates:
            power = choose(graph.LessOp, size, number(1.5 * _LARGEST), power, number(np.inf))
    elif mode in ("up", "down"):
        power = choose(graph.GreaterOp, power, within, node.emit(graph.MulOp, power, number(0.5)), power)
        if mode == "up":
            power = choose(graph.GreaterOp, size, power, node.emit(graph.MulOp, power, number(2.0)), power)
            power = node.emit(graph.MinimumOp, power, number(_LARGEST)) if saturates else power
    else:
        node.fail("TW0306", f"expected round_mode up, down or nearest, but got {mode!r}")
    return choose(graph.LessOp, size, number(np.inf), power, number(np.nan))
