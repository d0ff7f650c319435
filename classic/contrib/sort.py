"""Sorting by functions of Python, under the names that old programs call with `tir.call_packed`.

te.extern((n,), [A], lambda ins, outs: tir.call_packed("tvm.contrib.sort.argsort", ins[0], outs[0], 0, True),
          dtype="int32")
"""

from __future__ import annotations

from typing import Any

import numpy as np


def order(values: Any, axis: int, is_ascend: object) -> Any:
    """The indices that sort along an axis; equal elements keep their order."""
    if is_ascend:
        return np.argsort(values, axis=axis, kind="stable")
    turned = np.argsort(np.flip(values, axis), axis=axis, kind="stable")
    return np.flip(values.shape[axis] - 1 - turned, axis)


def argsort(values: Any, result: Any, axis: int = -1, is_ascend: object = True) -> None:
    """Write the indices that sort `values` along an axis."""
    result.copyfrom(order(values, axis, is_ascend).astype(result.dtype))


def sort(values: Any, result: Any, axis: int = -1, is_ascend: object = True) -> None:
    """Write `values`, sorted along an axis."""
    result.copyfrom(np.take_along_axis(values, order(values, axis, is_ascend), axis))
