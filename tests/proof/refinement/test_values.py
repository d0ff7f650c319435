"""Values that upstream leaves undefined: divisions, flags, poison, and memory that nobody has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Pairs, function


@pytest.fixture
def pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Pairs:
    return Pairs(tmp_path, capsys)


IN_LOOP = """
%c0 = arith.constant 0 : index
%n = memref.dim %b, %c0 : @b
affine.for %i = 0 to %n {
  %x = affine.load %a[0] : @a
  %y = affine.load %a[1] : @a
  %q = arith.DIVIDE %x, %y : i32
  affine.store %q, %b[%i] : @b
}
"""
HOISTED = """
%c0 = arith.constant 0 : index
%n = memref.dim %b, %c0 : @b
%x = affine.load %a[0] : @a
%y = affine.load %a[1] : @a
%q = arith.DIVIDE %x, %y : i32
affine.for %i = 0 to %n {
  affine.store %q, %b[%i] : @b
}
"""


@pytest.mark.parametrize("name", ["divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"])
def test_a_division_is_not_hoisted_from_a_loop_that_may_not_run(pairs: Pairs, name: str) -> None:
    inside, hoisted = (function("a: 4xi32, b: ?xi32", body.replace("DIVIDE", name)) for body in (IN_LOOP, HOISTED))
    record = pairs.record(inside, hoisted)
    assert record["verdict"] == "refuted" and "divisor of 0" in record["difference"]["numbers"]
    assert pairs.says(hoisted, inside)[0] == "proved"
    assert pairs.says(inside, inside)[0] == "proved"
    runs = [text.replace("memref<?xi32>", "memref<3xi32>") for text in (inside, hoisted)]
    assert pairs.says(*runs)[0] == "proved"
    by_seven = [
        text.replace("%y = affine.load %a[1] : memref<4xi32>", "%y = arith.constant 7 : i32")
        for text in (inside, hoisted)
    ]
    assert pairs.says(*by_seven)[0] == "proved"


def test_a_quotient_that_may_overflow_needs_an_equal_dividend(pairs: Pairs) -> None:
    """The least number divided by -1 is undefined, and the program before divides another number."""
    body = """
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i] : @a
      %y = affine.load %b[%i] : @b
      %q = arith.divsi %x, %y : i32
      affine.store %q, %b[%i] : @b
    }
    """
    unused = body.replace("%q =", "%r = arith.divsi %y, %y : i32\n%q =")
    before, after = (function("a: 4xi32, b: 4xi32", text) for text in (body, unused))
    assert pairs.says(before, after)[0] == "unknown"
    assert pairs.says(after, before)[0] == "proved"
    assert pairs.says(*(text.replace("divsi", "divui") for text in (before, after)))[0] == "proved"
    minus = function("a: 4xi32, b: 4xi32", body.replace("%y = affine.load %b[%i] : @b", "%y = arith.constant -1 : i32"))
    assert pairs.says(before, minus)[0] != "proved"
    assert pairs.says(minus, minus)[0] == "proved"


def test_a_division_by_the_constant_0_is_undefined(pairs: Pairs) -> None:
    text = function("a: 4xi32, b: ?xi32", IN_LOOP.replace("DIVIDE", "divsi"))
    by_zero = text.replace("%y = affine.load %a[1] : memref<4xi32>", "%y = arith.constant 0 : i32")
    assert pairs.says(by_zero, text) == ("proved", "b_dim0 = 0")
    assert pairs.says(text, by_zero)[0] != "proved"


def test_a_division_below_a_condition_on_data(pairs: Pairs) -> None:
    guarded = """
    %zero = arith.constant 0 : i32
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i] : @a
      %y = affine.load %b[%i] : @b
      %c = arith.cmpi ne, %y, %zero : i32
      scf.if %c {
        %q = arith.divui %x, %y : i32
        affine.store %q, %b[%i] : @b
      }
    }
    """
    always = """
    %zero = arith.constant 0 : i32
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i] : @a
      %y = affine.load %b[%i] : @b
      %c = arith.cmpi ne, %y, %zero : i32
      %q = arith.divui %x, %y : i32
      scf.if %c {
        affine.store %q, %b[%i] : @b
      }
    }
    """
    before, after = (function("a: 4xi32, b: 4xi32", text) for text in (guarded, always))
    assert pairs.says(before, before)[0] == "proved"
    assert pairs.says(before, after)[0] == "refuted"
    assert pairs.says(after, before)[0] == "proved"


DOUBLE = """
affine.for %i = 0 to 4 {
  %x = affine.load %a[%i] : @a
  %y = arith.OP %x, %x FLAGS: i32
  affine.store %y, %b[%i] : @b
}
"""


@pytest.mark.parametrize("name", ["addi", "muli", "shli"])
@pytest.mark.parametrize("flag", ["nsw", "nuw", "nsw, nuw"])
def test_flags_may_be_dropped_and_not_added(pairs: Pairs, name: str, flag: str) -> None:
    plain, flagged = (
        function("a: 4xi32, b: 4xi32", DOUBLE.replace("OP", name).replace("FLAGS", flags))
        for flags in ("", f"overflow<{flag}> ")
    )
    assert pairs.says(flagged, plain)[0] == "proved"
    assert pairs.says(flagged, flagged)[0] == "proved"
    if name == "shli":  # by its own value: of 4 and more bits nothing is lost before the amount is too large
        assert pairs.says(plain, flagged)[0] != "proved"
        return
    record = pairs.record(plain, flagged)
    assert record["verdict"] == "refuted"
    numbers = record["difference"]["numbers"]
    assert f"'arith.{name}'" in numbers and "gives poison" in numbers


SUM = """
%zero = arith.constant 0 : i32
affine.store %zero, %b[0] : @b
affine.for %i = 0 to 8 {
  %x = affine.load %a[INDEX] : @a
  %y = affine.load %b[0] : @b
  %z = arith.addi %y, %x FLAGS: i32
  affine.store %z, %b[0] : @b
}
"""


def test_a_sum_without_overflow_keeps_its_order(pairs: Pairs) -> None:
    """Terms in another order may overflow between; without the flag their order is free."""

    def total(index: str, flags: str) -> str:
        return function("a: 8xi32, b: 1xi32", SUM.replace("INDEX", index).replace("FLAGS", flags))

    forth, back = "%i", "7 - %i"
    assert pairs.says(total(forth, ""), total(back, ""))[0] == "proved"
    assert pairs.says(total(forth, "overflow<nsw> "), total(back, ""))[0] == "proved"
    assert pairs.says(total(forth, "overflow<nsw> "), total(forth, "overflow<nsw> "))[0] == "proved"
    assert pairs.says(total(forth, "overflow<nsw> "), total(back, "overflow<nsw> "))[0] != "proved"
    assert pairs.says(total(forth, ""), total(back, "overflow<nsw> "))[0] == "refuted"


def test_fast_math_flags(pairs: Pairs) -> None:
    body = """
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i] : @a
      %y = arith.mulf %x, %x FLAGS: f32
      affine.store %y, %b[%i] : @b
    }
    """
    plain, no_nan = (function("a: 4xf32, b: 4xf32", body.replace("FLAGS", flags)) for flags in ("", "fastmath<nnan> "))
    assert pairs.says(no_nan, plain)[0] == "proved"
    record = pairs.record(plain, no_nan)
    assert record["verdict"] == "refuted" and "poison" in record["difference"]["numbers"]
    assert pairs.says(plain, plain.replace(": f32\naff", "fastmath<contract> : f32\naff"))[0] != "refuted"


def test_a_refutation_needs_inputs_without_poison(pairs: Pairs) -> None:
    """`x + 1 > x` is true, but where the sum overflows: that is poison with `nsw`, and false without."""
    body = """
    %one = arith.constant 1 : i32
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i] : @a
      %y = arith.addi %x, %one FLAGS: i32
      %c = arith.cmpi sgt, %y, %x : i32
      %d = arith.extui %c : i1 to i32
      affine.store %d, %b[%i] : @b
    }
    """
    folded = "%one = arith.constant 1 : i32\naffine.for %i = 0 to 4 {\naffine.store %one, %b[%i] : @b\n}"
    with_flag, without, after = (
        function("a: 4xi32, b: 4xi32", text)
        for text in (body.replace("FLAGS", "overflow<nsw> "), body.replace("FLAGS", ""), folded)
    )
    assert pairs.says(with_flag, after)[0] == "unknown"
    assert pairs.says(without, after)[0] == "refuted"


SHIFTED = """
%much = arith.constant 40 : i32
%one = arith.constant 1 : i32
affine.for %i = 0 to 4 {
  %x = affine.load %a[%i] : @a
  %p = arith.shli %x, %much : i32
  VALUE
  affine.store %y, %b[%i] : @b
}
"""


def test_poison_propagates_through_the_program_before(pairs: Pairs) -> None:
    used, chosen, other, kept = (
        function("a: 4xi32, b: 4xi32", SHIFTED.replace("VALUE", value))
        for value in (
            "%y = arith.addi %p, %x : i32",
            "%c = arith.cmpi slt, %x, %one : i32\n%y = arith.select %c, %p, %x : i32",
            "%y = arith.addi %x, %one : i32",
            "%y = arith.addi %x, %zero : i32",
        )
    )
    kept = kept.replace("%one = arith.constant 1", "%zero = arith.constant 0").replace(
        "addi %x, %zero", "addi %zero, %x"
    )
    assert pairs.says(used, other)[0] == "proved"
    assert pairs.says(other, used)[0] == "refuted"
    assert pairs.says(chosen, chosen)[0] == "proved"
    assert pairs.says(chosen, kept)[0] == "proved"  # where one choice is poison, the other one may be taken
    assert pairs.says(kept, chosen)[0] == "refuted"
    assert pairs.says(chosen, other)[0] != "proved"


def test_both_readings_of_memory_that_nobody_has_written(pairs: Pairs) -> None:
    body = """
    %one = arith.constant 1 : i32
    %t = memref.alloc() : memref<1xi32>
    affine.for %i = 0 to 4 {
      %x = affine.load %a[%i] : @a
      %u = affine.load %t[0] : memref<1xi32>
      %y = arith.VALUE : i32
      affine.store %y, %b[%i] : @b
    }
    """
    copied, computed, other = (
        function("a: 4xi32, b: 4xi32", body.replace("VALUE", value))
        for value in ("ori %u, %u", "muli %u, %x", "addi %x, %one")
    )
    record = pairs.record(computed, other)
    assert record["verdict"] == "unknown" and "reading" in record["reason"]
    assert pairs.says(computed, computed)[0] == "proved"
    assert pairs.says(other, copied)[0] == "refuted"
