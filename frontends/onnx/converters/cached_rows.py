"""Key-value caches of onnxruntime, in rows of different lengths.

Letters: B is the batch, S the length of the query, K the number of heads of keys and values, H the size of a head. A
cache has C positions in each row. The keys of a row are contiguous: first the cached keys, then the keys of the call.
"""

from __future__ import annotations

import numpy as np

from ....dialects import graph
from ....dialects.graph import Dim
from ....dialects.graph.sizes import larger_of, sum_of
from ..node import Node, Value, as_type, rank, scalar, shape


class CachedRows:
    """The positions of the keys of each row.

    A cache with `sliding_window_cache` and a window W keeps the last keys of each row: all T keys if T <= C, else
    T - n * (C - W + 1) keys, with the least n for which that is at most C.
    """

    def __init__(self, node: Node, length: Dim) -> None:
        if not (node.has(5) and node.has(6)):
            node.fail("TW0303", "expected seqlens_k and total_sequence_length")
        if node.has(3) != node.has(4):
            node.fail("TW0303", "expected past_key and past_value, or none of them")
        self._node = node
        self._length = length
        self._window: int = node.attr("local_window_size", -1)
        self._is_cut = self._check_window()
        self._totals = node.emit(graph.AddOp, self._column(node.input(5)), np.array(1))
        """The number of keys that each row has had, [B, 1]."""
        self._starts = self._first_positions()
        """The position of the call's first key in each row, [B, 1]: after the past keys, or 0 where all are given."""
        self._kept = self._resident(self._starts) if self._is_cut else self._starts
        """The number of keys of each row that are kept, [B, 1]."""

    def _check_window(self) -> bool:
        node = self._node
        if not (kind := node.attr("sliding_window_cache", 0)):
            return False
        if kind != 1 or self._window < 1 or not node.has(3):
            node.fail("TW0303", "expected local_window_size, past_key and past_value beside sliding_window_cache of 1")
        room = shape(node.input(3))[2]
        if not isinstance(room, int):
            node.fail(
                "TW0302", f"expected a cache of a size that is a number beside sliding_window_cache, but got {room}"
            )
        if room < self._window:
            node.fail("TW0303", f"expected a cache of at least {self._window} keys, but got {room}")
        if node.has(10):
            node.fail("TW0302", "input 'attention_bias' beside sliding_window_cache is not supported")
        return True

    def _column(self, numbers: Value) -> Value:
        """Return numbers of rows, [B] or [B, 1], as [B, 1]."""
        wide = as_type(self._node, numbers, "int64")
        return wide if rank(wide) == 2 else self._node.emit(graph.UnsqueezeOp, wide, axes=(1,))

    def _first_positions(self) -> Value:
        node = self._node
        if (lengths := node.optional(16)) is not None:
            if not node.has(3):
                node.fail("TW0303", "expected past_key and past_value beside query_seqlens")
            return node.emit(graph.SubOp, self._totals, self._column(lengths))
        if not node.has(3):
            return node.emit(graph.SubOp, self._totals, self._totals)
        total = self._total()
        length = node.extent(self._length)
        starts = node.emit(graph.SubOp, self._totals, length)
        is_first = node.emit(graph.EqualOp, length, node.extent(total))
        return node.emit(graph.WhereOp, is_first, np.array(0), starts)

    def _total(self) -> Dim:
        total = self._node.constant(6, "the total sequence length").reshape(-1)[0]
        return total if isinstance(total, str) else int(total)

    def _resident(self, totals: Value) -> Value:
        """Return the number of keys, of `totals`, that a cache with a sliding window keeps, [B, 1]."""
        node, room = self._node, shape(self._node.input(3))[2]
        assert isinstance(room, int)
        step = room - self._window + 1
        excess = node.emit(graph.MaximumOp, node.emit(graph.SubOp, totals, np.array(room)), np.array(0))
        steps = node.emit(graph.DivOp, node.emit(graph.AddOp, excess, np.array(step - 1)), np.array(step))
        return node.emit(graph.SubOp, totals, node.emit(graph.MulOp, steps, np.array(step)))

    def numbers(self) -> Value:
        """Return the positions of queries, [B, S]."""
        node = self._node
        if node.has(9):
            return node.input(9)
        return node.emit(graph.AddOp, self._starts, node.positions(self._length))

    def joined(self, past: Value | None, fresh: Value) -> Value:
        """Return all keys or values of each row, [B, K, T, H], and zeros after them."""
        if past is None:
            return fresh
        room = shape(past)[2]
        count = sum_of(room, self._length) if self._is_cut else larger_of(self._total(), room)
        return self._chosen(past, fresh, self._node.positions(count))

    def present(self, past: Value | None, fresh: Value, joined: Value) -> Value:
        """Return the keys or values to keep, where `joined` are all of each row."""
        if past is None or not self._is_cut:
            return joined
        node = self._node
        dropped = node.emit(graph.SubOp, self._end(), self._resident(self._totals))
        return self._chosen(past, fresh, node.emit(graph.AddOp, node.positions(shape(past)[2]), dropped))

    def _end(self) -> Value:
        """Return the number of keys of each row, [B, 1]: the kept keys and those of the call."""
        node = self._node
        if node.has(16):
            return node.emit(graph.AddOp, self._kept, self._column(node.input(16)))
        return node.emit(graph.AddOp, self._kept, node.extent(self._length))

    def _chosen(self, past: Value, fresh: Value, positions: Value) -> Value:
        """Return the keys at positions of each row, [T] or [B, T], and zeros where there are none, as [B, K, T, H]."""
        node = self._node
        behind = node.emit(graph.SubOp, node.extent(shape(past)[2]), self._kept)
        late = node.emit(graph.GreaterEqualOp, positions, self._kept)
        index = node.emit(graph.WhereOp, late, node.emit(graph.AddOp, positions, behind), positions)
        inside = node.emit(graph.LessOp, positions, self._end())
        index = node.emit(graph.WhereOp, inside, index, np.array(0))
        both = node.emit(graph.ConcatOp, past, fresh, axis=2)
        turned = node.emit(graph.TransposeOp, both, permutation=(0, 2, 1, 3))
        found = node.emit(graph.GatherNdOp, turned, node.emit(graph.UnsqueezeOp, index, axes=(0,)), batch=1)
        kept = node.emit(graph.UnsqueezeOp, inside, axes=(2, 3))
        found = node.emit(graph.WhereOp, kept, found, scalar(np.array(0), found))
        return node.emit(graph.TransposeOp, found, permutation=(0, 2, 1, 3))

    def hidden(self, key: Value) -> Value:
        """Return the mask of keys that a query does not see, [B, S, T]."""
        node = self._node
        keys = node.positions(shape(key)[2])
        if self._is_cut:
            first = node.emit(graph.SubOp, self._starts, self._kept)
            keys = node.emit(graph.UnsqueezeOp, node.emit(graph.AddOp, first, keys), axes=(1,))
        here = node.emit(graph.AddOp, self._starts, node.positions(self._length))
        here = node.emit(graph.UnsqueezeOp, here, axes=(2,))
        outside = node.emit(graph.GreaterEqualOp, keys, node.emit(graph.UnsqueezeOp, self._totals, axes=(2,)))
        if node.attr("causal", 1):
            outside = node.emit(graph.OrOp, outside, node.emit(graph.GreaterOp, keys, here))
        if self._window > 0:
            first = node.emit(graph.SubOp, here, np.array(self._window))
            outside = node.emit(graph.OrOp, outside, node.emit(graph.LessEqualOp, keys, first))
        return outside
