"""Sizes as expressions of names: their normal form, as text, and its arithmetic, against numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.dialects.graph.sizes import (
    Dim,
    canonical,
    difference_of,
    evaluate,
    factors_of,
    is_computed,
    larger_of,
    names_of,
    product_of,
    quotient_of,
    smaller_of,
    sum_of,
    times,
)


@pytest.mark.each(
    ("text", "expected"),
    [
        ("n", "n"),
        ("n * 3", "3 * n"),
        ("n + m", "m + n"),
        ("2 + n", "n + 2"),
        ("n - 1", "n - 1"),
        ("1 - n", "-1 * n + 1"),
        ("n - n", 0),
        ("n + 1 - n", 1),
        ("b * (n + 1)", "b * n + b"),
        ("(n + 1) * (m + 1)", "m * n + m + n + 1"),
        ("(n + 1) floordiv 2", "(n + 1) floordiv 2"),
        ("(4 * n + 6) floordiv 2", "2 * n + 3"),
        ("(4 * n + m + 7) floordiv 4", "(m + 3) floordiv 4 + n + 1"),
        ("2 * (n floordiv 3)", "2 * (n floordiv 3)"),
        ("max(n, n - 1)", "n"),
        ("min(n, n - 1)", "n - 1"),
        ("max(n, m)", "max(n, m)"),
        ("max(n - 1, 0) + 2", "max(n - 1, 0) + 2"),
        ("batch size", "batch size"),
        ("s0//2", "s0//2"),
        ("(s0//2)", "(s0//2)"),
        ("a-b", "a-b"),
        ("n + ", "n + "),
        ("n floordiv m", "n floordiv m"),
        ("n floordiv 0", "n floordiv 0"),
        (")n(", ")n("),
        ("(" * 900 + "n + 1" + ")" * 900, "(" * 900 + "n + 1" + ")" * 900),
        (" * ".join(["(a + b + c + d)"] * 20), " * ".join(["(a + b + c + d)"] * 20)),
    ],
)
def test_normal_form(text: str, expected: Dim) -> None:
    assert canonical(text) == expected
    assert canonical(expected) == expected


def test_parts() -> None:
    assert factors_of("12 * n") == (12, ("n",))
    assert factors_of("3 * b * n + 3 * b") == (3, ("b", "n + 1"))
    assert factors_of("n - n") == (0, ())
    assert factors_of(7) == (7, ()) and factors_of(None) == (1, (None,))
    assert names_of("max(a, b) + (c + 1) floordiv 2") == ("c", "a", "b")
    assert not is_computed("n") and not is_computed(3) and is_computed("n + 1")
    assert sum_of("n", None) is None and times(None, 1) is None and product_of(3, ["n"]) == "3 * n"


NAMES = {"n": 5, "m": 2, "batch size": 7}
ARITHMETIC = {
    sum_of: lambda a, b: a + b,
    difference_of: lambda a, b: a - b,
    larger_of: max,
    smaller_of: min,
    lambda a, b: None if a is None else times(a, 3): lambda a, b: 3 * a,
    lambda a, b: quotient_of(a, 4): lambda a, b: a // 4,
    lambda a, b: None if None in (a, b) else product_of(2, [str(a), str(b)]): lambda a, b: 2 * a * b,
}


def expressions(values: st.SearchStrategy[tuple[Dim, int]]) -> st.SearchStrategy[tuple[Dim, int]]:
    def applied(operation: int, left: tuple[Dim, int], right: tuple[Dim, int]) -> tuple[Dim, int]:
        on_sizes, on_numbers = [*ARITHMETIC.items()][operation]
        return on_sizes(left[0], right[0]), on_numbers(left[1], right[1])

    return st.builds(applied, st.integers(0, len(ARITHMETIC) - 1), values, values)


LEAVES = st.sampled_from([*NAMES.items()]) | st.integers(0, 9).map(lambda number: (number, number))


@settings(max_examples=300, deadline=None)
@given(st.recursive(LEAVES, expressions, max_leaves=6))
def test_arithmetic(pair: tuple[Dim, int]) -> None:
    dim, number = pair
    assert dim is not None
    assert evaluate(dim, NAMES) == number
    assert canonical(dim) == dim
    count, parts = factors_of(dim)
    product = count
    for part in parts:
        product *= evaluate(part or 0, NAMES)
    assert product == number
