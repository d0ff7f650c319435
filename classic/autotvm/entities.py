"""Values of knobs of templates: splits, orders and annotations of loops, and other options.

Each has a `value`, plain data for decisions, points and record lines, and a `kind`, its keyword in record lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar, cast

from ...diagnostics import fail
from ...diagnostics.expectations import coded_methods
from ...schedule.decisions import Value
from ...schedule.stages import LazySchedule

BAD_SPACE = "TW0870"
REFUSED = "TW0872"


class Entity:
    """A value of a knob."""

    kind: ClassVar[str]
    value: Value

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and _same(cast("Entity", other).value, self.value)

    def __hash__(self) -> int:
        return hash((type(self), self.value))


def _same(one: Value, other: Value) -> bool:
    return type(one) is type(other) and one == other  # True equals 1


@coded_methods
class SplitEntity(Entity):
    """The extents of the parts of a split loop, outermost first; -1 for the outermost means that it is derived."""

    kind = "sp"

    def __init__(self, size: Sequence[int]) -> None:
        self.size = [int(length) for length in size]
        self.value = tuple(self.size)

    def apply(self, sch: LazySchedule, op: Any, axis: Any) -> list[Any]:
        """Split an axis of a stage from the outside in; returns the parts, outermost first."""
        parts: list[Any] = []
        for position in range(1, len(self.size)):
            outer, axis = sch[op].split(axis, factor=prod(self.size[position:]))
            parts.append(outer)
        return [*parts, axis]

    def __repr__(self) -> str:
        return str(self.size)


@coded_methods
class ReorderEntity(Entity):
    """An order of loops, as positions among those that the knob was defined for."""

    kind = "re"

    def __init__(self, perm: Sequence[int]) -> None:
        self.perm = [int(position) for position in perm]
        self.value = tuple(self.perm)

    def apply(self, sch: LazySchedule, op: Any, axes: Sequence[Any]) -> list[Any]:
        """Reorder axes of a stage; returns them in their order.

        Where there are fewer axes than the knob has, the positions of missing ones are left out.
        """
        order = [axes[position] for position in self.perm if position < len(axes)]
        sch[op].reorder(*order)
        return order

    def __repr__(self) -> str:
        return str(self.perm)


THREADS = frozenset({*(f"{unit}.{d}" for unit in ("blockIdx", "threadIdx") for d in "xyz"), "vthread"})


@coded_methods
class AnnotateEntity(Entity):
    """The kind of each of several loops ("none", "unroll", "vec", "fuse", an axis of threads), or for caches the
    position of the loop that each is computed in."""

    kind = "an"

    def __init__(self, anns: Sequence[str | int]) -> None:
        self.anns = list(anns)
        self.value = tuple(self.anns)

    def apply(
        self,
        sch: LazySchedule,
        op: Any,
        axes: Sequence[Any],
        axis_lens: Sequence[int] | None = None,
        max_unroll: int | None = None,
        vec_size: Sequence[int] | None = None,
        cfg: Any = None,
        source: Sequence[Sequence[Any]] | None = None,
    ) -> list[Any]:
        """Give loops of a stage their kinds; returns the loops, those that were fused as one.

        `source` lists the caches that are computed in loops, by position. Raises TW0872 where a loop of `axis_lens`
        iterations is longer than `max_unroll`, or its length is not in `vec_size`.
        """
        loops = list(axes)
        if source is not None:
            for tensors, position in zip(source, self.anns, strict=True):
                for tensor in tensors:
                    sch[tensor].compute_at(sch[op], loops[cast(int, position)])
            return loops
        for position, ann in enumerate(self.anns):
            length = None if axis_lens is None else axis_lens[position]
            if ann == "unroll":
                if max_unroll and length is not None and length > max_unroll:
                    fail(REFUSED, f"expected an unrolled loop of at most {max_unroll} iterations, but got {length}")
                sch[op].unroll(loops[position])
            elif ann == "vec":
                if vec_size and length is not None and length not in vec_size:
                    fail(REFUSED, f"expected a vectorized loop of {list(vec_size)} iterations, but got {length}")
                sch[op].vectorize(loops[position])
            elif ann == "fuse":
                loops[position + 1] = sch[op].fuse(loops[position], loops[position + 1])
            elif ann in THREADS:
                sch[op].bind(loops[position], ann)
        return [axis for axis, ann in zip(loops, self.anns, strict=True) if ann != "fuse"]

    def __repr__(self) -> str:
        return str(self.anns)


class OtherOptionEntity(Entity):
    """One of the candidates of `define_knob`."""

    kind = "ot"

    def __init__(self, val: Any) -> None:
        self.val = val
        self.value = plain_value(val)

    def __repr__(self) -> str:
        return str(self.val)


ENTITIES: dict[str, type[SplitEntity | ReorderEntity | AnnotateEntity | OtherOptionEntity]] = {
    each.kind: each for each in (SplitEntity, ReorderEntity, AnnotateEntity, OtherOptionEntity)
}
"""The classes by the words of record lines."""


def plain_value(value: Any) -> Value:
    """Return data as decisions hold it: tuples for lists. Raises TilewrightError TW0870 for data that a record
    cannot represent."""
    if isinstance(value, (list, tuple)):
        return tuple(plain_value(each) for each in cast("Sequence[Any]", value))
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return repr(value)
    fail(
        BAD_SPACE,
        f"expected numbers, texts, None or lists of them as candidates of a knob, but got {type(value).__name__}",
        help='choose by a name: define_knob("way", ["a", "b"]), and look the object up by cfg["way"].val',
    )
