"""Attention operators of onnxruntime (domain com.microsoft): heads, masks, past keys and values.

Letters: B is the batch, S the length of the query, T that of keys and values including the past ones, N the number of
heads, H the size of a head, D = N * H.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....dialects.graph.sizes import sum_of, times
from ....operators.record import WIDE
from ..node import Node, Value, as_type, check_signature, dtype, rank, scalar, shape, static_dim
from .quantized_operators import quantized_product


def attention(node: Node) -> Sequence[Value]:
    """Convert Attention: self-attention of x * weights + bias, whose columns are those of queries, keys and values."""
    check_signature(node, 2, "input weights bias mask_index past attention_bias past_sequence_length", _SHARED)
    refuse_attributes(node, "do_rotary", "past_present_share_buffer", "rotary_embedding_dim")
    product = node.emit(graph.MatmulOp, node.input(0), node.input(1))
    product = node.emit(graph.AddOp, product, node.input(2)) if node.has(2) else product
    return _self_attention(node, product, *(node.optional(index) for index in (3, 4, 5)))


def quantized_attention(node: Node) -> Sequence[Value]:
    """Convert QAttention: self-attention of quantised numbers and weights, whose product is one of integers."""
    check_signature(node, 5, "input weight bias input_scale weight_scale mask_index input_zero weight_zero past")
    refuse_attributes(node, "do_rotary", "past_present_share_buffer")
    product = quantized_product(node, (0, 1, 6, 7), (3, 4), 2)
    return _self_attention(node, product, node.optional(5), node.optional(8), None)


def _self_attention(
    node: Node, product: Value, mask: Value | None, past: Value | None, bias: Value | None
) -> Sequence[Value]:
    """Return the self-attention of queries, keys and values that are columns of a product. Further results are keys and
    values."""
    heads = heads_of(node)
    total = static_dim(node, shape(product)[2], "the number of columns")
    sizes = tuple(node.attr("qkv_hidden_sizes", ())) or (total // 3,) * 3
    if len(sizes) != 3 or sum(sizes) != total or sizes[0] != sizes[1]:
        node.fail("TW0303", f"expected three sizes that make {total}, the first two equal, but got {list(sizes)}")
    parts = node.emit_all(graph.SplitOp, product, axis=2, sizes=sizes)
    query, key, value = (in_heads(node, part, heads) for part in parts)
    if past is not None:
        halves = [node.emit(graph.SqueezeOp, half, axes=(0,)) for half in _split(node, past, 0, 2)]
        key, value = _after(node, halves[0], key), _after(node, halves[1], value)
    past_length = 0 if past is None else shape(past)[3]
    result, _ = attend(node, query, key, value, _biases(node, query, key, mask, bias, past_length))
    if not node.uses_output(1):
        return [result]
    pair = [node.emit(graph.UnsqueezeOp, each, axes=(0,)) for each in (key, value)]
    return result, node.emit(graph.ConcatOp, *pair, axis=0)


_SHARED = "past_sequence_length cache_indirection"
"""Inputs of kernels that write into the buffer of past keys and values."""


def multi_head_attention(node: Node) -> Sequence[Value]:
    """Convert MultiHeadAttention: attention of queries, keys and values, [B, S, D], or some of them in one tensor of
    five dimensions.

    Further results are keys and values including the past ones, and the scores before softmax.
    """
    names = "query key value bias key_padding_mask attention_bias past_key past_value"
    check_signature(node, 1, f"{names} {_SHARED}", _SHARED)
    heads = heads_of(node)
    query, key, value = _with_bias(node, _operands(node))
    query, key, value = (part if rank(part) == 4 else in_heads(node, part, heads) for part in (query, key, value))
    if node.has(6) != node.has(7):
        node.fail("TW0303", "expected past_key and past_value, or none of them")
    if node.has(6):
        key, value = _after(node, node.input(6), key), _after(node, node.input(7), value)
    past_length = shape(node.input(6))[2] if node.has(6) else 0
    bias = _biases(node, query, key, node.optional(4), node.optional(5), past_length)
    result, scores = attend(node, query, key, value, bias)
    return result, key, value, scores


def _operands(node: Node) -> list[Value]:
    """Query, key and value, each [B, S, D]; keys and values that come from elsewhere may be [B, N, T, H]."""
    query, others = node.input(0), [node.optional(1), node.optional(2)]
    if rank(query) == 5:
        return [_joined(node, part) for part in _split(node, query, 3, 3)]
    key, value = others
    if key is not None and rank(key) == 5:
        return [query, *(_joined(node, part) for part in _split(node, key, 3, 2))]
    if key is None or value is None:
        node.fail("TW0303", "expected key and value beside a query of three dimensions")
    if rank(query) != 3 or rank(key) not in (3, 4) or rank(value) != rank(key):
        ranks = [rank(each) for each in (query, key, value)]
        node.fail(
            "TW0303", f"expected query, key and value of rank 3, or the last two of rank 4, but got ranks {ranks}"
        )
    return [query, key, value]


def _joined(node: Node, part: Value) -> Value:
    """Return [B, S, N, 1, H] as [B, S, D]."""
    heads, size = (static_dim(node, shape(part)[axis], "a size of the heads") for axis in (2, 4))
    return node.emit(graph.ReshapeOp, part, shape=(0, 0, heads * size))


def _with_bias(node: Node, parts: Sequence[Value]) -> list[Value]:
    """Return the query, the key and the value, each with its part of the bias added."""
    bias = node.optional(3)
    if bias is None:
        return list(parts)
    if any(rank(part) != 3 for part in parts):
        node.fail("TW0303", "expected no bias beside keys and values of rank 4")
    sizes = tuple(static_dim(node, shape(part)[2], "the size of the heads") for part in parts)
    biases = node.emit_all(graph.SplitOp, bias, axis=0, sizes=sizes)
    return [node.emit(graph.AddOp, part, each) for part, each in zip(parts, biases, strict=True)]


# Common to all kinds of attention


def in_heads(node: Node, x: Value, heads: int) -> Value:
    """Return [B, S, D] as [B, N, S, H]."""
    size = static_dim(node, shape(x)[2], "the size of the heads")
    if size % heads:
        node.fail("TW0303", f"expected {heads} heads to divide {size} channels")
    split = node.emit(graph.ReshapeOp, x, shape=(0, 0, heads, size // heads))
    return node.emit(graph.TransposeOp, split, permutation=(0, 2, 1, 3))


Weights = Callable[[Value], Value]


def attend(
    node: Node,
    query: Value,
    key: Value,
    value: Value,
    bias: Sequence[Value],
    weights: Weights | None = None,
    cap: float = 0.0,
) -> tuple[Value, Value]:
    """Return values, weighted by softmax(scale * query * key' + bias), as [B, S, D]; and these sums before softmax.

    Operands have the heads as their second dimension, or as their second and third one. Scores are summed and weighted
    in float32 at least. `weights` stands in for softmax; `cap` bounds the scores before the bias.
    """
    narrow, wide = dtype(query), WIDE.of(dtype(query))
    size = static_dim(node, shape(query)[-1], "the size of a head")
    scale = node.attr("scale", 0.0) or 1 / math.sqrt(size)
    kind = None if wide == narrow else wide
    scores = node.emit(graph.MatmulOp, query, key, transpose_b=True, out_dtype=kind)
    scores = node.emit(graph.MulOp, scores, scalar(np.array(scale), scores))
    if cap:
        limit = scalar(np.array(cap), scores)
        scores = node.emit(graph.MulOp, node.emit(graph.TanhOp, node.emit(graph.DivOp, scores, limit)), limit)
    for each in bias:
        scores = node.emit(graph.AddOp, scores, as_type(node, each, wide))
    parts = weights(scores) if weights is not None else node.emit(graph.SoftmaxOp, scores, axis=rank(scores) - 1)
    result = node.emit(graph.MatmulOp, as_type(node, parts, narrow), value)
    dims = rank(result)
    turned = node.emit(graph.TransposeOp, result, permutation=(0, dims - 2, *range(1, dims - 2), dims - 1))
    channels = math.prod(static_dim(node, dim, "a size of the heads") for dim in shape(turned)[2:])
    return node.emit(graph.ReshapeOp, turned, shape=(0, 0, channels)), as_type(node, scores, narrow)


def _later(node: Node, query: Value, key: Value, past: graph.Dim) -> Value:
    """Return the mask of keys that come after a query, [S, T]; queries follow the past keys. The last query sees all
    keys."""
    length = shape(query)[2]
    number = node.emit(graph.UnsqueezeOp, node.positions(length), axes=(1,))
    keys, last = node.positions(shape(key)[2]), node.emit(graph.SubOp, node.extent(length), np.array(1))
    later = node.emit(graph.GreaterOp, keys, node.emit(graph.AddOp, number, node.extent(past)))
    return node.emit(graph.AndOp, later, node.emit(graph.LessOp, number, last))


def heads_of(node: Node) -> int:
    heads = node.attr("num_heads")
    if heads is None or heads < 1:
        node.fail("TW0303", f"expected attribute 'num_heads' of at least 1, but got {heads}")
    return heads


def refuse_attributes(node: Node, *names: str) -> None:
    for name in names:
        if value := node.attr(name, 0):
            node.fail("TW0306", f"attribute '{name}' with value {value} is not supported")


def _split(node: Node, x: Value, axis: int, count: int) -> Sequence[Value]:
    return node.emit_all(graph.SplitOp, x, axis=axis, sizes=(1,) * count)


def _after(node: Node, past: Value, x: Value) -> Value:
    return node.emit(graph.ConcatOp, past, x, axis=2)


def _biases(
    node: Node, query: Value, key: Value, mask: Value | None, bias: Value | None, past: graph.Dim
) -> list[Value]:
    """Return the addends of scores [B, N, S, T]: the given bias, and a large negative number where the mask hides a key
    or where a key comes after a query."""
    found = [] if bias is None else [bias]
    filler, lowest = node.attr("mask_filter_value", -10000.0), np.finfo(np.float32).min
    wide = numpy_dtype(WIDE.of(dtype(query)))
    hidden = None if mask is None else _hidden(node, query, key, mask)
    chosen: Value = np.zeros((), wide)
    if hidden is not None:
        chosen = node.emit(graph.WhereOp, hidden, np.array(filler, wide), chosen)
    if node.attr("unidirectional", 0) and shape(query)[2] != 1:
        later = _later(node, query, key, past)
        chosen = node.emit(graph.WhereOp, later, np.array(lowest, wide), chosen)
    return found if rank(chosen) == 0 else [*found, chosen]


def _hidden(node: Node, query: Value, key: Value, mask: Value) -> Value | None:
    """Return the mask of hidden keys, which broadcasts with [B, N, S, T]; None where no key is hidden.

    The input `mask` has ones and zeros, [B, T] or [B, S, T], or the length of each row, [B], which the first position
    of each row may follow, [2 * B], or the sums of lengths of queries and of keys, [3 * B + 2], which add nothing.
    """
    batch, total = shape(query)[0], shape(key)[2]
    sizes = shape(mask)
    match sizes:
        case (count,):
            keys = node.positions(total)
            if count == batch:
                return node.emit(graph.GreaterEqualOp, keys, _column(node, mask))
            late = node.emit(graph.GreaterEqualOp, keys, _column(node, node.cut(mask, 0, 0, batch)))
            if count == sum_of(times(batch, 3), 2):
                return late
            if count != times(batch, 2) or not _is_self(node):
                node.fail("TW0302", f"expected a mask of one or two numbers for each row, but got shape {list(sizes)}")
            starts = _column(node, node.cut(mask, 0, batch, batch))
            return node.emit(graph.OrOp, late, node.emit(graph.LessOp, keys, starts))
        case (_, 1) if total != 1 and _is_self(node):
            return None
        case (_, _):
            axes = (1, 2)
        case (_, _, _):
            axes = (1,)
        case _:
            node.fail("TW0302", f"expected a mask of one to three dimensions, but got shape {list(sizes)}")
    nothing = scalar(np.array(0), mask)
    return node.emit(graph.UnsqueezeOp, node.emit(graph.LessEqualOp, mask, nothing), axes=axes)


def _is_self(node: Node) -> bool:
    """Tell if the operator is one that computes queries, keys and values itself, which has more kinds of masks."""
    return node.proto.op_type in ("Attention", "QAttention")


def _column(node: Node, numbers: Value) -> Value:
    """Return numbers of rows, [B], as [B, 1, 1, 1]."""
    return node.emit(graph.UnsqueezeOp, as_type(node, numbers, "int64"), axes=(1, 2, 3))
