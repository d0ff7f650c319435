"""Names that are given inside of a branch or a loop which may not run are not used outside of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tilewright.backends.interpreter import build as interpret

from .test_operations import KINDS, compiled, parse

N = 16

BRANCHES = """
func.func @main(%y: memref<16xi64> {tw.output}) {
  loop.for %i = 0 to 16 kind serial {
    %d = loop.apply (%i - 9) : index
    loop.if (11 < %i) {
      OPERATION
      %f = arith.index_cast %e : index to i64
      loop.store %f, %y[%i] : memref<16xi64>
    } else {
      loop.if (2 < %i) {
        OPERATION
        %f = arith.index_cast %e : index to i64
        loop.store %f, %y[%i] : memref<16xi64>
      } else {
        %z = arith.constant 77 : i64
        loop.store %z, %y[%i] : memref<16xi64>
      }
    }
    loop.for %k = %i to 8 {
      OPERATION
      %f = arith.index_cast %e : index to i64
      %o = loop.load %y[%i] : memref<16xi64>
      %s = arith.addi %o, %f : i64
      loop.store %s, %y[%i] : memref<16xi64>
    }
    OPERATION
    %f = arith.index_cast %e : index to i64
    %o = loop.load %y[%i] : memref<16xi64>
    %s = arith.addi %o, %f : i64
    loop.store %s, %y[%i] : memref<16xi64>
  }
  func.return
}
"""
"""An index value of several terms, an operand of operations whose text repeats it, in places that may not run."""

READ_BEFORE_A_STORE = """
func.func @main(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 kind serial {
    %a = loop.load %x[%i] : memref<16xf32>
    loop.store %a, %y[%i] : memref<16xf32>
    %b = loop.load %y[%i] : memref<16xf32>
    loop.if (-1 < %i) {
      %two = arith.constant 2.0 : f32
      loop.store %two, %y[%i] : memref<16xf32>
    }
    %c = loop.load %y[%i] : memref<16xf32>
    %s = arith.addf %b, %c : f32
    loop.store %s, %y[%i] : memref<16xf32>
  }
  func.return
}
"""
"""A read that waits for its use, while a branch that is always taken writes."""


@pytest.fixture(params=KINDS)
def target(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    return request.param


@pytest.mark.parametrize("operation", ["%e = math.absi %d : index", "%e = arith.remsi %d, %i : index"])
def test_a_name_ends_with_the_block_that_gave_it(target: str, operation: str) -> None:
    text = BRANCHES.replace("OPERATION", operation)
    expected = interpret(parse(text))()
    i = np.arange(N)
    if "absi" in operation:
        first = np.where(i >= 3, abs(i - 9), 77)
        np.testing.assert_array_equal(expected, first + abs(i - 9) * (1 + np.maximum(8 - i, 0)))
    np.testing.assert_array_equal(compiled(text, target)(), expected)


def test_a_read_does_not_wait_through_a_branch_that_is_taken(target: str) -> None:
    x = np.arange(N, dtype=np.float32)
    np.testing.assert_array_equal(compiled(READ_BEFORE_A_STORE, target)(x), x + 2)
