"""The same calls in different orders give one program."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tilewright import te
from tilewright.schedule.stages import Schedule, create_schedule
from tilewright.te.tensor import Tensor

from .programs import lower

Steps = list[Callable[[], None]]


def blocked_product() -> tuple[Schedule, list[Tensor], list[Steps]]:
    """A schedule, its arguments, and calls in groups: those of one group keep their order."""
    A = te.placeholder((30, 20), name="A")
    B = te.placeholder((20, 28), name="B")
    k = te.reduce_axis((0, 20), "k")
    P = te.compute((7, 20, 4), lambda x, y, z: B[y, x * 4 + z], name="P")
    C = te.compute((30, 28), lambda i, j: te.sum(A[i, k] * P[j // 4, k, j % 4], axis=k), name="C")
    D = te.compute((30, 28), lambda i, j: C[i, j] + 1, name="D")
    E = te.compute((30, 28), lambda i, j: te.max(D[i, j], 0.0), name="E")
    s = create_schedule(E.op)
    CC = s.cache_write(C, "local")
    io, jo, ii, ji = s[E].tile(*E.op.axis, 8, 4)
    ko, ki = s[CC].split(k, factor=4)
    x, _, z = P.op.axis
    groups: list[Steps] = [
        [lambda: s[CC].reorder(ko, CC.op.axis[0], ki, CC.op.axis[1]), lambda: s[CC].unroll(ki)],
        [lambda: s[CC].compute_at(s[C], C.op.axis[0])],
        [lambda: s[C].compute_at(s[E], jo)],
        [lambda: s[CC].vectorize(CC.op.axis[1])],
        [lambda: s[E].vectorize(ji)],
        [lambda: s[E].reorder(jo, io, ii, ji), lambda: s[E].parallel(jo)],
        [lambda: s[D].compute_inline()],
        [lambda: s[P].parallel(x), lambda: s[P].vectorize(z)],
    ]
    return s, [A, B, E], groups


def lowered(seed: int) -> str:
    s, arguments, groups = blocked_product()
    rng = random.Random(seed)
    while any(groups):
        rng.choice([g for g in groups if g]).pop(0)()
    return str(lower(s, arguments))


def in_order() -> str:
    s, arguments, groups = blocked_product()
    for steps in groups:
        for step in steps:
            step()
    return str(lower(s, arguments))


@pytest.fixture(scope="module")
def expected() -> str:
    return in_order()


@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_calls(seed: int, expected: str):
    assert lowered(seed) == expected


def test_lowering_twice_gives_the_same(expected: str):
    s, arguments, groups = blocked_product()
    for steps in groups:
        for step in steps:
            step()
    assert str(lower(s, arguments)) == expected
    assert str(lower(s, arguments)) == expected
