"""Random numbers, which are a function of the seed or, without a seed, of the node's name."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from ....dialects import graph
from ..node import Node, Value, dtype, rank, shape, static_dim
from ..tensors import dtype_of


def _seed(node: Node) -> int:
    """Return the bits of the seed, a number of ONNX's type float; without one the name of the node distinguishes
    nodes."""
    given = node.attr("seed")
    return zlib.crc32(node.label.encode()) if given is None else int(np.float32(given).view(np.uint32))


def _like(node: Node) -> tuple[Value, str]:
    """Return a tensor of the requested shape, and the type of the numbers."""
    asked = node.attr("dtype")
    if node.operator.endswith("Like"):
        x = node.input(0)
        name = dtype(x) if asked is None else dtype_of(asked, "the result")
        return x, name
    return np.zeros(list(node.attr("shape")), np.float32), dtype_of(asked, "the result")


def uniform(node: Node) -> Value:
    x, name = _like(node)
    bounds: dict[str, Any] = {"low": node.attr("low"), "high": node.attr("high")}
    return node.emit(graph.RandomUniformOp, x, seed=_seed(node), to=name, **bounds)


def normal(node: Node) -> Value:
    x, name = _like(node)
    return node.emit(
        graph.RandomNormalOp, x, seed=_seed(node), to=name, mean=node.attr("mean"), scale=node.attr("scale")
    )


def multinomial(node: Node) -> Value:
    """Convert Multinomial: samples by the greatest of log-probabilities, each with noise of Gumbel's distribution
    added."""
    x, count = node.input(0), node.attr("sample_size")
    if rank(x) != 2:
        node.fail("TW0303", f"expected a matrix of log-probabilities, but got rank {rank(x)}")
    classes = static_dim(node, shape(x)[1], "the number of classes")
    wide = node.emit(graph.CastOp, x, to="float32") if dtype(x) != "float32" else x
    logits = node.emit(graph.UnsqueezeOp, wide, axes=(1,))
    form = node.emit(graph.AddOp, logits, np.zeros((count, classes), np.float32))
    least = 2.0**-25
    unit = node.emit(graph.RandomUniformOp, form, seed=_seed(node), to="float32", low=least, high=1 - least)
    noise = node.emit(graph.LogOp, node.emit(graph.NegOp, node.emit(graph.LogOp, unit)))
    scores = node.emit(graph.SubOp, logits, noise)
    chosen = node.emit(graph.ArgmaxOp, scores, axis=2, keepdims=False, last=False)
    name = dtype_of(node.attr("dtype"), "the result")
    return chosen if name == "int64" else node.emit(graph.CastOp, chosen, to=name)
