"""The search space of phase 0 for a small graph: algorithms, layouts of weights and images, and groups of operators."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..analysis.entries import MAIN
from ..dialects import context
from ..dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ..ir import editor as edit
from ..passes.base import level_of
from ..passes.manager import PassManager
from ..passes.phase0.auto_schedule import AutoSchedulePass
from ..passes.pipeline import default_pipeline
from ..schedule.decisions import Decision, Decisions, Point, deciding
from ..schedule.primitives.decide import instruction_of
from ..schedule.trace import Trace
from .space import Built


class GraphSpace:
    """The loops that phase 0 can make of a graph, each kernel with its default schedule.

    `module` has a graph in @main, of a few operators: the keys of its decisions name operators and shapes, so that they
    hold for each graph that has these.
    """

    def __init__(self, module: ModuleOp, target: TargetAttr) -> None:
        self.module = module
        self.target = target

    @property
    def default(self) -> Point:
        """The choices of the passes themselves."""
        return {}

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        """The decisions that the passes ask at a point."""
        _, decisions = self._planned(point)
        return tuple(decisions.asked.values())

    def build(self, point: Point) -> Built:
        """@main, with the kernels that it calls, scheduled by default. The trace states the decisions alone."""
        module, decisions = self._planned(point)
        _run([AutoSchedulePass()], module)
        main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == MAIN)
        asked = tuple(decisions.asked.values())
        return Built(main, Trace([instruction_of(decision) for decision in asked]), asked)

    def _planned(self, point: Point) -> tuple[ModuleOp, Decisions]:
        """The module after phase 0 but for schedules, and the decisions that its passes asked.

        Raises TilewrightError TW0801 where an answer does not fit.
        """
        module = self.module.clone()
        edit.change(module).attributes[TARGET_ATTRIBUTE] = self.target
        passes = [pass_ for pass_ in default_pipeline(level_of(module), 0) if pass_.name != AutoSchedulePass.name]
        with deciding(point) as decisions:
            _run(passes, module)
        decisions.check_all_asked()
        return module, decisions


def _run(passes: list[ModulePass], module: ModuleOp) -> None:
    PassManager(passes, verify_each=False).run(context(), module)
