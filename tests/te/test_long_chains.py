"""Programs of many stages: the work of compiling grows as the program does, and stages are no levels of recursion."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cpu.module import llvm_text
from tilewright.dialects import context
from tilewright.dialects.te import ComputeOp
from tilewright.driver import lower_module
from tilewright.driver.programs import as_module
from tilewright.passes.phase0.fuse import FusePass

N = 32


def elementwise(t: te.Tensor, k: int) -> te.Tensor:
    return te.compute((N,), lambda i: t[i] * 0.5 + float(k % 3), name=f"S{k}")


def backwards(t: te.Tensor, k: int) -> te.Tensor:
    return te.compute((N,), lambda i: t[N - 1 - i] * 0.5 + float(k % 3), name=f"S{k}")


def read_twice(t: te.Tensor, k: int) -> te.Tensor:
    return te.compute((N,), lambda i: t[i] * 0.25 + t[N - 1 - i] * 0.5, name=f"S{k}")


def sums(t: te.Tensor, k: int) -> te.Tensor:
    terms = te.reduce_axis((0, 8), f"r{k}")
    return te.compute((N,), lambda i: te.sum(t[te.indexmod(i + terms, N)] * 0.125, axis=terms), name=f"S{k}")


def sums_of_all(t: te.Tensor, k: int) -> te.Tensor:
    terms = te.reduce_axis((0, N), f"r{k}")
    return te.compute((N,), lambda i: te.sum(t[terms] * (0.5 / N), axis=terms), name=f"S{k}")


STAGES = {f.__name__: f for f in (elementwise, backwards, read_twice)}


def chain(stage: Callable[[te.Tensor, int], te.Tensor], count: int) -> tuple[te.Tensor, te.Tensor]:
    a = t = te.placeholder((N,), name="A")
    for k in range(count):
        t = stage(t, k)
    return a, t


def compile_chain(stage: Callable[[te.Tensor, int], te.Tensor], count: int, scheduled: bool) -> str:
    args = chain(stage, count)
    module = as_module(te.create_schedule(args[1].op), args) if scheduled else as_module(args, args)
    return llvm_text(lower_module(module))


def calls_of(work: Callable[[], Any]) -> int:
    """Return how many functions a piece of work calls, of Python and others."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheduled", [False, True])
@pytest.mark.parametrize("name", STAGES)
def test_work_grows_as_the_chain_does(name: str, scheduled: bool) -> None:
    stage = STAGES[name]
    compile_chain(stage, 3, scheduled)  # what is loaded and remembered once
    few, many = (calls_of(lambda count=count: compile_chain(stage, count, scheduled)) for count in (20, 80))
    assert many <= 4.4 * few, (few, many)


def plain(s: te.Schedule, t: te.Tensor) -> None:
    """Leave the loops as they are."""


def unrolled(s: te.Schedule, t: te.Tensor) -> None:
    s[t].unroll(s[t].split(t.op.axis[0], factor=8)[1])


def factored(s: te.Schedule, t: te.Tensor) -> None:
    s.rfactor(t, s[t].split(t.op.reduce_axis[0], factor=4)[1])


def written_late(s: te.Schedule, t: te.Tensor) -> None:
    s.cache_write(t, "local")


SCHEDULES = {f.__name__: f for f in (plain, unrolled, factored, written_late)}


def compile_reductions(stage: Callable[[te.Tensor, int], te.Tensor], count: int, schedule: str | None) -> str:
    a = t = te.placeholder((N,), name="A")
    stages = [t := stage(t, k) for k in range(count)]
    if schedule is None:
        return llvm_text(lower_module(as_module((a, t), (a, t))))
    s = te.create_schedule(t.op)
    for each in stages:
        SCHEDULES[schedule](s, each)
    return llvm_text(lower_module(as_module(s, (a, t))))


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("stage", "schedule", "least"),
    [(sums, None, 20), *((sums, name, 20) for name in SCHEDULES), (sums_of_all, None, 10), (sums_of_all, "plain", 10)],
)
def test_work_grows_as_chains_of_reductions_do(
    stage: Callable[[te.Tensor, int], te.Tensor], schedule: str | None, least: int
) -> None:
    compile_reductions(stage, 3, schedule)
    few, many = (
        calls_of(lambda count=count: compile_reductions(stage, count, schedule)) for count in (least, 4 * least)
    )
    assert many <= 5 * few, (few, many)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("stage", [elementwise, backwards])
def test_a_chain_longer_than_the_stack_is_inlined(stage: Callable[[te.Tensor, int], te.Tensor]) -> None:
    count = sys.getrecursionlimit() + 200
    module = te.to_module(chain(stage, count))
    FusePass().apply(context(), module)
    (left,) = (op for op in module.walk() if isinstance(op, ComputeOp))
    assert sum(op.name == "arith.mulf" for op in left.walk()) == count


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", STAGES)
def test_values_of_a_chain(name: str) -> None:
    a, t = chain(STAGES[name], 60)
    x = np.random.default_rng(0).standard_normal(N).astype(np.float32)
    want = x
    for k in range(60):
        if name == "read_twice":
            want = want * np.float32(0.25) + want[::-1] * np.float32(0.5)
        else:
            want = (want if name == "elementwise" else want[::-1]) * np.float32(0.5) + np.float32(k % 3)
    np.testing.assert_allclose(tilewright.build([a, t], [a, t], threads=1)(x), want, rtol=1e-5)


def test_a_costly_chain_is_not_computed_for_each_of_its_readers() -> None:
    a, t = chain(elementwise, 12)
    k = te.reduce_axis((0, N), "k")
    turned = te.compute((N,), lambda i: t[N - 1 - i], name="turned")
    results = [te.compute((N,), lambda i: te.sum(turned[k] * (i + 1), axis=k), name="C"), turned]
    module = te.to_module([a, *results])
    FusePass().apply(context(), module)
    kept = [op.label for op in module.walk() if isinstance(op, ComputeOp)]
    assert kept == ["turned", "C"]
    assert sum(op.name == "arith.mulf" for op in module.walk()) == 12 + 1
