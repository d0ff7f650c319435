"""Rotary embeddings and attention whose queries share keys and values in groups, as onnxruntime has them.

Letters are those of `attention`; K is the number of heads of keys and values, each for N / K heads of queries.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....dialects import graph
from ....dialects.dtypes import numpy_dtype
from ....dialects.graph import Dim
from ....dialects.graph.sizes import larger_of
from ....operators.record import WIDE
from ..node import Node, Value, as_type, check_signature, dtype, in_accumulator, rank, scalar, shape, static_dim
from .attention import Weights, attend, heads_of, in_heads, places, refuse_attributes


def rotary_embedding(node: Node) -> Value:
    """Pairs of channels of each head, turned by the angle of their place. x is [B, S, D] or [B, N, S, H]."""
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
        numbers = node.emit(graph.AddOp, places(node, shape(parts)[2]), as_type(node, start, "int64"))
    angles = [_angles(node, node.input(k), numbers) for k in (2, 3)]
    result = rotated(node, parts, angles, node.flag("interleaved", 0))
    if rank(x) == 4:
        return result
    apart = node.emit(graph.TransposeOp, result, permutation=(0, 2, 1, 3))
    return node.emit(graph.ReshapeOp, apart, shape=(0, 0, static_dim(node, shape(x)[2], "the size of the heads")))


def _angles(node: Node, cache: Value, numbers: Value) -> Value:
    """Cosines or sines of places, [B, S] or [S], so that they broadcast with [B, N, S, H / 2]."""
    found = node.emit(graph.GatherOp, cache, numbers, axis=0)
    return found if rank(found) == 2 else node.emit(graph.UnsqueezeOp, found, axes=(1,))


def rotated(node: Node, x: Value, angles: Sequence[Value], is_interleaved: bool) -> Value:
    """[B, N, S, H] with its first channels turned: pairs are neighbours, or one channel of each half."""
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
    """
    Attention to keys that come before, of rows whose lengths differ: `seqlens_k` is one less than how many keys each
    row has, those of this call among them. Keys and values go behind what is past, and are results.
    """
    names = "query key value past_key past_value seqlens_k total_sequence_length cos_cache sin_cache position_ids"
    refused = "k_scale v_scale q_norm_weight k_norm_weight query_seqlens"
    check_signature(node, 1, f"{names} attention_bias head_sink {refused}", refused)
    refuse_attributes(node, "kv_cache_bit_width", "qk_output", "sliding_window_cache")
    for name in ("k_quant_type", "v_quant_type"):
        if (kind := node.attr(name, "NONE")) != "NONE":
            node.fail("TW0306", f"attribute '{name}' with value {kind} is not supported")
    for name in ("k_norm_epsilon", "q_norm_epsilon", "qk_norm_epsilon"):  # for inputs that are refused
        node.attr(name, 0)
    groups = node.attr("kv_num_heads", 0)
    if groups < 1 or heads_of(node) % groups:
        node.fail("TW0303", f"expected attribute 'kv_num_heads' to divide {heads_of(node)} heads, but got {groups}")
    query, key, value = _separate(node, groups)
    rows = _Rows(node, query)
    if node.attr("do_rotary", 0):
        if not (node.has(7) and node.has(8)):
            node.fail("TW0303", "expected cos_cache and sin_cache beside do_rotary")
        angles = [_angles(node, node.input(k), rows.numbers()) for k in (7, 8)]
        is_interleaved = node.flag("rotary_interleaved", 0)
        query, key = (rotated(node, each, angles, is_interleaved) for each in (query, key))
    node.attr("rotary_interleaved", 0)
    key, value = (rows.placed(node.optional(index), each) for index, each in ((3, key), (4, value)))
    apart, size = heads_of(node) // groups, static_dim(node, shape(query)[3], "the size of a head")
    inner = node.emit(graph.ReshapeOp, query, shape=(0, groups, apart, -1, size))
    bias = [rows.hidden(key), *_bias_in_groups(node, groups)]
    keys, values = (node.emit(graph.UnsqueezeOp, each, axes=(2,)) for each in (key, value))
    result, _ = attend(node, inner, keys, values, bias, _weights(node, groups), node.attr("softcap", 0.0))
    return result, key, value


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


class _Rows:
    """Where the keys of each row stand."""

    def __init__(self, node: Node, query: Value):
        if not (node.has(5) and node.has(6)):
            node.fail("TW0303", "expected seqlens_k and total_sequence_length")
        if node.has(3) != node.has(4):
            node.fail("TW0303", "expected past_key and past_value, or none of them")
        self._node = node
        self._length: Dim = shape(query)[2]
        lengths = node.input(5)
        lengths = node.emit(graph.SqueezeOp, lengths, axes=(1,)) if rank(lengths) == 2 else lengths
        totals = node.emit(graph.AddOp, as_type(node, lengths, "int64"), np.array(1))
        self.totals = node.emit(graph.UnsqueezeOp, totals, axes=(1,))
        """How many keys each row has, [B, 1]."""
        self.starts = self._starts()
        """Where the keys of this call begin, [B, 1]: after those that are past, or at 0 where all keys are given."""

    def _starts(self) -> Value:
        node = self._node
        if not node.has(3):
            return node.emit(graph.SubOp, self.totals, self.totals)
        total = self._total()
        length = node.extent(self._length)
        starts = node.emit(graph.SubOp, self.totals, length)
        is_first = node.emit(graph.EqualOp, length, node.extent(total))
        return node.emit(graph.WhereOp, is_first, np.array(0), starts)

    def _total(self) -> Dim:
        total = self._node.constant(6, "the total sequence length").reshape(-1)[0]
        return total if isinstance(total, str) else int(total)

    def numbers(self) -> Value:
        """The places of queries, [B, S]."""
        node = self._node
        if node.has(9):
            return node.input(9)
        return node.emit(graph.AddOp, self.starts, places(node, self._length))

    def placed(self, past: Value | None, fresh: Value) -> Value:
        """Keys or values, [B, K, T, H]: those of this call behind what is past in each row, and zeros after."""
        node = self._node
        if past is None:
            return fresh
        room, length = shape(past)[2], node.extent(self._length)
        keys = places(node, larger_of(self._total(), room))
        behind = node.emit(graph.SubOp, node.extent(room), self.starts)
        late = node.emit(graph.GreaterEqualOp, keys, self.starts)
        index = node.emit(graph.WhereOp, late, node.emit(graph.AddOp, keys, behind), keys)
        end = node.emit(graph.AddOp, self.starts, length)
        inside = node.emit(graph.LessOp, keys, end)
        index = node.emit(graph.WhereOp, inside, index, np.array(0))
        both = node.emit(graph.ConcatOp, past, fresh, axis=2)
        turned = node.emit(graph.TransposeOp, both, permutation=(0, 2, 1, 3))
        found = node.emit(graph.GatherNdOp, turned, node.emit(graph.UnsqueezeOp, index, axes=(0,)), batch=1)
        kept = node.emit(graph.UnsqueezeOp, inside, axes=(2, 3))
        found = node.emit(graph.WhereOp, kept, found, scalar(np.array(0), found))
        return node.emit(graph.TransposeOp, found, permutation=(0, 2, 1, 3))

    def hidden(self, key: Value) -> Value:
        """A large number below 0 where a query does not see a key, [B, 1, 1, S, T]."""
        node = self._node
        keys = places(node, shape(key)[2])
        here = node.emit(graph.AddOp, self.starts, places(node, self._length))
        here = node.emit(graph.UnsqueezeOp, here, axes=(2,))
        outside = node.emit(graph.GreaterEqualOp, keys, node.emit(graph.UnsqueezeOp, self.totals, axes=(2,)))
        if node.attr("causal", 1):
            outside = node.emit(graph.OrOp, outside, node.emit(graph.GreaterOp, keys, here))
        if (window := node.attr("local_window_size", -1)) > 0:
            first = node.emit(graph.SubOp, here, np.array(window))
            outside = node.emit(graph.OrOp, outside, node.emit(graph.LessEqualOp, keys, first))
        wide = numpy_dtype(WIDE.of(dtype(key)))
        lowest = np.array(np.finfo(np.float32).min, wide)
        return node.emit(graph.UnsqueezeOp, node.emit(graph.WhereOp, outside, lowest, np.zeros((), wide)), axes=(1, 2))


def _bias_in_groups(node: Node, groups: int) -> list[Value]:
    """The bias of scores, [B, N, S, T], with its heads in groups."""
    bias = node.optional(10)
    if bias is None:
        return []
    batch, heads, *rest = shape(bias)
    if heads == 1:
        return [node.emit(graph.UnsqueezeOp, bias, axes=(2,))]
    return [node.emit_stated(graph.RegroupOp, bias, dims={"shape": [batch, groups, heads_of(node) // groups, *rest]})]


def _weights(node: Node, groups: int) -> Weights | None:
    """Softmax whose sum has one more term, of a score of 0 or one of its own for each head, where the node says so."""
    sink = node.optional(11)
    if sink is None and node.attr("smooth_softmax", 0) != 1:
        return None
    node.attr("smooth_softmax", 0)

    def weighted(scores: Value) -> Value:
        axes = (rank(scores) - 1,)
        own = np.zeros((), numpy_dtype(dtype(scores))) if sink is None else as_type(node, sink, dtype(scores))
        if sink is not None:
            own = node.emit(graph.ReshapeOp, own, shape=(groups, heads_of(node) // groups, 1, 1))
        greatest = node.emit(graph.ReduceMaxOp, scores, axes=axes, keepdims=True)
        powers = node.emit(graph.ExpOp, node.emit(graph.SubOp, scores, greatest))
        total = node.emit(graph.ReduceSumOp, powers, axes=axes, keepdims=True)
        size = node.emit(graph.AddOp, greatest, node.emit(graph.LogOp, total))
        share = node.emit(graph.SigmoidOp, node.emit(graph.SubOp, size, own))
        return node.emit(graph.MulOp, node.emit(graph.DivOp, powers, total), share)

    return weighted
