"""Passes that `opt_level` leaves out, LLVM's level, and programs that compute the same at every level."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import PassContext, te, topi
from tilewright.backends.cpu.host import host_target
from tilewright.backends.cpu.module import code_options
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.options import spec_of
from tilewright.passes.pipeline import default_pipeline

LEVELS = range(4)
SCALARS = "define float @f(float %x) {\n  ret float %x\n}\n"
VECTORS = "define <8 x float> @f(<8 x float> %x) {\n  ret <8 x float> %x\n}\n"


def passes(level: int) -> list[str]:
    """Return the passes that run at a level on a module of graphs."""
    with PassContext(opt_level=level) as context:
        return [spec_of(each) for each in default_pipeline(Level.GRAPH) if context.enabled(each)]


def test_each_level_adds_to_the_one_below() -> None:
    names = [{spec.partition("{")[0] for spec in passes(level)} for level in LEVELS]
    assert names[0] < names[1] < names[2] == names[3]
    assert {"fuse", "fold-constant", "hoist", "cse", "simplify", "plan-arena"} <= names[1] - names[0]
    assert {"contract-fma", "winograd", "pack-weights", "partition-loops", "reuse-storage"} <= names[2] - names[1]
    assert {"lower-graph", "lower-te", "auto-schedule", "vectorize", "sink-allocations", "unroll"} <= names[0]


def test_without_optimisation_only_schedules_unroll() -> None:
    assert "unroll{factor=1}" in passes(0)
    assert "unroll" in passes(1)


@pytest.mark.parametrize(
    ("level", "scalars", "vectors"),
    [(0, (0, False, False), (0, False, False)), (1, (3, True, False), (3, True, False)),
     (2, (3, False, True), (3, True, False)), (3, (3, False, True), (3, False, False))],
)  # fmt: skip
def test_what_llvm_does(level: int, scalars: tuple[int, bool, bool], vectors: tuple[int, bool, bool]) -> None:
    with PassContext(opt_level=level):
        for text, expected in ((SCALARS, scalars), (VECTORS, vectors)):
            options = code_options(text, host_target(), ())
            assert (options.level, options.one_by_one, options.vectorize) == expected


def product(n: int) -> list[te.Tensor]:
    A, B = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    return [A, B, te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")]


def shifted() -> list[te.Tensor]:
    A = te.placeholder((30,), name="A")
    return [A, te.compute((40,), lambda i: te.if_then_else(te.all(i >= 5, i < 35), A[i - 5], 0.0), name="B")]


def convolved() -> list[te.Tensor]:
    image, weights = te.placeholder((1, 8, 9, 9), name="image"), te.placeholder((8, 8, 3, 3), name="weights")
    return [image, weights, topi.nn.relu(topi.nn.conv2d(image, weights, 1, 1, 1))]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("target", ["llvm", "c"])
@pytest.mark.parametrize("program", [lambda: product(19), shifted, convolved], ids=["product", "shifted", "convolved"])
def test_programs_compute_the_same_at_every_level(target: str, program) -> None:
    def run(level: int) -> np.ndarray:
        tensors = program()
        with PassContext(opt_level=level):
            built = tilewright.build(tensors, target=target)
        random = np.random.default_rng(0)
        arrays = [random.standard_normal([int(n) for n in t.shape]).astype(t.dtype) for t in tensors]
        built(*arrays)
        return arrays[-1]

    expected = run(2)
    for level in (0, 1, 3):
        np.testing.assert_allclose(run(level), expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(run(3), expected)


def test_products_are_rounded_below_level_2() -> None:
    def text(level: int) -> str:
        with PassContext(opt_level=level):
            return tilewright.lower(product(16)).script()

    assert "math.fma" not in text(0) and "math.fma" not in text(1)
    assert "math.fma" in text(2)


def test_assembly_is_that_of_the_level_that_the_program_was_built_at() -> None:
    with PassContext(opt_level=0):
        slow = tilewright.build(shifted())
        at_once = slow.get_source("asm")
    assert slow.get_source("asm") == at_once
    assert tilewright.build(shifted()).get_source("asm") != at_once
