"""The statistics of the benchmarks against cases that were computed by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def test_fifteen_samples() -> None:
    """Fewer than 4 of 15 coins: (1 + 15 + 105 + 455) / 2^15 = 1.76 %; fewer than 5 would be 5.9 %."""
    from tilewright.tune.estimate import Estimate

    found = Estimate.of([15, 1, 14, 2, 13, 3, 12, 4, 11, 5, 10, 6, 9, 7, 8])
    assert (found.median, found.low, found.high, found.samples) == (8, 4, 12, 15)
    assert found.level == 1 - 2 * 576 / 2**15


def test_the_fewest_samples_with_an_interval() -> None:
    from tilewright.tune.estimate import Estimate, interval_rank

    assert [interval_rank(count) for count in (1, 5, 6, 8, 9, 20)] == [0, 0, 1, 1, 2, 6]
    found = Estimate.of([1.0, 2.0, 4.0, 8.0])
    assert (found.median, found.low, found.high, found.level) == (3.0, 1.0, 8.0, 1 - 2 / 16)


def test_intervals_cover_the_median() -> None:
    """Of 2000 samples of 15 from a skewed distribution, at least 95 % of the intervals hold its median."""
    import numpy as np
    from tilewright.tune.estimate import Estimate

    samples = np.random.default_rng(0).exponential(size=(2000, 15))
    covered = sum(found.low <= np.log(2) <= found.high for found in map(Estimate.of, samples.tolist()))
    assert 0.95 <= covered / 2000 <= 0.98


def test_ratio_positions_of_the_plot() -> None:
    """The axis runs from 0.1 to 10, 1 is its middle, and what is beyond stands at the ends."""
    from harness.plot import LEFT, RIGHT, position

    assert [position(ratio) for ratio in (0.01, 0.1, 1.0, 10.0, 99.0)] == [
        LEFT,
        LEFT,
        LEFT + RIGHT / 2,
        LEFT + RIGHT,
        LEFT + RIGHT,
    ]


def test_bounds_of_memory_and_operations() -> None:
    """A convolution's least work, counted by hand: 64 channels of 56 by 56, each pixel from 64 times 9 products."""
    from rows.convolution import PROBLEMS

    work = PROBLEMS[0].work
    assert work.operations == 2 * 64 * 9 * 64 * 56 * 56
    assert work.bytes == 4 * (64 * 56 * 56 + 64 * 64 * 9 + 64 * 56 * 56)
    assert [p.result for p in PROBLEMS] == [(1, 64, 56, 56), (1, 128, 28, 28), (1, 64, 112, 112), (1, 32, 112, 112)]


@pytest.mark.parametrize(
    ("dtype", "feature", "instruction", "operations"),
    [
        ("bfloat16", "avx512bf16", "vdpbf16ps", 64),
        ("bfloat16", "avx512f", "vfmadd", 32),
        ("float32", "fma", "vfmadd", 16),
        ("int8", "avx512vnni", "vpdpbusd", 128),
    ],
)
def test_a_loop_is_made_of_the_fastest_products_that_a_machine_has(
    dtype: str, feature: str, instruction: str, operations: int
) -> None:
    """Two operations for each element that one instruction multiplies, and nothing else in the loop."""
    from systems import peak_kernels
    from tilewright.backends.cpu.llvm import CodeOptions, emit_assembly
    from tilewright.dialects.target_features import with_implied

    features = with_implied([feature], "x86_64")
    product = peak_kernels.product_of(dtype, features)
    assert product is not None and product.operations == operations
    text = emit_assembly(peak_kernels.products_text(product), CodeOptions(tuple(sorted(features))))
    found = [line for line in text.splitlines() if line.strip().startswith("v") and "(" not in line]
    assert sum(instruction in line for line in found) == product.chains
