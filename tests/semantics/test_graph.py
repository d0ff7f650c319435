"""The graph level: registered references, fused groups, modules of several levels."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright.operators  # noqa: F401  (registers the references)
from tilewright.diagnostics import TilewrightError
from tilewright.semantics import evaluate, register_reference, registry

from .running import assert_identical, parse

X = np.array([[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0]], np.float32)


def test_operators_and_constants() -> None:
    module = parse("""builtin.module {
        func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
          %c = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
          %s = graph.add %x, %c : tensor<2x3xf32>
          %r = graph.relu %s : tensor<2x3xf32>
          %t = graph.transpose %r permutation [1, 0] : tensor<3x2xf32>
          func.return %t : tensor<3x2xf32>
        } }""")
    assert_identical(evaluate(module, X)[0], np.maximum(X + np.float32([1, 2, 3]), 0).T)


def test_fused_groups_with_several_results() -> None:
    module = parse("""builtin.module {
        func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
          %a, %b = graph.fused "group" (%p = %x : tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
            %n = graph.neg %p : tensor<2x3xf32>
            %s = graph.add %n, %p : tensor<2x3xf32>
            graph.yield %s, %n
          }
          func.return %b, %a : tensor<2x3xf32>, tensor<2x3xf32>
        } }""")
    first, second = evaluate(module, X)
    assert_identical(first, -X)
    assert_identical(second, np.zeros_like(X))


def test_levels_mix() -> None:
    """An operator of the graph between kernels of te."""
    module = parse("""builtin.module {
        func.func private @half(%A: tensor<2x3xf32>) -> tensor<2x3xf32> {
          %c = arith.constant 0.5 : f32
          %y = te.compute "y" [%i to 2, %j to 3] -> tensor<2x3xf32> {
            %v = te.read %A[%i, %j] : tensor<2x3xf32>
            %s = arith.mulf %v, %c : f32
            te.yield %s : f32
          }
          func.return %y : tensor<2x3xf32>
        }
        func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
          %h = func.call @half(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
          %r = graph.relu %h : tensor<2x3xf32>
          %q = func.call @half(%r) : (tensor<2x3xf32>) -> tensor<2x3xf32>
          func.return %q : tensor<2x3xf32>
        } }""")
    assert_identical(evaluate(module, X)[0], np.maximum(X, 0) / 4)


def test_named_sizes_must_agree() -> None:
    module = parse("""builtin.module {
        func.func @main(%x: tensor<?xf32, #graph.dims<n>>, %y: tensor<?xf32, #graph.dims<n>>)
            -> tensor<?xf32, #graph.dims<n>> {
          %s = graph.add %x, %y : tensor<?xf32, #graph.dims<n>>
          func.return %s : tensor<?xf32, #graph.dims<n>>
        } }""")
    x = np.ones(3, np.float32)
    assert_identical(evaluate(module, x, x)[0], x + x)
    with pytest.raises(TilewrightError, match="expected size n of argument 'y' to be 3, but got 1"):
        evaluate(module, x, x[:1])


RELU = """builtin.module { func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = graph.relu %x : tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
} }"""


def test_a_reference_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_REFERENCES", {})
    register_reference("graph.relu", lambda op, x: (x + np.float32(1),))
    assert_identical(evaluate(parse(RELU), X)[0], X + 1)


def test_a_reference_of_another_type_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_REFERENCES", {})
    register_reference("graph.relu", lambda op, x: (x.astype(np.float64),))
    with pytest.raises(TilewrightError, match=r"to give tensor<2x3xf32>, but got float64\[2, 3\]"):
        evaluate(parse(RELU), X)


def test_no_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_PROVIDERS", {})
    with pytest.raises(TilewrightError) as caught:
        evaluate(parse(RELU), X)
    assert (caught.value.code, caught.value.message) == (
        "TW0720",
        "expected an operation with reference semantics, but got graph.relu",
    )
