"""Random calls on the stages of small programs: what is accepted computes what the plain loops compute.

A refused call leaves the schedule as it was, so the others go on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.stages import LazySchedule, Stage, create_schedule
from tilewright.te.tensor import Computation, Placeholder, Tensor

from .programs import fresh, interpret, lower, random, shape_of


def chain(n: Any, m: int) -> list[Tensor]:
    A = te.placeholder((n, m), name="A")
    B = te.compute((n, m), lambda i, j: A[i, j] + 1, name="B")
    C = te.compute((n, m), lambda i, j: B[i, j] * 2, name="C")
    return [A, te.compute((n, m), lambda i, j: C[i, j] - B[i, j], name="D")]


def product(n: Any, m: int) -> list[Tensor]:
    A = te.placeholder((n, m), name="A")
    B = te.placeholder((m, n), name="B")
    k = te.reduce_axis((0, m), "k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    return [A, B, te.compute((n, n), lambda i, j: te.max(C[i, j], 0.0), name="D")]


def stencil(n: int, m: int) -> list[Tensor]:
    A = te.placeholder((n + 2, m), name="A")
    B = te.compute((n + 2, m), lambda i, j: A[i, j] * 3, name="B")
    return [A, te.compute((n, m), lambda i, j: B[i, j] + B[i + 2, j], name="C")]


def row_statistics(n: Any, m: int) -> list[Tensor]:
    A = te.placeholder((n, m), name="A")
    k, l = te.reduce_axis((0, m), "k"), te.reduce_axis((0, m), "l")  # noqa: E741
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    return [A, te.compute((n,), lambda i: te.max(A[i, l] - B[i], axis=l), name="C")]


def volume_sums(n: Any, m: int) -> list[Tensor]:
    A = te.placeholder((n, m, 3, 2), name="A")
    k, l, o = te.reduce_axis((0, m), "k"), te.reduce_axis((0, 3), "l"), te.reduce_axis((0, 2), "o")  # noqa: E741
    return [A, te.compute((n,), lambda i: te.sum(A[i, k, l, o], axis=[k, l, o]), name="B")]


def call(s: LazySchedule, rng: Random) -> None:
    """Make one random call on one random stage."""
    stages = [stage for stage in s.stages if isinstance(stage.op, Computation)]
    stage = rng.choice(stages)
    rng.choice(CALLS)(s, stage, rng)


def _axes(stage: Stage, rng: Random) -> list[Any]:
    return rng.sample(stage.leaf_iter_vars, rng.randint(1, len(stage.leaf_iter_vars)))


def _split(s: LazySchedule, stage: Stage, rng: Random) -> None:
    stage.split(_axes(stage, rng)[0], **{rng.choice(["factor", "nparts"]): rng.randint(1, 4)})


def _fuse(s: LazySchedule, stage: Stage, rng: Random) -> None:
    first = rng.randrange(len(stage.leaf_iter_vars))
    stage.fuse(*stage.leaf_iter_vars[first : first + 2])


def _reorder(s: LazySchedule, stage: Stage, rng: Random) -> None:
    stage.reorder(*_axes(stage, rng))


def _kind(s: LazySchedule, stage: Stage, rng: Random) -> None:
    getattr(stage, rng.choice(["vectorize", "unroll", "parallel"]))(_axes(stage, rng)[0])


def _compute_at(s: LazySchedule, stage: Stage, rng: Random) -> None:
    readers = [other for other in s.stages if s.reads(other, stage)]
    if readers:
        parent = rng.choice(readers)
        stage.compute_at(parent, _axes(parent, rng)[0])


def _inline(s: LazySchedule, stage: Stage, rng: Random) -> None:
    stage.compute_inline()


def _cache_read(s: LazySchedule, stage: Stage, rng: Random) -> None:
    s.cache_read(rng.choice(stage.op.inputs), rng.choice(["local", "global"]), [stage])


def _cache_write(s: LazySchedule, stage: Stage, rng: Random) -> None:
    s.cache_write(stage.op.outputs[0], rng.choice(["local", "global"]))


def _rfactor(s: LazySchedule, stage: Stage, rng: Random) -> None:
    s.rfactor(stage.op.outputs[0], _axes(stage, rng)[0], rng.choice([0, -1]))


CALLS: list[Callable[[LazySchedule, Stage, Random], None]] = [
    *([_split, _fuse, _reorder, _kind] * 2),
    *([_compute_at] * 2),
    _inline,
    _cache_read,
    _cache_write,
    _rfactor,
]


FACTORING = [*([_split, _fuse, _reorder] * 2), _rfactor, _rfactor]
"""Calls on a sum over several axes, which meet in one loop and are factored."""


def draw(seed: int) -> bool:
    """Return whether a random schedule of a random program is accepted; then it is right."""
    rng = Random(seed)
    return draw_calls(rng, rng.choice([chain, product, stencil, row_statistics]), lambda s: call(s, rng), (1, 8))


def draw_factored(seed: int) -> bool:
    """Draw calls on a sum over several axes, which is split, fused, reordered and factored."""
    rng = Random(seed)

    def step(s: LazySchedule) -> None:
        stages = [stage for stage in s.stages if isinstance(stage.op, Computation)]
        rng.choice(FACTORING)(s, rng.choice(stages), rng)

    return draw_calls(rng, volume_sums, step, (3, 12))


def draw_calls(
    rng: Random,
    program: Callable[[Any, int], list[Tensor]],
    step: Callable[[LazySchedule], None],
    counts: tuple[int, int],
) -> bool:
    """Return whether a program is accepted with so many random calls; then it is right."""
    size, columns = rng.choice([1, 4, 5, 7]), rng.choice([3, 4, 6])
    symbolic = program is not stencil and rng.random() < 0.25
    n: Any = te.var("n") if symbolic else size
    args = program(n, columns)
    s = create_schedule(args[-1].op)
    for _ in range(rng.randint(*counts)):
        with contextlib.suppress(TilewrightError):
            step(s)
    try:
        module = lower(s, args)
    except TilewrightError:
        return False
    sizes = {n: size} if symbolic else {}
    inputs = [random(t, sizes) for t in args if isinstance(t.op, Placeholder)]
    shapes, dtypes = [shape_of(args[-1], sizes)], ["float32"]
    (got,), (want,) = (interpret(each, inputs, shapes, dtypes) for each in (module, fresh(args)))
    np.testing.assert_array_equal(got, want)
    return True


@pytest.mark.parametrize("start", [0, 20])
def test_random_calls(start: int):
    accepted = sum(draw(seed) for seed in range(start, start + 20))
    assert accepted > 10


@pytest.mark.parametrize("start", [0, 30])
def test_random_factors(start: int):
    accepted = sum(draw_factored(seed) for seed in range(start, start + 30))
    assert accepted > 20
