"""Sorting by Python functions, under the names that old programs call with `tir.call_packed`.

te.extern((n,), [A], lambda ins, outs: tir.call_packed("tvm.contrib.sort.argsort", ins[0], outs[0], 0, True),
          dtype="int32")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...topi.arguments import an_axis, one_of, refuse


def order(values: Any, axis: int, is_ascend: object) -> Any:
    """Return the indices that sort along an axis; equal elements keep their order."""
    position = an_axis(axis, values.ndim)
    if is_ascend:
        return np.argsort(values, axis=position, kind="stable")
    turned = np.argsort(np.flip(values, position), axis=position, kind="stable")
    return np.flip(values.shape[position] - 1 - turned, position)


def argsort(values: Any, result: Any, axis: int = -1, is_ascend: object = True) -> None:
    """Write the indices that sort `values` along an axis."""
    result.copyfrom(order(values, axis, is_ascend).astype(result.dtype))


def argsort_nms(values: Any, counts: Any, result: Any, axis: int = -1, is_ascend: object = True) -> None:
    """Write the indices that sort the first so many elements along an axis, as `counts` has them for each row; those of
    the others stay. Raises TW0441 for an axis that is not there, TW0444 for other counts."""
    position = an_axis(axis, values.ndim)
    rows, valid = np.moveaxis(np.asarray(values), position, -1), np.asarray(counts)
    if valid.shape != rows.shape[:-1]:
        refuse("TW0444", f"expected counts of shape {rows.shape[:-1]}, but got {valid.shape}")
    indices = np.broadcast_to(np.arange(rows.shape[-1]), rows.shape).copy()
    for row in np.ndindex(valid.shape):
        count = max(int(valid[row]), 0)
        indices[row][:count] = order(rows[row][:count], 0, is_ascend)
    result.copyfrom(np.moveaxis(indices, -1, position).astype(result.dtype))


def sort(values: Any, result: Any, axis: int = -1, is_ascend: object = True) -> None:
    """Write `values`, sorted along an axis."""
    result.copyfrom(np.take_along_axis(values, order(values, axis, is_ascend), axis))


def topk(values: Any, *results_and_options: Any) -> None:
    """Write the first k elements in sorted order, their indices, or "both": `topk(values, *results, k, axis, ret_type,
    is_ascend)`. k below 1 means all. Raises TW0441 and TW0443 for an axis and a `ret_type` that are not there."""
    *results, k, axis, ret_type, is_ascend = results_and_options
    one_of(ret_type, ("both", "values", "indices"), "kind of result")
    indices = order(values, axis, is_ascend)
    indices = indices.take(np.arange(k if k > 0 else indices.shape[axis]), axis)
    found = {"values": np.take_along_axis(np.asarray(values), indices, axis), "indices": indices}
    for kind, result in zip(found if ret_type == "both" else [ret_type], results, strict=True):
        result.copyfrom(found[kind].astype(result.dtype))
