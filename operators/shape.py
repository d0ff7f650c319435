"""Operators that move elements without computing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import te
from .blocks import concat_in_blocks
from .broadcasting import read_broadcast
from .record import FusionKind, Operator
from .sizes import same_size


def _resolve(shape: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
    """The sizes that `graph.reshape` means by 0 and -1."""
    sizes: list[Any] = [shape[axis] if size == 0 else size for axis, size in enumerate(wanted)]
    if -1 not in wanted:
        return sizes
    open_axis = wanted.index(-1)
    kept = {axis for axis, size in enumerate(wanted) if size == 0}
    taken = math.prod(size for axis, size in enumerate(sizes) if axis != open_axis and axis not in kept)
    total: Any = math.prod(size for axis, size in enumerate(shape) if axis not in kept)
    sizes[open_axis] = total // taken
    return sizes


def _reorder_free(x: te.Tensor, shape: Sequence[Any], name: str) -> te.Tensor:
    """
    The elements of `x` in row-major order under another shape. Leading dimensions that stay the same keep their
    index, so that a symbolic one is never divided.
    """
    same = 0
    while same < min(x.ndim, len(shape)) and same_size(x.shape[same], shape[same]):
        same += 1

    def element(*index: Any) -> te.Expr:
        flat: Any = 0
        for i, size in zip(index[same:], shape[same:], strict=True):
            flat = flat * size + i
        return x(*index[:same], *_unflatten(flat, x.shape[same:]))

    return te.compute(shape, element, name=name)


def _unflatten(flat: Any, shape: Sequence[Any]) -> list[Any]:
    """The index of the flat-th element; the first dimension takes what the others leave."""
    index: list[Any] = []
    for axis in range(len(shape) - 1, 0, -1):
        index.append(flat % shape[axis])
        flat = flat // shape[axis]
    return [*([flat] if shape else []), *reversed(index)]


def _reshape_te(x: te.Tensor, *, shape: Sequence[Any], literal: bool = False) -> te.Tensor:
    """`literal` where the sizes mean what they say: 0 is none, and there is no -1."""
    return _reorder_free(x, shape if literal else _resolve(x.shape, shape), "reshape")


def _reshape_reference(x: np.ndarray, *, shape: Sequence[int]) -> np.ndarray:
    return x.reshape(_resolve(x.shape, shape))


def _flat_shape(shape: Sequence[Any], axis: int) -> tuple[Any, Any]:
    split = axis + len(shape) if axis < 0 else axis
    return math.prod(shape[:split]), math.prod(shape[split:])


def _flatten_te(x: te.Tensor, *, axis: int) -> te.Tensor:
    return _reorder_free(x, _flat_shape(x.shape, axis), "flatten")


def _squeeze_te(x: te.Tensor, *, axes: Sequence[int]) -> te.Tensor:
    dropped = {axis % x.ndim for axis in axes}
    kept = [axis for axis in range(x.ndim) if axis not in dropped]

    def element(*index: Any) -> te.Expr:
        at = dict(zip(kept, index, strict=True))
        return x(*(at.get(axis, 0) for axis in range(x.ndim)))

    return te.compute([x.shape[axis] for axis in kept], element, name="squeeze")


def _unsqueeze_te(x: te.Tensor, *, axes: Sequence[int]) -> te.Tensor:
    rank = x.ndim + len(axes)
    added = {axis % rank for axis in axes}
    sizes = iter(x.shape)
    shape = [1 if axis in added else next(sizes) for axis in range(rank)]
    return te.compute(shape, lambda *i: x(*(at for axis, at in enumerate(i) if axis not in added)), name="unsqueeze")


def _transpose_te(x: te.Tensor, *, permutation: Sequence[int]) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        at = dict(zip(permutation, index, strict=True))
        return x(*(at[axis] for axis in range(x.ndim)))

    return te.compute([x.shape[axis] for axis in permutation], element, name="transpose")


def _is_open(size: Any) -> bool:
    """Whether a size is the -1 that stands for the operand's own."""
    return isinstance(size, int) and size == -1


def _target(shape: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
    lead = len(wanted) - len(shape)
    return [shape[axis - lead] if _is_open(size) else size for axis, size in enumerate(wanted)]


def _broadcast_te(x: te.Tensor, *, shape: Sequence[int]) -> te.Tensor:
    return te.compute(_target(x.shape, shape), lambda *i: read_broadcast(x, i), name="broadcast_to")


def _concat_te(*inputs: te.Tensor, axis: int) -> te.Tensor:
    """Reads are guarded in order: an element comes from the first operand that reaches that far."""
    axis %= inputs[0].ndim
    ends: list[Any] = []
    for tensor in inputs:
        ends.append(tensor.shape[axis] + (ends[-1] if ends else 0))

    def element(*index: Any) -> te.Expr:
        def piece(k: int) -> te.Expr:
            start = ends[k - 1] if k else 0
            value = inputs[k](*index[:axis], index[axis] - start, *index[axis + 1 :])
            return value if k == len(inputs) - 1 else te.if_then_else(index[axis] < ends[k], value, piece(k + 1))

        return piece(0)

    shape = (*inputs[0].shape[:axis], ends[-1], *inputs[0].shape[axis + 1 :])
    return te.compute(shape, element, name="concat")


def _concat_reference(*inputs: np.ndarray, axis: int) -> np.ndarray:
    return np.concatenate(inputs, axis=axis)


def _split_te(x: te.Tensor, *, axis: int, sizes: Sequence[int]) -> tuple[te.Tensor, ...]:
    axis %= x.ndim

    def piece(start: int, size: int) -> te.Tensor:
        return te.compute(
            (*x.shape[:axis], size, *x.shape[axis + 1 :]),
            lambda *i: x(*i[:axis], i[axis] + start, *i[axis + 1 :]),
            name="split",
        )

    return tuple(piece(sum(sizes[:k]), size) for k, size in enumerate(sizes))


def _split_reference(x: np.ndarray, *, axis: int, sizes: Sequence[int]) -> list[np.ndarray]:
    return np.split(x, np.cumsum(sizes)[:-1], axis=axis)


def _slice_te(x: te.Tensor, *, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> te.Tensor:
    shape = [whole if _is_open(size) else size for whole, size in zip(x.shape, sizes, strict=True)]
    return te.compute(
        shape,
        lambda *i: x(*(start + at * step for start, at, step in zip(starts, i, steps, strict=True))),
        name="slice",
    )


def _slice_reference(x: np.ndarray, *, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> np.ndarray:
    extents = [whole if size == -1 else size for whole, size in zip(x.shape, sizes, strict=True)]
    chosen = [start + step * np.arange(extent) for start, extent, step in zip(starts, extents, steps, strict=True)]
    return x[np.ix_(*chosen)] if chosen else x


OPERATORS = {
    name: Operator(name, FusionKind.INJECTIVE, reference, body)
    for name, reference, body in (
        ("reshape", _reshape_reference, _reshape_te),
        ("flatten", lambda x, axis: x.reshape(_flat_shape(x.shape, axis)), _flatten_te),
        ("squeeze", lambda x, axes: np.squeeze(x, tuple(axes)), _squeeze_te),
        ("unsqueeze", lambda x, axes: np.expand_dims(x, tuple(axes)), _unsqueeze_te),
        ("transpose", lambda x, permutation: np.transpose(x, permutation), _transpose_te),
        ("broadcast_to", lambda x, shape: np.broadcast_to(x, _target(x.shape, shape)), _broadcast_te),
        ("split", _split_reference, _split_te),
        ("slice", _slice_reference, _slice_te),
    )
} | {"concat": Operator("concat", FusionKind.INJECTIVE, _concat_reference, _concat_te, concat_in_blocks)}
