"""Products of loop variables with sizes in questions about two instances: `%first = arith.muli %io, %length`.

A product is no index expression, so that the integer sets see it as an independent variable. They need the relation of
two such variables: where the first count is greater, the first product is greater by at least one length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.ir import Operation, SSAValue

from ..dialects.index_expr import Index
from .access import Access
from .domain import Product, is_inside, product_of
from .integer_set import System


def product_relations(
    first: Access, second: Access, scope: Operation, rename: Callable[[Index], Index]
) -> list[list[System]]:
    """Return, for each product inside `scope` of one instance and each of another one, the systems of which one says
    how they compare.

    Both are of one length. `rename` gives an expression at the second instance.
    """
    return [
        _compared(one, other, rename)
        for one in _products(first, scope)
        for other in _products(second, scope)
        if one.length == other.length == rename(other.length)
    ]


def _products(access: Access, scope: Operation) -> Iterator[Product]:
    used = (*access.system.variables, *(v for e in access.index or () for v in e.variables))
    for value in dict.fromkeys(v for v in used if isinstance(v, SSAValue) and is_inside(v, scope)):
        if (product := product_of(value)) is not None:
            yield product


def _compared(one: Product, other: Product, rename: Callable[[Index], Index]) -> list[System]:
    first, second = Index.of(one.value), rename(Index.of(other.value))
    count, renamed = one.count, rename(other.count)
    return [
        System().equating([(first, second), (count, renamed)]),
        System().where(renamed - count - 1, second - first - one.length),
        System().where(count - renamed - 1, first - second - one.length),
    ]
