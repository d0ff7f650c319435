"""numpy's broadcasting for tensor expressions: the index into an operand that corresponds to an output index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .deferred import te
from .sizes import is_one


def broadcast_shape(*shapes: Sequence[Any]) -> tuple[Any, ...]:
    """Return the shape that shapes stretch to. They are known to be compatible: who made the operator has verified
    it."""
    rank = max(map(len, shapes), default=0)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(_stretched(sizes) for sizes in zip(*padded, strict=True))


def _stretched(sizes: Sequence[Any]) -> Any:
    """Return the size that is not 1, a number before an expression."""
    stretched = [size for size in sizes if not is_one(size)]
    return next((size for size in stretched if isinstance(size, int)), stretched[0] if stretched else 1)


def read_broadcast(operand: te.Tensor | Any, index: Sequence[Any]) -> te.Expr | Any:
    """Return the element at an output index: aligned at the end, dimensions of size 1 stretched. A number is itself."""
    if not isinstance(operand, te.Tensor):
        return operand
    aligned = index[len(index) - operand.ndim :]
    return operand(*(0 if is_one(size) else i for size, i in zip(operand.shape, aligned, strict=True)))
