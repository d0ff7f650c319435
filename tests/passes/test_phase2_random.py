"""Phases 2 and 3 on random small loop programs: the interpreter computes the same, bit for bit, before and after."""

from __future__ import annotations

import pytest

from .loop_programs import Generator, apply_passes, check_passes, module_of

PASSES = ("vectorize", "vectorize{width=4}", "expand-unrolled", "partition-loops", "simplify", "hoist", "cse")
EVERYTHING = (
    "partition-loops,vectorize{width=8},unroll,simplify,remove-no-op,hoist,cse,remove-no-op,expand-unrolled,simplify"
)


@pytest.mark.parametrize("pipeline", PASSES)
def test_single_pass(pipeline: str) -> None:
    for seed in range(4):
        check_passes(Generator(seed).program(), pipeline, seed)


@pytest.mark.parametrize("seed", range(10, 20))
def test_all_passes(seed: int) -> None:
    check_passes(Generator(seed).program(), EVERYTHING, seed)


@pytest.mark.parametrize("seed", range(30, 40))
def test_all_passes_with_independent_iterations(seed: int) -> None:
    check_passes(Generator(seed, independent=True).program(), EVERYTHING, seed)


def test_partition_after_vectorize() -> None:
    for seed in range(50, 54):
        check_passes(Generator(seed, independent=True).program(), "vectorize{width=4},partition-loops,simplify", seed)


def test_programs_are_vectorised() -> None:
    """The programs are no use if the passes refuse them all."""
    modules = [module_of(Generator(seed, independent=True).program()) for seed in range(30, 50)]
    assert sum("vector<" in str(apply_passes(m, "vectorize{width=8}")) for m in modules) > 8
    assert sum("xi1>" in str(apply_passes(m, "vectorize")) for m in modules) > 1
    split = [str(apply_passes(m, "partition-loops")).count("loop.for") > str(m).count("loop.for") for m in modules]
    assert sum(split) > 5
