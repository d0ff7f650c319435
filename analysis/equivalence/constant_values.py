"""Elements of constants, compared by value.

A pass that packs weights writes the same numbers in another order. The proof then asks about pairs of elements of two
constants: the index maps of both programs give the pairs, and numpy compares the numbers of all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.ir import Attribute

from ...dialects.constant_data import constant_array, has_data
from ...dialects.index_expr import Index, Symbol
from ..integer_set import System
from ..integer_set.calculus import Undecided
from ..integer_set.relation import Relation
from ..polyhedral.expression_trees import Constant
from .terms import Contents

if TYPE_CHECKING:
    import islpy
    import numpy as np

ELEMENTS = 1 << 26
"""The most pairs that are compared."""

Coordinates: TypeAlias = "list[np.ndarray]"


def is_known(head: object) -> bool:
    """Return whether the numbers of a head are known: a number, or data that is at hand."""
    if isinstance(head, Constant):
        return True
    return isinstance(head, Contents) and head.data is not None and has_data(head.data)


def first_unequal(left: Contents | Constant, right: Contents | Constant, instances: Relation) -> Relation | None:
    """Return the first pair of `instances` at which two known heads of one type have other bits; None where there is
    none.

    A number stands at instances of its program: these are no subscripts. Raises Undecided where the pairs are too many,
    or depend on sizes.
    """
    import numpy as np

    for first, second in _pairs(instances):
        one, other = _at(left, first), _at(right, second)
        differs = np.flatnonzero(one != other)
        if differs.size:
            point = [int(x[differs[0]]) for x in (*first, *second)]
            symbols = [Symbol(f"element {k}") for k in range(len(point))]
            system = System().equating(zip(map(Index.of, symbols), point, strict=True))
            return instances.calculus.relation(symbols[: len(first)], symbols[len(first) :], [system])
    return None


def bits_of(data: Attribute) -> np.ndarray:
    """Return the elements of known data as unsigned integers of the same bytes."""
    array = constant_array(data)
    return array.view(f"u{array.dtype.itemsize}")


def _at(head: Contents | Constant, coordinates: Coordinates) -> Any:
    """Return the bits of a head at elements."""
    if isinstance(head, Constant):
        return head.bits
    assert head.data is not None
    return bits_of(head.data)[tuple(coordinates)].reshape(-1)


def _pairs(instances: Relation) -> Iterator[tuple[Coordinates, Coordinates]]:
    """Yield all pairs of a relation, as coordinates of inputs and outputs."""
    import islpy as isl

    if instances.calculus.parameters:
        raise Undecided("elements of constants are compared at symbolic sizes")
    if instances.is_single_valued():
        pieces = _pieces(isl.PwMultiAff.from_map(instances.isl))
        yield from ((points, images) for points, images in pieces)
    elif instances.is_injective():
        pieces = _pieces(isl.PwMultiAff.from_map(instances.isl.reverse()))
        yield from ((images, points) for points, images in pieces)
    else:
        count = instances.inputs
        for points, _ in _pieces_of(instances.graph().isl):
            yield points[:count], points[count:]


def _pieces(function: islpy.PwMultiAff) -> Iterator[tuple[Coordinates, Coordinates]]:
    """Yield the points of each piece of a function, and the values of the function there."""
    parts: list[tuple[islpy.Set, islpy.MultiAff]] = []
    function.foreach_piece(lambda points, image: parts.append((points, image)))
    for points, image in parts:
        for coordinates, count in _pieces_of(points):
            images = [_evaluated(image.get_aff(k), coordinates, count) for k in range(image.dim(_kind().out))]
            yield coordinates, images


def _pieces_of(points: islpy.Set) -> Iterator[tuple[Coordinates, int]]:
    """Yield the points of each conjunction of a bounded set as coordinates, with their number; some may come twice."""
    import numpy as np

    count = points.dim(_kind().set)
    for part in points.compute_divs().get_basic_sets():
        if part.is_empty():
            continue
        whole = part.to_set()
        if not whole.is_bounded():
            raise Undecided("constants are compared at elements without bounds")
        lows = [whole.dim_min_val(k).to_python() for k in range(count)]
        highs = [whole.dim_max_val(k).to_python() for k in range(count)]
        extents = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        if (size := prod(extents)) > ELEMENTS:
            raise Undecided(f"constants are compared at more than {ELEMENTS} elements")
        grid = np.indices(extents).reshape(count, size)
        coordinates = [grid[k] + lows[k] for k in range(count)]
        inside = np.ones(size, bool)
        for constraint in part.get_constraints():
            value = _evaluated(constraint.get_aff(), coordinates, size)
            inside &= (value == 0) if constraint.is_equality() else (value >= 0)
        yield [x[inside] for x in coordinates], int(inside.sum())


def _evaluated(aff: islpy.Aff, coordinates: Coordinates, count: int) -> np.ndarray:
    """Return the values of an expression that is an integer at each point."""
    numerator, denominator = _fraction(aff, coordinates, count)
    return numerator // denominator


def _fraction(aff: islpy.Aff, coordinates: Coordinates, count: int) -> tuple[np.ndarray, int]:
    """Return the numerators of an expression at points, and its denominator."""
    import numpy as np

    kind = _kind()
    denominator = aff.get_denominator_val().to_python()
    total = np.full(count, int(aff.get_constant_val().mul(aff.get_denominator_val()).to_python()), np.int64)
    for position, x in enumerate(coordinates):
        total += _scaled(aff, kind.in_, position) * x
    for position in range(aff.dim(kind.div)):
        if (factor := _scaled(aff, kind.div, position)) != 0:
            total += factor * _evaluated(aff.get_div(position), coordinates, count)
    return total, denominator


def _scaled(aff: islpy.Aff, kind: islpy.dim_type, position: int) -> int:
    """Return a coefficient times the denominator."""
    return int(aff.get_coefficient_val(kind, position).mul(aff.get_denominator_val()).to_python())


def _kind() -> type[islpy.dim_type]:
    import islpy as isl

    return isl.dim_type
