"""Programs of products, and what they compute, for tests of the rule for these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from tilewright import te
from tilewright.schedule.rules.cuda import product as rule
from tilewright.schedule.rules.cuda import tensor_product as tensor_rule
from tilewright.schedule.rules.cuda.product_tiles import ProductTile


def matmul(
    m: Any,
    n: Any,
    k: Any,
    dtype: str = "float32",
    sums: str | None = None,
    *,
    turned: str = "",
    epilogue: Callable[[Any, int], Any] | None = None,
) -> tuple[list[te.Tensor], te.Tensor]:
    """Return a matrix product; `turned` names the operands that are given transposed."""
    a = te.placeholder((k, m) if "A" in turned else (m, k), dtype, name="A")
    b = te.placeholder((n, k) if "B" in turned else (k, n), dtype, name="B")
    r = te.reduce_axis((0, k), name="k")

    def term(i, j):
        left = a[r, i] if "A" in turned else a[i, r]
        right = b[j, r] if "B" in turned else b[r, j]
        return left * right if sums is None else left.astype(sums) * right.astype(sums)

    c = te.compute((m, n), lambda i, j: te.sum(term(i, j), axis=r), name="C")
    return [a, b], c if epilogue is None else te.compute((m, n), lambda i, j: epilogue(c[i, j], j), name="D")


def exact(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int64 if values.dtype.kind in "iu" else np.float64)


def close(actual: np.ndarray, expected: np.ndarray, tolerance: float = 1e-5) -> None:
    """Check that the results differ by at most a part of the largest value."""
    assert actual.shape == expected.shape
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * max(np.abs(expected).max(), 1e-30))


@contextmanager
def tiles(monkeypatch: pytest.MonkeyPatch, *parts: int, divided: int = 1):
    """Let the rule choose a tile: rows, columns, terms, and rows and columns of a thread; its terms in parts.

    None is for tensor cores.
    """
    with monkeypatch.context() as patch:
        patch.setattr(tensor_rule, "choose_warp_plan", lambda *given: None)
        patch.setattr(rule, "choose_plan", lambda *given: (ProductTile(*parts), divided))
        yield


def convolved(
    x: np.ndarray, w: np.ndarray, strides: Sequence[int], padding: Sequence[int], dilation: Sequence[int], groups: int
) -> np.ndarray:
    """Return a convolution in the layout NCHW, in double precision."""
    (top, left), (sy, sx), (dy, dx) = padding, strides, dilation
    x, w = exact(np.pad(x, ((0, 0), (0, 0), (top, top), (left, left)))), exact(w)
    filters, channels, height, width = w.shape
    rows = (x.shape[2] - (height - 1) * dy - 1) // sy + 1
    columns = (x.shape[3] - (width - 1) * dx - 1) // sx + 1
    y = np.zeros((x.shape[0], groups, filters // groups, rows, columns), w.dtype)
    for r in range(height):
        for s in range(width):
            part = x[:, :, r * dy : r * dy + (rows - 1) * sy + 1 : sy, s * dx : s * dx + (columns - 1) * sx + 1 : sx]
            part = part.reshape(x.shape[0], groups, channels, rows, columns)
            y += np.einsum("ngcyx,goc->ngoyx", part, w[:, :, r, s].reshape(groups, -1, channels))
    return y.reshape(x.shape[0], filters, rows, columns)
