"""isl behind two questions on integer matrices: find a point, and maximise a row.

Answers depend on the matrices alone and are remembered: kernels of one model ask the same questions again
and again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

if TYPE_CHECKING:
    import islpy

BUDGET = 400_000
"""isl operations that one question may take: some tens of milliseconds."""

Row: TypeAlias = "tuple[int, ...]"
T = TypeVar("T")


class Rows(NamedTuple):
    """Constraints as integer rows: coefficients of the variables, of the existentials, then the constant."""

    variables: int
    existentials: int
    zero: tuple[Row, ...]
    nonnegative: tuple[Row, ...]


@dataclass(frozen=True)
class Unknown:
    """Not decided, and why."""

    reason: str


EMPTY = "empty"
UNBOUNDED = "unbounded"


@lru_cache(maxsize=1 << 14)
def find_point(rows: Rows, budget: int = BUDGET) -> Row | None | Unknown:
    """Return values of the variables at some integer point, or None where there is none."""
    return _ask(lambda context: _find_point(context, rows), budget)


@lru_cache(maxsize=1 << 14)
def maximum(rows: Rows, objective: Row, budget: int = BUDGET) -> int | str | Unknown:
    """Return the largest value of `objective` over the integer points, `EMPTY` or `UNBOUNDED`."""
    return _ask(lambda context: _maximum(context, rows, objective), budget)


@lru_cache(maxsize=1 << 12)
def find_uncovered(target: Rows, covers: tuple[Rows, ...], budget: int = BUDGET) -> Row | None | Unknown:
    """Return values of the shared variables at a point of `target` outside of all `covers`; None where there is
    none."""
    return _ask(lambda context: _find_uncovered(context, target, covers), budget)


def _find_point(context: islpy.Context, rows: Rows) -> Row | None:
    return _values(_basic_set(context, rows).sample_point(), rows.variables)


def _find_uncovered(context: islpy.Context, target: Rows, covers: tuple[Rows, ...]) -> Row | None:
    left = _basic_set(context, target).to_set()
    for cover in covers:
        left = left.subtract(_basic_set(context, cover).to_set())
    return _values(left.sample_point(), target.variables)


def _values(point: islpy.Point, count: int) -> Row | None:
    import islpy as isl

    if point.is_void():
        return None
    return tuple(point.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(count))


def _maximum(context: islpy.Context, rows: Rows, objective: Row) -> int | str:
    """Maximise an extra first variable that equals the objective."""
    extended = Rows(
        rows.variables + 1,
        rows.existentials,
        ((-1, *objective), *((0, *row) for row in rows.zero)),
        tuple((0, *row) for row in rows.nonnegative),
    )
    domain = _basic_set(context, extended)
    if domain.is_empty():
        return EMPTY
    value = domain.dim_max_val(0)
    return UNBOUNDED if value.is_infty() else value.to_python()


def _basic_set(context: islpy.Context, rows: Rows) -> islpy.BasicSet:
    import islpy as isl

    kind = isl.dim_type
    return isl.BasicSet.from_constraint_matrices(
        isl.Space.set_alloc(context, 0, rows.variables),
        matrix_of(context, rows, rows.zero),
        matrix_of(context, rows, rows.nonnegative),
        kind.param,
        kind.set,
        kind.div,
        kind.cst,
    )


def matrix_of(context: islpy.Context, rows: Rows, data: tuple[Row, ...]) -> islpy.Mat:
    """Return the equations or the inequalities of `rows`, as isl takes them."""
    import islpy as isl

    matrix = isl.Mat.alloc(context, 0, rows.variables + rows.existentials + 1).add_zero_rows(len(data))
    for r, row in enumerate(data):
        for column, value in enumerate(row):
            if value:
                matrix = matrix.set_element_val(r, column, isl.Val.int_from_si(context, value))
    return matrix


# Contexts and budgets

_local = threading.local()


def _ask(question: Callable[[islpy.Context], T], budget: int) -> T | Unknown:
    import islpy as isl

    if not hasattr(_local, "context"):
        _local.context = isl.Context()
    context: islpy.Context = _local.context
    context.reset_operations()
    context.set_max_operations(budget)
    try:
        return question(context)
    except isl.Error as error:
        del _local.context
        spent = "maximal number of operations" in str(error)
        return Unknown(f"the budget of {budget} operations was spent" if spent else "the solver failed")
    except (TypeError, OverflowError):
        del _local.context
        return Unknown("a coefficient exceeds 64 bits")
