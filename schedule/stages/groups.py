"""Groups of stages, which move together: `g = s.create_group(outputs=C, inputs=[A]); g.compute_at(s[D], axis)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...te.recurrence import Scan
from ...te.tensor import Tensor
from .log import At
from .stage import Stage
from .stage_errors import WRONG_OBJECT, quoted, stage_error

if TYPE_CHECKING:
    from .schedule import LazySchedule

CREATE = "create_group"


class Group:
    """Stages, and nested groups of stages, that are computed in one loop."""

    attach_stage: Stage | None
    """The stage that the group is computed in."""
    is_step: bool = False
    """True where the stages are those of a step of a scan."""

    def __init__(self, children: Sequence[Stage | Group], around: Group | None = None) -> None:
        self.children = list(children)
        self.group = around
        self.attach_stage = None
        for child in children:
            child.group = self

    @property
    def num_child_stages(self) -> int:
        return len(self.children)

    @property
    def stages(self) -> list[Stage]:
        """The stages of the group and of the groups in it."""
        return [s for c in self.children for s in (c.stages if isinstance(c, Group) else [c])]

    def compute_at(self, parent: Stage, scope: Any) -> None:
        """Compute all stages of the group inside a loop of another stage, which reads their results.

        Those that are computed inside one another stay there.
        """
        members = set(self.stages)
        if not isinstance(parent, Stage) or parent in members:  # pyright: ignore[reportUnnecessaryIsInstance]
            stage_error(WRONG_OBJECT, f"compute_at: expected a stage outside of the group, but got {parent!r}")
        for stage in self.stages:
            if not (isinstance(stage.attachment, At) and stage.attachment.axis.stage in members):
                stage.compute_at(parent, scope)
        self.attach_stage = parent

    def compute_root(self) -> None:
        """Compute the stages in separate loop nests."""
        for stage in self.stages:
            stage.compute_root()
        self.attach_stage = None

    def __repr__(self) -> str:
        return f"group({', '.join(stage.name for stage in self.stages)})"


def of_scans(stages: Iterable[Stage], stage_of: Any) -> list[Group]:
    """Return the group of each scan: the stages that make a step."""
    scans = [stage.op for stage in stages if isinstance(stage.op, Scan)]
    made = [Group([stage_of(op) for op in scan.body]) for scan in scans]
    for group in made:
        group.is_step = True
    return made


def outside_of_step(stage: Stage, parent: Stage) -> bool:
    """Return whether a stage belongs to a step of a scan, and `parent` does not."""
    groups = [g for g in _chain(stage) if isinstance(g, Group) and g.is_step]
    return any(parent not in group.stages for group in groups)


def create_group(schedule: LazySchedule, outputs: Any, inputs: Any, include_inputs: bool) -> Group:
    """Return the group of the stages between `inputs` and `outputs`."""
    last, first = _stages(schedule, outputs), _stages(schedule, inputs)
    members = _between(schedule, last, set(first), include_inputs=include_inputs)
    if not members:
        stage_error(WRONG_OBJECT, f"{CREATE}: expected stages between the inputs and the outputs, but there are none")
    chains = [_chain(stage) for stage in members]
    around = next((g for g in chains[0][1:] if isinstance(g, Group) and _holds_all(g, members)), None)
    children: list[Stage | Group] = []
    for chain in chains:
        child = chain[chain.index(around) - 1] if around is not None else chain[-1]
        if child not in children:
            children.append(child)
    outside = [s.name for c in children if isinstance(c, Group) for s in c.stages if s not in members]
    if outside:
        stage_error(
            WRONG_OBJECT,
            f"{CREATE}: expected whole groups or single stages, but {quoted(outside)} would leave a group",
        )
    made = Group(children, around)
    if around is not None:
        around.children = [c for c in around.children if c not in children] + [made]
    return made


def _stages(schedule: LazySchedule, given: Any) -> list[Stage]:
    items = given if isinstance(given, (list, tuple)) else [given]
    return [stage for item in items if (stage := schedule.stage_of(_operation(item))) is not None]


def _operation(item: Any) -> Any:
    return item.op if isinstance(item, (Tensor, Stage)) else item


def _between(schedule: LazySchedule, last: list[Stage], first: set[Stage], *, include_inputs: bool) -> list[Stage]:
    """Return the stages that `last` need, down to `first`, in the order of the schedule."""
    found: set[Stage] = set()
    stack = list(last)
    while stack:
        stage = stack.pop()
        if stage in found or (stage in first and not include_inputs) or not stage.has_loops:
            continue
        found.add(stage)
        if stage not in first:
            stack += [s for t in stage.op.inputs if (s := schedule.stage_of(t.op)) is not None]
    return [stage for stage in schedule.stages if stage in found]


def _chain(stage: Stage) -> list[Stage | Group]:
    """Return a stage and the groups around it, from the inside."""
    chain: list[Stage | Group] = [stage]
    while (around := chain[-1].group) is not None:
        chain.append(around)
    return chain


def _holds_all(group: Group, members: Sequence[Stage]) -> bool:
    return set(members) < set(group.stages)
