"""`unsafe-select`: choices whose other value could fault, against numpy, in every backend."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from tilewright import te
from tilewright.driver import build
from tilewright.passes.framework.context import PassContext
from tilewright.semantics import run

from .loop_programs import Generator, apply_passes, check_passes, module_of

TARGETS = ("cpu", "c", "interpreter")
N = 40


def built(tensors: list[te.Tensor], target: str) -> Callable[..., np.ndarray]:
    return build(tensors, target=target, threads=1)  # pyright: ignore[reportReturnType]


@pytest.mark.parametrize("target", TARGETS[:2])
def test_select_reads_only_what_exists(target: str) -> None:
    a = te.placeholder((N,), name="A")
    c = te.compute((N + 9,), lambda i: te.Select(te.all(i >= 3, i < N + 3), a[i - 3] * 2.0, -1.0), name="C")
    x = np.arange(N, dtype=np.float32)
    expected = np.concatenate([[-1] * 3, x * 2, [-1] * 6]).astype(np.float32)
    np.testing.assert_array_equal(built([a, c], target)(x), expected)


@pytest.mark.parametrize("target", TARGETS[:2])
def test_select_guards_a_gather(target: str) -> None:
    """Unguarded, this reads terabytes away."""
    a, k = te.placeholder((N,), name="A"), te.placeholder((N,), name="K", dtype="int64")
    inside = lambda i: te.all(k[i] >= 0, k[i] < N)  # noqa: E731
    c = te.compute((N,), lambda i: te.Select(inside(i), a[k[i]], te.Select(k[i] < 0, -1.0, -2.0)), name="C")
    x = np.arange(N, dtype=np.float32)
    indices = np.where(np.arange(N) % 3 == 0, np.arange(N)[::-1], np.where(np.arange(N) % 3 == 1, 1 << 45, -(1 << 45)))
    expected = np.where(indices < 0, -1, np.where(indices >= N, -2, x[indices.clip(0, N - 1)])).astype(np.float32)
    np.testing.assert_array_equal(built([a, k, c], target)(x, indices), expected)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("choose", [te.Select, te.if_then_else])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_division_by_zero_is_not_chosen(target: str, choose: Callable[..., te.Expr], dtype: str) -> None:
    """The quotient by zero, and that of the least number by -1, would trap on the machine."""
    x, y = te.placeholder((N,), name="X", dtype=dtype), te.placeholder((N,), name="Y", dtype=dtype)
    quotient = te.compute((N,), lambda i: choose(y[i] != 0, te.floordiv(x[i], y[i]), -7), name="Q")
    remainder = te.compute((N,), lambda i: choose(y[i] == 0, -7, te.truncmod(x[i], y[i])), name="R")
    least = np.iinfo(dtype).min
    rng = np.random.default_rng(0)
    dividends, divisors = rng.integers(-99, 99, N).astype(dtype), rng.integers(-2, 3, N).astype(dtype)
    dividends[:4], divisors[:4] = least, [0, -1, 1, 0]
    with np.errstate(all="ignore"):
        wanted = np.where(divisors != 0, np.floor_divide(dividends, divisors), -7).astype(dtype)
        rest = np.where(divisors == 0, -7, np.fmod(dividends, divisors)).astype(dtype)
    np.testing.assert_array_equal(built([x, y, quotient], target)(dividends, divisors), wanted)
    np.testing.assert_array_equal(built([x, y, remainder], target)(dividends, divisors), rest)


def test_a_choice_on_data_becomes_vectors() -> None:
    x, a, b = (te.placeholder((N, 32), name=name) for name in "XAB")
    c = te.compute((N, 32), lambda i, j: te.if_then_else(x[i, j] > 0.0, a[i, j], b[i, j] + 1.0), name="C")
    module = build([x, a, b, c])
    assert "arith.select" in module.get_source("mlir") and "xf32>" in module.get_source("mlir")
    with PassContext(disabled_pass=["unsafe-select"]):
        assert "vector<" not in build([x, a, b, c]).get_source("mlir")
    rng = np.random.default_rng(1)
    p, q, r = (rng.standard_normal((N, 32)).astype(np.float32) for _ in range(3))
    np.testing.assert_array_equal(module(p, q, r), np.where(p > 0, q, r + np.float32(1)))


def test_random_programs_compute_the_same() -> None:
    for seed in range(60, 64):
        check_passes(Generator(seed).program(), "unsafe-select", seed)
        check_passes(Generator(seed, independent=True).program(), "unsafe-select,vectorize,simplify", seed)


class Choices:
    """Text of nested choices among reads, some of them outside where they are not chosen."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def text(self) -> str:
        value = self.value(3, 0, 20)
        body = "\n".join(f"    {line}" for line in self.lines)
        return (
            "func.func @main(%A: memref<9xf32>, %X: memref<20xf32>, %C: memref<20xf32> {tw.output}) {\n"
            "  %zero = arith.constant 0.0 : f32\n  loop.for %i = 0 to 20 {\n"
            f"{body}\n    loop.store {value}, %C[%i] : memref<20xf32>\n  }}\n  func.return\n}}\n"
        )

    def emit(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def value(self, depth: int, low: int, high: int) -> str:
        """Return a value that is defined where low <= %i < high."""
        kind = self.rng.random()
        if depth and kind < 0.75:
            return self.choice(depth, low, high)
        if high - low <= 9 and kind < 0.9:
            return self.emit(f"loop.load %A[%i - {low}] : memref<9xf32>")
        loaded = self.emit("loop.load %X[%i] : memref<20xf32>")
        return self.emit(f"arith.addf {loaded}, {loaded} : f32") if self.rng.random() < 0.5 else loaded

    def choice(self, depth: int, low: int, high: int) -> str:
        if self.rng.random() < 0.3:
            x = self.emit("loop.load %X[%i] : memref<20xf32>")
            condition = self.emit(f"arith.cmpf ogt, {x}, %zero : f32")
            a, b = self.value(depth - 1, low, high), self.value(depth - 1, low, high)
        else:
            cut = self.rng.randint(low, high)
            a, b = self.value(depth - 1, low, cut), self.value(depth - 1, cut, high)
            condition = self.emit(f"loop.test (%i < {cut}) : i1")
            if self.rng.random() < 0.3:
                true = self.emit("arith.constant true")
                condition = self.emit(f"arith.xori {condition}, {true} : i1")
                a, b = b, a
        return self.emit(f"arith.select {condition}, {a}, {b} : f32")


@pytest.mark.parametrize("seed", range(12))
def test_random_choices(seed: int) -> None:
    """Reads outside of A, which the interpreter refuses, are those of values that are not chosen."""
    text = Choices(seed).text()
    safe = apply_passes(module_of(text), "unsafe-select")
    larger = module_of(_with_room(text))
    rng = np.random.default_rng(seed)
    a, x = rng.standard_normal(9).astype(np.float32), rng.standard_normal(20).astype(np.float32)
    around = np.concatenate([np.full(40, np.nan, np.float32), a, np.full(40, np.nan, np.float32)])
    results: list[np.ndarray] = []
    for module, first in ((safe, a), (larger, around)):
        results.append(np.zeros(20, np.float32))
        run(module, "main", first, x, results[-1])
    np.testing.assert_array_equal(*results)


def _with_room(text: str) -> str:
    """Return the program with A as the middle of a larger buffer."""
    return text.replace("%A[%i - ", "%A[%i + 40 - ").replace("memref<9xf32>", "memref<89xf32>")
