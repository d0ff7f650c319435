"""Rotary embeddings and grouped-query attention of onnxruntime.

Letters are those of `attention`; K is the number of heads of keys and values, each for N / K heads of queries.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....operators.record import WIDE
from ..node import Node, Value, as_type, check_signature, dtype, in_accumulator, rank, scalar, shape, static_dim
from .attention import attend, heads_of, in_heads, refuse_attributes
from .cached_rows import CachedRows


def rotary_embedding(node: Node) -> Value:
    """Convert RotaryEmbedding: pairs of channels of each head, turned by the angle of their position. x is [B, S, D] or
    [B, N, S, H]."""
    check_signature(node, 4, "input position_ids cos_cache sin_cache")
    for name in ("is_packed_batching", "scale"):  # which change nothing but how kernels find their data
        node.attr(name, 0)
    x, numbers = node.input(0), node.input(1)
    turned = node.attr("rotary_embedding_dim", 0) or 2 * static_dim(node, shape(node.input(2))[1], "the angles")
    heads = node.attr("num_heads", 0)
    if node.attr("rotary_embedding_dim", 0) and not heads:
        node.fail("TW0303", "expected attribute 'num_heads' beside rotary_embedding_dim")
    if rank(x) not in (3, 4):
        node.fail("TW0303", f"expected a tensor of three or four dimensions, but got rank {rank(x)}")
    if rank(x) == 3:
        channels = static_dim(node, shape(x)[2], "the size of the heads")
        parts = in_heads(node, x, heads or channels // turned)
    else:
        parts = x
    if rank(numbers) < 2:
        start = numbers if rank(numbers) == 1 else node.emit(graph.UnsqueezeOp, numbers, axes=(0,))
        numbers = node.emit(graph.AddOp, node.positions(shape(parts)[2]), as_type(node, start, "int64"))
    angles = [_angles(node, node.input(k), numbers) for k in (2, 3)]
    result = rotated(node, parts, angles, node.flag("interleaved", 0))
    if rank(x) == 4:
        return result
    transposed = node.emit(graph.TransposeOp, result, permutation=(0, 2, 1, 3))
    return node.emit(graph.ReshapeOp, transposed, shape=(0, 0, static_dim(node, shape(x)[2], "the size of the heads")))


def _angles(node: Node, cache: Value, numbers: Value) -> Value:
    """Return cosines or sines of positions, [B, S] or [S], so that they broadcast with [B, N, S, H / 2]."""
    found = node.emit(graph.GatherOp, cache, numbers, axis=0)
    return found if rank(found) == 2 else node.emit(graph.UnsqueezeOp, found, axes=(1,))


def rotated(node: Node, x: Value, angles: Sequence[Value], is_interleaved: bool) -> Value:
    """Return [B, N, S, H] with its first channels turned: pairs are neighbours, or one channel of each half."""
    half = static_dim(node, shape(angles[0])[-1], "the number of angles")
    size = static_dim(node, shape(x)[3], "the size of a head")
    if 2 * half > size:
        node.fail("TW0303", f"expected at most {size // 2} angles for a head of {size} channels, but got {half}")

    def part(value: Value, start: int, count: int, step: int = 1) -> Value:
        whole = {"starts": (0, 0, 0, start), "sizes": (-1, -1, -1, count), "steps": (1, 1, 1, step)}
        return node.emit(graph.SliceOp, value, **whole)

    def build(wide: Value, cosine: Value, sine: Value) -> Value:
        step, second = (2, 1) if is_interleaved else (1, half)
        a, b = part(wide, 0, half, step), part(wide, second, half, step)
        mul, axes = graph.MulOp, (4,)
        first = node.emit(graph.SubOp, node.emit(mul, a, cosine), node.emit(mul, b, sine))
        other = node.emit(graph.AddOp, node.emit(mul, b, cosine), node.emit(mul, a, sine))
        if is_interleaved:
            pair = [node.emit(graph.UnsqueezeOp, each, axes=axes) for each in (first, other)]
            joined = node.emit(graph.ConcatOp, *pair, axis=4)
            first = node.emit(graph.ReshapeOp, joined, shape=(0, 0, 0, 2 * half))
        parts = [first] if is_interleaved else [first, other]
        parts = parts if 2 * half == size else [*parts, part(wide, 2 * half, size - 2 * half)]
        return parts[0] if len(parts) == 1 else node.emit(graph.ConcatOp, *parts, axis=3)

    return in_accumulator(node, [x, *angles], build)


def group_query_attention(node: Node) -> Sequence[Value]:
    """Convert GroupQueryAttention: attention to past keys, in rows of different lengths: `seqlens_k` is the number of
    keys of each row, including those of this call, minus one. Keys and values are appended to the past ones, and are
    results.
    """
    names = "query key value past_key past_value seqlens_k total_sequence_length cos_cache sin_cache position_ids"
    refused = "k_scale v_scale q_norm_weight k_norm_weight"
    check_signature(node, 1, f"{names} attention_bias head_sink {refused} query_seqlens", refused)
    refuse_attributes(node, "kv_cache_bit_width")
    for name in ("k_quant_type", "v_quant_type"):
        if (kind := node.attr(name, "NONE")) != "NONE":
            node.fail("TW0306", f"attribute '{name}' with value {kind} is not supported: keys that are kept are floats")
    for name in ("k_norm_epsilon", "q_norm_epsilon", "qk_norm_epsilon"):  # for inputs that are refused
        node.attr(name, 0)
    groups = node.attr("kv_num_heads", 0)
    if groups < 1 or heads_of(node) % groups:
        node.fail("TW0303", f"expected attribute 'kv_num_heads' to divide {heads_of(node)} heads, but got {groups}")
    query, key, value = _separate(node, groups)
    rows = CachedRows(node, shape(query)[2])
    if node.attr("do_rotary", 0):
        if not (node.has(7) and node.has(8)):
            node.fail("TW0303", "expected cos_cache and sin_cache beside do_rotary")
        angles = [_angles(node, node.input(k), rows.numbers()) for k in (7, 8)]
        is_interleaved = node.flag("rotary_interleaved", 0)
        query, key = (rotated(node, each, angles, is_interleaved) for each in (query, key))
    node.attr("rotary_interleaved", 0)
    kept = [(node.optional(index), each) for index, each in ((3, key), (4, value))]
    key, value = (rows.joined(past, fresh) for past, fresh in kept)
    queries, size = heads_of(node) // groups, static_dim(node, shape(query)[3], "the size of a head")
    inner = node.emit(graph.ReshapeOp, query, shape=(0, groups, queries, -1, size))
    hidden = rows.hidden(key)
    bias = [_far_below(node, hidden, key), *_bias_in_groups(node, groups)]
    keys, values = (node.emit(graph.UnsqueezeOp, each, axes=(2,)) for each in (key, value))
    weigh = _Weighing(node, groups)
    result, scores = attend(node, inner, keys, values, bias, weigh, node.attr("softcap", 0.0))
    results = [
        result,
        *(rows.present(past, fresh, each) for (past, fresh), each in zip(kept, (key, value), strict=True)),
    ]
    return [*results, *_shown(node, scores if node.attr("qk_output", 0) == 1 else weigh.weights, hidden, key)]


def _far_below(node: Node, hidden: Value, key: Value) -> Value:
    """Return a large number below 0 where a query does not see a key, [B, 1, 1, S, T]."""
    wide = numpy_dtype(WIDE.of(dtype(key)))
    lowest = np.array(np.finfo(np.float32).min, wide)
    return node.emit(graph.UnsqueezeOp, node.emit(graph.WhereOp, hidden, lowest, np.zeros((), wide)), axes=(1, 2))


def _shown(node: Node, scores: Value | None, hidden: Value, key: Value) -> list[Value]:
    """Return scores or weights as a result, [B, N, S, T]: 0 where a query does not see a key."""
    if (kind := node.attr("qk_output", 0)) not in (0, 1, 2):
        node.fail("TW0303", f"expected 0, 1 or 2 for attribute 'qk_output', but got {kind}")
    if kind == 0 or scores is None or not node.uses_output(3):
        return []
    scores = as_type(node, scores, dtype(key))
    kept = node.emit(graph.WhereOp, node.emit(graph.UnsqueezeOp, hidden, axes=(1, 2)), scalar(np.array(0), key), scores)
    batch, groups, queries, *rest = shape(kept)
    heads = static_dim(node, groups, "the heads") * static_dim(node, queries, "the heads")
    return [node.emit_stated(graph.RegroupOp, kept, dims={"shape": [batch, heads, *rest]})]


def _separate(node: Node, groups: int) -> list[Value]:
    """Query, key and value by heads; they may stand side by side in the first input."""
    heads = heads_of(node)
    if node.has(1) != node.has(2):
        node.fail("TW0303", "expected key and value, or none of them")
    if node.has(1):
        parts = [node.input(k) for k in range(3)]
    else:
        channels = static_dim(node, shape(node.input(0))[2], "the size of the heads")
        size = channels // (heads + 2 * groups)
        sizes = (heads * size, groups * size, groups * size)
        parts = node.emit_all(graph.SplitOp, node.input(0), axis=2, sizes=sizes)
    return [in_heads(node, part, count) for part, count in zip(parts, (heads, groups, groups), strict=True)]


def _bias_in_groups(node: Node, groups: int) -> list[Value]:
    """Return the bias of scores, [B, N, S, T], with its heads in groups."""
    bias = node.optional(10)
    if bias is None:
        return []
    batch, heads, *rest = shape(bias)
    if heads == 1:
        return [node.emit(graph.UnsqueezeOp, bias, axes=(2,))]
    return [node.emit_stated(graph.RegroupOp, bias, dims={"shape": [batch, groups, heads_of(node) // groups, *rest]})]


class _Weighing:
    """Softmax of the scores; optionally the sum has one more term, for a score of 0 or for the sink of each head."""

    def __init__(self, node: Node, groups: int) -> None:
        self._node, self._groups = node, groups
        self._sink = node.optional(11)
        self._is_smooth = node.attr("smooth_softmax", 0) == 1 or self._sink is not None
        self.weights: Value | None = None
        """The weights of values, once they are computed."""

    def __call__(self, scores: Value) -> Value:
        node, last = self._node, rank(scores) - 1
        self.weights = self._with_sink(scores) if self._is_smooth else node.emit(graph.SoftmaxOp, scores, axis=last)
        return self.weights

    def _with_sink(self, scores: Value) -> Value:
        node, sink, axes = self._node, self._sink, (rank(scores) - 1,)
        sinks = np.zeros((), numpy_dtype(dtype(scores))) if sink is None else as_type(node, sink, dtype(scores))
        if sink is not None:
            sinks = node.emit(graph.ReshapeOp, sinks, shape=(self._groups, heads_of(node) // self._groups, 1, 1))
        greatest = node.emit(graph.ReduceMaxOp, scores, axes=axes, keepdims=True)
        powers = node.emit(graph.ExpOp, node.emit(graph.SubOp, scores, greatest))
        total = node.emit(graph.ReduceSumOp, powers, axes=axes, keepdims=True)
        size = node.emit(graph.AddOp, greatest, node.emit(graph.LogOp, total))
        share = node.emit(graph.SigmoidOp, node.emit(graph.SubOp, size, sinks))
        return node.emit(graph.MulOp, node.emit(graph.DivOp, powers, total), share)
