"""Normalisations of onnxruntime: of sums with a skip connection, of embeddings, and without a mean (RMS)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....dialects import graph
from ....operators.record import WIDE
from ..node import Node, Value, as_type, check_signature, dtype, rank, scalar, shape
from .neural import rms_norm


def simplified_layer_norm(node: Node) -> Sequence[Value]:
    """Convert SimplifiedLayerNormalization: x / sqrt(mean of squares + epsilon) * scale; the quotient of 1 and the root
    is a result where it is asked for."""
    check_signature(node, 2, "X scale")
    result = rms_norm(node)
    if not node.uses_output(1):
        return [result]
    x = node.input(0)
    axes = tuple(range(node.axis(node.attr("axis", -1), rank(x)), rank(x)))
    wide = as_type(node, x, WIDE.of(dtype(x)))
    mean = node.emit(graph.ReduceMeanOp, node.emit(graph.MulOp, wide, wide), axes=axes, keepdims=True)
    shifted = node.emit(graph.AddOp, mean, scalar(np.array(node.attr("epsilon", 1e-5)), mean))
    return result, node.emit(graph.ReciprocalOp, node.emit(graph.SqrtOp, shifted))


def skip_layer_norm(node: Node) -> Sequence[Value | None]:
    """Convert SkipLayerNormalization: normalisation along the last axis of input + skip + bias. That sum is the fourth
    result."""
    if node.proto.op_type == "SkipLayerNormalization":
        check_signature(node, 3, "input skip gamma beta bias")
        scale, bias = [node.input(2), node.optional(3)], node.optional(4)
    else:
        check_signature(node, 3, "input skip gamma bias")
        scale, bias = [node.input(2)], node.optional(3)
    narrow, wide = dtype(node.input(0)), WIDE.of(dtype(node.input(0)))
    terms = [node.input(0), node.input(1), *([] if bias is None else [bias])]
    total = _sum(node, [as_type(node, term, wide) for term in terms])
    result = _normalized(node, total, [as_type(node, each, wide) for each in scale if each is not None])
    return _only(node, [as_type(node, result, narrow), None, None, as_type(node, total, narrow)])


def _normalized(node: Node, x: Value, scale: Sequence[Value]) -> Value:
    """Normalise x along its last axis, without its mean where the operator is a simplified one."""
    values = {"axes": (rank(x) - 1,), "epsilon": node.attr("epsilon", 1e-12)}
    operation = graph.RmsNormOp if "Simplified" in node.operator else graph.LayerNormOp
    return node.emit(operation, x, *scale, **values)


def quantized_embed_layer_norm(node: Node) -> Sequence[Value | None]:
    """Convert QEmbedLayerNormalization: tables of integers, whose rows are converted once they are read."""
    tables = ["word_embedding", "position_embedding", "segment_embedding", "gamma", "beta"]
    scales, zeros = ([f"{table}_{what}" for table in tables] for what in ("scale", "zero_point"))
    names = " ".join(["input_ids segment_ids", *tables, "mask", *scales, *zeros])
    check_signature(node, 1, names, needed=" ".join([*tables[:2], *tables[3:], *scales[:2], *scales[3:]]))
    return _embedded(node, None, lambda index, x: _dequantized(node, x, index + 6, index + 11))


def _dequantized(node: Node, x: Value, scale: int, zero: int) -> Value:
    """Return the numbers that integers stand for, by the inputs that are their scale and zero point."""
    return node.emit(
        graph.DequantizeOp, x, node.input(scale), *([node.input(zero)] if node.has(zero) else []), to="float32"
    )


def embed_layer_norm(node: Node) -> Sequence[Value | None]:
    """Convert EmbedLayerNormalization: layer normalisation of the sum of the embeddings of words, positions and
    segments. Positions count from 0 unless they are given. Further results are the number of ones in each row of the
    mask, and the sum.
    """
    names = "input_ids segment_ids word_embedding position_embedding segment_embedding gamma beta mask position_ids"
    check_signature(node, 1, names)
    return _embedded(node, node.optional(8), lambda index, x: x)


def _embedded(node: Node, given: Value | None, numbers: Callable[[int, Value], Value]) -> Sequence[Value | None]:
    """Return the normalised sum for the positions that are `given`; `numbers` converts rows of the input of a
    number."""
    if (kind := node.attr("mask_index_type", 0)) not in (0, 1):
        node.fail("TW0306", f"attribute 'mask_index_type' with value {kind} is not supported")
    ids = node.input(0)
    if rank(ids) != 2:
        node.fail("TW0303", f"expected input_ids of rank 2, but got rank {rank(ids)}")
    if given is None:
        given = node.emit_stated(graph.IotaOp, dims={"shape": [shape(ids)[1]]})
    rows = [(2, ids), (3, given)]
    if node.has(1) and node.has(4):
        rows.append((4, node.input(1)))
    embedded = [numbers(index, node.emit(graph.GatherOp, node.input(index), at, axis=0)) for index, at in rows]
    narrow, wide = dtype(embedded[0]), WIDE.of(dtype(embedded[0]))
    total = _sum(node, [as_type(node, each, wide) for each in embedded])
    result = _normalized(node, total, [as_type(node, numbers(k, node.input(k)), wide) for k in (5, 6)])
    counts = _counts(node, ids) if node.uses_output(1) else None
    return _only(node, [as_type(node, result, narrow), counts, as_type(node, total, narrow)])


def _counts(node: Node, ids: Value) -> Value:
    """Return the number of ones in each row of the mask; 0 without a mask."""
    mask = node.optional(7)
    if mask is None:
        nothing = node.emit(graph.CastOp, ids, to="int32")
        ones = node.emit(graph.SubOp, nothing, nothing)
    else:
        ones = node.emit(graph.CastOp, node.emit(graph.EqualOp, mask, scalar(np.array(1), mask)), to="int32")
    return node.emit(graph.ReduceSumOp, ones, axes=(1,))


def _only(node: Node, results: Sequence[Value | None]) -> Sequence[Value | None]:
    """Return the results; refuse a node that uses one that is not computed."""
    for index, result in enumerate(results):
        if result is None and node.uses_output(index):
            node.fail("TW0302", f"output '{node.proto.output[index]}' of this operator is not supported")
    return results


def _sum(node: Node, terms: Sequence[Value]) -> Value:
    total = terms[0]
    for term in terms[1:]:
        total = node.emit(graph.AddOp, total, term)
    return total
