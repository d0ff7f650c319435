"""`opt-tool --emit schedule`: what the default schedules do, as a file that can be edited and applied."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Dialect


def schedule_dialect() -> Dialect:
    """The schedule dialect, which costs an import of the scheduling engine."""
    from ..schedule.trace_mlir import schedule_dialect

    return schedule_dialect()


def default_schedules(ctx: Context, module: ModuleOp) -> str:
    """A sequence for each function with blocks that no schedule has arranged, for the module's target or this machine.

    Lowers and schedules `module`.
    """
    from ..analysis.access import blocks_in
    from ..backends.cpu.host import host_target
    from ..dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
    from ..passes.framework.base import Level, level_of
    from ..passes.framework.manager import PassManager
    from ..passes.pipeline import conversion
    from ..passes.shared.scheduling import SCHEDULED
    from ..schedule.rules import schedule_by_rule

    PassManager(conversion(level_of(module), Level.BLOCK)).run(ctx, module)
    target = module.attributes.get(TARGET_ATTRIBUTE)
    if not isinstance(target, CpuTargetAttr):
        target = host_target()
    functions = [op for op in module.ops if isinstance(op, FuncOp) and SCHEDULED not in op.attributes]
    traces = {f.sym_name.data: schedule_by_rule(f, target).trace for f in functions if blocks_in(f)}
    return "".join(trace.as_mlir(name) for name, trace in traces.items())
