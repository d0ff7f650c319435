"""The same calls in different orders give one program."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from tilewright import te
from tilewright.schedule.stages import LazySchedule, create_schedule
from tilewright.te.tensor import Tensor

from .programs import lower

Steps = list[Callable[[], Any]]


def blocked_product() -> tuple[LazySchedule, list[Tensor], list[Steps]]:
    """Return a schedule, its arguments, and calls in groups: those of one group keep their order."""
    A = te.placeholder((30, 20), name="A")
    B = te.placeholder((20, 28), name="B")
    k = te.reduce_axis((0, 20), "k")
    P = te.compute((7, 20, 4), lambda x, y, z: B[y, x * 4 + z], name="P")
    C = te.compute((30, 28), lambda i, j: te.sum(A[i, k] * P[j // 4, k, j % 4], axis=k), name="C")
    D = te.compute((30, 28), lambda i, j: C[i, j] + 1, name="D")
    E = te.compute((30, 28), lambda i, j: te.max(D[i, j], 0.0), name="E")
    s = create_schedule(E.op)
    made: dict[str, Any] = {}
    x, _, z = P.op.axis

    def cache() -> None:
        CC = made["C"] = s.cache_write(C, "local")
        made["k"] = s[CC].split(k, factor=4)

    def inner() -> None:
        CC, (ko, ki) = made["C"], made["k"]
        s[CC].reorder(ko, CC.op.axis[0], ki, CC.op.axis[1])
        s[CC].unroll(ki)
        s[CC].compute_at(s[C], C.op.axis[0])

    def tile() -> None:
        made["E"] = s[E].tile(*E.op.axis, 8, 4)
        s[E].reorder(*(made["E"][d] for d in (1, 0, 2, 3)))

    groups: list[Steps] = [
        [cache, inner, lambda: s[made["C"]].vectorize(made["C"].op.axis[1])],
        [tile, lambda: s[C].compute_at(s[E], made["E"][1]), lambda: s[E].vectorize(made["E"][3])],
        [lambda: s[D].compute_inline()],
        [lambda: s.cache_read(P, "global", [C]) if "C" not in made else s.cache_read(P, "global", [made["C"]])],
        [lambda: made.update(B=s.cache_read(B, "global", [P]))],
        [lambda: s[P].parallel(x), lambda: s[P].vectorize(z)],
    ]
    return s, [A, B, E], groups


def lowered(seed: int | None) -> str:
    """Return the program after the calls in a random order, or in that of the list."""
    s, arguments, groups = blocked_product()
    rng = random.Random(seed)
    while left := [g for g in groups if g]:
        (left[0] if seed is None else rng.choice(left)).pop(0)()
    return str(lower(s, arguments))


@pytest.fixture(scope="module")
def expected() -> str:
    return lowered(None)


@pytest.mark.parametrize("seed", range(8))
def test_any_order_of_calls(seed: int, expected: str):
    assert lowered(seed) == expected


def cached_transpose(first: int) -> str:
    """Return a program whose arguments are cached, the first or the second of them before the other."""
    A, B = te.placeholder((8, 8), name="A"), te.placeholder((8, 8), name="B")
    C = te.compute((8, 8), lambda i, j: A[i, j] * B[j, i], name="C")
    s = create_schedule(C.op)
    caches = [s.cache_read((A, B)[first ^ d], "local", [C]) for d in (0, 1)]
    s.cache_read(caches[first], "global", [C])
    return str(lower(s, [A, B, C]))


def test_caches_of_two_tensors_in_either_order():
    assert cached_transpose(0) == cached_transpose(1)


def test_lowering_twice_gives_the_same(expected: str):
    s, arguments, groups = blocked_product()
    for step in (step for steps in groups for step in steps):
        step()
    assert str(lower(s, arguments)) == expected
    assert str(lower(s, arguments)) == expected
