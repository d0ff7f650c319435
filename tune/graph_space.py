"""The search space of phase 0 for a small graph: algorithms, layouts of weights and images, and groups of operators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..analysis.entries import MAIN
from ..diagnostics import fail
from ..dialects import context, graph
from ..dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ..driver.models import load_model
from ..driver.targets import TargetLike
from ..ir import editor as edit
from ..passes.framework.base import Level, level_of
from ..passes.framework.manager import PassManager
from ..passes.phase0.auto_schedule import AutoSchedulePass
from ..passes.phase0.fuse.fuse_graph import group_name
from ..passes.pipeline import default_pipeline
from ..passes.shared.operator_key import operator_key
from ..schedule.canonical import record_key
from ..schedule.decisions import Decision, Decisions, Point, deciding
from ..schedule.primitives.decide import instruction_of
from ..schedule.records import GRAPH
from ..schedule.trace import Trace
from ..traversal import operations
from .space import Built
from .tasks import Task, target_for

NO_GRAPH = "TW0825"


class GraphSpace:
    """The loop programs to which phase 0 can lower a graph, each kernel with its default schedule.

    `module` has a graph in @main, of a few operators: the keys of its decisions name operators and shapes, so that they
    apply to every graph with these operators and shapes.
    """

    def __init__(self, module: ModuleOp, target: TargetAttr) -> None:
        self.module = module
        self.target = target

    @property
    def default(self) -> Point:
        """The choices of the passes themselves."""
        return {}

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        """Return the decisions that the passes ask at a point."""
        _, decisions = self._planned(point)
        return tuple(decisions.asked.values())

    def build(self, point: Point) -> Built:
        """Build @main, with the kernels that it calls, scheduled by default. The trace states the decisions alone."""
        module, decisions = self._planned(point)
        _run([AutoSchedulePass()], module)
        main = _main(module)
        asked = tuple(decisions.asked.values())
        return Built(main, Trace([instruction_of(decision) for decision in asked]), asked)

    def _planned(self, point: Point) -> tuple[ModuleOp, Decisions]:
        """Return the module after phase 0 but for schedules, and the decisions that its passes asked.

        Raises TilewrightError TW0801 where an answer does not fit.
        """
        module = self.module.clone()
        edit.change(module).attributes[TARGET_ATTRIBUTE] = self.target
        passes = [pass_ for pass_ in default_pipeline(level_of(module), 0) if pass_.name != AutoSchedulePass.name]
        with deciding(point) as decisions:
            _run(passes, module)
        decisions.check_all_asked()
        return module, decisions


def _main(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == MAIN)


@dataclass(frozen=True)
class GraphTask(Task):
    """A task over a graph of a few operators: decisions of phase 0 are measured, and kernels have their default
    schedules."""

    graph: ModuleOp = field(kw_only=True)
    """The graph in @main."""

    kind: ClassVar[str] = GRAPH

    @property
    def space(self) -> GraphSpace:
        """The loops that phase 0 can make of it."""
        return GraphSpace(self.graph, self.target)


def graph_task(model: Any, target: TargetAttr | TargetLike | None = None) -> GraphTask:
    """Return the task of a graph of a few operators on a target.

    `model` and `target` are as for `tilewright.compile`. Decisions that a session finds for it hold for each model that
    has an operator or a group of its form. Its function, which results are compared with, is the default plan. Raises
    TilewrightError TW0825 for a model without operators of the graph dialect.
    """
    module = load_model(model)
    target = target if isinstance(target, TargetAttr) else target_for(module, target)
    operators = [op for op in operations(module) if isinstance(op, graph.GraphOp)]
    work = [op for op in operators if not isinstance(op, graph.ConstantOp)]
    if not work or level_of(module) is not Level.GRAPH:
        fail(NO_GRAPH, "expected operators of the graph dialect in @main, but there are none", op=module)
    function = GraphSpace(module, target).build({}).function
    return GraphTask(record_key(operator_key(*work), target), group_name(work), function, target, graph=module)


def _run(passes: list[ModulePass], module: ModuleOp) -> None:
    PassManager(passes, verify_each=False).run(context(), module)
