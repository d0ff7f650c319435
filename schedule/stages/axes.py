"""Axes of stages, and the relations that derive axes from others.

A stage begins with one axis for each dimension and each reduction; splits and fuses replace axes by others. An axis
that was replaced stays as an object and records its replacement, for error messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

from xdsl.dialects.builtin import LocationAttr

from ...te.expr import Axis, Expr, const
from ...te.ranges import Range
from ...te.shapes import Size

if TYPE_CHECKING:
    from .stage import Stage

AxisKind: TypeAlias = Literal["spatial", "reduce"]


@dataclass(eq=False)
class IterVar:
    """One axis of a stage: a loop, once the stage is lowered.

    The class's numbers are the values of `Stage.iter_var_attrs[axis].iter_type`; the thread's number marks a bound
    loop.
    """

    DataPar: ClassVar[int] = 0
    ThreadIndex: ClassVar[int] = 1
    CommReduce: ClassVar[int] = 2
    Ordered: ClassVar[int] = 3
    DimInfo: ClassVar[int] = 4
    Unrolled: ClassVar[int] = 5
    Vectorized: ClassVar[int] = 6
    Parallelized: ClassVar[int] = 7
    Tensorized: ClassVar[int] = 8

    name: str
    extent: Size
    """The number of iterations before the stage is moved into another one, which may shorten it."""
    kind: AxisKind
    stage: Stage = field(repr=False)
    gone: str | None = None
    """The reason, as a clause, why the axis is no loop of the stage any more."""
    within: IterVar | None = field(default=None, repr=False)
    """The innermost loop that the axis became a part of, where it was split or fused."""

    @property
    def innermost(self) -> IterVar:
        """The loop in whose body an iteration of the axis is known: itself, or the innermost loop that replaced it."""
        return self if self.within is None else self.within.innermost

    @property
    def var(self) -> IterVar:
        """The axis itself, as for `te.Axis.var`."""
        return self

    @property
    def iter_type(self) -> int:
        """The number of the axis's kind: data-parallel or reduction."""
        return self.CommReduce if self.kind == "reduce" else self.DataPar

    @property
    def dom(self) -> Range:
        """The range of the loop before the stage is moved into another one."""
        return Range.from_min_extent(0, self.extent)

    def __eq__(self, other: object) -> bool:
        """Return whether the other is this axis, or the axis of the compute that corresponds to this one."""
        return other is self or (isinstance(other, Axis) and self.stage.root_of(other) is self)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        kind = "" if self.kind == "spatial" else "reduce "
        return f"IterVar({kind}{self.name}: 0..{self.extent})"


@dataclass(frozen=True, eq=False)
class Split:
    """`parent` runs as `outer` around `inner`; exactly one of `factor` and `nparts` is given."""

    parent: IterVar
    outer: IterVar
    inner: IterVar
    factor: int | None
    nparts: int | None
    is_exact: bool
    """True where the parts must give the extent without a guard."""
    location: LocationAttr

    @property
    def sources(self) -> tuple[IterVar, ...]:
        return (self.parent,)

    @property
    def results(self) -> tuple[IterVar, ...]:
        return self.outer, self.inner


@dataclass(frozen=True, eq=False)
class Fuse:
    """Adjacent axes `parts`, outermost first, run as the one axis `fused`."""

    parts: tuple[IterVar, ...]
    fused: IterVar
    location: LocationAttr

    @property
    def sources(self) -> tuple[IterVar, ...]:
        return self.parts

    @property
    def results(self) -> tuple[IterVar, ...]:
        return (self.fused,)


@dataclass(frozen=True, eq=False)
class Reorder:
    """The axes are permuted among their positions into this order."""

    order: tuple[IterVar, ...]
    location: LocationAttr


@dataclass(frozen=True, eq=False)
class Singleton:
    """A loop that runs once, inside all others: the result of fusing no axes."""

    axis: IterVar
    location: LocationAttr

    @property
    def sources(self) -> tuple[IterVar, ...]:
        return ()

    @property
    def results(self) -> tuple[IterVar, ...]:
        return (self.axis,)


Relation: TypeAlias = "Split | Fuse | Reorder | Singleton"


def apply_to_leaves(leaves: Sequence[IterVar], relation: Relation) -> list[IterVar]:
    """Return the loops of a stage, outermost first, after one more relation."""
    if isinstance(relation, Reorder):
        listed = iter(relation.order)
        return [next(listed) if leaf in relation.order else leaf for leaf in leaves]
    if isinstance(relation, Singleton):
        return [*leaves, relation.axis]
    position = leaves.index(relation.sources[0])
    return [*leaves[:position], *relation.results, *leaves[position + len(relation.sources) :]]


def with_neighbours(leaves: Sequence[IterVar], relations: Iterable[Relation]) -> tuple[Relation, ...]:
    """Return the relations of a stage for another one that has only part of its loops, or has them in another order.

    Before loops are fused that are no neighbours there, a reorder puts them next to the outermost of them.
    """
    result: list[Relation] = []
    for relation in relations:
        if isinstance(relation, Fuse):
            first = min(leaves.index(part) for part in relation.parts)
            others = [leaf for leaf in leaves if leaf not in relation.parts]
            order = (*others[:first], *relation.parts, *others[first:])
            if order != tuple(leaves):
                result.append(Reorder(order, relation.location))
                leaves = order
        result.append(relation)
        leaves = apply_to_leaves(leaves, relation)
    return tuple(result)


def mapped(relation: Relation, axes: dict[IterVar, IterVar]) -> Relation:
    """Return the relation between the axes that replace those of `relation`."""
    match relation:
        case Split():
            parent, outer, inner = (axes[a] for a in (relation.parent, relation.outer, relation.inner))
            return replace(relation, parent=parent, outer=outer, inner=inner)
        case Fuse():
            return replace(relation, parts=tuple(axes[a] for a in relation.parts), fused=axes[relation.fused])
        case Reorder():
            return replace(relation, order=tuple(axes[a] for a in relation.order))
        case Singleton():
            return replace(relation, axis=axes[relation.axis])


def values_of_roots(roots: Sequence[IterVar], relations: Sequence[Relation], leaves: dict[IterVar, Expr]) -> list[Expr]:
    """Return each root as an expression of its leaves."""
    values = dict(leaves)
    for relation in reversed(relations):
        match relation:
            case Split():
                inner = relation.inner.extent
                values[relation.parent] = values[relation.outer] * inner + values[relation.inner]
            case Fuse():
                rest = values[relation.fused]
                for part in reversed(relation.parts[1:]):
                    values[part] = rest % part.extent
                    rest = rest // part.extent
                values[relation.parts[0]] = rest
            case Reorder() | Singleton():
                pass
    return [values[root] for root in roots]


def ceildiv(size: Size, divisor: int) -> Size:
    return -(-size // divisor) if isinstance(size, int) else (size + (divisor - 1)) // divisor


def values_of_leaves(roots: dict[IterVar, Expr], relations: Sequence[Relation]) -> dict[IterVar, Expr]:
    """Return each axis that the relations make as an expression of the roots, themselves included."""
    values = dict(roots)
    for relation in relations:
        match relation:
            case Split():
                inner = relation.inner.extent
                values[relation.outer] = values[relation.parent] // inner
                values[relation.inner] = values[relation.parent] % inner
            case Fuse():
                value = values[relation.parts[0]]
                for part in relation.parts[1:]:
                    value = value * part.extent + values[part]
                values[relation.fused] = value
            case Singleton():
                values[relation.axis] = const(0, "index")
            case Reorder():
                pass
    return values


def connected(axis: IterVar, relations: Sequence[Relation]) -> set[IterVar]:
    """Return the axes that splits and fuses connect with `axis`, itself included."""
    found = {axis}
    count = 0
    while count < len(found):
        count = len(found)
        for relation in relations:
            if not isinstance(relation, Reorder) and not found.isdisjoint((*relation.sources, *relation.results)):
                found.update(relation.sources, relation.results)
    return found
