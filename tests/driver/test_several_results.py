"""Definitions with several results of which arguments name some: these come out, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te

N = 6
X = np.random.default_rng(0).standard_normal((N, N)).astype(np.float32)


def elements(kept: int) -> tuple[list[te.Tensor], list[te.Tensor], list[np.ndarray]]:
    """Return all results of an elementwise pair and a use of both; the arguments, and what comes out."""
    a = te.placeholder((N, N), name="A")
    pair = te.compute((N, N), lambda i, j: (a[i, j] + 1, a[i, j] * 2), name="B")
    used = te.compute((N, N), lambda i, j: pair[0][i, j] - pair[1][i, j], name="C")
    return [*pair, used], [a, pair[kept], used], [(X + 1, X * 2)[kept], (X + 1) - X * 2]


def sums(kept: int) -> tuple[list[te.Tensor], list[te.Tensor], list[np.ndarray]]:
    """Return a sum and a sum of squares at once, of which nothing else reads the other."""
    a = te.placeholder((N, N), name="A")
    k = te.reduce_axis((0, N), "k")
    both = te.comm_reducer(lambda x, y: (x[0] + y[0], x[1] + y[1]), lambda s, t: (te.const(0, s), te.const(0, t)))
    pair = te.compute((N,), lambda i: both((a[i, k], a[i, k] * a[i, k]), axis=k), name="B")
    return [*pair], [a, pair[kept]], [(X.sum(axis=1), (X * X).sum(axis=1))[kept]]


def plain(s: Any, results: list[te.Tensor]) -> None:
    pass


def cached(s: Any, results: list[te.Tensor]) -> None:
    s.cache_write(results[:2], "local")


@pytest.mark.parametrize("schedule", [plain, cached])
@pytest.mark.parametrize("kept", [0, 1])
@pytest.mark.parametrize("program", [elements, sums])
def test_the_results_that_arguments_name(program: Callable[..., Any], kept: int, schedule: Callable[..., Any]) -> None:
    results, args, expected = program(kept)
    s = te.create_schedule(list(dict.fromkeys(t.op for t in results)))
    schedule(s, results)
    for inputs in (s, args):
        got = tilewright.build(inputs, args, threads=1)(X)
        got = got if isinstance(got, tuple) else (got,)
        assert len(got) == len(expected)
        for value, want in zip(got, expected, strict=True):
            np.testing.assert_allclose(value, want, rtol=1e-5)


def test_a_definition_without_a_named_result_beside_others_stays_inside() -> None:
    (first, second, used), (a, *_), _ = elements(0)
    got = tilewright.build(te.create_schedule([first.op, used.op]), [a, used], threads=1)(X)
    np.testing.assert_allclose(got, (X + 1) - X * 2, rtol=1e-5)
