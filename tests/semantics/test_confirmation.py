"""Refutations are run at their sizes: what confirms one, what does not, and how sizes are called."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.analysis.equivalence import EXACT, Algebra, Computed, Fault, Refuted
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.semantics import confirmation
from tilewright.semantics.confirmation import Numbers, confirm
from tilewright.semantics.parameters import dynamic_outputs_at, in_words, inputs_at
from xdsl.dialects.func import FuncOp

PADDED = """\
func.func @f(%a: memref<?x4xf32>, %m: index, %x: f32, %b: memref<?x4xf32> {tw.output}, %c: memref<?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?x4xf32>
  loop.bind %b shape [%n + 2, 4] strides [4, 1] : memref<?x4xf32>
  func.return
}
"""
SUM = """\
func.func @f(%a: memref<4xf32>, %b: memref<2xf32> {tw.output}) {
  %0 = loop.load %a[0] : memref<4xf32>
  %1 = loop.load %a[1] : memref<4xf32>
  %2 = loop.load %a[2] : memref<4xf32>
  %3 = arith.addf %0, %1 : f32
  %4 = arith.addf %3, %2 : f32
  loop.store %4, %b[0] : memref<2xf32>
  func.return
}
"""
OTHER_ORDER = SUM.replace("%3 = arith.addf %0, %1", "%3 = arith.addf %1, %2").replace("%3, %2 :", "%0, %3 :")
UNDEFINED = """\
func.func @f(%a: memref<4xf32>, %b: memref<2xf32> {tw.output}) {
  %t = loop.alloc : memref<2xf32>
  %0 = loop.load %a[0] : memref<4xf32>
  loop.store %0, %t[0] : memref<2xf32>
  loop.for %i = 0 to 2 {
    %1 = loop.load %t[%i] : memref<2xf32>
    loop.store %1, %b[%i] : memref<2xf32>
  }
  func.return
}
"""


def function(text: str) -> FuncOp:
    (found,) = (op for op in parse(context(), text, "f.mlir").ops if isinstance(op, FuncOp))
    return found


def refuted(element: tuple[int, ...], output: int | None = 1) -> Refuted:
    return Refuted({}, output, element, Computed("x"), Computed("y"))


@pytest.mark.parametrize(
    ("after", "algebra", "numbers"),
    [
        (SUM, EXACT, Numbers.EQUAL),
        (OTHER_ORDER, EXACT, Numbers.UNEQUAL),
        (OTHER_ORDER, Algebra(reassociates=True), Numbers.EQUAL),
        (SUM.replace("%a[2]", "%a[3]"), Algebra(reassociates=True), Numbers.UNEQUAL),
        (SUM.replace("%b[0]", "%b[1]"), EXACT, Numbers.UNEQUAL),
    ],
)
def test_numbers_have_to_agree_as_far_as_the_algebra_says(after: str, algebra: Algebra, numbers: Numbers) -> None:
    found = confirm(function(SUM), function(after), refuted((0,)), algebra)
    assert found.numbers is numbers
    assert (" before and " in found.text) == (numbers is Numbers.UNEQUAL)


def test_elements_that_are_undefined_before_confirm_nothing() -> None:
    after = UNDEFINED.replace("memref<2xf32>\n  %0", "memref<2xf32>\n  loop.store %x, %t[1] : memref<2xf32>\n  %0")
    after = after.replace("  %t =", "  %x = arith.constant 1.0 : f32\n  %t =")
    assert confirm(function(UNDEFINED), function(after), refuted((0,)), EXACT).numbers is Numbers.EQUAL


def test_an_access_that_leaves_its_buffer_after_is_confirmed() -> None:
    found = confirm(function(SUM), function(SUM.replace("%a[2]", "%a[4]")), refuted((), None), EXACT)
    assert found.numbers is Numbers.UNEQUAL
    assert found.text.startswith(
        "the interpreter fails after: expected an index within [4], but loop.load accesses %a[4]"
    )


def test_a_program_that_fails_before_says_nothing() -> None:
    found = confirm(function(SUM.replace("%a[2]", "%a[4]")), function(SUM), refuted((0,)), EXACT)
    assert found.numbers is Numbers.NOT_RUN and "TW0721" in found.text


SIZES = {"argument 0 extent 0": 3, "argument 1": 7, "argument 3 extent 0": 5, "argument 4 extent 0": 2}


def test_inputs_have_the_sizes_that_a_model_names() -> None:
    a, m, x = inputs_at(function(PADDED), SIZES, 0)
    assert (a.shape, a.dtype, m, np.ndim(x)) == ((3, 4), np.float32, 7, 0)
    assert dynamic_outputs_at(function(PADDED), SIZES) == {3: (5, 4), 4: (2,)}


def test_sizes_are_reported_by_names_of_the_program() -> None:
    """The extent of %b follows from %n; that of %c has no name."""
    assert in_words(function(PADDED), SIZES) == {"n": 3, "m": 7, "extent 0 of %c": 2}
    twice = PADDED.replace("%n + 2", "%n")
    assert in_words(function(twice), SIZES | {"argument 3 extent 0": 3}) == {"n": 3, "m": 7, "extent 0 of %c": 2}
    assert in_words(function(twice), SIZES) == {"n": 3, "m": 7, "extent 0 of %b": 5, "extent 0 of %c": 2}


MIXED = "func.func @f(%a: memref<500xf32>, %b: memref<4x250xbf16>, %s: f32, %c: memref<9xi32>) {\n func.return\n}"


def test_special_values_are_in_all_float_inputs_and_follow_no_value() -> None:
    """Of each array as many large elements become special as small ones."""
    mixed = function(MIXED)
    scalars: list[float] = []
    drawn = list(confirmation._inputs(mixed, mixed, refuted(()), EXACT))  # pyright: ignore[reportPrivateUsage]
    for trial, special in enumerate(inputs for inputs, among in drawn if "NaN" in among):
        plain = inputs_at(mixed, {}, trial)
        share = confirmation._SPECIAL_SHARES[trial]  # pyright: ignore[reportPrivateUsage]
        for value, changed in zip(plain[:2], special[:2], strict=True):
            assert changed.dtype == value.dtype
            chosen = ~(changed == value)
            assert abs(np.mean(chosen) - share) < 0.08
            least = value.astype(float) < np.quantile(value.astype(float), share)
            assert abs(np.mean(chosen[least]) - share) < 0.2
        scalars.append(special[2])
        assert np.array_equal(special[3], plain[3])
    assert not np.all(np.isin(scalars, [inputs_at(mixed, {}, trial)[2] for trial in range(len(scalars))]))
    assert all(isinstance(scalar, np.float32) for scalar in scalars)


SHARED = """\
func.func @f(%a: memref<4xi32>, %b: memref<1xi32> {tw.output}) {
  %zero = arith.constant 0 : i32
  loop.store %zero, %b[0] : memref<1xi32>
  loop.for %i = 0 to 4 {
    %x = loop.load %a[%i] : memref<4xi32>
    %y = loop.load %b[0] : memref<1xi32>
    %z = arith.addi %x, %y : i32
    loop.store %z, %b[0] : memref<1xi32>
  }
  func.return
}
"""


@pytest.mark.parametrize(
    ("after", "fault", "numbers"),
    [
        (SHARED.replace("to 4 {", "to 4 kind parallel {"), Fault.RACE, Numbers.UNEQUAL),
        (SHARED.replace("to 4 {", "to 4 kind parallel {"), Fault.OUTSIDE, Numbers.EQUAL),
        (SHARED, Fault.RACE, Numbers.EQUAL),
    ],
    ids=["a race", "not asked for", "none"],
)
def test_races_are_found_where_they_are_looked_for(after: str, fault: Fault, numbers: Numbers) -> None:
    claim = Refuted({}, None, (0,), Computed("x"), Computed("y"), fault)
    found = confirm(function(SHARED), function(after), claim, EXACT)
    assert found.numbers is numbers
    assert ("TW0537" in found.text) == (numbers is Numbers.UNEQUAL)
