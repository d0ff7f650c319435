"""Programs that are equal by equations of integers and floats, and ones that are nearly so."""

from __future__ import annotations

from tilewright.semantics.proving import prove_refinement

from .campaign import function_of
from .programs import function

HEAD = """
%n2 = arith.constant -2 : i32
%n1 = arith.constant -1 : i32
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%two = arith.constant 2 : i32
%three = arith.constant 3 : i32
%four = arith.constant 4 : i32
%seven = arith.constant 7 : i32
%true = arith.constant true
%f0 = arith.constant 0.0 : f32
%fm0 = arith.constant -0.0 : f32
%f1 = arith.constant 1.0 : f32
affine.for %i = 0 to 8 {
  %x = affine.load %a[%i] : @a
  %y = affine.load %b[%i] : @b
"""

FLOOR = """%q = arith.divsi %x, %seven : i32
%m = arith.muli %q, %seven : i32
%ne = arith.cmpi ne, %x, %m : i32
%neg = arith.cmpi slt, %x, %zero : i32
%and = arith.andi %ne, %neg : i1
%less = arith.addi %q, %n1 : i32
%v = arith.select %and, %less, %q : i32"""

EQUAL = {
    "sums": ("%t = arith.addi %x, %two : i32\n%v = arith.addi %t, %two : i32", "%v = arith.addi %x, %four : i32"),
    "a difference": ("%v = arith.subi %x, %two : i32", "%v = arith.addi %n2, %x : i32"),
    "a constant out of a sum": (
        "%t = arith.addi %x, %two : i32\n%v = arith.subi %t, %y : i32",
        "%t = arith.subi %x, %y : i32\n%v = arith.addi %t, %two : i32",
    ),
    "a shift": ("%v = arith.shli %x, %two : i32", "%v = arith.muli %x, %four : i32"),
    "constants": ("%v = arith.muli %two, %two : i32", "%v = arith.addi %two, %two : i32"),
    "what changes nothing": (
        "%t = arith.ori %x, %zero : i32\n%v = arith.divsi %t, %one : i32",
        "%v = arith.andi %x, %x : i32",
    ),
    "casts": ("%t = arith.extui %x : i32 to i64\n%v = arith.trunci %t : i64 to i32", "%v = arith.xori %x, %zero : i32"),
    "casts by index": (
        "%t = arith.index_cast %x : i32 to index\n%v = arith.index_cast %t : index to i32",
        "%v = arith.addi %x, %zero : i32",
    ),
    "a negated comparison": (
        "%t = arith.cmpi slt, %x, %y : i32\n%u = arith.xori %t, %true : i1\n%v = arith.extui %u : i1 to i32",
        "%u = arith.cmpi sge, %x, %y : i32\n%v = arith.extui %u : i1 to i32",
    ),
    "a strict comparison": (
        "%t = arith.cmpi sge, %x, %three : i32\n%v = arith.select %t, %x, %y : i32",
        "%t = arith.cmpi slt, %two, %x : i32\n%v = arith.select %t, %x, %y : i32",
    ),
    "an extreme": (
        "%t = arith.cmpi ugt, %x, %y : i32\n%v = arith.select %t, %x, %y : i32",
        "%v = arith.maxui %y, %x : i32",
    ),
    "a division that rounds down": ("%v = arith.floordivsi %x, %seven : i32", FLOOR),
}
UNEQUAL = {
    "sums": ("%t = arith.addi %x, %two : i32\n%v = arith.addi %t, %two : i32", "%v = arith.addi %x, %three : i32"),
    "a difference": ("%v = arith.subi %x, %two : i32", "%v = arith.subi %two, %x : i32"),
    "a shift": ("%v = arith.shli %x, %two : i32", "%v = arith.muli %x, %two : i32"),
    "a shift to the right": ("%v = arith.shrui %x, %two : i32", "%v = arith.shrsi %x, %two : i32"),
    "casts": ("%t = arith.trunci %x : i32 to i8\n%v = arith.extsi %t : i8 to i32", "%v = arith.andi %x, %x : i32"),
    "casts of signs": (
        "%t = arith.extsi %x : i32 to i64\n%u = arith.shrui %t, %k : i64\n%v = arith.trunci %u : i64 to i32",
        "%t = arith.extui %x : i32 to i64\n%u = arith.shrui %t, %k : i64\n%v = arith.trunci %u : i64 to i32",
    ),
    "a comparison": (
        "%t = arith.cmpi sge, %x, %three : i32\n%v = arith.select %t, %x, %y : i32",
        "%t = arith.cmpi slt, %three, %x : i32\n%v = arith.select %t, %x, %y : i32",
    ),
    "an extreme of signed numbers": (
        "%t = arith.cmpi sgt, %x, %y : i32\n%v = arith.select %t, %x, %y : i32",
        "%v = arith.maxui %y, %x : i32",
    ),
    "the other extreme": (
        "%t = arith.cmpi ult, %x, %y : i32\n%v = arith.select %t, %x, %y : i32",
        "%v = arith.maxui %y, %x : i32",
    ),
    "a division that rounds up": ("%v = arith.ceildivsi %x, %seven : i32", FLOOR),
    "a division that truncates": ("%v = arith.divsi %x, %seven : i32", FLOOR),
}


def word(before: str, after: str) -> str:
    """Return the verdict on two programs."""
    return prove_refinement(function_of(before), function_of(after)).word


def _text(body: str) -> str:
    head = HEAD if "%k" not in body else f"%k = arith.constant 16 : i64\n{HEAD}"
    return function("a: 8xi32, b: 8xi32", f"{head}{body}\naffine.store %v, %b[%i] : @b\n}}")


def test_equal_integers() -> None:
    texts = {name: tuple(map(_text, each)) for name, each in EQUAL.items()}
    wrong = [name for name, (one, other) in texts.items() if word(one, other) != "proved"]
    wrong += [f"{name}, back" for name, (one, other) in texts.items() if word(other, one) == "refuted"]
    assert wrong == []


def test_unequal_integers() -> None:
    texts = {name: tuple(map(_text, each)) for name, each in UNEQUAL.items()}
    wrong = [name for name, (one, other) in texts.items() if word(one, other) != "refuted"]
    wrong += [f"{name}, back" for name, (one, other) in texts.items() if word(other, one) == "proved"]
    assert wrong == []


def test_what_forgets_an_operand_is_for_the_program_before() -> None:
    """x + x with nsw may be poison, 0 is none."""
    poison = "%t = arith.addi %x, %x overflow<nsw> : i32\n"
    before, after = (
        _text(poison + body) for body in ("%v = arith.muli %t, %zero : i32", "%v = arith.addi %zero, %zero : i32")
    )
    assert word(before, after) == "proved"
    assert word(after, before) != "proved"


def test_flags_that_the_program_after_has_alone() -> None:
    plain = "%t = arith.addi %x, %two : i32\n%v = arith.addi %t, %two : i32"
    flagged = "%v = arith.addi %x, %four overflow<nsw> : i32"
    assert word(_text(flagged), _text(plain)) == "proved"
    assert word(_text(plain), _text(flagged)) == "refuted"


FLOATS = {
    "%v = arith.mulf %x, %f1 : f32": True,
    "%v = arith.divf %x, %f1 : f32": True,
    "%v = arith.addf %fm0, %x : f32": True,
    "%v = arith.subf %x, %f0 : f32": True,
    "%t = arith.negf %x : f32\n%v = arith.negf %t : f32": True,
    "%v = arith.addf %x, %f0 : f32": False,
    "%v = arith.subf %x, %fm0 : f32": False,
    "%v = arith.subf %f0, %x : f32": False,
    "%v = arith.divf %f1, %x : f32": False,
    "%v = arith.mulf %x, %f0 : f32": False,
}


def test_floats_that_keep_every_bit() -> None:
    def text(body: str) -> str:
        return function("a: 8xf32, b: 8xf32", f"{HEAD}{body}\naffine.store %v, %b[%i] : @b\n}}")

    same = text("%v = arith.select %true, %x, %y : f32")
    wrong = [body for body, is_equal in FLOATS.items() if (word(text(body), same) == "proved") != is_equal]
    assert wrong == []


CONDITIONS = "%c = arith.cmpi slt, %x, %two : i32\n%d = arith.cmpi slt, %y, %x : i32\n"
STORE = "affine.store %seven, %b[%i] : @b\n"
NESTED = f"{CONDITIONS}scf.if %c {{\nscf.if %d {{\n{STORE}}}\n}}"
BOTH = f"{CONDITIONS}%e = arith.andi %d, %c : i1\nscf.if %e {{\n{STORE}}}"
EITHER = BOTH.replace("andi", "ori")
BELOW_ELSE = f"{CONDITIONS}scf.if %c {{\n}} else {{\nscf.if %d {{\n{STORE}}}\n}}"
NOT_BOTH = f"{CONDITIONS}%o = arith.xori %c, %true : i1\n%e = arith.andi %o, %d : i1\nscf.if %e {{\n{STORE}}}"


def _branches(body: str) -> str:
    return function("a: 8xi32, b: 8xi32", f"{HEAD}{body}\n}}")


def test_conditions_that_are_nested_or_joined() -> None:
    same = [(NESTED, BOTH), (BELOW_ELSE, NOT_BOTH)]
    other = [(NESTED, EITHER), (NESTED, NOT_BOTH), (BELOW_ELSE, BOTH), (NESTED, BELOW_ELSE)]
    for verdict, cases in (("proved", same), ("refuted", other)):
        both_ways = [*cases, *((second, first) for first, second in cases)]
        wrong = [each for each in both_ways if word(*map(_branches, each)) != verdict]
        assert wrong == []


def test_a_condition_that_is_poison_below_another_one() -> None:
    """Joined conditions are poison where one is that the nested form does not look at."""
    flagged = [
        text.replace("%d = arith", "%s = arith.addi %y, %y overflow<nsw> : i32\n%d = arith").replace("%y, %x", "%s, %x")
        for text in (NESTED, BOTH)
    ]
    nested, joined = map(_branches, flagged)
    assert word(nested, joined) != "proved"
    assert word(joined, nested) == "proved"
