"""The state of a stage: its definition, its axes, and the current loops among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from xdsl.dialects.builtin import UnknownLoc

from ...te.expr import Axis
from ...te.ragged import is_ragged
from ...te.shapes import Text
from ...te.tensor import Computation, Definition, Placeholder
from ...te.tiles import Tile
from .axes import AxisKind, IterVar, Relation, Reorder, apply_to_leaves
from .log import Annotation, At, Attachment, Inline, IterVarAttr
from .stage_errors import FOREIGN_AXIS, NO_LOOPS, STALE_AXIS, WRONG_KIND, WRONG_OBJECT, quoted, stage_error

if TYPE_CHECKING:
    from .groups import Group
    from .schedule import LazySchedule
    from .stage import Stage

AxisLike: TypeAlias = "IterVar | Axis"

_ITER_TYPES = {
    "unroll": IterVar.Unrolled,
    "vectorize": IterVar.Vectorized,
    "parallel": IterVar.Parallelized,
    "tensorize": IterVar.Tensorized,
    "bind": IterVar.ThreadIndex,
}


class StageState:
    """One definition of a schedule and the loops that compute it."""

    op: Definition
    """The definition as cache_read, cache_write and rfactor have left it."""
    origin_op: Definition
    """The definition that the stage began with."""
    is_output: bool
    scope: str | None
    """The scope of the stage's results; None for the default of its loop."""
    attachment: Attachment
    roots: tuple[IterVar, ...]
    """The loops that the stage begins with."""
    block_order: tuple[IterVar, ...]
    """The same in the order of the iteration variables of the stage's block."""
    relations: list[Relation]
    annotations: list[Annotation]
    group: Group | None
    """The stages that it moves with."""
    threads: tuple[Any, ...]
    """The threads that `env_threads` names."""

    def __init__(self, schedule: LazySchedule, op: Definition, *, is_output: bool = False) -> None:
        self._schedule = schedule
        self.origin_op = op
        self.is_output = is_output
        self.scope = None
        self.attachment = None
        self.annotations = []
        self.group, self.threads = None, ()
        self.define(op)

    def define(self, op: Definition, roots: Sequence[IterVar] | None = None) -> None:
        """Let the stage compute `op`, in one loop for each axis unless `roots` gives the loops."""
        self.op = op
        axes = (*op.axis, *(() if is_ragged(op) else op.reduce_axis)) if isinstance(op, Computation) else ()
        given = roots if roots is not None else [self.new_axis(a.name, a.extent, _kind(a)) for a in axes]
        self.roots = self.block_order = tuple(given)
        self.relations = []
        self._named: dict[Axis, IterVar] = dict(zip(axes, given, strict=True)) if len(axes) == len(given) else {}
        self._leaves = list(given)
        if isinstance(op, Computation) and op.tile is not None and roots is None:
            self._use_tile(op, op.tile)

    def _use_tile(self, op: Computation, tile: Tile) -> None:
        """Make the loops of an intrinsic's tile the innermost ones, and replace them by the intrinsic."""
        spatial, reduced = self.roots[: len(op.axis)], self.roots[len(op.axis) :]
        inner = (*spatial[tile.spatial :], *reduced[tile.reduced :])
        location = op.location or UnknownLoc()
        if reduced[: tile.reduced]:
            order = (*spatial[: tile.spatial], *reduced[: tile.reduced], *inner)
            self.add(Reorder(order, location))
        self.annotations.append(Annotation("tensorize", inner[0], (tile.intrinsic,), location))

    def name_axes(self, named: dict[Axis, IterVar]) -> None:
        """State the loops of the definition's axes, where there is not one loop for each axis."""
        self._named = named

    def new_axis(self, name: str, extent: Any, kind: AxisKind) -> IterVar:
        return IterVar(name, extent, kind, self)  # pyright: ignore[reportArgumentType]

    def add(self, relation: Relation) -> None:
        self.relations.append(relation)
        self._leaves = apply_to_leaves(self._leaves, relation)

    @property
    def name(self) -> str:
        return self.op.name

    @property
    def is_arranged(self) -> bool:
        """Return whether a call has stated how the stage is computed."""
        said = (self.relations, self.annotations, self.attachment, self.scope)
        return any(bool(each) for each in said) and not isinstance(self.op, Placeholder)

    @property
    def leaf_iter_vars(self) -> tuple[IterVar, ...]:
        """The loops of the stage, outermost first."""
        return tuple(self._leaves)

    @property
    def attach_type(self) -> int:
        """The number of the stage's attachment: 1 in a separate nest, 2 where it is read, 4 in a loop of another
        stage."""
        return 4 if isinstance(self.attachment, At) else 2 if isinstance(self.attachment, Inline) else 1

    @property
    def iter_var_attrs(self) -> dict[IterVar, IterVarAttr]:
        """The statements of calls about loops, for the loops that have any."""
        axes = dict.fromkeys(a.axis for a in self.annotations if a.axis is not None)
        return {axis: self._attributes(axis) for axis in axes}

    def _attributes(self, axis: IterVar) -> IterVarAttr:
        said = [a for a in self.annotations if a.axis is axis]
        kinds = [_ITER_TYPES[a.primitive] for a in said if a.primitive in _ITER_TYPES]
        threads = [a.arguments[0] for a in said if a.primitive == "bind"]
        pragmas = [a.arguments for a in said if a.primitive == "pragma"]
        intrinsics = [a.arguments[0] for a in said if a.primitive == "tensorize"]
        return IterVarAttr(
            kinds[-1] if kinds else axis.iter_type,
            threads[-1] if threads else None,
            [Text(key) for key, _ in pragmas],
            [value for _, value in pragmas],
            intrinsics[-1] if intrinsics else None,
        )

    @property
    def all_iter_vars(self) -> tuple[IterVar, ...]:
        """Every axis that the stage has had since it was defined, each before those made of it."""
        made = (axis for r in self.relations if not isinstance(r, Reorder) for axis in r.results)
        return (*self.roots, *made)

    def root_of(self, axis: Axis) -> IterVar | None:
        """Return the axis of the stage that corresponds to an axis of the definition."""
        return self._named.get(axis)

    def leaf(self, axis: Any, primitive: str) -> IterVar:
        """Return a loop of the stage. Raises TilewrightError for an axis that is not (TW0480, TW0481) and no axis
        (TW0488)."""
        self.needs_loops(primitive)
        found = self._resolve(axis, primitive)
        if found.stage is not self:
            self._fail_foreign(found, primitive)
        if found.gone is not None:
            stage_error(
                STALE_AXIS,
                f"{primitive}: axis {found.name!r} of stage {self.name!r} {found.gone}",
                help=f"the loops of stage {self.name!r} are {quoted(a.name for a in self._leaves)}",
            )
        return found

    def leaves(self, axes: Iterable[Any], primitive: str) -> list[IterVar]:
        return [self.leaf(axis, primitive) for axis in axes]

    @property
    def has_loops(self) -> bool:
        return isinstance(self.op, Computation)

    @property
    def attach_stage(self) -> Stage | None:
        """The stage that it is computed in."""
        return self.attachment.axis.stage if isinstance(self.attachment, At) else None

    def needs_loops(self, primitive: str) -> None:
        if isinstance(self.op, Placeholder):
            stage_error(
                NO_LOOPS,
                f"{primitive}: {self.name!r} is a placeholder, which has no loops",
                help=f"s.cache_read({self.name}, scope, readers) makes a stage that copies it",
            )
        if not isinstance(self.op, Computation):
            stage_error(
                NO_LOOPS,
                f"{primitive}: {self.name!r} is no compute, so it has no loops",
                help="schedule the computes that it is made of, such as the init and the update of a scan",
            )

    def needs_single_elements(self, primitive: str) -> None:
        """Raise TW0487 for a compute that a tensor intrinsic computes tile by tile."""
        if isinstance(self.op, Computation) and self.op.tile is not None:
            stage_error(
                WRONG_KIND,
                f"{primitive}: stage {self.name!r} computes whole tiles by intrinsic {self.op.tile.intrinsic.name!r}",
                help="write its element as an expression, and tensorize the stage",
            )

    def needs_fixed_bounds(self, primitive: str, axis: Axis | None = None) -> None:
        """Raise TW0487 for a reduction whose bounds elements decide: its loops are inside of the stage's block."""
        if not isinstance(self.op, Computation) or not is_ragged(self.op):
            return
        if axis is not None and axis not in self.op.reduce_axis:
            return
        names = quoted(a.name for a in self.op.reduce_axis)
        stage_error(
            WRONG_KIND,
            f"{primitive}: stage {self.name!r} reduces over {names}, whose bounds its elements decide, so that these "
            "loops stay inside of the computation of an element",
            help=f"the loops of stage {self.name!r} are {quoted(a.name for a in self._leaves)}; "
            "te.sum(..., where=k < n) over all that any element needs has loops that can be scheduled",
        )

    def position(self, axis: IterVar | None) -> int:
        """Return the position of a loop in the nest of the stage, from the outside."""
        return self._leaves.index(axis) if axis is not None and axis in self._leaves else -1

    def take_annotations(self, axes: Iterable[IterVar]) -> list[Annotation]:
        """Remove the annotations of some axes, and return them."""
        wanted = set(axes)
        taken = [a for a in self.annotations if a.axis in wanted]
        self.annotations = [a for a in self.annotations if a.axis not in wanted]
        return taken

    def _resolve(self, axis: Any, primitive: str) -> IterVar:
        if isinstance(axis, IterVar):
            return axis
        if not isinstance(axis, Axis):
            stage_error(
                WRONG_OBJECT, f"{primitive}: expected an axis of stage {self.name!r}, but got {type(axis).__name__}"
            )
        found = self._named.get(axis)
        if found is not None:
            return found
        self.needs_fixed_bounds(primitive, axis)
        other = self._schedule.owner_of(axis)
        if other is None:
            stage_error(
                FOREIGN_AXIS,
                f"{primitive}: axis {axis.name!r} is an axis of no stage of this schedule",
                help=f"the loops of stage {self.name!r} are {quoted(a.name for a in self._leaves)}",
            )
        self._fail_foreign(other, primitive)

    def _fail_foreign(self, axis: IterVar, primitive: str) -> NoReturn:
        stage_error(
            FOREIGN_AXIS,
            f"{primitive}: axis {axis.name!r} belongs to stage {axis.stage.name!r}, not to stage {self.name!r}",
            help=f"the loops of stage {self.name!r} are {quoted(a.name for a in self._leaves)}",
        )

    def __repr__(self) -> str:
        loops = ", ".join(a.name if a.kind == "spatial" else f"reduce {a.name}" for a in self._leaves)
        match self.attachment:
            case At(axis=axis):
                attached = f" at {axis.stage.name!r}.{axis.name}"
            case Inline():
                attached = " inline"
            case None:
                attached = ""
        kind = "placeholder" if isinstance(self.op, Placeholder) else "stage"
        return f"{kind}({self.name!r}, [{loops}]{attached})"


def _kind(axis: Axis) -> AxisKind:
    return "reduce" if axis.is_reduce else "spatial"


def moved(annotations: Iterable[Annotation], axes: dict[IterVar, IterVar]) -> list[Annotation]:
    """Return the annotations on the axes that replace others."""
    return [replace(a, axis=axes[a.axis]) for a in annotations if a.axis is not None]
