"""
Margins around a tensor, of one value or of its own elements.

Mode `reflect` mirrors about the border element, `symmetric` about the border, `edge` repeats the border element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import te
from .record import FusionKind, Operator
from .windows import inside


def _pad_te(
    x: te.Tensor, *, before: Sequence[Any], after: Sequence[Any], value: float = 0.0, mode: str = "constant"
) -> te.Tensor:
    shape = [low + size + high for low, size, high in zip(before, x.shape, after, strict=True)]
    if mode != "constant":
        return te.compute(shape, lambda *i: x(*_mirrored(i, x.shape, before, after, mode)), name=f"pad_{mode}")

    def element(*index: Any) -> te.Expr:
        places = [i - low for i, low in zip(index, before, strict=True)]
        edges = zip(places, x.shape, before, after, strict=True)
        conditions = [c for place, size, low, high in edges for c in inside(place, size, _some(low), _some(high))]
        read = x(*places)
        return te.if_then_else(te.all(*conditions), read, _constant(value, x.dtype)) if conditions else read

    return te.compute(shape, element, name="pad")


def _some(amount: Any) -> bool:
    """Whether there is, or may be, a margin."""
    return not isinstance(amount, int) or amount > 0


def _constant(value: float, dtype: str) -> te.Expr:
    return te.const(value if "float" in dtype else int(value), dtype)


def _mirrored(
    index: Sequence[Any], shape: Sequence[Any], before: Sequence[Any], after: Sequence[Any], mode: str
) -> list[Any]:
    """The index of the element that a margin repeats."""
    result: list[Any] = []
    for i, size, low, high in zip(index, shape, before, after, strict=True):
        place = i - low
        first = {"edge": 0 * place, "reflect": -place, "symmetric": -1 - place}[mode]
        last = {"edge": 0 * place + size - 1, "reflect": 2 * size - 2 - place, "symmetric": 2 * size - 1 - place}[mode]
        if _some(high):
            place = te.Select(place >= size, last, place)
        if _some(low):
            place = te.Select(i - low < 0, first, place)
        result.append(place)
    return result


def _pad_reference(
    x: np.ndarray, *, before: Sequence[int], after: Sequence[int], value: float = 0.0, mode: str = "constant"
) -> np.ndarray:
    amounts = list(zip(before, after, strict=True))
    if mode == "constant":
        return np.pad(x, amounts, constant_values=x.dtype.type(value))
    return np.pad(x, amounts, mode=mode)  # pyright: ignore[reportArgumentType, reportCallIssue]


OPERATORS = {"pad": Operator("pad", FusionKind.INJECTIVE, _pad_reference, _pad_te)}
