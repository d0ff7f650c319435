"""Lazy schedules: stages that record calls until the schedule is lowered.

    s = te.create_schedule(C.op)
    xo, xi = s[C].split(C.op.axis[0], factor=32)
    s[B].compute_at(s[C], xo)

The order of calls to different stages does not matter. A call checks everything that is known at that time, and
lowering checks the rest; in both cases the error points at the user's line of the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, cast

from ...diagnostics.expectations import coded_methods
from ...diagnostics.locations import caller_location
from ...te.expr import Axis
from ...te.tensor import Definition, Tensor
from ...te.vectors import VectorTensor, stored
from ..trace import Trace
from . import caching, factoring, groups
from .axes import IterVar
from .definitions import source_stages_first
from .groups import Group
from .log import At, Structural
from .stage import Stage
from .stage_errors import BAD_CACHE, FOREIGN_TENSOR, NOT_LOWERED, WRONG_OBJECT, quoted, stage_error


@coded_methods
class LazySchedule:
    """The schedule of a set of outputs and of their dependences: one stage for each definition."""

    outputs: tuple[Definition, ...]
    trace: Trace | None
    """The trace of the engine from the last lowering."""
    by_default: bool
    """True where default schedules arrange the stages that no call has arranged."""

    def __init__(self, outputs: Sequence[Definition], by_default: bool = False) -> None:
        self.outputs = tuple(dict.fromkeys(outputs))
        self.trace = None
        self.by_default = by_default
        self.structure: list[Structural] = []
        self._stages = [Stage(self, op, is_output=op in self.outputs) for op in source_stages_first(self.outputs)]
        self._by_op: dict[Definition, Stage] = {stage.op: stage for stage in self._stages}
        self._groups = groups.of_scans(self._stages, self.stage_of)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Let a pickle hold the text of `write_nodes`; definitions that are pickled beside the schedule are others."""
        from .saved import read_nodes, write_nodes

        return read_nodes, (write_nodes(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> LazySchedule:
        made = memo[id(self)] = object.__new__(type(self))
        vars(made).update(deepcopy(vars(self), memo))
        return made

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages, each after those that it reads."""
        return tuple(self._stages)

    @property
    def arranged(self) -> set[Stage]:
        """The stages that a call has arranged, those in whose loops others are computed among them."""
        made = {stage for record in self.structure for stage in (record.made, *record.touched)}
        around = {stage.attachment.axis.stage for stage in self._stages if isinstance(stage.attachment, At)}
        return {stage for stage in self._stages if stage.is_arranged or stage in made or stage in around}

    def __getitem__(self, tensor: Tensor | Definition | Stage) -> Stage:
        """Return the stage of a tensor or of its operation; a stage is returned itself."""
        if isinstance(tensor, Stage) and tensor in self._stages:
            return tensor
        op = tensor.op if isinstance(tensor, (Tensor, VectorTensor)) else tensor
        stage = self.stage_of(op)
        if stage is None:
            name = getattr(op, "name", None)
            if not isinstance(name, str):
                kind = type(tensor).__name__
                stage_error(WRONG_OBJECT, f"expected a tensor or its operation to index a schedule, but got {kind}")
            stage_error(
                FOREIGN_TENSOR,
                f"expected a tensor of this schedule, but got {name!r}",
                notes=[f"the stages are {quoted(s.name for s in self._stages)}"],
            )
        return stage

    def __contains__(self, tensor: Tensor | Definition) -> bool:
        return self.stage_of(tensor.op if isinstance(tensor, (Tensor, VectorTensor)) else tensor) is not None

    def stage_of(self, op: Any) -> Stage | None:
        """Return the stage of a definition, as it is or as it was before a cache or a factored reduction changed it."""
        try:
            return self._by_op.get(op)
        except TypeError:
            return None

    # Structure

    def cache_read(self, tensor: Tensor, scope: str, readers: Any) -> Tensor:
        """Insert a stage that copies `tensor` to memory of the given scope; the stages `readers` read the copy."""
        given = readers if isinstance(readers, (list, tuple)) else [readers]
        stages = [self[reader] for reader in cast("Sequence[Any]", given)]
        tensor = stored(tensor)
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            stage_error(WRONG_OBJECT, f"cache_read: expected a tensor, but got {type(tensor).__name__}")
        return caching.cache_read(self, tensor, scope, stages, caller_location())

    def cache_write(self, tensor: Tensor | Sequence[Tensor], scope: str) -> Any:
        """Insert a stage that computes `tensor` in memory of the given scope, and let the stage of `tensor` copy it.

        Splits, fuses and reorders that the stage of `tensor` has go to the stage of the cache, whose axes are those
        loops. Of several outputs of one compute all are cached; the result is a list then.
        """
        tensor = stored(tensor)
        tensors = self._outputs_of_one(tensor, "cache_write")
        caches = caching.cache_write(self, self[tensors[0]], scope, caller_location())
        return caches if len(caches) > 1 or not isinstance(tensor, Tensor) else caches[0]

    def rfactor(self, tensor: Tensor, axis: Any, factor_axis: int = 0) -> Any:
        """Insert a reduction over all but `axis`, which becomes dimension `factor_axis`; the stage of `tensor` reduces
        that.

        The result is a list where the reduction has several outputs.
        """
        stage = self[self._outputs_of_one(tensor, "rfactor")[0]]
        factored = factoring.rfactor(self, stage, axis, factor_axis, caller_location())
        return factored if len(factored) > 1 else factored[0]

    def create_group(self, outputs: Any, inputs: Any, include_inputs: bool = False) -> Group:
        """Return a group of the stages that `outputs` need, down to `inputs`, which `g.compute_at` moves together."""
        made = groups.create_group(self, outputs, inputs, include_inputs)
        self._groups.append(made)
        return made

    @property
    def groups(self) -> list[Group]:
        """The groups; each scan makes one of the stages of its steps."""
        return list(self._groups)

    def normalize(self) -> LazySchedule:
        """Return the schedule itself: lowering normalizes bounds."""
        return self

    def lowered_trace(self) -> Trace:
        """Return the trace of the engine from the last lowering. Raises TW0499 without one."""
        if self.trace is None:
            stage_error(
                NOT_LOWERED, "the schedule has no trace: it was not lowered yet", help="call lower or build first"
            )
        return self.trace

    # Queries of stages

    def insert(self, stage: Stage, position: int) -> None:
        self._stages.insert(position, stage)
        self._by_op[stage.op] = stage

    def redefine(self, stage: Stage, op: Definition, roots: Sequence[IterVar] | None = None) -> None:
        """Let a stage compute `op`; the schedule knows it by its former definitions, too."""
        stage.define(op, roots)
        self._by_op[op] = stage

    def rename_definition(self, stage: Stage, op: Definition) -> None:
        """Let a stage compute `op`, which has the same axes as its definition."""
        stage.op = op
        self._by_op[op] = stage

    def unused_name(self, name: str) -> str:
        """Return `name`, or with a number behind it where a stage has it."""
        taken = {stage.name for stage in self._stages}
        count, candidate = 0, name
        while candidate in taken:
            count += 1
            candidate = f"{name}_{count}"
        return candidate

    def axis_of(self, stage: Stage, axis: Any) -> IterVar | None:
        """Return the loop that a definition's axis is, in `stage` if it is one there."""
        if not isinstance(axis, Axis):
            return None
        found = stage.root_of(axis)
        return found if found is not None else self.owner_of(axis)

    def owner_of(self, axis: Axis) -> IterVar | None:
        """Return the loop of any stage that a definition's axis is."""
        return next((found for stage in self._stages if (found := stage.root_of(axis)) is not None), None)

    def is_outside_of_step(self, stage: Stage, parent: Stage) -> bool:
        """Return whether a stage belongs to a step of a scan, and `parent` does not."""
        return groups.outside_of_step(stage, parent)

    def reads(self, reader: Stage, source: Stage) -> list[Tensor]:
        """Return the tensors of `source` that `reader` reads."""
        return [tensor for tensor in reader.op.inputs if self.stage_of(tensor.op) is source]

    def _outputs_of_one(self, given: Any, primitive: str) -> list[Tensor]:
        tensors: list[Any] = list(cast("Sequence[Any]", given)) if isinstance(given, (list, tuple)) else [given]
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                stage_error(WRONG_OBJECT, f"{primitive}: expected a tensor, but got {type(tensor).__name__}")
        if not tensors or any(self[t] is not self[tensors[0]] for t in tensors):
            stage_error(BAD_CACHE, f"{primitive}: expected outputs of one compute, but got {tensors}")
        return tensors

    def __repr__(self) -> str:
        return "\n".join(["schedule:", *(f"  {stage!r}" for stage in self._stages)])


def create_schedule(ops: Any, *, by_default: bool = False) -> LazySchedule:
    """Return a schedule of the operations (or tensors) given, one or a list, and of all that they depend on.

    With `by_default`, stages that no call arranges are arranged by the default schedules of the target.
    """
    given = ops if isinstance(ops, (list, tuple)) else [ops]
    outputs: list[Any] = [
        op.op if isinstance(op, (Tensor, VectorTensor)) else op for op in cast("Sequence[Any]", given)
    ]
    for op in outputs:
        if not isinstance(getattr(op, "name", None), str) or not hasattr(op, "reduce_axis"):
            kind = type(op).__name__
            stage_error(WRONG_OBJECT, f"create_schedule: expected operations such as C.op, but got {kind}")
    if not outputs:
        stage_error(WRONG_OBJECT, "create_schedule: expected one operation or more, but got none")
    return LazySchedule(outputs, by_default)
