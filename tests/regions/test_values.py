"""Branches and loops compute what numpy does, at every level and on the targets of the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest
import tilewright
from tilewright import semantics
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes import Instrument
from tilewright.passes.framework.context import PassContext

Array: TypeAlias = "np.ndarray[Any, Any]"

BRANCH = """
func.func @main(%c: tensor<i1>, %x: tensor<7xf32>) -> tensor<7xf32> {
  %y = graph.if %c -> (tensor<7xf32>) {
    %0 = graph.exp %x : tensor<7xf32>
    %1 = graph.add %0, %x : tensor<7xf32>
    graph.yield %1
  } else {
    graph.yield %x
  }
  %z = graph.neg %y : tensor<7xf32>
  func.return %z : tensor<7xf32>
}
"""

NESTED = """
func.func @main(%c: tensor<i1>, %d: tensor<i1>, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<i64>) {
  %one = graph.constant dense<1> : tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  %y, %n = graph.if %c -> (tensor<3xf32>, tensor<i64>) {
    %a = graph.if %d -> (tensor<3xf32>) {
      %0 = graph.neg %x : tensor<3xf32>
      graph.yield %0
    } else {
      %1 = graph.loop %k to 4 carry (%h = %x : tensor<3xf32>) -> (tensor<3xf32>) {
        %2 = graph.add %h, %x : tensor<3xf32>
        graph.yield %2
      }
      graph.yield %1
    }
    graph.yield %a, %one
  } else {
    graph.yield %x, %two
  }
  func.return %y, %n : tensor<3xf32>, tensor<i64>
}
"""

SCAN = """
func.func @main(%init: tensor<3xf32>, %xs: tensor<?x3xf32, #graph.dims<n, _>>)
    -> (tensor<3xf32>, tensor<?x3xf32, #graph.dims<n, _>>, tensor<?xi64, #graph.dims<n>>) {
  %last, %all, %numbers = graph.loop %k carry (%h = %init : tensor<3xf32>)
      scan (%x = %xs : tensor<?x3xf32, #graph.dims<n, _>>)
      -> (tensor<3xf32>, tensor<?x3xf32, #graph.dims<n, _>>, tensor<?xi64, #graph.dims<n>>) {
    %next = graph.add %h, %x : tensor<3xf32>
    graph.yield %next, %next, %k
  }
  func.return %last, %all, %numbers : tensor<3xf32>, tensor<?x3xf32, #graph.dims<n, _>>, tensor<?xi64, #graph.dims<n>>
}
"""

SYMBOLIC_PARTS = """
func.func @main(%init: tensor<?x3xf32, #graph.dims<m, _>>, %xs: tensor<4x?x3xf32, #graph.dims<_, m, _>>)
    -> (tensor<?x3xf32, #graph.dims<m, _>>, tensor<4x?xf32, #graph.dims<_, "3 * m">>) {
  %last, %all = graph.loop %k carry (%h = %init : tensor<?x3xf32, #graph.dims<m, _>>)
      scan (%x = %xs : tensor<4x?x3xf32, #graph.dims<_, m, _>>)
      -> (tensor<?x3xf32, #graph.dims<m, _>>, tensor<4x?xf32, #graph.dims<_, "3 * m">>) {
    %0 = graph.sin %h : tensor<?x3xf32, #graph.dims<m, _>>
    %next = graph.mul %0, %x : tensor<?x3xf32, #graph.dims<m, _>>
    %flat = graph.reshape %next shape [-1] : tensor<?xf32, #graph.dims<"3 * m">>
    graph.yield %next, %flat
  }
  func.return %last, %all : tensor<?x3xf32, #graph.dims<m, _>>, tensor<4x?xf32, #graph.dims<_, "3 * m">>
}
"""

WHILE = """
func.func @main(%x: tensor<5xf32>, %limit: tensor<f32>, %most: tensor<i64>) -> (tensor<5xf32>, tensor<i64>) {
  %zero = graph.constant dense<0> : tensor<i64>
  %one = graph.constant dense<1> : tensor<i64>
  %sum0 = graph.reduce_sum %x axes [0] : tensor<f32>
  %go = graph.less %sum0, %limit : tensor<i1>
  %y, %count = graph.loop %k to %most while %go carry (%h = %x : tensor<5xf32>, %n = %zero : tensor<i64>)
      -> (tensor<5xf32>, tensor<i64>) {
    %next = graph.add %h, %h : tensor<5xf32>
    %more = graph.add %n, %one : tensor<i64>
    %sum = graph.reduce_sum %next axes [0] : tensor<f32>
    %again = graph.less %sum, %limit : tensor<i1>
    graph.yield %again, %next, %more
  }
  func.return %y, %count : tensor<5xf32>, tensor<i64>
}
"""

WITHOUT_BOUND = WHILE.replace("to %most ", "")

EXCHANGE = """
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>, %n: tensor<i64>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %r, %s, %t = graph.loop %k to %n carry (%p = %a : tensor<3xf32>, %q = %b : tensor<3xf32>, %u = %a : tensor<3xf32>)
      -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
    %v = graph.add %p, %q : tensor<3xf32>
    graph.yield %q, %v, %u
  }
  func.return %r, %s, %t : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
"""

RECURRENT = """
func.func @main(%h0: tensor<2x4xf32>, %xs: tensor<6x2x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<2x4xf32>, tensor<6x2x4xf32>) {
  %start = graph.mul %h0, %h0 : tensor<2x4xf32>
  %last, %all = graph.loop %k carry (%h = %start : tensor<2x4xf32>) scan (%x = %xs : tensor<6x2x4xf32>)
      -> (tensor<2x4xf32>, tensor<6x2x4xf32>) {
    %p = graph.matmul %h, %w : tensor<2x4xf32>
    %s = graph.add %p, %x : tensor<2x4xf32>
    %next = graph.tanh %s : tensor<2x4xf32>
    graph.yield %next, %next
  }
  func.return %last, %all : tensor<2x4xf32>, tensor<6x2x4xf32>
}
"""


def _branch(c: Array, x: Array) -> Sequence[Array]:
    return [-(np.exp(x) + x) if c else -x]


def _nested(c: Array, d: Array, x: Array) -> Sequence[Array]:
    return [(-x if d else x * 5) if c else x, np.array(1 if c else 2)]


def _scan(init: Array, xs: Array) -> Sequence[Array]:
    sums = np.cumsum([init, *xs], 0, dtype=np.float32)
    return [sums[-1], sums[1:], np.arange(len(xs))]


def _symbolic_parts(init: Array, xs: Array) -> Sequence[Array]:
    states = [init]
    for x in xs:
        states.append(np.sin(states[-1]) * x)
    return [states[-1], np.stack([state.reshape(-1) for state in states[1:]])]


def _while(x: Array, limit: Array, most: Array) -> Sequence[Array]:
    count = 0
    while count < most and x.sum() < limit:
        x, count = x + x, count + 1
    return [x, np.array(count)]


def _exchange(a: Array, b: Array, n: Array) -> Sequence[Array]:
    first = a
    for _ in range(int(n)):
        a, b = b, a + b
    return [a, b, first]


def _recurrent(h0: Array, xs: Array, w: Array) -> Sequence[Array]:
    states = [h0 * h0]
    for x in xs:
        states.append(np.tanh(states[-1] @ w + x))
    return [states[-1], np.stack(states[1:])]


def _floats(*shape: int) -> Array:
    return np.random.default_rng(len(shape) + sum(shape)).uniform(-1, 1, shape).astype(np.float32)


TRUE, FALSE = np.array(True), np.array(False)
ONES = np.ones(5, np.float32)
CASES: dict[str, tuple[str, Callable[..., Sequence[Array]], Sequence[Sequence[Array]]]] = {
    "branch": (BRANCH, _branch, [[TRUE, _floats(7)], [FALSE, _floats(7)]]),
    "nested": (NESTED, _nested, [[c, d, _floats(3)] for c in (TRUE, FALSE) for d in (TRUE, FALSE)]),
    "scan": (SCAN, _scan, [[_floats(3), _floats(n, 3)] for n in (5, 1, 0)]),
    "symbolic parts": (SYMBOLIC_PARTS, _symbolic_parts, [[_floats(m, 3), _floats(4, m, 3)] for m in (1, 2, 17)]),
    "while": (
        WHILE,
        _while,
        [[ONES, np.array(limit, np.float32), np.array(m)] for limit in (100, 0) for m in (0, 2, 50, -3)],
    ),
    "without bound": (WITHOUT_BOUND, _while, [[ONES, np.array(1e6, np.float32), np.array(1 << 40)]]),
    "exchange": (EXCHANGE, _exchange, [[_floats(3), _floats(3) + 1, np.array(n)] for n in (0, 1, 2, 7)]),
    "recurrent": (RECURRENT, _recurrent, [[_floats(2, 4), _floats(6, 2, 4), _floats(4, 4)]]),
}


@pytest.mark.each("name", CASES)
@pytest.mark.parametrize("target", ["interpreter", "cpu", "c"])
def test_values(name: str, target: str) -> None:
    text, expected, inputs = CASES[name]
    program = tilewright.compile(text.encode(), target)
    for given in inputs:
        results = program(*given)
        results = results if isinstance(results, tuple) else (results,)
        _assert_close(results, expected(*given))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", CASES)
def test_every_level_computes_the_same(name: str) -> None:
    """The interpreter runs the module after each pass."""
    text, expected, inputs = CASES[name]
    levels = _Levels()
    with PassContext(instruments=[levels]):
        tilewright.lower(parse(context(), text, "regions.mlir"))
    assert len(levels.modules) > 10
    for module in levels.modules:
        _assert_close(semantics.evaluate(module, *inputs[0]), expected(*inputs[0]))


class _Levels(Instrument):
    """Keeps each module that a pass has changed."""

    def __init__(self) -> None:
        self.modules: list[Any] = []
        self._last = ""

    def after_pass(self, pass_: Any, module: Any) -> None:
        if (text := str(module)) != self._last:
            self._last = text
            self.modules.append(module.clone())


def _assert_close(results: Sequence[Array], expected: Sequence[Array]) -> None:
    assert len(results) == len(expected)
    for result, value in zip(results, expected, strict=True):
        assert result.shape == value.shape
        np.testing.assert_allclose(result, value, rtol=2e-6, atol=1e-6)
