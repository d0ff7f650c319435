"""Operators on 16-bit floats, which accumulate in float32, get the rules of their float32 forms and round once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from tilewright import te, topi

from .gpu import build, messages_of

NARROW = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
RANDOM = np.random.default_rng(11)

Case = tuple[tuple[tuple[int, ...], ...], Callable[..., Any], Callable[..., np.ndarray], str]
CASES: dict[str, Case] = {
    "sum of rows": (((3, 300),), lambda a: topi.sum(a, axis=1), lambda a: a.sum(1), "is reduced by"),
    "sum of columns": (((300, 5),), lambda a: topi.sum(a, axis=0), lambda a: a.sum(0), "is reduced by"),
    "softmax": (
        ((3, 300),),
        topi.nn.softmax,
        lambda a: np.exp(a - a.max(1, keepdims=True)) / np.exp(a - a.max(1, keepdims=True)).sum(1, keepdims=True),
        "are computed row by row",
    ),
    "matrix product": (((64, 64), (64, 64)), topi.matmul, lambda a, b: a @ b, "mma_m16n8k16"),
    "dense": (((64, 64), (64, 64)), topi.nn.dense, lambda a, b: a @ b.T, "mma_m16n8k16"),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("name", CASES)
def test_rules_match_and_results_are_rounded_once(name: str, dtype: str) -> None:
    shapes, make, reference, said = CASES[name]
    inputs = [te.placeholder(shape, dtype, name=f"A{n}") for n, shape in enumerate(shapes)]
    program = build(inputs, make(*inputs))
    assert any(said in text for text in messages_of(program)), messages_of(program)
    assert not messages_of(program, "TW0647")
    arrays = [RANDOM.uniform(0, 1, shape).astype(NARROW[dtype]) for shape in shapes]
    exact = reference(*(a.astype(np.float64) for a in arrays))
    found = np.asarray(program(*arrays))
    assert found.dtype == NARROW[dtype]
    ulp = np.abs(np.spacing(exact.astype(NARROW[dtype])).astype(np.float64))
    assert (np.abs(found.astype(np.float64) - exact) <= ulp).all()
