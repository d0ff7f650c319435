"""Every answer of the integer sets is compared with enumeration of the points."""

from __future__ import annotations

import threading
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.analysis.integer_set import (
    PROVED,
    Refuted,
    System,
    Unknown,
    always_equal,
    bounds,
    box_hull,
    covers,
    implies,
    implies_all,
    is_empty,
    lexicographically_before,
    none_satisfiable,
)
from tilewright.dialects.index_expr import Index, Symbol

VI, VJ, VN = Symbol("i"), Symbol("j"), Symbol("n")
i, j, n = Index.of(VI), Index.of(VJ), Index.of(VN)
VARIABLES = (VI, VJ, VN)
RANGE = range(-1, 4)
BOX = System.box(dict.fromkeys(VARIABLES, (RANGE.start, RANGE.stop)))

small = st.integers(-4, 4)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> Index:
    if depth == 0 or draw(st.booleans()):
        return i * draw(small) + j * draw(small) + n * draw(st.integers(-1, 1)) + draw(small)
    inner = draw(expressions(depth=depth - 1))
    divisor = draw(st.integers(1, 5))
    other = draw(expressions(depth=0))
    return (inner // divisor if draw(st.booleans()) else inner % divisor) * draw(small) + other


@st.composite
def systems(draw: st.DrawFn) -> System:
    system = BOX.where(*draw(st.lists(expressions(), max_size=2)))
    if draw(st.integers(0, 3)) == 0:
        system = system.equating([(draw(expressions()), draw(expressions()))])
    return system


def points(system: System) -> list[dict[object, int]]:
    every = (dict(zip(VARIABLES, values, strict=True)) for values in product(RANGE, repeat=3))
    return [p for p in every if system.contains(p)]


def check(verdict: object, holds: bool, system: System, violated) -> None:
    """Check that the verdict is PROVED exactly where the claim holds; else the point lies in the system and breaks the
    claim."""
    if holds:
        assert verdict == PROVED
    else:
        assert isinstance(verdict, Refuted)
        assert system.contains(verdict.point)
        assert violated(verdict.point)


@settings(max_examples=80, deadline=None)
@given(systems())
def test_is_empty(system: System) -> None:
    check(is_empty(system), not points(system), system, lambda p: True)


@settings(max_examples=100, deadline=None)
@given(systems(), expressions())
def test_implies(system: System, e: Index) -> None:
    holds = all(e.evaluate(p) >= 0 for p in points(system))
    check(implies(system, e), holds, system, lambda p: e.evaluate(p) < 0)


@settings(max_examples=100, deadline=None)
@given(systems(), expressions(), expressions())
def test_implies_all(system: System, e: Index, f: Index) -> None:
    holds = all(min(e.evaluate(p), f.evaluate(p)) >= 0 for p in points(system))
    check(implies_all(system, (e, f)), holds, system, lambda p: min(e.evaluate(p), f.evaluate(p)) < 0)


@settings(max_examples=80, deadline=None)
@given(systems(), expressions(), expressions())
def test_always_equal(system: System, left: Index, right: Index) -> None:
    holds = all(left.evaluate(p) == right.evaluate(p) for p in points(system))
    check(always_equal(system, left, right), holds, system, lambda p: left.evaluate(p) != right.evaluate(p))


@settings(max_examples=100, deadline=None)
@given(systems(), expressions())
def test_bounds(system: System, e: Index) -> None:
    values = [e.evaluate(p) for p in points(system)]
    lo, hi = bounds(system, e)
    if values:
        assert (lo, hi) == (min(values), max(values))
    else:
        assert (lo, hi) == (0, -1) or lo == hi


@settings(max_examples=60, deadline=None)
@given(systems(), systems())
def test_covers_for_some_value_of_the_other_variables(cover: System, target: System) -> None:
    covered = {(p[VI], p[VJ]) for p in points(cover)}
    left = {(p[VI], p[VJ]) for p in points(target)} - covered
    verdict = covers(cover, target, (VI, VJ))
    if left:
        assert isinstance(verdict, Refuted)
        assert (verdict.point[VI], verdict.point[VJ]) in left
    else:
        assert verdict == PROVED


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(systems(), expressions()), min_size=1, max_size=2))
def test_box_hull_holds_every_index(images: list[tuple[System, Index]]) -> None:
    spans = box_hull([(s, (e,)) for s, e in images], outer=[VN])
    assert not isinstance(spans, Unknown)
    (span,) = spans
    assert set(span.offset.variables) <= {VN}
    distances = [(e - span.offset).evaluate(p) for s, e in images for p in points(s)]
    if distances:
        assert (min(distances), max(distances)) == (0, span.extent - 1)
    else:
        assert span.extent <= len(images)


@settings(max_examples=60, deadline=None)
@given(st.lists(expressions(depth=1), min_size=1, max_size=3), st.data())
def test_lexicographic_order(first: list[Index], data: st.DataObject) -> None:
    second = [data.draw(expressions(depth=1)) for _ in first]
    parts = [BOX & part for part in lexicographically_before(first, second)]
    expected = {tuple(p.items()) for p in points(BOX) if _at(first, p) < _at(second, p)}
    assert {tuple(p.items()) for part in parts for p in points(part)} == expected
    assert (none_satisfiable(parts) == PROVED) == (not expected)


def _at(expressions: list[Index], point: dict[object, int]) -> list[int]:
    return [e.evaluate(point) for e in expressions]


def test_box_hull_of_a_tile_with_a_window() -> None:
    """The rows that six output rows of a strided convolution read."""
    tile = System.box({VI: (0, 6), VJ: (0, 3), VN: (0, 10)})
    assert box_hull([(tile, (n * 12 + i * 2 + j - 1,))], [VN]) == ((n * 12 - 1, 13),)


def test_box_hull_begins_where_a_guarded_remainder_does() -> None:
    """The range of a remainder gives the lower bound of a quotient over it."""
    guarded = System.box({VI: (0, 16), VN: (0, 8)}).where(i % 4 - 1)
    assert box_hull([(guarded, ((n + i % 4) // 2,))], [VN]) == (((n + 1) // 2, 2),)


def test_box_hull_without_a_bound_is_unknown() -> None:
    open_domain = System((i, n - i - 1))
    assert isinstance(box_hull([(open_domain, (i,))], []), Unknown)


def test_symbolic_sizes_follow_from_their_bounds() -> None:
    domain = System.box({VI: (0, n)})
    assert implies(domain, n - 1) == PROVED
    assert implies(domain, n - 1 - i) == PROVED
    assert isinstance(is_empty(domain), Refuted)
    assert is_empty(domain.where(-n)) == PROVED
    assert bounds(domain, i) == (0, None)


def test_ceildiv_split_stays_inside_with_its_guard() -> None:
    split = System.box({VI: (0, n.ceildiv(4)), VJ: (0, 4)})
    verdict = implies(split, n - 1 - (i * 4 + j))
    assert isinstance(verdict, Refuted)
    assert implies(split.where(n - 1 - (i * 4 + j)), n - 1 - (i * 4 + j)) == PROVED
    assert implies(split, n + 2 - (i * 4 + j)) == PROVED


def test_spent_budget_is_unknown_and_does_not_poison() -> None:
    hard = BOX.where(i * 3 + j * 5 - n * 7 - 1, 2 - i * 3 - j * 5 + n * 7).where(j % 3 - i % 2)
    verdict = is_empty(hard, budget=5)
    assert isinstance(verdict, Unknown)
    assert "budget of 5" in verdict.reason
    assert is_empty(hard) != verdict


def test_spent_budget_gives_the_bounds_of_intervals() -> None:
    domain = BOX.where(j - i)
    assert bounds(domain, i - j, budget=5) == (-4, 4)
    assert bounds(domain, i - j) == (-4, 0)


def test_huge_coefficient_is_unknown() -> None:
    verdict = implies(System((i * 2**80 - j, j - 1, i * 3 - j * 2)), i - 2)
    assert isinstance(verdict, Unknown)
    assert "64 bits" in verdict.reason


def test_threads_ask_independently() -> None:
    results: list[object] = []

    def ask(k: int) -> None:
        results.append(bounds(BOX.where(j - i * k), i * k - j))

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(hi == 0 for _, hi in results)
    assert len(results) == 8


@pytest.mark.parametrize("e", [i * 2 - 3, 7 - i * 2, i // 3 - 1])
def test_ranges_come_from_single_variable_constraints(e: Index) -> None:
    system = System.box({VI: (-20, 20)}).where(e)
    lo, hi = system.ranges[VI]
    values = [k for k in range(-20, 20) if e.evaluate({VI: k}) >= 0]
    assert bounds(system, i) == (min(values), max(values))
    assert lo <= min(values) and hi >= max(values)
