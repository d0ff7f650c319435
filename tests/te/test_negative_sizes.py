"""Sizes below 0: refused where stated, empty where a program computes them, an error of the call for its results."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.verification import verify
from tilewright.dialects import context

TARGETS = ["cpu", "c", "interpreter"]


def windows(n: te.Var) -> list[te.Tensor]:
    """Return a result of n - 4 elements."""
    a = te.placeholder((n,), name="A")
    return [a, te.compute((n - 4,), lambda i: a[i] + a[i + 4], name="B")]


def sum_of_windows(n: te.Var) -> list[te.Tensor]:
    a = te.placeholder((n,), name="A")
    k = te.reduce_axis((0, n - 4), "k")
    return [a, te.compute((1,), lambda i: te.sum(a[k] + a[k + 4], axis=k), name="B")]


def stored_between(n: te.Var) -> list[te.Tensor]:
    """Return sums of three neighbours, n - 4 of them in memory, that are all added up."""
    a = te.placeholder((n, 5), name="A")
    k = te.reduce_axis((0, 3), "k")
    b = te.compute((n - 4, 5), lambda i, j: te.sum(a[i + k, j], axis=k), name="B")
    rows = te.reduce_axis((0, n - 4), "r")
    return [a, te.compute((5,), lambda j: te.sum(b[rows, j], axis=rows), name="C")]


def stored_square(n: te.Var) -> list[te.Tensor]:
    """Return a result of two sizes below 0 at once: their product is none of a buffer."""
    a = te.placeholder((n,), name="A")
    k = te.reduce_axis((0, 3), "k")
    b = te.compute((n - 4, n - 4), lambda i, j: te.sum(a[i + k] * a[j], axis=k), name="B")
    r, c = te.reduce_axis((0, n - 4), "r"), te.reduce_axis((0, n - 4), "c")
    return [a, te.compute((2,), lambda i: te.sum(b[r, c] * (i + 1), axis=[r, c]), name="C")]


EXPECTED: dict[Callable[[te.Var], list[te.Tensor]], Callable[[int], list[float]]] = {
    sum_of_windows: lambda n: [2.0 * max(n - 4, 0)],
    stored_between: lambda n: [3.0 * max(n - 4, 0)] * 5,
    stored_square: lambda n: [3.0 * max(n - 4, 0) ** 2, 6.0 * max(n - 4, 0) ** 2],
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("program", EXPECTED)
def test_inside_a_program_they_are_empty(program: Callable[[te.Var], list[te.Tensor]], target: str) -> None:
    args = program(te.var("n"))
    run = tilewright.build(args, args, target=target)
    for n in (7, 4, 3, 0):
        shape = (n, *(size for size in args[0].shape if isinstance(size, int)))
        np.testing.assert_array_equal(run(np.ones(shape, np.float32)), EXPECTED[program](n))


@pytest.mark.parametrize("target", TARGETS)
def test_a_result_has_none(target: str) -> None:
    args = windows(te.var("n"))
    run = tilewright.build(args, args, target=target)
    assert run(np.ones(4, np.float32)).shape == (0,)
    for n in (3, 0):
        with pytest.raises(
            TilewrightError, match=rf"output 'B' to have no negative size, but got \[{n - 4}\]"
        ) as caught:
            run(np.ones(n, np.float32))
        assert caught.value.code == "TW0704"


STATED = {
    "a result": """func.func @main(%I: tensor<8xi32>) -> tensor<?xi32> {
      %r = te.compute "r" [%i to -1] -> tensor<?xi32> { %a = te.read %I[%i] : tensor<8xi32> te.yield %a : i32 }
      func.return %r : tensor<?xi32>
    }""",
    "a reduction": """func.func @main(%I: tensor<8xi32>) -> tensor<i32> {
      %r = te.compute "r" [] reduce [%k to -2147483649] -> tensor<i32> {
        %a = te.read %I[%k] : tensor<8xi32> te.reduce <mul> %a : i32
      }
      func.return %r : tensor<i32>
    }""",
    "a block": """func.func @main(%I: memref<8xi32>) {
      loop.for %i = 0 to 4 { loop.block "b" (%v = spatial(%i) in -4) { %a = loop.load %I[%v] : memref<8xi32> } }
      func.return
    }""",
}


@pytest.mark.parametrize("where", STATED)
def test_stated_ones_are_refused(where: str) -> None:
    module = parse(context(), STATED[where], "negative.mlir")
    with pytest.raises(TilewrightError, match="expected no negative extent, but got -") as caught:
        verify(module)
    assert caught.value.code == "TW0103"
