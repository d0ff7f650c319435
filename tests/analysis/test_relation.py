"""Relations and sets against enumeration: the points in a small box, for small sizes."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest
from tilewright.analysis.integer_set import System
from tilewright.analysis.integer_set.calculus import Calculus, Undecided
from tilewright.analysis.integer_set.dataflow import TimedAccess, last_writers
from tilewright.analysis.integer_set.relation import IntegerSet, Relation
from tilewright.dialects.index_expr import Index, Symbol

N, M = Symbol("n"), Symbol("m")
A, B, C, D = map(Symbol, "abcd")
SIZES = [{N: n, M: m} for n in range(3) for m in (0, 2)]
BOX = range(4)

Points = set[tuple[int, ...]]


def drawn_index(rng: random.Random, variables: tuple[Symbol, ...]) -> Index:
    e = Index.of(rng.randint(-2, 2))
    for v in rng.sample(variables, k=min(2, len(variables))):
        e = e + Index.of(v) * rng.choice((-2, -1, 1, 2))
    if rng.random() < 0.4:
        inner = Index.of(rng.choice(variables)) + rng.randint(0, 2)
        e = e + (inner // rng.choice((2, 3)) if rng.random() < 0.5 else inner % rng.choice((2, 3)))
    return e


def drawn_systems(rng: random.Random, variables: tuple[Symbol, ...]) -> list[System]:
    box = System.box({v: (0, len(BOX)) for v in variables if v not in (N, M)})
    systems: list[System] = []
    for _ in range(rng.randint(1, 2)):
        system = box.where(*(drawn_index(rng, variables) for _ in range(rng.randint(0, 2))))
        if rng.random() < 0.5:
            system = system.equating([(drawn_index(rng, variables), 0)])
        systems.append(system)
    return systems


def enumerated(variables: tuple[Symbol, ...], systems: list[System], sizes: dict[Symbol, int]) -> Points:
    return {
        point
        for point in product(BOX, repeat=len(variables))
        if any(s.contains({**sizes, **dict(zip(variables, point, strict=True))}) for s in systems)
    }


SEEDS = range(25)


@pytest.mark.each("seed", SEEDS)
def test_operations_on_sets(seed: int) -> None:
    rng = random.Random(seed)
    calculus = Calculus([N, M])
    first, second = drawn_systems(rng, (A, B, N, M)), drawn_systems(rng, (A, B, N, M))
    x, y = calculus.set((A, B), first), calculus.set((A, B), second)
    empty = subset = equal = True
    for sizes in SIZES:
        p, q = enumerated((A, B), first, sizes), enumerated((A, B), second, sizes)
        results: list[tuple[IntegerSet, Points]] = [
            (x, p),
            (x | y, p | q),
            (x & y, p & q),
            (x - y, p - q),
            (x.coalesce(), p),
            (x.gist(y) & y, p & q),
            (x.project([0]), {(b,) for _, b in p}),
            (x.project([1]), {(a,) for a, _ in p}),
            (x.parameters_only(), {()} if p else set()),
        ]
        for result, expected in results:
            assert set(result.points(sizes)) == expected
        assert set(x.identity().points(sizes)) == {(*t, *t) for t in p}
        assert set(x.times(y).points(sizes)) == {(*s, *t) for s in p for t in q}
        assert set(x.fix(N, 1).points(sizes)) == (p if sizes[N] == 1 else set())
        assert p <= set((x.affine_hull() & calculus.set((A, B), [box(A, B)])).points(sizes))
        empty, subset, equal = empty and not p, subset and p <= q, equal and p == q
    # The answers are about all sizes: what is so for these may not be so for others.
    assert empty or not x.is_empty()
    assert subset or not x.is_subset(y)
    assert equal or not x.is_equal(y)
    assert (x - y).is_subset(x) and (x & y).is_subset(y) and (x | y).is_equal(y | x)


def box(*variables: Symbol) -> System:
    return System.box({v: (0, len(BOX)) for v in variables})


@pytest.mark.each("seed", SEEDS)
def test_operations_on_relations(seed: int) -> None:
    rng = random.Random(seed)
    calculus = Calculus([N, M])
    first, second = drawn_systems(rng, (A, B, N, M)), drawn_systems(rng, (B, C, N, M))
    members = drawn_systems(rng, (A, N, M))
    x, y = calculus.relation([A], [B], first), calculus.relation([B], [C], second)
    only = calculus.set([A], members)
    for sizes in SIZES:
        p, q = enumerated((A, B), first, sizes), enumerated((B, C), second, sizes)
        s = enumerated((A,), members, sizes)
        results: list[tuple[Relation | IntegerSet, Points]] = [
            (x, p),
            (x | y, p | q),
            (x & y, p & q),
            (x - y, p - q),
            (x.then(y), {(a, c) for a, b in p for d, c in q if b == d}),
            (x.inverse(), {(b, a) for a, b in p}),
            (x.domain(), {(a,) for a, _ in p}),
            (x.range(), {(b,) for _, b in p}),
            (x.image(only), {(b,) for a, b in p if (a,) in s}),
            (x.on(only), {(a, b) for a, b in p if (a,) in s}),
            (x.into(only), {(a, b) for a, b in p if (b,) in s}),
            (x.beside(y), {(a, b, c) for a, b in p for d, c in q if a == d}),
            (x.pairs_with(y), {(a, d, b, c) for a, b in p for d, c in q}),
            (x.first(), {min(t for t in p if t[0] == a) for a, _ in p}),
            (x.last(), {max(t for t in p if t[0] == a) for a, _ in p}),
            (x.graph(), p),
            (x.graph().as_relation(1), p),
            (x.graph().as_relation(0), p),
            (x.coalesce(), p),
            (x.where(only.parameters_only()), p if s else set()),
            (x.project(inputs=[0]), {(b,) for _, b in p}),
            (x.project(outputs=[0]), {(a,) for a, _ in p}),
            (x.fix(M, 2), p if sizes[M] == 2 else set()),
        ]
        for result, expected in results:
            assert set(result.points(sizes)) == expected
        functional, one_to_one = len(p) == len({a for a, _ in p}), len(p) == len({b for _, b in p})
        fixed = x.fix(N, sizes[N]).fix(M, sizes[M])
        assert fixed.is_single_valued() == functional
        assert fixed.is_injective() == one_to_one
        assert fixed.is_empty() == (not p)
    assert x.is_equal(x.inverse().inverse()) and (x & y).is_subset(x)


@pytest.mark.each("seed", SEEDS)
def test_samples_are_points(seed: int) -> None:
    rng = random.Random(seed)
    calculus = Calculus([N, M])
    systems = drawn_systems(rng, (A, B, N, M))
    sample = calculus.relation([A], [B], systems).sample()
    if sample is None:
        assert not any(enumerated((A, B), systems, sizes) for sizes in SIZES)
    else:
        assert sample.point in enumerated((A, B), systems, sample.parameters)


@pytest.mark.each("seed", SEEDS)
def test_last_writers(seed: int) -> None:
    """Against a walk through the writes in order of time. Times of the accesses differ in a last entry."""
    rng = random.Random(seed)
    calculus = Calculus([N, M])
    read, write = drawn_systems(rng, (A, B, N, M)), [drawn_systems(rng, (A, B, N, M)) for _ in range(2)]

    def timed(systems: list[System], number: int) -> tuple[TimedAccess, Callable[[dict[Symbol, int]], list[Access]]]:
        element = drawn_index(rng, (A, B))
        at = [Index.of(rng.choice((A, 0))), Index.of(A), Index.of(B), Index.of(number)]
        elements = calculus.function((A, B), [element], systems)

        def instances(sizes: dict[Symbol, int]) -> list[Access]:
            found: list[Access] = []
            for point in enumerated((A, B), systems, sizes):
                values = {**sizes, A: point[0], B: point[1]}
                when = tuple(int(e.evaluate(values)) for e in at)
                found.append((when, number, point, int(element.evaluate(values))))
            return found

        return TimedAccess((A, B), elements, tuple(at)), instances

    reader, reads = timed(read, 1)
    writers, writes = zip(*(timed(systems, number) for systems, number in zip(write, (0, 2), strict=True)), strict=True)
    flow = last_writers(reader, writers)
    for sizes in SIZES:
        expected: list[Points] = [set(), set()]
        unwritten: Points = set()
        done = [w for instances in writes for w in instances(sizes)]
        for when, _, point, element in reads(sizes):
            before = [w for w in done if w[3] == element and w[0] < when]
            if before:
                _, number, source, _ = max(before)
                expected[number // 2].add((*point, *source))
            else:
                unwritten.add(point)
        assert [set(r.points(sizes)) for r in flow.writers] == expected
        assert set(flow.unwritten.points(sizes)) == unwritten


Access = tuple[tuple[int, ...], int, tuple[int, ...], int]


def test_of_no_writes_all_is_unwritten() -> None:
    calculus = Calculus([N])
    elements = calculus.function([A], [Index.of(A)], [System.box({A: (0, N)})])
    flow = last_writers(TimedAccess((A,), elements, (Index.of(A),)), [])
    assert flow.writers == ()
    assert flow.unwritten.is_equal(elements.domain())


def test_missing_entries_of_times_are_zero() -> None:
    """A write at (0,) is before a read at (0, 1), and one at (0, 1) is not before a read at (0,)."""
    calculus = Calculus()
    element = calculus.function([], [Index.of(0)], [System()])
    early, late = (TimedAccess((), element, tuple(map(Index.of, time))) for time in ((0,), (0, 1)))
    assert last_writers(late, [early]).unwritten.is_empty()
    assert not last_writers(early, [late]).unwritten.is_empty()


def test_what_isl_cannot_answer_is_undecided_and_the_calculus_goes_on() -> None:
    calculus = Calculus([N], operations=30)
    with pytest.raises(Undecided, match="the budget of 30 operations was spent"):
        wide = calculus.set([A, B], [System.box({A: (0, N), B: (0, N)}).where(Index.of(A) % 7 - Index.of(B) // 3)])
        (wide - wide.project([0]).add_dimensions(1)).is_empty()
    calculus.begin(operations=100_000)
    old = calculus.set([A], [System.box({A: (0, N)})])
    assert old.is_equal(old)
    with pytest.raises(Undecided, match="the budget of 1 operations"):
        calculus.begin(operations=1)
        (old - old.affine_hull()).is_empty()
    calculus.begin(operations=100_000)
    fresh = calculus.set([A], [System.box({A: (0, N)})])
    assert (fresh - fresh).is_empty()
    with pytest.raises(Undecided, match="made before an earlier question failed"):
        fresh.is_equal(old)


def test_time_is_bounded() -> None:
    calculus = Calculus([N], seconds=0.0)
    with pytest.raises(Undecided, match=r"the time of 0\.0 seconds is over"):
        calculus.universe(1)
    calculus.begin(seconds=60.0)
    assert not calculus.universe(1).is_empty()


def test_coefficients_beyond_64_bits_are_undecided() -> None:
    with pytest.raises(Undecided, match="64 bits"):
        Calculus().set([A], [System((Index.of(A) - 2**70,))])
