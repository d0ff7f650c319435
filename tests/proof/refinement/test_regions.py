"""Calls, and loops that carry tensors: proved equal to themselves and to other forms, and refuted where one differs."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Pairs

CALL = """
func.func private @fill(%x: memref<12xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 12 {
    affine.store %two, %x[%i] : memref<12xf32>
  }
  return
}
func.func @f(%x: memref<12xf32>) {
  call @fill(%x) : (memref<12xf32>) -> ()
  return
}
"""
INLINED = """
func.func @f(%x: memref<12xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 12 step 3 {
    affine.for %j = 0 to 3 {
      affine.store %two, %x[%i + %j] : memref<12xf32>
    }
  }
  return
}
"""
CARRIED = """
func.func @f(%x: tensor<12xf32>) -> tensor<12xf32> {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<12xf32>
  %r = scf.for %i = %c0 to %c12 step %c3 iter_args(%y = %e) -> (tensor<12xf32>) {
    %s = tensor.extract_slice %x[%i] [3] [1] : tensor<12xf32> to tensor<3xf32>
    %o = tensor.insert_slice %s into %y[%i] [3] [1] : tensor<3xf32> into tensor<12xf32>
    scf.yield %o : tensor<12xf32>
  }
  return %r : tensor<12xf32>
}
"""
LARGEST_INDEX = """
func.func @f(%x: memref<16xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %zero) -> (f32) {
    %k = arith.maxsi %i, %c2 : index
    %v = memref.load %x[%k] : memref<16xf32>
    scf.yield %v : f32
  }
  memref.store %last, %y[%c0] : memref<1xf32>
  return
}
"""
WHOLE = "func.func @f(%x: tensor<12xf32>) -> tensor<12xf32> {\n  return %x : tensor<12xf32>\n}\n"


@pytest.fixture
def pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Pairs:
    return Pairs(tmp_path, capsys)


def test_a_call_is_what_it_calls(pairs: Pairs) -> None:
    assert pairs.says(CALL, CALL, "--function", "f")[0] == "proved"
    assert pairs.says(CALL, INLINED, "--function", "f")[0] == "proved"
    assert pairs.says(INLINED, CALL, "--function", "f")[0] == "proved"
    for wrong in (CALL.replace("2.0", "3.0"), CALL.replace("0 to 12", "0 to 11")):
        assert pairs.says(INLINED, wrong, "--function", "f", "--no-execute")[0] == "refuted"


def test_a_loop_that_carries_a_tensor(pairs: Pairs) -> None:
    assert pairs.says(CARRIED, CARRIED)[0] == "proved"
    assert pairs.says(CARRIED, WHOLE)[0] == "proved"
    assert pairs.says(WHOLE, CARRIED)[0] == "proved"
    for old, new in (("into %y[%i]", "into %y[%c0]"), ("extract_slice %x[%i]", "extract_slice %x[%c3]")):
        assert pairs.says(WHOLE, CARRIED.replace(old, new), "--no-execute")[0] == "refuted"


def test_a_carried_value_that_is_read_at_an_index_of_cases(pairs: Pairs) -> None:
    assert pairs.says(LARGEST_INDEX, LARGEST_INDEX)[0] == "proved"
    assert pairs.says(LARGEST_INDEX, LARGEST_INDEX.replace("%x[%k]", "%x[%i]"))[0] == "proved"
    wrong = LARGEST_INDEX.replace("maxsi %i, %c2", "maxsi %i, %c4")
    assert pairs.says(LARGEST_INDEX, wrong, "--no-execute")[0] == "refuted"
