"""The part of the default pipeline in front of schedules."""

from __future__ import annotations

from tilewright.passes.framework.base import Level
from tilewright.passes.pipeline import default_pipeline
from xdsl.passes import ModulePass


def before_schedules() -> list[ModulePass]:
    """Return the passes that make plain loops with blocks of a module of the graph dialect."""
    passes = default_pipeline(Level.GRAPH, 0)
    return passes[: [pass_.name for pass_ in passes].index("auto-schedule")]
