"""Blocks as products: rows, columns, batches and terms; blocks that are no products."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as points
from typing import Any

import pytest
from tilewright import te
from tilewright.schedule.rules.block_structure import ASSUMED_EXTENT
from tilewright.schedule.rules.cuda.fetching import Lying, lying_of
from tilewright.schedule.rules.cuda.product_axes import Product, product_of

from .plans import block_of

Form = tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...], tuple[Any, ...], Callable[..., Any]]
"""The shapes of both operands, of the result, of the terms, and a term at indices of the last two."""

N = te.var("n")


def found(form: Form, combine: Callable[..., Any] = te.sum) -> Product | None:
    left, right, result, terms, element = form
    a, b = te.placeholder(left, name="A"), te.placeholder(right, name="B")
    axes = [te.reduce_axis((0, extent), name=f"k{number}") for number, extent in enumerate(terms)]
    c = te.compute(result, lambda *index: combine(element(a, b, *index, *axes), axis=axes), name="C")
    return product_of(block_of([a, b, c], "C"))


PRODUCTS: dict[str, tuple[Form, tuple[int, int, int, int], Callable[..., tuple[Any, ...]]]] = {
    "matrices": (
        ((8, 6), (6, 9), (8, 9), (6,), lambda a, b, i, j, k: a[i, k] * b[k, j]),
        (1, 8, 9, 6),
        lambda i, j, k: (i, j, k),
    ),
    "operands the other way round": (
        ((6, 9), (8, 6), (8, 9), (6,), lambda a, b, i, j, k: a[k, j] * b[i, k]),
        (1, 8, 9, 6),
        lambda i, j, k: (i, j, k),
    ),
    "results transposed": (
        ((8, 6), (6, 9), (9, 8), (6,), lambda a, b, j, i, k: a[i, k] * b[k, j]),
        (1, 9, 8, 6),
        lambda j, i, k: (j, i, k),
    ),
    "batches": (
        ((3, 8, 6), (3, 6, 9), (3, 8, 9), (6,), lambda a, b, z, i, j, k: a[z, i, k] * b[z, k, j]),
        (3, 8, 9, 6),
        lambda z, i, j, k: (z, i, j, k),
    ),
    "several axes of each role": (
        (
            (2, 4, 5, 3),
            (5, 3, 4, 2),
            (2, 4, 4, 2),
            (5, 3),
            lambda a, b, h, i, j, x, k, m: a[h, i, k, m] * b[k, m, j, x],
        ),
        (1, 8, 8, 15),
        lambda h, i, j, x, k, m: (h * 4 + i, j * 2 + x, k * 3 + m),
    ),
    "three axes of rows": (
        ((2, 3, 4, 6), (6, 9), (2, 3, 4, 9), (6,), lambda a, b, g, h, i, j, k: a[g, h, i, k] * b[k, j]),
        (1, 24, 9, 6),
        lambda g, h, i, j, k: ((g * 3 + h) * 4 + i, j, k),
    ),
    "an axis of one iteration": (
        ((8, 1, 6), (6, 9), (8, 1, 9), (6, 1), lambda a, b, i, u, j, k, v: a[i, u, k] * b[k + v, j]),
        (1, 8, 9, 6),
        lambda i, u, j, k, v: (i, j, k),
    ),
    "a convolution": (
        ((2, 5, 9), (4, 5, 3), (2, 4, 7), (5, 3), lambda a, b, n, o, x, c, r: a[n, c, x + r] * b[o, c, r]),
        (1, 4, 14, 15),
        lambda n, o, x, c, r: (o, n * 7 + x, c * 3 + r),
    ),
    "a convolution whose channels come last": (
        ((2, 9, 5), (3, 5, 4), (2, 7, 4), (5, 3), lambda a, b, n, x, o, c, r: a[n, x + r, c] * b[r, c, o]),
        (1, 14, 4, 15),
        lambda n, x, o, c, r: (n * 7 + x, o, r * 5 + c),
    ),
    "channels of a group by a quotient": (
        ((4, 3, 9), (20, 3), (20, 9), (3,), lambda a, b, o, x, c: a[o // 5, c, x] * b[o, c]),
        (4, 5, 9, 3),
        lambda o, x, c: (o // 5, o % 5, x, c),
    ),
    "a symbolic number of rows": (
        ((N, 6), (6, 9), (N, 9), (6,), lambda a, b, i, j, k: a[i, k] * b[k, j]),
        (1, ASSUMED_EXTENT, 9, 6),
        lambda i, j, k: (i, j, k),
    ),
}
"""Computes, their batches, rows, columns and terms, and where an instance of the block is among these."""


@pytest.mark.parametrize("case", PRODUCTS)
def test_roles_of_axes(case: str) -> None:
    form, (batches, *extents), wanted_map = PRODUCTS[case]
    product = found(form)
    assert product is not None
    assert (product.batch_count, product.extents) == (batches, tuple(extents))
    index_map = product.index_map
    ranges = [range(extent) if isinstance(extent, int) else range(3) for extent in (*form[2], *form[3])]
    for point in points(*ranges):
        expected = wanted_map(*point)
        wanted = (*(0 for _ in range(4 - len(expected))), *expected)
        got = tuple(e.constant for e in index_map(*point))
        assert (*(0 for _ in range(4 - len(got))), *got) == wanted, point
    variables = tuple(range(1, len(ranges) + 1))
    assert product.is_plain == (wanted_map(*variables) == variables)


@pytest.mark.parametrize(("case", "left"), [("matrices", "A"), ("results transposed", "B"), ("a convolution", "B")])
def test_results_lie_side_by_side_along_columns(case: str, left: str) -> None:
    product = found(PRODUCTS[case][0])
    assert product is not None
    names = [operand.op.buffer.name_hint for operand in (product.left, product.right)]
    assert names == [left, "A" if left == "B" else "B"]


def test_of_several_symbolic_axes_one_counts_rows() -> None:
    m = te.var("m")
    product = found(((m, N, 6), (6, 9), (m, N, 9), (6,), lambda a, b, h, i, j, k: a[h, i, k] * b[k, j]))
    assert product is not None
    assert [digit.position for digit in product.batches] == [0] and [digit.position for digit in product.rows] == [1]


def test_a_symbolic_axis_may_be_the_outermost_of_the_terms() -> None:
    outside = ((8, N, 3), (N, 3, 9), (8, 9), (N, 3), lambda a, b, i, j, k, m: a[i, k, m] * b[k, m, j])
    product = found(outside)
    assert product is not None and [digit.position for digit in product.terms] == [2, 3]
    m = te.var("m")
    assert found(((8, N, m), (N, m, 9), (8, 9), (N, m), lambda a, b, i, j, k, m: a[i, k, m] * b[k, m, j])) is None


MATRICES = PRODUCTS["matrices"][0]
OTHERS: dict[str, Form] = {
    "an axis of terms that one operand has alone": (
        (8, 6, 3),
        (6, 9),
        (8, 9),
        (6, 3),
        lambda a, b, i, j, k, m: a[i, k, m] * b[k, j],
    ),
    "an axis of terms that no operand has": (
        (8, 6),
        (6, 9),
        (8, 9),
        (6, 3),
        lambda a, b, i, j, k, m: a[i, k] * b[k, j],
    ),
    "an axis of results that no operand has": (
        (8, 6),
        (6, 9),
        (2, 8, 9),
        (6,),
        lambda a, b, z, i, j, k: a[i, k] * b[k, j],
    ),
    "no terms to speak of": ((8, 1), (1, 9), (8, 9), (1,), lambda a, b, i, j, k: a[i, k] * b[k, j]),
    "few rows": ((3, 6), (6, 9), (3, 9), (6,), lambda a, b, i, j, k: a[i, k] * b[k, j]),
    "few columns": ((8, 6), (6, 3), (8, 3), (6,), lambda a, b, i, j, k: a[i, k] * b[k, j]),
    "a matrix and itself": ((8, 6), (6, 9), (8, 8), (6,), lambda a, b, i, j, k: a[i, k] * a[j, k]),
    "a sum of elements": ((8, 6), (6, 9), (8, 9), (6,), lambda a, b, i, j, k: a[i, k] + b[k, j]),
    "three factors": ((8, 6), (6, 9), (8, 9), (6,), lambda a, b, i, j, k: a[i, k] * b[k, j] * b[k, 0]),
    "a factor twice": ((8, 6), (6, 9), (8, 9), (6,), lambda a, b, i, j, k: a[i, k] * a[i, k] * b[k, j]),
    "a factor that is computed": ((8, 6), (6, 9), (8, 9), (6,), lambda a, b, i, j, k: (a[i, k] + 1) * b[k, j]),
}


@pytest.mark.parametrize("case", OTHERS)
def test_what_is_no_product(case: str) -> None:
    assert found(OTHERS[case]) is None


def test_greatest_products_are_no_sums() -> None:
    assert found(MATRICES) is not None and found(MATRICES, te.max) is None


def test_the_least_rows_and_columns() -> None:
    assert found(((4, 6), (6, 4), (4, 4), (6,), lambda a, b, i, j, k: a[i, k] * b[k, j])) is not None


# How operands lie


LYING: dict[str, tuple[tuple[Any, ...], Callable[..., Any], Lying]] = {
    "rows of terms": ((64, 32), lambda a, i, k: a[i, k], Lying(True, 4)),
    "terms of rows": ((32, 64), lambda a, i, k: a[k, i], Lying(False, 4)),
    "one dimension": ((64 * 32,), lambda a, i, k: a[i * 32 + k], Lying(True, 4)),
    "one dimension of columns": ((64 * 32,), lambda a, i, k: a[k * 64 + i], Lying(False, 4)),
    "three dimensions": ((3, 64, 32), lambda a, i, k: a[2, i, k], Lying(True, 4)),
    "three dimensions of columns": ((3, 32, 64), lambda a, i, k: a[2, k, i], Lying(False, 4)),
    "pairs": ((64, 34), lambda a, i, k: a[i, k + 2], Lying(True, 2)),
    "odd rows": ((64, 33), lambda a, i, k: a[i, k], Lying(True, 1)),
    "odd places": ((64, 64), lambda a, i, k: a[i, k + 1], Lying(True, 1)),
    "every other element": ((64, 64), lambda a, i, k: a[i, k * 2], Lying(False, 1)),
    "columns of vectors": ((64, 32, 2), lambda a, i, k: a[i, k, 0], Lying(False, 1)),
    "odd rows of columns": ((32, 65), lambda a, i, k: a[k, i], Lying(False, 1)),
    "symbolic rows": ((N, N), lambda a, i, k: a[i, k], Lying(True, 1)),
    "symbolic rows of columns": ((N, N), lambda a, i, k: a[k, i], Lying(False, 1)),
    "rows in two digits": ((32, 8, 8), lambda a, i, k: a[k, i // 8, i % 8], Lying(False, 4)),
    "odd terms in two digits": ((64, 5, 7), lambda a, i, k: a[i, k // 7, k % 7], Lying(True, 1)),
}


@pytest.mark.parametrize("case", LYING)
def test_how_operands_lie_in_memory(case: str) -> None:
    shape, element, expected = LYING[case]
    a = te.placeholder(shape, name="A")
    copy = block_of([a, te.compute((64, 32), lambda i, k: element(a, i, k), name="C")], "C")
    assert lying_of(copy, (16, 8)) == expected
    if expected.lanes > 1:
        assert lying_of(copy, (15, 7)) == Lying(expected.along_terms, 1), "a tile that vectors do not fill"
        assert lying_of(copy, (16, 8), 8) == Lying(expected.along_terms, 2), "shorter loads"


@pytest.mark.parametrize(("dtype", "lanes"), [("float64", 2), ("float32", 4), ("float16", 8), ("int8", 8)])
def test_loads_of_elements_of_a_type(dtype: str, lanes: int) -> None:
    a = te.placeholder((64, 32), dtype, name="A")
    copy = block_of([a, te.compute((64, 32), lambda i, k: a[i, k], name="C")], "C")
    assert lying_of(copy, (16, 16)) == Lying(True, lanes)


@pytest.mark.parametrize(("limit", "lanes"), [(28, 4), (30, 2), (29, 1)])
def test_guarded_vectors_are_there_as_a_whole(limit: int, lanes: int) -> None:
    a = te.placeholder((64, 32), name="A")
    padded = te.compute((64, 32), lambda i, k: te.if_then_else(k < limit, a[i, k], 0.0), name="C")
    assert lying_of(block_of([a, padded], "C"), (16, 8)) == Lying(True, lanes)
