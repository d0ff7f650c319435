"""Programs of the same statements: equal without a relation for their recurrence, which copies back and forth."""

from __future__ import annotations

from tilewright.semantics.proving import prove_refinement

from .campaign import function_of
from .programs import function

RECURRENCE = """
%c0 = arith.constant 0 : index
%n = memref.dim %a, %c0 : @a
affine.for %i = 1 to %n {
  affine.for %j = 0 to 4 {
    %x = affine.load %a[%i - 1, 3 - %j] : @a
    affine.store %x, %a[%i, %j] : @a
  }
}
"""
PARALLEL = RECURRENCE.replace("affine.for %j = 0 to 4", "affine.parallel (%k) = (0) to (4)").replace("%j", "%k")


def word(before: str, after: str) -> str:
    return prove_refinement(*(function_of(function("a: ?x4xi32", text)) for text in (before, after))).word


def test_loops_of_other_kinds_and_names() -> None:
    assert word(RECURRENCE, RECURRENCE) == "proved"
    assert word(RECURRENCE, PARALLEL) == "proved"
    assert word(PARALLEL, RECURRENCE) == "proved"


def test_statements_that_differ() -> None:
    for old, new in (("3 - %j", "%j"), ("%i - 1, 3", "0, 3"), ("1 to %n", "2 to %n"), ("%a[%i, %j]", "%a[%i, 3 - %j]")):
        assert word(RECURRENCE, RECURRENCE.replace(old, new)) != "proved", new
    assert word(RECURRENCE, RECURRENCE.replace("1 to %n", "2 to %n")) == "refuted"
    order = RECURRENCE.replace("[%i - 1, 3 - %j]", "[%n - %i - 1, 3 - %j]").replace("[%i, %j]", "[%n - %i, %j]")
    assert word(RECURRENCE, order) != "proved"


def test_a_race_is_refuted() -> None:
    assert (
        word(RECURRENCE, RECURRENCE.replace("affine.for %i = 1 to %n", "affine.parallel (%i) = (1) to (%n)"))
        == "refuted"
    )
