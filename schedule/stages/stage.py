"""The primitives of a stage. Each checks everything that is known at the call, and is executed when the schedule is
lowered."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ...diagnostics.expectations import coded_methods
from ...diagnostics.locations import caller_location
from ...dialects.loop.pragmas import PRAGMAS
from ...te.expr import Axis, Binary, Compare, Const
from ...te.tensor import Tensor
from ...te.thread_axes import ThreadAxis
from ..primitives.import_foreign import FOREIGN_PRAGMAS, foreign_text
from .axes import Fuse, IterVar, Reorder, Singleton, Split, ceildiv
from .log import Annotation, At, Inline
from .stage_errors import (
    BAD_AXES,
    BAD_DETAIL,
    BAD_SPLIT,
    BAD_THREAD,
    CYCLE,
    KIND_TWICE,
    NO_CONSUMER,
    NO_SUCH_LOOP,
    NOT_ADJACENT,
    NOT_INLINE,
    WRONG_KIND,
    WRONG_OBJECT,
    at_location,
    quoted,
    stage_error,
)
from .state import AxisLike, StageState

KINDS = {"vectorize": "vectorized", "unroll": "unrolled", "parallel": "parallel", "bind": "bound to a thread axis"}
_REPLACEABLE = ("vectorize", "unroll", "parallel")
THREAD_TAGS = (*(f"{unit}.{d}" for unit in ("blockIdx", "threadIdx") for d in "xyz"), "vthread")


@coded_methods
class Stage(StageState):
    """The schedule of one tensor, or of several tensors of one compute."""

    # Loops

    def split(
        self, parent: AxisLike, factor: Any = None, nparts: Any = None, disable_predication: bool = False
    ) -> tuple[IterVar, IterVar]:
        """Split a loop into an outer one and an inner one of `factor` iterations, or an outer one of `nparts`.

        With `disable_predication`, a size that would need a guard is refused.
        """
        axis = self._changing(parent, "split")
        if (factor is None) == (nparts is None):
            count = "neither" if factor is None else "both"
            stage_error(BAD_SPLIT, f"split: expected either factor or nparts for axis {axis.name!r}, but got {count}")
        size = _positive(factor if nparts is None else nparts, "factor" if nparts is None else "nparts", axis)
        rest = ceildiv(axis.extent, size)
        counts = (rest, size) if nparts is None else (size, rest)
        outer, inner = (self.new_axis(f"{axis.name}{s}", n, axis.kind) for s, n in zip("oi", counts, strict=True))
        location = caller_location()
        axis.gone = f"has already been split into {quoted((outer.name, inner.name))}{at_location(location)}"
        axis.within = inner
        given = (size, None) if nparts is None else (None, size)
        self.add(Split(axis, outer, inner, *given, disable_predication, location))
        return outer, inner

    def fuse(self, *axes: AxisLike) -> IterVar:
        """Fuse neighbouring loops into one: one loop is itself, no loops give one that runs once inside the others."""
        if not axes:
            return self._add_unit_loop()
        parts = sorted((self._changing(axis, "fuse") for axis in axes), key=self.position)
        self._several(parts, "fuse")
        if len(parts) == 1:
            return parts[0]
        first = self.position(parts[0])
        if parts != list(self.leaf_iter_vars[first : first + len(parts)]):
            stage_error(
                NOT_ADJACENT,
                f"fuse: axes {quoted(a.name for a in parts)} of stage {self.name!r} are not neighbours",
                notes=[f"its loops, from the outside, are {quoted(a.name for a in self.leaf_iter_vars)}"],
                help=f"s[{self.name}].reorder(...) first",
            )
        kind = "reduce" if any(a.kind == "reduce" for a in parts) else "spatial"
        extent = parts[0].extent
        for part in parts[1:]:
            extent = extent * part.extent
        fused = self.new_axis("_".join(a.name for a in parts), extent, kind)
        location = caller_location()
        for axis in parts:
            axis.gone, axis.within = f"has already been fused into {fused.name!r}{at_location(location)}", fused
        self.add(Fuse(tuple(parts), fused, location))
        return fused

    def _add_unit_loop(self) -> IterVar:
        self.needs_loops("fuse")
        unit = self.new_axis("singleton", 1, "spatial")
        self.add(Singleton(unit, caller_location()))
        return unit

    def reorder(self, *axes: AxisLike) -> None:
        """Exchange the positions of loops, so that they stand in the order given; other loops stay."""
        order = self.leaves(axes, "reorder")
        self._several(order, "reorder")
        self.add(Reorder(tuple(order), caller_location()))

    def tile(
        self, x_parent: AxisLike, y_parent: AxisLike, x_factor: Any, y_factor: Any
    ) -> tuple[IterVar, IterVar, IterVar, IterVar]:
        """Split two loops and put the outer parts around the inner ones; returns x outer, y outer, x inner, y inner."""
        x, y = parents = [self._changing(axis, "split") for axis in (x_parent, y_parent)]
        self._several(parents, "tile")
        sizes = [_positive(f, "factor", axis) for f, axis in zip((x_factor, y_factor), parents, strict=True)]
        x_outer, x_inner = self.split(x, factor=sizes[0])  # from here on nothing is refused
        y_outer, y_inner = self.split(y, factor=sizes[1])
        self.reorder(x_outer, y_outer, x_inner, y_inner)
        return x_outer, y_outer, x_inner, y_inner

    # Kinds of loops

    def vectorize(self, var: AxisLike) -> None:
        """Run the iterations of a loop as the lanes of vectors."""
        self._set_kind("vectorize", self._data_parallel(var, "vectorize"))

    def unroll(self, var: AxisLike) -> None:
        """Unroll a loop."""
        self._set_kind("unroll", self.leaf(var, "unroll"))

    def parallel(self, var: AxisLike) -> None:
        """Run the iterations of a loop in several threads of the processor."""
        self._set_kind("parallel", self._data_parallel(var, "parallel"))

    def bind(self, ivar: AxisLike, thread_ivar: Any) -> None:
        """Run each iteration of a loop in a thread or block of threads of a GPU: "threadIdx.x" or a te.thread_axis."""
        axis = self.leaf(ivar, "bind")
        tag = thread_ivar if isinstance(thread_ivar, str) else getattr(thread_ivar, "thread_tag", None)
        if tag not in THREAD_TAGS:
            got = repr(tag) if tag is not None else type(thread_ivar).__name__
            stage_error(BAD_THREAD, f"bind: expected one of {', '.join(THREAD_TAGS)}, but got {got}")
        self._set_kind("bind", axis, thread_ivar)

    def pragma(self, var: AxisLike, pragma_type: str, pragma_value: Any = None) -> None:
        """Mark a loop for passes that look for the key; "vectorize", "unroll" and "parallel" are these primitives.

        "import_llvm" and "import_c" take the text of foreign code, or the path of a file of it. A truth value may be 0
        or 1.
        """
        axis = self.leaf(var, "pragma")
        if not isinstance(pragma_type, str) or not pragma_type:  # pyright: ignore[reportUnnecessaryIsInstance]
            stage_error(BAD_DETAIL, f"pragma: expected a key, but got {pragma_type!r}")
        if pragma_type in ("vectorize", "unroll", "parallel"):
            getattr(self, pragma_type)(axis)
            return
        value = foreign_text(pragma_type, pragma_value) if pragma_type in FOREIGN_PRAGMAS else pragma_value
        if PRAGMAS.get(pragma_type) is bool and value in (0, 1):  # numbers are truth values here
            value = bool(value)
        self._annotate("pragma", axis, pragma_type, value)

    def prefetch(self, tensor: Tensor, var: AxisLike, offset: int) -> None:
        """Prefetch the elements of a tensor that a loop reads `offset` iterations later."""
        axis = self.leaf(var, "prefetch")
        source = self._schedule[tensor]
        self._annotate("prefetch", axis, source, tensor.value_index, _integer(offset, "prefetch: an offset"))

    def tensorize(self, var: AxisLike, tensor_intrin: Any) -> None:
        """Replace a loop and all inside it by an intrinsic that computes the same; of two, the later one is taken."""
        axis = self.leaf(var, "tensorize")
        self.annotations[:] = [a for a in self.annotations if (a.primitive, a.axis) != ("tensorize", axis)]
        self._annotate("tensorize", axis, tensor_intrin)

    # Threads

    def env_threads(self, threads: Any) -> None:
        """Name the threads that compute a scan. Threads to which loops of its steps are bound start with each step."""
        given = list(threads) if isinstance(threads, (list, tuple)) else [threads]
        for thread in given:
            if getattr(thread, "thread_tag", None) not in THREAD_TAGS:
                stage_error(BAD_THREAD, f"env_threads: expected thread axes, but got {thread!r}")
        self.threads = tuple(given)

    def set_store_predicate(self, predicate: Any) -> None:
        """Let one thread store the result: `thread_x.var.equal(0)`, or several such with te.all.

        Threads that reduce together store one result anyway. Raises TW0498 for other conditions.
        """
        self.needs_loops("set_store_predicate")
        if not _is_first_thread(predicate):
            stage_error(
                BAD_DETAIL,
                f"set_store_predicate: expected the first thread of thread axes to store {self.name!r}, but got "
                f"`{predicate}`",
                help="write thread.var.equal(0); te.if_then_else in the compute chooses what is stored",
            )

    # Storage of the result

    def storage_align(self, axis: AxisLike, factor: int, offset: int) -> None:
        """Let the stride of a dimension be `offset` modulo `factor` elements; any offset is taken modulo the factor."""
        self.needs_loops("storage_align")
        dimensions = [a for a in self.roots if a.kind == "spatial"]
        names = [a.name for a in dimensions]
        wanted = self.root_of(axis) if isinstance(axis, Axis) else axis
        chosen = next((d for d, a in enumerate(dimensions) if a is wanted), None)
        if chosen is None:
            name = getattr(axis, "name", type(axis).__name__)
            stage_error(
                BAD_DETAIL,
                f"storage_align: expected one of the axes {quoted(names)} of tensor {self.name!r}, but got {name!r}",
                help="it speaks of a dimension of what is stored, not of a loop",
            )
        details = (_integer(factor, "storage_align: a factor"), _integer(offset, "storage_align: an offset"))
        self._annotate("storage_align", None, chosen, *details)

    def storage_swizzle(self) -> None:
        """Permute the pieces of 16 bytes in each line of 128 bytes of the result, for the banks of a GPU's memory."""
        self.needs_loops("storage_swizzle")
        self._annotate("storage_swizzle", None)

    def double_buffer(self) -> None:
        """Keep two copies of the result, so that one is computed while the other is read."""
        self.needs_loops("double_buffer")
        self._annotate("double_buffer", None)

    def rolling_buffer(self) -> None:
        """Keep elements that the next iteration of the surrounding loop reads again, instead of computing them
        again."""
        self.needs_loops("rolling_buffer")
        self._annotate("rolling_buffer", None)

    def set_scope(self, scope: str) -> None:
        """Store the result in memory of the given scope."""
        self.needs_loops("set_scope")
        if not isinstance(scope, str) or not scope:  # pyright: ignore[reportUnnecessaryIsInstance]
            stage_error(BAD_DETAIL, f"set_scope: expected the name of a scope, but got {scope!r}")
        self.scope = scope
        self.annotations = [a for a in self.annotations if a.primitive != "set_scope"]
        self._annotate("set_scope", None, scope)

    # Position of the computation

    def compute_at(self, parent: Stage, scope: AxisLike) -> None:
        """Compute the stage inside a loop of a stage that reads it, only the elements that are read there."""
        self.needs_loops("compute_at")
        if not isinstance(parent, Stage):  # pyright: ignore[reportUnnecessaryIsInstance]
            stage_error(
                WRONG_OBJECT,
                f"compute_at: expected a stage to compute {self.name!r} in, but got {type(parent).__name__}",
                help="write s[A].compute_at(s[C], axis), with s[C] and not C",
            )
        parent.needs_loops("compute_at")
        self._check_circle(parent)
        if self._schedule.is_outside_of_step(self, parent):
            stage_error(
                NO_CONSUMER,
                f"compute_at: stage {self.name!r} belongs to the steps of a scan, and {parent.name!r} does not",
                help="compute it inside a stage of the step",
            )
        self.attachment = At(self._loop_of(parent, scope), caller_location())

    def compute_inline(self) -> None:
        """Compute the stage wherever it is read."""
        self.needs_loops("compute_inline")
        self.needs_single_elements("compute_inline")
        if self.is_output:
            stage_error(
                NOT_INLINE,
                f"compute_inline: {self.name!r} is an output of the schedule, so it must be stored",
            )
        if self.op.reduce_axis:
            stage_error(
                NOT_INLINE,
                f"compute_inline: {self.name!r} is a reduction, which cannot be computed within an expression",
                help=f"compute it where it is read: s[{self.name}].compute_at(...)",
            )
        self.attachment = Inline(caller_location())

    def compute_root(self) -> None:
        """Compute the stage in a separate loop nest, before everything that reads it."""
        self.needs_loops("compute_root")
        self.attachment = None

    # Checks

    def _changing(self, axis: Any, primitive: str) -> IterVar:
        """Return a loop that is about to be replaced; it must have no kind and no annotation yet."""
        leaf = self.leaf(axis, primitive)
        for annotation in self.annotations:
            if annotation.axis is leaf:
                stage_error(
                    KIND_TWICE,
                    f"{primitive}: {annotation.primitive} was called for axis {leaf.name!r} of stage {self.name!r}"
                    f"{at_location(annotation.location)}, and would be lost",
                    help=f"call {primitive} first, then {annotation.primitive} for the axis that it returns",
                )
        return leaf

    def _several(self, axes: Sequence[IterVar], primitive: str) -> None:
        if not axes:
            stage_error(BAD_AXES, f"{primitive}: expected axes of stage {self.name!r}, but got none")
        for position, axis in enumerate(axes):
            if axis in axes[:position]:
                stage_error(BAD_AXES, f"{primitive}: axis {axis.name!r} of stage {self.name!r} is listed twice")

    def _data_parallel(self, axis: Any, primitive: str) -> IterVar:
        leaf = self.leaf(axis, primitive)
        if leaf.kind == "reduce":
            what = "vectorized" if primitive == "vectorize" else "run in parallel"
            stage_error(
                WRONG_KIND,
                f"{primitive}: {leaf.name!r} is a reduction axis of stage {self.name!r}, which cannot be {what}: each "
                "iteration adds to the result of the previous one",
                help="s.rfactor(tensor, axis) makes a reduction axis data-parallel",
            )
        return leaf

    def _set_kind(self, primitive: str, axis: IterVar, *arguments: Any) -> None:
        """State how a loop runs. Of several kinds the last one is taken; threads are no kind that another replaces."""
        if primitive in _REPLACEABLE:
            self.annotations[:] = [a for a in self.annotations if a.axis is not axis or a.primitive not in _REPLACEABLE]
        for annotation in self.annotations:
            if annotation.axis is axis and annotation.primitive in KINDS:
                stage_error(
                    KIND_TWICE,
                    f"{primitive}: axis {axis.name!r} of stage {self.name!r} is {KINDS[annotation.primitive]} already"
                    f"{at_location(annotation.location)}",
                    help="split it to treat its parts differently",
                )
        self._annotate(primitive, axis, *arguments)

    def _annotate(self, primitive: str, axis: IterVar | None, *arguments: Any) -> None:
        self.annotations.append(Annotation(primitive, axis, arguments, caller_location()))

    def _loop_of(self, parent: Stage, scope: Any) -> IterVar:
        """Return the loop of `parent` that compute_at names; anything else gets one error."""
        axis = scope if isinstance(scope, IterVar) else self._schedule.axis_of(parent, scope)
        if axis is None:
            return parent.leaf(scope, "compute_at")
        if axis.stage is parent and axis.gone is None:
            return axis
        what = f"is an axis of stage {axis.stage.name!r}" if axis.stage is not parent else axis.gone
        stage_error(
            NO_SUCH_LOOP,
            f"compute_at: expected a loop of stage {parent.name!r} to compute {self.name!r} in, but axis {axis.name!r} "
            f"{what}",
            help=f"the loops of stage {parent.name!r} are {quoted(a.name for a in parent.leaf_iter_vars)}",
        )

    def _check_circle(self, parent: Stage) -> None:
        current: StageState | None = parent
        while current is not None:
            if current is self:
                how = "itself" if parent is self else f"{parent.name!r}, which is computed inside {self.name!r}"
                stage_error(CYCLE, f"compute_at: stage {self.name!r} cannot be computed inside {how}")
            current = current.attachment.axis.stage if isinstance(current.attachment, At) else None


def _is_first_thread(predicate: Any) -> bool:
    """Return whether a condition holds for the first of the threads along some axes."""
    match predicate:
        case Binary(op="and"):
            return _is_first_thread(predicate.lhs) and _is_first_thread(predicate.rhs)
        case Compare(op="=="):
            numbers = [int(o.value) for o in predicate.operands if isinstance(o, Const)]
            return numbers == [0] and any(isinstance(o, ThreadAxis) for o in predicate.operands)
        case _:
            return False


def _positive(value: Any, what: str, axis: IterVar) -> int:
    given: Any = getattr(value, "value", value)
    whole: Any = int(given) if isinstance(given, float) and given.is_integer() else given
    try:
        size = operator.index(whole)
    except TypeError:
        stage_error(BAD_SPLIT, f"split: expected an integer as {what} of axis {axis.name!r}, but got {value!r}")
    if size < 1:
        stage_error(BAD_SPLIT, f"split: expected a positive {what} of axis {axis.name!r}, but got {size}")
    return size


def _integer(value: Any, what: str) -> int:
    try:
        return operator.index(getattr(value, "value", value))
    except TypeError:
        stage_error(BAD_DETAIL, f"{what} is an integer, but got {value!r}")
