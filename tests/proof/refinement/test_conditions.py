"""Sizes at which the program before is undefined leave the comparison; the verdict names those that remain."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Pairs, function


@pytest.fixture
def pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Pairs:
    return Pairs(tmp_path, capsys)


COPY = """
%c0 = arith.constant 0 : index
%n = memref.dim %a, %c0 : @a
affine.for %i = 0 to %n {
  %x = affine.load %a[%i] : @a
  affine.store %x, %b[%i] : @b
}
"""
BY_TWO = """
%c0 = arith.constant 0 : index
%n = memref.dim %a, %c0 : @a
affine.for %i = 0 to %n step 2 {
  affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)[%n] {
    %x = affine.load %a[%j] : @a
    affine.store %x, %b[%j] : @b
  }
}
"""
PRODUCT = """
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%m = memref.dim %a, %c0 : @a
%k = memref.dim %a, %c1 : @a
%n = memref.dim %b, %c1 : @b
affine.for %i = 0 to %m {
  affine.for %j = 0 to %n {
    affine.for %l = 0 to %k {
      %x = affine.load %a[%i, %l] : @a
      %y = affine.load %b[%l, %j] : @b
      %z = affine.load %c[%i, %j] : @c
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %z, %p : f32
      affine.store %s, %c[%i, %j] : @c
    }
  }
}
"""
INTERCHANGED = (
    PRODUCT.replace("%i = 0 to %m", "%@ = 0 to %n").replace("%j = 0 to %n", "%i = 0 to %m").replace("%@", "%j")
)


def test_the_condition_is_in_words_of_arguments(pairs: Pairs) -> None:
    before, after = (function("a: ?xf32, b: ?xf32", body) for body in (COPY, BY_TWO))
    assert pairs.says(before, after) == ("proved", "a_dim0 <= b_dim0")
    lost = after.replace("min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)[%n]", "affine_map<(d0) -> (d0 + 2)>(%i)")
    assert pairs.says(before, lost) == ("refuted", None)
    assert pairs.says(before, after.replace("step 2", "step 3")) == ("refuted", None)


def test_the_largest_case_is_named_first(pairs: Pairs) -> None:
    before, after = (function("a: ?x?xf32, b: ?x?xf32, c: ?x?xf32", body) for body in (PRODUCT, INTERCHANGED))
    verdict, condition = pairs.says(before, after)
    assert verdict == "proved" and condition is not None
    first, *others = condition.split("; or ")
    assert set(first.split(", ")) == {"a_dim1 <= b_dim0", "a_dim0 <= c_dim0", "b_dim1 <= c_dim1"}
    assert set(others) == {"a_dim0 = 0", "a_dim1 = 0", "b_dim1 = 0"}
    swapped = after.replace("%a[%i, %l]", "%a[%i, %j]")
    assert pairs.says(before, swapped) == ("refuted", None)


def test_steps_and_remainders_are_conditions(pairs: Pairs) -> None:
    body = """
    %c0 = arith.constant 0 : index
    %n = memref.dim %a, %c0 : @a
    affine.for %i = 0 to affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
      %x = affine.load %a[%i * 4 + 3] : @a
      affine.store %x, %b[%i] : @b
    }
    """
    text = function("a: ?xf32, b: 2xf32", body)
    assert pairs.says(text, text) == ("proved", "(a_dim0 mod 4) = 0, a_dim0 <= 8")


def test_equal_sizes_that_an_operation_demands_are_a_condition(pairs: Pairs) -> None:
    text = function("a: ?xf32, b: ?xf32", "memref.copy %a, %b : @a to @b")
    assert pairs.says(text, text) == ("proved", "a_dim0 = b_dim0")
    assert pairs.says(text, function("a: ?xf32, b: ?xf32", COPY)) == ("proved", "a_dim0 = b_dim0")


def test_an_empty_condition_is_no_proof(pairs: Pairs) -> None:
    outside = """
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i + 100] : @a
      affine.store %x, %b[%i] : @b
    }
    """
    once = outside.replace("%i + 100", "%i").replace("%b[%i]", "%b[0]")
    before, after = (function("a: 4xf32, b: 4xf32", body) for body in (outside, once))
    record = pairs.record(before, after)
    assert (record["verdict"], record["status"]) == ("unknown", 3)
    assert "no sizes are left to compare" in record["reason"]
    assert pairs.says(after, before) == ("refuted", None)  # undefined where the program before is not


def test_a_loop_that_races_is_undefined(pairs: Pairs) -> None:
    body = """
    %c0 = arith.constant 0 : index
    %n = memref.dim %a, %c0 : @a
    affine.parallel (%i) = (0) to (%n) {
      %x = affine.load %a[%i] : @a
      affine.store %x, %b[0] : @b
    }
    """
    text = function("a: ?xf32, b: 1xf32", body)
    serial = text.replace("affine.parallel (%i) = (0) to (%n)", "affine.for %i = 0 to %n")
    assert pairs.says(text, serial) == ("proved", "a_dim0 <= 1")
    assert pairs.says(serial, text) == ("refuted", None)


def test_arguments_that_may_be_one_buffer(pairs: Pairs) -> None:
    through = """
    affine.for %i = 1 to 8 {
      %x = affine.load %a[%i - 1] : @a
      affine.store %x, %b[%i] : @b
    }
    affine.for %i = 1 to 8 {
      %x = affine.load %b[%i] : @b
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i] : @b
    }
    """
    fused = """
    affine.for %i = 1 to 8 {
      %x = affine.load %a[%i - 1] : @a
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i] : @b
    }
    """
    before, after = (function("a: 8xf32, b: 8xf32", body) for body in (through, fused))
    record = pairs.record(before, after)
    assert record["verdict"] == "proved" and "arguments do not overlap" in record["assumptions"]
    assert pairs.says(before, after, "--may-alias") == ("refuted", None)
    same = [text.replace("%i - 1", "%i") for text in (before, after)]
    record = pairs.record(*same, "--may-alias")
    assert record["verdict"] == "proved" and "arguments do not overlap" not in record["assumptions"]
    other = [
        text.replace("%a: memref<8xf32>", "%a: memref<9xf32>").replace("] : memref<8xf32>", "] : @", 1)
        for text in (before, after)
    ]
    other = [text.replace("%a[%i - 1] : @", "%a[%i - 1] : memref<9xf32>") for text in other]
    assert pairs.says(*other, "--may-alias") == ("proved", None)  # of different types
