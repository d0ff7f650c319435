"""Branches on data: written as stores below a condition, as results of one, and as a choice of values."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Pairs, function

HEAD = """
%z = arith.constant 0.0 : f32
%c0 = arith.constant 0 : index
%n = memref.dim %a, %c0 : @a
affine.for %i = 0 to %n {
  %x = affine.load %a[%i] : @a
  %c = arith.cmpf ogt, %x, %z : f32
"""
STORE = "scf.if %c {\naffine.store %x, %b[%i] : @b\n}"
STORE_OLD = "%o = affine.load %b[%i] : @b\n%s = arith.select %c, %x, %o : f32\naffine.store %s, %b[%i] : @b"
STORE_ELSE = "scf.if %c {\n} else {\naffine.store %x, %b[%i] : @b\n}"
RESULT = """
%s = scf.if %c -> (f32) {
  scf.yield %x : f32
} else {
  %y = arith.negf %x : f32
  scf.yield %y : f32
}
affine.store %s, %b[%i] : @b
"""
CHOICE = "%y = arith.negf %x : f32\n%s = arith.select %c, %x, %y : f32\naffine.store %s, %b[%i] : @b"
CROSSED = CHOICE.replace("%c, %x, %y", "%c, %y, %x")
BOTH = "%y = arith.negf %x : f32\nscf.if %c {\naffine.store %x, %b[%i] : @b\n} else {\naffine.store %y, %b[%i] : @b\n}"
AFTERWARDS = "%y = arith.negf %x : f32\naffine.store %y, %b[%i] : @b\n" + STORE
NESTED = "%d = arith.cmpf olt, %x, %z : f32\nscf.if %c {\nscf.if %d {\naffine.store %z, %b[%i] : @b\n}\n}"
TEMPORARY = """
%t = memref.alloc() : memref<1xf32>
scf.if %c {
  affine.store %x, %t[0] : memref<1xf32>
}
scf.if %c {
  %u = affine.load %t[0] : memref<1xf32>
  affine.store %u, %b[%i] : @b
}
"""

EQUAL = [
    ("a store below a condition", STORE),
    ("a choice between the new and the old value", STORE_OLD),
    ("through a temporary", TEMPORARY),
]
ALSO_EQUAL = [
    ("results of a condition", RESULT),
    ("a choice of values", CHOICE),
    ("a store in each branch", BOTH),
    ("a store that a condition replaces", AFTERWARDS),
]


@pytest.fixture
def pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Pairs:
    return Pairs(tmp_path, capsys)


def _text(body: str) -> str:
    return function("a: ?xf32, b: ?xf32", f"{HEAD}{body}\n}}")


@pytest.mark.parametrize("group", [EQUAL, ALSO_EQUAL])
def test_forms_of_one_program(pairs: Pairs, group: list[tuple[str, str]]) -> None:
    wrong = [
        (first, second)
        for first, before in group
        for second, after in group
        if pairs.says(_text(before), _text(after)) != ("proved", "a_dim0 <= b_dim0")
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("before", "after"),
    [(STORE, STORE_ELSE), (STORE_OLD, STORE_ELSE), (RESULT, CROSSED), (BOTH, CROSSED), (STORE, BOTH)],
)
def test_another_branch_is_refuted(pairs: Pairs, before: str, after: str) -> None:
    assert pairs.says(_text(before), _text(after))[0] == "refuted"


def test_conditions_below_conditions(pairs: Pairs) -> None:
    assert pairs.says(_text(NESTED), _text(NESTED)) == ("proved", "a_dim0 <= b_dim0")
    assert pairs.says(_text(NESTED), _text(NESTED.replace("%z, %b[", "%x, %b[")))[0] != "proved"


def test_sizes_at_which_an_access_below_a_condition_may_leave_are_assumed_away(pairs: Pairs) -> None:
    record = pairs.record(_text(STORE), _text(STORE))
    assert any("below a condition on data" in assumption for assumption in record["assumptions"])


def test_a_condition_on_an_index_that_is_data(pairs: Pairs) -> None:
    body = """
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : @a
      %k = arith.index_cast %x : i32 to index
      %c = arith.cmpi slt, %i, %k : index
      scf.if %c {
        affine.store %x, %b[%i] : @b
      }
    }
    """
    before = function("a: 8xi32, b: 8xi32", body)
    assert pairs.says(before, before)[0] == "proved"
    assert pairs.says(before, before.replace("slt, %i, %k", "sgt, %k, %i"))[0] == "proved"
    assert pairs.says(before, before.replace("slt", "sle"))[0] != "proved"
    assert pairs.says(before, before.replace("slt", "sgt"))[0] == "refuted"


def test_the_value_of_a_condition_is_that_of_its_time(pairs: Pairs) -> None:
    """A store below the condition changes what it was computed from."""
    body = """
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%i] : @a
      %c = arith.cmpf ogt, %x, %z : f32
      scf.if %c {
        affine.store %z, %a[%i] : @a
        AGAIN
        scf.if %d {
          affine.store %x, %b[%i] : @b
        }
      }
    }
    """
    same = body.replace("AGAIN", "%d = arith.ori %c, %c : i1")
    other = body.replace("AGAIN", "%y = affine.load %a[%i] : @a\n%d = arith.cmpf ogt, %y, %z : f32")
    before, after = (function("a: 8xf32, b: 8xf32", f"%z = arith.constant 0.0 : f32\n{text}") for text in (same, other))
    assert pairs.says(before, before)[0] == "proved"
    assert pairs.says(before, after)[0] == "refuted"
