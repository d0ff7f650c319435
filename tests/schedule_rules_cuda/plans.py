"""Blocks to plan for, and what became of their loops, without running anything."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright import te
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.dialects.target import CudaTargetAttr
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule import Schedule
from tilewright.schedule.rules.cuda import schedule_for_cuda
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

GPU = CudaTargetAttr.get()


def lowered(tensors: Sequence[te.Tensor]) -> ModuleOp:
    """Return the loops of a program as lowering leaves them."""
    module = te.to_module(list(tensors))
    PassManager(parse_pipeline("lower-te")).run(context(), module)
    return module


def function_of(module: ModuleOp) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp))


def block_of(tensors: Sequence[te.Tensor], name: str) -> loop.BlockOp:
    return next(b for b in blocks_in(function_of(lowered(tensors))) if b.label == name)


def scheduled(tensors: Sequence[te.Tensor], target: CudaTargetAttr = GPU) -> tuple[FuncOp, list[str]]:
    """Return a program by the default schedules, none of which was refused, and their remarks."""
    function = function_of(lowered(tensors))
    with collect_remarks() as found:
        schedule_for_cuda(Schedule(function).func, target)
    assert not [r.message for r in found if r.code == "TW0409"]
    return function, [r.message for r in found if r.code == "TW0646"]


def tags(block: loop.BlockOp) -> list[str]:
    """Return the thread axes of the loops around a block, outermost first; for other loops their kind."""
    return [op.kind.tag.data or op.kind.kind.data for op in loops_around(block)]


def scopes(function: FuncOp) -> dict[str | None, str]:
    """Return the scopes of a function's buffers by name."""
    allocs = [op for op in function.walk() if isinstance(op, loop.AllocOp)]
    return {op.results[0].name_hint: str(op.results[0].type.memory_space) for op in allocs}  # pyright: ignore
