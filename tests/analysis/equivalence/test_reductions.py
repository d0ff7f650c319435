"""Terms of reductions in another order: proved where reassociation is declared, and where each term is there once."""

from __future__ import annotations

import pytest
from tilewright.analysis.equivalence import EXACT, Algebra, Axiom, Proved, Refuted

from .pairs import REASSOCIATES, decide, point

ARGUMENTS = "A: ?, S: 1"

SUM = """
%zero = arith.constant INIT : f32
loop.store %zero, %S[0] : @S
loop.for %i = 0 to %n {
  %a = loop.load %A[%i] : @A
  %s = loop.load %S[0] : @S
  %t = arith.addf %s, %a : f32
  loop.store %t, %S[0] : @S
}
"""


def total(init: str = "0.0", op: str = "addf", index: str = "%i", lower: str = "0") -> str:
    text = SUM.replace("INIT", init).replace("addf", op)
    return text.replace("%A[%i]", f"%A[{index}]").replace("= 0 to", f"= {lower} to")


PARTIAL = """
%zero = arith.constant 0.0 : f32
%p = loop.alloc : memref<4xf32>
loop.for %k = 0 to 4 {
  loop.store %zero, %p[%k] : memref<4xf32>
  loop.for %o = 0 to (%n + 3) floordiv 4 {
    loop.if (%o * 4 + %k < %n) {
      %a = loop.load %A[%o * 4 + %k] : @A
      %s = loop.load %p[%k] : memref<4xf32>
      %t = arith.addf %s, %a : f32
      loop.store %t, %p[%k] : memref<4xf32>
    }
  }
}
loop.store %zero, %S[0] : @S
loop.for %k = 0 to 4 {
  %s = loop.load %S[0] : @S
  %q = loop.load %p[%k] : memref<4xf32>
  %t = arith.addf %s, %q : f32
  loop.store %t, %S[0] : @S
}
"""


def test_a_reversed_sum_takes_reassociation() -> None:
    backwards = total(index="%n - 1 - %i")
    assert isinstance(decide(ARGUMENTS, total(), backwards, REASSOCIATES), Proved)
    sizes, output, element = point(decide(ARGUMENTS, total(), backwards))
    assert max(sizes) >= 2 and (output, element) == (1, (0,))


def test_partial_sums_take_reassociation() -> None:
    assert isinstance(decide(ARGUMENTS, total(), PARTIAL, REASSOCIATES), Proved)
    assert isinstance(decide(ARGUMENTS, PARTIAL, total(), REASSOCIATES), Proved)
    assert isinstance(decide(ARGUMENTS, total(), PARTIAL), Refuted)
    assert isinstance(decide(ARGUMENTS, total(), PARTIAL, Algebra(contracts=True, axioms=frozenset(Axiom))), Refuted)


@pytest.mark.parametrize(
    ("have", "want"),
    [
        ("%o * 4 + %k < %n)", "%o * 4 + %k < %n - 1)"),  # a term is missing
        ("loop.load %A[%o * 4 + %k]", "loop.load %A[%o * 4]"),  # terms are there several times
        ("%k = 0 to 4 {\n  %s", "%k = 0 to 3 {\n  %s"),  # a partial sum is missing
        ("arith.addf %s, %q", "arith.addf %q, %q"),  # the accumulated value is not read
        ("loop.store %zero, %S[0]", "loop.store %last, %S[0]"),  # begins with something else
        ("%t = arith.addf %s, %q", "%t = arith.mulf %s, %q"),
    ],
)
def test_wrong_partial_sums_are_refuted(have: str, want: str) -> None:
    assert PARTIAL.count(have) == 1
    wrong = PARTIAL.replace(have, want).replace("%p = loop", "%last = arith.constant 1.0 : f32\n%p = loop")
    assert isinstance(decide(ARGUMENTS, total(), wrong, REASSOCIATES), Refuted)


def test_without_terms_the_result_is_the_init() -> None:
    first = """
    loop.if (%n >= 1) {
      %a = loop.load %A[0] : @A
      loop.store %a, %S[0] : @S
    }
    loop.for %i = 1 to %n {
      %a = loop.load %A[%i] : @A
      %s = loop.load %S[0] : @S
      %t = arith.addf %s, %a : f32
      loop.store %t, %S[0] : @S
    }
    """
    assert point(decide(ARGUMENTS, total(), first, REASSOCIATES)) == ({0}, 1, (0,))
    zero = "loop.if (%n <= 0) {\n%z = arith.constant 0.0 : f32\nloop.store %z, %S[0] : @S\n}\n"
    assert isinstance(decide(ARGUMENTS, total(), zero + first, REASSOCIATES), Proved)
    assert isinstance(decide(ARGUMENTS, total(), zero + first), Refuted)  # x + 0 is not x


def test_an_init_that_is_no_identity_is_a_term() -> None:
    assert isinstance(decide(ARGUMENTS, total("2.0"), total("2.0", index="%n - 1 - %i"), REASSOCIATES), Proved)
    assert isinstance(decide(ARGUMENTS, total("2.0"), total("0.0", index="%n - 1 - %i"), REASSOCIATES), Refuted)
    assert isinstance(
        decide(ARGUMENTS, total("1.0", "mulf"), total("1.0", "mulf", "%n - 1 - %i"), REASSOCIATES), Proved
    )


def test_a_maximum_has_its_terms_in_any_order() -> None:
    least = "0xFF800000"
    before, after = total(least, "maximumf"), total(least, "maximumf", "%n - 1 - %i")
    assert isinstance(decide(ARGUMENTS, before, after), Proved)
    assert isinstance(decide(ARGUMENTS, before, total(least, "maximumf", "%n - 1 - %i", "1")), Refuted)
    other = before.replace("maximumf", "maxnumf"), after.replace("maximumf", "maxnumf")
    assert isinstance(decide(ARGUMENTS, *other), Refuted)
    assert isinstance(decide(ARGUMENTS, *other, REASSOCIATES), Proved)


def test_differences_have_an_order() -> None:
    assert isinstance(decide(ARGUMENTS, total(op="subf"), total(op="subf", index="%n - 1 - %i"), REASSOCIATES), Refuted)


def test_an_update_that_is_lost_is_no_term() -> None:
    """Both loads come before both stores, so the first store has no effect."""
    body = """
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : @A
      %b = loop.load %B[%i] : @A
      FIRST
      SECOND
      THIRD
      FOURTH
    }
    """
    steps = (
        "%s = loop.load %S[%i] : @S",
        "%t = arith.addf %s, %a : f32\nloop.store %t, %S[%i] : @S",
        "%u = loop.load %S[%i] : @S",
        "%v = arith.addf %u, %b : f32\nloop.store %v, %S[%i] : @S",
    )

    def in_order(*order: int) -> str:
        text = body
        for name, k in zip(("FIRST", "SECOND", "THIRD", "FOURTH"), order, strict=True):
            text = text.replace(name, steps[k])
        return text

    arguments = "A: 8, B: 8, S: 8"
    assert isinstance(decide(arguments, in_order(0, 1, 2, 3), in_order(2, 3, 0, 1), REASSOCIATES), Proved)
    assert isinstance(decide(arguments, in_order(0, 1, 2, 3), in_order(0, 2, 1, 3), REASSOCIATES), Refuted)
    assert isinstance(decide(arguments, in_order(0, 1, 2, 3), in_order(2, 0, 3, 1), REASSOCIATES), Refuted)


def test_running_sums_share_their_terms() -> None:
    """Each result has the terms of the one before, so a term belongs to many results."""
    body = """
    loop.for %i = 0 to %n {
      %a = loop.load %A[%i] : @A
      %s = loop.load %S[0] : @S
      %t = arith.addf FIRST : f32
      loop.store %t, %S[0] : @S
      loop.store %t, %B[%i] : @B
    }
    """
    before, after = body.replace("FIRST", "%s, %a"), body.replace("FIRST", "%a, %s")
    assert isinstance(decide("A: ?, B: ?, S: 1", before, after), Proved)
    each = """
    loop.for %i = 0 to %n {
      %s = loop.load %S[0] : @S
      loop.store %s, %B[%i] : @B
      loop.for %k = 0 to %i + 1 {
        %a = loop.load %A[%i - %k] : @A
        %t = loop.load %B[%i] : @B
        %u = arith.addf %t, %a : f32
        loop.store %u, %B[%i] : @B
      }
    }
    loop.for %i = 0 to %n {
      loop.if (%i >= %n - 1) {
        %t = loop.load %B[%i] : @B
        loop.store %t, %S[0] : @S
      }
    }
    """
    assert isinstance(decide("A: ?, B: ?, S: 1", before, each, REASSOCIATES), Proved)
    assert isinstance(decide("A: ?, B: ?, S: 1", before, each), Refuted)
    wrong = each.replace("%i + 1 {", "%i {")
    assert isinstance(decide("A: ?, B: ?, S: 1", before, wrong, REASSOCIATES), Refuted)


def test_terms_that_are_equal_to_each_other_are_not_paired() -> None:
    before, after = total(index="0"), total(index="0").replace("arith.addf %s, %a", "arith.addf %a, %s")
    assert isinstance(decide(ARGUMENTS, before, after, REASSOCIATES), Proved)  # term by term, in order
    once_more = total(index="0", lower="-1")
    verdict = decide(ARGUMENTS, before, once_more, REASSOCIATES)
    assert isinstance(verdict, Refuted)
    twice = """
    %zero = arith.constant 0.0 : f32
    loop.store %zero, %S[0] : @S
    loop.for %i = 0 to 2 * %n {
      loop.if (%i mod 2 >= 1) {
        %a = loop.load %A[0] : @A
        %s = loop.load %S[0] : @S
        %t = arith.addf %s, %a : f32
        loop.store %t, %S[0] : @S
      }
    }
    """
    assert not isinstance(decide(ARGUMENTS, before, twice.replace("2 * %n", "%n"), REASSOCIATES), Proved)


PADDED = """
%zero = arith.constant 0.0 : f32
%p = loop.alloc (%n + 3) : memref<?xf32>
loop.for %i = 0 to %n + 3 {
  %a = loop.load %A[%i] where (%i < %n) else %zero : @A
  loop.store %a, %p[%i] : memref<?xf32>
}
loop.store %zero, %S[0] : @S
loop.for %i = 0 to %n + 3 {
  %a = loop.load %p[%i] : memref<?xf32>
  %b = arith.mulf %a, %a : f32
  %s = loop.load %S[0] : @S
  %t = arith.addf %s, %b : f32
  loop.store %t, %S[0] : @S
}
"""


def test_terms_that_are_zero_take_axioms() -> None:
    before = SUM.replace("INIT", "0.0").replace("%s = loop", "%b = arith.mulf %a, %a : f32\n%s = loop")
    before = before.replace("addf %s, %a", "addf %s, %b")
    both = Algebra(axioms=frozenset(Axiom))
    assert isinstance(decide(ARGUMENTS, before, PADDED, both), Proved)
    for algebra in (EXACT, *(Algebra(axioms=frozenset([axiom])) for axiom in Axiom)):
        assert isinstance(decide(ARGUMENTS, before, PADDED, algebra), Refuted), algebra
    ones = PADDED.replace("else %zero", "else %one").replace("%p = loop", "%one = arith.constant 1.0 : f32\n%p = loop")
    assert isinstance(decide(ARGUMENTS, before, ones, both), Refuted)
    assert isinstance(decide(ARGUMENTS, before, PADDED.replace("(%i < %n)", "(%i < %n - 1)"), both), Refuted)


def test_integer_sums_are_exact() -> None:
    def integers(text: str) -> str:
        return text.replace("0.0 : f32", "0 : i32").replace("f32", "i32").replace("addf", "addi")

    before, backwards = integers(total()), integers(total(index="%n - 1 - %i"))
    assert isinstance(decide(ARGUMENTS, before, backwards, element="i32"), Proved)
    assert isinstance(decide(ARGUMENTS, before, integers(PARTIAL), element="i32"), Proved)
    assert isinstance(decide(ARGUMENTS, before, integers(total(lower="1")), element="i32"), Refuted)


def test_paired_terms_are_compared() -> None:
    """Terms that contain another reduction are compared when reductions are paired."""
    body = """
    %zero = arith.constant 0.0 : f32
    %r = loop.alloc : memref<1xf32>
    loop.store %zero, %r[0] : memref<1xf32>
    loop.for %k = 0 to 4 {
      %b = loop.load %B[%k] : @B
      %s = loop.load %r[0] : memref<1xf32>
      %t = arith.INNER %s, %b : f32
      loop.store %t, %r[0] : memref<1xf32>
    }
    loop.store %zero, %S[0] : @S
    loop.for %i = 0 to %n {
      %a = loop.load %A[INDEX] : @A
      %q = loop.load %r[0] : memref<1xf32>
      %p = arith.mulf %a, %q : f32
      %s = loop.load %S[0] : @S
      %t = arith.addf %s, %p : f32
      loop.store %t, %S[0] : @S
    }
    """
    before = body.replace("INNER", "addf").replace("INDEX", "%i")
    after = body.replace("INDEX", "%n - 1 - %i")
    arguments = "A: ?, B: 4, S: 1"
    assert isinstance(decide(arguments, before, after.replace("INNER", "addf"), REASSOCIATES), Proved)
    assert isinstance(decide(arguments, before, after.replace("INNER", "subf"), REASSOCIATES), Refuted)
