"""numpy's broadcasting, written for tensor expressions: which element of an operand belongs to an output index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..te import Expr, Tensor


def is_one(size: Any) -> bool:
    """Whether a size is statically 1; a symbolic one never counts as 1."""
    return isinstance(size, int) and size == 1


def broadcast_shape(*tensors: Tensor) -> tuple[Any, ...]:
    """The shape that the tensors stretch to. They are known to be compatible: the graph op verified it."""
    rank = max(tensor.ndim for tensor in tensors)
    padded = [(1,) * (rank - tensor.ndim) + tuple(tensor.shape) for tensor in tensors]
    return tuple(next((size for size in sizes if not is_one(size)), 1) for sizes in zip(*padded, strict=True))


def read_broadcast(tensor: Tensor, index: Sequence[Any]) -> Expr:
    """The element of `tensor` at an output index: aligned at the end, dimensions of size 1 stretched."""
    own = index[len(index) - tensor.ndim :]
    return tensor(*(0 if is_one(size) else i for size, i in zip(tensor.shape, own, strict=True)))
