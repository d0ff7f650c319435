"""Elements repeated, reversed, stacked, moved between channels and space, or made of nothing but their index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import te
from .record import FusionKind, Operator
from .windows import Layout


def _tile_te(x: te.Tensor, *, repeats: Sequence[Any]) -> te.Tensor:
    rank = max(x.ndim, len(repeats))
    times = [1] * (rank - len(repeats)) + list(repeats)
    sizes = [1] * (rank - x.ndim) + list(x.shape)

    def element(*index: Any) -> te.Expr:
        own = zip(index[rank - x.ndim :], x.shape, times[rank - x.ndim :], strict=True)
        return x(*(i if count == 1 else i % size for i, size, count in own))

    return te.compute([size * count for size, count in zip(sizes, times, strict=True)], element, name="tile")


def _repeat_te(x: te.Tensor, *, repeats: int, axis: int) -> te.Tensor:
    axis %= x.ndim
    shape = (*x.shape[:axis], x.shape[axis] * repeats, *x.shape[axis + 1 :])
    return te.compute(shape, lambda *i: x(*i[:axis], i[axis] // repeats, *i[axis + 1 :]), name="repeat")


def _flip_te(x: te.Tensor, *, axes: Sequence[int]) -> te.Tensor:
    turned = {axis % x.ndim for axis in axes}

    def element(*index: Any) -> te.Expr:
        return x(*(x.shape[d] - 1 - i if d in turned else i for d, i in enumerate(index)))

    return te.compute(x.shape, element, name="flip")


def _stack_te(*inputs: te.Tensor, axis: int) -> te.Tensor:
    """Reads are guarded: each element comes from the one operand that its index names."""
    axis %= inputs[0].ndim + 1

    def element(*index: Any) -> te.Expr:
        own = (*index[:axis], *index[axis + 1 :])
        value: te.Expr = inputs[-1](*own)
        for k in reversed(range(len(inputs) - 1)):
            value = te.if_then_else(index[axis] < k + 1, inputs[k](*own), value)
        return value

    shape = inputs[0].shape
    return te.compute((*shape[:axis], len(inputs), *shape[axis:]), element, name="stack")


def _depth_to_space_te(x: te.Tensor, *, block: int, mode: str = "DCR", layout: Layout | None = None) -> te.Tensor:
    """Channels become blocks of pixels; the place in one is the outer (DCR) or inner (CRD) part of the channel."""
    layout = layout or Layout()
    height, width = layout.spatial(x.shape)
    depth = layout.channels(x.shape) // (block * block)

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        h, w = at
        place = h % block * block + w % block
        channel = place * depth + c if mode == "DCR" else c * (block * block) + place
        return x(*layout.index(n, channel, (h // block, w // block)))

    shape = layout.index(x.shape[0], depth, (height * block, width * block))
    return te.compute(shape, layout.element(2, element), name="depth_to_space")


def _depth_to_space_reference(x: np.ndarray, *, block: int, mode: str = "DCR") -> np.ndarray:
    n, c, h, w = x.shape
    depth = c // (block * block)
    if mode == "DCR":
        split = x.reshape(n, block, block, depth, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        split = x.reshape(n, depth, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    return split.reshape(n, depth, h * block, w * block)


def _space_to_depth_te(x: te.Tensor, *, block: int, mode: str = "DCR", layout: Layout | None = None) -> te.Tensor:
    """Blocks of pixels become channels; the place in one is the outer (DCR) or inner (CRD) part of the channel."""
    layout = layout or Layout()
    height, width = layout.spatial(x.shape)
    depth = layout.channels(x.shape)

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        area = block * block
        place, channel = (c // depth, c % depth) if mode == "DCR" else (c % area, c // area)
        pixel = (at[0] * block + place // block, at[1] * block + place % block)
        return x(*layout.index(n, channel, pixel))

    shape = layout.index(x.shape[0], depth * (block * block), (height // block, width // block))
    return te.compute(shape, layout.element(2, element), name="space_to_depth")


def _space_to_depth_reference(x: np.ndarray, *, block: int, mode: str = "DCR") -> np.ndarray:
    n, c, h, w = x.shape
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    split = x.reshape(n, c, h // block, block, w // block, block).transpose(order)
    return split.reshape(n, c * block * block, h // block, w // block)


def _full_te(*, shape: Sequence[Any], value: Any, dtype: str) -> te.Tensor:
    number = te.cast(dtype, value) if isinstance(value, te.Expr) else te.const(value, dtype)
    return te.compute(shape, lambda *i: number, name="full")


def _arange_te(*, start: Any, step: Any, count: Any, dtype: str) -> te.Tensor:
    """start + i * step, the product taken in the element type."""
    first, stride = (te.cast(dtype, x) if isinstance(x, te.Expr) else te.const(x, dtype) for x in (start, step))
    return te.compute((count,), lambda i: first + i.astype(dtype) * stride, name="arange")


def _arange_reference(*, start: float, step: float, count: int, dtype: str) -> np.ndarray:
    kind = np.dtype(dtype).type
    return kind(start) + np.arange(count).astype(dtype) * kind(step)


OPERATORS = {
    name: Operator(name, FusionKind.INJECTIVE, reference, body)
    for name, reference, body in (
        ("tile", lambda x, repeats: np.tile(x, tuple(repeats)), _tile_te),
        ("repeat", lambda x, repeats, axis: np.repeat(x, repeats, axis), _repeat_te),
        ("flip", lambda x, axes: np.flip(x, tuple(axes)), _flip_te),
        ("stack", lambda *inputs, axis: np.stack(inputs, axis), _stack_te),
        ("depth_to_space", _depth_to_space_reference, _depth_to_space_te),
        ("space_to_depth", _space_to_depth_reference, _space_to_depth_te),
        ("full", lambda shape, value, dtype: np.full(shape, value, dtype), _full_te),
        ("arange", _arange_reference, _arange_te),
    )
}
