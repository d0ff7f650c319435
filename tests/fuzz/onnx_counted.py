"""Makers of nodes whose results have as many elements as data says."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from .onnx_pool import Info, Pool, Size, Unfit

_TYPES = ("float32", "int64", "int32")


def _read(g: Pool, made: Info) -> None:
    """Keep the result as an output of the model, or add the number of its elements, which is one size for all
    counts."""
    if not g.within and g.draw.chance(0.6):
        return
    g.typed("Size", [made.name], [("int64", ())])


def _whole(g: Pool, dtype: str, shape: tuple[Size, ...]) -> Info:
    """Return numbers that are equal to each other and to 0 often, and that nothing rounds."""
    return g.input(dtype, shape, (-2, 3))


def non_zero(g: Pool, operator: str) -> None:
    x = _whole(g, g.draw.one_of(_TYPES), g.shape(g.draw.between(1, 3)))
    _read(g, g.typed(operator, [x.name], [("int64", (x.rank, None))])[0])


def compress(g: Pool, operator: str) -> None:
    if g.opset < 9:
        raise Unfit
    x = g.operand("any", least=1, most=3, fits=lambda info: None not in info.shape)
    axis = g.draw.between(0, x.rank - 1) if g.draw.chance(0.7) else None
    condition = g.input("bool", (_at_most(g, x, axis),))
    shape = (None,) if axis is None else tuple(None if d == axis else size for d, size in enumerate(x.shape))
    attributes: dict[str, Any] = {} if axis is None else {"axis": axis}
    _read(g, g.typed(operator, [x.name, condition.name], [(x.dtype, shape)], **attributes)[0])


def _at_most(g: Pool, x: Info, axis: int | None) -> int | str:
    """Return a size of a condition: one that is longer than what it chooses from is an error of the call."""
    size = x.shape[axis] if axis is not None else None
    if isinstance(size, str):
        return size
    if axis is None and not all(isinstance(each, int) for each in x.shape):
        raise Unfit
    most = min(4, prod(x.size(k) for k in range(x.rank))) if axis is None else x.size(axis)
    if most == 0:
        raise Unfit
    return g.draw.between(1, most)


def unique(g: Pool, operator: str) -> None:
    if g.opset < 11:
        raise Unfit
    x = _whole(g, g.draw.one_of(("float32", "int64", "float64")), g.shape(g.draw.between(1, 2)))
    axis = {"axis": 0} if x.rank == 1 and g.draw.chance(0.3) else {}
    kinds = [(x.dtype, (None,)), *[("int64", (None,))] * g.draw.between(0, 3)]
    for made in g.typed(operator, [x.name], kinds, sorted=g.draw.between(0, 1), **axis):
        _read(g, made)


def non_max_suppression(g: Pool, operator: str) -> None:
    """Add a suppression of boxes by corners or by centres."""
    if g.opset < 10:
        raise Unfit
    batch, classes, count = (g.draw.between(1, most) for most in (2, 3, 8))
    corners = g.numbers("float32", (batch, count, 2), 0.0, 3.0)
    sizes = g.numbers("float32", (batch, count, 2), 0.5, 3.0)
    by_centre = g.draw.between(0, 1)
    boxes = np.concatenate([corners, sizes if by_centre else corners + sizes], 2)
    limits = [g.constant(np.array(g.draw.between(0, 5)))]
    limits.append(g.constant(np.array(g.draw.one_of((0.0, 0.3, 0.5)), np.float32)) if g.draw.chance(0.8) else "")
    if limits[-1] and g.draw.chance(0.6):
        limits.append(g.constant(np.array(0.4, np.float32)))
    scores = g.input("float32", (batch, classes, count)).name
    inputs = [g.constant(boxes), scores, *(limits if limits[-1] else limits[:1])]
    _read(g, g.typed(operator, inputs, [("int64", (None, 3))], center_point_box=by_centre)[0])


_NAMES: dict[Callable[[Pool, str], None], str] = {
    non_zero: "NonZero",
    compress: "Compress",
    unique: "Unique",
    non_max_suppression: "NonMaxSuppression",
}

MAKERS: dict[str, Callable[[Pool, str], None]] = {name: maker for maker, name in _NAMES.items()}
"""ONNX operator -> the function that puts a node of it into a model."""
