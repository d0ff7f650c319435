"""Plans of the default schedules for described processors: sums along rows and transposes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tilewright import te
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule.rules import schedule_by_rule
from tilewright.schedule.rules.partial_results import Partials, plan_partials
from tilewright.schedule.rules.transpose import plan_transposition

from .programs import block_of, schedule_of

CACHES = (32 << 10, 512 << 10, 8 << 20)


def machine(threads: int = 1, bits: int = 256) -> CpuTargetAttr:
    """Return a machine of 16 registers for vectors, 32 where these have 512 bits."""
    features = ["avx2", "fma"] if bits == 256 else ["avx512f", "fma"]
    return CpuTargetAttr.get(features, bits, CACHES, threads)


def loops_of(tensors: list[te.Tensor], target: CpuTargetAttr) -> dict[str, list[tuple[int | None, str]]]:
    """Return, by label of a block, how often the loops around it run, and their kinds, where rules have arranged
    them."""
    sch = schedule_of(tensors)
    schedule_by_rule(sch.func, target)
    return {
        b.label: [(op.constant_trip_count, op.kind.kind.data) for op in loops_around(b)] for b in blocks_in(sch.func)
    }


# Sums along rows


def row_sums(
    rows: int, terms: int, element: Callable[..., Any], dtype: str = "float32", combine: Callable[..., Any] = te.sum
) -> list[te.Tensor]:
    """Return C[i] = the sum of elements of A[i], which is eight times as long as the sum, and of X."""
    a, x = te.placeholder((rows, terms * 8), dtype, name="A"), te.placeholder((terms,), dtype, name="X")
    k = te.reduce_axis((0, terms), "k")
    return [a, x, te.compute((rows,), lambda i: combine(element(a, x, i, k), axis=k), name="C")]


def by_itself(a: Any, x: Any, i: Any, k: Any) -> Any:
    return a[i, k]


def by_vector(a: Any, x: Any, i: Any, k: Any) -> Any:
    return a[i, k] * x[k]


def planned(tensors: list[te.Tensor], target: CpuTargetAttr) -> tuple[int, int, int] | None:
    found = plan_partials(block_of(tensors), target)
    return None if found is None else (found.chains, found.lanes, found.rows)


@pytest.mark.each(
    ("rows", "terms", "element", "dtype", "bits", "expected"),
    [
        (12, 64, by_itself, "float32", 256, (8, 8, 1)),
        (12, 64, by_itself, "float64", 256, (8, 4, 1)),
        (12, 128, by_itself, "float32", 512, (8, 16, 1)),
        (12, 63, by_itself, "float32", 256, (4, 8, 1)),
        (12, 16, by_itself, "float32", 256, (2, 8, 1)),
        (12, 7, by_itself, "float32", 256, (1, 4, 1)),
        (12, 4, by_itself, "float32", 256, (1, 4, 1)),
        (12, 3, by_itself, "float32", 256, None),
        (12, 64, by_vector, "float32", 256, (2, 8, 4)),
        (4, 64, by_vector, "float32", 256, (2, 8, 4)),
        (3, 64, by_vector, "float32", 256, (2, 8, 3)),
        (2, 64, by_vector, "float32", 256, (4, 8, 2)),
        (1, 64, by_vector, "float32", 256, (8, 8, 1)),
        (12, 64, lambda a, x, i, k: x[k], "float32", 256, (2, 8, 4)),
        (12, 64, lambda a, x, i, k: a[i, 2 * k], "float32", 256, (8, 8, 1)),
        (12, 64, lambda a, x, i, k: a[i, 4 * k], "float32", 256, (8, 8, 1)),
        (12, 64, lambda a, x, i, k: a[i, 5 * k], "float32", 256, None),
        (12, 64, lambda a, x, i, k: a[i, 63 - k], "float32", 256, None),
        (12, 12, lambda a, x, i, k: a[k, i], "float32", 256, None),
        (12, 12, lambda a, x, i, k: a[i, k] + a[k, i], "float32", 256, None),
        (12, 64, lambda a, x, i, k: a[i, 0], "float32", 256, None),
    ],
)
def test_vectors_of_partial_results(
    rows: int, terms: int, element: Callable[..., Any], dtype: str, bits: int, expected: tuple[int, int, int] | None
) -> None:
    assert planned(row_sums(rows, terms, element, dtype), machine(bits=bits)) == expected


def test_partial_results_of_several_results_share_the_registers() -> None:
    def combine(x: Any, y: Any) -> Any:
        return tuple(p + q for p, q in zip(x, y, strict=True))

    reducer = te.comm_reducer(combine, lambda *types: tuple(te.const(0, t) for t in types), name="sums")
    a, k = te.placeholder((12, 64), name="A"), te.reduce_axis((0, 64), "k")
    sums = te.compute((12,), lambda i: reducer((a[i, k], a[i, k] * 2), axis=k), name="C")
    found = plan_partials(block_of([a, *sums]), machine())
    assert found == Partials(4, 8, 1, None), "(16 - 4) / 2 registers for each"


def test_what_has_no_partial_results() -> None:
    a = te.placeholder((12, 64), name="A")
    elementwise = te.compute((12, 64), lambda i, j: a[i, j] + 1, name="C")
    assert planned([a, elementwise], machine()) is None
    assert planned(row_sums(12, 0, by_itself), machine()) is None, "sums of nothing"
    sch = schedule_of(row_sums(12, 64, by_itself))
    block = sch.get_block("C")
    assert plan_partials(sch.block(block), machine()) is not None
    sch.decompose_reduction(block, sch.get_loops(block)[0])
    assert plan_partials(sch.block(block), machine()) is None, "an update goes on with results that are there"


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7])
def test_rows_that_share_a_vector_are_reduced_together(rows: int) -> None:
    together = min(rows, 4)
    chains = {1: 8, 2: 4, 3: 2, 4: 2}[together]
    found = loops_of(row_sums(rows, 64, by_vector), machine())
    around = [(-(-rows // 4), "serial")] if rows > 1 else [(1, "serial")]
    row = [(together, "unrolled")] if rows > 1 else []
    tile = [(chains, "unrolled"), (8, "vectorized")]
    assert found["C_rf"] == [*around, (64 // (chains * 8), "serial"), *row, *tile]
    assert found["C_rf_init"] == [*around, *row, *tile]
    assert found["C_rf4"] == [*around, *row, (2, "unrolled"), (2, "vectorized")]
    assert found["C"] == [*around, *row, (2, "unrolled")]
    assert found["C_write"] == [*around, *row]


@pytest.mark.parametrize(
    ("rows", "terms", "threads", "shares"),
    [
        (2, 1 << 17, 4, 16),
        (2, 1 << 17, 1, None),
        (15, 1 << 17, 4, 16),
        (16, 1 << 17, 4, None),
        (2, 5 << 13, 4, 16),
        (2, 39 << 10, 4, None),
        (2, 3 << 14, 3, 12),
        (2, 13 * 4096, 4, 16),
        (2, 13 * 4001, 4, 13),
    ],
)
def test_few_long_rows_are_shared_out_in_equal_parts(rows: int, terms: int, threads: int, shares: int | None) -> None:
    found = loops_of(row_sums(rows, terms, by_itself), machine(threads))
    parts = found.get("C_rf_rf")
    assert (parts is not None) == (shares is not None)
    if parts is not None:
        assert shares is not None and found["C"] == [(rows, "serial"), (shares, "serial")]
        assert parts[0] == (shares if shares >= 4 * threads else shares * rows, "parallel")


@pytest.mark.parametrize(
    ("rows", "together", "threads"), [(12, 6, 1), (8, 8, 1), (9, 3, 1), (16, 8, 1), (13, 1, 1), (512, 8, 4), (1, 1, 1)]
)
def test_several_results_at_once_where_rows_are_no_vectors(rows: int, together: int, threads: int) -> None:
    found = loops_of(row_sums(rows, 128, lambda a, x, i, k: a[i, 8 * k]), machine(threads))
    kind = "parallel" if threads > 1 else "serial"
    inner = [(together, "unrolled")] if together > 1 else []
    assert found["C"] == [(rows // together, kind), (128, "serial"), *inner]
    assert found["C_init"] == [(rows // together, kind), *inner]
    assert found["C_write"] == [(rows // together, kind), (together, "unrolled")]


def test_vectors_of_an_unknown_number_are_shared_out() -> None:
    """Forty rows are too few for 64 threads; with the vectors of unknown number along them they are enough."""
    a = te.placeholder((40, te.var("n")), name="A")
    loops = loops_of([a, te.compute(a.shape, lambda i, j: a[i, j] + 1, name="C")], machine(64))
    assert loops["C"] == [(40, "parallel"), (None, "serial"), (4, "unrolled"), (8, "vectorized")]


@pytest.mark.parametrize(("threads", "shares"), [(1, 1), (2, 2), (4, 4)])
def test_sums_of_columns_are_shared_out_in_chunks_of_the_row(threads: int, shares: int) -> None:
    a, k = te.placeholder((64, 4096), name="A"), te.reduce_axis((0, 64), "k")
    found = loops_of([a, te.compute((4096,), lambda j: te.sum(a[k, j], axis=k), name="C")], machine(threads))
    outer = (shares, "parallel" if threads > 1 else "serial")
    vectors = 4096 // 8 // shares
    assert found["C"] == [outer, (8, "serial"), (vectors, "serial"), (8, "unrolled"), (8, "vectorized")]
    assert found["C_write"] == [outer, (vectors, "serial"), (8, "vectorized")]


# Transposes


def turned(element: Callable[..., Any], shape: tuple[int, ...] = (40, 40), dtype: str = "float32") -> list[te.Tensor]:
    a = te.placeholder((120, 120), dtype, name="A")
    return [a, te.compute(shape, lambda *index: element(a, *index), name="C")]


@pytest.mark.parametrize(
    ("down", "right", "is_turned"),
    [
        (0, 0, True),
        (8, 0, True),
        (9, 0, False),
        (0, 8, True),
        (0, 9, False),
        (3, 3, True),
        (3, 4, False),
        (4, 3, False),
    ],
)
def test_a_part_holds_its_neighbours_up_to_its_size(down: int, right: int, is_turned: bool) -> None:
    """Eight by eight elements, and as many more."""
    tensors = turned(lambda a, i, j: a[j, i] + a[j + down, i + right])
    assert (plan_transposition(block_of(tensors), machine()) is not None) == is_turned


@pytest.mark.parametrize(
    ("shape", "dtype", "bits", "lanes", "parts"),
    [
        ((40, 40), "float32", 256, 8, 2),
        ((40, 40), "float64", 256, 4, 2),
        ((40, 40), "float32", 512, 16, 1),
        ((40, 40), "float64", 512, 8, 1),
        ((40, 7), "float32", 256, 4, 4),
        ((7, 40), "float32", 256, 4, 4),
        ((8, 8), "float32", 256, 8, 2),
        ((4, 40), "float32", 256, 4, 4),
        ((40, 4), "float32", 256, 4, 4),
        ((3, 40), "float32", 256, None, None),
        ((40, 3), "float32", 256, None, None),
    ],
)
def test_parts_of_a_vector_in_tiles_of_a_line(
    shape: tuple[int, int], dtype: str, bits: int, lanes: int | None, parts: int | None
) -> None:
    found = plan_transposition(block_of(turned(lambda a, i, j: a[j, i], shape, dtype)), machine(bits=bits))
    assert (None if found is None else (found.lanes, found.parts)) == (None if lanes is None else (lanes, parts))
    if found is not None:
        assert (found.across.position, found.along.position) == (0, 1)
        assert found.parts_along(found.across) == min(found.parts, -(-shape[0] // found.lanes))
        assert found.parts_along(found.along) == min(found.parts, -(-shape[1] // found.lanes))


@pytest.mark.parametrize(
    ("element", "across"),
    [
        (lambda a, i, j: a[j, i], 0),
        (lambda a, i, j: a[i, j], None),
        (lambda a, i, j: a[i, j] + a[j, i], None),
        (lambda a, i, j: a[j, i + 1], None),
        (lambda a, i, j: a[j * 2, i], None),
        (lambda a, i, j: a[j + i, i], None),
        (lambda a, i, j: a[i, i], None),
        (lambda a, i, j: a[3, i], None),
        (lambda a, i, j: te.if_then_else(j > 3, a[j, i], 0.0), None),
        (lambda a, i, j: a[j, i] + a[39 - j, i], None),
    ],
)
def test_which_reads_are_turned(element: Callable[..., Any], across: int | None) -> None:
    found = plan_transposition(block_of(turned(element)), machine())
    assert (None if found is None else found.across.position) == across


def test_axes_that_are_not_tiled_stay_outside() -> None:
    a = te.placeholder((5, 40, 24), name="A")
    found = plan_transposition(block_of([a, te.compute((24, 5, 40), lambda i, z, j: a[z, j, i], name="C")]), machine())
    assert found is not None and (found.across.position, found.along.position) == (0, 2)
    loops = loops_of([a, te.compute((24, 5, 40), lambda i, z, j: a[z, j, i], name="C")], machine())
    tile = [(5, "serial"), (2, "serial"), (3, "serial"), (2, "serial"), (2, "serial")]
    assert loops["C"] == [*tile, (8, "unrolled"), (8, "vectorized")]
