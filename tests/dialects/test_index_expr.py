"""Index expressions: every equation of the normal form against plain integer arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tilewright.analysis.ranges import Facts
from tilewright.dialects.index_expr import LANE, Index
from tilewright.dialects.index_maps import from_map, to_map
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block

BLOCK = Block(arg_types=[IndexType()] * 3)
I, J, K = BLOCK.args  # noqa: E741
for argument, hint in zip(BLOCK.args, "ijk", strict=True):
    argument.name_hint = hint
VARIABLES = (I, J, K, LANE)

divisors = st.sampled_from((1, 2, 3, 4, 6, 8, 12))
leaves = st.one_of(st.integers(-9, 9), st.sampled_from(VARIABLES))


def _grow(children):
    """Return expressions as nested tuples, so that the oracle sees what was written and not what was simplified."""
    return st.one_of(
        st.tuples(st.sampled_from("+-"), children, children),
        st.tuples(st.just("*"), children, st.integers(-4, 4)),
        st.tuples(st.sampled_from(("//", "%")), children, divisors),
    )


trees = st.recursive(leaves, _grow, max_leaves=8)
environments = st.fixed_dictionaries({v: st.integers(-20, 20) for v in VARIABLES})

OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}


def build(tree) -> Index:
    if not isinstance(tree, tuple):
        return Index.of(tree)
    operator, left, right = tree
    return OPERATIONS[operator](build(left), right if operator in ("*", "//", "%") else build(right))


def plain(tree, environment) -> int:
    if not isinstance(tree, tuple):
        return tree if isinstance(tree, int) else environment[tree]
    operator, left, right = tree
    return OPERATIONS[operator](plain(left, environment), plain(right, environment))


@given(trees, environments)
def test_value_is_that_of_integer_arithmetic(tree, environment):
    assert build(tree).evaluate(environment) == plain(tree, environment)


@given(trees)
def test_affine_map_round_trip_is_stable(tree):
    expression = build(tree)
    map, operands = to_map([expression])
    (back,) = from_map(map, operands)
    assert back == expression
    assert to_map([back]) == (map, operands)


@given(
    trees, environments, st.dictionaries(st.sampled_from(VARIABLES), st.tuples(st.integers(0, 5), st.integers(0, 9)))
)
def test_ranges_keep_the_value_and_bound_it(tree, environment, spread):
    ranges = {v: (x - spread.get(v, (0, 0))[0], x + spread.get(v, (0, 0))[1]) for v, x in environment.items()}
    expression = build(tree)
    value = plain(tree, environment)
    low, high = expression.bounds(ranges)
    assert low <= value <= high
    assert expression.with_ranges(ranges).evaluate(environment) == value


@given(trees, trees, environments, st.integers(0, 9))
def test_a_condition_that_holds_keeps_the_value_and_bounds_it(tree, condition, environment, slack):
    """Conditions narrow the ranges of variables, floordivs and mods."""
    ranges = {v: (x - 4, x + 9) for v, x in environment.items()}
    holds = build(condition) - plain(condition, environment) + slack
    facts = Facts(ranges).where(holds)
    expression, value = build(tree), plain(tree, environment)
    low, high = facts.bounds(expression)
    assert low <= value <= high
    assert facts.simplify(expression).evaluate(environment) == value


@given(trees, trees, environments)
def test_substitution_is_evaluation_of_the_replacement(tree, replacement, environment):
    inner = build(replacement).evaluate(environment)
    substituted = build(tree).substitute({I: build(replacement)})
    assert substituted.evaluate(environment) == plain(tree, {**environment, I: inner})


def test_split_and_fuse_cancel():
    split = (Index.of(I) // 4) * 4 + Index.of(I) % 4
    assert split == Index.of(I)
    assert (Index.of(I) * 4 + J).with_ranges({J: (0, 3)}) // 4 == (Index.of(I) * 4 + J) // 4
    assert ((Index.of(I) * 4 + J) // 4).with_ranges({J: (0, 3)}) == Index.of(I)
    assert ((Index.of(I) * 8 + J) % 16).with_ranges({J: (0, 7)}) == (Index.of(I) % 2) * 8 + J


def test_equality_ignores_the_order_of_terms():
    assert Index.of(I) + J == Index.of(J) + I
    assert hash(Index.of(I) + J) == hash(Index.of(J) + I)
    assert Index.of(I) + J != Index.of(I) + K


def test_evaluates_on_arrays():
    lanes = np.arange(8)
    assert ((Index.of(I) + LANE) % 3).evaluate({I: 2, LANE: lanes}).tolist() == [(2 + n) % 3 for n in range(8)]


def test_text():
    assert str(Index.of(I) * 32 - J + 1) == "%i * 32 - %j + 1"
    assert str((Index.of(I) * 3 + J) // 4) == "((%i * 3 + %j) floordiv 4)"
    assert str(Index.of(LANE) % 4 - 2) == "(lane mod 4) - 2"


def test_divisors_are_positive():
    with pytest.raises(ValueError, match="expected a positive divisor, but got -2"):
        Index.of(I) // -2
