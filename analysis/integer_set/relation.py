"""Finite unions of integer relations between tuples, and of integer sets, over named parameters.

A `Calculus` builds them. Each operation is exact; each may raise `Undecided`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ...dialects.index_expr import Index, Symbol
from .calculus import Calculus
from .system import System

if TYPE_CHECKING:
    import islpy

T = TypeVar("T")
Isl = TypeVar("Isl", "islpy.Set", "islpy.Map")


class Sample(NamedTuple):
    """A point of a set, or a pair of a relation, and values of the parameters for which it is there."""

    parameters: dict[Symbol, int]
    point: tuple[int, ...]
    """Of a relation the input, then the output."""


class IntegerSet:
    """A set of tuples of integers, for each value of the parameters."""

    def __init__(self, calculus: Calculus, isl_set: islpy.Set) -> None:
        self.calculus = calculus
        self.isl = isl_set
        self.context = calculus.context

    @property
    def dimensions(self) -> int:
        return self.isl.dim(_kind().set)

    @property
    def parts(self) -> int:
        """The number of conjunctions that the set is the union of."""
        return self.isl.n_basic_set()

    def __or__(self, other: IntegerSet) -> IntegerSet:
        return self._with(lambda: self.isl.union(other.isl), other)

    def __and__(self, other: IntegerSet) -> IntegerSet:
        return self._with(lambda: self.isl.intersect(other.isl), other)

    def __sub__(self, other: IntegerSet) -> IntegerSet:
        return self._with(lambda: self.isl.subtract(other.isl), other)

    def is_subset(self, other: IntegerSet) -> bool:
        return self._ask(lambda: self.isl.is_subset(other.isl), other)

    def is_equal(self, other: IntegerSet) -> bool:
        return self._ask(lambda: self.isl.is_equal(other.isl), other)

    def is_empty(self) -> bool:
        """Return whether there is no point for any value of the parameters."""
        return self._ask(lambda: self.isl.is_empty())

    def coalesce(self) -> IntegerSet:
        """Return the same set in fewer parts, where that is found quickly."""
        return self._with(lambda: _coalesced(self.isl))

    def affine_hull(self) -> IntegerSet:
        """Return the points that satisfy all equations that all points of this set satisfy, congruences among them."""
        return self._with(lambda: self.isl.affine_hull().to_set())

    def gist(self, known: IntegerSet) -> IntegerSet:
        """Return a simpler set whose intersection with `known` is the same as this set's."""
        return self._with(lambda: self.isl.gist(known.isl), known)

    def fix(self, parameter: Symbol, value: int) -> IntegerSet:
        """Return the points that are there where the parameter has the value."""
        return self._with(lambda: self.isl.fix_val(_kind().param, *_fixed(self.calculus, parameter, value)))

    def where(self, parameters: IntegerSet) -> IntegerSet:
        """Return the points for parameters at which a set of no dimensions has its point."""
        return self._with(lambda: self.isl.intersect_params(parameters.isl.params()), parameters)

    def project(self, dimensions: Sequence[int]) -> IntegerSet:
        """Return the projection onto the other dimensions: the given dimensions are existentially quantified."""

        def project() -> islpy.Set:
            left = self.isl
            for position in sorted(dimensions, reverse=True):
                left = left.project_out(_kind().set, position, 1)
            return left

        return self._with(project)

    def add_dimensions(self, count: int) -> IntegerSet:
        """Return tuples that begin with those of this set; the dimensions added are not bounded."""
        return self._with(lambda: self.isl.add_dims(_kind().set, count))

    def systems(self) -> list[System]:
        """Return the conjunctions that a set of no dimensions is the union of, over the parameters."""
        return self._ask(lambda: _systems(self.calculus.parameters, self.isl.compute_divs()))

    def parameters_only(self) -> IntegerSet:
        """Return the set of no dimensions whose point is there for the parameters for which this set is not empty."""
        return self.project(range(self.dimensions))

    def identity(self) -> Relation:
        """Relate each point to itself."""
        return Relation(self.calculus, self._ask(lambda: self.isl.identity()))

    def as_relation(self, inputs: int) -> Relation:
        """Return the relation whose inputs are the first dimensions, and whose `graph` is this set."""
        kind = _kind()

        def split() -> islpy.Map:
            return _map_to(self.isl).move_dims(kind.in_, 0, kind.out, 0, inputs) if inputs else _map_to(self.isl)

        return Relation(self.calculus, self._ask(split))

    def times(self, other: IntegerSet) -> Relation:
        """Relate each point of this set to each point of the other."""

        def product() -> islpy.Map:
            import islpy as isl

            return isl.Map.from_domain_and_range(self.isl, other.isl)

        return Relation(self.calculus, self._ask(product, other))

    def sample(self) -> Sample | None:
        """Return some point, or None where there is none."""
        return self._ask(lambda: _sample(self.calculus, self.isl))

    def points(self, sizes: Mapping[Symbol, int]) -> list[tuple[int, ...]]:
        """Return all points for given values of all parameters, in lexicographic order. The set must be finite
        there."""
        return self._ask(lambda: _points(self.calculus, self.isl, sizes))

    def __str__(self) -> str:
        return str(self.isl)

    def _ask(self, question: Callable[[], T], *others: IntegerSet) -> T:
        return self.calculus.ask(question, self.context, *(o.context for o in others))

    def _with(self, question: Callable[[], islpy.Set], *others: IntegerSet) -> IntegerSet:
        return IntegerSet(self.calculus, self._ask(question, *others))


class Relation:
    """A set of pairs of tuples of integers, an input and an output, for each value of the parameters."""

    def __init__(self, calculus: Calculus, isl_map: islpy.Map) -> None:
        self.calculus = calculus
        self.isl = isl_map
        self.context = calculus.context

    @property
    def inputs(self) -> int:
        """The number of dimensions of an input."""
        return self.isl.dim(_kind().in_)

    @property
    def outputs(self) -> int:
        """The number of dimensions of an output."""
        return self.isl.dim(_kind().out)

    @property
    def parts(self) -> int:
        """The number of conjunctions that the relation is the union of."""
        return self.isl.n_basic_map()

    def __or__(self, other: Relation) -> Relation:
        return self._with(lambda: self.isl.union(other.isl), other)

    def __and__(self, other: Relation) -> Relation:
        return self._with(lambda: self.isl.intersect(other.isl), other)

    def __sub__(self, other: Relation) -> Relation:
        return self._with(lambda: self.isl.subtract(other.isl), other)

    def is_subset(self, other: Relation) -> bool:
        return self._ask(lambda: self.isl.is_subset(other.isl), other)

    def is_equal(self, other: Relation) -> bool:
        return self._ask(lambda: self.isl.is_equal(other.isl), other)

    def is_empty(self) -> bool:
        """Return whether there is no pair for any value of the parameters."""
        return self._ask(lambda: self.isl.is_empty())

    def is_single_valued(self) -> bool:
        """Return whether each input has one output at most."""
        return self._ask(lambda: self.isl.is_single_valued())

    def is_injective(self) -> bool:
        """Return whether each output has one input at most."""
        return self._ask(lambda: self.isl.is_injective())

    def then(self, other: Relation) -> Relation:
        """Relate a to c where this relates a to some b that `other` relates to c."""
        return self._with(lambda: self.isl.apply_range(other.isl), other)

    def inverse(self) -> Relation:
        return self._with(lambda: self.isl.reverse())

    def domain(self) -> IntegerSet:
        return self._set(lambda: self.isl.domain())

    def range(self) -> IntegerSet:
        return self._set(lambda: self.isl.range())

    def image(self, points: IntegerSet) -> IntegerSet:
        """Return the outputs of the points."""
        return self._set(lambda: points.isl.apply(self.isl), points)

    def on(self, domain: IntegerSet) -> Relation:
        """Return the pairs whose input is in `domain`."""
        return self._with(lambda: self.isl.intersect_domain(domain.isl), domain)

    def into(self, range: IntegerSet) -> Relation:
        """Return the pairs whose output is in `range`."""
        return self._with(lambda: self.isl.intersect_range(range.isl), range)

    def where(self, parameters: IntegerSet) -> Relation:
        """Return the pairs for parameters at which a set of no dimensions has its point."""
        return self._with(lambda: self.isl.intersect_params(parameters.isl.params()), parameters)

    def beside(self, other: Relation) -> Relation:
        """Relate an input to the outputs of this relation and of `other`, one after the other."""
        return self._with(lambda: self.isl.flat_range_product(other.isl), other)

    def pairs_with(self, other: Relation) -> Relation:
        """Relate (a, b) to (c, d) where this relates a to c and `other` relates b to d; tuples are joined."""
        return self._with(lambda: self.isl.flat_product(other.isl), other)

    def project(self, *, inputs: Sequence[int] = (), outputs: Sequence[int] = ()) -> Relation:
        """Return the relation without these dimensions: the others, where these have some value."""

        def project() -> islpy.Map:
            left = self.isl
            for kind, positions in ((_kind().in_, inputs), (_kind().out, outputs)):
                for position in sorted(positions, reverse=True):
                    left = left.project_out(kind, position, 1)
            return left

        return self._with(project)

    def fix(self, parameter: Symbol, value: int) -> Relation:
        """Return the pairs that are there where the parameter has the value."""
        return self._with(lambda: self.isl.fix_val(_kind().param, *_fixed(self.calculus, parameter, value)))

    def coalesce(self) -> Relation:
        """Return the same relation in fewer parts, where that is found quickly."""
        return self._with(lambda: _coalesced(self.isl))

    def affine_hull(self) -> Relation:
        """Return the pairs that satisfy all equations that all pairs of this relation satisfy, congruences among
        them."""
        return self._with(lambda: self.isl.affine_hull().to_map())

    def first(self) -> Relation:
        """Relate each input to the lexicographically first of its outputs."""
        return self._with(lambda: self.isl.lexmin())

    def last(self) -> Relation:
        """Relate each input to the lexicographically last of its outputs."""
        return self._with(lambda: self.isl.lexmax())

    def graph(self) -> IntegerSet:
        """Return the pairs as tuples, an input followed by its output."""
        kind = _kind()

        def join() -> islpy.Set:
            count = self.isl.dim(kind.in_)
            return self.isl.move_dims(kind.out, 0, kind.in_, 0, count).range() if count else self.isl.range()

        return self._set(join)

    def sample(self) -> Sample | None:
        """Return some pair, its input followed by its output, or None where there is none."""
        return self.graph().sample()

    def points(self, sizes: Mapping[Symbol, int]) -> list[tuple[int, ...]]:
        """Return all pairs as joined tuples for given values of all parameters. The relation must be finite there."""
        return self.graph().points(sizes)

    def __str__(self) -> str:
        return str(self.isl)

    def _ask(self, question: Callable[[], T], *others: Relation | IntegerSet) -> T:
        return self.calculus.ask(question, self.context, *(o.context for o in others))

    def _with(self, question: Callable[[], islpy.Map], *others: Relation | IntegerSet) -> Relation:
        return Relation(self.calculus, self._ask(question, *others))

    def _set(self, question: Callable[[], islpy.Set], *others: IntegerSet) -> IntegerSet:
        return IntegerSet(self.calculus, self._ask(question, *others))


def _coalesced(whole: Isl) -> Isl:
    """Return the same set or relation in fewer parts. isl follows a null pointer where it joins parts whose existential
    variables have no known formula (`isl_set_wrap_facet`, islpy 2026.2.2), so the formulas are found first. It refuses
    some relations with two of them ("original tableau does not correspond to original basic map"); their parts stay as
    they are."""
    import islpy as isl

    formulas = whole.compute_divs()
    try:
        return formulas.coalesce()
    except isl.Error as error:
        if "does not correspond" not in str(error):
            raise
        return formulas


def _kind() -> type[islpy.dim_type]:
    import islpy as isl

    return isl.dim_type


def _map_to(points: islpy.Set) -> islpy.Map:
    import islpy as isl

    return isl.Map.from_range(points)


def _fixed(calculus: Calculus, parameter: Symbol, value: int) -> tuple[int, islpy.Val]:
    import islpy as isl

    return calculus.parameters.index(parameter), isl.Val.int_from_si(calculus.context, value)


def _sample(calculus: Calculus, points: islpy.Set) -> Sample | None:
    point = points.sample_point()
    if point.is_void():
        return None
    kind = _kind()
    values = [point.get_coordinate_val(kind.param, k).to_python() for k in range(len(calculus.parameters))]
    return Sample(dict(zip(calculus.parameters, values, strict=True)), _coordinates(point, points.dim(kind.set)))


def _points(calculus: Calculus, points: islpy.Set, sizes: Mapping[Symbol, int]) -> list[tuple[int, ...]]:
    kind = _kind()
    fixed = points
    for parameter in calculus.parameters:
        fixed = fixed.fix_val(kind.param, *_fixed(calculus, parameter, sizes[parameter]))
    fixed = fixed.project_out(kind.param, 0, len(calculus.parameters))
    count = fixed.dim(kind.set)
    found: list[tuple[int, ...]] = []
    fixed.foreach_point(lambda point: found.append(_coordinates(point, count)))
    return sorted(found)


def _coordinates(point: islpy.Point, count: int) -> tuple[int, ...]:
    return tuple(point.get_coordinate_val(_kind().set, k).to_python() for k in range(count))


def _systems(parameters: Sequence[Symbol], points: islpy.Set) -> list[System]:
    """Return the parts of a set of no dimensions, whose existential variables all have formulas."""
    found: list[System] = []
    for part in points.get_basic_sets():
        divisions: list[Index] = []
        for k in range(part.dim(_kind().div)):
            formula = part.get_div(k)
            divisor = formula.get_denominator_val().to_python()
            divisions.append((_linear(parameters, divisions, formula, divisor)) // divisor)
        nonnegative: list[Index] = []
        zero: list[Index] = []
        for constraint in part.get_constraints():
            e = _linear(parameters, divisions, constraint, 1)
            (zero if constraint.is_equality() else nonnegative).append(e)
        found.append(System(tuple(nonnegative), tuple(zero)))
    return found


def _linear(
    parameters: Sequence[Symbol], divisions: Sequence[Index], form: islpy.Aff | islpy.Constraint, factor: int
) -> Index:
    """Return `factor` times a form over parameters and existential variables, as an expression."""

    def scaled(value: islpy.Val) -> int:
        return value.get_num_si() * (factor // value.get_den_val().to_python())

    kind = _kind()
    whole = Index.of(scaled(form.get_constant_val()))
    for k, parameter in enumerate(parameters):
        whole = whole + Index.of(parameter) * scaled(form.get_coefficient_val(kind.param, k))
    for k, division in enumerate(divisions):
        whole = whole + division * scaled(form.get_coefficient_val(kind.div, k))
    return whole
