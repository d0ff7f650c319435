"""The search space of a template: its decisions are the knobs in order. Building a point runs the template with it."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...diagnostics import fail
from ...dialects.ir_module import IRModule
from ...dialects.target import TARGET_ATTRIBUTE
from ...driver.tensors import scheduled_module
from ...ir import editor as edit
from ...schedule.decisions import Decision, Point
from ...schedule.stages import LazySchedule, create_schedule
from ...tune.space import Built
from .configs import ConfigEntity
from .task import NOT_A_SCHEDULE, Task


class TemplateSpace:
    """The schedules that a template makes of its task.

    A template may select among algorithms, so that a knob may change the order of sums: each decision is marked so.
    """

    def __init__(self, task: Task, start: Point | None = None) -> None:
        self.task = task
        self._start = task.config_space.with_values(start or {}).values
        self._candidates = {
            name: tuple(each.value for each in space.entities) for name, space in task.config_space.space_map.items()
        }

    @property
    def default(self) -> Point:
        """The configuration that a search begins with, the first candidate of each knob unless another one is given."""
        return self._start

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        """Return the knobs with their values at a point. Raises TilewrightError TW0801 for a value that is no
        candidate."""
        values = self.config(point).values
        return tuple(
            Decision(name, candidates, self._start[name], values[name], changes_sums=True)
            for name, candidates in self._candidates.items()
        )

    def build(self, point: Point) -> Built:
        """Return the function that the template's schedule gives, in a module of the task's target."""
        decisions = self.decisions(point)
        schedule, tensors = self.task.instantiate(self.config(point))
        if not isinstance(schedule, LazySchedule):
            fail(
                NOT_A_SCHEDULE,
                f"expected template '{self.task.name}' to return a schedule, but got {type(schedule).__name__}",
                help="make it with te.create_schedule",
            )
        module = scheduled_module(schedule, tensors, "main")
        return Built(_in_target(module, self.task), schedule.lowered_trace(), decisions)

    def config(self, point: Point) -> ConfigEntity:
        """Return the configuration of a point. Raises TilewrightError TW0801 for values that are no candidates."""
        return self.task.config_space.with_values({**self._start, **point})


def definition_of(task: Task) -> FuncOp:
    """Return the function of a task's tensors with plain loops, in a module of its target."""
    schedule, tensors = task.instantiate(task.config_space.get(0))
    return _in_target(scheduled_module(create_schedule(list(schedule.outputs)), tensors, "main"), task)


def _in_target(module: ModuleOp, task: Task) -> FuncOp:
    edit.change(module).attributes[TARGET_ATTRIBUTE] = task.target.attribute()
    (function,) = IRModule(module).functions.values()
    return function.op
