"""`driver.build_module`: building and lowering, and the class of built modules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..dialects.ir_module import IRModule
from ..driver import build, lower
from ..runtime.module import Module as OperatorModule
from ..te.foreign import Buffer
from ..te.recurrence import Scan
from ..te.tensor import Placeholder, Tensor

__all__ = ["OperatorModule", "build", "lower", "schedule_to_module"]


def schedule_to_module(
    sch: Any, args: Any = None, name: str = "main", binds: Mapping[Tensor, Buffer] | None = None
) -> IRModule:
    """Return the loops of a schedule as it arranges them: `lower` with `simple_mode`.

    Without `args` they are the placeholders that the schedule reads and its results.
    """
    return lower(sch, arguments(sch) if args is None else args, name, simple_mode=True, binds=binds)


def arguments(sch: Any) -> list[Tensor]:
    """Return the placeholders that a schedule reads and its results."""
    states = {state for stage in sch.stages if isinstance(stage.op, Scan) for state in stage.op.state}
    read = [t for stage in sch.stages if isinstance(stage.op, Placeholder) for t in stage.op.outputs]
    return [*(t for t in read if t not in states), *(t for op in sch.outputs for t in op.outputs)]
